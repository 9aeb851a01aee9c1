//! The endpoint: lines in, lines out.

use crate::codes::{self, askgate_result};
use crate::config::{askgate_config, config};
use crate::fail::{Fail, askgate_error};
use crate::gate::reading::{askgate_prompt, lend_ids, lend_prompt};
use crate::guard::{self, Handle, askgate_ids, opaque};
use crate::pointer::{Out, flagged};
use crate::text::askgate_text;
use askgate_core::endpoint::{
    AttachError, Authority, Endpoint, Output, PaneError, Placement, Receive, TooManyConnections,
};
use askgate_core::error::AskError;
use askgate_core::gate::Poll;
use askgate_core::id::{ConnectionId, PromptId};
use askgate_core::time::Millis;

/// The protocol server without its I/O. Made by `askgate_endpoint_new`.
pub struct askgate_endpoint(Handle<Endpoint>);

opaque!(askgate_endpoint, Endpoint);

/// == What a connection may do ==
///
/// The connection gets dialect A's pushes, and dialect B's too if it is also an operator.
pub const ASKGATE_AUTHORITY_OBSERVER: u32 = 1;
/// The connection may answer and cancel dialect A's prompts.
pub const ASKGATE_AUTHORITY_ANSWER: u32 = 2;
/// The connection may bind sessions and resolve dialect B's prompts.
pub const ASKGATE_AUTHORITY_OPERATOR: u32 = 4;
/// The connection may ask for runs of dialect B, and end them.
pub const ASKGATE_AUTHORITY_RUNTIME: u32 = 8;

/// == Outputs of an endpoint ==
///
/// Nothing more: call again at `deadline` at the latest, if `has_deadline`, or after another call.
pub const ASKGATE_OUTPUT_WAIT: i32 = 0;
/// Send `line` to `connection`; the line end is yours to add. If the connection is gone, there is nothing to do.
pub const ASKGATE_OUTPUT_SEND: i32 = 1;
/// Open a pane at `placement`, then report it under `request` by `askgate_endpoint_pane_opened` or `..._pane_failed`.
pub const ASKGATE_OUTPUT_OPEN_PANE: i32 = 2;
/// Close the pane of `agent`, then report it by `askgate_endpoint_pane_closed`.
pub const ASKGATE_OUTPUT_CLOSE_PANE: i32 = 3;
/// Whether somebody can be asked has changed, for `session`, or for one `run` of it with a client of its own.
pub const ASKGATE_OUTPUT_AVAILABILITY: i32 = 4;

/// == Where a pane goes ==
///
/// A workspace of its own.
pub const ASKGATE_PLACEMENT_WORKSPACE: i32 = 1;
/// A split to the right.
pub const ASKGATE_PLACEMENT_RIGHT: i32 = 2;
/// A split below.
pub const ASKGATE_PLACEMENT_DOWN: i32 = 3;

/// What the host is to do.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct askgate_output {
    /// One of `ASKGATE_OUTPUT_...`.
    pub kind: i32,
    /// Send: to whom.
    pub connection: u64,
    /// Send: one JSON object, without a line end.
    pub line: askgate_text,
    /// Open pane: the number to report it by.
    pub request: u64,
    /// Open pane: one of `ASKGATE_PLACEMENT_...`.
    pub placement: i32,
    /// Close pane: the agent in it.
    pub agent: askgate_text,
    /// Availability: the session.
    pub session: askgate_text,
    /// Availability: the run, or absent.
    pub run: askgate_text,
    /// Availability: somebody can be asked now.
    pub available: bool,
    /// Wait: some prompt times out.
    pub has_deadline: bool,
    /// Wait: when the first does, in milliseconds; else 0.
    pub deadline: u64,
}

const NO_OUTPUT: askgate_output = askgate_output {
    kind: ASKGATE_OUTPUT_WAIT,
    connection: 0,
    line: askgate_text::ABSENT,
    request: 0,
    placement: 0,
    agent: askgate_text::ABSENT,
    session: askgate_text::ABSENT,
    run: askgate_text::ABSENT,
    available: false,
    has_deadline: false,
    deadline: 0,
};

/// == The endpoint: making it ==
///
/// Makes an endpoint. `abi` is `ASKGATE_ABI_VERSION`; `config` may be NULL for the defaults. Writes the endpoint, which
/// is the caller's to free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_endpoint_new(
    abi: u32,
    config: *const askgate_config,
    endpoint: *mut *mut askgate_endpoint,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe { guard::new(abi, endpoint, || Ok(Endpoint::new(self::config(config)?))) }
}

/// Frees an endpoint, with all that was borrowed from it. NULL is fine. `ASKGATE_ERROR_IN_USE`, and nothing is freed,
/// while a call on it runs in another thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_endpoint_free(endpoint: *mut askgate_endpoint) -> askgate_result {
    // SAFETY: the header says what the pointer must be; NULL is taken.
    unsafe { guard::free(endpoint) }
}

/// Tells why the last call that takes the endpoint without `const` was refused.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_endpoint_error(
    endpoint: *const askgate_endpoint,
    error: *mut askgate_error,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe { guard::error(endpoint, error) }
}

/// == The endpoint: connections and lines ==
///
/// Opens a connection that may do what `authority` says, any of `ASKGATE_AUTHORITY_...` added up, and writes its number.
/// Refused with `at_capacity` over the limit.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_endpoint_connect(
    endpoint: *mut askgate_endpoint,
    now: u64,
    authority: u32,
    connection: *mut u64,
) -> askgate_result {
    const ALL: u32 = ASKGATE_AUTHORITY_OBSERVER
        | ASKGATE_AUTHORITY_ANSWER
        | ASKGATE_AUTHORITY_OPERATOR
        | ASKGATE_AUTHORITY_RUNTIME;
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        guard::change(endpoint, Out::required(connection), |endpoint, _| {
            if authority & !ALL != 0 {
                return Err(Fail::Enum);
            }
            let authority = Authority {
                observer: authority & ASKGATE_AUTHORITY_OBSERVER != 0,
                answer: authority & ASKGATE_AUTHORITY_ANSWER != 0,
                operator: authority & ASKGATE_AUTHORITY_OPERATOR != 0,
                runtime: authority & ASKGATE_AUTHORITY_RUNTIME != 0,
            };
            let opened = endpoint.connect(Millis(now), authority);
            Ok(opened.map_err(|TooManyConnections| Fail::Ask(AskError::AtCapacity))?.0)
        })
    }
}

/// Attaches an open connection as a run's own elicitation client. `protocol` is one of `ASKGATE_PROTOCOL_...`;
/// `capabilities` is the whole object that the client negotiated, as JSON. If they include forms, the run asks through that
/// client and needs no bound surface. Writes whether it can be asked; `able` may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_endpoint_attach_client(
    endpoint: *mut askgate_endpoint,
    now: u64,
    connection: u64,
    session: askgate_text,
    run: askgate_text,
    protocol: i32,
    capabilities: askgate_text,
    able: *mut bool,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        guard::change(endpoint, Out::optional(able), |endpoint, _| {
            let (session, run) = (session.required()?, run.required()?);
            let (protocol, capabilities) = (codes::protocol(protocol)?, capabilities.required()?);
            let connection = ConnectionId(connection);
            let attached =
                endpoint.attach_client(Millis(now), connection, session, run, protocol, capabilities);
            Ok(attached?)
        })
    }
}

/// Takes one line from a connection, without its line end. It may be any bytes: what is wrong with it is told to the
/// peer. `ASKGATE_FULL`: poll the outputs, then give the same line again. `ASKGATE_UNKNOWN_CONNECTION` if it is not open.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_endpoint_receive(
    endpoint: *mut askgate_endpoint,
    now: u64,
    connection: u64,
    line: askgate_text,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        guard::change(endpoint, (), |endpoint, _| {
            match endpoint.receive(Millis(now), ConnectionId(connection), line.bytes()?) {
                Ok(Receive::Taken) => Ok(()),
                Ok(Receive::Full) => Err(Fail::Full),
                Err(_) => Err(Fail::UnknownConnection),
            }
        })
    }
}

/// Writes the next output, or `ASKGATE_OUTPUT_WAIT` and until when. Early, late or twice is harmless.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_endpoint_poll(
    endpoint: *mut askgate_endpoint,
    now: u64,
    output: *mut askgate_output,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        guard::change(endpoint, Out::required(output), |endpoint, lent| {
            Ok(match endpoint.poll(Millis(now)) {
                Poll::Wait(deadline) => {
                    let (has_deadline, deadline) = flagged(deadline.map(|at| at.0));
                    askgate_output { has_deadline, deadline, ..NO_OUTPUT }
                }
                Poll::Event(Output::Send { to, line }) => askgate_output {
                    kind: ASKGATE_OUTPUT_SEND,
                    connection: to.0,
                    line: lent.kept(line),
                    ..NO_OUTPUT
                },
                Poll::Event(Output::OpenPane { request, placement }) => askgate_output {
                    kind: ASKGATE_OUTPUT_OPEN_PANE,
                    request,
                    placement: match placement {
                        Placement::Workspace => ASKGATE_PLACEMENT_WORKSPACE,
                        Placement::Right => ASKGATE_PLACEMENT_RIGHT,
                        Placement::Down => ASKGATE_PLACEMENT_DOWN,
                    },
                    ..NO_OUTPUT
                },
                Poll::Event(Output::ClosePane { agent }) => askgate_output {
                    kind: ASKGATE_OUTPUT_CLOSE_PANE,
                    agent: lent.copied(Some(agent)),
                    ..NO_OUTPUT
                },
                Poll::Event(Output::Availability { session, run, available }) => askgate_output {
                    kind: ASKGATE_OUTPUT_AVAILABILITY,
                    session: lent.copied(Some(session)),
                    run: lent.copied(run),
                    available,
                    ..NO_OUTPUT
                },
                // The enum may grow with the core, which is built together with this file.
                Poll::Event(_) => return Err(Fail::Enum),
            })
        })
    }
}

/// Writes whether any prompt times out, and when the first does, in milliseconds (else 0).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_endpoint_next_deadline(
    endpoint: *const askgate_endpoint,
    has_deadline: *mut bool,
    deadline: *mut u64,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        guard::look(endpoint, (Out::required(has_deadline), Out::required(deadline)), |endpoint| {
            Ok(flagged(endpoint.next_deadline().map(|at| at.0)))
        })
    }
}

/// == The endpoint: what goes away ==
///
/// A connection is gone: prompts shown on it become unavailable, prompts that it asked are cancelled, and nothing is
/// addressed to it any more. Writes how many ended; `ended` may be NULL, as in the calls below.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_endpoint_disconnect(
    endpoint: *mut askgate_endpoint,
    now: u64,
    connection: u64,
    ended: *mut usize,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        guard::change(endpoint, Out::optional(ended), |endpoint, _| {
            Ok(endpoint.disconnect(Millis(now), ConnectionId(connection)))
        })
    }
}

/// A surface of dialect A is gone: its prompts are cancelled.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_endpoint_close_surface(
    endpoint: *mut askgate_endpoint,
    now: u64,
    surface: askgate_text,
    ended: *mut usize,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        guard::change(endpoint, Out::optional(ended), |endpoint, _| {
            Ok(endpoint.close_surface(Millis(now), surface.required()?))
        })
    }
}

/// A run has ended: its prompt is cancelled; bindings stay.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_endpoint_end_run(
    endpoint: *mut askgate_endpoint,
    now: u64,
    session: askgate_text,
    run: askgate_text,
    ended: *mut usize,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        guard::change(endpoint, Out::optional(ended), |endpoint, _| {
            Ok(endpoint.end_run(Millis(now), session.required()?, run.required()?))
        })
    }
}

/// A session has ended: its prompt is cancelled; bindings stay.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_endpoint_end_session(
    endpoint: *mut askgate_endpoint,
    now: u64,
    session: askgate_text,
    ended: *mut usize,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        guard::change(endpoint, Out::optional(ended), |endpoint, _| {
            Ok(endpoint.end_session(Millis(now), session.required()?))
        })
    }
}

/// Everything is cancelled, and later asks are refused as unavailable. Poll the last outputs, then free the endpoint.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_endpoint_shutdown(
    endpoint: *mut askgate_endpoint,
    now: u64,
    ended: *mut usize,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe { guard::change(endpoint, Out::optional(ended), |endpoint, _| Ok(endpoint.shutdown(Millis(now)))) }
}

/// == The endpoint: what is pending ==
///
/// Writes whether a prompt of that run could be shown now. Advertise the `ask` tool by it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_endpoint_can_ask(
    endpoint: *const askgate_endpoint,
    session: askgate_text,
    run: askgate_text,
    can: *mut bool,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        guard::look(endpoint, Out::required(can), |endpoint| {
            Ok(endpoint.can_ask(session.required()?, run.required()?))
        })
    }
}

/// Writes the number of the last event, and the prompts that are pending after it, in ask order.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_endpoint_snapshot(
    endpoint: *mut askgate_endpoint,
    seq: *mut u64,
    prompts: *mut askgate_ids,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        guard::change(endpoint, (Out::required(seq), Out::required(prompts)), |endpoint, lent| {
            let (seq, pending) = endpoint.gate().snapshot();
            Ok((seq, lend_ids(lent, pending)))
        })
    }
}

/// Writes what there is to know of a pending prompt. Refused with `not_found` if it is not pending.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_endpoint_prompt(
    endpoint: *mut askgate_endpoint,
    prompt: u64,
    about: *mut askgate_prompt,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        guard::change(endpoint, Out::required(about), |endpoint, lent| {
            let prompt = endpoint.gate().get(PromptId(prompt)).ok_or(Fail::NotFound)?;
            Ok(lend_prompt(lent, prompt))
        })
    }
}

/// == The endpoint: panes ==
///
/// The pane that `ASKGATE_OUTPUT_OPEN_PANE` asked for is open, with that agent and surface. `ASKGATE_UNKNOWN_PANE` if none
/// is being opened under that number; `ASKGATE_PANE_IN_USE` if another pane has one of the ids, and then the pane is still
/// being opened.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_endpoint_pane_opened(
    endpoint: *mut askgate_endpoint,
    now: u64,
    request: u64,
    agent: askgate_text,
    surface: askgate_text,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        guard::change(endpoint, (), |endpoint, _| {
            let (agent, surface) = (agent.required()?, surface.required()?);
            endpoint.pane_opened(Millis(now), request, agent, surface)?;
            Ok(())
        })
    }
}

/// The pane could not be opened, and why, in one sentence for whoever asked for it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_endpoint_pane_failed(
    endpoint: *mut askgate_endpoint,
    now: u64,
    request: u64,
    why: askgate_text,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        guard::change(endpoint, (), |endpoint, _| {
            endpoint.pane_failed(Millis(now), request, why.required()?)?;
            Ok(())
        })
    }
}

/// The pane is gone, whether or not somebody asked for it: its surface closes. Writes how many prompts ended; `ended` may
/// be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_endpoint_pane_closed(
    endpoint: *mut askgate_endpoint,
    now: u64,
    agent: askgate_text,
    ended: *mut usize,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        guard::change(endpoint, Out::optional(ended), |endpoint, _| {
            Ok(endpoint.pane_closed(Millis(now), agent.required()?)?)
        })
    }
}

impl From<AttachError> for Fail {
    fn from(error: AttachError) -> Self {
        match error {
            AttachError::Id(fault) => Self::Text(fault),
            _ => Self::UnknownConnection,
        }
    }
}

impl From<PaneError> for Fail {
    fn from(error: PaneError) -> Self {
        match error {
            PaneError::InUse => Self::PaneInUse,
            PaneError::Id(fault) => Self::Text(fault),
            _ => Self::UnknownPane,
        }
    }
}
