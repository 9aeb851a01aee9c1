//! The webview's copy of what is pending (spec 5). It merges pushes and a snapshot that arrive in any order on one
//! connection, so that nothing that has ended ever comes back.

use crate::id::PromptId;
use crate::ordered::Map;
use alloc::boxed::Box;

/// Something that the gate's side pushed. `T` is whatever a page needs to show a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Push<T> {
    /// A prompt waits.
    Shown {
        /// The event's number.
        seq: u64,
        /// The prompt.
        prompt: PromptId,
        /// Where it is to be shown.
        surface: Box<str>,
        /// What is asked.
        content: T,
    },
    /// A prompt has ended.
    Resolved {
        /// The event's number.
        seq: u64,
        /// The prompt.
        prompt: PromptId,
    },
}

/// A pending prompt, as the mirror holds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mirrored<T> {
    /// Where it is to be shown.
    pub surface: Box<str>,
    /// What is asked.
    pub content: T,
    /// The number of the event that showed it, or of the snapshot that brought it.
    seq: u64,
}

/// A copy of what is pending, kept from pushes and snapshots. On a new connection [`Mirror::reset`] it and ask for a
/// snapshot.
///
/// ```
/// use askgate::id::PromptId;
/// use askgate::mirror::{Mirror, Push};
///
/// let mut mirror = Mirror::new();
/// mirror.apply(Push::Resolved { seq: 2, prompt: PromptId(1) });
/// // The push that showed it was overtaken: the prompt has ended and stays so.
/// mirror.apply(Push::Shown { seq: 1, prompt: PromptId(1), surface: "surface:1".into(), content: "Deploy?" });
/// assert_eq!(mirror.count("surface:1"), 0);
/// ```
#[derive(Debug, Clone)]
pub struct Mirror<T> {
    /// In the order of their ids, which is ask order.
    pending: Map<PromptId, Mirrored<T>>,
    surfaces: Map<Box<str>, Map<PromptId, ()>>,
    /// The number of the last event that a snapshot included.
    included: u64,
    ended: Ranges,
}

impl<T> Default for Mirror<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Mirror<T> {
    /// An empty copy.
    #[must_use]
    pub const fn new() -> Self {
        Self { pending: Map::new(), surfaces: Map::new(), included: 0, ended: Ranges::new() }
    }

    /// Forgets everything, for a new connection.
    pub fn reset(&mut self) {
        *self = Self::new();
    }

    /// Takes a push. One that a snapshot included, or that came before, changes nothing.
    pub fn apply(&mut self, push: Push<T>) {
        match push {
            Push::Shown { seq, prompt, surface, content } => {
                if seq > self.included && !self.ended.contains(prompt.0) {
                    self.insert(prompt, Mirrored { surface, content, seq });
                }
            }
            Push::Resolved { seq, prompt } => {
                if seq > self.included {
                    self.ended.insert(prompt.0);
                    self.remove(prompt);
                }
            }
        }
    }

    /// Takes a snapshot: the number of the last event that it includes, and the prompts pending after it. One older than
    /// another taken before changes nothing.
    pub fn snapshot(&mut self, seq: u64, pending: impl IntoIterator<Item = (PromptId, Box<str>, T)>) {
        if seq < self.included {
            return;
        }
        self.included = seq;
        self.surfaces = Map::new();
        let before = core::mem::take(&mut self.pending);
        for (id, surface, content) in pending {
            if !self.ended.contains(id.0) {
                self.insert(id, Mirrored { surface, content, seq });
            }
        }
        for (id, held) in before.into_entries() {
            if held.seq > seq {
                self.insert(id, held);
            }
        }
    }

    /// The prompt of a surface that is to be shown now: the first that was asked.
    #[must_use]
    pub fn head(&self, surface: &str) -> Option<(PromptId, &T)> {
        let (id, ()) = self.surfaces.get(surface)?.first()?;
        self.pending.get(id).map(|held| (*id, &held.content))
    }

    /// The prompt, while it is pending.
    #[must_use]
    pub fn get(&self, prompt: PromptId) -> Option<&Mirrored<T>> {
        self.pending.get(&prompt)
    }

    /// How many prompts of a surface are pending.
    #[must_use]
    pub fn count(&self, surface: &str) -> usize {
        self.surfaces.get(surface).map_or(0, Map::len)
    }

    /// How many are pending on all surfaces.
    #[must_use]
    pub fn len(&self) -> usize {
        self.pending.len()
    }

    /// Nothing is pending.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pending.is_empty()
    }

    /// All pending prompts, in ask order.
    pub fn pending(&self) -> impl ExactSizeIterator<Item = (PromptId, &Mirrored<T>)> {
        self.pending.iter().map(|(id, held)| (*id, held))
    }

    /// The surfaces with pending prompts, in the order of their names, each with their number.
    pub fn surfaces(&self) -> impl ExactSizeIterator<Item = (&str, usize)> {
        self.surfaces.iter().map(|(surface, prompts)| (&**surface, prompts.len()))
    }

    /// Adds a prompt; one that is there already stays as it is.
    fn insert(&mut self, id: PromptId, held: Mirrored<T>) {
        if self.pending.contains_key(&id) {
            return;
        }
        if let Some(prompts) = self.surfaces.or_default(&held.surface) {
            prompts.insert(id, ());
        }
        self.pending.insert(id, held);
    }

    fn remove(&mut self, id: PromptId) {
        let Some(held) = self.pending.remove(&id) else { return };
        if let Some(prompts) = self.surfaces.get_mut(&held.surface) {
            prompts.remove(&id);
            if prompts.is_empty() {
                self.surfaces.remove(&held.surface);
            }
        }
    }
}

/// A set of numbers as ranges. Prompts end for good and their numbers grow, so that ranges run together: there is one for
/// each gap that a pending prompt leaves, or that prompts of the other dialect leave, until the next reset.
#[derive(Debug, Clone)]
struct Ranges(Map<u64, u64>);

impl Ranges {
    const fn new() -> Self {
        Self(Map::new())
    }

    fn contains(&self, n: u64) -> bool {
        self.0.at_or_below(&n).is_some_and(|(_, end)| n <= *end)
    }

    fn insert(&mut self, n: u64) {
        if self.contains(n) {
            return;
        }
        let end = n.checked_add(1).and_then(|next| self.0.remove(&next)).unwrap_or(n);
        let before = n.checked_sub(1).filter(|previous| self.contains(*previous));
        let start = before.and_then(|previous| self.0.at_or_below(&previous)).map_or(n, |(start, _)| *start);
        self.0.insert(start, end);
    }
}
