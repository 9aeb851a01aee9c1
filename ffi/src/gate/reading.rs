//! What happened, and what is pending.

use super::{askgate_address, askgate_gate};
use crate::codes::{self, askgate_result};
use crate::fail::Fail;
use crate::guard::{self, Lent, askgate_ids};
use crate::pointer::{Out, flagged};
use crate::text::askgate_text;
use askgate_core::answer::Outcome;
use askgate_core::dialect::agent::value_of;
use askgate_core::dialect::session::{Results, ToolResult};
use askgate_core::dialect::typed::{EventJson, PromptJson, cancel_reason};
use askgate_core::gate::{Event, Origin, Poll, Prompt, Target};
use askgate_core::id::PromptId;
use askgate_core::json::to_json;
use askgate_core::time::Millis;

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
