//! Variants timed against each other in one process.
//!
//! On a shared machine the same code may read half as fast again a moment later, so that only what was measured side by
//! side can be compared: each of many rounds runs a millisecond of every variant in turn, and what counts is the lower
//! quartile of a variant's rounds, those that nobody disturbed. Criterion and divan finish one benchmark before they start
//! the next, hence none of them here.
//!
//! `ASKGATE_BENCH=short` only sees that everything runs; `ASKGATE_BENCH=hold` ends with an error if a goal is missed.

// Each benchmark uses its own part of this.
#![allow(dead_code)]

pub(crate) mod rival;
pub(crate) mod texts;

use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// How long to measure, and what came of it.
pub(crate) struct Bench {
    short: bool,
    hold: bool,
    missed: u32,
}

impl Bench {
    /// Short without `--bench`, which `cargo bench` gives and `cargo test --benches` does not.
    pub(crate) fn from_env() -> Self {
        let mode = std::env::var("ASKGATE_BENCH").unwrap_or_default();
        let short = mode == "short" || !std::env::args().any(|arg| arg == "--bench");
        Self { short, hold: mode == "hold", missed: 0 }
    }

    /// The numbers of pending prompts to measure at, ascending.
    pub(crate) fn populations(&self) -> &'static [usize] {
        if self.short { &[1, 100, 1_000] } else { &[1, 1_000, 100_000, 1_000_000] }
    }

    /// The greatest number of pending prompts.
    pub(crate) fn most(&self) -> usize {
        self.populations().last().copied().unwrap_or(1)
    }

    fn rounds(&self) -> usize {
        if self.short { 1 } else { 301 }
    }

    fn slice(&self) -> Duration {
        if self.short { Duration::from_micros(50) } else { Duration::from_millis(1) }
    }

    /// Runs the variants in turn and prints what an operation of each takes.
    pub(crate) fn race(&self, title: &str, mut variants: Vec<Variant<'_>>) -> Figures {
        for variant in &mut variants {
            variant.calibrate(self.slice());
        }
        for _ in 0..self.rounds() {
            for variant in &mut variants {
                variant.slice();
            }
        }
        println!("\n{title}");
        println!("{:>14}{:>14}{:>10}", "quartile ns", "median ns", "ratio");
        let figures = Figures(variants.into_iter().map(|v| (v.name, v.times)).collect());
        for (name, times) in &figures.0 {
            let base = figures.0.first().map_or(1.0, |(_, times)| quantile(times, 0.25));
            let quartile = quantile(times, 0.25);
            println!("{quartile:>14.1}{:>14.1}{:>10.3}  {name}", quantile(times, 0.5), quartile / base);
        }
        figures
    }

    /// Holds a figure against its goal.
    pub(crate) fn at_most(&mut self, what: &str, figure: f64, goal: f64) {
        self.judge(what, figure, "at most", goal, figure <= goal);
    }

    /// Holds a figure against its goal.
    pub(crate) fn at_least(&mut self, what: &str, figure: f64, goal: f64) {
        self.judge(what, figure, "at least", goal, figure >= goal);
    }

    fn judge(&mut self, what: &str, figure: f64, which: &str, goal: f64, met: bool) {
        let verdict = if self.short {
            "not measured"
        } else if met {
            "met"
        } else {
            self.missed += 1;
            "MISSED"
        };
        println!("  => {what}: {figure:.3}, {which} {goal}: {verdict}");
    }

    pub(crate) fn finish(self) -> ExitCode {
        if self.hold && self.missed > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS }
    }
}

/// One way to do the operation that is measured.
pub(crate) struct Variant<'v> {
    name: String,
    /// Does it that many times, and says how long that took.
    run: Box<dyn FnMut(u64) -> Duration + 'v>,
    count: u64,
    /// Nanoseconds an operation, one a round.
    times: Vec<f64>,
}

impl<'v> Variant<'v> {
    pub(crate) fn new<T>(name: impl Into<String>, mut operation: impl FnMut() -> T + 'v) -> Self {
        Self::batch(name, move |count| {
            for _ in 0..count {
                black_box(operation());
            }
        })
    }

    /// Of an operation that repeats itself as often as it is told to.
    pub(crate) fn batch(name: impl Into<String>, mut run: impl FnMut(u64) + 'v) -> Self {
        Self::timed(name, move |count| {
            let start = Instant::now();
            run(count);
            start.elapsed()
        })
    }

    /// Of an operation on things that are made ahead, which is not measured.
    pub(crate) fn prepared<I>(
        name: impl Into<String>,
        mut prepare: impl FnMut() -> I + 'v,
        mut operation: impl FnMut(I) + 'v,
    ) -> Self {
        Self::timed(name, move |count| {
            let inputs: Vec<I> = (0..count).map(|_| prepare()).collect();
            let start = Instant::now();
            inputs.into_iter().for_each(&mut operation);
            start.elapsed()
        })
    }

    fn timed(name: impl Into<String>, run: impl FnMut(u64) -> Duration + 'v) -> Self {
        Self { name: name.into(), run: Box::new(run), count: 1, times: Vec::new() }
    }

    /// Finds how many operations fill a slice, which warms up as well.
    fn calibrate(&mut self, slice: Duration) {
        loop {
            let took = (self.run)(self.count);
            if took * 2 >= slice {
                let more = slice.as_secs_f64() / took.as_secs_f64();
                self.count = ((self.count as f64 * more) as u64).max(1);
                return;
            }
            self.count *= 2;
        }
    }

    fn slice(&mut self) {
        let took = (self.run)(self.count);
        self.times.push(took.as_secs_f64() * 1e9 / self.count as f64);
    }
}

/// What the variants of a race took.
pub(crate) struct Figures(Vec<(String, Vec<f64>)>);

impl Figures {
    /// How many times as long one variant takes as another, by their places.
    pub(crate) fn ratio(&self, of: usize, to: usize) -> f64 {
        quantile(&self.0[of].1, 0.25) / quantile(&self.0[to].1, 0.25)
    }

    /// Nanoseconds of one operation of a variant, the lower quartile: what the machine's other work leaves out.
    pub(crate) fn nanos(&self, of: usize) -> f64 {
        quantile(&self.0[of].1, 0.25)
    }
}

fn quantile(values: &[f64], at: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[((sorted.len() - 1) as f64 * at) as usize]
}
