//! Options as they lie in a form's text: of each the value, the label and the description, with its length before it, so
//! that a form is one block however many options it has.
//!
//! Lengths are written in characters below U+0080, six bits in each, the lowest first, so that the block stays text and
//! pieces of it can be lent as such. What was not given has the length 0, anything else one more than its own.

use crate::text::is_same;
use alloc::string::String;

const BITS: u32 = 6;
const MORE: u8 = 1 << BITS;

/// One option of a question. Its identity in the core is its index.
#[derive(Debug, Clone, Copy)]
pub struct Choice<'f> {
    /// The text of the whole form.
    text: &'f str,
    value: Piece,
    label: Piece,
    description: Piece,
}

impl<'f> Choice<'f> {
    /// What an answer names it by, as it came: the choice's id (dialect A) or the label (B).
    #[must_use]
    pub fn value(&self) -> &'f str {
        self.value.of(self.text).unwrap_or_default()
    }

    /// What the person reads.
    #[must_use]
    pub fn label(&self) -> &'f str {
        self.label.of(self.text).unwrap_or(self.value())
    }

    /// What it means, if given.
    #[must_use]
    pub fn description(&self) -> Option<&'f str> {
        self.description.of(self.text)
    }
}

/// Where a text begins, and its length as it is written.
#[derive(Debug, Clone, Copy)]
struct Piece {
    at: usize,
    length: usize,
}

impl Piece {
    fn of(self, text: &str) -> Option<&str> {
        let end = self.at + self.length.checked_sub(1)?;
        text.get(self.at..end)
    }
}

/// So many options, from a place in a form's text.
#[derive(Debug, Clone)]
pub(super) struct Options<'f> {
    text: &'f str,
    at: usize,
    left: usize,
}

impl<'f> Options<'f> {
    pub(super) const fn new(text: &'f str, at: usize, count: usize) -> Self {
        Self { text, at, left: count }
    }

    fn piece(&mut self) -> Option<Piece> {
        let digit = self.digit()?;
        let length = if digit < MORE { usize::from(digit) } else { self.long(digit)? };
        let at = self.at;
        self.at += length.saturating_sub(1);
        Some(Piece { at, length })
    }

    /// The place among the options of the one whose value is exactly that text.
    pub(super) fn find(&mut self, value: &str) -> Option<usize> {
        for index in 0..self.left {
            let Piece { at, length } = self.piece()?;
            // What was not given is the same as nothing.
            let own = self.text.as_bytes().get(at..at + length.saturating_sub(1)).unwrap_or_default();
            if is_same(own, value.as_bytes()) {
                return Some(index);
            }
            self.piece()?;
            self.piece()?;
        }
        None
    }

    fn digit(&mut self) -> Option<u8> {
        let digit = self.text.as_bytes().get(self.at).copied();
        self.at += 1;
        digit
    }

    /// A length of more than the one digit.
    #[cold]
    fn long(&mut self, mut digit: u8) -> Option<usize> {
        let (mut length, mut shift) = (0, 0);
        while digit >= MORE {
            length |= usize::from(digit - MORE) << shift;
            shift += BITS;
            digit = self.digit()?;
        }
        Some(length | usize::from(digit) << shift)
    }
}

impl<'f> Iterator for Options<'f> {
    type Item = Choice<'f>;

    #[inline]
    fn next(&mut self) -> Option<Choice<'f>> {
        self.left = self.left.checked_sub(1)?;
        Some(Choice {
            text: self.text,
            value: self.piece()?,
            label: self.piece()?,
            description: self.piece()?,
        })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Options<'_> {}

/// What the option that was written last may still get.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Label,
    Description,
}

/// Writes options at the end of a text, a piece at a time.
#[derive(Debug)]
pub(super) struct Writer {
    next: Option<Part>,
}

impl Writer {
    /// The least that an option takes beside its texts.
    pub(super) const OVERHEAD: usize = 3;

    pub(super) const fn new() -> Self {
        Self { next: None }
    }

    /// Begins the next option.
    pub(super) fn value(&mut self, text: &mut String, value: &str) {
        self.close(text);
        put(text, value);
        self.next = Some(Part::Label);
    }

    /// Gives whether an option was open for it.
    pub(super) fn label(&mut self, text: &mut String, label: &str) -> bool {
        let open = self.next == Some(Part::Label);
        if open {
            put(text, label);
            self.next = Some(Part::Description);
        }
        open
    }

    /// Gives whether an option was open for it.
    pub(super) fn description(&mut self, text: &mut String, description: &str) -> bool {
        match self.next.take() {
            Some(Part::Label) => text.push('\0'),
            Some(Part::Description) => {}
            None => return false,
        }
        put(text, description);
        true
    }

    /// Ends the last option, so that something else may follow.
    pub(super) fn close(&mut self, text: &mut String) {
        match self.next.take() {
            Some(Part::Label) => text.push_str("\0\0"),
            Some(Part::Description) => text.push('\0'),
            None => {}
        }
    }
}

/// A piece after its length.
fn put(text: &mut String, piece: &str) {
    let mut length = piece.len() + 1;
    while length >= usize::from(MORE) {
        text.push(char::from(length as u8 & (MORE - 1) | MORE));
        length >>= BITS;
    }
    text.push(char::from(length as u8));
    text.push_str(piece);
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn options_are_read_as_they_were_written() {
        let lengths = [0, 1, 62, 63, 64, 4_095, 4_096, 70_000];
        let texts: Vec<String> = lengths.iter().map(|length| "\u{e9}".repeat(*length)).collect();
        let mut written = Vec::new();
        for value in &texts {
            for label in core::iter::once(None).chain(texts.iter().map(Some)) {
                for description in [None, Some(&texts[1]), Some(value)] {
                    written.push((value, label, description));
                }
            }
        }
        let (mut text, mut writer) = (String::new(), Writer::new());
        for (value, label, description) in &written {
            writer.value(&mut text, value);
            assert!(label.is_none_or(|label| writer.label(&mut text, label)));
            assert!(description.is_none_or(|description| writer.description(&mut text, description)));
        }
        writer.close(&mut text);
        text.push_str("what follows");

        let mut read = Options::new(&text, 0, written.len());
        for (value, label, description) in written {
            let choice = read.next().unwrap();
            assert_eq!(choice.value(), value);
            assert_eq!(choice.label(), label.unwrap_or(value));
            assert_eq!(choice.description(), description.map(String::as_str));
        }
        assert!(read.next().is_none());
        assert_eq!(&text[read.at..], "what follows");
    }
}
