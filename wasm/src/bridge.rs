//! How text and numbers cross.

#[cfg(feature = "host")]
use alloc::borrow::Cow;
use alloc::string::String;
#[cfg(feature = "host")]
use alloc::string::ToString;
use alloc::vec::Vec;
use askgate::error::{Code, RequestError};
#[cfg(feature = "host")]
use askgate::error::{Fault, ResolveError};
use askgate::json::{ToJson, to_json};
use askgate::time::Millis;
use core::cell::Cell;

/// What a call gives that failed.
pub(crate) const FAILED: i32 = -1;

/// A static of the one thread that there is.
pub(crate) struct Global<T>(pub(crate) T);

// SAFETY: the module is built without threads and is entered by one call at a time: its memory is not shared, it imports
// nothing that could call back, and each worker of JavaScript has an instance of its own.
unsafe impl<T> Sync for Global<T> {}

/// Where JavaScript finds what a call gave: a text, and a number.
#[repr(C)]
pub(crate) struct Header {
    start: Cell<*const u8>,
    length: Cell<usize>,
    number: Cell<f64>,
}

pub(crate) static HEADER: Global<Header> =
    Global(Header { start: Cell::new(core::ptr::null()), length: Cell::new(0), number: Cell::new(0.0) });

/// The texts of the call at hand. Taken out while a call reads it, so that nothing is shared even if the call traps.
static INPUT: Global<Cell<Vec<u8>>> = Global(Cell::new(Vec::new()));

/// A text that a call gave, kept until the next that gives one.
static OUTPUT: Global<Cell<Vec<u8>>> = Global(Cell::new(Vec::new()));

/// Where the header is.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_header() -> *const u8 {
    (&raw const HEADER.0).cast()
}

/// Makes the input so many bytes large and gives its place. What was in it is lost.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_reserve(bytes: usize) -> *const u8 {
    let mut input = INPUT.0.take();
    if bytes < input.capacity() {
        input = Vec::new();
    }
    input.clear();
    input.resize(bytes, 0);
    let start = input.as_ptr();
    INPUT.0.set(input);
    start
}

/// The texts of a call, one behind the other.
pub(crate) struct Input<'i>(&'i [u8]);

impl<'i> Input<'i> {
    /// The next so many bytes.
    pub(crate) fn bytes(&mut self, length: usize) -> &'i [u8] {
        let (taken, rest) = self.0.split_at_checked(length).unwrap_or((self.0, &[]));
        self.0 = rest;
        #[cfg(feature = "test-hooks")]
        #[allow(clippy::panic, reason = "what the hook is for")]
        if taken == b"\0panic" {
            panic!()
        }
        taken
    }

    /// The next so many bytes as text, which JavaScript's encoder always writes.
    #[inline(never)]
    pub(crate) fn text(&mut self, length: usize) -> &'i str {
        core::str::from_utf8(self.bytes(length)).unwrap_or_default()
    }

    /// The next so many bytes as the digits of a number.
    #[cfg(feature = "host")]
    pub(crate) fn number(&mut self, length: usize) -> Option<u64> {
        self.text(length).parse().ok()
    }
}

/// Lends the input to a call.
pub(crate) fn with_input<R>(call: impl FnOnce(&mut Input<'_>) -> R) -> R {
    let input = INPUT.0.take();
    let given = call(&mut Input(&input));
    INPUT.0.set(input);
    given
}

/// Wipes the texts of the call at hand, of which one is a secret.
#[cfg(feature = "chat")]
pub(crate) fn wipe_input() {
    let mut input = INPUT.0.take();
    input.fill(0);
    INPUT.0.set(input);
}

/// Gives a number.
pub(crate) fn give_number(number: f64) {
    HEADER.0.number.set(number);
}

/// Gives a time, or that there is none.
pub(crate) fn give_time(time: Option<Millis>) -> i32 {
    #[allow(clippy::cast_precision_loss, reason = "a time beyond 2^53 does not come")]
    give_number(time.map_or(f64::NAN, |time| time.0 as f64));
    i32::from(time.is_some())
}

/// Gives a text that stays where it is until the next call.
pub(crate) fn lend_text(text: &str) {
    HEADER.0.start.set(text.as_ptr());
    HEADER.0.length.set(text.len());
}

/// Gives a text.
pub(crate) fn give_text(text: impl Into<String>) {
    let output = Into::<String>::into(text).into_bytes();
    HEADER.0.start.set(output.as_ptr());
    HEADER.0.length.set(output.len());
    OUTPUT.0.set(output);
}

/// Gives JSON.
pub(crate) fn give_json(value: &impl ToJson) {
    give_text(to_json(value));
}

/// An error as JavaScript takes it.
struct ErrorJson<'e> {
    code: &'e str,
    path: &'e str,
    message: &'e str,
    field: Option<&'e str>,
    outcome: Option<&'e str>,
}

impl ToJson for ErrorJson<'_> {
    fn write_json(&self, out: &mut String) {
        let fields = [
            ("{\"code\":", Some(self.code)),
            (",\"path\":", Some(self.path)),
            (",\"message\":", Some(self.message)),
            (",\"field\":", self.field),
            (",\"outcome\":", self.outcome),
        ];
        for (name, value) in fields {
            if let Some(value) = value {
                out.push_str(name);
                value.write_json(out);
            }
        }
        out.push('}');
    }
}

/// Gives an error, and [`FAILED`].
pub(crate) fn fail(code: Code, path: &str, message: &str) -> i32 {
    give_json(&ErrorJson { code: code.as_str(), path, message, field: None, outcome: None });
    FAILED
}

/// Gives the error of a request.
pub(crate) fn fail_request(error: &RequestError) -> i32 {
    fail(error.code(), error.path(), error.message())
}

/// Gives what is wrong with one argument.
#[cfg(feature = "host")]
pub(crate) fn fail_at(path: &str, fault: &Fault) -> i32 {
    fail(fault.code, path, &fault.message)
}

/// Gives why a call on a prompt was refused.
#[cfg(feature = "host")]
pub(crate) fn fail_refused(error: &ResolveError) -> i32 {
    let (mut path, mut field, mut outcome) = (Cow::Borrowed(""), None, None);
    match error {
        ResolveError::Mismatch(differs) => field = Some(differs.as_str()),
        ResolveError::AlreadyResolved { outcome: ended, .. } => outcome = Some(ended.as_str()),
        ResolveError::InvalidAnswer(error) => path = error.path(),
        _ => {}
    }
    let message = &error.to_string();
    give_json(&ErrorJson { code: error.code().as_str(), path: &path, message, field, outcome });
    FAILED
}

/// A time from JavaScript, which has checked it.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a cast that saturates is meant")]
pub(crate) const fn millis(now: f64) -> Millis {
    Millis(now as u64)
}

/// A count from JavaScript, where infinity is as many as there may be.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a cast that saturates is meant")]
pub(crate) const fn count(number: f64) -> usize {
    number as usize
}

/// A count to JavaScript.
pub(crate) fn counted(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}
