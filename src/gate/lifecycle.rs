//! What ends prompts without an answer: whoever asked, or where they are shown, is gone (spec 5).

use super::remembered::Place;
use super::store::{Chain, List};
use super::{Gate, Origin, Prompt};
use crate::answer::{CancelReason, Outcome};
use crate::id::{ConnectionId, PromptId};
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
        let list = self.surfaces.list(self.surfaces.number(surface));
        self.end_all(self.slots(list, Chain::Place), |_| {
            Outcome::Cancelled(Some(CancelReason::SurfaceClosed))
        })
    }

    /// A connection is gone: prompts shown on it are unavailable, prompts asked by it cancelled, its bindings and
    /// acknowledgements removed. Gives how many prompts ended.
    pub fn disconnect(&mut self, now: Millis, connection: ConnectionId) -> usize {
        self.advance(now);
        let (shown, asked) = self
            .connections
            .get(&connection)
            .map_or_else(Default::default, |record| (record.shown, record.asked));
        let mut slots = self.slots(shown, Chain::Place);
        slots.extend(self.slots(asked, Chain::Asker));
        slots.sort_unstable();
        slots.dedup();
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
        self.end_all(self.slots(self.all, Chain::All), |_| Outcome::Cancelled(Some(CancelReason::Shutdown)))
    }

    /// The slots of a list with the ids to sort them by: ask order.
    fn slots(&self, list: List, chain: Chain) -> Vec<(PromptId, u32)> {
        self.store.iter(list, chain).map(|(index, prompt)| (prompt.id, index)).collect()
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
