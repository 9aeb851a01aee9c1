//! What can be wrong with a value, and where: the codes of spec 3, and JSON pointers.

use crate::words::words;
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
#[error("{}", self.sentence())]
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

    /// The native error text.
    pub(crate) fn sentence(&self) -> String {
        let gap = if self.path.is_empty() { "" } else { ": " };
        words![self.code.as_str(), ": ", self.path, gap, self.message]
    }

    /// The same error, of what stands at that path.
    pub(crate) fn within(self, path: &str) -> Self {
        Self { path: words![path, self.path].into(), ..self }
    }

    /// The same error with another sentence.
    #[must_use]
    pub fn with_message(self, message: impl Into<Cow<'static, str>>) -> Self {
        Self { message: message.into(), ..self }
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
        Self(words![self.0, "/", index])
    }
}
