//! The gate, without wire formats.

use crate::bridge::{
    Global, counted, fail, fail_at, fail_refused, fail_request, give_json, give_text, give_time, millis,
    with_input,
};
use crate::objects::Objects;
use alloc::string::{String, ToString};
use askgate::dialect::elicitation::Protocol;
use askgate::dialect::typed::{
    ClaimRecord, EventJson, PromptJson, ResolutionRecord, parse_address, parse_ask, parse_limits,
};
use askgate::error::Code;
use askgate::gate::{Config, Gate, Poll};
use askgate::id::{ConnectionId, PromptId, RunId, SessionKey};
use askgate::time::Millis;
use core::cell::Cell;
use core::ops::{Deref, DerefMut};

pub(crate) static GATES: Objects<Host> = Objects::new();

/// A gate, and what a router may have to be told of it.
pub(crate) struct Host {
    gate: Gate,
    /// What the last poll gave.
    #[cfg(feature = "chat")]
    pub(crate) polled: Option<askgate::gate::Event>,
}

impl Deref for Host {
    type Target = Gate;

    fn deref(&self) -> &Gate {
        &self.gate
    }
}

impl DerefMut for Host {
    fn deref_mut(&mut self) -> &mut Gate {
        &mut self.gate
    }
}

/// The configuration of the next gate or endpoint.
static CONFIG: Global<Cell<Option<Config>>> = Global(Cell::new(None));

/// Takes the configuration of the next gate or endpoint, with the limits that differ from the usual as JSON.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_config(first_prompt_id: usize, limits: usize, wall_clock_offset: f64) -> i32 {
    with_input(|input| {
        let mut config = Config::default();
        config.wall_clock_offset = millis(wall_clock_offset).0;
        let Some(first) = input.number(first_prompt_id) else {
            return fail(Code::InvalidValue, "/firstPromptId", "Give a number below 2^64.");
        };
        config.first_prompt_id = first;
        match parse_limits(input.text(limits)) {
            Ok(limits) => config.limits = limits,
            Err(error) => return fail_request(&error),
        }
        CONFIG.0.set(Some(config));
        0
    })
}

/// The configuration that was taken.
pub(crate) fn config() -> Config {
    CONFIG.0.take().unwrap_or_default()
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_gate_new() -> i32 {
    GATES.add(Host {
        gate: Gate::new(config()),
        #[cfg(feature = "chat")]
        polled: None,
    })
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_gate_free(gate: usize) {
    GATES.remove(gate);
}

/// Asks; the prompt's id is the text given.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_gate_ask(gate: usize, now: f64, ask: usize) -> i32 {
    GATES.with(gate, |gate| {
        let ask = match with_input(|input| parse_ask(input.text(ask), gate.limits())) {
            Ok(ask) => ask,
            Err(error) => {
                gate.advance(millis(now));
                return fail_request(&error);
            }
        };
        match gate.ask(millis(now), ask) {
            Ok(prompt) => {
                give_text(prompt.to_string());
                0
            }
            Err(error) => fail(error.code(), "", &error.to_string()),
        }
    })
}

/// Binds a connection, or no longer. Gives whether it is, or was, bound to it.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_gate_bind(
    gate: usize,
    now: f64,
    session: usize,
    connection: f64,
    enabled: u32,
) -> i32 {
    let connection = connection_id(connection);
    GATES.with(gate, |gate| {
        with_input(|input| {
            let session = input.text(session);
            if enabled == 0 {
                return i32::from(gate.unbind(millis(now), session, connection));
            }
            match SessionKey::new(session, gate.limits()) {
                Ok(session) => {
                    gate.bind(millis(now), session, connection);
                    1
                }
                Err(fault) => fail_at("/session", &fault),
            }
        })
    })
}

/// As [`ag_gate_bind`], for a chat.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_gate_bind_chat(
    gate: usize,
    now: f64,
    session: usize,
    address: usize,
    enabled: u32,
) -> i32 {
    GATES.with(gate, |gate| {
        with_input(|input| {
            let session = input.text(session);
            let address = match parse_address(input.text(address)) {
                Ok(address) => address,
                Err(error) => return fail_request(&error),
            };
            if enabled == 0 {
                return i32::from(gate.unbind_chat(millis(now), session, &address));
            }
            match SessionKey::new(session, gate.limits()) {
                Ok(session) => {
                    gate.bind_chat(millis(now), session, address);
                    1
                }
                Err(fault) => fail_at("/session", &fault),
            }
        })
    })
}

/// The protocol of a name, or that there is none.
pub(crate) fn protocol(name: &str) -> Result<Protocol, i32> {
    Protocol::from_name(name)
        .ok_or_else(|| fail(Code::InvalidValue, "/protocol", "Give acp, mcp-2025-11-25 or mcp-2026-07-28."))
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_gate_attach_client(
    gate: usize,
    now: f64,
    connection: f64,
    session: usize,
    run: usize,
    named: usize,
    capabilities: usize,
) -> i32 {
    GATES.with(gate, |gate| {
        with_input(|input| {
            let session = match SessionKey::new(input.text(session), gate.limits()) {
                Ok(session) => session,
                Err(fault) => return fail_at("/session", &fault),
            };
            let run = match RunId::new(input.text(run), gate.limits()) {
                Ok(run) => run,
                Err(fault) => return fail_at("/run", &fault),
            };
            let protocol = match protocol(input.text(named)) {
                Ok(protocol) => protocol,
                Err(failed) => return failed,
            };
            let client = protocol.client(input.text(capabilities));
            i32::from(gate.attach_client(millis(now), session, run, connection_id(connection), client))
        })
    })
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_gate_can_ask(gate: usize, session: usize, run: usize) -> i32 {
    GATES.with(gate, |gate| with_input(|input| i32::from(gate.can_ask(input.text(session), input.text(run)))))
}

/// Acknowledges, or goes back. Gives the state after the call.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_gate_step(gate: usize, now: f64, claim: usize, acknowledge: u32) -> i32 {
    GATES.with(gate, |gate| {
        let claim = match with_input(|input| ClaimRecord::parse(input.text(claim), gate.limits())) {
            Ok(claim) => claim,
            Err(error) => return fail_request(&error),
        };
        let stepped = match acknowledge {
            0 => gate.back(millis(now), &claim.claim()),
            _ => gate.acknowledge(millis(now), &claim.claim()),
        };
        match stepped {
            Ok(is) => i32::from(is),
            Err(error) => fail_refused(&error),
        }
    })
}

/// Resolves; the outcome's name is the text given.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_gate_resolve(gate: usize, now: f64, claim: usize, resolution: usize) -> i32 {
    GATES.with(gate, |gate| {
        with_input(|input| {
            let claim = match ClaimRecord::parse(input.text(claim), gate.limits()) {
                Ok(claim) => claim,
                Err(error) => return fail_request(&error),
            };
            let resolution = match ResolutionRecord::parse(input.text(resolution), gate.limits()) {
                Ok(resolution) => resolution,
                Err(error) => return fail_request(&error),
            };
            given_outcome(gate.resolve(millis(now), &claim.claim(), resolution.resolution()))
        })
    })
}

/// The surface of a prompt is lost; the outcome's name is the text given.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_gate_lose(gate: usize, now: f64, claim: usize) -> i32 {
    GATES.with(gate, |gate| match with_input(|input| ClaimRecord::parse(input.text(claim), gate.limits())) {
        Ok(claim) => given_outcome(gate.lose(millis(now), &claim.claim())),
        Err(error) => fail_request(&error),
    })
}

fn given_outcome(resolved: Result<askgate::answer::OutcomeKind, askgate::error::ResolveError>) -> i32 {
    match resolved {
        Ok(outcome) => {
            give_text(outcome.as_str());
            0
        }
        Err(error) => fail_refused(&error),
    }
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_gate_withdraw(gate: usize, now: f64, prompt: usize, asker: f64) -> i32 {
    GATES.with(gate, |gate| {
        let prompt = with_input(|input| input.number(prompt));
        gate.advance(millis(now));
        let asker = connection_id(asker);
        i32::from(prompt.is_some_and(|prompt| gate.withdraw(millis(now), PromptId(prompt), asker)))
    })
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_gate_close_surface(gate: usize, now: f64, surface: usize) -> i32 {
    GATES.with(gate, |gate| with_input(|input| counted(gate.close_surface(millis(now), input.text(surface)))))
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_gate_disconnect(gate: usize, now: f64, connection: f64) -> i32 {
    GATES.with(gate, |gate| counted(gate.disconnect(millis(now), connection_id(connection))))
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_gate_end_run(gate: usize, now: f64, session: usize, run: usize) -> i32 {
    GATES.with(gate, |gate| {
        with_input(|input| counted(gate.end_run(millis(now), input.text(session), input.text(run))))
    })
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_gate_end_session(gate: usize, now: f64, session: usize) -> i32 {
    GATES.with(gate, |gate| with_input(|input| counted(gate.end_session(millis(now), input.text(session)))))
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_gate_shutdown(gate: usize, now: f64) -> i32 {
    GATES.with(gate, |gate| counted(gate.shutdown(millis(now))))
}

/// The next event as JSON, and 2; or 1 and the next deadline, or 0 if there is none.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_gate_poll(gate: usize, now: f64) -> i32 {
    GATES.with(gate, |gate| match gate.poll(millis(now)) {
        Poll::Event(event) => {
            give_json(&EventJson(&event));
            #[cfg(feature = "chat")]
            {
                gate.polled = Some(event);
            }
            2
        }
        Poll::Wait(deadline) => {
            #[cfg(feature = "chat")]
            {
                gate.polled = None;
            }
            give_time(deadline)
        }
    })
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_gate_next_deadline(gate: usize) -> i32 {
    GATES.with(gate, |gate| give_time(gate.next_deadline()))
}

/// Gives the ids of pending prompts as a JSON list: `of` counts all, those of a surface, that of a session.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_gate_pending(gate: usize, of: u32, name: usize) -> i32 {
    GATES.with(gate, |gate| {
        with_input(|input| {
            let name = input.text(name);
            match of {
                0 => give_ids(gate.pending().map(|prompt| prompt.id())),
                1 => give_ids(gate.pending_on(name).map(|prompt| prompt.id())),
                _ => give_ids(gate.pending_of(name).into_iter().map(|prompt| prompt.id())),
            }
            0
        })
    })
}

/// Gives the ids of all pending prompts as a JSON list, and the number of the last event.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_gate_snapshot(gate: usize) -> i32 {
    GATES.with(gate, |gate| {
        let (seq, pending) = gate.snapshot();
        give_ids(pending.map(|prompt| prompt.id()));
        let _ = give_time(Some(Millis(seq)));
        0
    })
}

/// Ids are strings in JavaScript, since a number there does not hold them all.
fn give_ids(ids: impl Iterator<Item = PromptId>) {
    let mut list = String::from("[");
    for id in ids {
        if list.len() > 1 {
            list.push(',');
        }
        list.push('"');
        list.push_str(&id.to_string());
        list.push('"');
    }
    list.push(']');
    give_text(list);
}

/// Gives a pending prompt as JSON, and 1, or 0 if it is not pending.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_gate_get(gate: usize, prompt: usize) -> i32 {
    GATES.with(gate, |gate| {
        let prompt = with_input(|input| input.number(prompt)).and_then(|prompt| gate.get(PromptId(prompt)));
        prompt.map_or(0, |prompt| {
            give_json(&PromptJson(prompt));
            1
        })
    })
}

/// Gives who asked a prompt, and 1, or 0 if that is not known.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_gate_asker(gate: usize, prompt: usize) -> i32 {
    GATES.with(gate, |gate| {
        let asker = with_input(|input| input.number(prompt)).and_then(|prompt| gate.asker(PromptId(prompt)));
        asker.map_or(0, |asker| {
            let _ = give_time(Some(Millis(asker.0)));
            1
        })
    })
}

/// A connection from JavaScript, which has checked it.
pub(crate) const fn connection_id(number: f64) -> ConnectionId {
    ConnectionId(millis(number).0)
}
