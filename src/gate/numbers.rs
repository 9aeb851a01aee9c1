//! Maps by counters of our own: no peer can choose the keys to collide, so that the hash may be fixed (spec 11.3).

use crate::id::PromptId;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::hash::{BuildHasher, Hasher};
use hashbrown::HashMap;

/// Neighbours in one page.
const PAGE: usize = 32;

/// How many of the pages that were added last have a place of their own.
const RECENT: usize = 64;

/// What is known of some prompts. Those that were asked one after the other lie side by side, and what was asked lately
/// is found without a search: mostly that is what is asked for, whatever else waits.
#[derive(Debug)]
pub(crate) struct ByPrompt<V> {
    /// Each page in the place of its number's remainder, with its number, until another takes that place. Empty until the
    /// first is added.
    recent: Vec<(u64, Option<Box<Page<V>>>)>,
    older: HashMap<u64, Box<Page<V>>, FixedHasher>,
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
        Self { recent: Vec::new(), older: HashMap::default(), spare: None }
    }
}

impl<V> ByPrompt<V> {
    pub(crate) fn get(&self, id: PromptId) -> Option<&V> {
        let (number, place) = split(id);
        let page = match self.recent.get(recent(number)) {
            Some((own, Some(page))) if *own == number => page,
            _ => self.older.get(&number)?,
        };
        page.values.get(place)?.as_ref()
    }

    pub(crate) fn get_mut(&mut self, id: PromptId) -> Option<&mut V> {
        let (number, place) = split(id);
        self.page(number)?.values.get_mut(place)?.as_mut()
    }

    pub(crate) fn insert(&mut self, id: PromptId, value: V) {
        let (number, place) = split(id);
        if self.page(number).is_none() {
            self.add(number);
        }
        if let Some(page) = self.page(number)
            && let Some(place) = page.values.get_mut(place)
            && place.replace(value).is_none()
        {
            page.used += 1;
        }
    }

    pub(crate) fn remove(&mut self, id: PromptId) -> Option<V> {
        let (number, place) = split(id);
        let page = self.page(number)?;
        let value = page.values.get_mut(place)?.take()?;
        page.used -= 1;
        if page.used == 0 {
            self.drop(number);
        }
        Some(value)
    }

    #[inline]
    fn page(&mut self, number: u64) -> Option<&mut Page<V>> {
        match self.recent.get_mut(recent(number)) {
            Some((own, Some(page))) if *own == number => Some(page),
            _ => self.older.get_mut(&number).map(|page| &mut **page),
        }
    }

    /// Adds an empty page.
    #[cold]
    fn add(&mut self, number: u64) {
        if self.recent.is_empty() {
            self.recent.resize_with(RECENT, || (0, None));
        }
        let empty = || Box::new(Page { used: 0, values: [const { None }; PAGE] });
        let page = self.spare.take().unwrap_or_else(empty);
        if let Some(place) = self.recent.get_mut(recent(number))
            && let (other, Some(page)) = core::mem::replace(place, (number, Some(page)))
        {
            self.older.insert(other, page);
        }
    }

    /// Takes an empty page away.
    #[cold]
    fn drop(&mut self, number: u64) {
        match self.recent.get_mut(recent(number)) {
            Some((own, page)) if *own == number && page.is_some() => self.spare = page.take(),
            _ => {
                self.spare = self.older.remove(&number);
                if self.older.capacity() > 4 * (self.older.len() + 1_024) {
                    // A burst must not hold memory for ever.
                    self.older.shrink_to(2 * (self.older.len() + 1_024));
                }
            }
        }
    }
}

/// The place that a page has while it is one of the last.
const fn recent(number: u64) -> usize {
    number as usize % RECENT
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

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::collections::BTreeMap;

    /// Ids of a few pages, most of which have their place in common with another.
    fn prompt(n: u64) -> PromptId {
        let (page, place) = (n / 3, n % 3);
        let number = page / 4 + page % 4 * RECENT as u64;
        PromptId(number * PAGE as u64 + place * 15)
    }

    proptest::proptest! {
        #[test]
        fn it_is_a_map(steps in proptest::collection::vec((0..4_u8, 0..36_u64), 0..300)) {
            let mut map = ByPrompt::default();
            let mut model = BTreeMap::new();
            for (turn, (step, n)) in steps.into_iter().enumerate() {
                let id = prompt(n);
                match step {
                    0 | 1 => {
                        map.insert(id, turn);
                        model.insert(id, turn);
                    }
                    2 => assert_eq!(map.remove(id), model.remove(&id)),
                    _ => assert_eq!(map.get_mut(id), model.get_mut(&id)),
                }
                for id in (0..36).map(prompt) {
                    assert_eq!(map.get(id), model.get(&id));
                }
            }
        }
    }

    #[test]
    fn a_burst_leaves_little() {
        let mut map = ByPrompt::default();
        let ids = || (0..200_000).map(PromptId);
        ids().for_each(|id| map.insert(id, id.0));
        ids().for_each(|id| assert_eq!(map.remove(id), Some(id.0)));
        assert!(map.older.is_empty() && map.older.capacity() < 8_192, "{}", map.older.capacity());
        assert!(map.recent.iter().all(|(_, page)| page.is_none()));
    }
}
