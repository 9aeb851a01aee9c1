//! The gate, with typed calls.

use crate::codes::{self, askgate_result};
use crate::config::{askgate_config, config};
use crate::fail::{Fail, askgate_error};
use crate::guard::{self, Handle, Lent, askgate_ids, opaque};
use crate::pointer::{Out, Places, flagged, optional, read};
use crate::text::askgate_text;
use alloc::boxed::Box;
use askgate_core::answer::{Draft, Outcome, OutcomeKind, Resolution};
use askgate_core::dialect::agent::{AskUser, value_of};
use askgate_core::dialect::elicitation::{Elicitation, Protocol, Reply, RequestId, Scope};
use askgate_core::dialect::session::{Results, ToolResult, parse_questions};
use askgate_core::dialect::typed::{EventJson, PromptJson, ask_user, cancel_reason, parse_answers, to_json};
use askgate_core::gate::{Ask, Asking, Event, Gate, Origin, Poll, Prompt, Target};
use askgate_core::id::{
    ChatAddress, Claim, Claimant, ConnectionId, PromptId, RunId, SessionKey, SurfaceId, UserId,
};
use askgate_core::limits::Limits;
use askgate_core::time::Millis;
use core::ops::{Deref, DerefMut};

/// The engine: it holds prompts and lets each end exactly once. Made by `askgate_gate_new`.
pub struct askgate_gate(Handle<Engine>);

/// A gate, and the event that its last poll gave, for chat routers to be told of.
pub(crate) struct Engine {
    gate: Gate,
    pub(crate) polled: Option<Event>,
}

impl Deref for Engine {
    type Target = Gate;
    fn deref(&self) -> &Gate {
        &self.gate
    }
}

impl DerefMut for Engine {
    fn deref_mut(&mut self) -> &mut Gate {
        &mut self.gate
    }
}

opaque!(askgate_gate, Engine);

/// A place in a chat, and the one person there who may answer.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct askgate_address {
    /// The platform, such as `telegram`.
    pub platform: askgate_text,
    /// The bot account.
    pub bot: askgate_text,
    /// The chat or channel.
    pub chat: askgate_text,
    /// The topic or thread; absent where there is none.
    pub thread: askgate_text,
    /// The person whose message started the run.
    pub user: askgate_text,
}

impl askgate_address {
    const ABSENT: Self = Self {
        platform: askgate_text::ABSENT,
        bot: askgate_text::ABSENT,
        chat: askgate_text::ABSENT,
        thread: askgate_text::ABSENT,
        user: askgate_text::ABSENT,
    };

    pub(crate) unsafe fn read(self) -> Result<ChatAddress, Fail> {
        // SAFETY: the caller vouches for the texts.
        let (platform, bot, chat, thread, user) = unsafe {
            (
                self.platform.required()?,
                self.bot.required()?,
                self.chat.required()?,
                self.thread.optional()?,
                self.user.required()?,
            )
        };
        Ok(ChatAddress {
            platform: platform.into(),
            bot: bot.into(),
            chat: chat.into(),
            thread: thread.map(Box::from),
            user: user.into(),
        })
    }

    /// Lends a copy of an address.
    pub(crate) fn copied(lent: &mut Lent, address: &ChatAddress) -> Self {
        let mut copy = |text: &str| lent.text(text.into());
        Self {
            platform: copy(&address.platform),
            bot: copy(&address.bot),
            chat: copy(&address.chat),
            thread: address.thread.as_deref().map_or(askgate_text::ABSENT, &mut copy),
            user: copy(&address.user),
        }
    }
}

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

/// == Where a prompt is shown ==
///
/// It is shown on no connection that the gate knows: a prompt of dialect A.
pub const ASKGATE_TARGET_SURFACE: i32 = 1;
/// It is shown on a live connection that was bound to the session.
pub const ASKGATE_TARGET_CONNECTION: i32 = 2;
/// It is shown by the run's own elicitation client, which can answer only once.
pub const ASKGATE_TARGET_CLIENT: i32 = 3;
/// It is shown in a chat.
pub const ASKGATE_TARGET_CHAT: i32 = 4;

/// A pending prompt.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct askgate_prompt {
    /// Its number.
    pub prompt: u64,
    /// `ASKGATE_DIALECT_AGENT` or `ASKGATE_DIALECT_SESSION`.
    pub dialect: i32,
    /// Where it is shown: one of `ASKGATE_TARGET_...`.
    pub target: i32,
    /// Agent: the surface.
    pub surface: askgate_text,
    /// Agent: who asks, or absent.
    pub agent: askgate_text,
    /// Session: the session that asks.
    pub session: askgate_text,
    /// Session: the run that asks.
    pub run: askgate_text,
    /// For the targets connection and client: which; else 0.
    pub connection: u64,
    /// For the target chat: where.
    pub address: askgate_address,
    /// Somebody waits for the end.
    pub has_asker: bool,
    /// The connection that does; else 0.
    pub asker: u64,
    /// It times out.
    pub has_deadline: bool,
    /// When, in milliseconds; else 0.
    pub deadline: u64,
    /// When it was asked, in milliseconds since 1970 if `wall_clock_offset` was given.
    pub created_at: u64,
    /// What to show, as JSON. Agent: the `AskUserRequest`. Session: the params of `session.prompt.requested` without `seq`.
    pub json: askgate_text,
}

/// == Events of a gate ==
///
/// Nothing more: call again at `deadline` at the latest, if `has_deadline`, or after another call.
pub const ASKGATE_EVENT_WAIT: i32 = 0;
/// A prompt waits for an answer: `askgate_gate_prompt` tells what to show, and where.
pub const ASKGATE_EVENT_SHOWN: i32 = 1;
/// A prompt has ended.
pub const ASKGATE_EVENT_RESOLVED: i32 = 2;
/// Whether somebody can be asked has changed, for `session`, or for one `run` of it with a client of its own.
pub const ASKGATE_EVENT_AVAILABILITY: i32 = 3;

/// Something that happened.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct askgate_event {
    /// One of `ASKGATE_EVENT_...`.
    pub kind: i32,
    /// Shown and resolved: the event's number, from 1, without gaps.
    pub seq: u64,
    /// Shown and resolved: the prompt.
    pub prompt: u64,
    /// Resolved: how it ended, one of `ASKGATE_OUTCOME_...`.
    pub outcome: i32,
    /// Resolved as answered. Agent: the value, as `ASKGATE_RESOLVE_VALUE` takes it. Session: JSON, `[{"id", "selected":
    /// [labels], "custom"?}]` in question order. Absent for every other end: there is no answer, and none may be made up.
    pub answer: askgate_text,
    /// Resolved as cancelled: why, or absent.
    pub reason: askgate_text,
    /// Resolved, for dialect B: what the `ask` tool returns, as JSON.
    pub tool_result: askgate_text,
    /// Resolved: whether somebody waits for it.
    pub has_asker: bool,
    /// Resolved: the connection that does; else 0.
    pub asker: u64,
    /// Availability, and resolved for dialect B: the session.
    pub session: askgate_text,
    /// Availability, and resolved for dialect B: the run, or absent.
    pub run: askgate_text,
    /// Availability: somebody can be asked now.
    pub available: bool,
    /// Wait: some prompt times out.
    pub has_deadline: bool,
    /// Wait: when the first does, in milliseconds; else 0.
    pub deadline: u64,
    /// The event as JSON, for logs and tests: `{"shown": {"seq", "prompt"}}`, `{"resolved": {"seq", "prompt", "outcome",
    /// "answers"?, "reason"?}}` or `{"available": [session, run or null], "is"}`. Absent for wait.
    pub json: askgate_text,
}

const NO_EVENT: askgate_event = askgate_event {
    kind: ASKGATE_EVENT_WAIT,
    seq: 0,
    prompt: 0,
    outcome: codes::ASKGATE_OUTCOME_NONE,
    answer: askgate_text::ABSENT,
    reason: askgate_text::ABSENT,
    tool_result: askgate_text::ABSENT,
    has_asker: false,
    asker: 0,
    session: askgate_text::ABSENT,
    run: askgate_text::ABSENT,
    available: false,
    has_deadline: false,
    deadline: 0,
    json: askgate_text::ABSENT,
};

/// == The gate: making it ==
///
/// Makes a gate. `abi` is `ASKGATE_ABI_VERSION`; `config` may be NULL for the defaults. Writes the gate, which is the
/// caller's to free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_gate_new(
    abi: u32,
    config: *const askgate_config,
    gate: *mut *mut askgate_gate,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe { guard::new(abi, gate, || Ok(Engine { gate: Gate::new(self::config(config)?), polled: None })) }
}

/// Frees a gate, with all that was borrowed from it. NULL is fine. `ASKGATE_ERROR_IN_USE`, and nothing is freed, while a
/// call on it runs in another thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_gate_free(gate: *mut askgate_gate) -> askgate_result {
    // SAFETY: the header says what the pointer must be; NULL is taken.
    unsafe { guard::free(gate) }
}

/// Tells why the last call that takes the gate without `const` was refused.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_gate_error(
    gate: *const askgate_gate,
    error: *mut askgate_error,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe { guard::error(gate, error) }
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
            let client = self::protocol(protocol)?.client(capabilities.required()?);
            Ok(gate.attach_client(Millis(now), session, run, ConnectionId(connection), client))
        })
    }
}

pub(crate) fn protocol(number: i32) -> Result<Protocol, Fail> {
    match number {
        codes::ASKGATE_PROTOCOL_ACP => Ok(Protocol::Acp),
        codes::ASKGATE_PROTOCOL_MCP_2025_11_25 => Ok(Protocol::Mcp20251125),
        codes::ASKGATE_PROTOCOL_MCP_2026_07_28 => Ok(Protocol::Mcp20260728),
        _ => Err(Fail::Enum),
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
            let protocol = self::protocol(protocol)?;
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
            let (protocol, response) = (self::protocol(protocol)?, response.required()?);
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

/// == The gate: what goes away ==
///
/// A surface of dialect A is gone: its prompts are cancelled. Writes how many ended; `ended` may be NULL, as in the calls
/// below.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_gate_close_surface(
    gate: *mut askgate_gate,
    now: u64,
    surface: askgate_text,
    ended: *mut usize,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        guard::change(gate, Out::optional(ended), |gate, _| {
            Ok(gate.close_surface(Millis(now), surface.required()?))
        })
    }
}

/// A connection is gone: prompts shown on it are unavailable, prompts asked by it cancelled, its bindings and
/// acknowledgements removed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_gate_disconnect(
    gate: *mut askgate_gate,
    now: u64,
    connection: u64,
    ended: *mut usize,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        guard::change(gate, Out::optional(ended), |gate, _| {
            Ok(gate.disconnect(Millis(now), ConnectionId(connection)))
        })
    }
}

/// A run has ended: its prompt is cancelled; bindings stay.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_gate_end_run(
    gate: *mut askgate_gate,
    now: u64,
    session: askgate_text,
    run: askgate_text,
    ended: *mut usize,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        guard::change(gate, Out::optional(ended), |gate, _| {
            Ok(gate.end_run(Millis(now), session.required()?, run.required()?))
        })
    }
}

/// A session has ended: its prompt is cancelled; bindings stay.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_gate_end_session(
    gate: *mut askgate_gate,
    now: u64,
    session: askgate_text,
    ended: *mut usize,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        guard::change(gate, Out::optional(ended), |gate, _| {
            Ok(gate.end_session(Millis(now), session.required()?))
        })
    }
}

/// Everything is cancelled, and later asks are refused with `unavailable`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_gate_shutdown(
    gate: *mut askgate_gate,
    now: u64,
    ended: *mut usize,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe { guard::change(gate, Out::optional(ended), |gate, _| Ok(gate.shutdown(Millis(now)))) }
}

/// == The gate: what happened, and what is pending ==
///
/// Writes the next event, or `ASKGATE_EVENT_WAIT` and until when. Early, late or twice is harmless.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_gate_poll(
    gate: *mut askgate_gate,
    now: u64,
    event: *mut askgate_event,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        guard::change(gate, Out::required(event), |gate, lent| {
            gate.polled = None;
            Ok(match gate.poll(Millis(now)) {
                Poll::Event(event) => lend_event(lent, gate.polled.insert(event)),
                Poll::Wait(deadline) => {
                    let (has_deadline, deadline) = flagged(deadline.map(|at| at.0));
                    askgate_event { has_deadline, deadline, ..NO_EVENT }
                }
            })
        })
    }
}

fn lend_event(lent: &mut Lent, event: &Event) -> askgate_event {
    let json = lent.text(to_json(&EventJson(event)));
    match event {
        Event::Shown { seq, prompt } => {
            askgate_event { kind: ASKGATE_EVENT_SHOWN, seq: *seq, prompt: prompt.0, json, ..NO_EVENT }
        }
        Event::Resolved { seq, prompt, outcome } => {
            let (has_asker, asker) = flagged(prompt.asker().map(|asker| asker.0));
            let mut lending = askgate_event {
                kind: ASKGATE_EVENT_RESOLVED,
                seq: *seq,
                prompt: prompt.id().0,
                outcome: codes::of_outcome(outcome.kind()),
                answer: lend_answer(lent, prompt, outcome),
                reason: lent.copied(cancel_reason(outcome)),
                has_asker,
                asker,
                json,
                ..NO_EVENT
            };
            if let Origin::Session { session, run, .. } = prompt.origin() {
                lending.session = lent.copied(Some(session));
                lending.run = lent.copied(Some(run));
                lending.tool_result = lent.text(to_json(&ToolResult::ended(prompt.form(), outcome)));
            }
            lending
        }
        Event::Availability { session, run, available } => askgate_event {
            kind: ASKGATE_EVENT_AVAILABILITY,
            session: lent.copied(Some(session)),
            run: lent.copied(run.as_deref()),
            available: *available,
            json,
            ..NO_EVENT
        },
    }
}

fn lend_answer(lent: &mut Lent, prompt: &Prompt, outcome: &Outcome) -> askgate_text {
    let Outcome::Answered(answers) = outcome else { return askgate_text::ABSENT };
    let form = prompt.form();
    match prompt.origin() {
        Origin::Request { .. } => {
            let answer = form.question(0).zip(answers.as_slice().first());
            lent.copied(answer.map(|(question, answer)| value_of(question, answer)))
        }
        Origin::Session { .. } => lent.text(to_json(&Results { form, answers })),
    }
}

/// Writes whether any prompt times out, and when the first does, in milliseconds (else 0).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_gate_next_deadline(
    gate: *const askgate_gate,
    has_deadline: *mut bool,
    deadline: *mut u64,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        guard::look(gate, (Out::required(has_deadline), Out::required(deadline)), |gate| {
            Ok(flagged(gate.next_deadline().map(|at| at.0)))
        })
    }
}

pub(crate) fn lend_ids<'p>(lent: &mut Lent, prompts: impl IntoIterator<Item = &'p Prompt>) -> askgate_ids {
    lent.numbers(prompts.into_iter().map(|prompt| prompt.id().0).collect())
}

/// Writes the numbers of all pending prompts, in ask order.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_gate_pending(
    gate: *mut askgate_gate,
    prompts: *mut askgate_ids,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe { guard::change(gate, Out::required(prompts), |gate, lent| Ok(lend_ids(lent, gate.pending()))) }
}

/// Writes the numbers of the pending prompts of a surface of dialect A, in ask order. The first is the one to show.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_gate_pending_on(
    gate: *mut askgate_gate,
    surface: askgate_text,
    prompts: *mut askgate_ids,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        guard::change(gate, Out::required(prompts), |gate, lent| {
            Ok(lend_ids(lent, gate.pending_on(surface.required()?)))
        })
    }
}

/// Writes the number of the pending prompt of a session of dialect B: none or one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_gate_pending_of(
    gate: *mut askgate_gate,
    session: askgate_text,
    prompts: *mut askgate_ids,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        guard::change(gate, Out::required(prompts), |gate, lent| {
            Ok(lend_ids(lent, gate.pending_of(session.required()?)))
        })
    }
}

/// Writes what there is to know of a pending prompt. Refused with `not_found` if it is not pending.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_gate_prompt(
    gate: *mut askgate_gate,
    prompt: u64,
    about: *mut askgate_prompt,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        guard::change(gate, Out::required(about), |gate, lent| {
            Ok(lend_prompt(lent, gate.get(PromptId(prompt)).ok_or(Fail::NotFound)?))
        })
    }
}

/// Lends copies, since a claim is made of what they say, and the call that takes it may end the prompt.
pub(crate) fn lend_prompt(lent: &mut Lent, prompt: &Prompt) -> askgate_prompt {
    let (has_asker, asker) = flagged(prompt.asker().map(|asker| asker.0));
    let (has_deadline, deadline) = flagged(prompt.deadline().map(|at| at.0));
    let mut lending = askgate_prompt {
        prompt: prompt.id().0,
        dialect: codes::ASKGATE_DIALECT_AGENT,
        target: ASKGATE_TARGET_SURFACE,
        surface: askgate_text::ABSENT,
        agent: askgate_text::ABSENT,
        session: askgate_text::ABSENT,
        run: askgate_text::ABSENT,
        connection: 0,
        address: askgate_address::ABSENT,
        has_asker,
        asker,
        has_deadline,
        deadline,
        created_at: prompt.created_at(),
        json: lent.text(to_json(&PromptJson(prompt))),
    };
    match prompt.origin() {
        Origin::Request { surface, agent } => {
            lending.surface = lent.copied(Some(surface));
            lending.agent = lent.copied(agent.as_deref());
        }
        Origin::Session { session, run, target } => {
            lending.dialect = codes::ASKGATE_DIALECT_SESSION;
            lending.session = lent.copied(Some(session));
            lending.run = lent.copied(Some(run));
            match target {
                Target::Connection(connection) => {
                    lending.target = ASKGATE_TARGET_CONNECTION;
                    lending.connection = connection.0;
                }
                Target::Client(connection) => {
                    lending.target = ASKGATE_TARGET_CLIENT;
                    lending.connection = connection.0;
                }
                Target::Chat(address) => {
                    lending.target = ASKGATE_TARGET_CHAT;
                    lending.address = askgate_address::copied(lent, address);
                }
            }
        }
    }
    lending
}

/// Writes which connection asked a prompt that is pending or remembered. `has_asker` is false, and `asker` 0, where none
/// did or the prompt is not known.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_gate_asker(
    gate: *const askgate_gate,
    prompt: u64,
    has_asker: *mut bool,
    asker: *mut u64,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        guard::look(gate, (Out::required(has_asker), Out::required(asker)), |gate| {
            Ok(flagged(gate.asker(PromptId(prompt)).map(|asker| asker.0)))
        })
    }
}

/// Writes the number of the last event, and the prompts that are pending after it, in ask order: what a copy starts from.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_gate_snapshot(
    gate: *mut askgate_gate,
    seq: *mut u64,
    prompts: *mut askgate_ids,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        guard::change(gate, (Out::required(seq), Out::required(prompts)), |gate, lent| {
            let (seq, pending) = gate.snapshot();
            Ok((seq, lend_ids(lent, pending)))
        })
    }
}

/// The outcome of that number.
pub(crate) fn outcome(number: i32) -> Result<OutcomeKind, Fail> {
    OutcomeKind::ALL.into_iter().find(|kind| codes::of_outcome(*kind) == number).ok_or(Fail::Enum)
}
