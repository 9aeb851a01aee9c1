//! What the messages of a prompt show, before a platform's encoder writes them: styled text, and rows of buttons or menus.
//! Everything from an asker is display-safe, bounded, and whole where it decides something (spec 11, 12).

use super::Platform;
use super::token::Action;
use crate::answer::{Answer, Answers, CancelReason, Outcome};
use crate::form::{Form, Question, QuestionKind};
use crate::text::{Mode, Unit, cut, display_safe, graphemes, is_blank};
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// One message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Render {
    pub(crate) text: Vec<Span>,
    pub(crate) rows: Vec<Row>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) style: Style,
    pub(crate) text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    Plain,
    Bold,
    Struck,
    Code,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Row {
    Buttons(Vec<Button>),
    Menu(Menu),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Button {
    pub(crate) label: String,
    pub(crate) token: String,
    pub(crate) danger: bool,
}

/// A menu of options, told apart by their index in the question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Menu {
    pub(crate) token: String,
    pub(crate) multi: bool,
    pub(crate) options: Vec<MenuOption>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MenuOption {
    pub(crate) label: String,
    pub(crate) index: usize,
    pub(crate) selected: bool,
}

/// The messages that one question takes: text that needed more room, then the one with the buttons.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Page {
    pub(crate) before: Vec<Render>,
    pub(crate) main: Render,
}

/// What of a conversation a page is made of.
#[derive(Debug, Clone, Copy)]
pub(crate) struct View<'a> {
    pub(crate) platform: Platform,
    pub(crate) form: &'a Form,
    pub(crate) question: usize,
    pub(crate) selected: &'a BTreeSet<usize>,
    /// Somebody has acknowledged the command.
    pub(crate) armed: bool,
    /// Who asks, of dialect A.
    pub(crate) attribution: Option<&'a str>,
}

/// The most messages that one question may take; what needs more is cut, or, if it is a command, not shown at all.
const MOST_MESSAGES: usize = 8;

/// Where each text is cut if a question needs too many messages, in UTF-16 code units: 20 options then fit.
const BOUND: usize = 200;
const BODY_BOUND: usize = 2_000;

/// What an ended question may show, in UTF-16 code units: with all escapes it fits the smaller platform.
const ENDED_BOUND: usize = 400;
const ATTRIBUTION_BOUND: usize = 100;

const DONE: &str = "Done selecting";
const DECLINE: &str = "Decline";
const CANCEL: &str = "Cancel";
const OTHER: &str = "Other…";

/// Buttons with numbers in a row: as many as Discord allows; Telegram allows more.
const IN_A_ROW: usize = 5;

/// The messages of the current question, or `None` if the platform cannot show it.
pub(crate) fn page(view: &View<'_>, mint: impl Fn(Action, usize) -> String) -> Option<Page> {
    let question = view.form.question(view.question)?;
    let labels = Labels::of(view, question);
    let mut rows = option_rows(view, question, &labels, &mint)?;
    rows.extend(control_rows(view, question, &mint));
    let whole = |bounded| {
        let text = text(view, question, &labels, bounded);
        split(view.platform, &text)
    };
    let mut parts = whole(false);
    if parts.len() > MOST_MESSAGES {
        if question.command().is_some() {
            return None;
        }
        parts = whole(true);
    }
    let main = Render { text: parts.pop()?, rows };
    let before = parts.into_iter().map(|text| Render { text, rows: Vec::new() }).collect();
    Some(Page { before, main })
}

/// A question that has ended: its title struck through, and one line that says how.
pub(crate) fn ended(view: &View<'_>, line: &str) -> Render {
    let mut out = Vec::new();
    if let Some(attribution) = view.attribution {
        push(&mut out, Style::Plain, &format!("{}\n", bounded(attribution, Mode::Line, ATTRIBUTION_BOUND)));
    }
    let title = view.form.question(view.question).map_or("", |question| question.text());
    push(&mut out, Style::Struck, bounded(title, Mode::Line, ENDED_BOUND).trim());
    push(&mut out, Style::Plain, &format!("\n{line}"));
    Render { text: out, rows: Vec::new() }
}

/// How a prompt ended, in one line. The answer is named only where it was given in this chat.
pub(crate) fn outcome_line(form: &Form, question: usize, outcome: &Outcome, here: bool) -> String {
    match outcome {
        Outcome::Answered(answers) if here => answered_line(form, question, answers),
        Outcome::Answered(_) => "Answered elsewhere.".into(),
        Outcome::Declined => "Declined; nothing was answered.".into(),
        Outcome::Cancelled(None) => "Cancelled; nothing was answered.".into(),
        Outcome::Cancelled(Some(reason)) => cancelled_line(reason),
        Outcome::TimedOut => "Timed out; nothing was answered.".into(),
        Outcome::Unavailable | Outcome::Invalid => "No longer available; nothing was answered.".into(),
    }
}

fn cancelled_line(reason: &CancelReason) -> String {
    format!("Cancelled ({}); nothing was answered.", bounded(reason.as_str(), Mode::Line, BOUND))
}

fn answered_line(form: &Form, question: usize, answers: &Answers) -> String {
    let answer = form.question(question).zip(answers.as_slice().get(question));
    answer.map_or_else(String::new, |(question, answer)| match answer {
        Answer::YesNo(true) => "Answered: Yes".into(),
        Answer::YesNo(false) => "Answered: No".into(),
        Answer::Run => "Answered: Run".into(),
        Answer::Text(text) => chosen_line(question, [], Some(text)),
        Answer::Select { selected, custom } => {
            chosen_line(question, selected.indexes().iter().copied(), custom.as_deref())
        }
    })
}

/// What was chosen or typed for a question, in one line.
pub(crate) fn chosen_line(
    question: Question<'_>,
    selected: impl IntoIterator<Item = usize>,
    custom: Option<&str>,
) -> String {
    let mut said: Vec<String> = Vec::new();
    for index in selected {
        let label = question.option(index).map_or("", |option| option.label());
        said.push(display_safe(label, Mode::Line).text.trim().into());
    }
    if let Some(custom) = custom {
        said.push(format!("“{}”", display_safe(custom, Mode::Line).text.trim()));
    }
    let line = format!("Answered: {}", said.join(", "));
    cut(&line, ENDED_BOUND, Unit::Utf16).into_owned()
}

/// The options' labels as they are shown, and whether they can stand on buttons.
struct Labels {
    shown: Vec<String>,
    numbered: bool,
    /// The list of options stands in the text.
    listed: bool,
}

impl Labels {
    fn of(view: &View<'_>, question: Question<'_>) -> Self {
        let options = question.options();
        let shown: Vec<String> =
            options.map(|option| one_line(&display_safe(option.label(), Mode::Line).text)).collect();
        let room = view.platform.label_units() - MARK.encode_utf16().count();
        let mut seen = BTreeSet::new();
        let controls = [DONE, DECLINE, CANCEL, OTHER].map(str::to_lowercase);
        let numbered = shown.iter().any(|label| {
            let looks = label.to_lowercase();
            label.is_empty() || size(label) > room || controls.contains(&looks) || !seen.insert(looks)
        });
        let described = question.options().any(|option| option.description().is_some_and(|d| !is_blank(d)));
        let listed = numbered || described || question.recommended().is_some();
        Self { shown, numbered, listed }
    }
}

/// Before the label of an option that may be selected with others.
const MARK: &str = "☐ ";
const MARKED: &str = "☑ ";

fn option_rows(
    view: &View<'_>,
    question: Question<'_>,
    labels: &Labels,
    mint: &impl Fn(Action, usize) -> String,
) -> Option<Vec<Row>> {
    let QuestionKind::Select { multi, .. } = question.kind() else { return Some(Vec::new()) };
    let count = question.options().len();
    if count > view.platform.most_options() {
        return None;
    }
    let danger = view.form.is_unsafe();
    if let Some(size) = view.platform.menu_from(count) {
        let indexes: Vec<usize> = (0..count).collect();
        let menus = indexes.chunks(size).enumerate().map(|(chunk, indexes)| {
            let options = indexes.iter().map(|index| MenuOption {
                label: menu_label(*index, labels),
                index: *index,
                selected: view.selected.contains(index),
            });
            Row::Menu(Menu { token: mint(Action::Menu, chunk), multi, options: options.collect() })
        });
        return Some(menus.collect());
    }
    let buttons = labels.shown.iter().enumerate().map(|(index, label)| {
        let selected = view.selected.contains(&index);
        let name = if labels.numbered { format!("{}", index + 1) } else { label.clone() };
        let (action, label) = match (multi, selected) {
            (false, _) => (Action::Pick, name),
            (true, false) => (Action::On, format!("{MARK}{name}")),
            (true, true) => (Action::Off, format!("{MARKED}{name}")),
        };
        Button { label, token: mint(action, index), danger }
    });
    let mut buttons: Vec<Button> = buttons.collect();
    let width = if labels.numbered { IN_A_ROW } else { view.platform.labels_in_a_row() };
    let mut rows = Vec::new();
    while !buttons.is_empty() {
        let rest = buttons.split_off(width.min(buttons.len()));
        rows.push(Row::Buttons(buttons));
        buttons = rest;
    }
    Some(rows)
}

/// The longest label of an option in a menu of Discord, in UTF-16 code units.
const MENU_LABEL: usize = 100;

fn menu_label(index: usize, labels: &Labels) -> String {
    let label = labels.shown.get(index).map_or("", String::as_str);
    cut(&format!("{}. {label}", index + 1), MENU_LABEL, Unit::Utf16).into_owned()
}

fn control_rows(
    view: &View<'_>,
    question: Question<'_>,
    mint: &impl Fn(Action, usize) -> String,
) -> Vec<Row> {
    let danger = view.form.is_unsafe();
    let button = |label: &str, action: Action, danger: bool| Button {
        label: label.into(),
        token: mint(action, 0),
        danger,
    };
    let session = view.attribution.is_none();
    let mut last = Vec::new();
    let mut rows = Vec::new();
    let text_field = view.platform.has_text_field();
    match question.kind() {
        QuestionKind::YesNo => rows.push(Row::Buttons(alloc::vec![
            button("Yes", Action::Yes, danger),
            button("No", Action::No, false),
        ])),
        QuestionKind::ConfirmCommand if view.armed => {
            last.push(button("Run", Action::Run, danger));
            last.push(button("Back", Action::Back, false));
        }
        QuestionKind::ConfirmCommand => last.push(button("I understand", Action::Acknowledge, danger)),
        QuestionKind::Text => {
            if text_field {
                last.push(button("Write…", Action::Other, false));
            }
        }
        QuestionKind::Select { multi, custom } => {
            if multi && text_field {
                last.push(button(DONE, Action::Done, false));
            } else if multi {
                rows.push(Row::Buttons(alloc::vec![button(DONE, Action::Done, false)]));
            }
            if custom && text_field {
                last.push(button(OTHER, Action::Other, false));
            }
        }
    }
    if session {
        last.push(button(DECLINE, Action::Decline, false));
    }
    last.push(button(CANCEL, Action::Cancel, false));
    rows.push(Row::Buttons(last));
    rows
}

fn text(view: &View<'_>, question: Question<'_>, labels: &Labels, is_bounded: bool) -> Vec<Span> {
    let bound = |most| if is_bounded { most } else { usize::MAX };
    let mut out = Vec::new();
    if let Some(attribution) = view.attribution {
        push(&mut out, Style::Plain, &format!("{}\n", bounded(attribution, Mode::Line, ATTRIBUTION_BOUND)));
    }
    if view.form.is_unsafe() {
        push(&mut out, Style::Bold, "⚠️ This may be dangerous.");
        push(&mut out, Style::Plain, "\n");
    }
    if view.form.len() > 1 {
        push(&mut out, Style::Plain, &format!("Question {} of {}\n", view.question + 1, view.form.len()));
    }
    if let Some(header) = question.header().filter(|header| !is_blank(header)) {
        push(&mut out, Style::Plain, &format!("{}\n", bounded(header, Mode::Line, bound(BOUND))));
    }
    let title_is_the_command = question.command() == Some(question.text());
    if !title_is_the_command {
        push(&mut out, Style::Bold, bounded(question.text(), Mode::Body, bound(BODY_BOUND)).trim());
    }
    if let Some(command) = question.command() {
        let safe = display_safe(command, Mode::Command);
        push(&mut out, Style::Plain, if title_is_the_command { "Run this command?\n" } else { "\n" });
        push(&mut out, Style::Code, &safe.text);
        if safe.has_hidden {
            push(&mut out, Style::Plain, "\n⚠️ The command has hidden characters, shown as \\u{…}.");
        }
    } else if let Some(body) = question.body().filter(|body| !is_blank(body)) {
        let body = bounded(body, Mode::Body, bound(BODY_BOUND));
        push(&mut out, Style::Plain, &format!("\n{}", body.trim_end()));
    }
    if labels.listed {
        push(&mut out, Style::Plain, &list(question, labels, bound(BOUND)));
    }
    push(&mut out, Style::Plain, hint(view, question));
    out
}

/// The full list of options, numbered as the buttons are.
fn list(question: Question<'_>, labels: &Labels, most: usize) -> String {
    let mut out = String::from("\n");
    let recommended = question.recommended().map(|hint| hint.index());
    for (index, (option, label)) in question.options().zip(&labels.shown).enumerate() {
        out.push_str(&format!("\n{}. {}", index + 1, cut(label, most, Unit::Utf16)));
        if let Some(description) = option.description().filter(|description| !is_blank(description)) {
            out.push_str(&format!(" — {}", bounded(description, Mode::Line, most)));
        }
        if recommended == Some(index) {
            out.push_str(" (recommended)");
        }
    }
    out
}

/// How to answer, where it does not go without saying.
fn hint(view: &View<'_>, question: Question<'_>) -> &'static str {
    let session = view.attribution.is_none();
    match question.kind() {
        QuestionKind::Text if session => "\n\nSend your answer as a message.",
        QuestionKind::Text => "\n\nReply to this message with your answer.",
        QuestionKind::Select { multi: true, custom: true } => {
            "\n\nSelect any number, then press Done selecting; or send an answer of your own as a message."
        }
        QuestionKind::Select { multi: true, custom: false } => {
            "\n\nSelect any number, then press Done selecting."
        }
        QuestionKind::Select { multi: false, custom: true } => {
            "\n\nOr send an answer of your own as a message."
        }
        QuestionKind::Select { multi: false, custom: false }
        | QuestionKind::YesNo
        | QuestionKind::ConfirmCommand => "",
    }
}

fn push(out: &mut Vec<Span>, style: Style, text: &str) {
    match out.last_mut() {
        _ if text.is_empty() => {}
        Some(last) if last.style == style => last.text.push_str(text),
        Some(_) | None => out.push(Span { style, text: text.into() }),
    }
}

fn bounded(text: &str, mode: Mode, most: usize) -> String {
    cut(&display_safe(text, mode).text, most, Unit::Utf16).into_owned()
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn size(text: &str) -> usize {
    text.chars().map(char::len_utf16).sum()
}

/// Text in as many messages as it takes, none of them blank: broken after a line where that fits, else between two graphemes,
/// and within a grapheme only if it alone is more than a message.
fn split(platform: Platform, text: &[Span]) -> Vec<Vec<Span>> {
    let mut parts = Parts { platform, done: Vec::new(), part: Vec::new(), used: 0 };
    for span in text {
        for line in span.text.split_inclusive('\n') {
            if parts.needs(span.style, line) <= platform.text_units() {
                parts.add(span.style, line);
                continue;
            }
            for grapheme in graphemes(line) {
                if parts.needs(span.style, grapheme) <= platform.text_units() {
                    parts.add(span.style, grapheme);
                    continue;
                }
                for c in grapheme.chars() {
                    parts.add(span.style, c.encode_utf8(&mut [0; 4]));
                }
            }
        }
    }
    parts.end();
    parts.done
}

struct Parts {
    platform: Platform,
    done: Vec<Vec<Span>>,
    part: Vec<Span>,
    used: usize,
}

impl Parts {
    /// What a text takes in a message of its own.
    fn needs(&self, style: Style, text: &str) -> usize {
        self.platform.style_units(style) + self.platform.text_size(text)
    }

    fn add(&mut self, style: Style, text: &str) {
        let opened = self.part.last().is_some_and(|span| span.style == style);
        let more = if opened { self.platform.text_size(text) } else { self.needs(style, text) };
        if self.used + more > self.platform.text_units() {
            self.end();
            self.used = self.needs(style, text);
        } else {
            self.used += more;
        }
        push(&mut self.part, style, text);
    }

    fn end(&mut self) {
        let part = core::mem::take(&mut self.part);
        self.used = 0;
        if part.iter().any(|span| !is_blank(&span.text)) {
            self.done.push(part);
        }
    }
}
