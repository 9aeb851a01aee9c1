//! The line that stays when a prompt is over: what was asked, and how it ended.

use super::flow::{cut, width};
use super::theme::Theme;
use crate::prompt::Ending;
use askgate::answer::OutcomeKind;
use askgate::form::{Form, Question};
use askgate::modal::Submission;
use askgate::text::{Mode, display_safe};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

/// How a prompt ended, in words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End<'a> {
    /// Answered here.
    Answered(&'a Submission),
    /// Answered by somebody else, with this value if it is known.
    AnsweredElsewhere(Option<&'a str>),
    /// Not answered.
    Unanswered(&'a str),
}

/// How a prompt ended that was not answered here.
pub(crate) fn how(ending: &Ending<'_>) -> String {
    let how = match ending.outcome {
        OutcomeKind::Answered => "answered",
        OutcomeKind::Declined => "declined",
        OutcomeKind::Cancelled => "cancelled",
        OutcomeKind::TimedOut => "timed out",
        OutcomeKind::Unavailable | OutcomeKind::Invalid => "not answered",
    };
    match ending.reason {
        Some(reason) => format!("{how}: {reason}"),
        None if ending.here || ending.outcome == OutcomeKind::TimedOut => how.to_owned(),
        None => format!("{how} elsewhere"),
    }
}

/// The line, in so many columns.
pub(crate) fn summary(form: &Form, end: End<'_>, theme: Theme, columns: usize) -> Line<'static> {
    let titles = form.questions().map(|question| name(form, question));
    let (mark, style, parts): (_, _, Vec<(String, String)>) = match end {
        End::Answered(Submission::Answers(answers)) => {
            let answers = answers.iter().map(|answer| {
                let selected = answer.selected.iter().map(|label| shown(label, theme));
                let custom = answer.custom.iter().map(|text| format!("\"{}\"", shown(text, theme)));
                selected.chain(custom).collect::<Vec<_>>().join(", ")
            });
            (theme.marks.answered, theme.accent, titles.zip(answers).collect())
        }
        End::Answered(Submission::Value(value)) => {
            (theme.marks.answered, theme.accent, one(form, &label(form, value, theme), theme))
        }
        End::AnsweredElsewhere(value) => {
            let answer = match value {
                Some(value) => format!("{} (answered elsewhere)", label(form, value, theme)),
                None => "answered elsewhere".into(),
            };
            (theme.marks.answered, theme.accent, one(form, &answer, theme))
        }
        End::Unanswered(how) => (theme.marks.unanswered, theme.danger, one(form, how, theme)),
    };
    compose(mark, style, &parts, theme, columns.saturating_sub(1))
}

/// Where it does not all fit, each part gets its share of the line, the answer before the question.
fn compose(
    mark: &'static str,
    style: Style,
    parts: &[(String, String)],
    theme: Theme,
    columns: usize,
) -> Line<'static> {
    let whole = join(mark, style, parts, theme, usize::MAX);
    if whole.width() <= columns {
        return whole;
    }
    let overhead = 2 + parts.len().saturating_sub(1) * 3 + parts.len() * 2;
    let room = columns.saturating_sub(overhead) / parts.len().max(1);
    let line = join(mark, style, parts, theme, room);
    if line.width() <= columns {
        return line;
    }
    let text: String = line.spans.iter().map(|span| &*span.content).collect();
    Line::raw(cut(&text, columns).into_owned())
}

fn join(
    mark: &'static str,
    style: Style,
    parts: &[(String, String)],
    theme: Theme,
    room: usize,
) -> Line<'static> {
    let mut line = Line::from(Span::styled(format!("{mark} "), style));
    for (index, (title, answer)) in parts.iter().enumerate() {
        if index > 0 {
            line.push_span(Span::styled(" · ", theme.dim));
        }
        let answer_room = room.saturating_sub(width(title).min(room / 2));
        let answer = cut(answer, answer_room);
        let title = cut(title, room.saturating_sub(width(&answer)));
        let gap = if title.ends_with(['?', ':', '.', '!', '…']) || title.is_empty() { " " } else { ": " };
        line.push_span(Span::raw(format!("{title}{gap}")));
        line.push_span(Span::styled(answer.into_owned(), theme.title));
    }
    line
}

fn one(form: &Form, what: &str, theme: Theme) -> Vec<(String, String)> {
    let title = match form.questions().count() {
        1 => form.question(0).map_or(String::new(), |question| shown(question.text(), theme)),
        count => format!("{count} questions"),
    };
    vec![(title, what.to_owned())]
}

/// What a question is called beside others: by its header, else as it is asked.
fn name(form: &Form, question: Question<'_>) -> String {
    let header = question.header().filter(|_| form.questions().count() > 1);
    display_safe(header.unwrap_or_else(|| question.text()), Mode::Line).text.into_owned()
}

/// A value as the person saw it.
fn label(form: &Form, value: &str, theme: Theme) -> String {
    let question = form.question(0);
    let option = question.and_then(|question| question.options().find(|option| option.value() == value));
    shown(option.map_or(value, |option| option.label()), theme)
}

fn shown(text: &str, theme: Theme) -> String {
    let lines = text.split('\n').map(|line| display_safe(line, Mode::Line).text);
    lines.collect::<Vec<_>>().join(theme.marks.newline)
}

#[cfg(test)]
mod tests {
    use super::*;
    use askgate::answer::AnswerDraft;
    use askgate::dialect::session::parse_questions;
    use askgate::limits::Limits;

    fn text(line: &Line<'_>) -> String {
        line.spans.iter().map(|span| &*span.content).collect()
    }

    #[test]
    fn a_form_has_every_answer_in_one_line() {
        let questions = r#"{"questions":[
            {"id":"a","header":"Where","question":"Where to?","options":[{"label":"Staging"}]},
            {"id":"b","question":"Why?","options":[]}]}"#;
        let (form, _) = parse_questions(questions, &Limits::DEFAULT).unwrap();
        let answers = Submission::Answers(Box::new([
            AnswerDraft { id: "a".into(), selected: vec!["Staging".into()], custom: None },
            AnswerDraft { id: "b".into(), selected: Vec::new(), custom: Some("one\ntwo".into()) },
        ]));
        let line = summary(&form, End::Answered(&answers), Theme::TEST, 80);
        assert_eq!(text(&line), "✓ Where: Staging · Why? \"one⏎two\"");
        let line = summary(&form, End::Unanswered("declined"), Theme::TEST, 80);
        assert_eq!(text(&line), "✗ 2 questions: declined");
    }

    #[test]
    fn it_is_one_line_of_any_width() {
        let question = "x".repeat(300);
        let json = format!(
            r#"{{"questions":[{{"id":"a","question":"{question}","options":[{{"label":"日本語"}}]}}]}}"#
        );
        let (form, _) = parse_questions(&json, &Limits::DEFAULT).unwrap();
        let answers = Submission::Answers(Box::new([AnswerDraft {
            id: "a".into(),
            selected: vec!["日本語".into()],
            custom: None,
        }]));
        for columns in 1..100 {
            let line = summary(&form, End::Answered(&answers), Theme::TEST, columns);
            assert!(line.width() < columns, "{columns}: {line:?}");
        }
        let line = summary(&form, End::Answered(&answers), Theme::TEST, 20);
        assert!(text(&line).ends_with("日本語"), "{line:?}");
    }
}
