//! The WebAssembly module of the npm package `askgate`. Its exports are for the package's own JavaScript and for nobody
//! else; what a program may use is in `types/`.
//!
//! The exports take and give numbers. Text crosses as UTF-8 in two areas of memory: JavaScript writes the texts of a call
//! one behind the other into the input area, and reads what a call gave by the header.
//! A call that can fail gives `FAILED` and has written the error. Objects are numbers that JavaScript keeps to itself.
//!
//! There is no wasm-bindgen in between. The module imports nothing, so that one file serves every loader, and classes,
//! errors, checks of arguments and the shared buffer are written by hand in any case: what it would add is its own glue of
//! 2 kB and slower strings. `unsafe` is confined to the names of exports and to one `Sync`, each with its reason.

#![cfg_attr(target_arch = "wasm32", no_std)]
#![deny(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::unreachable,
    clippy::unwrap_used
)]
#![allow(
    unsafe_code,
    reason = "an export must keep its name, which the compiler counts as unsafe: another symbol could have the same one. \
              All here begin with `ag_`, and the module is linked with nothing but Rust"
)]

extern crate alloc;

mod bridge;
mod objects;

#[cfg(feature = "chat")]
mod chat;
mod checks;
#[cfg(feature = "host")]
mod elicitation;
#[cfg(feature = "host")]
mod endpoint;
#[cfg(feature = "host")]
mod gate;
mod mirror;
mod modal;

#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;

/// No panic is reachable from JavaScript. If one comes all the same, the call traps, and JavaScript keeps others away from
/// its object.
#[cfg(target_arch = "wasm32")]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}
