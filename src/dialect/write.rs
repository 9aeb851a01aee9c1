//! Lines as JSON text, written straight to where they wait to be sent, byte for byte as `serde_json` would write them.

use super::json::{is_stop, stops};
use alloc::string::String;
use core::fmt;
use serde::ser::{self, Impossible, Serialize, Serializer};

/// Appends a value as JSON. Fails on what none of our lines has: fractions, bytes, and enums or maps with keys that are no
/// texts. What was appended by then is no JSON.
pub(crate) fn write(out: &mut String, value: &impl Serialize) -> Result<(), fmt::Error> {
    value.serialize(Writer(out))
}

/// A value as a text of its own.
pub(crate) fn to_string(value: &impl Serialize) -> Result<String, fmt::Error> {
    let mut out = String::new();
    write(&mut out, value)?;
    Ok(out)
}

/// Appends a text as JSON.
pub(crate) fn text(out: &mut String, text: &str) {
    out.push('"');
    escape(out, text);
    out.push('"');
}

struct Writer<'o>(&'o mut String);

/// An array or an object, until its end.
struct Compound<'o> {
    out: &'o mut String,
    empty: bool,
    end: char,
}

impl<'o> Writer<'o> {
    fn compound(self, start: char, end: char) -> Compound<'o> {
        self.0.push(start);
        Compound { out: self.0, empty: true, end }
    }

    fn literal(self, text: &str) -> Result<(), fmt::Error> {
        self.0.push_str(text);
        Ok(())
    }
}

impl Compound<'_> {
    /// The comma before all but the first.
    fn next(&mut self) {
        if !core::mem::replace(&mut self.empty, false) {
            self.out.push(',');
        }
    }

    // Where the name is known, writing it is a few stores instead of a call. A page is to download the call.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    fn name(&mut self, name: &'static str) {
        // A field's name has nothing to escape.
        self.next();
        self.out.push('"');
        self.out.push_str(name);
        self.out.push_str("\":");
    }

    fn close(self) -> Result<(), fmt::Error> {
        self.out.push(self.end);
        Ok(())
    }
}

impl<'o> Serializer for Writer<'o> {
    type Ok = ();
    type Error = fmt::Error;
    type SerializeSeq = Compound<'o>;
    type SerializeTuple = Compound<'o>;
    type SerializeTupleStruct = Impossible<(), fmt::Error>;
    type SerializeTupleVariant = Impossible<(), fmt::Error>;
    type SerializeMap = Compound<'o>;
    type SerializeStruct = Compound<'o>;
    type SerializeStructVariant = Impossible<(), fmt::Error>;

    fn serialize_str(self, text: &str) -> Result<(), fmt::Error> {
        self::text(self.0, text);
        Ok(())
    }

    fn collect_str<T: fmt::Display + ?Sized>(self, value: &T) -> Result<(), fmt::Error> {
        self.0.push('"');
        fmt::Write::write_fmt(&mut Escaped(self.0), format_args!("{value}"))?;
        self.0.push('"');
        Ok(())
    }

    fn serialize_bool(self, value: bool) -> Result<(), fmt::Error> {
        self.literal(if value { "true" } else { "false" })
    }

    fn serialize_unit(self) -> Result<(), fmt::Error> {
        self.literal("null")
    }

    fn serialize_none(self) -> Result<(), fmt::Error> {
        self.literal("null")
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), fmt::Error> {
        value.serialize(self)
    }

    fn serialize_u64(self, n: u64) -> Result<(), fmt::Error> {
        number(self.0, n);
        Ok(())
    }

    fn serialize_i64(self, n: i64) -> Result<(), fmt::Error> {
        if n < 0 {
            self.0.push('-');
        }
        number(self.0, n.unsigned_abs());
        Ok(())
    }

    fn serialize_u8(self, n: u8) -> Result<(), fmt::Error> {
        self.serialize_u64(n.into())
    }

    fn serialize_u16(self, n: u16) -> Result<(), fmt::Error> {
        self.serialize_u64(n.into())
    }

    fn serialize_u32(self, n: u32) -> Result<(), fmt::Error> {
        self.serialize_u64(n.into())
    }

    fn serialize_i8(self, n: i8) -> Result<(), fmt::Error> {
        self.serialize_i64(n.into())
    }

    fn serialize_i16(self, n: i16) -> Result<(), fmt::Error> {
        self.serialize_i64(n.into())
    }

    fn serialize_i32(self, n: i32) -> Result<(), fmt::Error> {
        self.serialize_i64(n.into())
    }

    fn serialize_char(self, c: char) -> Result<(), fmt::Error> {
        self.serialize_str(c.encode_utf8(&mut [0; 4]))
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), fmt::Error> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, name: &'static str) -> Result<(), fmt::Error> {
        self.serialize_str(name)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), fmt::Error> {
        value.serialize(self)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Compound<'o>, fmt::Error> {
        Ok(self.compound('[', ']'))
    }

    fn serialize_tuple(self, _: usize) -> Result<Compound<'o>, fmt::Error> {
        Ok(self.compound('[', ']'))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Compound<'o>, fmt::Error> {
        Ok(self.compound('{', '}'))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Compound<'o>, fmt::Error> {
        Ok(self.compound('{', '}'))
    }

    fn serialize_f32(self, _: f32) -> Result<(), fmt::Error> {
        Err(fmt::Error)
    }

    fn serialize_f64(self, _: f64) -> Result<(), fmt::Error> {
        Err(fmt::Error)
    }

    fn serialize_bytes(self, _: &[u8]) -> Result<(), fmt::Error> {
        Err(fmt::Error)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<(), fmt::Error> {
        Err(fmt::Error)
    }

    fn serialize_tuple_struct(
        self,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleStruct, fmt::Error> {
        Err(fmt::Error)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, fmt::Error> {
        Err(fmt::Error)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, fmt::Error> {
        Err(fmt::Error)
    }
}

impl ser::SerializeSeq for Compound<'_> {
    type Ok = ();
    type Error = fmt::Error;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), fmt::Error> {
        self.next();
        value.serialize(Writer(self.out))
    }

    fn end(self) -> Result<(), fmt::Error> {
        self.close()
    }
}

impl ser::SerializeTuple for Compound<'_> {
    type Ok = ();
    type Error = fmt::Error;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), fmt::Error> {
        ser::SerializeSeq::serialize_element(self, value)
    }

    fn end(self) -> Result<(), fmt::Error> {
        self.close()
    }
}

impl ser::SerializeMap for Compound<'_> {
    type Ok = ();
    type Error = fmt::Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), fmt::Error> {
        self.next();
        let start = self.out.len();
        key.serialize(Writer(self.out))?;
        if self.out.as_bytes().get(start) == Some(&b'"') { Ok(()) } else { Err(fmt::Error) }
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), fmt::Error> {
        self.out.push(':');
        value.serialize(Writer(self.out))
    }

    fn end(self) -> Result<(), fmt::Error> {
        self.close()
    }
}

impl ser::SerializeStruct for Compound<'_> {
    type Ok = ();
    type Error = fmt::Error;

    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<(), fmt::Error> {
        self.name(key);
        value.serialize(Writer(self.out))
    }

    fn end(self) -> Result<(), fmt::Error> {
        self.close()
    }
}

struct Escaped<'o>(&'o mut String);

impl fmt::Write for Escaped<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        escape(self.0, text);
        Ok(())
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

/// Appends a number in decimal digits.
fn number(out: &mut String, n: u64) {
    let mut digits = Digits::default();
    let start = digits.write(n);
    out.push_str(digits.from(start));
}

/// Room for a number and a few letters before it. Aligned and of whole words, so that the check for ASCII is a few steps.
#[repr(align(16))]
pub(super) struct Digits([u8; 32]);

impl Default for Digits {
    fn default() -> Self {
        Self([b'0'; 32])
    }
}

impl Digits {
    /// Writes a number in decimal digits to the end, and gives where it starts.
    pub(super) fn write(&mut self, mut n: u64) -> usize {
        let mut start = self.0.len();
        for digit in self.0.iter_mut().rev() {
            *digit = b'0' + (n % 10) as u8;
            n /= 10;
            start -= 1;
            if n == 0 {
                break;
            }
        }
        start
    }

    /// Writes letters before a place, as far as there is room, and gives where they start.
    pub(super) fn prefix(&mut self, end: usize, letters: &str) -> usize {
        let start = end.saturating_sub(letters.len());
        if let Some(place) = self.0.get_mut(start..end)
            && place.len() == letters.len()
        {
            place.copy_from_slice(letters.as_bytes());
        }
        start
    }

    /// The text from there on.
    pub(super) fn from(&self, start: usize) -> &str {
        core::str::from_utf8(&self.0).ok().and_then(|text| text.get(start..)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::collections::BTreeMap;
    use alloc::vec::Vec;

    fn written(value: &impl Serialize) -> String {
        to_string(value).unwrap()
    }

    #[test]
    fn every_character_is_written_as_serde_json_writes_it() {
        let scalars = (0..0x3000_u32).chain(0x1_f600..0x1_f610).filter_map(char::from_u32);
        let all: String = scalars.collect();
        assert_eq!(written(&all), serde_json::to_string(&all).unwrap());
        for at in 0..40 {
            let text: String = (0..40).map(|n| if n == at { '\u{1f}' } else { 'x' }).collect();
            assert_eq!(written(&text), serde_json::to_string(&text).unwrap());
        }
    }

    #[test]
    fn numbers_are_written_as_serde_json_writes_them() {
        for n in [0, 1, 9, 10, 99, 100, 12_345_678_901, u64::MAX] {
            assert_eq!(written(&n), serde_json::to_string(&n).unwrap());
        }
        for n in [0, -1, -10, i64::MAX, i64::MIN] {
            assert_eq!(written(&n), serde_json::to_string(&n).unwrap());
        }
    }

    #[test]
    fn lists_and_maps_are_written_as_serde_json_writes_them() {
        let map = BTreeMap::from([("a\"", Some(Vec::new())), ("b", None), ("c", Some([1, 2].to_vec()))]);
        let value = (map, [true, false], (), 'é', "");
        assert_eq!(written(&value), serde_json::to_string(&value).unwrap());
    }

    #[test]
    fn what_no_line_has_is_an_error() {
        assert!(to_string(&1.5).is_err());
        assert!(to_string(&BTreeMap::from([(1, 2)])).is_err());
    }
}
