//! Calls without a handle.

use crate::codes::{self, askgate_result};
use crate::fail::{self, Fail};
use crate::guard;
use crate::pointer::{Out, Places};
use crate::text::askgate_text;
use askgate_core::dialect::session::ASK_TOOL;
use askgate_core::text::{Mode, Unit, cut, display_safe};
use core::ffi::c_char;

/// == Kinds of text, for askgate_display_safe ==
///
/// Text of one line, such as a title or a label.
pub const ASKGATE_TEXT_LINE: i32 = 1;
/// Text that may have several lines.
pub const ASKGATE_TEXT_BODY: i32 = 2;
/// A command, in which every invisible character is shown.
pub const ASKGATE_TEXT_COMMAND: i32 = 3;

/// == Units, for askgate_cut ==
///
/// Grapheme clusters: what a person takes for characters.
pub const ASKGATE_UNIT_GRAPHEMES: i32 = 1;
/// Unicode scalar values.
pub const ASKGATE_UNIT_SCALARS: i32 = 2;
/// UTF-16 code units.
pub const ASKGATE_UNIT_UTF16: i32 = 3;
/// Bytes of UTF-8.
pub const ASKGATE_UNIT_BYTES: i32 = 4;

/// == Calls without a handle ==
///
/// The interface of the library that runs, to be compared with `ASKGATE_ABI_VERSION`. Every `askgate_..._new` compares them
/// itself.
#[unsafe(no_mangle)]
pub extern "C" fn askgate_abi_version() -> u32 {
    codes::ASKGATE_ABI_VERSION
}

/// The version of the library that runs, such as `"0.1.0"`, ending in NUL. It lives as long as the program.
#[unsafe(no_mangle)]
pub extern "C" fn askgate_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// The name of a result, such as `invalid_answer`; empty for a number that is none. It lives as long as the program.
#[unsafe(no_mangle)]
pub extern "C" fn askgate_result_name(result: askgate_result) -> askgate_text {
    askgate_text::of(fail::name(result))
}

/// The name of an outcome, such as `timed_out`; empty for a number that is none. It lives as long as the program.
#[unsafe(no_mangle)]
pub extern "C" fn askgate_outcome_name(outcome: i32) -> askgate_text {
    askgate_text::of(codes::outcome(outcome).map_or("", |kind| kind.as_str()))
}

/// The definition of the `ask` tool, as JSON, to give to a model while somebody can be asked. It lives as long as the
/// program.
#[unsafe(no_mangle)]
pub extern "C" fn askgate_ask_tool() -> askgate_text {
    askgate_text::of(ASK_TOOL)
}

/// Makes text safe to show: what is invisible or would reorder the line becomes a visible escape such as `\u{202E}`.
/// `mode` is one of `ASKGATE_TEXT_...`. Writes the text into `buffer`, its length in bytes, and whether anything was
/// hidden in it (`has_hidden` may be NULL). `ASKGATE_TOO_SMALL` if `capacity` is too small: then the length needed is
/// written and nothing else. No NUL is added.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_display_safe(
    text: askgate_text,
    mode: i32,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
    has_hidden: *mut bool,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        guard::plain(Out::optional(has_hidden), || {
            let mode = match mode {
                ASKGATE_TEXT_LINE => Mode::Line,
                ASKGATE_TEXT_BODY => Mode::Body,
                ASKGATE_TEXT_COMMAND => Mode::Command,
                _ => return Err(Fail::Enum),
            };
            let safe = display_safe(text.required()?, mode);
            fill(&safe.text, buffer, capacity, length)?;
            Ok(safe.has_hidden)
        })
    }
}

/// Cuts text to at most `limit` units, one of `ASKGATE_UNIT_...`, on a grapheme, with `…` at the end if anything was cut.
/// Writes as `askgate_display_safe` does.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_cut(
    text: askgate_text,
    unit: i32,
    limit: usize,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        guard::plain((), || {
            let unit = match unit {
                ASKGATE_UNIT_GRAPHEMES => Unit::Graphemes,
                ASKGATE_UNIT_SCALARS => Unit::Scalars,
                ASKGATE_UNIT_UTF16 => Unit::Utf16,
                ASKGATE_UNIT_BYTES => Unit::Bytes,
                _ => return Err(Fail::Enum),
            };
            fill(&cut(text.required()?, limit, unit), buffer, capacity, length)
        })
    }
}

/// Writes text into a caller's buffer.
unsafe fn fill(text: &str, buffer: *mut c_char, capacity: usize, length: *mut usize) -> Result<(), Fail> {
    let length = Out::required(length);
    length.check()?;
    if buffer.is_null() && capacity > 0 {
        return Err(Fail::Null);
    }
    // SAFETY: the caller vouches for the places of the results, and for `capacity` bytes at `buffer`.
    unsafe {
        length.write(text.len());
        if text.len() > capacity {
            return Err(Fail::TooSmall);
        }
        if !text.is_empty() {
            core::ptr::copy_nonoverlapping(text.as_ptr().cast(), buffer, text.len());
        }
    }
    Ok(())
}
