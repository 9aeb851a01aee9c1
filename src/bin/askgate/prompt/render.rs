//! How a prompt looks in line mode: without colour, and every text made safe to show.

use super::Ending;
use super::typed::accepted;
use crate::wire::Pending;
use askgate::answer::OutcomeKind;
use askgate::form::{DefaultHint, Question, QuestionKind};
use askgate::text::{Mode, Unit, cut, display_safe, is_blank};
use std::borrow::Cow;
use std::fmt::Write;

/// Whether to use colour.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Style {
    colour: bool,
}

impl Style {
    const PLAIN: Self = Self { colour: false };

    /// Colour unless `plain`, or `NO_COLOR` is not empty, or the terminal is dumb.
    pub(crate) fn from_environment(plain: bool) -> Self {
        Self { colour: !(plain || is_plain_environment() || is_set("NO_COLOR")) }
    }

    fn paint(self, codes: &str, text: &str) -> String {
        if self.colour { format!("\u{1b}[{codes}m{text}\u{1b}[0m") } else { text.into() }
    }

    pub(crate) fn bold(self, text: &str) -> String {
        self.paint("1", text)
    }

    pub(crate) fn dim(self, text: &str) -> String {
        self.paint("2", text)
    }

    pub(crate) fn danger(self, text: &str) -> String {
        self.paint("1;31", text)
    }
}

/// The environment wants lines: the terminal is dumb, or its lines are read aloud.
pub(super) fn is_plain_environment() -> bool {
    let dumb = std::env::var_os("TERM").is_none_or(|term| term.is_empty() || term == "dumb");
    dumb || is_set("ACCESSIBLE")
}

fn is_set(name: &str) -> bool {
    std::env::var_os(name).is_some_and(|value| !value.is_empty())
}

pub(super) const INDENT: &str = "  ";

/// The prompt with all that a person needs to answer it, up to the sentence that says what is accepted.
pub(super) fn prompt(prompt: &Pending, behind: usize, columns: usize) -> String {
    let mut out = String::from("\n");
    let Some(question) = prompt.ask.form.question(0) else { return out };
    let danger = prompt.ask.form.is_unsafe();
    let is_command = question.kind() == QuestionKind::ConfirmCommand;
    let command_in_title = is_command && question.body().is_none_or(is_blank);
    let title = if command_in_title { "Run this command?".into() } else { line(question.text()) };
    let mark = if danger { "!" } else { "?" };
    for (n, part) in wrap(&title, columns).lines().enumerate() {
        let mark = if n == 0 { mark } else { " " };
        let part = format!("{mark} {}", part.trim_start());
        push(&mut out, &part);
    }
    push(&mut out, &wrap(&origin(prompt, behind), columns));
    if danger {
        push(&mut out, &wrap("UNSAFE: this may do damage. Read it before you say yes.", columns));
    }
    if let Some(command) = question.command() {
        out.push_str(&command_lines(Style::PLAIN, command));
    } else if let Some(body) = question.body().filter(|body| !is_blank(body)) {
        out.push('\n');
        for part in display_safe(body, Mode::Body).text.trim_end().lines() {
            push(&mut out, &wrap(part, columns));
        }
    }
    out.push_str(&choices(question, columns));
    if let Some(DefaultHint::Text(text)) = question.default() {
        out.push('\n');
        push(&mut out, &wrap(&format!("Default: {}", line(text)), columns));
    }
    out.push('\n');
    push(&mut out, &wrap(&accepted(question, false), columns));
    out.push_str(MARKER);
    out
}

/// What stands before the place to type.
pub(super) const MARKER: &str = "> ";

/// A command as it would run, and a warning where it hides something.
pub(crate) fn command_lines(style: Style, command: &str) -> String {
    let safe = display_safe(command, Mode::Command);
    let mut out = String::from("\n");
    for (n, part) in safe.text.lines().enumerate() {
        let mark = if n == 0 { '$' } else { '|' };
        let _ = writeln!(out, "{INDENT}{} {}", style.dim(&mark.to_string()), style.bold(part));
    }
    if safe.has_hidden {
        let warning = "! It has hidden characters, shown here as \\u{…}; it may not do what it seems to.";
        let _ = writeln!(out, "\n{}", style.danger(warning));
    }
    out
}

/// What becomes visible once the first step of a command was taken or undone.
pub(super) fn step(question: Question<'_>, armed: bool, columns: usize) -> String {
    let state = if armed { "Understood; it has not run." } else { "Back at the first step." };
    format!("{}\n{MARKER}", wrap(&format!("{state} {}", accepted(question, armed)), columns))
}

/// A sentence below what was typed, and the place to type again.
pub(super) fn again(sentence: &str, columns: usize) -> String {
    format!("{}\n{MARKER}", wrap(sentence, columns))
}

/// How it ended, on a line of its own.
pub(super) fn ending(question: Question<'_>, ending: &Ending<'_>, columns: usize) -> String {
    let value = ending.value.unwrap_or_default();
    let label = question.find(value).and_then(|index| question.option(index));
    ended(ending, line(label.map_or(value, |option| option.label())), columns)
}

/// How a form ended, on a line of its own.
pub(super) fn form_ending(ending: &Ending<'_>, columns: usize) -> String {
    ended(ending, "all of it".into(), columns)
}

fn ended(ending: &Ending<'_>, answer: Cow<'_, str>, columns: usize) -> String {
    let elsewhere = if ending.here { "" } else { " elsewhere" };
    let sentence = match ending.outcome {
        OutcomeKind::Answered => format!("Answered{elsewhere}: {}", cut(&answer, 60, Unit::Graphemes)),
        OutcomeKind::TimedOut => "Timed out.".into(),
        OutcomeKind::Declined => "Declined.".into(),
        OutcomeKind::Cancelled | OutcomeKind::Unavailable | OutcomeKind::Invalid => match ending.reason {
            Some(reason) => format!("Cancelled: {}", cut(&line(reason), 200, Unit::Graphemes)),
            None => format!("Cancelled{elsewhere}."),
        },
    };
    format!("{}\n", wrap(&sentence, columns))
}

fn origin(prompt: &Pending, behind: usize) -> String {
    let mut out = String::new();
    if let Some(agent) = &prompt.ask.agent {
        let _ = write!(out, "from {} ", line(agent));
    }
    let _ = write!(out, "on {}, {}", line(&prompt.ask.surface), prompt.id);
    if let Some(ms) = prompt.ask.timeout_ms {
        let _ = write!(out, ", times out after {}", duration(ms));
    }
    match behind {
        0 => {}
        1 => out.push_str(", 1 more waits"),
        more => {
            let _ = write!(out, ", {more} more wait");
        }
    }
    out
}

/// A span of time in the largest unit that it fills.
pub(crate) fn duration(ms: u64) -> String {
    match ms {
        0..1_000 => format!("{ms} ms"),
        1_000..120_000 => format!("{} s", ms / 1_000),
        120_000..7_200_000 => format!("{} min", ms / 60_000),
        _ => format!("{} h", ms / 3_600_000),
    }
}

fn choices(question: Question<'_>, columns: usize) -> String {
    let mut out = String::new();
    let default = question.default();
    match question.kind() {
        QuestionKind::Select { .. } => {}
        QuestionKind::YesNo => {
            let default = match default {
                Some(DefaultHint::Yes) => "yes",
                Some(DefaultHint::No) => "no",
                Some(DefaultHint::Choice(_) | DefaultHint::Text(_)) | None => return out,
            };
            let _ = writeln!(out, "\n{INDENT}Default: {default}");
            return out;
        }
        _ => return out,
    }
    out.push('\n');
    let digits = question.options().len().to_string().len();
    for (index, option) in question.options().enumerate() {
        let mut text = line(option.label()).into_owned();
        if option.label() != option.value() {
            let _ = write!(text, " ({})", line(option.value()));
        }
        if default == Some(DefaultHint::Choice(index)) {
            text.push_str("  [default]");
        }
        let number = format!("{INDENT}{:>digits$}. ", index + 1);
        let indent = " ".repeat(number.len());
        let options = textwrap::Options::new(columns).initial_indent(&number).subsequent_indent(&indent);
        let text = textwrap::fill(&text, options);
        push(&mut out, &text);
    }
    out
}

pub(super) fn line(text: &str) -> Cow<'_, str> {
    display_safe(text, Mode::Line).text
}

pub(super) fn push(out: &mut String, line: &str) {
    out.push_str(line);
    out.push('\n');
}

pub(super) fn wrap(text: &str, columns: usize) -> String {
    textwrap::fill(text, textwrap::Options::new(columns).initial_indent(INDENT).subsequent_indent(INDENT))
}
