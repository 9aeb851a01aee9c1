//! The endpoint.

use crate::bridge::{counted, fail, give_text, give_time, lend_text, millis, with_input};
use crate::gate::{config, connection_id, protocol};
use crate::objects::Objects;
use alloc::string::{String, ToString};
use askgate::endpoint::{AttachError, Authority, Endpoint, Output, PaneError, Receive};
use askgate::error::Code;
use askgate::gate::Poll;
use askgate::json::ToJson;
use askgate::time::Millis;

static ENDPOINTS: Objects<Endpoint> = Objects::new();

#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_endpoint_new() -> i32 {
    ENDPOINTS.add(Endpoint::new(config()))
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_endpoint_free(endpoint: usize) {
    ENDPOINTS.remove(endpoint);
}

/// Opens a connection, which is the number given; the bits of `may` are observer, answer, operator, runtime.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_endpoint_connect(endpoint: usize, now: f64, may: u32) -> i32 {
    let authority = Authority {
        observer: may & 1 != 0,
        answer: may & 2 != 0,
        operator: may & 4 != 0,
        runtime: may & 8 != 0,
    };
    ENDPOINTS.with(endpoint, |endpoint| match endpoint.connect(millis(now), authority) {
        Ok(connection) => give_time(Some(Millis(connection.0))),
        Err(error) => fail(Code::AtCapacity, "", &error.to_string()),
    })
}

/// Takes a line; gives whether it was taken.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_endpoint_receive(endpoint: usize, now: f64, connection: f64, line: usize) -> i32 {
    ENDPOINTS.with(endpoint, |endpoint| {
        with_input(|input| {
            match endpoint.receive(millis(now), connection_id(connection), input.bytes(line)) {
                Ok(Receive::Taken) => 1,
                Ok(Receive::Full) => 0,
                Err(error) => fail(Code::NotFound, "/connection", &error.to_string()),
            }
        })
    })
}

/// The next output: 2 a line, with the number of its connection; 3 the placement of a pane to open, with the number of the
/// request; 4 the agent of a pane to close; 5 an availability, as JSON. Or 1 with the next deadline, or 0 if there is none.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_endpoint_poll(endpoint: usize, now: f64) -> i32 {
    ENDPOINTS.with(endpoint, |endpoint| match endpoint.poll(millis(now)) {
        Poll::Wait(deadline) => give_time(deadline),
        Poll::Event(Output::Send { to, line }) => {
            lend_text(line);
            give_time(Some(Millis(to.0))) + 1
        }
        Poll::Event(Output::OpenPane { request, placement }) => {
            lend_text(placement.as_str());
            give_time(Some(Millis(request))) + 2
        }
        Poll::Event(Output::ClosePane { agent }) => {
            lend_text(agent);
            4
        }
        Poll::Event(Output::Availability { session, run, available }) => {
            let mut list = String::from("[");
            session.write_json(&mut list);
            list.push(',');
            run.write_json(&mut list);
            list.push_str(if available { ",true]" } else { ",false]" });
            give_text(list);
            5
        }
        // An output that this package does not know is not one that it can pass on.
        Poll::Event(_) => fail(Code::InvalidValue, "", "Use the package with the core that it was made for."),
    })
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_endpoint_next_deadline(endpoint: usize) -> i32 {
    ENDPOINTS.with(endpoint, |endpoint| give_time(endpoint.next_deadline()))
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_endpoint_disconnect(endpoint: usize, now: f64, connection: f64) -> i32 {
    ENDPOINTS.with(endpoint, |endpoint| counted(endpoint.disconnect(millis(now), connection_id(connection))))
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_endpoint_close_surface(endpoint: usize, now: f64, surface: usize) -> i32 {
    ENDPOINTS.with(endpoint, |endpoint| {
        with_input(|input| counted(endpoint.close_surface(millis(now), input.text(surface))))
    })
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_endpoint_end_run(endpoint: usize, now: f64, session: usize, run: usize) -> i32 {
    ENDPOINTS.with(endpoint, |endpoint| {
        with_input(|input| counted(endpoint.end_run(millis(now), input.text(session), input.text(run))))
    })
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_endpoint_end_session(endpoint: usize, now: f64, session: usize) -> i32 {
    ENDPOINTS.with(endpoint, |endpoint| {
        with_input(|input| counted(endpoint.end_session(millis(now), input.text(session))))
    })
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_endpoint_shutdown(endpoint: usize, now: f64) -> i32 {
    ENDPOINTS.with(endpoint, |endpoint| counted(endpoint.shutdown(millis(now))))
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_endpoint_can_ask(endpoint: usize, session: usize, run: usize) -> i32 {
    ENDPOINTS.with(endpoint, |endpoint| {
        with_input(|input| i32::from(endpoint.can_ask(input.text(session), input.text(run))))
    })
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_endpoint_pane_opened(
    endpoint: usize,
    now: f64,
    request: f64,
    agent: usize,
    surface: usize,
) -> i32 {
    ENDPOINTS.with(endpoint, |endpoint| {
        with_input(|input| {
            let (agent, surface) = (input.text(agent), input.text(surface));
            match endpoint.pane_opened(millis(now), millis(request).0, agent, surface) {
                Ok(()) => 0,
                Err(error) => fail_pane(&error),
            }
        })
    })
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_endpoint_pane_failed(endpoint: usize, now: f64, request: f64, why: usize) -> i32 {
    ENDPOINTS.with(endpoint, |endpoint| {
        with_input(|input| match endpoint.pane_failed(millis(now), millis(request).0, input.text(why)) {
            Ok(()) => 0,
            Err(error) => fail_pane(&error),
        })
    })
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_endpoint_pane_closed(endpoint: usize, now: f64, agent: usize) -> i32 {
    ENDPOINTS.with(endpoint, |endpoint| {
        with_input(|input| match endpoint.pane_closed(millis(now), input.text(agent)) {
            Ok(ended) => counted(ended),
            Err(error) => fail_pane(&error),
        })
    })
}

fn fail_pane(error: &PaneError) -> i32 {
    let code = match error {
        PaneError::UnknownRequest(_) | PaneError::UnknownAgent => Code::NotFound,
        PaneError::Id(fault) => fault.code,
        _ => Code::Duplicate,
    };
    fail(code, "", &error.to_string())
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_endpoint_attach_client(
    endpoint: usize,
    now: f64,
    connection: f64,
    session: usize,
    run: usize,
    named: usize,
    capabilities: usize,
) -> i32 {
    ENDPOINTS.with(endpoint, |endpoint| {
        with_input(|input| {
            let (session, run) = (input.text(session), input.text(run));
            let protocol = match protocol(input.text(named)) {
                Ok(protocol) => protocol,
                Err(failed) => return failed,
            };
            let (now, connection) = (millis(now), connection_id(connection));
            match endpoint.attach_client(now, connection, session, run, protocol, input.text(capabilities)) {
                Ok(able) => i32::from(able),
                Err(error) => {
                    let code = match &error {
                        AttachError::Id(fault) => fault.code,
                        _ => Code::NotFound,
                    };
                    fail(code, "", &error.to_string())
                }
            }
        })
    })
}
