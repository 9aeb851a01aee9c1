//! Errors by operation. Each has a stable code, a path into what was sent, and one sentence that says what to do (spec 3).

pub use crate::answer::{AnswerError, AnswerPlace};
pub use crate::fault::{Code, Fault, RequestError};

use crate::answer::{CancelReason, OutcomeKind};
use crate::id::IdentityField;

/// Why a gate took no prompt. Nothing was created (spec 5, 7).
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AskError {
    /// The session has a pending prompt; it may have one at a time.
    #[error("The session has a pending prompt; wait until it ends.")]
    Busy,
    /// No surface can show the prompt, or the gate was shut down.
    #[error("Nobody can be asked now: no surface is bound.")]
    Unavailable,
    /// The gate, or the surface, holds as many prompts as its limits allow.
    #[error("Too many prompts are pending; wait until some end.")]
    AtCapacity,
}

impl AskError {
    /// The stable code.
    #[must_use]
    pub const fn code(self) -> Code {
        match self {
            Self::Busy => Code::Busy,
            Self::Unavailable => Code::Unavailable,
            Self::AtCapacity => Code::AtCapacity,
        }
    }
}

/// Why a call on a prompt was refused. Nothing changed (spec 5, 6).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ResolveError {
    /// No prompt of that id was ever given, or it ended too long ago to be remembered.
    #[error("No such prompt; it may have ended long ago.")]
    NotFound,
    /// The prompt is not the claimant's: the first identity field that differs. Never tell it to a peer; on the wire
    /// it reads as [`ResolveError::NotFound`].
    #[error("The claim does not match the prompt: its {0} differs.")]
    Mismatch(IdentityField),
    /// The prompt has ended, so.
    #[error("The prompt has ended already: it {}.", .outcome.as_sentence())]
    AlreadyResolved {
        /// How it ended.
        outcome: OutcomeKind,
        /// Why, if it was cancelled.
        reason: Option<CancelReason>,
    },
    /// The answer does not fit the form.
    #[error(transparent)]
    InvalidAnswer(#[from] AnswerError),
    /// A command must be acknowledged by the same claimant before it may run.
    #[error("Acknowledge the command first, on the same surface.")]
    NotAcknowledged,
    /// Only a command has a first step to acknowledge or to go back to.
    #[error("Only a confirm-command prompt is acknowledged.")]
    NotACommand,
}

impl ResolveError {
    /// The stable code, as a peer may see it.
    #[must_use]
    pub const fn code(&self) -> Code {
        match self {
            Self::NotFound | Self::Mismatch(_) => Code::NotFound,
            Self::AlreadyResolved { .. } => Code::AlreadyResolved,
            Self::InvalidAnswer(error) => error.code,
            Self::NotAcknowledged => Code::NotAcknowledged,
            Self::NotACommand => Code::InvalidValue,
        }
    }
}
