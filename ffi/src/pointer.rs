//! Pointers to what a call reads, and to where it writes.

use crate::fail::Fail;

/// Where the results of a call go: one place, several, or none. The guard checks them before the call runs and writes them
/// once it has succeeded, so that a call that is refused writes nothing, and one that cannot write does nothing.
pub(crate) trait Places {
    type Results;
    fn check(&self) -> Result<(), Fail>;
    unsafe fn write(self, results: Self::Results);
}

/// A place for one result.
pub(crate) struct Out<T> {
    to: *mut T,
    required: bool,
}

impl<T> Out<T> {
    /// A place that must be given.
    pub(crate) const fn required(to: *mut T) -> Self {
        Self { to, required: true }
    }

    /// A place that may be NULL where the result is not wanted.
    pub(crate) const fn optional(to: *mut T) -> Self {
        Self { to, required: false }
    }
}

impl<T> Places for Out<T> {
    type Results = T;

    fn check(&self) -> Result<(), Fail> {
        if self.required && self.to.is_null() { Err(Fail::Null) } else { Ok(()) }
    }

    /// Writes the result, without reading what was there before.
    unsafe fn write(self, result: T) {
        if !self.to.is_null() {
            // SAFETY: not NULL; the caller vouches that it may be written.
            unsafe { self.to.write(result) }
        }
    }
}

impl Places for () {
    type Results = ();

    fn check(&self) -> Result<(), Fail> {
        Ok(())
    }

    unsafe fn write(self, (): ()) {}
}

impl<P: Places, Q: Places> Places for (P, Q) {
    type Results = (P::Results, Q::Results);

    fn check(&self) -> Result<(), Fail> {
        self.0.check()?;
        self.1.check()
    }

    unsafe fn write(self, (first, second): Self::Results) {
        // SAFETY: as the caller's.
        unsafe {
            self.0.write(first);
            self.1.write(second);
        }
    }
}

/// A number that there may be, as structs and results have it: whether there is one, and the number or 0.
pub(crate) fn flagged(number: Option<u64>) -> (bool, u64) {
    (number.is_some(), number.unwrap_or(0))
}

/// What a pointer points to, which must be given.
pub(crate) unsafe fn read<T: Copy>(from: *const T) -> Result<T, Fail> {
    if from.is_null() {
        return Err(Fail::Null);
    }
    // SAFETY: not NULL; the caller vouches that it may be read. The types read have no invalid values.
    Ok(unsafe { from.read() })
}

/// A list that a pointer and a count give; NULL is fine for an empty one.
pub(crate) unsafe fn list<'a, T: Copy>(from: *const T, count: usize) -> Result<&'a [T], Fail> {
    if count == 0 {
        return Ok(&[]);
    }
    if from.is_null() {
        return Err(Fail::Null);
    }
    if count.checked_mul(size_of::<T>()).is_none_or(|bytes| bytes > isize::MAX as usize) {
        return Err(Fail::Length);
    }
    // SAFETY: not NULL, of a length that an object may have; the caller vouches for the memory.
    Ok(unsafe { core::slice::from_raw_parts(from, count) })
}

/// A yes or no given as a number.
pub(crate) const fn flag(value: u8) -> Result<bool, Fail> {
    match value {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(Fail::Enum),
    }
}

/// A number that counts only where its flag says so.
pub(crate) fn optional(given: u8, value: u64) -> Result<Option<u64>, Fail> {
    Ok(flag(given)?.then_some(value))
}
