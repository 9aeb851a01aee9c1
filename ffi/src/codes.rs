//! The numbers of the interface. Each keeps its meaning for ever.

use crate::fail::Fail;
use askgate_core::answer::OutcomeKind;
use askgate_core::dialect::elicitation::Protocol;
use askgate_core::error::Code;

/// What a call came to: `ASKGATE_OK`, or why it did nothing.
///
/// Whatever is not `ASKGATE_OK` changed nothing and wrote to none of the pointers given for results, except where a call
/// says otherwise. Time counts all the same: a call that was refused may have ended the prompts that were due.
pub type askgate_result = i32;

/// == Interfaces ==
///
/// The interface that this header describes. Give it to every `askgate_..._new`.
pub const ASKGATE_ABI_VERSION: u32 = 1;
/// The oldest interface that this version of the library still serves.
pub const ASKGATE_ABI_VERSION_MIN: u32 = 1;

/// == Results ==
///
/// It is done.
pub const ASKGATE_OK: i32 = 0;

/// Misuse: a pointer is NULL that must not be.
pub const ASKGATE_ERROR_NULL: i32 = 1;
/// Misuse: a text is not UTF-8. `askgate_..._error` tells the offset of the first byte at fault.
pub const ASKGATE_ERROR_UTF8: i32 = 2;
/// Misuse: a length that no object in memory has (over `PTRDIFF_MAX`).
pub const ASKGATE_ERROR_LENGTH: i32 = 3;
/// Misuse: a number that is none of those listed for its parameter.
pub const ASKGATE_ERROR_ENUM: i32 = 4;
/// The program was compiled for a newer interface than the library has: update the library.
pub const ASKGATE_ERROR_LIBRARY_OLDER: i32 = 5;
/// The program was compiled for an interface that the library no longer serves: compile it with the library's header.
pub const ASKGATE_ERROR_HEADER_OLDER: i32 = 6;
/// Misuse: another call on this handle is running, in another thread.
pub const ASKGATE_ERROR_IN_USE: i32 = 7;
/// An earlier call on this handle gave `ASKGATE_ERROR_PANIC`: all that is left is to free it.
pub const ASKGATE_ERROR_POISONED: i32 = 8;
/// A fault in the library. The handle is poisoned from now on.
pub const ASKGATE_ERROR_PANIC: i32 = 9;

/// The buffer given is too small; the length that is needed was written.
pub const ASKGATE_TOO_SMALL: i32 = 20;
/// Too many outputs wait: poll them, then give the same line again.
pub const ASKGATE_FULL: i32 = 21;
/// No connection of that number is open.
pub const ASKGATE_UNKNOWN_CONNECTION: i32 = 22;
/// No pane is being opened under that number, or none has that agent.
pub const ASKGATE_UNKNOWN_PANE: i32 = 23;
/// Another pane has that agent or surface.
pub const ASKGATE_PANE_IN_USE: i32 = 24;
/// The handle names another prompt that is shown in chats.
pub const ASKGATE_HANDLE_IN_USE: i32 = 25;

/// Refused for a reason that has no number of its own; its name is in `askgate_error.code`.
pub const ASKGATE_REFUSED: i32 = 100;
/// `parse_error`: the text is not JSON.
pub const ASKGATE_REFUSED_PARSE_ERROR: i32 = 101;
/// `invalid_request`: the text is not what it must be.
pub const ASKGATE_REFUSED_INVALID_REQUEST: i32 = 102;
/// `unknown_method`: no method has that name.
pub const ASKGATE_REFUSED_UNKNOWN_METHOD: i32 = 103;
/// `unknown_field`: a field that is not known.
pub const ASKGATE_REFUSED_UNKNOWN_FIELD: i32 = 104;
/// `missing_field`: a required field is absent.
pub const ASKGATE_REFUSED_MISSING_FIELD: i32 = 105;
/// `wrong_type`: a value of another JSON type.
pub const ASKGATE_REFUSED_WRONG_TYPE: i32 = 106;
/// `invalid_value`: the right type with a wrong value.
pub const ASKGATE_REFUSED_INVALID_VALUE: i32 = 107;
/// `duplicate_key`: an object names a key twice.
pub const ASKGATE_REFUSED_DUPLICATE_KEY: i32 = 108;
/// `duplicate`: two things that must differ are equal.
pub const ASKGATE_REFUSED_DUPLICATE: i32 = 109;
/// `too_long`: a text over its limit.
pub const ASKGATE_REFUSED_TOO_LONG: i32 = 110;
/// `too_many`: a list over its limit.
pub const ASKGATE_REFUSED_TOO_MANY: i32 = 111;
/// `forbidden`: the authority for the call is missing.
pub const ASKGATE_REFUSED_FORBIDDEN: i32 = 112;
/// `not_found`: no such prompt, or the claim does not match it; `askgate_error.field` names the first field that differs.
pub const ASKGATE_REFUSED_NOT_FOUND: i32 = 113;
/// `already_resolved`: the prompt has ended; `askgate_error.outcome` says how.
pub const ASKGATE_REFUSED_ALREADY_RESOLVED: i32 = 114;
/// `busy`: the session has a pending prompt.
pub const ASKGATE_REFUSED_BUSY: i32 = 115;
/// `at_capacity`: as many as the limits allow.
pub const ASKGATE_REFUSED_AT_CAPACITY: i32 = 116;
/// `unavailable`: nobody can be asked.
pub const ASKGATE_REFUSED_UNAVAILABLE: i32 = 117;
/// `not_acknowledged`: a command must be acknowledged by the same claimant before it may run.
pub const ASKGATE_REFUSED_NOT_ACKNOWLEDGED: i32 = 118;
/// `invalid_answer`: the answer does not fit; `askgate_error.path` says where.
pub const ASKGATE_REFUSED_INVALID_ANSWER: i32 = 119;
/// `id_in_use`: the id of a message still waits.
pub const ASKGATE_REFUSED_ID_IN_USE: i32 = 120;
/// `pane_failed`: the host could not open the pane.
pub const ASKGATE_REFUSED_PANE_FAILED: i32 = 121;

/// == Dialects ==
///
/// Dialect A: one question, shown on a surface, answered by one value.
pub const ASKGATE_DIALECT_AGENT: i32 = 1;
/// Dialect B: a form of 1 to 8 questions, asked for a run of a session.
pub const ASKGATE_DIALECT_SESSION: i32 = 2;

/// == Outcomes: how a prompt ended ==
///
/// No outcome.
pub const ASKGATE_OUTCOME_NONE: i32 = 0;
/// `answered`: the person answered.
pub const ASKGATE_OUTCOME_ANSWERED: i32 = 1;
/// `declined`: the person said no to being asked.
pub const ASKGATE_OUTCOME_DECLINED: i32 = 2;
/// `cancelled`: it was dismissed, or whoever asked no longer wants it.
pub const ASKGATE_OUTCOME_CANCELLED: i32 = 3;
/// `timed_out`: its deadline passed.
pub const ASKGATE_OUTCOME_TIMED_OUT: i32 = 4;
/// `unavailable`: its surface was lost.
pub const ASKGATE_OUTCOME_UNAVAILABLE: i32 = 5;
/// `invalid_answer`: a surface that can answer only once sent what is no answer.
pub const ASKGATE_OUTCOME_INVALID_ANSWER: i32 = 6;

/// == Protocols of elicitation clients ==
///
/// The Agent Client Protocol, version 1.
pub const ASKGATE_PROTOCOL_ACP: i32 = 1;
/// The Model Context Protocol as of 2025-11-25.
pub const ASKGATE_PROTOCOL_MCP_2025_11_25: i32 = 2;
/// The Model Context Protocol as of 2026-07-28.
pub const ASKGATE_PROTOCOL_MCP_2026_07_28: i32 = 3;

pub(crate) const fn of_code(code: Code) -> askgate_result {
    match code {
        Code::ParseError => ASKGATE_REFUSED_PARSE_ERROR,
        Code::InvalidRequest => ASKGATE_REFUSED_INVALID_REQUEST,
        Code::UnknownMethod => ASKGATE_REFUSED_UNKNOWN_METHOD,
        Code::UnknownField => ASKGATE_REFUSED_UNKNOWN_FIELD,
        Code::MissingField => ASKGATE_REFUSED_MISSING_FIELD,
        Code::WrongType => ASKGATE_REFUSED_WRONG_TYPE,
        Code::InvalidValue => ASKGATE_REFUSED_INVALID_VALUE,
        Code::DuplicateKey => ASKGATE_REFUSED_DUPLICATE_KEY,
        Code::Duplicate => ASKGATE_REFUSED_DUPLICATE,
        Code::TooLong => ASKGATE_REFUSED_TOO_LONG,
        Code::TooMany => ASKGATE_REFUSED_TOO_MANY,
        Code::Forbidden => ASKGATE_REFUSED_FORBIDDEN,
        Code::NotFound => ASKGATE_REFUSED_NOT_FOUND,
        Code::AlreadyResolved => ASKGATE_REFUSED_ALREADY_RESOLVED,
        Code::Busy => ASKGATE_REFUSED_BUSY,
        Code::AtCapacity => ASKGATE_REFUSED_AT_CAPACITY,
        Code::Unavailable => ASKGATE_REFUSED_UNAVAILABLE,
        Code::NotAcknowledged => ASKGATE_REFUSED_NOT_ACKNOWLEDGED,
        Code::InvalidAnswer => ASKGATE_REFUSED_INVALID_ANSWER,
        Code::IdInUse => ASKGATE_REFUSED_ID_IN_USE,
        Code::PaneFailed => ASKGATE_REFUSED_PANE_FAILED,
        _ => ASKGATE_REFUSED,
    }
}

/// All refusals, to find a name by a number.
pub(crate) const CODES: [Code; 21] = [
    Code::ParseError,
    Code::InvalidRequest,
    Code::UnknownMethod,
    Code::UnknownField,
    Code::MissingField,
    Code::WrongType,
    Code::InvalidValue,
    Code::DuplicateKey,
    Code::Duplicate,
    Code::TooLong,
    Code::TooMany,
    Code::Forbidden,
    Code::NotFound,
    Code::AlreadyResolved,
    Code::Busy,
    Code::AtCapacity,
    Code::Unavailable,
    Code::NotAcknowledged,
    Code::InvalidAnswer,
    Code::IdInUse,
    Code::PaneFailed,
];

pub(crate) const fn of_outcome(outcome: OutcomeKind) -> i32 {
    match outcome {
        OutcomeKind::Answered => ASKGATE_OUTCOME_ANSWERED,
        OutcomeKind::Declined => ASKGATE_OUTCOME_DECLINED,
        OutcomeKind::Cancelled => ASKGATE_OUTCOME_CANCELLED,
        OutcomeKind::TimedOut => ASKGATE_OUTCOME_TIMED_OUT,
        OutcomeKind::Unavailable => ASKGATE_OUTCOME_UNAVAILABLE,
        OutcomeKind::Invalid => ASKGATE_OUTCOME_INVALID_ANSWER,
    }
}

/// The outcome of that number.
pub(crate) fn outcome(number: i32) -> Result<OutcomeKind, Fail> {
    OutcomeKind::ALL.into_iter().find(|kind| of_outcome(*kind) == number).ok_or(Fail::Enum)
}

/// The protocol of that number.
pub(crate) fn protocol(number: i32) -> Result<Protocol, Fail> {
    match number {
        ASKGATE_PROTOCOL_ACP => Ok(Protocol::Acp),
        ASKGATE_PROTOCOL_MCP_2025_11_25 => Ok(Protocol::Mcp20251125),
        ASKGATE_PROTOCOL_MCP_2026_07_28 => Ok(Protocol::Mcp20260728),
        _ => Err(Fail::Enum),
    }
}
