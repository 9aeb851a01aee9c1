//! Errors by operation. Each has a stable code, a path into what was sent, and one sentence that says what to do (spec 3).

use crate::answer::{CancelReason, OutcomeKind};
use crate::id::IdentityField;
use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt;

/// The stable codes of spec 3. Their spelling on the wire is [`Code::as_str`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Code {
    /// The line is blank, not UTF-8, not JSON, or holds a number beyond a double.
    ParseError,
    /// The envelope is not a request.
    InvalidRequest,
    /// No method has that name.
    UnknownMethod,
    /// A field that the method does not know.
    UnknownField,
    /// A required field is absent.
    MissingField,
    /// A value of another JSON type.
    WrongType,
    /// The right type with a wrong value: blank, empty, out of range, not one of those allowed, not for this kind.
    InvalidValue,
    /// An object names a key twice.
    DuplicateKey,
    /// Two things that must differ are equal.
    Duplicate,
    /// A text over its limit.
    TooLong,
    /// A list over its limit.
    TooMany,
    /// The connection lacks the authority for the call.
    Forbidden,
    /// No such prompt, or not the caller's.
    NotFound,
    /// The prompt has ended already.
    AlreadyResolved,
    /// The session has a pending prompt.
    Busy,
    /// The gate holds as many prompts as it may.
    AtCapacity,
    /// Nobody can be asked.
    Unavailable,
    /// `run` before the command was acknowledged by the same claimant.
    NotAcknowledged,
    /// The answer does not fit the question.
    InvalidAnswer,
    /// The message id is still waiting on this connection.
    IdInUse,
    /// The host could not open the pane.
    PaneFailed,
}

impl Code {
    /// The code as it stands on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ParseError => "parse_error",
            Self::InvalidRequest => "invalid_request",
            Self::UnknownMethod => "unknown_method",
            Self::UnknownField => "unknown_field",
            Self::MissingField => "missing_field",
            Self::WrongType => "wrong_type",
            Self::InvalidValue => "invalid_value",
            Self::DuplicateKey => "duplicate_key",
            Self::Duplicate => "duplicate",
            Self::TooLong => "too_long",
            Self::TooMany => "too_many",
            Self::Forbidden => "forbidden",
            Self::NotFound => "not_found",
            Self::AlreadyResolved => "already_resolved",
            Self::Busy => "busy",
            Self::AtCapacity => "at_capacity",
            Self::Unavailable => "unavailable",
            Self::NotAcknowledged => "not_acknowledged",
            Self::InvalidAnswer => "invalid_answer",
            Self::IdInUse => "id_in_use",
            Self::PaneFailed => "pane_failed",
        }
    }

    /// The error number of JSON-RPC 2.0 for this code (spec 7).
    #[must_use]
    pub const fn json_rpc(self) -> i32 {
        match self {
            Self::InvalidRequest | Self::IdInUse => -32600,
            Self::UnknownMethod => -32601,
            Self::UnknownField
            | Self::MissingField
            | Self::WrongType
            | Self::InvalidValue
            | Self::DuplicateKey
            | Self::Duplicate
            | Self::TooLong
            | Self::TooMany => -32602,
            Self::ParseError
            | Self::Forbidden
            | Self::NotFound
            | Self::AlreadyResolved
            | Self::Busy
            | Self::AtCapacity
            | Self::Unavailable
            | Self::NotAcknowledged
            | Self::InvalidAnswer
            | Self::PaneFailed => -32000,
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What is wrong with one value: a code and a sentence, not yet placed in a message.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{code}: {message}")]
pub struct Fault {
    /// The stable code.
    pub code: Code,
    /// One sentence that says what to do.
    pub message: Cow<'static, str>,
}

impl Fault {
    /// A fault of that code.
    pub fn new(code: Code, message: impl Into<Cow<'static, str>>) -> Self {
        Self { code, message: message.into() }
    }

    /// The fault at a place of the message: a JSON pointer relative to `params`.
    #[must_use]
    pub fn at(self, path: impl Into<Cow<'static, str>>) -> RequestError {
        RequestError { code: self.code, path: path.into(), message: self.message }
    }
}

/// Why a request was refused. Its [`Display`](fmt::Display) is the native error text: `code: path: sentence`, or
/// `code: sentence` where the path is empty (spec 7).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{code}: {path}{}{message}", if .path.is_empty() { "" } else { ": " })]
pub struct RequestError {
    code: Code,
    path: Cow<'static, str>,
    message: Cow<'static, str>,
}

impl RequestError {
    /// The stable code.
    #[must_use]
    pub const fn code(&self) -> Code {
        self.code
    }

    /// A JSON pointer (RFC 6901) relative to `params`; empty for anything outside it.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// One sentence that says what to do.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The same error, of what stands at that path.
    pub(crate) fn within(self, path: &str) -> Self {
        Self { path: alloc::format!("{path}{}", self.path).into(), ..self }
    }

    /// The same error with another sentence.
    #[must_use]
    pub fn with_message(self, message: impl Into<Cow<'static, str>>) -> Self {
        Self { message: message.into(), ..self }
    }
}

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

/// Where in a draft an answer does not fit, in the shape that the dialects send.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerPlace {
    /// The one value of dialect A.
    Value,
    /// The list of answers: one is missing.
    Answers,
    /// The answer at this index.
    Answer(usize),
    /// The custom text of the answer at this index.
    Custom(usize),
    /// A selection of an answer: the answer's index, then the selection's.
    Selected(usize, usize),
}

/// Why a draft is no answer to its form. The prompt stays as it was (spec 7, 8).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct AnswerError {
    pub(crate) code: Code,
    pub(crate) place: AnswerPlace,
    pub(crate) message: Cow<'static, str>,
}

impl AnswerError {
    /// [`Code::InvalidAnswer`], or [`Code::TooLong`] for a text over `answer_bytes`.
    #[must_use]
    pub const fn code(&self) -> Code {
        self.code
    }

    /// Where the draft is at fault.
    #[must_use]
    pub const fn place(&self) -> AnswerPlace {
        self.place
    }

    /// The place as a JSON pointer relative to `params`.
    #[must_use]
    pub fn path(&self) -> Cow<'static, str> {
        match self.place {
            AnswerPlace::Value => "/value".into(),
            AnswerPlace::Answers => "/answers".into(),
            AnswerPlace::Answer(n) => alloc::format!("/answers/{n}").into(),
            AnswerPlace::Custom(n) => alloc::format!("/answers/{n}/custom").into(),
            AnswerPlace::Selected(n, m) => alloc::format!("/answers/{n}/selected/{m}").into(),
        }
    }

    /// One sentence that says what to do.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
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

/// A JSON pointer (RFC 6901) made of steps: `~` and `/` in a key are escaped.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Pointer(pub(crate) String);

impl Pointer {
    pub(crate) fn key(mut self, key: &str) -> Self {
        self.0.push('/');
        for c in key.chars() {
            match c {
                '~' => self.0.push_str("~0"),
                '/' => self.0.push_str("~1"),
                c => self.0.push(c),
            }
        }
        self
    }

    pub(crate) fn index(self, index: usize) -> Self {
        self.key(&alloc::format!("{index}"))
    }
}
