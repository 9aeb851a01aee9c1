//! The objects that JavaScript holds by number.

use crate::bridge::{FAILED, Global, fail};
use alloc::boxed::Box;
use alloc::vec::Vec;
use askgate::error::Code;
use core::cell::RefCell;

/// All objects of a kind. An object is taken out while a call uses it: if the call traps it stays out, and no other call
/// finds it half changed.
pub(crate) struct Objects<T>(Global<RefCell<Vec<Option<Box<T>>>>>);

impl<T> Objects<T> {
    pub(crate) const fn new() -> Self {
        Self(Global(RefCell::new(Vec::new())))
    }

    /// Keeps an object and gives its number.
    pub(crate) fn add(&self, object: T) -> i32 {
        let object = Some(Box::new(object));
        // Nothing else runs while the list is borrowed.
        let Ok(mut all) = self.0.0.try_borrow_mut() else { return FAILED };
        let free = all.iter().position(Option::is_none).unwrap_or(all.len());
        match all.get_mut(free) {
            Some(place) => *place = object,
            None => all.push(object),
        }
        i32::try_from(free).unwrap_or(FAILED)
    }

    /// Forgets an object. A number that is not given out does nothing.
    pub(crate) fn remove(&self, number: usize) {
        drop(self.replace(number, None));
    }

    /// Lends an object to a call.
    pub(crate) fn with(&self, number: usize, call: impl FnOnce(&mut T) -> i32) -> i32 {
        let Some(mut object) = self.replace(number, None) else {
            return fail(Code::NotFound, "", "Use an object that was not freed.");
        };
        let given = call(&mut object);
        // Nothing was left in its place, which there is no need to look at.
        core::mem::forget(self.replace(number, Some(object)));
        given
    }

    #[inline(always)]
    fn replace(&self, number: usize, object: Option<Box<T>>) -> Option<Box<T>> {
        let mut all = self.0.0.try_borrow_mut().ok()?;
        core::mem::replace(all.get_mut(number)?, object)
    }
}
