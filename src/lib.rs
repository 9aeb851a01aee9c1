//! placeholder
#![no_std]
#![forbid(unsafe_code)]
extern crate alloc;

pub mod answer;
pub mod dialect;
pub mod endpoint;
pub mod error;
pub mod form;
pub mod gate;
pub mod id;
pub mod limits;
pub mod mirror;
pub mod state;
pub mod text;
pub mod time;
