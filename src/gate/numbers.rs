//! Maps by counters of our own: no peer can choose the keys to collide, so that the hash may be fixed (spec 11.3).

use crate::id::PromptId;
use core::hash::{BuildHasher, Hasher};
use hashbrown::HashMap;

/// What is known of some prompts.
#[derive(Debug)]
pub(crate) struct ByPrompt<V>(HashMap<PromptId, V, FixedHasher>);

impl<V> Default for ByPrompt<V> {
    fn default() -> Self {
        Self(HashMap::default())
    }
}

impl<V> ByPrompt<V> {
    pub(crate) fn get(&self, id: PromptId) -> Option<&V> {
        self.0.get(&id)
    }

    pub(crate) fn insert(&mut self, id: PromptId, value: V) {
        self.0.insert(id, value);
    }

    pub(crate) fn remove(&mut self, id: PromptId) -> Option<V> {
        let value = self.0.remove(&id);
        if self.0.capacity() > 4 * (self.0.len() + 1_024) {
            // A burst must not hold memory for ever.
            self.0.shrink_to(2 * (self.0.len() + 1_024));
        }
        value
    }
}

/// The same in every gate.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct FixedHasher;

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
pub(crate) struct Eights(u64);

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
