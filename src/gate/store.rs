//! Pending prompts in reusable slots, linked through them by what they share, so that a call on one surface or connection
//! costs what it touches.

use super::Prompt;
use alloc::boxed::Box;
use alloc::vec::Vec;

const NONE: u32 = u32::MAX;

/// The lists that a prompt can be in. One place serves two: a prompt of dialect A is on a surface, one of dialect B on a
/// connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Chain {
    /// All pending prompts.
    All,
    /// Those on the same surface or bound connection.
    Place,
    /// Those of the same asking connection.
    Asker,
}

const CHAINS: usize = 3;

#[derive(Debug, Clone, Copy)]
struct Link {
    previous: u32,
    next: u32,
}

/// The ends of one list, in ask order.
#[derive(Debug, Clone, Copy)]
pub(super) struct List {
    first: u32,
    last: u32,
    len: usize,
}

impl Default for List {
    fn default() -> Self {
        Self { first: NONE, last: NONE, len: 0 }
    }
}

impl List {
    pub(super) const fn len(&self) -> usize {
        self.len
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.len == 0
    }
}

#[derive(Debug)]
struct Slot {
    prompt: Option<Box<Prompt>>,
    links: [Link; CHAINS],
    /// The number of the surface that it is on, for a prompt of dialect A; else `NONE`.
    surface: u32,
}

#[derive(Debug, Default)]
pub(super) struct Store {
    slots: Vec<Slot>,
    free: Vec<u32>,
}

impl Store {
    /// Puts a prompt into a slot; `None` if there are 2^32-1 already.
    pub(super) fn insert(&mut self, prompt: Box<Prompt>) -> Option<u32> {
        let links = [Link { previous: NONE, next: NONE }; CHAINS];
        if let Some(index) = self.free.pop() {
            *self.slots.get_mut(index as usize)? = Slot { prompt: Some(prompt), links, surface: NONE };
            return Some(index);
        }
        let index = u32::try_from(self.slots.len()).ok().filter(|index| *index != NONE)?;
        if self.slots.len() == self.slots.capacity() {
            // By a quarter instead of the double: the slots are most of what a pending prompt costs.
            self.slots.reserve_exact(self.slots.len() / 4 + 16);
        }
        self.slots.push(Slot { prompt: Some(prompt), links, surface: NONE });
        Some(index)
    }

    /// Takes a prompt out; its slot stays linked until it is unlinked and released.
    pub(super) fn take(&mut self, index: u32) -> Option<Box<Prompt>> {
        self.slots.get_mut(index as usize)?.prompt.take()
    }

    /// Gives back a slot that is in no list any more.
    pub(super) fn release(&mut self, index: u32) {
        self.free.push(index);
        if self.free.len() == self.slots.len() && self.slots.len() > 64 {
            // Everything has ended: a burst must not hold memory for ever.
            self.slots = Vec::new();
            self.free = Vec::new();
        }
    }

    pub(super) fn get(&self, index: u32) -> Option<&Prompt> {
        self.slots.get(index as usize)?.prompt.as_deref()
    }

    /// The number of the surface that the slot's prompt is on.
    pub(super) fn surface(&self, index: u32) -> Option<u32> {
        Some(self.slots.get(index as usize)?.surface)
    }

    pub(super) fn set_surface(&mut self, index: u32, surface: u32) {
        if let Some(slot) = self.slots.get_mut(index as usize) {
            slot.surface = surface;
        }
    }

    pub(super) fn append(&mut self, list: &mut List, chain: Chain, index: u32) {
        self.link(index, chain, Link { previous: list.last, next: NONE });
        match list.last {
            NONE => list.first = index,
            last => self.update(last, chain, |link| link.next = index),
        }
        list.last = index;
        list.len += 1;
    }

    pub(super) fn unlink(&mut self, list: &mut List, chain: Chain, index: u32) {
        let Some(slot) = self.slots.get(index as usize) else { return };
        let Link { previous, next } = chain.of(&slot.links);
        match previous {
            NONE => list.first = next,
            previous => self.update(previous, chain, |link| link.next = next),
        }
        match next {
            NONE => list.last = previous,
            next => self.update(next, chain, |link| link.previous = previous),
        }
        list.len = list.len.saturating_sub(1);
    }

    /// The slots of a list, in ask order.
    pub(super) fn iter(&self, list: List, chain: Chain) -> Iter<'_> {
        Iter { store: self, chain, next: list.first, left: list.len }
    }

    fn link(&mut self, index: u32, chain: Chain, link: Link) {
        self.update(index, chain, |place| *place = link);
    }

    fn update(&mut self, index: u32, chain: Chain, change: impl FnOnce(&mut Link)) {
        if let Some(slot) = self.slots.get_mut(index as usize) {
            let [all, place, asker] = &mut slot.links;
            change(match chain {
                Chain::All => all,
                Chain::Place => place,
                Chain::Asker => asker,
            });
        }
    }
}

impl Chain {
    const fn of(self, links: &[Link; CHAINS]) -> Link {
        let [all, place, asker] = links;
        *match self {
            Self::All => all,
            Self::Place => place,
            Self::Asker => asker,
        }
    }
}

/// The prompts of one list, in ask order.
#[derive(Debug, Clone)]
pub(super) struct Iter<'s> {
    store: &'s Store,
    chain: Chain,
    next: u32,
    left: usize,
}

impl<'s> Iterator for Iter<'s> {
    type Item = (u32, &'s Prompt);

    fn next(&mut self) -> Option<Self::Item> {
        let slot = self.store.slots.get(self.next as usize)?;
        let index = core::mem::replace(&mut self.next, self.chain.of(&slot.links).next);
        self.left = self.left.saturating_sub(1);
        Some((index, slot.prompt.as_deref()?))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Iter<'_> {}
