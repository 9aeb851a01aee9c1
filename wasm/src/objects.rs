//! The objects that JavaScript holds by number.

use crate::bridge::{FAILED, Global, fail};
use alloc::boxed::Box;
use alloc::vec::Vec;
use askgate::error::Code;
use core::cell::Cell;

/// All objects of a kind. An object is taken out while a call uses it: if the call traps it stays out, and no other call
/// finds it half changed.
pub(crate) struct Objects<T>(Global<Cell<Vec<Option<Box<T>>>>>);

impl<T> Objects<T> {
    pub(crate) const fn new() -> Self {
        Self(Global(Cell::new(Vec::new())))
    }

    fn cell(&self) -> &Cell<Vec<Option<Box<T>>>> {
        &self.0.0
    }

    /// Keeps an object and gives its number.
    pub(crate) fn add(&self, object: T) -> i32 {
        let mut all = self.cell().take();
        let free = all.iter().position(Option::is_none).unwrap_or(all.len());
        let object = Some(Box::new(object));
        match all.get_mut(free) {
            Some(place) => *place = object,
            None => all.push(object),
        }
        self.cell().set(all);
        i32::try_from(free).unwrap_or(FAILED)
    }

    /// Forgets an object. A number that is not given out does nothing.
    pub(crate) fn remove(&self, number: usize) {
        drop(self.take(number));
    }

    #[inline(never)]
    fn take(&self, number: usize) -> Option<Box<T>> {
        let mut all = self.cell().take();
        let object = all.get_mut(number).and_then(Option::take);
        self.cell().set(all);
        object
    }

    /// Lends an object to a call.
    pub(crate) fn with(&self, number: usize, call: impl FnOnce(&mut T) -> i32) -> i32 {
        let Some(mut object) = self.take(number) else {
            return fail(Code::NotFound, "", &"Use an object that was not freed.");
        };
        let given = call(&mut object);
        self.put(number, object);
        given
    }

    #[inline(never)]
    fn put(&self, number: usize, object: Box<T>) {
        let mut all = self.cell().take();
        if let Some(place) = all.get_mut(number) {
            *place = Some(object);
        }
        self.cell().set(all);
    }
}
