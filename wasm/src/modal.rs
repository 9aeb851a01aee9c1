//! The modal.

use crate::bridge::{count, fail, fail_request, give_json, give_text, give_time, millis, with_input};
use crate::objects::Objects;
use askgate::answer::OutcomeKind;
use askgate::dialect::typed::ShownPrompt;
use askgate::error::Code;
use askgate::limits::Limits;
use askgate::modal::{
    ControlId, Effect, Input, Key, KeyCode, Manner, Modal, ModalPrompt, Mods, Options, Submission,
};
use askgate::time::Millis;

static MODALS: Objects<Modal> = Objects::new();

/// Shows a prompt. `guard` and `deadline` are NaN where they are not given: then the guard is the usual one, and the
/// deadline counts from now.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_modal_new(
    now: f64,
    prompt: usize,
    rows: f64,
    guard: f64,
    confirm: f64,
    terminal: u32,
    deadline: f64,
) -> i32 {
    let options = Options {
        rows: count(rows),
        guard_ms: given(guard).map(|guard| guard.0),
        confirm_ms: millis(confirm).0,
        terminal: terminal != 0,
    };
    let shown = with_input(|input| ShownPrompt::parse(input.text(prompt), &Limits::DEFAULT));
    let now = millis(now);
    let after = |timeout: Option<u64>| given(deadline).or_else(|| timeout.and_then(|ms| now.checked_add(ms)));
    let prompt = match shown {
        Ok(ShownPrompt::Request(ask)) => ModalPrompt {
            manner: Manner::Request,
            surface: Some(ask.surface.as_str().into()),
            attribution: ask.agent.map(|agent| agent.as_str().into()),
            form: ask.form,
            deadline: after(ask.timeout_ms),
        },
        Ok(ShownPrompt::Session { form, timeout_ms }) => ModalPrompt {
            manner: Manner::Session,
            surface: None,
            attribution: None,
            form,
            deadline: after(timeout_ms),
        },
        Err(error) => return fail_request(&error),
    };
    MODALS.add(Modal::new(prompt, options, now))
}

fn given(number: f64) -> Option<Millis> {
    (!number.is_nan()).then(|| millis(number))
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_modal_free(modal: usize) {
    MODALS.remove(modal);
}

/// The keys that have names, by their numbers above all characters.
const NAMED: [KeyCode; 14] = [
    KeyCode::Enter,
    KeyCode::Esc,
    KeyCode::Tab,
    KeyCode::Up,
    KeyCode::Down,
    KeyCode::Left,
    KeyCode::Right,
    KeyCode::Home,
    KeyCode::End,
    KeyCode::PageUp,
    KeyCode::PageDown,
    KeyCode::Space,
    KeyCode::Backspace,
    KeyCode::Delete,
];

/// A key: a character's number, or `0x11_0000` and the place of its name; then, from bit 24, Ctrl, Alt, Shift, Meta,
/// repeat, composing.
fn key(packed: u32) -> Option<Key> {
    const BEYOND: u32 = char::MAX as u32 + 1;
    let held = |bit: u32| packed & (1 << bit) != 0;
    let number = packed & 0xFF_FFFF;
    let code = match number.checked_sub(BEYOND) {
        Some(place) => *NAMED.get(usize::try_from(place).ok()?)?,
        None => KeyCode::Char(char::from_u32(number)?),
    };
    let mods = Mods { ctrl: held(24), alt: held(25), shift: held(26), meta: held(27) };
    Some(Key { code, mods, repeat: held(28), composing: held(29) })
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_modal_key(modal: usize, now: f64, packed: u32) -> i32 {
    MODALS.with(modal, |modal| match key(packed) {
        Some(key) => effect(modal.input(millis(now), Input::Key(key))),
        None => 0,
    })
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_modal_paste(modal: usize, now: f64, text: usize) -> i32 {
    MODALS.with(modal, |modal| {
        effect(with_input(|input| modal.input(millis(now), Input::Paste(input.text(text)))))
    })
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_modal_set_text(modal: usize, now: f64, text: usize) -> i32 {
    MODALS.with(modal, |modal| {
        effect(with_input(|input| modal.input(millis(now), Input::SetText(input.text(text)))))
    })
}

/// Activates a control, or only focuses it.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_modal_control(modal: usize, now: f64, control: usize, activate: u32) -> i32 {
    MODALS.with(modal, |modal| {
        let control = with_input(|input| input.text(control).parse::<ControlId>());
        let input = match control {
            Ok(id) if activate != 0 => Input::Activate(id),
            Ok(id) => Input::Focus(id),
            Err(error) => return fail(Code::InvalidValue, "/control", &error.message()),
        };
        effect(modal.input(millis(now), input))
    })
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_modal_resize(modal: usize, now: f64, rows: f64) -> i32 {
    MODALS.with(modal, |modal| effect(modal.input(millis(now), Input::Resize(count(rows)))))
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_modal_tick(modal: usize, now: f64) -> i32 {
    MODALS.with(modal, |modal| effect(modal.tick(millis(now))))
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_modal_acknowledged(modal: usize, now: f64) -> i32 {
    MODALS.with(modal, |modal| effect(modal.acknowledged(millis(now))))
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_modal_reject(
    modal: usize,
    now: f64,
    code: usize,
    path: usize,
    message: usize,
) -> i32 {
    MODALS.with(modal, |modal| {
        with_input(|input| {
            let (code, path, message) = (input.text(code), input.text(path), input.text(message));
            effect(modal.reject(millis(now), code, path, message))
        })
    })
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_modal_close(modal: usize, now: f64, outcome: usize) -> i32 {
    MODALS.with(modal, |modal| match with_input(|input| OutcomeKind::from_name(input.text(outcome))) {
        Some(outcome) => effect(modal.close(millis(now), outcome)),
        None => fail(Code::InvalidValue, "/outcome", "Give the name of an outcome, such as answered."),
    })
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_modal_next_deadline(modal: usize) -> i32 {
    MODALS.with(modal, |modal| give_time(modal.next_deadline()))
}

/// Gives the view as JSON.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_modal_view(modal: usize) -> i32 {
    MODALS.with(modal, |modal| {
        give_json(&modal.view());
        0
    })
}

/// An effect by its number; a submission's value or answers are the text given.
// Inlined: an effect that is handed on is copied, with room for a submission, for what is a number mostly.
#[inline(always)]
fn effect(effect: Effect) -> i32 {
    match effect {
        Effect::None => 0,
        Effect::Redraw => 1,
        Effect::Decline => 2,
        Effect::Cancel => 3,
        Effect::Acknowledge => 4,
        Effect::Back => 5,
        Effect::Submit(submission) => submitted(submission),
    }
}

// Apart from the effects of most keys, which are numbers and nothing else.
#[inline(never)]
fn submitted(submission: Submission) -> i32 {
    match submission {
        Submission::Value(value) => {
            give_text(value);
            6
        }
        answers @ Submission::Answers(_) => {
            give_json(&answers);
            7
        }
    }
}
