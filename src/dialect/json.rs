//! One line of JSON as a flat list of tokens that borrow from it: every field can be asked for in any order, keys keep
//! their places, duplicates are seen, and reading a line allocates nothing once the list has grown.
//!
//! The parsing itself is `serde_json`'s. Its own `Value` would copy every text, lose the order and the duplicates of keys,
//! and cost two to four times as much.

use crate::error::{Code, Fault};
use crate::fault::Pointer;
use crate::limits::MAX_SAFE_INTEGER;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};

#[derive(Debug, Clone, Copy)]
enum Token {
    Null,
    Bool(bool),
    Whole(u64),
    Negative(i64),
    Fraction(f64),
    /// A text without escapes: a place in the line.
    Text(u32, u32),
    /// A text with escapes, decoded: a place in [`Reader::decoded`].
    Decoded(u32, u32),
    /// How many items, and the token after the last.
    Array(u32, u32),
    /// How many fields (a text, then its value), and the token after the last.
    Object(u32, u32),
}

/// Memory for reading, used again for each line.
#[derive(Debug, Default)]
pub(crate) struct Reader {
    tokens: Vec<Token>,
    decoded: String,
}

/// Objects with more keys than this are checked for duplicates by sorting.
const FEW_KEYS: u32 = 16;

impl Reader {
    /// Reads one JSON text.
    pub(crate) fn read<'d>(&'d mut self, line: &'d str) -> Result<Doc<'d>, Fault> {
        self.tokens.clear();
        self.decoded.clear();
        let mut parser = serde_json::Deserializer::from_str(line);
        let mut duplicate = None;
        let tape = Tape { reader: self, line, duplicate: &mut duplicate };
        match tape.deserialize(&mut parser).and_then(|()| parser.end()) {
            Ok(()) => Ok(Doc { line, tokens: &self.tokens, decoded: &self.decoded, duplicate }),
            Err(error) => {
                Err(Fault::new(Code::ParseError, alloc::format!("Send one JSON object a line: {error}.")))
            }
        }
    }

    /// Gives back what one long line made it hold.
    pub(crate) fn trim(&mut self) {
        const KEEP: usize = 4_096;
        if self.tokens.capacity() > KEEP {
            self.tokens = Vec::new();
        }
        if self.decoded.capacity() > 16 * KEEP {
            self.decoded = String::new();
        }
    }
}

struct Tape<'t, 'd> {
    reader: &'t mut Reader,
    line: &'d str,
    /// The key token that repeats an earlier key, if one does.
    duplicate: &'t mut Option<u32>,
}

impl Tape<'_, '_> {
    fn again(&mut self) -> Tape<'_, '_> {
        Tape { reader: self.reader, line: self.line, duplicate: self.duplicate }
    }

    fn push(&mut self, token: Token) {
        self.reader.tokens.push(token);
    }

    fn here(&self) -> u32 {
        u32::try_from(self.reader.tokens.len()).unwrap_or(u32::MAX)
    }

    fn patch(&mut self, at: u32, token: Token) {
        if let Some(place) = self.reader.tokens.get_mut(at as usize) {
            *place = token;
        }
    }

    fn decoded(&mut self, text: &str) {
        let start = self.reader.decoded.len();
        self.reader.decoded.push_str(text);
        self.push(match (u32::try_from(start), u32::try_from(self.reader.decoded.len())) {
            (Ok(start), Ok(end)) => Token::Decoded(start, end),
            (Err(_), _) | (_, Err(_)) => Token::Null,
        });
    }

    /// One of 64 bits for the key token at the end, by its length and first letter: a key with a bit of its own among
    /// those of its object repeats none of them.
    fn key_bit(&self) -> u64 {
        let (text, start, end) = match self.reader.tokens.last() {
            Some(Token::Text(start, end)) => (self.line, *start, *end),
            Some(Token::Decoded(start, end)) => (self.reader.decoded.as_str(), *start, *end),
            Some(_) | None => return u64::MAX,
        };
        let first = text.as_bytes().get(start as usize).copied().unwrap_or(0);
        1 << ((end.wrapping_sub(start)).wrapping_add(u32::from(first) * 5) % 64)
    }

    /// Whether the key token at the end repeats one of the object at `object`, which has `keys` before it.
    fn repeats(&self, object: u32, keys: u32) -> bool {
        let doc = self.doc();
        let Some(key) = doc.text_at(self.here().saturating_sub(1)) else { return false };
        let mut at = object + 1;
        for _ in 0..keys {
            if doc.has_text(at, key) {
                return true;
            }
            at = doc.after(at + 1);
        }
        false
    }

    /// The first key that repeats an earlier one, in an object of many keys.
    fn repeated(&self, object: u32, keys: u32) -> Option<u32> {
        let doc = self.doc();
        let mut seen = Vec::with_capacity(keys as usize);
        let mut at = object + 1;
        for _ in 0..keys {
            seen.push((doc.text_at(at)?, at));
            at = doc.after(at + 1);
        }
        seen.sort_unstable();
        seen.iter().zip(seen.iter().skip(1)).filter(|(a, b)| a.0 == b.0).map(|(_, b)| b.1).min()
    }

    fn doc(&self) -> Doc<'_> {
        Doc { line: self.line, tokens: &self.reader.tokens, decoded: &self.reader.decoded, duplicate: None }
    }
}

impl<'d> DeserializeSeed<'d> for Tape<'_, 'd> {
    type Value = ();
    fn deserialize<D: Deserializer<'d>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'d> Visitor<'d> for Tape<'_, 'd> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(mut self) -> Result<(), E> {
        self.push(Token::Null);
        Ok(())
    }

    fn visit_bool<E>(mut self, value: bool) -> Result<(), E> {
        self.push(Token::Bool(value));
        Ok(())
    }

    fn visit_u64<E>(mut self, value: u64) -> Result<(), E> {
        self.push(Token::Whole(value));
        Ok(())
    }

    fn visit_i64<E>(mut self, value: i64) -> Result<(), E> {
        self.push(u64::try_from(value).map_or(Token::Negative(value), Token::Whole));
        Ok(())
    }

    fn visit_f64<E>(mut self, value: f64) -> Result<(), E> {
        self.push(Token::Fraction(value));
        Ok(())
    }

    fn visit_borrowed_str<E>(mut self, text: &'d str) -> Result<(), E> {
        let start = (text.as_ptr() as usize).wrapping_sub(self.line.as_ptr() as usize);
        match (u32::try_from(start), u32::try_from(start.wrapping_add(text.len()))) {
            (Ok(start), Ok(end)) if end as usize <= self.line.len() => self.push(Token::Text(start, end)),
            (_, _) => self.decoded(text),
        }
        Ok(())
    }

    fn visit_str<E>(mut self, text: &str) -> Result<(), E> {
        self.decoded(text);
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'d>>(mut self, mut items: A) -> Result<(), A::Error> {
        let at = self.here();
        self.push(Token::Null);
        let mut count = 0;
        while items
            .next_element_seed(Tape { reader: self.reader, line: self.line, duplicate: self.duplicate })?
            .is_some()
        {
            count += 1;
        }
        let end = self.here();
        self.patch(at, Token::Array(count, end));
        Ok(())
    }

    fn visit_map<A: MapAccess<'d>>(mut self, mut fields: A) -> Result<(), A::Error> {
        let at = self.here();
        self.push(Token::Null);
        let mut count = 0;
        let mut seen = 0;
        while fields
            .next_key_seed(Tape { reader: self.reader, line: self.line, duplicate: self.duplicate })?
            .is_some()
        {
            let bit = self.key_bit();
            let is_new = seen & bit == 0;
            seen |= bit;
            if !is_new && self.duplicate.is_none() && count < FEW_KEYS && self.repeats(at, count) {
                *self.duplicate = Some(self.here().saturating_sub(1));
            }
            fields.next_value_seed(Tape {
                reader: self.reader,
                line: self.line,
                duplicate: self.duplicate,
            })?;
            count += 1;
        }
        let end = self.here();
        if end == u32::MAX {
            return Err(A::Error::custom("too many values"));
        }
        self.patch(at, Token::Object(count, end));
        if count > FEW_KEYS {
            // One found below may stand after the first of this object's own.
            let own = self.again().repeated(at, count);
            *self.duplicate = self.duplicate.iter().copied().chain(own).min();
        }
        Ok(())
    }
}

/// A line that was read.
#[derive(Debug)]
pub(crate) struct Doc<'d> {
    line: &'d str,
    tokens: &'d [Token],
    decoded: &'d str,
    duplicate: Option<u32>,
}

/// The JSON types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Type {
    Null,
    Bool,
    Number,
    Text,
    Array,
    Object,
}

impl<'d> Doc<'d> {
    pub(crate) const fn root(&'d self) -> Node<'d> {
        Node { doc: self, at: 0 }
    }

    /// The node that a duplicate key stands in the way of, if there is one: its key's token.
    pub(crate) const fn duplicate(&self) -> Option<Place> {
        match self.duplicate {
            Some(at) => Some(Place(at)),
            None => None,
        }
    }

    fn text_at(&self, at: u32) -> Option<&'d str> {
        match *self.tokens.get(at as usize)? {
            Token::Text(start, end) => self.line.get(start as usize..end as usize),
            Token::Decoded(start, end) => self.decoded.get(start as usize..end as usize),
            Token::Null
            | Token::Bool(_)
            | Token::Whole(_)
            | Token::Negative(_)
            | Token::Fraction(_)
            | Token::Array(..)
            | Token::Object(..) => None,
        }
    }

    /// Whether the token at `at` is that text. Most differ in length, which is seen without looking at them.
    fn has_text(&self, at: u32, text: &str) -> bool {
        let (source, start, end) = match self.tokens.get(at as usize) {
            Some(Token::Text(start, end)) => (self.line, *start as usize, *end as usize),
            Some(Token::Decoded(start, end)) => (self.decoded, *start as usize, *end as usize),
            Some(_) | None => return false,
        };
        end.saturating_sub(start) == text.len() && source.as_bytes().get(start..end) == Some(text.as_bytes())
    }

    /// The token after the value that begins at `at`.
    fn after(&self, at: u32) -> u32 {
        match self.tokens.get(at as usize) {
            Some(Token::Array(_, end) | Token::Object(_, end)) => *end,
            Some(_) | None => at + 1,
        }
    }
}

/// The place of a key or of a value in a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place(u32);

/// A value within a line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Node<'d> {
    doc: &'d Doc<'d>,
    at: u32,
}

impl<'d> Node<'d> {
    fn token(self) -> Token {
        self.doc.tokens.get(self.at as usize).copied().unwrap_or(Token::Null)
    }

    pub(crate) fn kind(self) -> Type {
        match self.token() {
            Token::Null => Type::Null,
            Token::Bool(_) => Type::Bool,
            Token::Whole(_) | Token::Negative(_) | Token::Fraction(_) => Type::Number,
            Token::Text(..) | Token::Decoded(..) => Type::Text,
            Token::Array(..) => Type::Array,
            Token::Object(..) => Type::Object,
        }
    }

    pub(crate) fn text(self) -> Option<&'d str> {
        self.doc.text_at(self.at)
    }

    pub(crate) fn bool(self) -> Option<bool> {
        if let Token::Bool(value) = self.token() { Some(value) } else { None }
    }

    /// A number that is mathematically whole, not negative, and exact as a double: `1000.0` is 1000.
    pub(crate) fn whole(self) -> Option<u64> {
        match self.token() {
            Token::Whole(n) => Some(n).filter(|n| *n <= MAX_SAFE_INTEGER),
            // The cast saturates, so the comparison refuses fractions, negatives and what is beyond.
            Token::Fraction(f) => {
                let n = f as u64;
                (n <= MAX_SAFE_INTEGER && n as f64 == f).then_some(n)
            }
            Token::Null
            | Token::Bool(_)
            | Token::Negative(_)
            | Token::Text(..)
            | Token::Decoded(..)
            | Token::Array(..)
            | Token::Object(..) => None,
        }
    }

    /// An integer, written as one, within ±(2^53-1).
    pub(crate) fn integer(self) -> Option<i64> {
        let n = match self.token() {
            Token::Whole(n) => i64::try_from(n).ok()?,
            Token::Negative(n) => n,
            Token::Null
            | Token::Bool(_)
            | Token::Fraction(_)
            | Token::Text(..)
            | Token::Decoded(..)
            | Token::Array(..)
            | Token::Object(..) => return None,
        };
        (n.unsigned_abs() <= MAX_SAFE_INTEGER).then_some(n)
    }

    /// A number of seconds, which may have a fraction, as milliseconds, rounded up.
    #[cfg(feature = "chat")]
    pub(crate) fn seconds_as_millis(self) -> Option<u64> {
        match self.token() {
            Token::Whole(n) => n.checked_mul(1_000),
            // The cast saturates.
            Token::Fraction(f) if f >= 0.0 => Some(((f * 1_000.0) as u64).saturating_add(1)),
            Token::Null
            | Token::Bool(_)
            | Token::Negative(_)
            | Token::Fraction(_)
            | Token::Text(..)
            | Token::Decoded(..)
            | Token::Array(..)
            | Token::Object(..) => None,
        }
    }

    /// How many items or fields.
    pub(crate) fn len(self) -> usize {
        match self.token() {
            Token::Array(count, _) | Token::Object(count, _) => count as usize,
            Token::Null
            | Token::Bool(_)
            | Token::Whole(_)
            | Token::Negative(_)
            | Token::Fraction(_)
            | Token::Text(..)
            | Token::Decoded(..) => 0,
        }
    }

    /// Bytes of all texts within, keys too.
    pub(crate) fn text_bytes(self) -> usize {
        let within = self.at as usize..self.doc.after(self.at) as usize;
        let length = |token: &Token| match token {
            Token::Text(start, end) | Token::Decoded(start, end) => end.saturating_sub(*start) as usize,
            Token::Null
            | Token::Bool(_)
            | Token::Whole(_)
            | Token::Negative(_)
            | Token::Fraction(_)
            | Token::Array(..)
            | Token::Object(..) => 0,
        };
        self.doc.tokens.get(within).unwrap_or_default().iter().map(length).sum()
    }

    /// The items of an array; none of anything else.
    pub(crate) fn items(self) -> impl ExactSizeIterator<Item = Node<'d>> {
        let count = if self.kind() == Type::Array { self.len() } else { 0 };
        let mut at = self.at + 1;
        (0..count).map(move |_| {
            let item = Node { doc: self.doc, at };
            at = self.doc.after(at);
            item
        })
    }

    /// The fields of an object, in the order in which they stand; none of anything else.
    pub(crate) fn fields(self) -> impl ExactSizeIterator<Item = (&'d str, Node<'d>)> {
        self.keys().map(move |(key, value)| (self.key(key), value))
    }

    /// The fields of an object by their keys' places.
    pub(crate) fn keys(self) -> impl ExactSizeIterator<Item = (Place, Node<'d>)> {
        let count = if self.kind() == Type::Object { self.len() } else { 0 };
        let mut at = self.at + 1;
        (0..count).map(move |_| {
            let field = (Place(at), Node { doc: self.doc, at: at + 1 });
            at = self.doc.after(at + 1);
            field
        })
    }

    /// The text of a key.
    pub(crate) fn key(self, place: Place) -> &'d str {
        self.doc.text_at(place.0).unwrap_or_default()
    }

    pub(crate) fn has_key(self, place: Place, name: &str) -> bool {
        self.doc.has_text(place.0, name)
    }

    /// The value of a field.
    pub(crate) fn get(self, name: &str) -> Option<Node<'d>> {
        let Some(Token::Object(count, _)) = self.doc.tokens.get(self.at as usize) else { return None };
        let mut key = self.at + 1;
        for _ in 0..*count {
            if self.doc.has_text(key, name) {
                return Some(Node { doc: self.doc, at: key + 1 });
            }
            key = self.doc.after(key + 1);
        }
        None
    }

    /// Its place, to be pointed to.
    pub(crate) const fn place(self) -> Place {
        Place(self.at)
    }

    /// Whether the place is this value's or somewhere within it.
    pub(crate) fn holds(self, place: Place) -> bool {
        self.at <= place.0 && place.0 < self.doc.after(self.at)
    }

    /// The JSON pointer, from this value, to a key or a value within it.
    pub(crate) fn path_to(self, place: Place) -> Pointer {
        let mut node = self;
        let mut path = Pointer::default();
        loop {
            let step = match node.kind() {
                Type::Array => {
                    node.items().enumerate().find(|(_, item)| item.holds(place)).map(|(index, item)| {
                        path = core::mem::take(&mut path).index(index);
                        item
                    })
                }
                Type::Object => {
                    let found = node.keys().find(|(own, value)| *own == place || value.holds(place));
                    found.and_then(|(own, value)| {
                        path = core::mem::take(&mut path).key(self.key(own));
                        (own != place).then_some(value)
                    })
                }
                Type::Null | Type::Bool | Type::Number | Type::Text => None,
            };
            match step {
                Some(inner) => node = inner,
                None => return path,
            }
        }
    }
}

impl Serialize for Node<'_> {
    /// The value as it came: fields in their order, numbers by their value.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.token() {
            Token::Null => serializer.serialize_unit(),
            Token::Bool(value) => serializer.serialize_bool(value),
            Token::Whole(n) => serializer.serialize_u64(n),
            Token::Negative(n) => serializer.serialize_i64(n),
            Token::Fraction(n) => serializer.serialize_f64(n),
            Token::Text(..) | Token::Decoded(..) => serializer.serialize_str(self.text().unwrap_or_default()),
            Token::Array(..) => serializer.collect_seq(self.items()),
            Token::Object(..) => serializer.collect_map(self.fields()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn duplicate(line: &str) -> Option<String> {
        let mut reader = Reader::default();
        let doc = reader.read(line).unwrap();
        doc.duplicate().map(|key| doc.root().path_to(key).0)
    }

    #[test]
    fn a_duplicate_key_is_found_at_any_depth() {
        assert_eq!(duplicate(r#"{"a":1,"b":{"a":1}}"#), None);
        assert_eq!(duplicate(r#"{"a":1,"\u0061":1}"#).as_deref(), Some("/a"));
        assert_eq!(duplicate(r#"{"c":[{},{"x/y~":[],"x/y~":{}}]}"#).as_deref(), Some("/c/1/x~1y~0"));
    }

    #[test]
    fn a_duplicate_is_found_among_many_keys() {
        let keys: Vec<String> = (0..40).map(|n| alloc::format!("\"k{n}\":{{\"z\":{n}}}")).collect();
        let line = alloc::format!("{{{},\"k7\":0,\"k3\":0}}", keys.join(","));
        assert_eq!(duplicate(&line).as_deref(), Some("/k7"));
    }

    #[test]
    fn numbers_are_whole_by_value() {
        let mut reader = Reader::default();
        let doc = reader.read("[1000.0,1e3,1.5,-1,9007199254740991,9007199254740992,0,-0.0]").unwrap();
        let whole: Vec<_> = doc.root().items().map(Node::whole).collect();
        assert_eq!(
            whole,
            [Some(1000), Some(1000), None, None, Some(9_007_199_254_740_991), None, Some(0), Some(0)]
        );
    }
}
