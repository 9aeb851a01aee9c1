//! Deadlines in a 4-ary heap with an index from slot to place, so that the next one is exact, an early end leaves nothing
//! behind, and looking costs the same whatever waits.

use crate::time::Millis;
use alloc::vec::Vec;

const ARITY: usize = 4;
const ABSENT: u32 = u32::MAX;

#[derive(Debug, Clone, Copy)]
struct Entry {
    at: Millis,
    order: u64,
    slot: u32,
}

impl Entry {
    /// Their order: by time, then by ask order. Compared at once, since neither of two branches could be foretold.
    const fn rank(&self) -> u128 {
        (self.at.0 as u128) << 64 | self.order as u128
    }
}

#[derive(Debug, Default)]
pub(super) struct Deadlines {
    heap: Vec<Entry>,
    /// Where each slot's entry stands in the heap.
    places: Vec<u32>,
}

impl Deadlines {
    /// The earliest deadline and its slot.
    pub(super) fn first(&self) -> Option<(Millis, u32)> {
        self.heap.first().map(|entry| (entry.at, entry.slot))
    }

    pub(super) fn insert(&mut self, at: Millis, order: u64, slot: u32) {
        let end = self.heap.len();
        self.heap.push(Entry { at, order, slot });
        if self.places.len() <= slot as usize {
            self.places.resize(slot as usize + 1, ABSENT);
        }
        self.rise(end);
    }

    pub(super) fn remove(&mut self, slot: u32) {
        let Some(place) = self.places.get_mut(slot as usize) else { return };
        let hole = core::mem::replace(place, ABSENT) as usize;
        if hole >= self.heap.len() {
            return;
        }
        self.heap.swap_remove(hole);
        if self.heap.is_empty() && self.places.len() > 64 {
            // Everything has ended: a burst must not hold memory for ever.
            self.heap = Vec::new();
            self.places = Vec::new();
        }
        let place = self.rise(hole);
        self.sink(place);
    }

    /// Moves the entry at `place` up to where it belongs. Gives where that is.
    fn rise(&mut self, mut place: usize) -> usize {
        let Some(&entry) = self.heap.get(place) else { return place };
        while place > 0 {
            let parent = (place - 1) / ARITY;
            match self.heap.get(parent) {
                Some(&above) if entry.rank() < above.rank() => self.put(place, above),
                Some(_) | None => break,
            }
            place = parent;
        }
        self.put(place, entry);
        place
    }

    /// Moves the entry at `place` down to where it belongs.
    fn sink(&mut self, mut place: usize) {
        let Some(&entry) = self.heap.get(place) else { return };
        while let Some(children) = self.heap.get(place * ARITY + 1..) {
            let first = children.iter().take(ARITY).enumerate().min_by_key(|(_, child)| child.rank());
            match first {
                Some((nth, &below)) if below.rank() < entry.rank() => {
                    self.put(place, below);
                    place = place * ARITY + 1 + nth;
                }
                Some(_) | None => break,
            }
        }
        self.put(place, entry);
    }

    fn put(&mut self, place: usize, entry: Entry) {
        if let (Some(cell), Some(index)) =
            (self.heap.get_mut(place), self.places.get_mut(entry.slot as usize))
        {
            *cell = entry;
            *index = u32::try_from(place).unwrap_or(ABSENT);
        }
    }
}
