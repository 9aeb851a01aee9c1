//! What ends a prompt at a person's word.

use super::{askgate_address, askgate_gate};
use crate::codes::{self, askgate_result};
use crate::fail::Fail;
use crate::guard;
use crate::pointer::{Out, Places, optional, read};
use crate::text::askgate_text;
use alloc::boxed::Box;
use askgate_core::answer::{Draft, Resolution};
use askgate_core::dialect::elicitation::{Elicitation, Protocol, Reply, RequestId, Scope};
use askgate_core::dialect::typed::parse_answers;
use askgate_core::gate::Gate;
use askgate_core::id::{Claim, Claimant, ConnectionId, PromptId, SurfaceId, UserId};
use askgate_core::json::to_json;
use askgate_core::limits::Limits;
use askgate_core::time::Millis;

/// == Kinds of claims ==
///
/// A claim on a prompt of dialect A: `prompt`, and of the claimant what is known: `connection`, `surface`, `user`.
pub const ASKGATE_CLAIM_REQUEST: i32 = 1;
/// A claim on a prompt of dialect B on a live connection: `prompt`, `session`, `run` and `connection`, all equal.
pub const ASKGATE_CLAIM_SESSION: i32 = 2;
/// A claim on a prompt of dialect B in a chat: `prompt`, `session`, `run` and `address`, all equal.
pub const ASKGATE_CLAIM_CHAT: i32 = 3;

/// What a caller brings to act on a prompt. Set it to zero first, then fill in what its kind needs. Nothing in it may come
/// from a peer's message but `prompt`, `session` and `run`: the connection is the one that the message came on.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct askgate_claim {
    /// One of `ASKGATE_CLAIM_...`.
    pub kind: i32,
    /// The prompt.
    pub prompt: u64,
    /// The session that asked.
    pub session: askgate_text,
    /// The run that asked.
    pub run: askgate_text,
    /// 1 if `connection` is given.
    pub has_connection: u8,
    /// The connection that the call came on.
    pub connection: u64,
    /// The surface that it was made on, or absent.
    pub surface: askgate_text,
    /// The person who made it, or absent.
    pub user: askgate_text,
    /// The place in the chat.
    pub address: askgate_address,
}

/// == Kinds of resolutions ==
///
/// The answer to a prompt of dialect A: `text` is `yes` or `no`, a choice's id, the text, or `run`.
pub const ASKGATE_RESOLVE_VALUE: i32 = 1;
/// The answers to a prompt of dialect B: `text` is JSON, `[{"id", "selected"?: [labels], "custom"?}]`.
pub const ASKGATE_RESOLVE_ANSWERS: i32 = 2;
/// The person says no to being asked; `text` is not read.
pub const ASKGATE_RESOLVE_DECLINE: i32 = 3;
/// The prompt is dismissed; `text` is the reason, or absent.
pub const ASKGATE_RESOLVE_CANCEL: i32 = 4;

/// What a claimant does to a prompt.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct askgate_resolution {
    /// One of `ASKGATE_RESOLVE_...`.
    pub kind: i32,
    /// See the kind.
    pub text: askgate_text,
}

/// == What a form over ACP is about ==
///
/// A session, and perhaps a tool call in it: `session_id` and `tool_call_id`.
pub const ASKGATE_SCOPE_SESSION: i32 = 1;
/// A request of the client's with an id that is a string: `request_id`.
pub const ASKGATE_SCOPE_REQUEST: i32 = 2;
/// A request of the client's with an id that is a number: `request_number`.
pub const ASKGATE_SCOPE_REQUEST_NUMBER: i32 = 3;

/// What an ACP form is about. Set it to zero first, then fill in what its kind needs.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct askgate_scope {
    /// One of `ASKGATE_SCOPE_...`.
    pub kind: i32,
    /// The session.
    pub session_id: askgate_text,
    /// The tool call in it, or absent.
    pub tool_call_id: askgate_text,
    /// The id of a request.
    pub request_id: askgate_text,
    /// The id of a request, where it is a number.
    pub request_number: i64,
}

/// == The gate: answering ==
///
/// Takes the first step of a confirm-command for the claimant. Writes the state after the call, true; `armed` may be
/// NULL. Refused with `invalid_value` for any other kind of prompt.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_gate_acknowledge(
    gate: *mut askgate_gate,
    now: u64,
    claim: *const askgate_claim,
    armed: *mut bool,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        with_claim(gate, now, claim, Out::optional(armed), |gate, claim| {
            Ok(gate.acknowledge(Millis(now), claim)?)
        })
    }
}

/// Undoes the first step for the claimant. Writes the state after the call, false; `armed` may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_gate_back(
    gate: *mut askgate_gate,
    now: u64,
    claim: *const askgate_claim,
    armed: *mut bool,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        with_claim(gate, now, claim, Out::optional(armed), |gate, claim| Ok(gate.back(Millis(now), claim)?))
    }
}

/// Ends a prompt as the claimant says, and writes its outcome, which may be NULL. In this order: what is due ends, the
/// prompt is found, the identity compared, then the phase, the answer and the acknowledgement. Refused with `not_found`,
/// `already_resolved`, `invalid_answer`, `too_long` or `not_acknowledged`; then the prompt is as it was.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_gate_resolve(
    gate: *mut askgate_gate,
    now: u64,
    claim: *const askgate_claim,
    resolution: *const askgate_resolution,
    outcome: *mut i32,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        with_claim(gate, now, claim, Out::optional(outcome), |gate, claim| {
            let askgate_resolution { kind, text } = read(resolution)?;
            let answers;
            let resolution = match kind {
                ASKGATE_RESOLVE_VALUE => Resolution::Answer(Draft::Value(text.required()?)),
                ASKGATE_RESOLVE_ANSWERS => {
                    answers = parse_answers(text.required()?)?;
                    Resolution::Answer(Draft::Answers(&answers))
                }
                ASKGATE_RESOLVE_DECLINE => Resolution::Decline,
                ASKGATE_RESOLVE_CANCEL => {
                    Resolution::Cancel(reason(text.optional()?, gate.limits())?.map(Box::from))
                }
                _ => return Err(Fail::Enum),
            };
            Ok(codes::of_outcome(gate.resolve(Millis(now), claim, resolution)?))
        })
    }
}

fn reason<'r>(reason: Option<&'r str>, limits: &Limits) -> Result<Option<&'r str>, Fail> {
    use askgate_core::error::{Code, Fault};
    let most = limits.reason_bytes;
    if reason.is_some_and(|reason| reason.len() > most) {
        return Err(Fault::new(Code::TooLong, alloc::format!("Give at most {most} bytes of text.")).into());
    }
    Ok(reason)
}

/// The surface that shows a prompt is lost, or could not show it: the prompt ends as unavailable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_gate_lose(
    gate: *mut askgate_gate,
    now: u64,
    claim: *const askgate_claim,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        with_claim(gate, now, claim, (), |gate, claim| {
            gate.lose(Millis(now), claim)?;
            Ok(())
        })
    }
}

/// Writes what to send to a run's elicitation client to show a prompt, as JSON: `{"method", "params"}`, or for
/// `ASKGATE_PROTOCOL_MCP_2026_07_28` the `input_required` result. The scope is for ACP, where it must be given; it may be
/// NULL for the others, which know none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_gate_elicitation(
    gate: *mut askgate_gate,
    prompt: u64,
    protocol: i32,
    scope: *const askgate_scope,
    json: *mut askgate_text,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        guard::change(gate, Out::required(json), |gate, lent| {
            let protocol = codes::protocol(protocol)?;
            let scope = match protocol {
                Protocol::Acp => read_scope(read(scope)?)?,
                Protocol::Mcp20251125 | Protocol::Mcp20260728 => {
                    Scope::Session { session_id: "", tool_call_id: None }
                }
            };
            let form = gate.get(PromptId(prompt)).ok_or(Fail::NotFound)?.form();
            Ok(lent.text(to_json(&Elicitation { protocol, form, scope })))
        })
    }
}

unsafe fn read_scope<'s>(scope: askgate_scope) -> Result<Scope<'s>, Fail> {
    // SAFETY: the caller vouches for the texts.
    unsafe {
        match scope.kind {
            ASKGATE_SCOPE_SESSION => Ok(Scope::Session {
                session_id: scope.session_id.required()?,
                tool_call_id: scope.tool_call_id.optional()?,
            }),
            ASKGATE_SCOPE_REQUEST => {
                Ok(Scope::Request { request_id: RequestId::Text(scope.request_id.required()?) })
            }
            ASKGATE_SCOPE_REQUEST_NUMBER => {
                Ok(Scope::Request { request_id: RequestId::Number(scope.request_number) })
            }
            _ => Err(Fail::Enum),
        }
    }
}

/// Ends a prompt as its run's elicitation client responded, and writes its outcome, which may be NULL. `response` is the
/// client's JSON: `{"action", "content"?}`, or for `ASKGATE_PROTOCOL_MCP_2026_07_28` the object with `inputResponses`. What
/// does not fit the form ends the prompt as `ASKGATE_OUTCOME_INVALID_ANSWER`, since the client has nothing more to say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_gate_respond(
    gate: *mut askgate_gate,
    now: u64,
    claim: *const askgate_claim,
    protocol: i32,
    response: askgate_text,
    outcome: *mut i32,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        with_claim(gate, now, claim, Out::optional(outcome), |gate, claim| {
            let (protocol, response) = (codes::protocol(protocol)?, response.required()?);
            let drafts;
            let resolution = match gate.get(claim.prompt()) {
                None => Resolution::Cancel(None),
                Some(prompt) => match Reply::parse(protocol, prompt.form(), response) {
                    Reply::Accept(answers) => {
                        drafts = answers;
                        Resolution::Answer(Draft::Answers(&drafts))
                    }
                    Reply::Decline => Resolution::Decline,
                    Reply::Cancel => Resolution::Cancel(None),
                },
            };
            Ok(codes::of_outcome(gate.resolve(Millis(now), claim, resolution)?))
        })
    }
}

unsafe fn with_claim<P: Places>(
    gate: *mut askgate_gate,
    now: u64,
    claim: *const askgate_claim,
    to: P,
    run: impl FnOnce(&mut Gate, &Claim<'_>) -> Result<P::Results, Fail>,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        guard::change(gate, to, |gate, _| {
            gate.advance(Millis(now));
            let claim = read(claim)?;
            let prompt = PromptId(claim.prompt);
            let connection = optional(claim.has_connection, claim.connection)?.map(ConnectionId);
            match claim.kind {
                ASKGATE_CLAIM_REQUEST => {
                    let surface = claim.surface.optional()?.map(|id| SurfaceId::new(id, gate.limits()));
                    let user = claim.user.optional()?.map(|id| UserId::new(id, gate.limits()));
                    let claimant =
                        Claimant { connection, surface: surface.transpose()?, user: user.transpose()? };
                    run(gate, &Claim::Request { prompt, claimant })
                }
                ASKGATE_CLAIM_SESSION => {
                    let (session, run_id) = (claim.session.required()?, claim.run.required()?);
                    let connection = connection.ok_or(Fail::Null)?;
                    run(gate, &Claim::Session { prompt, session, run: run_id, connection })
                }
                ASKGATE_CLAIM_CHAT => {
                    let (session, run_id) = (claim.session.required()?, claim.run.required()?);
                    let address = claim.address.read()?;
                    run(gate, &Claim::Chat { prompt, session, run: run_id, address: &address })
                }
                _ => Err(Fail::Enum),
            }
        })
    }
}
