//! The gate against what a Rust host would write without it: a map of `tokio::sync::oneshot` senders, each receiver under
//! a `tokio::time::timeout`, on one thread.

mod common;

use common::rival::{Refused, Request, request};
use common::texts::{self, ANSWER, limits, surface, timeout};
use common::{Bench, Variant};
use std::collections::HashMap;
use std::future::Future;
use std::hint::black_box;
use std::pin::pin;
use std::process::ExitCode;
use std::task::{Context, Waker};
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::oneshot;

#[derive(Default)]
struct Asked {
    next: u64,
    pending: HashMap<String, (Request, oneshot::Sender<String>)>,
}

impl Asked {
    fn ask(&mut self, surface: &str, timeout_ms: u64) -> (String, oneshot::Receiver<String>) {
        self.next += 1;
        let id = format!("req:{}", self.next);
        let (sender, receiver) = oneshot::channel();
        self.pending.insert(id.clone(), (request(surface, timeout_ms).unwrap(), sender));
        (id, receiver)
    }

    fn resolve(&mut self, id: &str, value: &str) -> Result<(), Refused> {
        let (request, _) = self.pending.get(id).ok_or(Refused::NotFound)?;
        if !request.choices.iter().any(|(choice, _)| choice == value) {
            return Err(Refused::Invalid);
        }
        let (_, sender) = self.pending.remove(id).ok_or(Refused::NotFound)?;
        sender.send(value.to_owned()).map_err(|_| Refused::NotFound)
    }
}

/// A runtime with so many prompts that wait, each a task.
struct Host {
    runtime: Runtime,
    asked: Asked,
}

impl Host {
    fn new(pending: usize) -> Self {
        let runtime = Builder::new_current_thread().enable_time().build().unwrap();
        let mut asked = Asked::default();
        runtime.block_on(async {
            for n in 0..pending {
                let wait = Duration::from_millis(timeout(n));
                let (_, receiver) = asked.ask(&surface(n), timeout(n));
                tokio::spawn(tokio::time::timeout(wait, receiver));
            }
            tokio::task::yield_now().await;
        });
        Self { runtime, asked }
    }

    /// So many cycles in which the asker itself waits.
    fn inline(&mut self, on: &str, count: u64) {
        let asked = &mut self.asked;
        self.runtime.block_on(async {
            for _ in 0..count {
                let (id, receiver) = asked.ask(on, 90_000);
                let mut waits = pin!(tokio::time::timeout(Duration::from_millis(90_000), receiver));
                assert!(waits.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
                asked.resolve(&id, black_box(ANSWER)).unwrap();
                black_box(waits.await.unwrap().unwrap());
            }
        });
    }

    /// So many cycles in which the asker is a task of its own.
    fn spawned(&mut self, on: &str, count: u64) {
        let asked = &mut self.asked;
        self.runtime.block_on(async {
            for _ in 0..count {
                let (id, receiver) = asked.ask(on, 90_000);
                let waits = tokio::spawn(tokio::time::timeout(Duration::from_millis(90_000), receiver));
                tokio::task::yield_now().await;
                asked.resolve(&id, black_box(ANSWER)).unwrap();
                black_box(waits.await.unwrap().unwrap().unwrap());
            }
        });
    }
}

fn main() -> ExitCode {
    let bench = Bench::from_env();
    let limits = limits();
    let on = surface(500);
    for n in bench.populations().iter().copied().skip(1).take(2) {
        let mut gate = texts::gate(n);
        let (mut inline, mut spawned) = (Host::new(n), Host::new(n));
        bench.race(
            &format!("cycle, texts checked and copied, {n} pending"),
            vec![
                Variant::new("gate", || texts::cycle(&mut gate, texts::ask(&limits, &on, 90_000))),
                Variant::batch("tokio oneshot and timeout, polled in place", |count| {
                    inline.inline(&on, count)
                }),
                Variant::batch("tokio oneshot and timeout, a task each", |count| spawned.spawned(&on, count)),
            ],
        );
    }
    bench.finish()
}
