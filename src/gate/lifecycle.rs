//! What ends prompts without an answer: whoever asked, or where they are shown, is gone (spec 5).

use super::remembered::Place;
use super::store::{Chain, Iter};
use super::{Gate, Origin, Prompt};
use crate::answer::{CancelReason, Outcome};
use crate::id::{ConnectionId, PromptId};
use crate::ordered::Map;
use crate::time::Millis;
use alloc::vec::Vec;

impl Gate {
    /// Ends a prompt at the wish of whoever asked it. Gives whether it was pending and theirs.
    pub fn withdraw(&mut self, now: Millis, prompt: PromptId, asker: ConnectionId) -> bool {
        self.advance(now);
        let Some(Place::Pending(index)) = self.index.get(prompt).copied() else { return false };
        if self.store.get(index).and_then(|prompt| prompt.asker) != Some(asker) {
            return false;
        }
        self.end(index, Outcome::Cancelled(Some(CancelReason::Aborted)));
        true
    }

    /// A surface of dialect A is gone: its prompts are cancelled. Gives how many.
    pub fn close_surface(&mut self, now: Millis, surface: &str) -> usize {
        self.advance(now);
        let here = self.store.iter_of(Chain::Place, self.on_surface(surface));
        self.end_all(slots_of(here), |_| Outcome::Cancelled(Some(CancelReason::SurfaceClosed)))
    }

    /// A connection is gone: prompts shown on it are unavailable, prompts asked by it cancelled, its bindings and
    /// acknowledgements removed. Gives how many prompts ended.
    pub fn disconnect(&mut self, now: Millis, connection: ConnectionId) -> usize {
        self.advance(now);
        let lists = self.of_connection(connection);
        let mut slots = Map::new();
        for (chain, list) in [(Chain::Place, lists.shown), (Chain::Asker, lists.asked)] {
            for (slot, prompt) in self.store.iter_of(chain, list) {
                slots.insert(prompt.id, slot);
            }
        }
        let slots = slots.iter().map(|(id, slot)| (*id, *slot)).collect();
        let ended = self.end_all(slots, |prompt| match &prompt.origin {
            Origin::Session { target, .. } if target.connection() == Some(connection) => Outcome::Unavailable,
            Origin::Session { .. } | Origin::Request { .. } => {
                Outcome::Cancelled(Some(CancelReason::AskerDisconnected))
            }
        });
        let events = self.bindings.disconnect(connection);
        self.announce(events);
        self.acknowledgements.disconnect(connection);
        ended
    }

    /// A run has ended: its prompt is cancelled; bindings stay. Gives how many ended.
    pub fn end_run(&mut self, now: Millis, session: &str, run: &str) -> usize {
        self.advance(now);
        let slot = self.pending_slot(session).filter(|index| {
            let prompt = self.store.get(*index);
            prompt.is_some_and(|prompt| match &prompt.origin {
                Origin::Session { run: own, .. } => &**own == run,
                Origin::Request { .. } => false,
            })
        });
        self.end_slots(slot, CancelReason::RunEnded)
    }

    /// A session has ended: its prompt is cancelled; bindings stay. Gives how many ended.
    pub fn end_session(&mut self, now: Millis, session: &str) -> usize {
        self.advance(now);
        let slot = self.pending_slot(session);
        self.end_slots(slot, CancelReason::SessionEnded)
    }

    /// Everything is cancelled, and later asks are unavailable. Gives how many ended.
    pub fn shutdown(&mut self, now: Millis) -> usize {
        self.advance(now);
        self.closed = true;
        self.end_all(slots_of(self.store.iter()), |_| Outcome::Cancelled(Some(CancelReason::Shutdown)))
    }

    fn end_all(&mut self, slots: Vec<(PromptId, u32)>, outcome: impl Fn(&Prompt) -> Outcome) -> usize {
        let count = slots.len();
        for (_, index) in slots {
            if let Some(outcome) = self.store.get(index).map(&outcome) {
                self.end(index, outcome);
            }
        }
        count
    }

    fn end_slots(&mut self, slot: Option<u32>, reason: CancelReason) -> usize {
        let Some(index) = slot else { return 0 };
        self.end(index, Outcome::Cancelled(Some(reason)));
        1
    }
}

/// The slots of a list, in ask order.
fn slots_of(list: Iter<'_>) -> Vec<(PromptId, u32)> {
    list.map(|(index, prompt)| (prompt.id, index)).collect()
}
