//! What goes away, with the prompts that it ends.

use super::askgate_gate;
use crate::codes::askgate_result;
use crate::guard;
use crate::pointer::Out;
use crate::text::askgate_text;
use askgate_core::id::ConnectionId;
use askgate_core::time::Millis;

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
