//! One JSON text into tokens (RFC 8259). Strict: no comments, no trailing commas, no lone surrogates, no byte order mark.
//!
//! It is written here, and not a library's, because what a line costs is mostly what its reading costs, in time and, in a
//! web page, in bytes: the floating-point tables alone that a general reader brings are a sixth of what the modal may
//! weigh, and no line here has a number that needs them.

use super::number::{self, Scanned};
use super::{Doc, Token};
use crate::json::{is_stop, stops};
use crate::ordered::Map;
use alloc::string::String;
use alloc::vec::Vec;

/// Arrays and objects within each other (spec 11.3).
const NESTING: usize = 127;

/// Objects with more keys than this are checked for duplicates in an order of them.
const FEW_KEYS: u32 = 16;

/// What is wrong with a text, and at which byte.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct SyntaxError {
    pub(super) message: &'static str,
    pub(super) at: usize,
}

/// An array or object that is open.
#[derive(Debug)]
pub(super) struct Frame {
    token: u32,
    count: u32,
    object: bool,
    /// A bit for each key so far: one whose bit is not among them repeats none of them.
    keys: u64,
}

/// Memory for reading, used again for each text.
#[derive(Debug, Default)]
pub(super) struct Memory {
    pub(super) tokens: Vec<Token>,
    pub(super) decoded: String,
    frames: Vec<Frame>,
}

/// Reads the whole text, and gives the first key that repeats one of its object.
pub(super) fn read(line: &str, memory: &mut Memory) -> Result<Option<u32>, SyntaxError> {
    let Memory { tokens, decoded, frames } = memory;
    tokens.clear();
    decoded.clear();
    frames.clear();
    let error = SyntaxError { message: "it is too long", at: 0 };
    // Every place in the line, and every token, has a number of 32 bits.
    if u32::try_from(line.len()).is_err() {
        return Err(error);
    }
    let mut lexer = Lexer { line, bytes: line.as_bytes(), tokens, decoded, frames, duplicate: None, error };
    match lexer.text() {
        Some(()) => Ok(lexer.duplicate),
        None => Err(lexer.error),
    }
}

struct Lexer<'t, 'd> {
    line: &'d str,
    bytes: &'d [u8],
    tokens: &'t mut Vec<Token>,
    decoded: &'t mut String,
    frames: &'t mut Vec<Frame>,
    duplicate: Option<u32>,
    /// What is wrong, once something is.
    error: SyntaxError,
}

// What reads something takes the place where it begins and gives the place after it, or nothing once something is wrong:
// an error that came back through each of them would cost more than the reading.
impl Lexer<'_, '_> {
    fn text(&mut self) -> Option<()> {
        let mut at = 0;
        loop {
            at = self.space(at);
            let mut has_items = false;
            match self.bytes.get(at) {
                Some(b'"') => at = self.string(at + 1)?,
                Some(open @ (b'{' | b'[')) => {
                    let object = *open == b'{';
                    at = self.open(object, at)?;
                    let end = if object { b'}' } else { b']' };
                    has_items = self.bytes.get(at) != Some(&end);
                }
                Some(b'-' | b'0'..=b'9') => at = self.number(at)?,
                Some(b't') => at = self.literal(at, "true", Token::Bool(true))?,
                Some(b'f') => at = self.literal(at, "false", Token::Bool(false))?,
                Some(b'n') => at = self.literal(at, "null", Token::Null)?,
                Some(_) => return self.fail("expected a value", at),
                None => return self.fail("it ends before a value", at),
            }
            while !has_items {
                at = self.space(at);
                let next = self.bytes.get(at);
                let Some(frame) = self.frames.last() else {
                    return if next.is_none() {
                        Some(())
                    } else {
                        self.fail("it goes on after the value", at)
                    };
                };
                match (next, frame.object) {
                    (Some(b','), _) => has_items = true,
                    (Some(b'}'), true) | (Some(b']'), false) => self.close(),
                    (Some(_), true) => return self.fail("expected a comma or the end of the object", at),
                    (Some(_), false) => return self.fail("expected a comma or the end of the array", at),
                    (None, true) => return self.fail("it ends within an object", at),
                    (None, false) => return self.fail("it ends within an array", at),
                }
                at += 1;
            }
            at = self.item(at)?;
        }
    }

    #[cold]
    fn fail<T>(&mut self, message: &'static str, at: usize) -> Option<T> {
        self.error = SyntaxError { message, at };
        None
    }

    fn space(&self, mut at: usize) -> usize {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.bytes.get(at) {
            at += 1;
        }
        at
    }

    /// The start of an array or object, as far as its first item or its end.
    fn open(&mut self, object: bool, at: usize) -> Option<usize> {
        if self.frames.len() >= NESTING {
            return self.fail("values are nested too deeply", at);
        }
        self.frames.push(Frame { token: self.here(), count: 0, object, keys: 0 });
        self.tokens.push(if object { Token::Object(0, 0) } else { Token::Array(0, 0) });
        Some(self.space(at + 1))
    }

    fn close(&mut self) {
        let end = self.here();
        let Some(Frame { token, count, object, .. }) = self.frames.pop() else { return };
        if object && count > FEW_KEYS {
            let doc = Doc::new(self.line, self.tokens, self.decoded, None);
            let repeated = repeated_of_many(&doc, token, count);
            self.repeats(repeated);
        }
        if let Some(place) = self.tokens.get_mut(token as usize) {
            *place = if object { Token::Object(count, end) } else { Token::Array(count, end) };
        }
    }

    /// Keeps a key that repeats another, if it is the first: an object within another may hold one that stands earlier.
    fn repeats(&mut self, key: Option<u32>) {
        self.duplicate = self.duplicate.into_iter().chain(key).min();
    }

    /// An item as far as its value: over its key, if it has one.
    // Inlined, as strings are: of the steps that a short name takes, a fifth would go into and out of the functions.
    #[inline(always)]
    fn item(&mut self, at: usize) -> Option<usize> {
        let object = self.frames.last_mut().is_some_and(|frame| {
            frame.count += 1;
            frame.object
        });
        if !object {
            return Some(at);
        }
        let at = self.space(at);
        if self.bytes.get(at) != Some(&b'"') {
            return self.fail("expected a key in double quotes", at);
        }
        let start = at + 1;
        let at = self.string(start)?;
        self.key(start, at - start);
        let at = self.space(at);
        if self.bytes.get(at) == Some(&b':') { Some(at + 1) } else { self.fail("expected a colon", at) }
    }

    /// Looks whether the key that was just read repeats one of its object; of many keys that is seen at the end.
    fn key(&mut self, start: usize, length: usize) {
        let first = self.bytes.get(start).copied().unwrap_or(0);
        let mut bit = 1 << (length.wrapping_add(usize::from(first) * 5) % 64);
        let Some(frame) = self.frames.last_mut() else { return };
        if !matches!(self.tokens.last(), Some(Token::Text(..))) {
            // It is not what is written there.
            bit = u64::MAX;
        }
        let doubtful = frame.keys & bit != 0;
        frame.keys |= bit;
        if doubtful {
            self.doubtful_key();
        }
    }

    #[cold]
    fn doubtful_key(&mut self) {
        let doc = Doc::new(self.line, self.tokens, self.decoded, None);
        let key = self.here().saturating_sub(1);
        let repeated =
            self.frames.last().is_some_and(|frame| frame.count <= FEW_KEYS && repeats(&doc, frame, key));
        if repeated {
            self.repeats(Some(key));
        }
    }

    fn literal(&mut self, at: usize, text: &str, token: Token) -> Option<usize> {
        let end = at + text.len();
        if self.bytes.get(at..end) != Some(text.as_bytes()) {
            return self.fail("expected a value", at);
        }
        self.tokens.push(token);
        Some(end)
    }

    fn number(&mut self, at: usize) -> Option<usize> {
        let rest = self.line.get(at..).unwrap_or_default();
        match number::scan(rest) {
            Scanned::Number(len) => {
                self.tokens.push(Token::Number(at as u32, (at + len) as u32));
                Some(at + len)
            }
            Scanned::TooLarge => self.fail("a number is out of the range of a double", at),
            Scanned::Malformed => self.fail("a number is not written as JSON has it", at),
        }
    }

    /// A string, from behind its first quote.
    #[inline(always)]
    fn string(&mut self, start: usize) -> Option<usize> {
        let end = self.plain(start);
        if self.bytes.get(end) == Some(&b'"') {
            self.tokens.push(Token::Text(start as u32, end as u32));
            return Some(end + 1);
        }
        self.escaped(start, end)
    }

    /// The end of the bytes that stand for themselves.
    #[inline(always)]
    fn plain(&self, mut at: usize) -> usize {
        while let Some(word) = self.bytes.get(at..).and_then(<[u8]>::first_chunk) {
            let stop = stops(u64::from_le_bytes(*word));
            if stop != 0 {
                return at + stop.trailing_zeros() as usize / 8;
            }
            at += 8;
        }
        while self.bytes.get(at).is_some_and(|byte| !is_stop(*byte)) {
            at += 1;
        }
        at
    }

    /// A string that does not end with the first bytes that stand for themselves.
    #[cold]
    fn escaped(&mut self, start: usize, end: usize) -> Option<usize> {
        let from = self.decoded.len() as u32;
        let (mut run, mut at) = (start, end);
        loop {
            self.decoded.push_str(self.line.get(run..at).unwrap_or_default());
            match self.bytes.get(at) {
                Some(b'"') => break,
                Some(b'\\') => {
                    let (character, next) = self.escape(at + 1)?;
                    self.decoded.push(character);
                    run = next;
                    at = self.plain(run);
                }
                Some(_) => return self.fail("a control character in a string must be escaped", at),
                None => return self.fail("it ends within a string", at),
            }
        }
        self.tokens.push(Token::Decoded(from, self.decoded.len() as u32));
        Some(at + 1)
    }

    /// What stands behind a backslash.
    fn escape(&mut self, at: usize) -> Option<(char, usize)> {
        let character = match self.bytes.get(at) {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode(at + 1),
            Some(_) => return self.fail("there is no such escape", at),
            None => return self.fail("it ends within a string", at),
        };
        Some((character, at + 1))
    }

    /// The digits of one `\u`, or of two that are a surrogate pair.
    fn unicode(&mut self, at: usize) -> Option<(char, usize)> {
        let first = self.unit(at)?;
        if let Some(character) = char::from_u32(first.into()) {
            return Some((character, at + 4));
        }
        let second = if self.bytes.get(at + 4..at + 6) == Some(b"\\u") { self.unit(at + 6)? } else { 0 };
        match char::decode_utf16([first, second]).next() {
            Some(Ok(character)) => Some((character, at + 10)),
            Some(Err(_)) | None => self.fail("a surrogate stands alone", at),
        }
    }

    /// Four hexadecimal digits.
    fn unit(&mut self, at: usize) -> Option<u16> {
        let digits = self.bytes.get(at..at + 4).unwrap_or_default();
        let unit =
            digits.iter().try_fold(0, |unit, digit| Some(unit << 4 | char::from(*digit).to_digit(16)?));
        match unit {
            Some(unit) if digits.len() == 4 => Some(unit as u16),
            Some(_) | None => self.fail("expected four hexadecimal digits", at),
        }
    }

    /// The number of the next token.
    fn here(&self) -> u32 {
        self.tokens.len() as u32
    }
}

/// Whether a key is one of those before it in its object, which is still open.
fn repeats(doc: &Doc<'_>, object: &Frame, key: u32) -> bool {
    let Some(text) = doc.text_at(key) else { return false };
    let mut at = object.token + 1;
    for _ in 1..object.count {
        if doc.has_text(at, text) {
            return true;
        }
        at = doc.after(at + 1);
    }
    false
}

fn repeated_of_many(doc: &Doc<'_>, object: u32, keys: u32) -> Option<u32> {
    let mut seen = Map::new();
    let mut at = object + 1;
    for _ in 0..keys {
        if seen.insert(doc.text_at(at)?, ()).is_some() {
            return Some(at);
        }
        at = doc.after(at + 1);
    }
    None
}
