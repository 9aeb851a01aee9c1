//! Writing JSON: a value appends itself to a text, byte for byte as `serde_json` would write it.
//!
//! Each of our objects has its fields in an order that is fixed (spec, "canonical JSON"), so that what stands between two
//! values is known when the crate is compiled; `object!` puts it there as one text. That is faster than writing names and
//! commas one by one, and much smaller in a page, which is why no library stands here.

use alloc::borrow::{Cow, ToOwned};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

/// What can be written as JSON.
pub trait ToJson {
    /// Appends it as JSON.
    fn write_json(&self, out: &mut String);
}

/// A value as JSON.
#[must_use]
pub fn to_json(value: &(impl ToJson + ?Sized)) -> String {
    let mut out = String::new();
    value.write_json(&mut out);
    out
}

/// Appends an object: `object!(out, "name": value, "other"?: option, "kind" = "text")`, where a field with `?` is left out if
/// it is `None`. At least one field is always there. Names, and texts after `=`, have nothing to escape.
macro_rules! object {
    (@start $out:ident, $name:literal ?: $($rest:tt)+) => {
        $crate::json::piece($out, "{");
        $crate::json::object!(@lead $out, $name ?: $($rest)+);
    };
    (@start $out:ident, $name:literal: $value:expr $(, $($rest:tt)*)?) => {
        $crate::json::piece($out, concat!("{\"", $name, "\":"));
        $crate::json::ToJson::write_json(&$value, $out);
        $crate::json::object!(@more $out, $($($rest)*)?);
    };
    (@start $out:ident, $name:literal = $text:literal $(, $($rest:tt)*)?) => {
        $crate::json::piece($out, concat!("{\"", $name, "\":\"", $text, "\""));
        $crate::json::object!(@more $out, $($($rest)*)?);
    };
    // Before the first field that is always there, a comma follows a field; behind it, one precedes it.
    (@lead $out:ident, $name:literal ?: $value:expr, $($rest:tt)+) => {
        if let Some(value) = &$value {
            $crate::json::piece($out, concat!("\"", $name, "\":"));
            $crate::json::ToJson::write_json(value, $out);
            $crate::json::piece($out, ",");
        }
        $crate::json::object!(@lead $out, $($rest)+);
    };
    (@lead $out:ident, $name:literal: $value:expr $(, $($rest:tt)*)?) => {
        $crate::json::piece($out, concat!("\"", $name, "\":"));
        $crate::json::ToJson::write_json(&$value, $out);
        $crate::json::object!(@more $out, $($($rest)*)?);
    };
    (@more $out:ident, $name:literal ?: $value:expr $(, $($rest:tt)*)?) => {
        if let Some(value) = &$value {
            $crate::json::piece($out, concat!(",\"", $name, "\":"));
            $crate::json::ToJson::write_json(value, $out);
        }
        $crate::json::object!(@more $out, $($($rest)*)?);
    };
    (@more $out:ident, $name:literal: $value:expr $(, $($rest:tt)*)?) => {
        $crate::json::piece($out, concat!(",\"", $name, "\":"));
        $crate::json::ToJson::write_json(&$value, $out);
        $crate::json::object!(@more $out, $($($rest)*)?);
    };
    (@more $out:ident, $name:literal = $text:literal $(, $($rest:tt)*)?) => {
        $crate::json::piece($out, concat!(",\"", $name, "\":\"", $text, "\""));
        $crate::json::object!(@more $out, $($($rest)*)?);
    };
    (@more $out:ident,) => {
        $crate::json::piece($out, "}");
    };
    ($out:expr, $($fields:tt)+) => {{
        let out: &mut alloc::string::String = $out;
        $crate::json::object!(@start out, $($fields)+);
    }};
}

pub(crate) use object;

/// Appends what stands between values.
// Where its length is known it is a few stores instead of a call. A page is to download the call.
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
#[cfg_attr(target_arch = "wasm32", inline(never))]
pub(crate) fn piece(out: &mut String, piece: &'static str) {
    out.push_str(piece);
}

/// Appends a text.
pub(crate) fn text(out: &mut String, text: &str) {
    out.push('"');
    escape(out, text);
    out.push('"');
}

/// Appends a list.
pub(crate) fn list<T: ToJson>(out: &mut String, items: impl IntoIterator<Item = T>) {
    let mut before = "[";
    for item in items {
        piece(out, before);
        item.write_json(out);
        before = ",";
    }
    piece(out, if before == "[" { "[]" } else { "]" });
}

/// A text of ours, in which nothing is to be escaped.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plain(pub(crate) &'static str);

impl ToJson for Plain {
    fn write_json(&self, out: &mut String) {
        out.push('"');
        out.push_str(self.0);
        out.push('"');
    }
}

/// A list as a value.
#[derive(Debug, Clone, Copy)]
pub(crate) struct List<I>(pub(crate) I);

impl<T: ToJson, I: Iterator<Item = T> + Clone> ToJson for List<I> {
    fn write_json(&self, out: &mut String) {
        list(out, self.0.clone());
    }
}

impl<T: ToJson + ?Sized> ToJson for &T {
    fn write_json(&self, out: &mut String) {
        (**self).write_json(out);
    }
}

impl<T: ToJson + ?Sized> ToJson for Box<T> {
    fn write_json(&self, out: &mut String) {
        (**self).write_json(out);
    }
}

impl<T: ToJson + ToOwned + ?Sized> ToJson for Cow<'_, T> {
    fn write_json(&self, out: &mut String) {
        (**self).write_json(out);
    }
}

/// Nothing is `null`.
impl<T: ToJson> ToJson for Option<T> {
    fn write_json(&self, out: &mut String) {
        match self {
            Some(value) => value.write_json(out),
            None => piece(out, "null"),
        }
    }
}

impl<T: ToJson> ToJson for [T] {
    fn write_json(&self, out: &mut String) {
        list(out, self);
    }
}

impl<T: ToJson> ToJson for Vec<T> {
    fn write_json(&self, out: &mut String) {
        list(out, self);
    }
}

impl ToJson for () {
    fn write_json(&self, out: &mut String) {
        piece(out, "null");
    }
}

/// A list of two.
impl<A: ToJson, B: ToJson> ToJson for (A, B) {
    fn write_json(&self, out: &mut String) {
        piece(out, "[");
        self.0.write_json(out);
        piece(out, ",");
        self.1.write_json(out);
        piece(out, "]");
    }
}

impl ToJson for str {
    fn write_json(&self, out: &mut String) {
        text(out, self);
    }
}

impl ToJson for String {
    fn write_json(&self, out: &mut String) {
        text(out, self);
    }
}

impl ToJson for bool {
    fn write_json(&self, out: &mut String) {
        piece(out, if *self { "true" } else { "false" });
    }
}

impl ToJson for u64 {
    fn write_json(&self, out: &mut String) {
        number(out, *self);
    }
}

impl ToJson for usize {
    fn write_json(&self, out: &mut String) {
        number(out, *self as u64);
    }
}

impl ToJson for u32 {
    fn write_json(&self, out: &mut String) {
        number(out, u64::from(*self));
    }
}

impl ToJson for u8 {
    fn write_json(&self, out: &mut String) {
        number(out, u64::from(*self));
    }
}

impl ToJson for i64 {
    fn write_json(&self, out: &mut String) {
        if *self < 0 {
            out.push('-');
        }
        number(out, self.unsigned_abs());
    }
}

impl ToJson for i32 {
    fn write_json(&self, out: &mut String) {
        i64::from(*self).write_json(out);
    }
}

impl ToJson for char {
    fn write_json(&self, out: &mut String) {
        text(out, self.encode_utf8(&mut [0; 4]));
    }
}

/// Appends a text, escaped.
fn escape(out: &mut String, text: &str) {
    if is_plain(text.as_bytes()) {
        return out.push_str(text);
    }
    let mut rest = text;
    while let Some(at) = rest.bytes().position(is_stop) {
        let (plain, more) = rest.split_at_checked(at).unwrap_or((rest, ""));
        out.push_str(plain);
        let mut more = more.chars();
        match more.next() {
            Some('\u{8}') => out.push_str("\\b"),
            Some('\t') => out.push_str("\\t"),
            Some('\n') => out.push_str("\\n"),
            Some('\u{c}') => out.push_str("\\f"),
            Some('\r') => out.push_str("\\r"),
            Some(character) if character < ' ' => {
                let digit = |nibble: u32| char::from_digit(nibble, 16).unwrap_or('0');
                let code = u32::from(character);
                out.push_str("\\u00");
                out.extend([digit(code >> 4), digit(code & 15)]);
            }
            Some(character) => out.extend(['\\', character]),
            None => {}
        }
        rest = more.as_str();
    }
    out.push_str(rest);
}

/// Whether nothing in a text is escaped, seen eight bytes at a time.
fn is_plain(bytes: &[u8]) -> bool {
    let escaped = |word: &[u8; 8]| stops(u64::from_le_bytes(*word)) != 0;
    match bytes.last_chunk() {
        Some(last) => !bytes.as_chunks().0.iter().any(escaped) && !escaped(last),
        None => !bytes.iter().any(|byte| is_stop(*byte)),
    }
}

/// Whether a byte of a string does not stand for itself.
pub(crate) const fn is_stop(byte: u8) -> bool {
    byte < b' ' || byte == b'"' || byte == b'\\'
}

/// The top bit of each of eight bytes that does not stand for itself. One above such a byte may be marked falsely, the
/// lowest mark is true.
pub(crate) const fn stops(word: u64) -> u64 {
    const EACH: u64 = u64::MAX / 255;
    const fn less(word: u64, than: u8) -> u64 {
        word.wrapping_sub(EACH * than as u64) & !word
    }
    let quote = word ^ (EACH * b'"' as u64);
    let backslash = word ^ (EACH * b'\\' as u64);
    (less(word, b' ') | less(quote, 1) | less(backslash, 1)) & (EACH << 7)
}

/// Appends a number in decimal digits.
// Every line has some, whose digits would otherwise be found one after the other.
fn number(out: &mut String, n: u64) {
    const HALF: u64 = 100_000_000;
    let (rest, low) = (n / HALF, eight_digits(n % HALF));
    if rest == 0 {
        // Of zero the last digit counts.
        let zeros = (low | (1 << 56)).trailing_zeros() / 8;
        return digits(out, [0, low], 8 + zeros);
    }
    let (top, high) = (eight_digits(rest / HALF), eight_digits(rest % HALF));
    let zeros = if top == 0 { 8 + high.trailing_zeros() / 8 } else { top.trailing_zeros() / 8 };
    digits(out, [0, top, high, low], 8 + zeros);
}

/// Appends digits from one of them on.
fn digits<const WORDS: usize>(out: &mut String, words: [u64; WORDS], from: u32) {
    let bytes = Aligned(words.map(|digits| (digits | u64::from_le_bytes([b'0'; 8])).to_le_bytes()));
    let text = core::str::from_utf8(bytes.0.as_flattened()).ok();
    out.push_str(text.and_then(|text| text.get(from as usize..)).unwrap_or_default());
}

/// Bytes that lie so that the check for ASCII takes them by the word.
#[repr(align(16))]
struct Aligned<const WORDS: usize>([[u8; 8]; WORDS]);

/// The digits of a number below 10^8, the first in the lowest byte: halves of it, then halves of those, and so on, all at
/// once in the parts of one word. Multiplying and shifting divides by 100 exactly below 10^4, and by 10 below 100.
const fn eight_digits(n: u64) -> u64 {
    let fours = (n / 10_000) | ((n % 10_000) << 32);
    let hundreds = ((fours * 10_486) >> 20) & 0x0000_007f_0000_007f;
    let twos = hundreds | ((fours - hundreds * 100) << 16);
    let tens = ((twos * 103) >> 10) & 0x000f_000f_000f_000f;
    tens | ((twos - tens * 10) << 8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;
    use alloc::vec;

    #[test]
    fn every_character_is_written_as_serde_json_writes_it() {
        let scalars = (0..0x3000_u32).chain(0x1_f600..0x1_f610).filter_map(char::from_u32);
        let all: String = scalars.collect();
        assert_eq!(to_json(&all), serde_json::to_string(&all).unwrap());
        for at in 0..40 {
            let text: String = (0..40).map(|n| if n == at { '\u{1f}' } else { 'x' }).collect();
            assert_eq!(to_json(&text), serde_json::to_string(&text).unwrap());
        }
        assert_eq!(to_json(&'"'), r#""\"""#);
    }

    #[test]
    fn numbers_are_written_in_digits() {
        let near = |n: u64| (n.saturating_sub(2)..=n.saturating_add(2)).chain([n / 3, n / 7 * 5]);
        let powers = (0..20).map(|power| 10_u64.pow(power)).chain([u64::MAX]);
        for n in (0..20_000).chain(powers.flat_map(near)) {
            assert_eq!(to_json(&n), n.to_string());
        }
        for n in (0..10_000).map(|n| n * 10_000) {
            assert_eq!(to_json(&n), n.to_string());
        }
        for n in [0, -1, -10, 10, i64::MAX, i64::MIN] {
            assert_eq!(to_json(&n), n.to_string());
        }
    }

    #[test]
    fn lists_are_written() {
        let none: [u64; 0] = [];
        assert_eq!(to_json(&none[..]), "[]");
        assert_eq!(to_json(&vec![Some(true), None, Some(false)]), "[true,null,false]");
        assert_eq!(to_json(&List([1_u8, 2].iter())), "[1,2]");
    }

    #[test]
    fn fields_that_are_not_there_leave_no_comma() {
        let write = |a: Option<u8>, b: Option<u8>, c: Option<u8>| {
            let mut out = String::new();
            object!(&mut out, "a"?: a, "b"?: b, "x": "y", "c"?: c);
            object!(&mut out, "z" = "0", "c"?: c, "d" = "e");
            out
        };
        assert_eq!(write(None, None, None), r#"{"x":"y"}{"z":"0","d":"e"}"#);
        assert_eq!(write(Some(1), None, Some(3)), r#"{"a":1,"x":"y","c":3}{"z":"0","c":3,"d":"e"}"#);
        assert_eq!(write(None, Some(2), None), r#"{"b":2,"x":"y"}{"z":"0","d":"e"}"#);
    }
}
