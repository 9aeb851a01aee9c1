//! The C interface. What it does is described for its users in `include/askgate.h`, which is made from the comments here.
//!
//! Every export goes through [`guard`]: it checks the handle, lets one call in at a time, and turns a panic into a code. The
//! pointers that a caller gives are checked for NULL in [`pointer`] and [`text`]; that they point to what the header
//! says is the caller's part, and the reason why the exports are unsafe.

#![cfg_attr(not(any(feature = "std", test)), no_std)]
#![allow(non_camel_case_types, reason = "the names are those of the header")]
#![allow(unreachable_pub, reason = "what is public is for the header, not for other crates")]
#![allow(clippy::missing_safety_doc, reason = "the header says once, for all calls, what pointers must be")]
#![cfg_attr(
    not(test),
    deny(
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::string_slice,
        clippy::unreachable,
        clippy::unwrap_used
    )
)]

#[cfg(all(feature = "std", panic = "abort"))]
compile_error!(
    "Build the C libraries with --profile capi: where a panic aborts, the guard cannot turn it into a code."
);

extern crate alloc;

// In the order in which the header is read.
mod codes;

mod text;

mod fail;

mod plain;

mod config;

mod gate;

mod chat;

mod endpoint;

mod mirror;

mod modal;

#[cfg(feature = "bench-hooks")]
mod cycles;
#[cfg(not(any(feature = "std", test)))]
mod embedded;
mod guard;
#[cfg(feature = "test-hooks")]
mod hooks;
mod pointer;
#[cfg(test)]
mod tests;
