//! Text across the boundary.

use crate::fail::Fail;
use core::ffi::c_char;
use core::{ptr, slice, str};

/// UTF-8 text with its length in bytes. It may hold any character, NUL too, and need not end in one.
///
/// Given to a call, it is read during the call and never kept; `data` of NULL with `len` of 0 is an absent text, which
/// only optional parameters may be. Got from a call, it is borrowed from the handle: see "Borrowed text" above. An absent
/// text is `{NULL, 0}` then too; an empty one has a `data`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct askgate_text {
    /// The first byte, or NULL for an absent text.
    pub data: *const c_char,
    /// How many bytes.
    pub len: usize,
}

impl askgate_text {
    pub(crate) const ABSENT: Self = Self { data: ptr::null(), len: 0 };

    pub(crate) const fn of(text: &str) -> Self {
        Self { data: text.as_ptr().cast(), len: text.len() }
    }

    /// The bytes, which need not be UTF-8.
    pub(crate) unsafe fn bytes<'a>(self) -> Result<&'a [u8], Fail> {
        if self.data.is_null() {
            return Err(Fail::Null);
        }
        if self.len > isize::MAX as usize {
            return Err(Fail::Length);
        }
        // SAFETY: not NULL, of a length that an object may have; the caller vouches for the memory.
        Ok(unsafe { slice::from_raw_parts(self.data.cast(), self.len) })
    }

    /// The text, which must be given.
    pub(crate) unsafe fn required<'a>(self) -> Result<&'a str, Fail> {
        // SAFETY: as the caller's.
        let bytes = unsafe { self.bytes() }?;
        str::from_utf8(bytes).map_err(|error| Fail::Utf8(error.valid_up_to()))
    }

    /// The text, if it is given.
    pub(crate) unsafe fn optional<'a>(self) -> Result<Option<&'a str>, Fail> {
        if self.data.is_null() && self.len == 0 {
            return Ok(None);
        }
        // SAFETY: as the caller's.
        unsafe { self.required() }.map(Some)
    }
}
