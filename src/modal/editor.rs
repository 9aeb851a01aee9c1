//! A text field: a text and a cursor that always stands between two grapheme clusters (UAX #29).

use crate::text::{boundaries, clean_paste, graphemes, is_blank};
use alloc::string::String;

/// What a key does in a text field, besides adding text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Edit {
    Left,
    Right,
    Up,
    Down,
    LineStart,
    LineEnd,
    EraseBefore,
    EraseAfter,
}

/// The whole input would not fit; nothing was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TooLong;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Editor {
    text: String,
    /// In bytes, and never within a grapheme cluster.
    cursor: usize,
}

impl Editor {
    /// A field that holds a text, cleaned as a paste, with the cursor at its end.
    pub(super) fn new(text: &str) -> Self {
        let text = clean_paste(text).into_owned();
        Self { cursor: text.len(), text }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn is_blank(&self) -> bool {
        is_blank(&self.text)
    }

    /// The cursor's place, in grapheme clusters.
    pub(super) fn cursor(&self) -> usize {
        count(self.before())
    }

    /// Whether the edit would change or move anything.
    pub(super) fn can(&self, edit: Edit) -> bool {
        match edit {
            // Without counting columns, which takes long in a long line.
            Edit::Up => self.line_start() > 0,
            Edit::Down => self.line_end() < self.text.len(),
            Edit::Left
            | Edit::Right
            | Edit::LineStart
            | Edit::LineEnd
            | Edit::EraseBefore
            | Edit::EraseAfter => self.target(edit).is_some(),
        }
    }

    /// Does the edit; says whether the text (not the cursor alone) changed.
    pub(super) fn edit(&mut self, edit: Edit) -> bool {
        let Some(target) = self.target(edit) else { return false };
        match edit {
            Edit::EraseBefore | Edit::EraseAfter => {
                let start = self.cursor.min(target);
                self.text.replace_range(start..self.cursor.max(target), "");
                self.cursor = start;
                self.snap();
                true
            }
            Edit::Left | Edit::Right | Edit::Up | Edit::Down | Edit::LineStart | Edit::LineEnd => {
                self.cursor = target;
                false
            }
        }
    }

    /// Puts a text in at the cursor, which ends behind it. The text is cleaned as a paste. Says whether anything changed.
    pub(super) fn insert(&mut self, text: &str, most: usize) -> Result<bool, TooLong> {
        let text = clean_paste(text);
        if self.text.len().saturating_add(text.len()) > most {
            return Err(TooLong);
        }
        self.text.insert_str(self.cursor, &text);
        self.cursor += text.len();
        self.snap();
        Ok(!text.is_empty())
    }

    /// Puts a text, cleaned as a paste, in place of the one that is there. Says whether that is another one.
    pub(super) fn set(&mut self, text: &str, most: usize) -> Result<bool, TooLong> {
        let text = clean_paste(text);
        if text.len() > most {
            return Err(TooLong);
        }
        if *text == self.text {
            return Ok(false);
        }
        self.text = text.into_owned();
        self.cursor = self.text.len();
        Ok(true)
    }

    /// Where the cursor goes, or up to where is erased; `None` if the edit does nothing here.
    fn target(&self, edit: Edit) -> Option<usize> {
        match edit {
            Edit::Left | Edit::EraseBefore => {
                (self.cursor > 0).then(|| boundaries(&self.text, self.cursor).0)
            }
            Edit::Right | Edit::EraseAfter => {
                let cluster = graphemes(self.text.get(self.cursor..)?).next()?;
                Some(self.cursor + cluster.len())
            }
            Edit::LineStart => Some(self.line_start()).filter(|start| *start != self.cursor),
            Edit::LineEnd => Some(self.line_end()).filter(|end| *end != self.cursor),
            Edit::Up => {
                let above = self.text.get(..self.line_start().checked_sub(1)?)?;
                let start = above.rfind('\n').map_or(0, |at| at + 1);
                Some(start + self.column_in(above.get(start..)?))
            }
            Edit::Down => {
                let start = self.line_end() + 1;
                let below = self.text.get(start..)?;
                let line = below.split('\n').next().unwrap_or_default();
                Some(start + self.column_in(line))
            }
        }
    }

    /// How many bytes of another line come before the column that the cursor has in its own.
    fn column_in(&self, line: &str) -> usize {
        let column = count(self.text.get(self.line_start()..self.cursor).unwrap_or_default());
        graphemes(line).take(column).map(str::len).sum()
    }

    fn line_start(&self) -> usize {
        self.before().rfind('\n').map_or(0, |at| at + 1)
    }

    fn line_end(&self) -> usize {
        let after = self.text.get(self.cursor..).unwrap_or_default();
        self.cursor + after.find('\n').unwrap_or(after.len())
    }

    fn before(&self) -> &str {
        self.text.get(..self.cursor).unwrap_or_default()
    }

    /// Moves the cursor behind the cluster that the text before it and the text after it have become together.
    fn snap(&mut self) {
        (_, self.cursor) = boundaries(&self.text, self.cursor);
    }
}

/// The number of grapheme clusters. In ASCII without CR, of which none is left after cleaning, each byte is one.
fn count(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { graphemes(text).count() }
}
