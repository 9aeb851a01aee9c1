//! Maps by counters of our own: no peer can choose the keys to collide, so that the hash may be fixed (spec 11.3).

use crate::id::PromptId;
use alloc::boxed::Box;
use core::hash::{BuildHasher, Hasher};
use hashbrown::HashMap;

/// Neighbours in one page.
const PAGE: usize = 32;

/// What is known of some prompts. Those that were asked one after the other lie side by side, so that what was asked
/// lately is found in few cache lines whatever else waits, and most of what comes and goes leaves the map as it is.
#[derive(Debug)]
pub(crate) struct ByPrompt<V> {
    pages: HashMap<u64, Box<Page<V>>, FixedHasher>,
    /// The page that was emptied last: as one fills, another empties.
    spare: Option<Box<Page<V>>>,
}

#[derive(Debug)]
struct Page<V> {
    used: usize,
    values: [Option<V>; PAGE],
}

impl<V> Default for ByPrompt<V> {
    fn default() -> Self {
        Self { pages: HashMap::default(), spare: None }
    }
}

impl<V> ByPrompt<V> {
    pub(crate) fn get(&self, id: PromptId) -> Option<&V> {
        let (page, place) = split(id);
        self.pages.get(&page)?.values.get(place)?.as_ref()
    }

    pub(crate) fn get_mut(&mut self, id: PromptId) -> Option<&mut V> {
        let (page, place) = split(id);
        self.pages.get_mut(&page)?.values.get_mut(place)?.as_mut()
    }

    pub(crate) fn insert(&mut self, id: PromptId, value: V) {
        let (page, place) = split(id);
        let spare = &mut self.spare;
        let empty = || Box::new(Page { used: 0, values: [const { None }; PAGE] });
        let page = self.pages.entry(page).or_insert_with(|| spare.take().unwrap_or_else(empty));
        if let Some(place) = page.values.get_mut(place)
            && place.replace(value).is_none()
        {
            page.used += 1;
        }
    }

    pub(crate) fn remove(&mut self, id: PromptId) -> Option<V> {
        let (number, place) = split(id);
        let page = self.pages.get_mut(&number)?;
        let value = page.values.get_mut(place)?.take()?;
        page.used -= 1;
        if page.used == 0 {
            self.spare = self.pages.remove(&number);
            if self.pages.capacity() > 4 * (self.pages.len() + 1_024) {
                // A burst must not hold memory for ever.
                self.pages.shrink_to(2 * (self.pages.len() + 1_024));
            }
        }
        Some(value)
    }
}

/// The number of the id's page, and its place there.
const fn split(id: PromptId) -> (u64, usize) {
    (id.0 / PAGE as u64, (id.0 % PAGE as u64) as usize)
}

/// Fibonacci hashing: the same in every gate.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct FixedHasher;

impl BuildHasher for FixedHasher {
    type Hasher = Fibonacci;
    fn build_hasher(&self) -> Fibonacci {
        Fibonacci(0)
    }
}

#[derive(Debug)]
pub(crate) struct Fibonacci(u64);

impl Hasher for Fibonacci {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(self.0 ^ u64::from(*byte));
        }
    }

    fn write_u64(&mut self, n: u64) {
        let spread = n.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = spread ^ (spread >> 32);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
