//! One JSON text into tokens (RFC 8259). Strict: no comments, no trailing commas, no lone surrogates, no byte order mark.
//!
//! It is written here, and not a library's, because what a line costs is mostly what its reading costs, in time and, in a
//! web page, in bytes: the floating-point tables alone that a general reader brings are a sixth of what the modal may
//! weigh, and no line here has a number that needs them.

use super::number::{self, Scanned};
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
    // Every place in the line, and every token, has a number of 32 bits.
    if u32::try_from(line.len()).is_err() {
        return fail("it is too long", 0);
    }
    let mut lexer = Lexer { line, bytes: line.as_bytes(), tokens, decoded, duplicate: None };
    lexer.text()?;
    Ok(lexer.duplicate)
}

fn fail<T>(message: &'static str, at: usize) -> Result<T, SyntaxError> {
    Err(SyntaxError { message, at })
}

/// The innermost array or object that is open. While it is, its token holds the frame around it.
struct Frame {
    token: u32,
    count: u32,
    object: bool,
}

const OUTSIDE: Frame = Frame { token: NONE, count: 0, object: false };

struct Lexer<'t, 'd> {
    line: &'d str,
    bytes: &'d [u8],
    tokens: &'t mut Vec<Token>,
    decoded: &'t mut String,
    duplicate: Option<u32>,
}

// What reads something takes the place where it begins and gives the place after it.
impl Lexer<'_, '_> {
    fn text(&mut self) -> Result<(), SyntaxError> {
        let mut frame = OUTSIDE;
        let mut depth = 1;
        let mut at = 0;
        loop {
            at = self.space(at);
            match self.bytes.get(at) {
                Some(open @ (b'{' | b'[')) => {
                    depth += 1;
                    if depth > NESTING {
                        return fail("values are nested too deeply", at);
                    }
                    frame = self.open(&frame, *open == b'{');
                    at = self.space(at + 1);
                    let end = if frame.object { b'}' } else { b']' };
                    if self.bytes.get(at) != Some(&end) {
                        at = self.item(&mut frame, at)?;
                        continue;
                    }
                }
                Some(b'"') => at = self.string(at + 1)?,
                Some(b'-' | b'0'..=b'9') => at = self.number(at)?,
                Some(b't') => at = self.literal(at, "true", Token::Bool(true))?,
                Some(b'f') => at = self.literal(at, "false", Token::Bool(false))?,
                Some(b'n') => at = self.literal(at, "null", Token::Null)?,
                Some(_) => return fail("expected a value", at),
                None => return fail("it ends before a value", at),
            }
            loop {
                at = self.space(at);
                if frame.token == NONE {
                    return if at == self.bytes.len() {
                        Ok(())
                    } else {
                        fail("it goes on after the value", at)
                    };
                }
                match (self.bytes.get(at), frame.object) {
                    (Some(b','), _) => {
                        at = self.item(&mut frame, at + 1)?;
                        break;
                    }
                    (Some(b'}'), true) | (Some(b']'), false) => {
                        at += 1;
                        depth -= 1;
                        frame = self.close(&frame);
                    }
                    (Some(_), true) => return fail("expected a comma or the end of the object", at),
                    (Some(_), false) => return fail("expected a comma or the end of the array", at),
                    (None, true) => return fail("it ends within an object", at),
                    (None, false) => return fail("it ends within an array", at),
                }
            }
        }
    }

    fn space(&self, mut at: usize) -> usize {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.bytes.get(at) {
            at += 1;
        }
        at
    }

    fn open(&mut self, outer: &Frame, object: bool) -> Frame {
        let token = self.here();
        self.tokens.push(if outer.object {
            Token::Object(outer.count, outer.token)
        } else {
            Token::Array(outer.count, outer.token)
        });
        Frame { token, count: 0, object }
    }

    fn close(&mut self, frame: &Frame) -> Frame {
        let end = self.here();
        if frame.object && frame.count > 1 {
            let repeated = self.repeated(frame.token, frame.count);
            // An object within this one may hold one that stands earlier.
            self.duplicate = self.duplicate.into_iter().chain(repeated).min();
        }
        let Some(place) = self.tokens.get_mut(frame.token as usize) else { return OUTSIDE };
        let closed =
            if frame.object { Token::Object(frame.count, end) } else { Token::Array(frame.count, end) };
        match core::mem::replace(place, closed) {
            Token::Object(count, token) => Frame { token, count, object: true },
            Token::Array(count, token) => Frame { token, count, object: false },
            Token::Null | Token::Bool(_) | Token::Number(..) | Token::Text(..) | Token::Decoded(..) => {
                OUTSIDE
            }
        }
    }

    /// An item as far as its value: over its key, if it has one.
    fn item(&mut self, frame: &mut Frame, at: usize) -> Result<usize, SyntaxError> {
        frame.count += 1;
        if !frame.object {
            return Ok(at);
        }
        let at = self.space(at);
        if self.bytes.get(at) != Some(&b'"') {
            return fail("expected a key in double quotes", at);
        }
        let at = self.string(at + 1)?;
        let at = self.space(at);
        if self.bytes.get(at) == Some(&b':') { Ok(at + 1) } else { fail("expected a colon", at) }
    }

    fn literal(&mut self, at: usize, text: &str, token: Token) -> Result<usize, SyntaxError> {
        let end = at + text.len();
        if self.bytes.get(at..end) != Some(text.as_bytes()) {
            return fail("expected a value", at);
        }
        self.tokens.push(token);
        Ok(end)
    }

    fn number(&mut self, at: usize) -> Result<usize, SyntaxError> {
        let rest = self.line.get(at..).unwrap_or_default();
        match number::scan(rest) {
            Scanned::Number(len) => {
                self.tokens.push(Token::Number(at as u32, (at + len) as u32));
                Ok(at + len)
            }
            Scanned::TooLarge => fail("a number is out of the range of a double", at),
            Scanned::Malformed => fail("a number is not written as JSON has it", at),
        }
    }

    /// A string, from behind its first quote.
    fn string(&mut self, start: usize) -> Result<usize, SyntaxError> {
        let end = self.plain(start);
        if self.bytes.get(end) == Some(&b'"') {
            self.tokens.push(Token::Text(start as u32, end as u32));
            return Ok(end + 1);
        }
        self.escaped(start, end)
    }

    /// The end of the bytes that stand for themselves.
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
    fn escaped(&mut self, start: usize, end: usize) -> Result<usize, SyntaxError> {
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
                Some(_) => return fail("a control character in a string must be escaped", at),
                None => return fail("it ends within a string", at),
            }
        }
        self.tokens.push(Token::Decoded(from, self.decoded.len() as u32));
        Ok(at + 1)
    }

    /// What stands behind a backslash.
    fn escape(&self, at: usize) -> Result<(char, usize), SyntaxError> {
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
            Some(_) => return fail("there is no such escape", at),
            None => return fail("it ends within a string", at),
        };
        Ok((character, at + 1))
    }

    /// The digits of one `\u`, or of two that are a surrogate pair.
    fn unicode(&self, at: usize) -> Result<(char, usize), SyntaxError> {
        let first = self.unit(at)?;
        if let Some(character) = char::from_u32(first.into()) {
            return Ok((character, at + 4));
        }
        let second = if self.bytes.get(at + 4..at + 6) == Some(b"\\u") { self.unit(at + 6)? } else { 0 };
        match char::decode_utf16([first, second]).next() {
            Some(Ok(character)) => Ok((character, at + 10)),
            Some(Err(_)) | None => fail("a surrogate stands alone", at),
        }
    }

    /// Four hexadecimal digits.
    fn unit(&self, at: usize) -> Result<u16, SyntaxError> {
        let digits = self.bytes.get(at..at + 4).unwrap_or_default();
        let unit =
            digits.iter().try_fold(0, |unit, digit| Some(unit << 4 | char::from(*digit).to_digit(16)?));
        match unit {
            Some(unit) if digits.len() == 4 => Ok(unit as u16),
            Some(_) | None => fail("expected four hexadecimal digits", at),
        }
    }

    /// The number of the next token.
    fn here(&self) -> u32 {
        self.tokens.len() as u32
    }

    /// The first key of an object that repeats an earlier one.
    fn repeated(&self, object: u32, count: u32) -> Option<u32> {
        let doc = Doc::new(self.line, self.tokens, self.decoded, None);
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
