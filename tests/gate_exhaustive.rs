//! Every short sequence of calls on the gate, compared with the model call by call.
//!
//! An alphabet is a list of calls over two prompts, two connections, two sessions and three times. Every sequence over it up
//! to [`DEPTH`] calls is covered. What is left out is left out for one reason alone: two sequences that leave the gate
//! (and the model) in the same state have the same future, so only one of them is continued. A state is all that the
//! gate holds, as its derived `Debug` prints it, and all that the model holds; what is queued is polled and compared after each call,
//! so that it is part of no state. A refused call is the common case of such a pair: it leaves the state as it was.

mod model;

use askgate::gate::{Config, Gate};
use model::{By, Kind, Model, Op, Reply, Say};
use std::collections::HashSet;
use std::fmt::Write;
use std::hash::{DefaultHasher, Hasher};

const DEPTH: usize = 6;

type Step = (u64, Op);

/// Takes what is written to it into a hash.
#[derive(Default)]
struct Fingerprint(DefaultHasher, DefaultHasher);

impl Write for Fingerprint {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.0.write(text.as_bytes());
        self.1.write(text.as_bytes());
        Ok(())
    }
}

impl Fingerprint {
    fn of(gate: &Gate, model: &Model) -> u128 {
        let mut print = Self::default();
        print.1.write_u8(1);
        write!(print, "{gate:?}{model:?}").expect("a hash takes everything");
        (u128::from(print.0.finish()) << 64) | u128::from(print.1.finish())
    }
}

struct Pair {
    gate: Gate,
    model: Model,
}

impl Pair {
    fn after(steps: &[&Step]) -> Self {
        let mut pair = Self { gate: Gate::default(), model: Model::new(&Config::default()) };
        for (at, op) in steps {
            model::act(&mut pair.gate, *at, op);
            pair.model.act(*at, op);
            pair.drain(*at, steps);
        }
        pair
    }

    /// Makes one more call on both and compares all that can be seen.
    fn compare(&mut self, before: &[&Step], step: &Step) {
        let (at, op) = step;
        let (gate, model) = (model::act(&mut self.gate, *at, op), self.model.act(*at, op));
        assert_eq!(gate, model, "the reply to {step:?} after {before:#?}");
        self.drain(*at, before);
        assert_eq!(model::see(&self.gate), self.model.see(), "after {before:#?}, then {step:?}");
    }

    fn drain(&mut self, at: u64, before: &[&Step]) {
        loop {
            let (gate, model) = (model::act(&mut self.gate, at, &Op::Poll), self.model.act(at, &Op::Poll));
            assert_eq!(gate, model, "the events after {before:#?} and one more call");
            if let Reply::Wait(_) = gate {
                break;
            }
        }
    }
}

fn cover(alphabet: &[Step]) {
    let mut frontier: Vec<Vec<&Step>> = vec![Vec::new()];
    let mut seen = HashSet::new();
    let mut calls = 0_u64;
    for depth in 1..=DEPTH {
        let mut next = Vec::new();
        for sequence in &frontier {
            for step in alphabet {
                let mut pair = Pair::after(sequence);
                pair.compare(sequence, step);
                calls += 1;
                // The last calls are compared and lead nowhere.
                if depth < DEPTH && seen.insert(Fingerprint::of(&pair.gate, &pair.model)) {
                    next.push(sequence.iter().copied().chain([step]).collect());
                }
            }
        }
        frontier = next;
    }
    let letters = alphabet.len() as u64;
    let sequences: u64 = (1..=DEPTH as u32).map(|length| letters.pow(length)).sum();
    println!(
        "{letters} calls, {sequences} sequences of up to {DEPTH}: {} states, {calls} calls compared",
        seen.len()
    );
}

fn ask(surface: &'static str, kind: Kind, timeout: Option<u64>, asker: Option<u64>) -> Op {
    Op::AskRequest { surface, kind, timeout, asker }
}

fn ask_in(session: &'static str, timeout: Option<u64>, asker: Option<u64>) -> Op {
    Op::AskSession { session, run: "r1", kind: Kind::Single, timeout, asker }
}

fn by(connection: u64, surface: Option<&'static str>) -> By {
    By::Request { connection: Some(connection), surface, user: None }
}

fn in_session(session: &'static str, connection: u64) -> By {
    By::Session { session, run: "r1", connection }
}

fn x() -> Say {
    Say::Answers(vec![("q", vec!["x"], None)])
}

/// Each call at each time.
fn at(times: &[u64], calls: &[Op]) -> Vec<Step> {
    times.iter().flat_map(|at| calls.iter().map(|op| (*at, op.clone()))).collect()
}

#[test]
fn both_dialects_over_two_sessions() {
    let mut alphabet = at(
        &[0, 10],
        &[
            ask("surface:1", Kind::YesNo, Some(10), Some(1)),
            ask_in("s1", Some(10), Some(2)),
            Op::Resolve(1, in_session("s1", 1), x()),
            Op::Resolve(2, in_session("s1", 1), x()),
            Op::Disconnect(1),
            Op::EndRun("s1", "r1"),
        ],
    );
    alphabet.extend(at(
        &[0],
        &[
            ask_in("s2", None, Some(1)),
            Op::Bind { session: "s1", connection: 1 },
            Op::Bind { session: "s1", connection: 2 },
            Op::Bind { session: "s2", connection: 1 },
            Op::Unbind { session: "s1", connection: 1 },
            Op::Attach { session: "s2", run: "r1", connection: 2, forms: true, timeout: Some(20) },
            Op::Resolve(1, in_session("s1", 2), x()),
            Op::Resolve(1, in_session("s2", 2), x()),
            Op::Resolve(1, by(1, None), Say::Value("yes")),
            Op::Resolve(2, in_session("s2", 1), Say::Decline),
            Op::Withdraw(1, 2),
            Op::CloseSurface("surface:1"),
            Op::Disconnect(2),
            Op::EndSession("s2"),
            Op::Shutdown,
            Op::Poll,
        ],
    ));
    alphabet.push((20, Op::Poll));
    cover(&alphabet);
}

#[test]
fn a_run_with_a_client_a_chat_and_a_surface() {
    let answer = |by: By| Op::Resolve(1, by, x());
    let mut alphabet = at(
        &[0, 300_000],
        &[
            ask_in("s1", None, Some(2)),
            answer(By::Chat { session: "s1", run: "r1", chat: "tbc1u" }),
            answer(in_session("s1", 1)),
        ],
    );
    alphabet.extend(at(
        &[0],
        &[
            Op::AskSession { session: "s1", run: "r2", kind: Kind::Two, timeout: Some(400_000), asker: None },
            Op::Bind { session: "s1", connection: 1 },
            Op::BindChat { session: "s1", chat: "tbc1u" },
            Op::UnbindChat { session: "s1", chat: "tbc1u" },
            Op::Unbind { session: "s1", connection: 1 },
            Op::Attach { session: "s1", run: "r1", connection: 1, forms: true, timeout: None },
            Op::Attach { session: "s1", run: "r1", connection: 2, forms: false, timeout: None },
            Op::Resolve(1, in_session("s1", 1), Say::Answers(Vec::new())),
            answer(in_session("s1", 2)),
            answer(By::Chat { session: "s1", run: "r1", chat: "tbc1x" }),
            Op::Resolve(2, in_session("s1", 1), x()),
            Op::Disconnect(1),
            Op::Disconnect(2),
            Op::EndRun("s1", "r1"),
            Op::EndSession("s1"),
        ],
    ));
    alphabet.push((400_000, Op::Poll));
    cover(&alphabet);
}

#[test]
fn commands_and_who_acknowledged_them() {
    cover(&[
        (0, ask("surface:1", Kind::Command, None, None)),
        (0, ask("surface:1", Kind::Command, Some(10), Some(2))),
        (0, Op::Acknowledge(1, by(1, None))),
        (0, Op::Acknowledge(1, by(1, Some("surface:1")))),
        (0, Op::Acknowledge(1, by(2, None))),
        (0, Op::Acknowledge(2, by(1, None))),
        (0, Op::Back(1, by(1, None))),
        (0, Op::Back(1, by(1, Some("surface:1")))),
        (0, Op::Back(1, by(2, None))),
        (0, Op::Resolve(1, by(1, None), Say::Value("run"))),
        (0, Op::Resolve(1, by(1, Some("surface:1")), Say::Value("run"))),
        (0, Op::Resolve(1, by(2, None), Say::Value("run"))),
        (0, Op::Resolve(2, by(1, None), Say::Value("run"))),
        (0, Op::Resolve(1, by(1, None), Say::Cancel(None))),
        (0, Op::Disconnect(1)),
        (0, Op::Disconnect(2)),
        (0, Op::CloseSurface("surface:1")),
        (10, Op::Poll),
        (20, Op::Back(2, by(1, None))),
    ]);
}
