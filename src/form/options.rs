//! Options as they lie in a form's text: of each the value, the label and the description, one behind the other, then their
//! lengths, so that a form is one block however many options it has, and finding one reads little of it.
//!
//! Lengths are written in characters below U+0080, six bits in each, the lowest first, so that the block stays text and
//! pieces of it can be lent as such. The first is that of all texts together; then come those of each text, where what was not
//! given has the length 0 and anything else one more than its own.

use crate::text::is_same;
use alloc::string::String;
use alloc::vec::Vec;

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

/// So many options of a form's text.
#[derive(Debug, Clone)]
pub(super) struct Options<'f> {
    text: &'f str,
    /// Where the next length is.
    head: usize,
    /// Where the next text is.
    at: usize,
    left: usize,
}

impl<'f> Options<'f> {
    /// Those whose lengths begin there.
    pub(super) fn new(text: &'f str, head: usize, count: usize) -> Self {
        let mut options = Self { text, head, at: 0, left: count };
        if count > 0 {
            options.at = head.saturating_sub(options.length().unwrap_or(0));
        }
        options
    }

    #[inline]
    fn length(&mut self) -> Option<usize> {
        let digit = self.digit()?;
        if digit < MORE { Some(usize::from(digit)) } else { self.long(digit) }
    }

    /// The place among the options of the one whose value is exactly that text.
    pub(super) fn find(&mut self, value: &str) -> Option<usize> {
        for index in 0..self.left {
            let (at, [length, ..]) = (self.at, self.lengths()?);
            // What was not given is the same as nothing.
            let length = length.saturating_sub(1);
            if length == value.len()
                && is_same(self.text.as_bytes().get(at..at + length).unwrap_or_default(), value.as_bytes())
            {
                return Some(index);
            }
        }
        None
    }

    /// The lengths of the next option's texts, over all of which it goes.
    // Inlined: three numbers would come back through memory.
    #[inline(always)]
    fn lengths(&mut self) -> Option<[usize; 3]> {
        let [value, label, description] = match self.text.as_bytes().get(self.head..)?.first_chunk() {
            // Mostly all are short.
            Some(&[value, label, description]) if (value | label | description) < MORE => {
                self.head += 3;
                [value.into(), label.into(), description.into()]
            }
            _ => [self.length()?, self.length()?, self.length()?],
        };
        self.at += value.saturating_sub(1) + label.saturating_sub(1) + description.saturating_sub(1);
        Some([value, label, description])
    }

    fn digit(&mut self) -> Option<u8> {
        let digit = self.text.as_bytes().get(self.head).copied();
        self.head += 1;
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
        let mut at = self.at;
        let [value, label, description] = self.lengths()?.map(|length| {
            let piece = Piece { at, length };
            at += length.saturating_sub(1);
            piece
        });
        Some(Choice { text: self.text, value, label, description })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Options<'_> {}

/// The lengths of an option's texts, as they are written, and a mark of its value: few that come up share one.
#[derive(Debug, Clone, Copy)]
struct Head {
    mark: u32,
    lengths: [u32; 3],
}

impl Head {
    fn bytes(&self) -> usize {
        self.lengths.iter().map(|length| length.saturating_sub(1) as usize).sum()
    }
}

/// As many options as most questions have need no memory of their own while they are written.
const FEW: usize = 8;

/// Writes the options of one question at the end of a text, a piece at a time.
#[derive(Debug)]
pub(super) struct Writer {
    /// Where the first begins.
    start: usize,
    count: usize,
    few: [Head; FEW],
    more: Vec<Head>,
    /// A bit for each mark: one whose bit is not among them is none of them.
    marks: u64,
    /// How many texts the last one has, or may have had: the value, then the label, then the description.
    texts: usize,
}

impl Writer {
    /// What lengths take beside so many bytes of text, if every text is short: then it is exact.
    pub(super) const fn room(text_bytes: usize, options: usize) -> usize {
        let total = if text_bytes == 0 { 1 } else { text_bytes.ilog2() / BITS + 1 };
        if options > 0 { options.saturating_mul(3).saturating_add(total as usize) } else { 0 }
    }

    /// The most that it takes, with what all of them take together.
    pub(super) const MOST: usize = 24;

    pub(super) const fn new() -> Self {
        let head = Head { mark: 0, lengths: [0; 3] };
        Self { start: 0, count: 0, few: [head; FEW], more: Vec::new(), marks: 0, texts: 0 }
    }

    /// How many options there are.
    pub(super) const fn count(&self) -> usize {
        self.count
    }

    fn heads(&self) -> impl Iterator<Item = &Head> {
        self.few.iter().take(self.count).chain(&self.more)
    }

    fn last(&mut self) -> Option<&mut Head> {
        let few = self.count.checked_sub(1).and_then(|last| self.few.get_mut(last));
        few.or(self.more.last_mut())
    }

    /// Begins the next option.
    pub(super) fn value(&mut self, text: &mut String, value: &str, mark: u32) {
        if self.count == 0 {
            self.start = text.len();
        }
        let head = Head { mark, lengths: [value.len() as u32 + 1, 0, 0] };
        match self.few.get_mut(self.count) {
            Some(place) => *place = head,
            None => self.more.push(head),
        }
        self.count += 1;
        self.marks |= 1 << (mark % 64);
        self.texts = 1;
        text.push_str(value);
    }

    /// Gives whether an option was open for it.
    pub(super) fn label(&mut self, text: &mut String, label: &str) -> bool {
        self.texts == 1 && self.put(1, text, label)
    }

    /// Gives whether an option was open for it.
    pub(super) fn description(&mut self, text: &mut String, description: &str) -> bool {
        matches!(self.texts, 1 | 2) && self.put(2, text, description)
    }

    /// A text of the last option. Gives whether there is one.
    fn put(&mut self, nth: usize, text: &mut String, piece: &str) -> bool {
        let Some(length) = self.last().and_then(|head| head.lengths.get_mut(nth)) else { return false };
        *length = piece.len() as u32 + 1;
        text.push_str(piece);
        self.texts = nth + 1;
        true
    }

    /// Whether an option has that mark and a value of which that holds.
    pub(super) fn any(&self, text: &str, mark: u32, is: impl Fn(&str) -> bool) -> bool {
        if self.marks & 1 << (mark % 64) == 0 {
            return false;
        }
        let mut at = self.start;
        for head in self.heads() {
            let [value, ..] = head.lengths;
            let value = at..at + (value as usize).saturating_sub(1);
            if head.mark == mark && text.get(value).is_some_and(&is) {
                return true;
            }
            at += head.bytes();
        }
        false
    }

    /// Ends the options, so that something else may follow, and gives where their lengths are.
    pub(super) fn close(&mut self, text: &mut String) -> usize {
        let at = text.len();
        let mut lengths = Lengths { text, digits: [0; 64], used: 0 };
        lengths.put(at - self.start);
        for head in self.heads() {
            head.lengths.into_iter().for_each(|length| lengths.put(length as usize));
        }
        lengths.flush();
        self.count = 0;
        self.more.clear();
        self.marks = 0;
        self.texts = 0;
        at
    }
}

/// Lengths on their way into a text, which takes many digits at once faster than one by one.
struct Lengths<'t> {
    text: &'t mut String,
    digits: [u8; 64],
    used: usize,
}

impl Lengths<'_> {
    fn put(&mut self, mut length: usize) {
        while length >= usize::from(MORE) {
            self.digit((length as u8 % MORE) | MORE);
            length >>= BITS;
        }
        self.digit(length as u8);
    }

    fn digit(&mut self, digit: u8) {
        if self.used == self.digits.len() {
            self.flush();
        }
        if let Some(place) = self.digits.get_mut(self.used) {
            *place = digit;
            self.used += 1;
        }
    }

    fn flush(&mut self) {
        let digits = self.digits.get(..self.used).and_then(|digits| core::str::from_utf8(digits).ok());
        self.text.push_str(digits.unwrap_or_default());
        self.used = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let (mut text, mut writer) = (String::from("before"), Writer::new());
        for (value, label, description) in &written {
            writer.value(&mut text, value, 0);
            assert!(label.is_none_or(|label| writer.label(&mut text, label)));
            assert!(description.is_none_or(|description| writer.description(&mut text, description)));
        }
        let at = writer.close(&mut text);
        text.push_str("what follows");

        let mut read = Options::new(&text, at, written.len());
        for (value, label, description) in written {
            let choice = read.next().unwrap();
            assert_eq!(choice.value(), value);
            assert_eq!(choice.label(), label.unwrap_or(value));
            assert_eq!(choice.description(), description.map(String::as_str));
        }
        assert!(read.next().is_none());
        assert_eq!(&text[read.head..], "what follows");
    }
}
