//! Maps and sets in the order of their keys, for all keys and values one code.
//!
//! A tree of the standard library is compiled anew for each type of key and value, some kilobytes a time, and a page
//! downloads every one of them. Here the order is a list of numbers whatever is ordered, and what depends on the types is a
//! comparison and a slot.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::borrow::Borrow;
use core::cmp::Ordering;

/// What can be a key.
pub(crate) trait Key: Ord {
    /// A number that is not greater than that of a greater key. Only keys of one rank are compared themselves.
    fn rank(&self) -> u64;
}

impl<A: Key, B: Ord> Key for (A, B) {
    fn rank(&self) -> u64 {
        self.0.rank()
    }
}

impl Key for u64 {
    fn rank(&self) -> u64 {
        *self
    }
}

impl Key for str {
    fn rank(&self) -> u64 {
        self.bytes().chain([0; 8]).take(8).fold(0, |rank, byte| rank << 8 | u64::from(byte))
    }
}

impl Key for &str {
    fn rank(&self) -> u64 {
        (**self).rank()
    }
}

impl Key for Box<str> {
    fn rank(&self) -> u64 {
        (**self).rank()
    }
}

/// As many rungs are in one block at most: few enough to move quickly, many enough that blocks are few.
const BLOCK: usize = 128;

/// An entry's place in the order.
#[derive(Debug, Clone, Copy)]
struct Rung {
    rank: u64,
    slot: usize,
}

/// Between which rungs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Place {
    block: usize,
    at: usize,
}

const START: Place = Place { block: 0, at: 0 };

/// Which slot comes after which.
#[derive(Debug, Clone)]
struct Order {
    /// None is empty, unless it is the only one.
    blocks: Vec<Vec<Rung>>,
    /// The slots below `used` that nothing is in.
    free: Vec<usize>,
    used: usize,
}

impl Order {
    const fn new() -> Self {
        Self { blocks: Vec::new(), free: Vec::new(), used: 0 }
    }

    const fn len(&self) -> usize {
        self.used - self.free.len()
    }

    /// Before which rung a key belongs, and the slot that has this very key.
    #[inline]
    fn find(&self, rank: u64, compare: &mut dyn FnMut(usize) -> Ordering) -> (Place, Option<usize>) {
        let mut compared = |rung: &Rung| rung.rank.cmp(&rank).then_with(|| compare(rung.slot));
        let lies_before = |block: &Vec<Rung>| block.last().is_some_and(|last| compared(last).is_lt());
        // What is greater than all belongs at the end of the last.
        let earlier = self.blocks.get(..self.blocks.len().saturating_sub(1)).unwrap_or_default();
        let block = earlier.partition_point(lies_before);
        let Some(rungs) = self.blocks.get(block) else { return (START, None) };
        match rungs.binary_search_by(compared) {
            Ok(at) => (Place { block, at }, rungs.get(at).map(|rung| rung.slot)),
            Err(at) => (Place { block, at }, None),
        }
    }

    /// Puts a rung at a place, and gives its slot.
    fn insert(&mut self, Place { block, at }: Place, rank: u64) -> usize {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.used += 1;
            self.used - 1
        });
        let rung = Rung { rank, slot };
        match self.blocks.get_mut(block) {
            None => self.blocks.push([rung].into()),
            Some(rungs) if rungs.len() < BLOCK => rungs.insert(at, rung),
            // Where keys grow, blocks stay full.
            Some(rungs) if at >= rungs.len() => self.blocks.insert(block + 1, [rung].into()),
            Some(rungs) => {
                let mut rest = rungs.split_off(BLOCK / 2);
                match at.checked_sub(rungs.len()) {
                    Some(at) => rest.insert(at, rung),
                    None => rungs.insert(at, rung),
                }
                self.blocks.insert(block + 1, rest);
            }
        }
        slot
    }

    /// Takes the rung at a place out, which must be there.
    fn remove(&mut self, Place { block, at }: Place) {
        let Some(rungs) = self.blocks.get_mut(block) else { return };
        if at < rungs.len() {
            self.free.push(rungs.remove(at).slot);
        }
        let left = rungs.len();
        if self.blocks.len() > 1 {
            self.join(block, left);
        }
        if self.len() == 0 {
            self.free.clear();
            self.used = 0;
        }
    }

    /// Leaves no block empty, nor two that would be half a block together.
    fn join(&mut self, block: usize, left: usize) {
        let next = self.blocks.get(block + 1).map(Vec::len);
        if left == 0 {
            self.blocks.remove(block);
        } else if next.is_some_and(|next| left + next <= BLOCK / 2) {
            let rest = self.blocks.remove(block + 1);
            if let Some(rungs) = self.blocks.get_mut(block) {
                rungs.extend(rest);
            }
        }
    }

    /// The slot behind a place, which moves on over it.
    fn next(&self, place: &mut Place) -> Option<usize> {
        let mut rungs = self.blocks.get(place.block)?;
        if place.at >= rungs.len() {
            *place = Place { block: place.block + 1, at: 0 };
            rungs = self.blocks.get(place.block)?;
        }
        let rung = rungs.get(place.at)?;
        place.at += 1;
        Some(rung.slot)
    }

    /// The slot before a place.
    fn previous(&self, Place { block, at }: Place) -> Option<usize> {
        let rungs = self.blocks.get(block)?;
        let rung = match at.checked_sub(1) {
            Some(at) => rungs.get(at),
            None => self.blocks.get(block.checked_sub(1)?)?.last(),
        };
        rung.map(|rung| rung.slot)
    }
}

/// A map in the order of its keys.
#[derive(Debug, Clone)]
pub(crate) struct Map<K, V> {
    order: Order,
    slots: Vec<Option<(K, V)>>,
}

impl<K, V> Default for Map<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K, V> Map<K, V> {
    pub(crate) const fn new() -> Self {
        Self { order: Order::new(), slots: Vec::new() }
    }

    pub(crate) const fn len(&self) -> usize {
        self.order.len()
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(crate) fn first(&self) -> Option<(&K, &V)> {
        self.iter().next()
    }

    pub(crate) fn iter(&self) -> Iter<'_, K, V> {
        Iter { map: self, place: START, left: self.len() }
    }

    /// All values, in any order.
    #[cfg(feature = "panes")]
    pub(crate) fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.slots.iter_mut().flatten().map(|(_, value)| value)
    }

    /// All entries, in any order.
    pub(crate) fn into_entries(self) -> impl Iterator<Item = (K, V)> {
        self.slots.into_iter().flatten()
    }

    /// The entry behind a place, which moves on over it.
    fn entry(&self, place: &mut Place) -> Option<(&K, &V)> {
        let (key, value) = self.slot(self.order.next(place)?)?;
        Some((key, value))
    }

    fn slot(&self, slot: usize) -> Option<&(K, V)> {
        self.slots.get(slot)?.as_ref()
    }

    fn put(&mut self, place: Place, rank: u64, key: K, value: V) -> usize {
        let slot = self.order.insert(place, rank);
        match self.slots.get_mut(slot) {
            Some(free) => *free = Some((key, value)),
            None => self.slots.push(Some((key, value))),
        }
        slot
    }

    fn take(&mut self, place: Place, slot: usize) -> Option<(K, V)> {
        self.order.remove(place);
        let taken = self.slots.get_mut(slot)?.take();
        if self.is_empty() {
            self.slots.clear();
            if self.slots.capacity() > BLOCK {
                self.slots = Vec::new();
            }
        }
        taken
    }

    /// Where the key belongs of which `compare` says how another of its rank compares to it.
    fn find_by(&self, rank: u64, compare: impl Fn(&K) -> Ordering) -> (Place, Option<usize>) {
        // What has a rung has a slot.
        self.order.find(rank, &mut |slot| self.slot(slot).map_or(Ordering::Less, |(key, _)| compare(key)))
    }

    /// The entry of such a key; see [`Map::find_by`].
    pub(crate) fn get_by(&self, rank: u64, compare: impl Fn(&K) -> Ordering) -> Option<(&K, &V)> {
        let (_, slot) = self.find_by(rank, compare);
        self.slot(slot?).map(|(key, value)| (key, value))
    }

    pub(crate) fn get_mut_by(&mut self, rank: u64, compare: impl Fn(&K) -> Ordering) -> Option<&mut V> {
        let (_, slot) = self.find_by(rank, compare);
        self.slots.get_mut(slot?)?.as_mut().map(|(_, value)| value)
    }

    /// The value of such a key, which is added if it is not there: there always is one.
    pub(crate) fn or_default_by(
        &mut self,
        rank: u64,
        compare: impl Fn(&K) -> Ordering,
        key: impl FnOnce() -> K,
    ) -> Option<&mut V>
    where
        V: Default,
    {
        let (place, slot) = self.find_by(rank, compare);
        let slot = slot.unwrap_or_else(|| self.put(place, rank, key(), V::default()));
        self.slots.get_mut(slot)?.as_mut().map(|(_, value)| value)
    }

    pub(crate) fn remove_by(&mut self, rank: u64, compare: impl Fn(&K) -> Ordering) -> Option<V> {
        let (place, slot) = self.find_by(rank, compare);
        self.take(place, slot?).map(|(_, value)| value)
    }
}

impl<K: Key, V> Map<K, V> {
    fn find<Q: Key + ?Sized>(&self, key: &Q) -> (Place, Option<usize>)
    where
        K: Borrow<Q>,
    {
        self.find_by(key.rank(), |other| other.borrow().cmp(key))
    }

    pub(crate) fn get<Q: Key + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        let (_, slot) = self.find(key);
        self.slot(slot?).map(|(_, value)| value)
    }

    pub(crate) fn get_mut<Q: Key + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        let (_, slot) = self.find(key);
        self.slots.get_mut(slot?)?.as_mut().map(|(_, value)| value)
    }

    pub(crate) fn contains_key<Q: Key + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.find(key).1.is_some()
    }

    /// Adds a value, or puts it in place of the one that was there, which it gives.
    pub(crate) fn insert(&mut self, key: K, value: V) -> Option<V> {
        let (place, slot) = self.find(&key);
        let Some(slot) = slot else {
            self.put(place, key.rank(), key, value);
            return None;
        };
        let (_, there) = self.slots.get_mut(slot)?.as_mut()?;
        Some(core::mem::replace(there, value))
    }

    /// The value of a key, which is added if it is not there: there always is one.
    pub(crate) fn or_default(&mut self, key: &K) -> Option<&mut V>
    where
        K: Clone,
        V: Default,
    {
        self.or_default_by(key.rank(), |other| other.cmp(key), || key.clone())
    }

    pub(crate) fn remove<Q: Key + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let (place, slot) = self.find(key);
        self.take(place, slot?).map(|(_, value)| value)
    }

    /// The entries from that key on, whether or not it is there.
    pub(crate) fn range_from(&self, key: K) -> impl Iterator<Item = (&K, &V)> {
        let (mut place, _) = self.find(&key);
        core::iter::from_fn(move || self.entry(&mut place))
    }

    /// The entry of the greatest key that is not above that one.
    pub(crate) fn at_or_below(&self, key: &K) -> Option<(&K, &V)> {
        let (place, slot) = self.find(key);
        let slot = slot.or_else(|| self.order.previous(place))?;
        self.slot(slot).map(|(key, value)| (key, value))
    }
}

/// Entries in the order of their keys.
#[derive(Debug)]
pub(crate) struct Iter<'m, K, V> {
    map: &'m Map<K, V>,
    place: Place,
    left: usize,
}

impl<'m, K, V> Iterator for Iter<'m, K, V> {
    type Item = (&'m K, &'m V);

    fn next(&mut self) -> Option<Self::Item> {
        let entry = self.map.entry(&mut self.place)?;
        self.left = self.left.saturating_sub(1);
        Some(entry)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<K, V> ExactSizeIterator for Iter<'_, K, V> {}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::collections::BTreeMap;
    use alloc::string::String;

    /// A key of which many have one rank.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    struct Coarse(u64);

    impl Key for Coarse {
        fn rank(&self) -> u64 {
            self.0 / 100
        }
    }

    /// Whether the map holds what the other holds, and its blocks are as they are to be.
    fn check<K: Key + Copy + core::fmt::Debug>(map: &Map<K, u64>, model: &BTreeMap<K, u64>) {
        assert_eq!(map.len(), model.len());
        assert!(map.iter().eq(model.iter()));
        let blocks = &map.order.blocks;
        assert!(blocks.iter().all(|block| block.len() <= BLOCK && (!block.is_empty() || blocks.len() == 1)));
    }

    /// Does the same to a map and to a model of it; the keys are below `keys`.
    fn follow<K: Key + Copy + core::fmt::Debug>(keys: u64, key: impl Fn(u64) -> K) {
        let (mut map, mut model) = (Map::new(), BTreeMap::new());
        let mut random = 1_u64;
        for step in 0..20_000_u64 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let chosen = key((random >> 33) % keys);
            // Grows, then shrinks, and once more.
            if random >> 60 < if step % 10_000 < 5_000 { 12 } else { 3 } {
                assert_eq!(map.insert(chosen, step), model.insert(chosen, step));
            } else {
                assert_eq!(map.remove(&chosen), model.remove(&chosen));
            }
            let other = key((random >> 13) % keys);
            assert_eq!(map.get(&other), model.get(&other));
            assert_eq!(map.get_mut(&other), model.get_mut(&other));
            assert_eq!(map.first(), model.first_key_value());
            assert_eq!(map.at_or_below(&other), model.range(..=other).next_back());
            assert!(map.range_from(other).take(3).eq(model.range(other..).take(3)));
            if step % 100 == 0 {
                check(&map, &model);
            }
        }
        for key in model.keys().copied().collect::<Vec<_>>() {
            assert_eq!(map.remove(&key), model.remove(&key));
        }
        check(&map, &model);
        assert_eq!(map.slots.len(), 0);
    }

    #[test]
    fn a_map_does_as_a_tree_does() {
        follow(5_000, |n| n);
        follow(300, |n| n);
        follow(5_000, Coarse);
        follow(2_000, |n| (n % 7, n));
    }

    #[test]
    fn growing_keys_leave_full_blocks() {
        let mut map = Map::new();
        for n in 0..10 * BLOCK as u64 {
            map.insert(n, ());
        }
        assert_eq!(map.order.blocks.len(), 10);
        for n in 0..9 * BLOCK as u64 {
            map.remove(&n);
        }
        assert_eq!(map.order.blocks.len(), 1);
        assert_eq!(map.iter().len(), BLOCK);
    }

    #[test]
    fn texts_are_in_the_order_of_their_bytes() {
        let mut names = ["", "a", "a\0", "a\0b", "abcdefgh", "abcdefgi", "abcdefgha", "b", "\u{10FFFF}"];
        let mut map = Map::<Box<str>, usize>::new();
        for name in names {
            *map.or_default(&name.into()).unwrap() += name.len();
        }
        names.sort_unstable();
        assert!(map.iter().map(|(name, _)| &**name).eq(names));
        assert_eq!(map.get("abcdefgha"), Some(&9));
        assert!(map.contains_key(String::from("b").as_str()) && !map.contains_key("c"));
    }
}
