//! The gate without JSON: its cycle against the same gate as it is usually written, how what it costs grows with what is
//! pending, snapshots and refusals.

mod common;

use askgate::answer::{Draft, Resolution};
use askgate::gate::{Ask, Asking, Gate, Origin, Poll};
use askgate::id::{Claim, ConnectionId, PromptId, RunId, SessionKey};
use askgate::time::Millis;
use common::rival::{self, Rival};
use common::texts::{self, ASKER, NOW, SURFACE, limits, surface, timeouts};
use common::{Bench, Variant};
use std::cell::RefCell;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut bench = Bench::from_env();
    let populations = bench.populations();
    let mut gates: Vec<Gate> = populations.iter().map(|n| texts::gate(*n)).collect();
    let mut rivals: Vec<Rival> = populations.iter().map(|n| Rival::with(*n)).collect();
    cycles(&mut bench, &mut gates, &mut rivals);
    growth(&mut bench, &mut gates);
    snapshot(&mut bench, &gates, &rivals);
    refusals(&mut bench, &mut gates[THOUSAND]);
    bench.finish()
}

/// Where the goal of a thousand pending is measured.
const THOUSAND: usize = 1;

fn cycles(bench: &mut Bench, gates: &mut [Gate], rivals: &mut [Rival]) {
    let limits = limits();
    let populations = bench.populations();
    for (place, (gate, rival)) in gates.iter_mut().zip(rivals.iter_mut()).enumerate() {
        let on = surface(populations[place] / 2);
        let (mut own, mut its) = (timeouts(), timeouts());
        let figures = bench.race(
            &format!("cycle, asks made ahead, {} pending", populations[place]),
            vec![
                Variant::prepared("gate", || texts::ask(&limits, &on, own()), |ask| texts::cycle(gate, ask)),
                Variant::prepared(
                    "map and heap",
                    || rival::request(&on, its()).unwrap(),
                    |request| rival::cycle(rival, request),
                ),
            ],
        );
        if place == THOUSAND {
            bench.at_least("gate, times faster than map and heap", figures.ratio(1, 0), 4.0);
        }
        let (mut own, mut its) = (timeouts(), timeouts());
        bench.race(
            &format!("cycle with the checking and copying of texts, {} pending", populations[place]),
            vec![
                Variant::new("gate", || texts::cycle(gate, texts::ask(&limits, &on, own()))),
                Variant::new("map and heap", || {
                    rival::cycle(rival, rival::request(&on, its()).unwrap());
                }),
            ],
        );
    }
}

fn growth(bench: &mut Bench, gates: &mut [Gate]) {
    let populations = bench.populations();
    let limits = limits();
    let on = surface(0);
    let variants = gates.iter_mut().zip(populations).map(|(gate, n)| {
        let (limits, on, mut timeout) = (&limits, &on, timeouts());
        Variant::new(format!("{n} pending"), move || texts::cycle(gate, texts::ask(limits, on, timeout())))
    });
    let figures = bench.race("cycle of one prompt", variants.collect());
    bench.at_most("cycle, growth from a thousand to the most", figures.ratio(populations.len() - 1, 1), 1.3);

    let variants = gates.iter_mut().zip(populations).map(|(gate, n)| {
        Variant::new(format!("{n} pending"), move || (gate.poll(Millis(NOW)), gate.next_deadline()))
    });
    let figures = bench.race("idle poll and next deadline", variants.collect());
    bench.at_most(
        "idle poll, growth from a thousand to the most",
        figures.ratio(populations.len() - 1, 1),
        1.3,
    );
}

fn snapshot(bench: &mut Bench, gates: &[Gate], rivals: &[Rival]) {
    let place = 2;
    let on = surface(500);
    let (gate, rival) = (&gates[place], &rivals[place]);
    assert_eq!(gate.pending_on(&on).count(), rival.pending_on(&on).count());
    let figures = bench.race(
        &format!("one surface of 1000, {} pending", bench.populations()[place]),
        vec![
            Variant::new("gate", || {
                gate.pending_on(&on).map(|prompt| prompt.form().text_bytes()).sum::<usize>()
            }),
            Variant::new("gate, scan", || {
                let here = gate.pending().filter(
                    |prompt| matches!(prompt.origin(), Origin::Request { surface, .. } if **surface == *on),
                );
                here.map(|prompt| prompt.form().text_bytes()).sum::<usize>()
            }),
            Variant::new("map and heap, scan", || {
                rival.pending_on(&on).map(|pending| pending.request.title.len()).sum::<usize>()
            }),
        ],
    );
    let faster = figures.ratio(1, 0).min(figures.ratio(2, 0));
    bench.at_least("snapshot of a surface, times faster than the faster scan", faster, 100.0);
}

fn refusals(bench: &mut Bench, gate: &mut Gate) {
    let limits = limits();
    let now = Millis(NOW);
    let on = surface(500);
    let session = SessionKey::new("session:1", &limits).unwrap();
    gate.bind(now, session.clone(), SURFACE);
    let run = RunId::new("run:1", &limits).unwrap();
    let ask = Ask {
        asking: Asking::Session { session, run },
        form: texts::form(&limits),
        timeout_ms: None,
        asker: Some(ASKER),
    };
    let theirs = gate.ask(now, ask).unwrap();
    let waiting = gate.ask(now, texts::ask(&limits, &on, 90_000)).unwrap();
    let stale = gate.ask(now, texts::ask(&limits, &on, 90_000)).unwrap();
    let answer = || Resolution::Answer(Draft::Value(texts::ANSWER));
    gate.resolve(now, &texts::claim(stale), answer()).unwrap();
    while matches!(gate.poll(now), Poll::Event(_)) {}

    // A gate of its own for the cycles: here they would make it forget the ended prompt.
    let mut asked = texts::gate(bench.populations()[THOUSAND]);
    let mut timeout = timeouts();
    let gate = RefCell::new(gate);
    let refused =
        |claim: &Claim<'_>, resolution| gate.borrow_mut().resolve(now, claim, resolution).unwrap_err();
    let other = |session, run, connection| Claim::Session { prompt: theirs, session, run, connection };
    let figures = bench.race(
        "refused calls, 1000 pending",
        vec![
            Variant::new("cycle", || texts::cycle(&mut asked, texts::ask(&limits, &on, timeout()))),
            Variant::new("unknown prompt", || refused(&texts::claim(PromptId(u64::MAX)), answer())),
            Variant::new("ended prompt", || refused(&texts::claim(stale), answer())),
            Variant::new("another kind of claim", || refused(&texts::claim(theirs), answer())),
            Variant::new("another run", || refused(&other("session:1", "run:2", SURFACE), answer())),
            Variant::new("another connection", || {
                refused(&other("session:1", "run:1", ConnectionId(9)), answer())
            }),
            Variant::new("another value", || {
                refused(&texts::claim(waiting), Resolution::Answer(Draft::Value("nowhere")))
            }),
        ],
    );
    let dearest = (1..=6).map(|place| figures.ratio(place, 0)).fold(0.0, f64::max);
    bench.at_most("dearest refused call, share of a cycle", dearest, 0.2);
}
