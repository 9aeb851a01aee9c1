//! What a pending prompt holds in memory beyond its text, and what a cycle allocates.

mod common;

use common::Bench;
use common::rival::{self, Rival};
use common::texts::{self, limits, surface};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, Stats, StatsAlloc};
use std::alloc::System;
use std::process::ExitCode;

#[global_allocator]
static COUNTING: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// What was allocated while it ran, and its result, still alive.
fn counted<T>(run: impl FnOnce() -> T) -> (T, Stats) {
    let region = Region::new(COUNTING);
    let result = run();
    (result, region.change())
}

fn held(stats: &Stats) -> f64 {
    stats.bytes_allocated as f64 - stats.bytes_deallocated as f64
}

fn main() -> ExitCode {
    let mut bench = Bench::from_env();
    println!("\nbytes and allocations of a pending prompt");
    println!("{:>10}{:>10}{:>12}{:>14}{:>12}", "pending", "text", "beyond it", "allocations", "rival's");
    for n in bench.populations().iter().skip(1) {
        let text = (0..*n).map(|n| texts::text_bytes(&surface(n))).sum::<usize>() as f64;
        let (gate, own) = counted(|| texts::gate(*n));
        drop(gate);
        let (rival, its) = counted(|| Rival::with(*n));
        drop(rival);
        let each = |bytes: f64| bytes / *n as f64;
        let beyond = each(held(&own) - text);
        let blocks = (own.allocations as f64 - own.deallocations as f64) / *n as f64;
        let its = each(held(&its) - text);
        println!("{n:>10}{:>10.0}{beyond:>12.0}{blocks:>14.1}{its:>12.0}", each(text));
        bench.at_most("bytes beyond the text", beyond, 400.0);
    }
    println!("\nallocations of a cycle");
    let limits = limits();
    let on = surface(500);
    let mut gate = texts::gate(1_000);
    let mut rival = Rival::with(1_000);
    let count = 10_000;
    let ((), own) =
        counted(|| (0..count).for_each(|_| texts::cycle(&mut gate, texts::ask(&limits, &on, 90_000))));
    let ((), its) =
        counted(|| (0..count).for_each(|_| rival::cycle(&mut rival, rival::request(&on, 90_000).unwrap())));
    for (name, stats) in [("gate", own), ("map and heap", its)] {
        let each = |n: usize| n as f64 / f64::from(count);
        println!("{:>10.1} + {:.1} grown  {name}", each(stats.allocations), each(stats.reallocations));
    }
    bench.finish()
}
