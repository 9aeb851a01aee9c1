//! Outputs in order. Lines lie in one buffer, so that a line pushed to many is written once.

use super::Output;
use crate::gate::Event;
use crate::id::{ConnectionId, RunId, SessionKey};
use crate::json::ToJson;
use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::string::String;

/// A line in the buffer, counted from the first byte that was ever written to it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    start: u64,
    end: u64,
}

#[derive(Debug)]
enum Entry {
    Line(ConnectionId, Span),
    #[cfg(feature = "panes")]
    OpenPane(u64, super::Placement),
    #[cfg(feature = "panes")]
    ClosePane(Box<str>),
    Availability(SessionKey, Option<RunId>, bool),
    Event(Box<Event>),
    RunEnded(SessionKey, RunId),
}

#[derive(Debug, Default)]
pub(super) struct Outbox {
    text: String,
    /// How many bytes were given back before the first of `text`.
    base: u64,
    entries: VecDeque<Entry>,
    /// Whether the first entry is what the last poll lent out.
    lent: bool,
}

impl Outbox {
    /// How many outputs wait.
    pub(super) fn len(&self) -> usize {
        self.entries.len() - usize::from(self.lent)
    }

    /// Writes one line. It goes to whoever it is [addressed](Self::send) to.
    pub(super) fn write(&mut self, line: &impl ToJson) -> Span {
        self.take_back();
        self.reclaim();
        let start = self.base + self.text.len() as u64;
        line.write_json(&mut self.text);
        Span { start, end: self.base + self.text.len() as u64 }
    }

    pub(super) fn send(&mut self, to: ConnectionId, line: Span) {
        self.entries.push_back(Entry::Line(to, line));
    }

    #[cfg(feature = "panes")]
    pub(super) fn open_pane(&mut self, request: u64, placement: super::Placement) {
        self.entries.push_back(Entry::OpenPane(request, placement));
    }

    #[cfg(feature = "panes")]
    pub(super) fn close_pane(&mut self, agent: &str) {
        self.entries.push_back(Entry::ClosePane(agent.into()));
    }

    pub(super) fn availability(&mut self, session: SessionKey, run: Option<RunId>, available: bool) {
        self.entries.push_back(Entry::Availability(session, run, available));
    }

    pub(super) fn event(&mut self, event: Event) {
        self.entries.push_back(Entry::Event(Box::new(event)));
    }

    pub(super) fn run_ended(&mut self, session: SessionKey, run: RunId) {
        self.entries.push_back(Entry::RunEnded(session, run));
    }

    /// The next output, lent until the next call.
    pub(super) fn next(&mut self) -> Option<Output<'_>> {
        self.take_back();
        let first = self.entries.front()?;
        self.lent = true;
        Some(match first {
            Entry::Line(to, span) => {
                let start = usize::try_from(span.start.saturating_sub(self.base)).unwrap_or(usize::MAX);
                let end = usize::try_from(span.end.saturating_sub(self.base)).unwrap_or(usize::MAX);
                Output::Send { to: *to, line: self.text.get(start..end).unwrap_or_default() }
            }
            #[cfg(feature = "panes")]
            Entry::OpenPane(request, placement) => {
                Output::OpenPane { request: *request, placement: *placement }
            }
            #[cfg(feature = "panes")]
            Entry::ClosePane(agent) => Output::ClosePane { agent },
            Entry::Availability(session, run, available) => {
                Output::Availability { session, run: run.as_deref(), available: *available }
            }
            Entry::Event(event) => Output::Event(event),
            Entry::RunEnded(session, run) => Output::RunEnded { session, run },
        })
    }

    /// Drops what was lent.
    fn take_back(&mut self) {
        if core::mem::take(&mut self.lent) {
            self.entries.pop_front();
        }
    }

    /// Gives back the bytes of lines that were polled.
    fn reclaim(&mut self) {
        const KEEP: usize = 1 << 16;
        if self.entries.is_empty() {
            self.base += self.text.len() as u64;
            self.text.clear();
            if self.text.capacity() > KEEP {
                self.text = String::new();
                self.entries = VecDeque::new();
            }
            return;
        }
        if self.text.len() < KEEP {
            return;
        }
        let first = self.entries.iter().find_map(|entry| match entry {
            Entry::Line(_, span) => Some(span.start),
            #[cfg(feature = "panes")]
            Entry::OpenPane(..) | Entry::ClosePane(_) => None,
            Entry::Availability(..) | Entry::Event(_) | Entry::RunEnded(..) => None,
        });
        let polled = first.map_or(self.text.len(), |start| {
            usize::try_from(start.saturating_sub(self.base)).unwrap_or(0).min(self.text.len())
        });
        // Moving what is left is paid for by at least as many bytes that were written.
        if polled > self.text.len() / 2 {
            self.text.drain(..polled);
            self.base += polled as u64;
        }
    }
}
