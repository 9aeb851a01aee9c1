//! An answer on its way out.

use crate::answer::{AnswerDraft, Draft};
use crate::json::{ToJson, list, object};
use alloc::boxed::Box;
use alloc::string::String;

/// What the person answered, to be sent and checked. As JSON it has the dialect's own shape: a string (A), or
/// `[{id, selected, custom?}]` (B).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Submission {
    /// Dialect A's one value.
    Value(Box<str>),
    /// Dialect B's answers, in question order.
    Answers(Box<[AnswerDraft<'static>]>),
}

impl Submission {
    /// The draft to check, or to resolve a prompt with.
    #[must_use]
    pub fn draft(&self) -> Draft<'_> {
        match self {
            Self::Value(value) => Draft::Value(value),
            Self::Answers(answers) => Draft::Answers(answers),
        }
    }
}

impl ToJson for Submission {
    fn write_json(&self, out: &mut String) {
        match self {
            Self::Value(value) => value.write_json(out),
            Self::Answers(answers) => list(out, answers.iter().map(AnswerEntry)),
        }
    }
}

struct AnswerEntry<'a>(&'a AnswerDraft<'static>);

impl ToJson for AnswerEntry<'_> {
    fn write_json(&self, out: &mut String) {
        let AnswerDraft { id, selected, custom } = self.0;
        object!(out, "id": id, "selected": selected, "custom"?: custom);
    }
}
