//! Pointers to what a call reads, and to where it writes.

use crate::fail::Fail;

/// Where a result goes.
pub(crate) struct Out<T>(*mut T);

impl<T> Out<T> {
    /// A place that must be given.
    pub(crate) fn required(to: *mut T) -> Result<Self, Fail> {
        if to.is_null() { Err(Fail::Null) } else { Ok(Self(to)) }
    }

    /// A place that may be NULL where the result is not wanted.
    pub(crate) const fn optional(to: *mut T) -> Self {
        Self(to)
    }

    /// Writes the result, without reading what was there before.
    pub(crate) unsafe fn write(self, value: T) {
        if !self.0.is_null() {
            // SAFETY: not NULL; the caller vouches that it may be written.
            unsafe { self.0.write(value) }
        }
    }
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
