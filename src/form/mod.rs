//! The one question model of both dialects (spec 2). A [`Form`] is checked while it is built, so that whoever holds one
//! never asks again whether it is well formed.

mod builder;
mod options;

pub use builder::FormBuilder;
pub use options::Choice;

use crate::text::is_blank;
use alloc::boxed::Box;
use core::num::NonZeroU32;
use options::Options;

/// What kind of answer a question takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum QuestionKind {
    /// Yes or no.
    YesNo,
    /// One or several of the options, or custom text where that is allowed.
    Select {
        /// Several options may be selected.
        multi: bool,
        /// Text of one's own may be given instead, or beside several selections.
        custom: bool,
    },
    /// Text.
    Text,
    /// Permission to run a command, in two steps: acknowledge, then run.
    ConfirmCommand,
}

/// A hint that an option is recommended. It marks the option and selects nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Recommended(usize);

impl Recommended {
    /// The option's index.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0
    }
}

/// A hint of where an answer may start: what is focused or prefilled. It is never an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DefaultHint<'f> {
    /// `yes` of a yes/no question.
    Yes,
    /// `no` of a yes/no question.
    No,
    /// The choice at this index.
    Choice(usize),
    /// The text to start from.
    Text(&'f str),
}

/// A place in the form's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Span {
    start: u32,
    /// The place after the end: never 0, so that an absent span takes no more room than another.
    past: NonZeroU32,
}

impl Span {
    /// `None` if it does not fit.
    fn new(start: usize, end: usize) -> Option<Self> {
        let start = u32::try_from(start).ok()?;
        let past = u32::try_from(end).ok()?.checked_add(1)?;
        Some(Self { start, past: NonZeroU32::new(past)? })
    }

    fn of(self, text: &str) -> &str {
        text.get(self.start as usize..self.past.get() as usize - 1).unwrap_or_default()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DefaultRecord {
    Yes,
    No,
    Choice(u32),
    Text(Span),
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct QuestionRecord {
    kind: QuestionKind,
    id: Option<Span>,
    text: Option<Span>,
    header: Option<Span>,
    body: Option<Span>,
    /// Where in the text the lengths of its options lie, and how many options they are.
    options_at: u32,
    options: u32,
    multi: Option<bool>,
    /// One more than the index, so that an absent one takes no room.
    recommended: Option<NonZeroU32>,
    default: Option<DefaultRecord>,
}

/// One to eight questions, checked, in one block of text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Form {
    text: Box<str>,
    /// In place, since most forms have no other.
    first: QuestionRecord,
    more: Box<[QuestionRecord]>,
    danger: Option<bool>,
    answer_bytes: usize,
}

impl Form {
    /// The questions, in order.
    pub fn questions(&self) -> impl ExactSizeIterator<Item = Question<'_>> + Clone {
        (0..self.len()).map(|index| self.read(self.record(index).unwrap_or(&self.first)))
    }

    /// The question at that index.
    #[must_use]
    pub fn question(&self, index: usize) -> Option<Question<'_>> {
        self.record(index).map(|record| self.read(record))
    }

    /// How many questions there are, 1 to 8.
    #[must_use]
    pub const fn len(&self) -> usize {
        1 + self.more.len()
    }

    /// Never true: a form has at least one question.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        false
    }

    /// Whether saying yes is dangerous, so that surfaces show it so.
    #[must_use]
    pub fn is_unsafe(&self) -> bool {
        self.danger == Some(true)
    }

    /// The `unsafe` flag as the asker gave it.
    #[must_use]
    pub const fn unsafe_given(&self) -> Option<bool> {
        self.danger
    }

    /// The limit of typed text that the form was checked with, in bytes.
    #[must_use]
    pub const fn answer_bytes(&self) -> usize {
        self.answer_bytes
    }

    /// Whether the form is one command to confirm, which must be acknowledged before it may run.
    #[must_use]
    pub fn is_command(&self) -> bool {
        self.first.kind == QuestionKind::ConfirmCommand
    }

    /// Bytes held for all of its texts.
    #[must_use]
    pub const fn text_bytes(&self) -> usize {
        self.text.len()
    }

    fn record(&self, index: usize) -> Option<&QuestionRecord> {
        match index.checked_sub(1) {
            None => Some(&self.first),
            Some(index) => self.more.get(index),
        }
    }

    fn read<'f>(&'f self, record: &'f QuestionRecord) -> Question<'f> {
        Question { text: &self.text, record }
    }
}

/// One question of a form.
#[derive(Debug, Clone, Copy)]
pub struct Question<'f> {
    /// The text of the whole form.
    text: &'f str,
    record: &'f QuestionRecord,
}

impl<'f> Question<'f> {
    /// Its kind.
    #[must_use]
    pub fn kind(&self) -> QuestionKind {
        self.record.kind
    }

    /// Its id as given; empty for dialect A, whose prompts have one question.
    #[must_use]
    pub fn id(&self) -> &'f str {
        self.record.id.map_or("", |span| span.of(self.text))
    }

    /// The title (dialect A) or the question (B).
    #[must_use]
    pub fn text(&self) -> &'f str {
        self.record.text.map_or("", |span| span.of(self.text))
    }

    /// The heading above the question, if given.
    #[must_use]
    pub fn header(&self) -> Option<&'f str> {
        self.record.header.map(|span| span.of(self.text))
    }

    /// The text below the title, if given.
    #[must_use]
    pub fn body(&self) -> Option<&'f str> {
        self.record.body.map(|span| span.of(self.text))
    }

    /// The command to confirm: the body, or the title where there is no body. `None` for other kinds.
    #[must_use]
    pub fn command(&self) -> Option<&'f str> {
        match self.record.kind {
            QuestionKind::ConfirmCommand => Some(self.body().filter(|b| !is_blank(b)).unwrap_or(self.text())),
            QuestionKind::YesNo | QuestionKind::Select { .. } | QuestionKind::Text => None,
        }
    }

    /// Its options, in order; none but for [`QuestionKind::Select`].
    pub fn options(&self) -> impl ExactSizeIterator<Item = Choice<'f>> + Clone + use<'f> {
        self.written_options()
    }

    fn written_options(&self) -> Options<'f> {
        Options::new(self.text, self.record.options_at as usize, self.record.options as usize)
    }

    /// The option at that index.
    #[must_use]
    pub fn option(&self, index: usize) -> Option<Choice<'f>> {
        self.options().nth(index)
    }

    /// The index of the option whose value is exactly that text.
    #[must_use]
    pub fn find(&self, value: &str) -> Option<usize> {
        self.written_options().find(value)
    }

    /// The `multi` flag as the asker gave it.
    #[must_use]
    pub fn multi_given(&self) -> Option<bool> {
        self.record.multi
    }

    /// The option that the asker recommends, if any.
    #[must_use]
    pub fn recommended(&self) -> Option<Recommended> {
        self.record.recommended.map(|after| Recommended(after.get() as usize - 1))
    }

    /// The asker's default, if any.
    #[must_use]
    pub fn default(&self) -> Option<DefaultHint<'f>> {
        self.record.default.map(|default| match default {
            DefaultRecord::Yes => DefaultHint::Yes,
            DefaultRecord::No => DefaultHint::No,
            DefaultRecord::Choice(index) => DefaultHint::Choice(index as usize),
            DefaultRecord::Text(span) => DefaultHint::Text(span.of(self.text)),
        })
    }
}
