//! The `ask` tool: its definition, and what it returns (spec 8.1).

use crate::answer::{Answer, Answers, CancelReason, Outcome, OutcomeKind};
use crate::error::{AskError, RequestError};
use crate::form::{Form, Question};
use crate::json::{Plain, ToJson, list, object};
use crate::words::{Quoted, words};
use alloc::string::String;
use alloc::vec::Vec;

/// The definition of the `ask` tool, as JSON: a host gives it to its model while
/// [`can_ask`](crate::endpoint::Endpoint::can_ask) says so. Its input is the params of `sessions.prompt.request` without
/// the session and the run, which the host adds.
///
/// What a schema cannot say is checked all the same: no text is blank, ids and trimmed labels are unique, `recommended` is
/// an index into the options, `multi` needs options, and the byte limits of [`Limits`](crate::limits::Limits).
pub const ASK_TOOL: &str = include_str!("ask_tool.json");

/// What the `ask` tool returns (spec 8.1). As JSON it is `{isError, content, details}`; unless the person answered,
/// nothing in it comes from an option or a draft.
#[derive(Debug, Clone)]
pub struct ToolResult<'p>(Details<'p>);

#[derive(Debug, Clone)]
enum Details<'p> {
    Answered(&'p Form, &'p Answers),
    Ended(OutcomeKind, Option<&'p CancelReason>),
    Busy,
    AtCapacity,
    Unavailable,
    Refused(&'p RequestError),
}

impl<'p> ToolResult<'p> {
    /// The result of a prompt that has ended.
    #[must_use]
    pub const fn ended(form: &'p Form, outcome: &'p Outcome) -> Self {
        Self(match outcome {
            Outcome::Answered(answers) => Details::Answered(form, answers),
            Outcome::Cancelled(reason) => Details::Ended(OutcomeKind::Cancelled, reason.as_ref()),
            Outcome::Declined | Outcome::TimedOut | Outcome::Unavailable | Outcome::Invalid => {
                Details::Ended(outcome.kind(), None)
            }
        })
    }

    /// The result of an ask that the gate did not take.
    #[must_use]
    pub const fn not_asked(error: AskError) -> Self {
        Self(match error {
            AskError::Busy => Details::Busy,
            AskError::AtCapacity => Details::AtCapacity,
            AskError::Unavailable => Details::Unavailable,
        })
    }

    /// The result of a request that is at fault.
    #[must_use]
    pub const fn refused(error: &'p RequestError) -> Self {
        Self(Details::Refused(error))
    }

    /// The person did not answer.
    #[must_use]
    pub const fn is_error(&self) -> bool {
        !matches!(self.0, Details::Answered(..))
    }

    /// `details.status`.
    #[must_use]
    pub const fn status(&self) -> &'static str {
        match self.0 {
            Details::Answered(..) => OutcomeKind::Answered.as_str(),
            Details::Ended(kind, _) => kind.as_str(),
            Details::Busy | Details::AtCapacity => "busy",
            Details::Unavailable => OutcomeKind::Unavailable.as_str(),
            Details::Refused(_) => "invalid_request",
        }
    }

    /// The result in words, for a model to read.
    #[must_use]
    pub fn text(&self) -> String {
        let no_answer = |why: &str| words![why, " There is no answer; do not assume one."];
        match &self.0 {
            Details::Answered(form, answers) => answered_text(form, answers),
            Details::Ended(OutcomeKind::Declined, _) => no_answer("The user declined to answer."),
            Details::Ended(OutcomeKind::Cancelled, None) => no_answer("The question was cancelled."),
            Details::Ended(OutcomeKind::Cancelled, Some(reason)) => {
                no_answer(&words!["The question was cancelled: ", reason.as_str(), "."])
            }
            Details::Ended(OutcomeKind::TimedOut, _) => no_answer("The user did not answer in time."),
            Details::Ended(OutcomeKind::Unavailable, _) => {
                no_answer("The surface that showed the question was lost.")
            }
            Details::Ended(OutcomeKind::Invalid, _) => no_answer("The user's client sent what is no answer."),
            Details::Ended(OutcomeKind::Answered, _) => String::new(),
            Details::Busy => no_answer("Another question of this session is waiting for the user."),
            Details::AtCapacity => no_answer("Too many questions are waiting."),
            Details::Unavailable => {
                no_answer("The user cannot be asked: no surface is bound to this session.")
            }
            Details::Refused(error) => words!["The request is not valid: ", error.sentence()],
        }
    }
}

fn answered_text(form: &Form, answers: &Answers) -> String {
    let mut text = String::from("The user answered.");
    for (question, answer) in form.questions().zip(answers.as_slice()) {
        let (labels, custom) = parts(question, answer);
        text += &words!["\n- ", question.id(), ":"];
        for (index, label) in labels.iter().enumerate() {
            text += &words![if index == 0 { " " } else { ", " }, Quoted(label)];
        }
        if let Some(custom) = custom {
            let also = if labels.is_empty() { "" } else { ", and" };
            text += &words![also, " in the user's own words: ", custom];
        }
    }
    text
}

/// The labels of an answer in option order, and its custom text.
fn parts<'p>(question: Question<'p>, answer: &'p Answer) -> (Vec<&'p str>, Option<&'p str>) {
    match answer {
        Answer::Select { selected, custom } => {
            let labels = selected.indexes().iter().filter_map(|index| question.option(*index));
            (labels.map(|option| option.value()).collect(), custom.as_deref())
        }
        Answer::Text(text) => (Vec::new(), Some(text)),
        Answer::YesNo(_) | Answer::Run => (alloc::vec![super::agent::value_of(question, answer)], None),
    }
}

/// Checked answers as dialect B sends them: `[{id, selected, custom?}]` in question order.
#[derive(Debug, Clone, Copy)]
pub struct Results<'p> {
    /// What was asked.
    pub form: &'p Form,
    /// What was answered.
    pub answers: &'p Answers,
}

impl ToJson for Results<'_> {
    fn write_json(&self, out: &mut String) {
        let entries = self.form.questions().zip(self.answers.as_slice());
        list(out, entries.map(|(question, answer)| AnswerEntry(question, answer)));
    }
}

/// One answer as dialect B sends it.
struct AnswerEntry<'p>(Question<'p>, &'p Answer);

impl ToJson for AnswerEntry<'_> {
    fn write_json(&self, out: &mut String) {
        let (selected, custom) = parts(self.0, self.1);
        object!(out, "id": self.0.id(), "selected": selected, "custom"?: custom);
    }
}

impl ToJson for ToolResult<'_> {
    fn write_json(&self, out: &mut String) {
        object!(out, "isError": self.is_error(), "content": [Content(self)].as_slice(), "details": DetailsEntry(self));
    }
}

struct Content<'r>(&'r ToolResult<'r>);

impl ToJson for Content<'_> {
    fn write_json(&self, out: &mut String) {
        object!(out, "type" = "text", "text": self.0.text());
    }
}

struct DetailsEntry<'r>(&'r ToolResult<'r>);

impl ToJson for DetailsEntry<'_> {
    fn write_json(&self, out: &mut String) {
        let status = self.0.status();
        match &self.0.0 {
            Details::Answered(form, answers) => {
                object!(out, "status": Plain(status), "results": Results { form, answers });
            }
            Details::Ended(_, reason) => {
                object!(out, "status": Plain(status), "reason"?: reason.map(CancelReason::as_str));
            }
            Details::Refused(error) => {
                object!(out, "status": Plain(status), "code": Plain(error.code().as_str()), "path": error.path());
            }
            Details::Busy | Details::AtCapacity | Details::Unavailable => {
                object!(out, "status": Plain(status))
            }
        }
    }
}
