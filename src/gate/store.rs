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

/// A list's number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ListId(u32);

/// The ends of one list, in ask order.
#[derive(Debug, Clone, Copy)]
struct List {
    first: u32,
    last: u32,
    len: usize,
}

const EMPTY: List = List { first: NONE, last: NONE, len: 0 };

#[derive(Debug)]
struct Slot {
    prompt: Option<Box<Prompt>>,
    links: [Link; CHAINS],
    place: ListId,
    asker: ListId,
}

/// The number of no list.
const NOWHERE: ListId = ListId(NONE);

#[derive(Debug)]
pub(super) struct Store {
    slots: Vec<Slot>,
    free: Vec<u32>,
    all: List,
    lists: Vec<List>,
    free_lists: Vec<ListId>,
}

impl Default for Store {
    fn default() -> Self {
        Self { slots: Vec::new(), free: Vec::new(), all: EMPTY, lists: Vec::new(), free_lists: Vec::new() }
    }
}

impl Store {
    /// How many prompts there are.
    pub(super) const fn len(&self) -> usize {
        self.all.len
    }

    /// Puts a prompt into a slot, at the end of the list of all; `None` if there are 2^32-1 already.
    pub(super) fn insert(&mut self, prompt: Box<Prompt>) -> Option<u32> {
        let links = [Link { previous: NONE, next: NONE }; CHAINS];
        let new = Slot { prompt: Some(prompt), links, place: NOWHERE, asker: NOWHERE };
        let index = match self.free.pop() {
            Some(index) => {
                *self.slots.get_mut(index as usize)? = new;
                index
            }
            None => {
                let index = u32::try_from(self.slots.len()).ok().filter(|index| *index != NONE)?;
                if self.slots.len() == self.slots.capacity() {
                    // By a quarter instead of the double: there may be many.
                    self.slots.reserve_exact(self.slots.len() / 4 + 16);
                }
                self.slots.push(new);
                index
            }
        };
        self.append(index, Chain::All, NOWHERE);
        Some(index)
    }

    /// Takes a prompt out; its slot stays linked until it has left every list and is released.
    pub(super) fn take(&mut self, index: u32) -> Option<Box<Prompt>> {
        self.slots.get_mut(index as usize)?.prompt.take()
    }

    /// Takes a slot out of the list of all, and gives it back. It is in no other any more.
    pub(super) fn release(&mut self, index: u32) {
        self.unlink(index, Chain::All);
        self.free.push(index);
        if self.free.len() == self.slots.len() && self.slots.len() > 64 {
            // Everything has ended: a burst must not hold memory for ever.
            *self = Self::default();
        }
    }

    pub(super) fn get(&self, index: u32) -> Option<&Prompt> {
        self.slots.get(index as usize)?.prompt.as_deref()
    }

    /// A list without prompts, which exists until the last of those it will have has left it.
    pub(super) fn open(&mut self) -> ListId {
        self.free_lists.pop().unwrap_or_else(|| {
            self.lists.push(EMPTY);
            ListId(u32::try_from(self.lists.len() - 1).unwrap_or(NONE))
        })
    }

    /// How many prompts are in a list.
    pub(super) fn len_of(&self, list: ListId) -> usize {
        self.lists.get(list.0 as usize).map_or(0, |list| list.len)
    }

    /// Puts a slot at the end of a list.
    pub(super) fn join(&mut self, index: u32, chain: Chain, list: ListId) {
        if let Some(slot) = self.slots.get_mut(index as usize) {
            match chain {
                Chain::All => {}
                Chain::Place => slot.place = list,
                Chain::Asker => slot.asker = list,
            }
        }
        self.append(index, chain, list);
    }

    /// Takes a slot out of its list of that kind. Gives whether that list is gone with it.
    pub(super) fn leave(&mut self, index: u32, chain: Chain) -> bool {
        let Some(list) = self.unlink(index, chain) else { return false };
        let gone = self.len_of(list) == 0;
        if gone {
            self.free_lists.push(list);
        }
        gone
    }

    /// All slots, in ask order.
    pub(super) fn iter(&self) -> Iter<'_> {
        Iter { store: self, chain: Chain::All, next: self.all.first, left: self.all.len }
    }

    /// The slots of a list, in ask order; none of no list.
    pub(super) fn iter_of(&self, chain: Chain, list: Option<ListId>) -> Iter<'_> {
        let list = list.and_then(|list| self.lists.get(list.0 as usize)).unwrap_or(&EMPTY);
        Iter { store: self, chain, next: list.first, left: list.len }
    }

    fn append(&mut self, index: u32, chain: Chain, list: ListId) {
        let Some(list) = self.list_mut(chain, list) else { return };
        let last = core::mem::replace(&mut list.last, index);
        list.len += 1;
        if last == NONE {
            list.first = index;
        }
        self.update(last, chain, |link| link.next = index);
        self.update(index, chain, |link| *link = Link { previous: last, next: NONE });
    }

    /// Gives the list that the slot was in.
    fn unlink(&mut self, index: u32, chain: Chain) -> Option<ListId> {
        let slot = self.slots.get(index as usize)?;
        let Link { previous, next } = chain.of(&slot.links);
        let id = match chain {
            Chain::All => NOWHERE,
            Chain::Place => slot.place,
            Chain::Asker => slot.asker,
        };
        let list = self.list_mut(chain, id)?;
        list.len = list.len.saturating_sub(1);
        if previous == NONE {
            list.first = next;
        }
        if next == NONE {
            list.last = previous;
        }
        self.update(previous, chain, |link| link.next = next);
        self.update(next, chain, |link| link.previous = previous);
        Some(id)
    }

    fn list_mut(&mut self, chain: Chain, list: ListId) -> Option<&mut List> {
        match chain {
            Chain::All => Some(&mut self.all),
            Chain::Place | Chain::Asker => self.lists.get_mut(list.0 as usize),
        }
    }

    /// Changes a slot's link; there is none of `NONE`.
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
