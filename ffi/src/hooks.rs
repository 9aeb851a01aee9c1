//! Calls that panic, for the tests of the guard. They are in no release and in no header.

use crate::chat::askgate_router;
use crate::codes::askgate_result;
use crate::endpoint::askgate_endpoint;
use crate::gate::askgate_gate;
use crate::guard;
use crate::mirror::askgate_mirror;
use crate::modal::askgate_modal;

fn fault() -> Result<(), crate::fail::Fail> {
    #[allow(clippy::panic, reason = "to be caught")]
    {
        panic!("injected")
    }
}

/// Panics while it changes a gate.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_test_gate_panic(gate: *mut askgate_gate) -> askgate_result {
    // SAFETY: as for every call on a gate.
    unsafe { guard::change(gate, (), |_, _| fault()) }
}

/// Panics while a router changes a gate.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_test_router_panic(
    router: *mut askgate_router,
    gate: *mut askgate_gate,
) -> askgate_result {
    // SAFETY: as for every call on a router and its gate.
    unsafe { guard::change_both(router, gate, (), |_, _| fault()) }
}

/// Panics while it looks at an endpoint.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_test_endpoint_panic(endpoint: *const askgate_endpoint) -> askgate_result {
    // SAFETY: as for every call on an endpoint.
    unsafe { guard::look(endpoint, (), |_| fault()) }
}

/// Panics while it changes a mirror.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_test_mirror_panic(mirror: *mut askgate_mirror) -> askgate_result {
    // SAFETY: as for every call on a mirror.
    unsafe { guard::change(mirror, (), |_, _| fault()) }
}

/// Panics while it changes a modal.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_test_modal_panic(modal: *mut askgate_modal) -> askgate_result {
    // SAFETY: as for every call on a modal.
    unsafe { guard::change(modal, (), |_, _| fault()) }
}

/// Panics in a call without a handle.
#[unsafe(no_mangle)]
pub extern "C" fn askgate_test_plain_panic() -> askgate_result {
    // SAFETY: it has no result.
    unsafe { guard::plain((), fault) }
}
