//! Ask a person a structured question, and get exactly one honest end.
//!
//! Askgate is a synchronous state machine without I/O. A program (the asker) sends a form of one to eight questions; a
//! person answers on a surface (a terminal, a webview, an editor, a chat); the [`gate`] holds each prompt and lets it end
//! once: answered, declined, cancelled, timed out, unavailable or, on a surface that can answer only once, invalid. Nothing
//! but what a person chose or typed is ever an answer: not a default, not a recommendation, not a passed deadline.
//!
//! # The driver's contract
//!
//! A host owns the sockets, the clock and the screen, and drives an [`Endpoint`](endpoint::Endpoint) (or, without wire
//! formats, a [`Gate`](gate::Gate)) in one loop:
//!
//! 1. **Time comes in.** Every call that can change something takes `now`: milliseconds from any fixed origin. A value lower
//!    than one given before counts as the highest given. Each such call first ends the prompts that are due.
//! 2. **Connections come in** by [`connect`](endpoint::Endpoint::connect), with the authority that the host grants, and go by
//!    [`disconnect`](endpoint::Endpoint::disconnect).
//! 3. **Lines come in** by [`receive`](endpoint::Endpoint::receive). If it says `Full`, poll and give the same line again.
//! 4. **Outputs are polled** until [`poll`](endpoint::Endpoint::poll) says `Wait`. Any number of calls may come between two
//!    polls; outputs keep their order.
//! 5. **Wait** until there is input or until the deadline that `Wait` names, then call `poll`. Early, late or twice is
//!    harmless.
//!
//! ```
//! use askgate::endpoint::{Authority, Endpoint, Output};
//! use askgate::gate::Poll;
//! use askgate::time::Millis;
//!
//! let mut endpoint = Endpoint::default();
//! let agent = endpoint.connect(Millis(0), Authority { answer: false, ..Authority::default() })?;
//! let web = endpoint.connect(Millis(0), Authority { observer: true, ..Authority::default() })?;
//!
//! let ask = r#"{"id":1,"method":"agent.ask_user","params":{"surface_id":"s","kind":"yesno","title":"Deploy?"}}"#;
//! let answer = r#"{"id":7,"method":"agent.ask_answer","params":{"request_id":"req:1","value":"yes"}}"#;
//! let _ = endpoint.receive(Millis(5), agent, ask.as_bytes())?;
//! let _ = endpoint.receive(Millis(9), web, answer.as_bytes())?;
//!
//! let mut to_agent = Vec::new();
//! while let Poll::Event(output) = endpoint.poll(Millis(9)) {
//!     match output {
//!         Output::Send { to, line } if to == agent => to_agent.push(line.to_owned()),
//!         _ => {} // to the webview
//!     }
//! }
//! assert_eq!(to_agent, [r#"{"id":1,"result":{"request_id":"req:1","action":"ok","value":"yes"}}"#]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where to look
//!
//! | module | what it holds |
//! |---|---|
//! | [`form`], [`answer`] | the question model; answers that can only be made by a check |
//! | [`state`] | the transition table |
//! | [`gate`] | the engine: prompts, identities, deadlines, lifecycle |
//! | [`mirror`] | a webview's copy of what is pending |
//! | [`modal`] | what a person sees and does, for every kind of screen |
//! | `chat` | a router for the bot accounts of Telegram and Discord |
//! | [`dialect`], [`endpoint`] | wire formats, and the protocol server without I/O |
//! | [`id`], [`time`], [`limits`], [`text`], [`json`], [`error`] | the vocabulary |
//!
//! # Features
//!
//! `elicitation` and `panes` (both on by default) add those calls to the endpoint; `chat` (on by default) is the module of
//! that name; `cli` builds the `askgate` binary, `telegram` one whose host asks in Telegram too. No
//! feature changes what the rest does. The crate is `no_std` with `alloc`, always.

#![no_std]
#![forbid(unsafe_code)]
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

extern crate alloc;

pub mod answer;
#[cfg(feature = "chat")]
pub mod chat;
pub mod dialect;
pub mod endpoint;
pub mod error;
mod fault;
pub mod form;
pub mod gate;
pub mod id;
pub mod json;
pub mod limits;
pub mod mirror;
pub mod modal;
mod ordered;
pub mod state;
pub mod text;
pub mod time;
mod words;

/// The examples of the README, run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;
