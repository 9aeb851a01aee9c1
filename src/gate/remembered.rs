//! From a prompt's number to where it stands, and the prompts that ended last.

use super::numbers::ByPrompt;
use super::prompt::Ended;
use alloc::vec::Vec;

/// Where a prompt stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// In this slot of the store.
    Pending(u32),
    /// In this place among the remembered.
    Ended(u32),
}

/// Where each prompt stands that is pending or remembered.
pub(super) type Index = ByPrompt<Place>;

/// The last prompts to end; once there are as many as may be, each takes the place of the oldest.
#[derive(Debug)]
pub(super) struct Remembered {
    most: u32,
    oldest: u32,
    ended: Vec<Ended>,
}

impl Remembered {
    pub(super) fn new(most: usize) -> Self {
        Self { most: u32::try_from(most).unwrap_or(u32::MAX), oldest: 0, ended: Vec::new() }
    }

    pub(super) fn get(&self, place: u32) -> Option<&Ended> {
        self.ended.get(place as usize)
    }

    /// Remembers a prompt that was pending.
    pub(super) fn push(&mut self, index: &mut Index, ended: Ended) {
        let id = ended.id;
        let at = if let Some(place) = u32::try_from(self.ended.len()).ok().filter(|len| *len < self.most) {
            self.ended.push(ended);
            place
        } else if let Some(oldest) = self.ended.get_mut(self.oldest as usize) {
            index.remove(core::mem::replace(oldest, ended).id);
            let place = self.oldest;
            self.oldest = if place + 1 < self.most { place + 1 } else { 0 };
            place
        } else {
            index.remove(id);
            return;
        };
        if let Some(place) = index.get_mut(id) {
            *place = Place::Ended(at);
        }
    }
}
