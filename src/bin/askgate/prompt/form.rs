//! A form in line mode: one question after another, each answered by a line.
//!
//! - A single choice is its number, as `1` or `1.`, or its label; `o` and then text is an answer of one's own.
//! - Of several, the numbers or labels with commas between, and an own answer last: `1, 3, o but not on Fridays`.
//! - A free text is the line itself.
//! - `back` goes to the question before, `decline` declines all. A label that is such a word wins over it; in a free text
//!   each of them loses one backslash before it.
//! - A blank line is never an answer, and a recommendation is never taken by itself.

use super::Step;
use super::render::{INDENT, line, push, wrap};
use askgate::answer::AnswerDraft;
use askgate::form::{Form, Question, QuestionKind};
use askgate::modal::Submission;
use askgate::text::{Mode, display_safe, is_blank};
use std::borrow::Cow;
use std::fmt::Write;

/// The answers so far.
pub(super) struct FormLines {
    form: Form,
    answers: Vec<AnswerDraft<'static>>,
}

/// What a line came to.
pub(super) enum Typed {
    /// Another question is to be shown.
    Next,
    /// All are answered, or it was declined.
    Step(Step),
    /// Nothing; this is what to say.
    Hint(String),
}

impl FormLines {
    pub(super) const fn new(form: Form) -> Self {
        Self { form, answers: Vec::new() }
    }

    /// Goes back to a question, whose answer was refused.
    pub(super) fn reopen(&mut self, path: &str) {
        let index = path.strip_prefix("/answers/").and_then(|rest| rest.split('/').next()?.parse().ok());
        self.answers.truncate(index.unwrap_or(0));
    }

    fn question(&self) -> Option<Question<'_>> {
        self.form.question(self.answers.len())
    }

    /// The question to be answered now, with all that a person needs for it.
    pub(super) fn show(&self, columns: usize) -> String {
        let mut out = String::from("\n");
        let Some(question) = self.question() else { return out };
        let count = self.form.questions().count();
        let mut above: Vec<String> =
            question.header().map(|header| line(header).into_owned()).into_iter().collect();
        if count > 1 {
            above.push(format!("question {} of {count}", self.answers.len() + 1));
        }
        for (number, part) in display_safe(question.text(), Mode::Body).text.lines().enumerate() {
            let mark = if number == 0 { "?" } else { " " };
            push(&mut out, &format!("{mark} {}", wrap(part, columns).trim_start()));
        }
        if !above.is_empty() {
            push(&mut out, &wrap(&above.join(", "), columns));
        }
        if question.options().len() > 0 {
            out.push('\n');
        }
        let recommended = question.recommended().map(|recommended| recommended.index());
        let digits = question.options().len().to_string().len();
        for (index, option) in question.options().enumerate() {
            let mut text = line(option.label()).into_owned();
            if let Some(description) = option.description() {
                let _ = write!(text, ": {}", line(description));
            }
            if recommended == Some(index) {
                text.push_str("  [recommended]");
            }
            let number = format!("{INDENT}{:>digits$}. ", index + 1);
            let indent = " ".repeat(number.len());
            let options = textwrap::Options::new(columns).initial_indent(&number).subsequent_indent(&indent);
            push(&mut out, &textwrap::fill(&text, options));
        }
        out.push('\n');
        push(&mut out, &wrap(&self.accepted(question), columns));
        out.push_str(super::render::MARKER);
        out
    }

    fn accepted(&self, question: Question<'_>) -> String {
        let back = if self.answers.is_empty() { "" } else { "back, " };
        match question.kind() {
            QuestionKind::Select { multi: true, .. } => format!(
                "Type numbers with commas between, o and your own answer (1, 2, o like this), {back}or decline."
            ),
            QuestionKind::Select { .. } => {
                format!("Type a number or a name, o and your own answer (o like this), {back}or decline.")
            }
            _ => format!("Type your answer on one line, {back}or decline."),
        }
    }

    /// Takes a line as the answer to the question that is shown.
    pub(super) fn take(&mut self, typed: &str) -> Typed {
        let Some(question) = self.question() else { return Typed::Hint(String::new()) };
        let word = typed.trim();
        let answer = match question.kind() {
            QuestionKind::Select { multi, .. } => choices(question, multi, word),
            _ => text(typed),
        };
        let named = question.options().any(|option| option.label().trim() == word);
        match answer {
            _ if word.eq_ignore_ascii_case("decline") && !named => return Typed::Step(Step::Decline),
            _ if word.eq_ignore_ascii_case("back") && !named && !self.answers.is_empty() => {
                self.answers.pop();
                return Typed::Next;
            }
            Some((selected, custom)) => {
                let id = Cow::Owned(question.id().to_owned());
                let selected = selected.into_iter().map(|label| Cow::Owned(label.to_owned())).collect();
                let answer = AnswerDraft { id, selected, custom: custom.map(Cow::Owned) };
                self.answers.push(answer);
            }
            None => return Typed::Hint(self.accepted(question)),
        }
        if self.question().is_some() {
            return Typed::Next;
        }
        Typed::Step(Step::Answer(Submission::Answers(self.answers.clone().into())))
    }
}

/// The labels that were chosen, in the order of the options, and an own answer.
fn choices<'q>(question: Question<'q>, multi: bool, line: &str) -> Option<(Vec<&'q str>, Option<String>)> {
    // A label may have commas, or look like an own answer.
    if let Some(index) = named(question, line) {
        return Some((vec![question.option(index)?.label()], None));
    }
    let mut chosen = Vec::new();
    let mut rest = line;
    let custom = loop {
        if let Some(own) = own_answer(rest) {
            break Some(own.to_owned());
        }
        let (part, more) = match rest.split_once(',') {
            Some((part, more)) if multi => (part.trim(), Some(more.trim())),
            _ => (rest, None),
        };
        let index = named(question, part).or_else(|| numbered(question, part))?;
        if !chosen.contains(&index) {
            chosen.push(index);
        }
        match more {
            Some(more) => rest = more,
            None => break None,
        }
    };
    if !multi && chosen.len() + usize::from(custom.is_some()) != 1 {
        return None;
    }
    chosen.sort_unstable();
    let labels: Option<Vec<&str>> =
        chosen.into_iter().map(|index| question.option(index).map(|option| option.label())).collect();
    Some((labels?, custom))
}

fn own_answer(line: &str) -> Option<&str> {
    let own = line.strip_prefix(['o', 'O'])?.strip_prefix(' ')?;
    (!is_blank(own)).then_some(own.trim())
}

fn named(question: Question<'_>, name: &str) -> Option<usize> {
    question.options().position(|option| option.label().trim() == name)
}

fn numbered(question: Question<'_>, name: &str) -> Option<usize> {
    let digits = name.strip_suffix('.').unwrap_or(name);
    if digits.starts_with('0') || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let index = digits.parse::<usize>().ok()?.checked_sub(1)?;
    (index < question.options().len()).then_some(index)
}

fn text<'q>(line: &str) -> Option<(Vec<&'q str>, Option<String>)> {
    if is_blank(line) || line.chars().any(|c| c.is_control() && c != '\t') {
        return None;
    }
    let plain = line.trim_start_matches('\\');
    let escaped = plain.len() < line.len()
        && ["decline", "back"].iter().any(|word| plain.trim().eq_ignore_ascii_case(word));
    Some((Vec::new(), Some(if escaped { line.get(1..)?.to_owned() } else { line.to_owned() })))
}

#[cfg(test)]
mod tests {
    use super::*;
    use askgate::dialect::session::parse_questions;
    use askgate::limits::Limits;

    fn lines(questions: &str) -> FormLines {
        let json = format!(r#"{{"questions":[{questions}]}}"#);
        FormLines::new(parse_questions(&json, &Limits::DEFAULT).unwrap().0)
    }

    const SINGLE: &str =
        r#"{"id":"a","question":"A?","options":[{"label":"Red"},{"label":"Red, dark"}],"recommended":0}"#;
    const MULTI: &str =
        r#"{"id":"a","question":"A?","multi":true,"options":[{"label":"x"},{"label":"y"},{"label":"z"}]}"#;
    const TEXT: &str = r#"{"id":"b","question":"B?","options":[]}"#;

    fn answer(questions: &str, line: &str) -> Option<String> {
        match lines(questions).take(line) {
            Typed::Step(Step::Answer(answer)) => Some(askgate::json::to_json(&answer)),
            Typed::Step(step) => Some(format!("{step:?}")),
            Typed::Next => Some("next".into()),
            Typed::Hint(_) => None,
        }
    }

    fn given(selected: &str, custom: &str) -> Option<String> {
        let custom = if custom.is_empty() { String::new() } else { format!(r#","custom":"{custom}""#) };
        Some(format!(r#"[{{"id":"a","selected":[{selected}]{custom}}}]"#))
    }

    #[test]
    fn a_single_choice_is_one_thing() {
        for (line, answered) in [
            ("1", given(r#""Red""#, "")),
            ("2.", given(r#""Red, dark""#, "")),
            ("Red, dark", given(r#""Red, dark""#, "")),
            ("o blue, light", given("", "blue, light")),
            ("", None),
            ("3", None),
            ("1,2", None),
            ("o", None),
            ("o  ", None),
            ("red", None),
        ] {
            assert_eq!(answer(SINGLE, line), answered, "{line:?}");
        }
    }

    #[test]
    fn several_are_numbers_and_an_own_answer() {
        assert_eq!(answer(MULTI, "3,1"), given(r#""x","z""#, ""));
        assert_eq!(answer(MULTI, "1, z, o and more, yes"), given(r#""x","z""#, "and more, yes"));
        assert_eq!(answer(MULTI, "o only"), given("", "only"));
        for other in ["1,", ",", "1 2", "1,9"] {
            assert_eq!(answer(MULTI, other), None, "{other:?}");
        }
    }

    #[test]
    fn words_lead_out_and_back() {
        assert_eq!(answer(SINGLE, "Decline"), Some("Decline".into()));
        let mut form = lines(&format!("{SINGLE},{TEXT}"));
        assert!(matches!(form.take("back"), Typed::Hint(_)));
        assert!(matches!(form.take("1"), Typed::Next));
        assert!(matches!(form.take("back"), Typed::Next));
        assert!(matches!(form.take("2"), Typed::Next));
        let Typed::Step(Step::Answer(Submission::Answers(answers))) = form.take(r"\back") else { panic!() };
        assert_eq!((&*answers[0].selected[0], answers[1].custom.as_deref()), ("Red, dark", Some("back")));
    }
}
