//! Why a call did nothing, and how a caller learns of it.

use crate::codes::{self, askgate_result};
use crate::text::askgate_text;
use alloc::string::{String, ToString};
use askgate_core::dialect::session::ToolResult;
use askgate_core::error::{AskError, Fault, RequestError, ResolveError};
use askgate_core::json::to_json;

/// Why the last call on a handle was refused, in detail.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct askgate_error {
    /// The result of the call; `ASKGATE_OK`, with all else absent, if it was not refused.
    pub result: askgate_result,
    /// The name of the result, such as `invalid_answer`.
    pub code: askgate_text,
    /// One sentence, in English, that says what to do.
    pub message: askgate_text,
    /// A JSON pointer (RFC 6901) into the JSON given, to what is at fault; empty for the whole, absent where there was none.
    pub path: askgate_text,
    /// For a claim that does not match: the first field that differs, one of `kind`, `session`, `run`, `connection`,
    /// `platform`, `bot`, `chat`, `thread`, `user`. Never tell it to a peer.
    pub field: askgate_text,
    /// For a prompt that has ended: how.
    pub outcome: i32,
    /// For a prompt that was cancelled: why, if there is a reason.
    pub reason: askgate_text,
    /// For text that is not UTF-8: the offset of the first byte at fault.
    pub offset: usize,
    /// For an ask of dialect B: what the `ask` tool returns, as JSON.
    pub tool_result: askgate_text,
}

/// Why a call did nothing.
pub(crate) enum Fail {
    Null,
    Utf8(usize),
    Length,
    Enum,
    LibraryOlder,
    HeaderOlder,
    InUse,
    Poisoned,
    #[cfg_attr(not(any(feature = "std", test)), expect(dead_code, reason = "without std nothing is caught"))]
    Panic,
    TooSmall,
    Full,
    UnknownConnection,
    UnknownPane,
    PaneInUse,
    HandleInUse,
    /// The last poll gave another event.
    NotPolled,
    /// A text given by itself, which has no path.
    Text(Fault),
    Request(RequestError),
    Resolve(ResolveError),
    Ask(AskError),
    /// No pending prompt is meant.
    NotFound,
    /// A request of dialect B was refused, whose tool gives a result all the same.
    Tool(String, alloc::boxed::Box<Self>),
}

impl Fail {
    pub(crate) fn result(&self) -> askgate_result {
        match self {
            Self::Null => codes::ASKGATE_ERROR_NULL,
            Self::Utf8(_) => codes::ASKGATE_ERROR_UTF8,
            Self::Length => codes::ASKGATE_ERROR_LENGTH,
            Self::Enum => codes::ASKGATE_ERROR_ENUM,
            Self::LibraryOlder => codes::ASKGATE_ERROR_LIBRARY_OLDER,
            Self::HeaderOlder => codes::ASKGATE_ERROR_HEADER_OLDER,
            Self::InUse => codes::ASKGATE_ERROR_IN_USE,
            Self::Poisoned => codes::ASKGATE_ERROR_POISONED,
            Self::Panic => codes::ASKGATE_ERROR_PANIC,
            Self::TooSmall => codes::ASKGATE_TOO_SMALL,
            Self::Full => codes::ASKGATE_FULL,
            Self::UnknownConnection => codes::ASKGATE_UNKNOWN_CONNECTION,
            Self::UnknownPane => codes::ASKGATE_UNKNOWN_PANE,
            Self::PaneInUse => codes::ASKGATE_PANE_IN_USE,
            Self::HandleInUse => codes::ASKGATE_HANDLE_IN_USE,
            Self::Text(fault) => codes::of_code(fault.code),
            Self::Request(error) => codes::of_code(error.code()),
            Self::Resolve(error) => codes::of_code(error.code()),
            Self::Ask(error) => codes::of_code(error.code()),
            Self::NotFound | Self::NotPolled => codes::ASKGATE_REFUSED_NOT_FOUND,
            Self::Tool(_, fail) => fail.result(),
        }
    }

    /// The same, with the result of the `ask` tool.
    pub(crate) fn with_tool_result(self) -> Self {
        let result = match &self {
            Self::Request(error) => to_json(&ToolResult::refused(error)),
            Self::Ask(error) => to_json(&ToolResult::not_asked(*error)),
            _ => return self,
        };
        Self::Tool(result, self.into())
    }
}

impl From<Fault> for Fail {
    fn from(fault: Fault) -> Self {
        Self::Text(fault)
    }
}

impl From<RequestError> for Fail {
    fn from(error: RequestError) -> Self {
        Self::Request(error)
    }
}

impl From<ResolveError> for Fail {
    fn from(error: ResolveError) -> Self {
        Self::Resolve(error)
    }
}

impl From<AskError> for Fail {
    fn from(error: AskError) -> Self {
        Self::Ask(error)
    }
}

/// What `askgate_..._error` tells, kept in the handle until its next call.
#[derive(Default)]
pub(crate) struct ErrorRecord {
    result: askgate_result,
    message: String,
    path: Option<String>,
    field: Option<&'static str>,
    outcome: i32,
    reason: Option<String>,
    offset: usize,
    tool_result: Option<String>,
}

impl ErrorRecord {
    pub(crate) fn new(fail: &Fail) -> Self {
        let mut record = Self { result: fail.result(), ..Self::default() };
        match fail {
            Fail::Tool(result, fail) => {
                record = Self::new(fail);
                record.tool_result = Some(result.clone());
            }
            Fail::Utf8(offset) => {
                record.offset = *offset;
                record.message = alloc::format!("Give UTF-8; the byte at offset {offset} is not.");
            }
            Fail::Text(fault) => record.message = fault.message.clone().into_owned(),
            Fail::Request(error) => {
                record.message = error.message().into();
                record.path = Some(error.path().into());
            }
            Fail::Ask(error) => record.message = error.to_string(),
            Fail::Resolve(error) => record.resolve(error),
            Fail::NotPolled => record.message = "Give the event that the last poll gave.".into(),
            Fail::NotFound => record.message = "No such prompt is pending.".into(),
            Fail::Null
            | Fail::Length
            | Fail::Enum
            | Fail::LibraryOlder
            | Fail::HeaderOlder
            | Fail::InUse
            | Fail::Poisoned
            | Fail::Panic
            | Fail::TooSmall
            | Fail::Full
            | Fail::UnknownConnection
            | Fail::UnknownPane
            | Fail::PaneInUse
            | Fail::HandleInUse => record.message = sentence(record.result).into(),
        }
        record
    }

    fn resolve(&mut self, error: &ResolveError) {
        self.message = error.to_string();
        match error {
            ResolveError::Mismatch(field) => self.field = Some(field.as_str()),
            ResolveError::AlreadyResolved { outcome, reason } => {
                self.outcome = codes::of_outcome(*outcome);
                self.reason = reason.as_ref().map(|reason| reason.as_str().into());
            }
            ResolveError::InvalidAnswer(error) => self.path = Some(error.path().into_owned()),
            _ => {}
        }
    }

    pub(crate) fn lend(&self) -> askgate_error {
        let optional = |text: &Option<String>| text.as_deref().map_or(askgate_text::ABSENT, askgate_text::of);
        let failed = self.result != codes::ASKGATE_OK;
        let given = |text: &str| if failed { askgate_text::of(text) } else { askgate_text::ABSENT };
        askgate_error {
            result: self.result,
            code: given(name(self.result)),
            message: given(&self.message),
            path: optional(&self.path),
            field: self.field.map_or(askgate_text::ABSENT, askgate_text::of),
            outcome: self.outcome,
            reason: optional(&self.reason),
            offset: self.offset,
            tool_result: optional(&self.tool_result),
        }
    }
}

/// The numbers that are no code of a dialect: name and sentence.
const OWN: [(askgate_result, &str, &str); 17] = [
    (codes::ASKGATE_OK, "ok", ""),
    (codes::ASKGATE_ERROR_NULL, "null", "Give a pointer that is not NULL."),
    (codes::ASKGATE_ERROR_UTF8, "utf8", "Give UTF-8."),
    (codes::ASKGATE_ERROR_LENGTH, "length", "Give the length of the text in bytes."),
    (codes::ASKGATE_ERROR_ENUM, "enum", "Give one of the numbers that the header lists."),
    (codes::ASKGATE_ERROR_LIBRARY_OLDER, "library_older", "Update the library."),
    (codes::ASKGATE_ERROR_HEADER_OLDER, "header_older", "Compile with the library's own header."),
    (codes::ASKGATE_ERROR_IN_USE, "in_use", "Use a handle in one thread at a time."),
    (codes::ASKGATE_ERROR_POISONED, "poisoned", "Free the handle."),
    (codes::ASKGATE_ERROR_PANIC, "panic", "Free the handle, and report the fault."),
    (codes::ASKGATE_TOO_SMALL, "too_small", "Give a larger buffer."),
    (codes::ASKGATE_FULL, "full", "Poll the outputs, then give the line again."),
    (codes::ASKGATE_UNKNOWN_CONNECTION, "unknown_connection", "Open the connection first."),
    (codes::ASKGATE_UNKNOWN_PANE, "unknown_pane", "Report a pane that the endpoint knows."),
    (codes::ASKGATE_PANE_IN_USE, "pane_in_use", "Give each pane ids of its own."),
    (codes::ASKGATE_HANDLE_IN_USE, "handle_in_use", "Give each prompt a fresh random handle."),
    (codes::ASKGATE_REFUSED, "refused", "The call was refused."),
];

fn sentence(result: askgate_result) -> &'static str {
    OWN.iter().find(|row| row.0 == result).map_or("", |row| row.2)
}

/// The name of a result; empty for what is none.
pub(crate) fn name(result: askgate_result) -> &'static str {
    if let Some(row) = OWN.iter().find(|row| row.0 == result) {
        return row.1;
    }
    codes::CODES.iter().find(|code| codes::of_code(**code) == result).map_or("", |code| code.as_str())
}
