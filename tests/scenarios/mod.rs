//! The scenario player: one runner for each kind, and what they share.

mod chat;
mod config;
mod elicitation;
mod endpoint;
mod fields;
mod gate;
pub(crate) mod matching;
mod mirror;
mod modal;
pub(crate) mod record;
pub(crate) mod strict;
mod text;

use fields::Fields;
use record::Record;

/// Plays what is left of a scenario once its `name` and `kind` are taken.
type Runner = fn(Fields, &mut Record) -> Result<(), String>;

const KINDS: &[(&str, Runner)] = &[
    ("chat", chat::run),
    ("elicitation", elicitation::run),
    ("endpoint", endpoint::run),
    ("gate", gate::run),
    ("mirror", mirror::run),
    ("modal", modal::run),
    ("text", text::run),
];

/// Plays one scenario, given as the text of its file.
pub(crate) fn play(file: &str, record: &mut Record) -> Result<(), String> {
    let mut scenario = Fields::of("the scenario", strict::parse(file)?)?;
    scenario.need_text("name")?;
    let kind = scenario.need_text("kind")?;
    match KINDS.iter().find(|row| row.0 == kind) {
        Some((_, run)) => run(scenario, record),
        None => Err(format!("no runner knows the kind {kind:?}")),
    }
}
