//! Asking, and who can be asked.

use super::{askgate_address, askgate_gate};
use crate::codes::{self, askgate_result};
use crate::fail::Fail;
use crate::guard;
use crate::pointer::{Out, optional, read};
use crate::text::askgate_text;
use askgate_core::dialect::agent::AskUser;
use askgate_core::dialect::session::parse_questions;
use askgate_core::dialect::typed::ask_user;
use askgate_core::gate::{Ask, Asking};
use askgate_core::id::{ConnectionId, PromptId, RunId, SessionKey};
use askgate_core::limits::Limits;
use askgate_core::time::Millis;

/// A request for a prompt. Set it to zero first, then fill in what the dialect needs.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct askgate_ask {
    /// `ASKGATE_DIALECT_AGENT` or `ASKGATE_DIALECT_SESSION`.
    pub dialect: i32,
    /// What is asked, as JSON. Agent: the params of `agent.ask_user`. Session: an object with `questions` and perhaps
    /// `timeout_ms`.
    pub request: askgate_text,
    /// Session: the session that asks.
    pub session: askgate_text,
    /// Session: the run that asks.
    pub run: askgate_text,
    /// 1 if `asker` is given: the connection that waits for the end, so that the prompt ends when it is gone.
    pub has_asker: u8,
    /// See `has_asker`.
    pub asker: u64,
}

/// == The gate: asking ==
///
/// Accepts a prompt and writes its number, from which its wire id is made: `req:N` (agent) or `prompt:N` (session). The
/// event `ASKGATE_EVENT_SHOWN` follows. Refused with the code of the first fault in the request, or with `busy`,
/// `unavailable` or `at_capacity`; then nothing was created.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_gate_ask(
    gate: *mut askgate_gate,
    now: u64,
    ask: *const askgate_ask,
    prompt: *mut u64,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        guard::change(gate, Out::required(prompt), |gate, _| {
            let ask = read(ask)?;
            let asked = match read_ask(ask, gate.limits()) {
                Ok(ask) => gate.ask(Millis(now), ask).map_err(Fail::from),
                Err(fail) => {
                    gate.advance(Millis(now));
                    Err(fail)
                }
            };
            let session = ask.dialect == codes::ASKGATE_DIALECT_SESSION;
            let id = asked.map_err(|fail| if session { fail.with_tool_result() } else { fail })?;
            Ok(id.0)
        })
    }
}

unsafe fn read_ask(ask: askgate_ask, limits: &Limits) -> Result<Ask, Fail> {
    let asker = optional(ask.has_asker, ask.asker)?.map(ConnectionId);
    // SAFETY: the caller vouches for the texts.
    unsafe {
        match ask.dialect {
            codes::ASKGATE_DIALECT_AGENT => {
                Ok(ask_user(AskUser::parse(ask.request.required()?, limits)?, asker))
            }
            codes::ASKGATE_DIALECT_SESSION => {
                let session = SessionKey::new(ask.session.required()?, limits)?;
                let run = RunId::new(ask.run.required()?, limits)?;
                let (form, timeout_ms) = parse_questions(ask.request.required()?, limits)?;
                Ok(Ask { asking: Asking::Session { session, run }, form, timeout_ms, asker })
            }
            _ => Err(Fail::Enum),
        }
    }
}

/// Ends a prompt at the wish of whoever asked it: cancelled, `aborted`. Writes whether it was pending and theirs;
/// `ended` may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_gate_withdraw(
    gate: *mut askgate_gate,
    now: u64,
    prompt: u64,
    asker: u64,
    ended: *mut bool,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        guard::change(gate, Out::optional(ended), |gate, _| {
            Ok(gate.withdraw(Millis(now), PromptId(prompt), ConnectionId(asker)))
        })
    }
}

/// == The gate: who can be asked ==
///
/// Binds a live connection as the surface of a session, for later asks; a prompt that waits stays where it was shown.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_gate_bind(
    gate: *mut askgate_gate,
    now: u64,
    session: askgate_text,
    connection: u64,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        guard::change(gate, (), |gate, _| {
            let session = SessionKey::new(session.required()?, gate.limits())?;
            gate.bind(Millis(now), session, ConnectionId(connection));
            Ok(())
        })
    }
}

/// Ends the session's prompt as unavailable if it is shown on that connection, and removes the binding if it is that
/// connection's. Writes whether there was such a binding; `was_bound` may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_gate_unbind(
    gate: *mut askgate_gate,
    now: u64,
    session: askgate_text,
    connection: u64,
    was_bound: *mut bool,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        guard::change(gate, Out::optional(was_bound), |gate, _| {
            Ok(gate.unbind(Millis(now), session.required()?, ConnectionId(connection)))
        })
    }
}

/// Binds a chat, and the one person in it who may answer, as the surface of a session. Prompts there wait 300,000 ms at most.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_gate_bind_chat(
    gate: *mut askgate_gate,
    now: u64,
    session: askgate_text,
    address: *const askgate_address,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        guard::change(gate, (), |gate, _| {
            let session = SessionKey::new(session.required()?, gate.limits())?;
            gate.bind_chat(Millis(now), session, read(address)?.read()?);
            Ok(())
        })
    }
}

/// Undoes `askgate_gate_bind_chat`, as `askgate_gate_unbind` undoes `askgate_gate_bind`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_gate_unbind_chat(
    gate: *mut askgate_gate,
    now: u64,
    session: askgate_text,
    address: *const askgate_address,
    was_bound: *mut bool,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        guard::change(gate, Out::optional(was_bound), |gate, _| {
            Ok(gate.unbind_chat(Millis(now), session.required()?, &read(address)?.read()?))
        })
    }
}

/// Attaches a connection as a run's own elicitation client. `protocol` is one of `ASKGATE_PROTOCOL_...`; `capabilities` is
/// the whole object that the client negotiated, as JSON. If they include forms, the run asks through that client and
/// needs no bound surface: show its prompts by `askgate_gate_elicitation`. Writes whether it can be asked; `able` may be
/// NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_gate_attach_client(
    gate: *mut askgate_gate,
    now: u64,
    session: askgate_text,
    run: askgate_text,
    connection: u64,
    protocol: i32,
    capabilities: askgate_text,
    able: *mut bool,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        guard::change(gate, Out::optional(able), |gate, _| {
            let session = SessionKey::new(session.required()?, gate.limits())?;
            let run = RunId::new(run.required()?, gate.limits())?;
            let client = codes::protocol(protocol)?.client(capabilities.required()?);
            Ok(gate.attach_client(Millis(now), session, run, ConnectionId(connection), client))
        })
    }
}

/// Writes whether a prompt of that run could be shown now. Advertise the `ask` tool by it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_gate_can_ask(
    gate: *const askgate_gate,
    session: askgate_text,
    run: askgate_text,
    can: *mut bool,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        guard::look(gate, Out::required(can), |gate| Ok(gate.can_ask(session.required()?, run.required()?)))
    }
}
