//! One line of JSON as a flat list of tokens that borrow from it: every field can be asked for in any order, keys keep
//! their places, duplicates are seen, and reading a line allocates nothing once the list has grown.

mod lexer;
mod number;

use crate::error::{Code, Fault};
use crate::fault::Pointer;
use crate::json;
use crate::limits::MAX_SAFE_INTEGER;
use crate::text::is_same_name;
use crate::words::words;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::Cell;
use number::Decimal;

#[derive(Debug, Clone, Copy)]
enum Token {
    Null,
    Bool(bool),
    /// A number as written: a place in the line.
    Number(u32, u32),
    /// A text without escapes: a place in the line.
    Text(u32, u32),
    /// A text with escapes, decoded: a place in [`Doc::decoded`].
    Decoded(u32, u32),
    /// How many items, and the token after the last.
    Array(u32, u32),
    /// How many fields (a text, then its value), and the token after the last.
    Object(u32, u32),
}

/// Reads lines, with memory that is used again for each.
#[derive(Debug, Default)]
pub(crate) struct Reader(lexer::Memory);

impl Reader {
    /// Reads one JSON text.
    pub(crate) fn read<'d>(&'d mut self, line: &'d str) -> Result<Doc<'d>, Fault> {
        match lexer::read(line, &mut self.0) {
            Ok(duplicate) => Ok(Doc::new(line, &self.0.tokens, &self.0.decoded, duplicate)),
            Err(error) => {
                let (message, at) = (error.message, error.at);
                let message = words!["Send one JSON object a line: ", message, ", at byte ", at, "."];
                Err(Fault::new(Code::ParseError, message))
            }
        }
    }

    /// Gives back what one long line made it hold.
    pub(crate) fn trim(&mut self) {
        const KEEP: usize = 4_096;
        if self.0.tokens.capacity() > KEEP {
            self.0.tokens = Vec::new();
        }
        if self.0.decoded.capacity() > 16 * KEEP {
            self.0.decoded = String::new();
        }
    }
}

/// A line that was read.
#[derive(Debug)]
pub(crate) struct Doc<'d> {
    line: &'d str,
    tokens: &'d [Token],
    decoded: &'d str,
    duplicate: Option<u32>,
    /// The object in which a field was found last, and the key after that field.
    recent: Cell<(u32, u32)>,
    index: Index,
}

/// Where the values of one object are, by numbers that its reader gave to their keys.
#[derive(Debug, Default)]
pub(crate) struct Index {
    /// Of which object, by whom.
    of: Cell<Option<(u32, usize)>>,
    values: [Cell<u32>; Self::MOST],
    expected: Cell<usize>,
}

impl Index {
    /// As many numbers as are kept.
    pub(crate) const MOST: usize = 12;

    pub(crate) fn put(&self, number: usize, value: Place) {
        if let Some(place) = self.values.get(number) {
            place.set(value.0);
        }
    }

    /// The number after that of the value found last.
    pub(crate) const fn expected(&self) -> usize {
        self.expected.get()
    }
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
    fn new(line: &'d str, tokens: &'d [Token], decoded: &'d str, duplicate: Option<u32>) -> Self {
        Self { line, tokens, decoded, duplicate, recent: Cell::new((0, 1)), index: Index::default() }
    }

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

    #[inline(always)]
    fn text_at(&self, at: u32) -> Option<&'d str> {
        match *self.tokens.get(at as usize)? {
            Token::Text(start, end) => self.line.get(start as usize..end as usize),
            Token::Decoded(start, end) => self.decoded.get(start as usize..end as usize),
            Token::Null | Token::Bool(_) | Token::Number(..) | Token::Array(..) | Token::Object(..) => None,
        }
    }

    /// Whether the token at `at` is that text. Most differ in length, which is seen without looking at them.
    #[inline(always)]
    fn has_text(&self, at: u32, text: &str) -> bool {
        self.bytes_at(at).is_some_and(|own| is_same_name(own, text.as_bytes()))
    }

    /// The bytes of a text, to be compared: where they begin and end need not be looked at again.
    #[inline(always)]
    fn bytes_at(&self, at: u32) -> Option<&'d [u8]> {
        let (source, start, end) = match self.tokens.get(at as usize)? {
            Token::Text(start, end) => (self.line, *start as usize, *end as usize),
            Token::Decoded(start, end) => (self.decoded, *start as usize, *end as usize),
            Token::Null | Token::Bool(_) | Token::Number(..) | Token::Array(..) | Token::Object(..) => {
                return None;
            }
        };
        source.as_bytes().get(start..end)
    }

    /// The token after the value that begins at `at`.
    #[inline(always)]
    fn after(&self, at: u32) -> u32 {
        match self.tokens.get(at as usize) {
            Some(Token::Array(_, end) | Token::Object(_, end)) => *end,
            Some(_) | None => at + 1,
        }
    }
}

/// The places of items, or of keys.
struct Walk<'d> {
    doc: &'d Doc<'d>,
    at: u32,
    /// How many tokens a key takes.
    key: u32,
    left: usize,
}

impl Iterator for Walk<'_> {
    type Item = u32;

    #[inline(always)]
    fn next(&mut self) -> Option<u32> {
        self.left = self.left.checked_sub(1)?;
        let at = self.at;
        self.at = self.doc.after(at + self.key);
        Some(at)
    }

    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Walk<'_> {}

/// The place of a key or of a value in a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place(u32);

impl Place {
    /// Where nothing within an object stands.
    pub(crate) const NOWHERE: Self = Self(0);
}

/// A value within a line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Node<'d> {
    doc: &'d Doc<'d>,
    at: u32,
}

impl<'d> Node<'d> {
    #[inline(always)]
    fn token(self) -> Token {
        self.doc.tokens.get(self.at as usize).copied().unwrap_or(Token::Null)
    }

    #[inline(always)]
    pub(crate) fn kind(self) -> Type {
        match self.token() {
            Token::Null => Type::Null,
            Token::Bool(_) => Type::Bool,
            Token::Number(..) => Type::Number,
            Token::Text(..) | Token::Decoded(..) => Type::Text,
            Token::Array(..) => Type::Array,
            Token::Object(..) => Type::Object,
        }
    }

    /// The value, if it is of that type.
    pub(crate) fn is(self, kind: Type) -> Option<Self> {
        (self.kind() == kind).then_some(self)
    }

    pub(crate) fn text(self) -> Option<&'d str> {
        self.doc.text_at(self.at)
    }

    pub(crate) fn bool(self) -> Option<bool> {
        if let Token::Bool(value) = self.token() { Some(value) } else { None }
    }

    /// A number as it is written.
    fn number(self) -> Option<&'d str> {
        let Token::Number(start, end) = self.token() else { return None };
        self.doc.line.get(start as usize..end as usize)
    }

    /// A number that as a double is whole, from 0 to 2^53-1: `1000.0` is 1000.
    pub(crate) fn whole(self) -> Option<u64> {
        let text = self.number()?;
        match digits(text) {
            Some(n) => Some(n).filter(|n| *n <= MAX_SAFE_INTEGER),
            None => Decimal::new(text).whole(),
        }
    }

    /// An integer, written as one, within ±(2^53-1).
    pub(crate) fn integer(self) -> Option<i64> {
        let text = self.number()?;
        let (n, sign) = match text.strip_prefix('-') {
            // There is no integer -0.
            Some(text) => (digits(text).filter(|n| *n > 0)?, -1),
            None => (digits(text)?, 1),
        };
        (n <= MAX_SAFE_INTEGER).then_some(n as i64 * sign)
    }

    /// A number of seconds, which may have a fraction, as milliseconds, rounded up.
    #[cfg(feature = "chat")]
    pub(crate) fn seconds_as_millis(self) -> Option<u64> {
        Decimal::new(self.number()?).thousandfold()
    }

    /// How many items or fields.
    pub(crate) fn len(self) -> usize {
        match self.token() {
            Token::Array(count, _) | Token::Object(count, _) => count as usize,
            Token::Null | Token::Bool(_) | Token::Number(..) | Token::Text(..) | Token::Decoded(..) => 0,
        }
    }

    /// Bytes of all texts within, keys too.
    pub(crate) fn text_bytes(self) -> usize {
        let within = self.at as usize..self.doc.after(self.at) as usize;
        let length = |token: &Token| match token {
            Token::Text(start, end) | Token::Decoded(start, end) => end.saturating_sub(*start) as usize,
            Token::Null | Token::Bool(_) | Token::Number(..) | Token::Array(..) | Token::Object(..) => 0,
        };
        self.doc.tokens.get(within).unwrap_or_default().iter().map(length).sum()
    }

    /// The items of an array; none of anything else.
    pub(crate) fn items(self) -> impl ExactSizeIterator<Item = Node<'d>> {
        self.walk(Type::Array, 0).map(|at| Node { doc: self.doc, at })
    }

    /// The fields of an object, in the order in which they stand; none of anything else.
    pub(crate) fn fields(self) -> impl ExactSizeIterator<Item = (&'d str, Node<'d>)> {
        self.keys().map(move |(key, value)| (self.key(key), value))
    }

    /// The fields of an object by their keys' places.
    pub(crate) fn keys(self) -> impl ExactSizeIterator<Item = (Place, Node<'d>)> {
        self.walk(Type::Object, 1).map(|at| (Place(at), Node { doc: self.doc, at: at + 1 }))
    }

    /// The places of what is in a list of that type; what counts stands so many tokens after its place.
    #[inline(always)]
    fn walk(self, kind: Type, key: u32) -> Walk<'d> {
        let left = if self.kind() == kind { self.len() } else { 0 };
        Walk { doc: self.doc, at: self.at + 1, key, left }
    }

    /// The bytes of a key's text.
    #[inline(always)]
    pub(crate) fn key_bytes(self, place: Place) -> &'d [u8] {
        self.doc.bytes_at(place.0).unwrap_or_default()
    }

    /// The text of a key.
    pub(crate) fn key(self, place: Place) -> &'d str {
        self.doc.text_at(place.0).unwrap_or_default()
    }

    /// The key of a value at that place of the same line.
    pub(crate) fn key_of(self, value: Place) -> &'d str {
        self.key(Place(value.0.saturating_sub(1)))
    }

    /// Begins the index of this object, which its reader calls by that number.
    pub(crate) fn index(self, reader: usize) -> &'d Index {
        let index = &self.doc.index;
        index.of.set(Some((self.at, reader)));
        index.expected.set(0);
        index.values.iter().for_each(|value| value.set(0));
        index
    }

    /// The index of this object, if it is the one that reader began last.
    pub(crate) fn indexed(self, reader: usize) -> Option<&'d Index> {
        let index = &self.doc.index;
        (index.of.get() == Some((self.at, reader))).then_some(index)
    }

    /// The value of that number in the index of this object.
    pub(crate) fn numbered(self, index: &Index, number: usize) -> Option<Node<'d>> {
        index.expected.set(number + 1);
        self.at(Place(index.values.get(number)?.get()))
    }

    /// The value at that place of the same line.
    pub(crate) fn at(self, place: Place) -> Option<Node<'d>> {
        (place != Place::NOWHERE).then_some(Node { doc: self.doc, at: place.0 })
    }

    /// The value of a field; of a key that stands twice, either. Fields are mostly asked for in the order in which they
    /// stand, so the search goes on from the one found before.
    pub(crate) fn get(self, name: &str) -> Option<Node<'d>> {
        let Some(Token::Object(count, end)) = self.doc.tokens.get(self.at as usize) else { return None };
        let (object, next) = self.doc.recent.get();
        let mut key = if object == self.at { next } else { self.at + 1 };
        for _ in 0..*count {
            if key >= *end {
                key = self.at + 1;
            }
            let next = self.doc.after(key + 1);
            if self.doc.has_text(key, name) {
                self.doc.recent.set((self.at, next));
                return Some(Node { doc: self.doc, at: key + 1 });
            }
            key = next;
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

    /// Appends the value as JSON, as it came: fields in their order, numbers as they were written.
    pub(crate) fn write(self, out: &mut String) {
        match self.token() {
            Token::Null => out.push_str("null"),
            Token::Bool(true) => out.push_str("true"),
            Token::Bool(false) => out.push_str("false"),
            Token::Number(..) => out.push_str(self.number().unwrap_or_default()),
            Token::Text(..) | Token::Decoded(..) => json::text(out, self.text().unwrap_or_default()),
            Token::Array(..) => {
                out.push('[');
                for (index, item) in self.items().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    item.write(out);
                }
                out.push(']');
            }
            Token::Object(..) => {
                out.push('{');
                for (index, (key, value)) in self.fields().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    json::text(out, key);
                    out.push(':');
                    value.write(out);
                }
                out.push('}');
            }
        }
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

/// The number that a text of nothing but up to 16 digits is.
fn digits(text: &str) -> Option<u64> {
    if text.len() > 16 {
        return None;
    }
    text.bytes().try_fold(0, |n, byte| byte.is_ascii_digit().then(|| n * 10 + u64::from(byte - b'0')))
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
        assert_eq!(duplicate(r#"{"\u0061":1,"b":1,"a":1}"#).as_deref(), Some("/a"));
        assert_eq!(duplicate(r#"{"\u0061":1,"b":1,"c":1}"#), None);
        assert_eq!(duplicate(r#"{"":1,"a":[{}],"":1}"#).as_deref(), Some("/"));
        assert_eq!(duplicate(r#"{"a":{"b":1,"b":1},"a":1}"#).as_deref(), Some("/a/b"));
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

    #[test]
    fn integers_are_written_as_such() {
        let mut reader = Reader::default();
        let doc = reader.read("[7,-7,0,-0,7.0,7e0,9007199254740991,-9007199254740992]").unwrap();
        let integers: Vec<_> = doc.root().items().map(Node::integer).collect();
        let most = 9_007_199_254_740_991;
        assert_eq!(integers, [Some(7), Some(-7), Some(0), None, None, None, Some(most), None]);
    }

    #[cfg(feature = "chat")]
    #[test]
    fn seconds_are_rounded_up_to_milliseconds() {
        let mut reader = Reader::default();
        let doc = reader.read("[3,0.65,0.0001,1e-3,64.5e0,-1,1e99,0.0]").unwrap();
        let millis: Vec<_> = doc.root().items().map(Node::seconds_as_millis).collect();
        assert_eq!(millis, [Some(3000), Some(650), Some(1), Some(1), Some(64_500), None, None, Some(0)]);
    }

    /// What serde_json makes of a text, and that ours makes the same of it.
    fn same_as_serde_json(text: &str) -> bool {
        let theirs: Option<serde_json::Value> = serde_json::from_str(text).ok();
        let mut reader = Reader::default();
        let ours = reader.read(text).ok();
        assert_eq!(ours.is_some(), theirs.is_some(), "{text:?}");
        if let (Some(doc), Some(value)) = (&ours, &theirs) {
            if doc.duplicate().is_none() {
                same(doc.root(), value);
            }
            let mut written = String::new();
            doc.root().write(&mut written);
            assert_eq!(serde_json::from_str::<serde_json::Value>(&written).unwrap(), *value, "{text:?}");
        }
        ours.is_some()
    }

    fn same(node: Node<'_>, value: &serde_json::Value) {
        use serde_json::Value;
        match value {
            Value::Null => assert_eq!(node.kind(), Type::Null),
            Value::Bool(value) => assert_eq!(node.bool(), Some(*value)),
            Value::String(text) => assert_eq!(node.text(), Some(text.as_str())),
            Value::Number(number) => {
                let double = number.as_f64().unwrap();
                let whole = ((0.0..9_007_199_254_740_992.0).contains(&double) && double.trunc() == double)
                    .then_some(double as u64);
                assert_eq!(node.whole(), whole, "{:?}", node.number());
                let integer = number.as_i64().filter(|n| n.unsigned_abs() <= MAX_SAFE_INTEGER);
                assert_eq!(node.integer(), integer, "{:?}", node.number());
            }
            Value::Array(items) => {
                assert_eq!(node.kind(), Type::Array);
                assert_eq!(node.items().len(), items.len());
                node.items().zip(items).for_each(|(node, value)| same(node, value));
            }
            Value::Object(fields) => {
                assert_eq!(node.kind(), Type::Object);
                assert_eq!(node.len(), fields.len());
                node.fields().for_each(|(key, node)| same(node, fields.get(key).unwrap()));
            }
        }
    }

    #[test]
    fn what_is_json_is_as_serde_json_has_it() {
        let good = [
            "0",
            "-0",
            "1e-400",
            "-1.5E+3",
            "1.7976931348623158e308",
            "17976931348623157e292",
            "0e999999999999",
            "9007199254740990.5",
            "9007199254740991.4999999999999999999999999",
            "0.99999999999999994448884876874",
            "4503599627370495.75",
            "0.9999999999999999",
            "2.4e-324",
            "2.5e-324",
            "999999999999999999999999",
            " \t\r\n[ ] ",
            "{ }",
            r#""\u0041\ud83d\ude00\/\b\f\n\r\t\"\\""#,
            r#"{"a":[{"b":{}},[[]],1,"x"],"c":null}"#,
            r#""\u0000\uffff""#,
        ];
        for text in good {
            assert!(same_as_serde_json(text), "{text:?}");
        }
        let bad = [
            "",
            " ",
            "01",
            "-",
            "1.",
            ".5",
            "1e",
            "1e+",
            "+1",
            "1.7976931348623159e308",
            "1e309",
            "-1e999999999999",
            "nul",
            "nulll",
            "True",
            "[1,]",
            "[,1]",
            "[1 2]",
            "[",
            "]",
            "{",
            "}",
            "{\"a\"}",
            "{\"a\":}",
            "{\"a\":1,}",
            "{a:1}",
            "{\"a\" 1}",
            "[}",
            "{]",
            "[1]]",
            "1 1",
            "'a'",
            "\"a",
            "\"\n\"",
            "\"\u{1f}\"",
            "\u{feff}1",
            r#""\ud800""#,
            r#""\ud800\ud800""#,
            r#""\udc00""#,
            r#""\ud800x""#,
            r#""\u12g4""#,
            r#""\u12"#,
            r#""\x""#,
            r#""\"#,
            "/*x*/1",
            "NaN",
            "Infinity",
            "\u{a0}1",
        ];
        for text in bad {
            assert!(!same_as_serde_json(text), "{text:?}");
        }
        for depth in 120..=130 {
            let nested = alloc::format!("{}{}", "[".repeat(depth), "]".repeat(depth));
            assert_eq!(same_as_serde_json(&nested), depth < 128);
            let nested = alloc::format!("{}1{}", "{\"a\":".repeat(depth), "}".repeat(depth));
            assert_eq!(same_as_serde_json(&nested), depth < 128);
        }
    }

    #[test]
    fn an_error_says_where() {
        let error = Reader::default().read(r#"{"id":1,,}"#).unwrap_err();
        assert_eq!(
            error.at("").message(),
            "Send one JSON object a line: expected a key in double quotes, at byte 8."
        );
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig { cases: 20_000, ..Default::default() })]

        #[test]
        fn any_text_is_read_as_serde_json_reads_it(text in r#"([\[\]{},:"\\/ \t0-9eE.+-]|"[a-cé\u{1f600}]*"|"[a-c]+":|\\u[0-9d-f][89a-f]{3}|true|false|null|[0-9]{1,3}|\{"k":){0,24}"#) {
            same_as_serde_json(&text);
        }

        #[test]
        fn any_number_is_read_as_serde_json_reads_it(
            text in "-?(0|[1-9][0-9]{0,20})(\\.[0-9]{1,30}|\\.(0{1,20}|9{1,20}|5|50{0,9}1))?([eE][+-]?[0-9]{1,3})?",
        ) {
            same_as_serde_json(&text);
        }
    }
}
