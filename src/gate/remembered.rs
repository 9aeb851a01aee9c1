//! From a prompt's number to where it stands, and the prompts that ended last.

use super::prompt::Ended;
use crate::id::PromptId;
use alloc::collections::VecDeque;
use core::hash::{BuildHasher, Hasher};
use hashbrown::HashMap;

/// Where a prompt stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// In this slot.
    Pending(u32),
    /// Ended, as the n-th prompt to end.
    Ended(u64),
}

#[derive(Debug, Default)]
pub(super) struct Index(HashMap<PromptId, Place, FixedHasher>);

impl Index {
    pub(super) fn get(&self, id: PromptId) -> Option<Place> {
        self.0.get(&id).copied()
    }

    pub(super) fn insert(&mut self, id: PromptId, place: Place) {
        self.0.insert(id, place);
    }

    fn remove(&mut self, id: PromptId) {
        self.0.remove(&id);
        if self.0.capacity() > 4 * (self.0.len() + 1_024) {
            self.0.shrink_to(2 * (self.0.len() + 1_024));
        }
    }
}

/// The last prompts to end, the oldest first.
#[derive(Debug)]
pub(super) struct Remembered {
    most: usize,
    forgotten: u64,
    ended: VecDeque<Ended>,
}

impl Remembered {
    pub(super) const fn new(most: usize) -> Self {
        Self { most, forgotten: 0, ended: VecDeque::new() }
    }

    pub(super) fn get(&self, at: u64) -> Option<&Ended> {
        self.ended.get(usize::try_from(at.checked_sub(self.forgotten)?).ok()?)
    }

    pub(super) fn push(&mut self, index: &mut Index, ended: Ended) {
        if self.most == 0 {
            index.remove(ended.id);
            return;
        }
        if self.ended.len() >= self.most
            && let Some(oldest) = self.ended.pop_front()
        {
            self.forgotten += 1;
            index.remove(oldest.id);
        }
        index.insert(ended.id, Place::Ended(self.forgotten + self.ended.len() as u64));
        self.ended.push_back(ended);
    }
}

/// Fixed, since the keys are counters of our own: no peer can choose them to collide.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct FixedHasher;

impl BuildHasher for FixedHasher {
    type Hasher = Eights;
    fn build_hasher(&self) -> Eights {
        Eights(0)
    }
}

/// Eight neighbours lie side by side, so that what was asked lately is found in few cache lines whatever else waits; the
/// eights are spread by Fibonacci hashing. The bits that hashbrown takes its tags from, the highest of a word, differ within
/// the eight.
#[derive(Debug)]
pub(super) struct Eights(u64);

impl Hasher for Eights {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(self.0 ^ u64::from(*byte));
        }
    }

    fn write_u64(&mut self, n: u64) {
        let spread = (n >> 3).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let within = n & 7;
        self.0 = ((spread ^ (spread >> 32)) & !7 | within) ^ (within << 61) ^ (within << 29);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
