//! An answer on its way out.

use crate::answer::{AnswerDraft, Draft};
use alloc::boxed::Box;
use serde::ser::{Serialize, SerializeSeq, SerializeStruct, Serializer};

/// What the person answered, to be sent and checked. It serialises to the dialect's own shape: a string (A), or
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

impl Serialize for Submission {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Value(value) => serializer.serialize_str(value),
            Self::Answers(answers) => {
                let mut list = serializer.serialize_seq(Some(answers.len()))?;
                for answer in answers {
                    list.serialize_element(&OnTheWire(answer))?;
                }
                list.end()
            }
        }
    }
}

struct OnTheWire<'a>(&'a AnswerDraft<'static>);

impl Serialize for OnTheWire<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let AnswerDraft { id, selected, custom } = self.0;
        let mut object = serializer.serialize_struct("answer", 3)?;
        object.serialize_field("id", id)?;
        object.serialize_field("selected", selected)?;
        match custom {
            Some(custom) => object.serialize_field("custom", custom)?,
            None => object.skip_field("custom")?,
        }
        object.end()
    }
}
