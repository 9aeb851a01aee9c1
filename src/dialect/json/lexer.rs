//! One JSON text into tokens (RFC 8259). Strict: no comments, no trailing commas, no lone surrogates, no byte order mark.
//!
//! It is written here, and not a library's, because what a line costs is mostly what its reading costs, in time and, in a
//! web page, in bytes: the floating-point tables alone that a general reader brings are a sixth of what the modal may
//! weigh, and no line here has a number that needs them.

use super::number::{self, Decimal};
use super::{Doc, Token};
use alloc::string::String;
use alloc::vec::Vec;

/// Arrays and objects within each other are at most one fewer than this (spec 11.3).
const NESTING: u32 = 128;

/// No container is open.
const NONE: u32 = u32::MAX;

/// Objects with more keys than this are checked for duplicates by sorting.
const FEW_KEYS: u32 = 16;

/// What is wrong with a text, and at which byte.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct SyntaxError {
    pub(super) message: &'static str,
    pub(super) at: usize,
}

/// Reads the whole text, and gives the first key that repeats one of its object.
pub(super) fn read(
    line: &str,
    tokens: &mut Vec<Token>,
    decoded: &mut String,
) -> Result<Option<u32>, SyntaxError> {
    let mut lexer = Lexer { line, at: 0, tokens, decoded, duplicate: None };
    match lexer.text() {
        Ok(()) => Ok(lexer.duplicate),
        Err(message) => Err(SyntaxError { message, at: lexer.at }),
    }
}

/// The innermost array or object that is open. While it is, its token holds the frame around it.
struct Frame {
    token: u32,
    count: u32,
    object: bool,
}

struct Lexer<'t, 'd> {
    line: &'d str,
    /// The next byte.
    at: usize,
    tokens: &'t mut Vec<Token>,
    decoded: &'t mut String,
    duplicate: Option<u32>,
}

type Lexed = Result<(), &'static str>;

impl Lexer<'_, '_> {
    fn text(&mut self) -> Lexed {
        let mut frame = Frame { token: NONE, count: 0, object: false };
        let mut depth = 1;
        loop {
            match self.next_byte() {
                Some(open @ (b'{' | b'[')) => {
                    depth += 1;
                    if depth > NESTING {
                        return Err("values are nested too deeply");
                    }
                    self.at += 1;
                    frame = self.open(frame, open == b'{')?;
                    let end = if frame.object { b'}' } else { b']' };
                    if self.next_byte() != Some(end) {
                        self.item(&mut frame)?;
                        continue;
                    }
                }
                Some(b'"') => self.string()?,
                Some(b'-' | b'0'..=b'9') => self.number()?,
                Some(b't') => self.literal("true", Token::Bool(true))?,
                Some(b'f') => self.literal("false", Token::Bool(false))?,
                Some(b'n') => self.literal("null", Token::Null)?,
                Some(_) => return Err("expected a value"),
                None => return Err("it ends before a value"),
            }
            loop {
                if frame.token == NONE {
                    return if self.next_byte().is_none() {
                        Ok(())
                    } else {
                        Err("it goes on after the value")
                    };
                }
                match (self.next_byte(), frame.object) {
                    (Some(b','), _) => {
                        self.at += 1;
                        self.item(&mut frame)?;
                        break;
                    }
                    (Some(b'}'), true) | (Some(b']'), false) => {
                        self.at += 1;
                        depth -= 1;
                        frame = self.close(&frame)?;
                    }
                    (Some(_), true) => return Err("expected a comma or the end of the object"),
                    (Some(_), false) => return Err("expected a comma or the end of the array"),
                    (None, true) => return Err("it ends within an object"),
                    (None, false) => return Err("it ends within an array"),
                }
            }
        }
    }

    /// The next byte that is no white space.
    fn next_byte(&mut self) -> Option<u8> {
        loop {
            let byte = *self.line.as_bytes().get(self.at)?;
            if !matches!(byte, b' ' | b'\t' | b'\n' | b'\r') {
                return Some(byte);
            }
            self.at += 1;
        }
    }

    fn open(&mut self, outer: Frame, object: bool) -> Result<Frame, &'static str> {
        let token = self.here()?;
        self.tokens.push(if outer.object {
            Token::Object(outer.count, outer.token)
        } else {
            Token::Array(outer.count, outer.token)
        });
        Ok(Frame { token, count: 0, object })
    }

    fn close(&mut self, frame: &Frame) -> Result<Frame, &'static str> {
        let end = self.here()?;
        let outer = self.tokens.get_mut(frame.token as usize).map(|place| {
            let closed =
                if frame.object { Token::Object(frame.count, end) } else { Token::Array(frame.count, end) };
            core::mem::replace(place, closed)
        });
        if frame.object && frame.count > 1 {
            let repeated = self.repeated(frame.token, frame.count);
            // An object within this one may hold one that stands earlier.
            self.duplicate = self.duplicate.into_iter().chain(repeated).min();
        }
        Ok(match outer {
            Some(Token::Object(count, token)) => Frame { token, count, object: true },
            Some(Token::Array(count, token)) => Frame { token, count, object: false },
            Some(Token::Null | Token::Bool(_) | Token::Number(..) | Token::Text(..) | Token::Decoded(..))
            | None => Frame { token: NONE, count: 0, object: false },
        })
    }

    /// Up to the value of the next item, over its key if it has one.
    fn item(&mut self, frame: &mut Frame) -> Lexed {
        frame.count += 1;
        if !frame.object {
            return Ok(());
        }
        if self.next_byte() != Some(b'"') {
            return Err("expected a key in double quotes");
        }
        self.string()?;
        if self.next_byte() != Some(b':') {
            return Err("expected a colon");
        }
        self.at += 1;
        Ok(())
    }

    fn literal(&mut self, text: &str, token: Token) -> Lexed {
        let end = self.at + text.len();
        if self.line.as_bytes().get(self.at..end) != Some(text.as_bytes()) {
            return Err("expected a value");
        }
        self.at = end;
        self.tokens.push(token);
        Ok(())
    }

    fn number(&mut self) -> Lexed {
        let start = self.at;
        let rest = self.line.get(start..).unwrap_or_default();
        let len = number::scan(rest).ok_or("a number is not written as JSON wants it")?;
        self.at += len;
        let text = rest.get(..len).unwrap_or_default();
        if len > number::ALWAYS_A_DOUBLE && !Decimal::new(text).is_double() {
            return Err("a number is out of the range of a double");
        }
        let (start, end) = self.span(start, self.at)?;
        self.tokens.push(Token::Number(start, end));
        Ok(())
    }

    /// A string, from its first quote.
    fn string(&mut self) -> Lexed {
        let start = self.at + 1;
        self.at = start;
        self.plain();
        if self.line.as_bytes().get(self.at) == Some(&b'"') {
            let (start, end) = self.span(start, self.at)?;
            self.at += 1;
            self.tokens.push(Token::Text(start, end));
            return Ok(());
        }
        self.escaped(start)
    }

    /// Over bytes that stand for themselves, eight at a time.
    fn plain(&mut self) {
        let bytes = self.line.as_bytes();
        while let Some(word) = bytes.get(self.at..).and_then(<[u8]>::first_chunk) {
            let stop = stops(u64::from_le_bytes(*word));
            if stop != 0 {
                self.at += stop.trailing_zeros() as usize / 8;
                return;
            }
            self.at += 8;
        }
        while bytes.get(self.at).is_some_and(|byte| !is_stop(*byte)) {
            self.at += 1;
        }
    }

    /// The rest of a string with escapes, decoded.
    fn escaped(&mut self, start: usize) -> Lexed {
        let from = self.decoded.len();
        let mut run = start;
        loop {
            self.decoded.push_str(self.line.get(run..self.at).unwrap_or_default());
            match self.line.as_bytes().get(self.at) {
                Some(b'"') => break,
                Some(b'\\') => {
                    let decoded = self.escape()?;
                    self.decoded.push(decoded);
                    run = self.at;
                    self.plain();
                }
                Some(_) => return Err("a control character in a string must be escaped"),
                None => return Err("it ends within a string"),
            }
        }
        self.at += 1;
        let (from, to) = self.span(from, self.decoded.len())?;
        self.tokens.push(Token::Decoded(from, to));
        Ok(())
    }

    fn escape(&mut self) -> Result<char, &'static str> {
        self.at += 1;
        let escaped = self.line.as_bytes().get(self.at).copied();
        let decoded = match escaped {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                self.at += 1;
                return self.unicode();
            }
            Some(_) => return Err("there is no such escape"),
            None => return Err("it ends within a string"),
        };
        self.at += 1;
        Ok(decoded)
    }

    /// The character of one `\u`, or of two that are a surrogate pair.
    fn unicode(&mut self) -> Result<char, &'static str> {
        const LONE: &str = "a surrogate stands alone";
        let first = self.unit()?;
        if let Some(character) = char::from_u32(first) {
            return Ok(character);
        }
        if self.line.as_bytes().get(self.at..self.at + 2) != Some(b"\\u") {
            return Err(LONE);
        }
        self.at += 2;
        let units = [first as u16, self.unit()? as u16];
        match char::decode_utf16(units).next() {
            Some(Ok(character)) => Ok(character),
            Some(Err(_)) | None => Err(LONE),
        }
    }

    /// Four hexadecimal digits.
    fn unit(&mut self) -> Result<u32, &'static str> {
        let digits: &[u8; 4] = self
            .line
            .as_bytes()
            .get(self.at..)
            .and_then(<[u8]>::first_chunk)
            .ok_or("it ends within a string")?;
        let mut unit = 0;
        for digit in digits {
            let value = char::from(*digit).to_digit(16).ok_or("expected four hexadecimal digits")?;
            unit = unit << 4 | value;
        }
        self.at += 4;
        Ok(unit)
    }

    /// The number of the next token.
    fn here(&self) -> Result<u32, &'static str> {
        u32::try_from(self.tokens.len()).map_err(|_| TOO_LONG)
    }

    fn span(&self, start: usize, end: usize) -> Result<(u32, u32), &'static str> {
        match (u32::try_from(start), u32::try_from(end)) {
            (Ok(start), Ok(end)) => Ok((start, end)),
            (Err(_), _) | (_, Err(_)) => Err(TOO_LONG),
        }
    }

    /// The first key of an object that repeats an earlier one.
    fn repeated(&self, object: u32, count: u32) -> Option<u32> {
        let doc = Doc { line: self.line, tokens: self.tokens, decoded: self.decoded, duplicate: None };
        if count > FEW_KEYS {
            return repeated_of_many(&doc, object, count);
        }
        // A key with a bit of its own among those of its object repeats none of them.
        let mut seen = 0_u64;
        let mut at = object + 1;
        for earlier in 0..count {
            let bit = doc.key_bit(at);
            if seen & bit != 0 && doc.text_at(at).is_some_and(|key| repeats(&doc, object, earlier, key)) {
                return Some(at);
            }
            seen |= bit;
            at = doc.after(at + 1);
        }
        None
    }
}

const TOO_LONG: &str = "it is too long";

/// Whether one of the first keys of an object is that one.
fn repeats(doc: &Doc<'_>, object: u32, keys: u32, key: &str) -> bool {
    let mut at = object + 1;
    for _ in 0..keys {
        if doc.has_text(at, key) {
            return true;
        }
        at = doc.after(at + 1);
    }
    false
}

fn repeated_of_many(doc: &Doc<'_>, object: u32, keys: u32) -> Option<u32> {
    let mut seen = Vec::with_capacity(keys as usize);
    let mut at = object + 1;
    for _ in 0..keys {
        seen.push((doc.text_at(at)?, at));
        at = doc.after(at + 1);
    }
    seen.sort_unstable();
    seen.iter().zip(seen.iter().skip(1)).filter(|(a, b)| a.0 == b.0).map(|(_, b)| b.1).min()
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
