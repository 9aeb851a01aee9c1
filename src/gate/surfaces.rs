//! The surfaces of dialect A that have prompts: each is looked up by its name once for a prompt, then known by a number.

use super::names::{ByName, Name};
use super::store::List;
use crate::id::SurfaceId;
use alloc::vec::Vec;

#[derive(Debug, Default)]
pub(super) struct Surfaces {
    numbers: ByName<SurfaceId, u32>,
    lists: Vec<List>,
    free: Vec<u32>,
}

impl Surfaces {
    pub(super) fn number(&self, surface: &(impl Name + ?Sized)) -> Option<u32> {
        self.numbers.get(surface).copied()
    }

    /// The prompts of a surface; none of one that has no number.
    pub(super) fn list(&self, number: Option<u32>) -> List {
        number.and_then(|number| self.lists.get(number as usize)).copied().unwrap_or_default()
    }

    pub(super) fn list_mut(&mut self, number: u32) -> Option<&mut List> {
        self.lists.get_mut(number as usize)
    }

    /// Gives a number to a surface that has none. There are never more of them than prompts.
    pub(super) fn add(&mut self, surface: &SurfaceId) -> u32 {
        let number = self.free.pop().unwrap_or_else(|| {
            self.lists.push(List::default());
            u32::try_from(self.lists.len() - 1).unwrap_or(u32::MAX)
        });
        *self.numbers.or_default(surface) = number;
        number
    }

    /// Takes the number from a surface whose last prompt is gone.
    pub(super) fn remove(&mut self, surface: &SurfaceId) {
        self.free.extend(self.numbers.remove(surface));
        if self.numbers.is_empty() && self.lists.len() > 64 {
            // A burst must not hold memory for ever.
            *self = Self::default();
        }
    }
}
