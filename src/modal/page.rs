//! What the person has done about each question so far: the drafts, one a page.

use super::editor::Editor;
use crate::form::{DefaultHint, Form, Question, QuestionKind};
use alloc::boxed::Box;

/// The draft of one question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Page {
    pub(super) kind: QuestionKind,
    /// The row of the list that the cursor is on. The rows are the options, then the custom answer's.
    pub(super) cursor: usize,
    /// The first row of the window.
    pub(super) first: usize,
    /// For each option, whether it is selected.
    pub(super) selected: Box<[bool]>,
    pub(super) editor: Editor,
    /// The entry of the custom answer is open.
    pub(super) open: bool,
    /// The text is the custom answer, or a part of it. Kept false for a free text, which its draft answers.
    pub(super) taken: bool,
}

impl Page {
    /// The untouched draft. A default is where it starts: the cursor, or the text in the field.
    fn new(question: Option<Question<'_>>) -> Self {
        let kind = question.map_or(QuestionKind::Text, |question| question.kind());
        let default = question.and_then(|question| question.default());
        let (cursor, text) = match default {
            Some(DefaultHint::Choice(index)) => (index, ""),
            Some(DefaultHint::Text(text)) => (0, text),
            Some(DefaultHint::Yes | DefaultHint::No) | None => (0, ""),
        };
        let options = question.map_or(0, |question| question.options().len());
        Self {
            kind,
            cursor,
            first: 0,
            selected: core::iter::repeat_n(false, options).collect(),
            editor: Editor::new(text),
            open: false,
            taken: false,
        }
    }

    pub(super) fn is_multi(&self) -> bool {
        matches!(self.kind, QuestionKind::Select { multi: true, .. })
    }

    /// The row of the custom answer.
    pub(super) fn custom_row(&self) -> Option<usize> {
        match self.kind {
            QuestionKind::Select { custom: true, .. } => Some(self.selected.len()),
            QuestionKind::Select { custom: false, .. }
            | QuestionKind::YesNo
            | QuestionKind::Text
            | QuestionKind::ConfirmCommand => None,
        }
    }

    /// How many rows the list has; none where there is no list.
    pub(super) fn rows(&self) -> usize {
        self.selected.len() + usize::from(self.custom_row().is_some())
    }

    /// A text field is there.
    pub(super) fn has_text(&self) -> bool {
        self.open || matches!(self.kind, QuestionKind::Text)
    }

    /// The draft is an answer.
    pub(super) fn is_answered(&self) -> bool {
        match self.kind {
            QuestionKind::Select { .. } => self.taken || self.selected.contains(&true),
            QuestionKind::Text => !self.editor.is_blank(),
            QuestionKind::YesNo | QuestionKind::ConfirmCommand => false,
        }
    }

    pub(super) fn is_selected(&self, option: usize) -> bool {
        self.selected.get(option).copied().unwrap_or(false)
    }

    /// Selects one option and nothing else. That is a choice against the text: it is not sent, and an entry still open
    /// closes, so that nothing takes it later.
    pub(super) fn select(&mut self, option: usize) {
        for (index, selected) in self.selected.iter_mut().enumerate() {
            *selected = index == option;
        }
        self.taken = false;
        self.open = false;
    }

    pub(super) fn toggle(&mut self, option: usize) {
        if let Some(selected) = self.selected.get_mut(option) {
            *selected = !*selected;
        }
    }

    /// Takes the text as the custom answer and closes its entry.
    pub(super) fn take(&mut self) {
        if !self.is_multi() {
            self.selected.fill(false);
        }
        self.taken = true;
        self.open = false;
    }

    /// The entry is open with something in it that may be taken.
    pub(super) fn can_take(&self) -> bool {
        self.open && !self.editor.is_blank()
    }

    /// Puts the cursor on the single answer.
    fn settle(&mut self) {
        if self.is_multi() {
            return;
        }
        let answer = match self.custom_row() {
            Some(row) if self.taken => Some(row),
            _ => self.selected.iter().position(|selected| *selected),
        };
        self.cursor = answer.unwrap_or(self.cursor);
    }

    /// How many rows of the list a surface with room for so many shows.
    pub(super) fn shown(&self, room: usize) -> usize {
        room.clamp(1, self.rows().max(1))
    }

    /// Moves the window as little as needed for it to hold the cursor.
    #[inline]
    fn scroll(&mut self, room: usize) {
        if room >= self.rows() {
            self.first = 0;
            return;
        }
        let shown = self.shown(room);
        let last = self.rows().saturating_sub(shown);
        self.first = self.first.min(self.cursor).max((self.cursor + 1).saturating_sub(shown)).min(last);
    }
}

/// All the pages; one is shown. There is always at least one, as a form has at least one question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pages {
    head: Page,
    tail: Box<[Page]>,
    shown: usize,
}

impl Pages {
    pub(super) fn new(form: &Form) -> Self {
        let mut questions = form.questions();
        let head = Page::new(questions.next());
        Self { head, tail: questions.map(|question| Page::new(Some(question))).collect(), shown: 0 }
    }

    pub(super) fn len(&self) -> usize {
        self.tail.len() + 1
    }

    pub(super) fn index(&self) -> usize {
        self.shown
    }

    pub(super) fn shown(&self) -> &Page {
        self.shown.checked_sub(1).and_then(|index| self.tail.get(index)).unwrap_or(&self.head)
    }

    pub(super) fn shown_mut(&mut self) -> &mut Page {
        self.shown.checked_sub(1).and_then(|index| self.tail.get_mut(index)).unwrap_or(&mut self.head)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Page> {
        core::iter::once(&self.head).chain(&self.tail)
    }

    /// Shows another page; one that is not there is ignored. An entry that is left open closes.
    pub(super) fn show(&mut self, index: usize) {
        if index < self.len() {
            self.shown_mut().open = false;
            self.shown = index;
            self.shown_mut().settle();
        }
    }

    /// The first question without an answer.
    pub(super) fn unanswered(&self) -> Option<usize> {
        self.iter().position(|page| !page.is_answered())
    }

    /// Keeps the window of the list where the cursor is.
    #[inline(always)]
    pub(super) fn scroll(&mut self, room: usize) {
        self.shown_mut().scroll(room);
    }
}
