//! What needs no object: requests and answers checked as a gate checks them, and text for a person.

use crate::bridge::{count, fail, fail_request, give_text, with_input};
use askgate::answer::{Answers, Resolution};
use askgate::dialect::typed::{ResolutionRecord, ShownPrompt};
use askgate::error::Code;
use askgate::form::Form;
use askgate::limits::Limits;
use askgate::text::{self, Mode, Unit};

/// The form of a prompt as a surface gets it.
pub(crate) fn form(prompt: ShownPrompt) -> Form {
    match prompt {
        ShownPrompt::Request(request) => request.form,
        ShownPrompt::Session { form, .. } => form,
    }
}

/// Checks the params of an ask, or a prompt as a surface gets it.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_check_prompt(prompt: usize) -> i32 {
    with_input(|input| match ShownPrompt::parse(input.text(prompt), &Limits::DEFAULT) {
        Ok(_) => 0,
        Err(error) => fail_request(&error),
    })
}

/// Checks `{"value"}` or `{"answers"}` against a prompt.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_check_answer(prompt: usize, answer: usize) -> i32 {
    let limits = &Limits::DEFAULT;
    with_input(|input| {
        let form = match ShownPrompt::parse(input.text(prompt), limits) {
            Ok(prompt) => form(prompt),
            Err(error) => return fail_request(&error),
        };
        let answer = match ResolutionRecord::parse(input.text(answer), limits) {
            Ok(answer) => answer,
            Err(error) => return fail_request(&error),
        };
        match answer.resolution() {
            Resolution::Answer(draft) => match Answers::check(&form, draft) {
                Ok(_) => 0,
                Err(error) => fail(error.code(), &error.path(), error.message()),
            },
            Resolution::Decline | Resolution::Cancel(_) => {
                fail(Code::InvalidValue, "", "Give an answer: its value or its answers.")
            }
        }
    })
}

/// Makes a text safe to show; `mode` counts line, body, command. Gives whether something in it was hidden.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_display_safe(given: usize, mode: u32) -> i32 {
    let mode = match mode {
        0 => Mode::Line,
        1 => Mode::Body,
        _ => Mode::Command,
    };
    with_input(|input| {
        let safe = text::display_safe(input.text(given), mode);
        let has_hidden = safe.has_hidden;
        give_text(safe.text);
        i32::from(has_hidden)
    })
}

/// Cuts a text; `unit` counts graphemes, scalars, UTF-16, bytes.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_cut(given: usize, limit: f64, unit: u32) -> i32 {
    let unit = match unit {
        0 => Unit::Graphemes,
        1 => Unit::Scalars,
        2 => Unit::Utf16,
        _ => Unit::Bytes,
    };
    with_input(|input| {
        give_text(text::cut(input.text(given), count(limit), unit));
        0
    })
}
