//! The same gate as it is usually written: a map keyed by the id's text, and a heap of deadlines from which what was
//! answered early is deleted when it comes up, or when it has become the greater part.
//!
//! It owns the same texts and makes the same checks of them. To its favour it remembers nothing that has ended, has no
//! lists by surface or connection, and takes its time from nobody who might turn it back.

use super::texts::{AGENT, ANSWER, BODY, CHOICES, NOW, TITLE, surface, timeout};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet, VecDeque};
use std::hint::black_box;

#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) surface: String,
    pub(crate) agent: Option<String>,
    pub(crate) title: String,
    pub(crate) body: Option<String>,
    pub(crate) choices: Vec<(String, String)>,
    pub(crate) timeout_ms: Option<u64>,
    pub(crate) asker: u64,
}

#[derive(Debug)]
pub(crate) struct Pending {
    pub(crate) request: Request,
    pub(crate) created_at: u64,
    pub(crate) deadline: Option<u64>,
}

#[derive(Debug)]
pub(crate) enum Event {
    Shown { seq: u64, id: String },
    Resolved { seq: u64, id: String, pending: Pending, answer: Option<String> },
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    Invalid,
    NotFound,
}

#[derive(Debug, Default)]
pub(crate) struct Rival {
    now: u64,
    next: u64,
    seq: u64,
    pending: HashMap<String, Pending>,
    deadlines: BinaryHeap<Reverse<(u64, String)>>,
    events: VecDeque<Event>,
}

fn text(text: &str, most: usize) -> Result<String, Refused> {
    if text.trim().is_empty() || text.len() > most { Err(Refused::Invalid) } else { Ok(text.to_owned()) }
}

/// Checks the texts and copies them.
pub(crate) fn request(surface: &str, timeout_ms: u64) -> Result<Request, Refused> {
    let title = text(black_box(TITLE), 1_024)?;
    if title.contains(['\n', '\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}']) {
        return Err(Refused::Invalid);
    }
    let body = text(black_box(BODY), 65_536)?;
    let mut choices = Vec::with_capacity(CHOICES.len());
    let mut seen = HashSet::with_capacity(CHOICES.len());
    for (id, label) in black_box(&CHOICES) {
        if !seen.insert(id.trim()) {
            return Err(Refused::Invalid);
        }
        choices.push((text(id, 256)?, text(label, 1_024)?));
    }
    Ok(Request {
        surface: text(surface, 256)?,
        agent: Some(text(black_box(AGENT), 256)?),
        title,
        body: Some(body),
        choices,
        timeout_ms: Some(timeout_ms),
        asker: 1,
    })
}

impl Rival {
    pub(crate) fn with(pending: usize) -> Self {
        let mut rival = Self::default();
        for n in 0..pending {
            rival.ask(NOW, request(&surface(n), timeout(n)).unwrap());
            rival.poll(NOW);
        }
        rival
    }

    pub(crate) fn ask(&mut self, now: u64, request: Request) -> String {
        self.advance(now);
        self.next += 1;
        let id = format!("req:{}", self.next);
        let deadline = request.timeout_ms.and_then(|ms| now.checked_add(ms));
        if let Some(at) = deadline {
            self.deadlines.push(Reverse((at, id.clone())));
        }
        self.pending.insert(id.clone(), Pending { request, created_at: now, deadline });
        self.seq += 1;
        self.events.push_back(Event::Shown { seq: self.seq, id: id.clone() });
        id
    }

    pub(crate) fn resolve(&mut self, now: u64, id: &str, value: &str) -> Result<(), Refused> {
        self.advance(now);
        let pending = self.pending.get(id).ok_or(Refused::NotFound)?;
        if value.len() > 65_536 || !pending.request.choices.iter().any(|(choice, _)| choice == value) {
            return Err(Refused::Invalid);
        }
        self.end(id, Some(value.to_owned()));
        Ok(())
    }

    pub(crate) fn get(&self, id: &str) -> Option<&Pending> {
        self.pending.get(id)
    }

    pub(crate) fn poll(&mut self, now: u64) -> Option<Event> {
        self.advance(now);
        self.events.pop_front()
    }

    pub(crate) fn next_deadline(&mut self) -> Option<u64> {
        while let Some(Reverse((at, id))) = self.deadlines.peek() {
            if self.pending.contains_key(id) {
                return Some(*at);
            }
            self.deadlines.pop();
        }
        None
    }

    /// How many wait on a surface, by looking at all.
    pub(crate) fn pending_on<'r>(&'r self, surface: &'r str) -> impl Iterator<Item = &'r Pending> {
        self.pending.values().filter(move |pending| pending.request.surface == surface)
    }

    fn advance(&mut self, now: u64) {
        self.now = self.now.max(now);
        while let Some(at) = self.next_deadline() {
            if at > self.now {
                break;
            }
            if let Some(Reverse((_, id))) = self.deadlines.pop() {
                self.end(&id, None);
            }
        }
    }

    fn end(&mut self, id: &str, answer: Option<String>) {
        let Some((id, pending)) = self.pending.remove_entry(id) else { return };
        self.seq += 1;
        self.events.push_back(Event::Resolved { seq: self.seq, id, pending, answer });
        if self.deadlines.len() > 2 * self.pending.len() + 64 {
            let pending = &self.pending;
            self.deadlines.retain(|Reverse((_, id))| pending.contains_key(id));
        }
    }
}

/// Asks, shows, answers and reports the end of one prompt.
pub(crate) fn cycle(rival: &mut Rival, request: Request) {
    let now = black_box(NOW);
    let id = rival.ask(now, request);
    let Some(Event::Shown { id: shown, .. }) = rival.poll(now) else { panic!("it was not shown") };
    black_box(rival.get(&shown));
    rival.resolve(now, &id, black_box(ANSWER)).unwrap();
    let Some(event @ Event::Resolved { .. }) = rival.poll(now) else { panic!("it did not end") };
    black_box(event);
    black_box(rival.poll(now));
    black_box(rival.next_deadline());
}
