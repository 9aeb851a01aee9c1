//! The prompt that is asked everywhere: a choice of three, with every text that an agent usually gives.

use askgate::answer::{Draft, Resolution};
use askgate::form::{Form, FormBuilder, QuestionKind};
use askgate::gate::{Ask, Asking, Config, Event, Gate, Poll};
use askgate::id::{AgentId, Claim, Claimant, ConnectionId, PromptId, SurfaceId};
use askgate::limits::Limits;
use askgate::time::Millis;
use std::hint::black_box;

pub(crate) const TITLE: &str = "Which environment gets the release?";
pub(crate) const BODY: &str = "All tests of build 4711 have passed; choose one.";
pub(crate) const AGENT: &str = "claude:1";
pub(crate) const CHOICES: [(&str, &str); 3] =
    [("staging", "Staging, behind VPN"), ("canary", "Canary, 5 %"), ("production", "Production, all users")];
pub(crate) const ANSWER: &str = "production";
pub(crate) const NOW: u64 = 1_000_000;
pub(crate) const ASKER: ConnectionId = ConnectionId(1);
pub(crate) const SURFACE: ConnectionId = ConnectionId(2);

/// A name for one of a thousand surfaces.
pub(crate) fn surface(n: usize) -> String {
    format!("surface:{}", n % 1_000)
}

/// From a minute to a day, spread.
pub(crate) fn timeout(n: usize) -> u64 {
    60_000 + (n as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) % 86_340_000
}

/// Time-outs one after the other.
pub(crate) fn timeouts() -> impl FnMut() -> u64 {
    let mut turn = 0;
    move || {
        turn += 1;
        timeout(turn)
    }
}

/// Bytes of text of one prompt.
pub(crate) fn text_bytes(surface: &str) -> usize {
    let choices: usize = CHOICES.iter().map(|(id, label)| id.len() + label.len()).sum();
    surface.len() + AGENT.len() + TITLE.len() + BODY.len() + choices
}

/// Limits under which a million may wait.
pub(crate) fn limits() -> Limits {
    let mut limits = Limits::DEFAULT;
    limits.pending = usize::MAX;
    limits.pending_per_surface = usize::MAX;
    limits
}

pub(crate) fn config() -> Config {
    let mut config = Config::default();
    config.limits = limits();
    config
}

/// The form, checked and copied from the texts.
pub(crate) fn form(limits: &Limits) -> Form {
    let mut form = FormBuilder::new(limits);
    let choices: usize = CHOICES.iter().map(|(id, label)| id.len() + label.len()).sum();
    form.reserve(TITLE.len() + BODY.len() + choices, CHOICES.len());
    form.open(QuestionKind::Select { multi: false, custom: false }).unwrap();
    form.title(black_box(TITLE)).unwrap();
    form.body(black_box(BODY)).unwrap();
    form.options(CHOICES.len()).unwrap();
    for (id, label) in black_box(&CHOICES) {
        form.choice(id).unwrap();
        form.label(label).unwrap();
    }
    form.build().unwrap()
}

pub(crate) fn ask(limits: &Limits, surface: &str, timeout_ms: u64) -> Ask {
    let surface = SurfaceId::new(surface, limits).unwrap();
    let agent = Some(AgentId::new(black_box(AGENT), limits).unwrap());
    Ask {
        asking: Asking::Request { surface, agent },
        form: form(limits),
        timeout_ms: Some(timeout_ms),
        asker: Some(ASKER),
    }
}

pub(crate) fn claim(prompt: PromptId) -> Claim<'static> {
    Claim::Request { prompt, claimant: Claimant::connection(SURFACE) }
}

/// A gate with so many prompts pending on up to a thousand surfaces.
pub(crate) fn gate(pending: usize) -> Gate {
    let mut gate = Gate::new(config());
    for n in 0..pending {
        gate.ask(Millis(NOW), ask(&limits(), &surface(n), timeout(n))).unwrap();
        gate.poll(Millis(NOW));
    }
    gate
}

/// Asks, shows, answers and reports the end of one prompt.
pub(crate) fn cycle(gate: &mut Gate, ask: Ask) {
    let now = black_box(Millis(NOW));
    let id = gate.ask(now, ask).unwrap();
    answer(gate, id);
}

fn answer(gate: &mut Gate, id: PromptId) {
    let now = black_box(Millis(NOW));
    let Poll::Event(Event::Shown { prompt, .. }) = gate.poll(now) else { panic!("it was not shown") };
    black_box(gate.get(prompt));
    gate.resolve(now, &claim(id), Resolution::Answer(Draft::Value(black_box(ANSWER)))).unwrap();
    let Poll::Event(event @ Event::Resolved { .. }) = gate.poll(now) else { panic!("it did not end") };
    black_box(event);
    black_box(gate.poll(now));
}
