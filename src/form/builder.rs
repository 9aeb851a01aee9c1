//! The one way to make a [`Form`].

use super::options::Writer;
use super::{DefaultRecord, Form, Question, QuestionKind, QuestionRecord, Span};
use crate::fault::{Code, Fault};
use crate::id::{check_id, within};
use crate::limits::{Limits, MAX_OPTIONS, MAX_QUESTIONS};
use crate::text::{digest, is_blank, is_one_line, trim};
use crate::words::words;
use alloc::string::String;
use alloc::vec::Vec;
use core::num::NonZeroU32;

/// Builds a [`Form`] field by field, checking each as it comes (spec 3), so that a caller reports the first fault in
/// the order of its own fields and every text is copied once.
///
/// ```
/// use askgate::form::{FormBuilder, QuestionKind};
/// use askgate::limits::Limits;
///
/// let mut form = FormBuilder::new(&Limits::DEFAULT);
/// form.open(QuestionKind::Select { multi: false, custom: false })?;
/// form.title("Deploy where?")?;
/// form.options(2)?;
/// form.choice("staging")?;
/// form.choice("production")?;
/// let form = form.build()?;
/// assert_eq!(form.question(0).unwrap().find("production"), Some(1));
/// # Ok::<(), askgate::error::Fault>(())
/// ```
#[derive(Debug)]
pub struct FormBuilder<'l> {
    limits: &'l Limits,
    text: String,
    first: Option<QuestionRecord>,
    more: Vec<QuestionRecord>,
    /// The options of the current question, until something else follows.
    options: Writer,
    danger: Option<bool>,
}

impl<'l> FormBuilder<'l> {
    /// A form without questions yet.
    #[must_use]
    pub const fn new(limits: &'l Limits) -> Self {
        Self {
            limits,
            text: String::new(),
            first: None,
            more: Vec::new(),
            options: Writer::new(),
            danger: None,
        }
    }

    /// Makes room at once for that much text, with so many options in it.
    pub fn reserve(&mut self, text_bytes: usize, options: usize) {
        self.text.reserve_exact(text_bytes.saturating_add(Writer::room(text_bytes, options)));
    }

    /// Opens the next question; the calls below are about it until the next is opened.
    ///
    /// # Errors
    /// [`Code::TooMany`] over 8 questions.
    pub fn open(&mut self, kind: QuestionKind) -> Result<(), Fault> {
        if self.questions().count() >= MAX_QUESTIONS {
            return Err(Fault::new(Code::TooMany, "Ask at most 8 questions at once."));
        }
        let record = QuestionRecord {
            kind,
            id: None,
            text: None,
            header: None,
            body: None,
            options_at: 0,
            options: 0,
            multi: None,
            recommended: None,
            default: None,
        };
        self.close();
        match self.first {
            None => self.first = Some(record),
            Some(_) => self.more.push(record),
        }
        Ok(())
    }

    /// The question's id.
    ///
    /// # Errors
    /// [`Code::InvalidValue`] if it is blank, [`Code::TooLong`] over `id_bytes`, [`Code::Duplicate`] if an earlier
    /// question's is equal once both are trimmed.
    pub fn id(&mut self, id: &str) -> Result<(), Fault> {
        check_id(id, self.limits)?;
        if self.questions().any(|q| q.record.id.is_some() && trim(q.id()) == trim(id)) {
            return Err(Fault::new(Code::Duplicate, "Give each question an id of its own."));
        }
        let span = self.store(id)?;
        self.current()?.id = Some(span);
        Ok(())
    }

    /// The one-line title of a dialect A prompt.
    ///
    /// # Errors
    /// [`Code::InvalidValue`] if it is blank or has a line break, [`Code::TooLong`] over `title_bytes`.
    pub fn title(&mut self, title: &str) -> Result<(), Fault> {
        if is_blank(title) {
            return Err(Fault::new(Code::InvalidValue, "Give a title that is not blank."));
        }
        if !is_one_line(title) {
            return Err(Fault::new(Code::InvalidValue, "Keep the title on one line; use the body for more."));
        }
        within(title, self.limits.title_bytes)?;
        let span = self.store(title)?;
        self.current()?.text = Some(span);
        Ok(())
    }

    /// The text of a dialect B question.
    ///
    /// # Errors
    /// [`Code::InvalidValue`] if it is blank, [`Code::TooLong`] over `question_bytes`.
    pub fn question(&mut self, text: &str) -> Result<(), Fault> {
        if is_blank(text) {
            return Err(Fault::new(Code::InvalidValue, "Give a question that is not blank."));
        }
        within(text, self.limits.question_bytes)?;
        let span = self.store(text)?;
        self.current()?.text = Some(span);
        Ok(())
    }

    /// The heading above a question.
    ///
    /// # Errors
    /// [`Code::TooLong`] over `label_bytes`.
    pub fn header(&mut self, header: &str) -> Result<(), Fault> {
        within(header, self.limits.label_bytes)?;
        let span = self.store(header)?;
        self.current()?.header = Some(span);
        Ok(())
    }

    /// The text below the title; of a confirm-command, the command.
    ///
    /// # Errors
    /// [`Code::TooLong`] over `body_bytes`.
    pub fn body(&mut self, body: &str) -> Result<(), Fault> {
        within(body, self.limits.body_bytes)?;
        let span = self.store(body)?;
        self.current()?.body = Some(span);
        Ok(())
    }

    /// How many options follow. A question that allows custom text and has no options asks for free text (dialect B).
    ///
    /// # Errors
    /// [`Code::InvalidValue`] if a choice (dialect A) has none or the kind takes none, [`Code::TooMany`] over the limit.
    pub fn options(&mut self, count: usize) -> Result<(), Fault> {
        let most = self.limits.choices;
        let question = self.current()?;
        let most = match question.kind {
            QuestionKind::Select { custom: true, .. } if count == 0 => {
                question.kind = QuestionKind::Text;
                return Ok(());
            }
            QuestionKind::Select { .. } if count == 0 => {
                return Err(Fault::new(Code::InvalidValue, "Offer at least one choice."));
            }
            QuestionKind::Select { custom: true, .. } => MAX_OPTIONS,
            QuestionKind::Select { custom: false, .. } => most,
            QuestionKind::YesNo | QuestionKind::Text | QuestionKind::ConfirmCommand => {
                return Err(Fault::new(Code::InvalidValue, "Leave the choices out for this kind."));
            }
        };
        if count > most {
            return Err(Fault::new(Code::TooMany, words!["Offer at most ", most, " options."]));
        }
        Ok(())
    }

    /// The next choice of dialect A, by its id; its label is the id until [`Self::label`] gives another. Comes right after
    /// the choice before it.
    ///
    /// # Errors
    /// [`Code::InvalidValue`] if it is blank, [`Code::TooLong`] over `id_bytes`, [`Code::Duplicate`] if an earlier one
    /// is equal once both are trimmed, [`Code::InvalidRequest`] in another place.
    pub fn choice(&mut self, id: &str) -> Result<(), Fault> {
        check_id(id, self.limits)?;
        self.push_option(id)
    }

    /// Another label for the last choice; a blank one leaves the id. Comes right after the choice.
    ///
    /// # Errors
    /// [`Code::TooLong`] over `label_bytes`, [`Code::InvalidRequest`] in another place.
    pub fn label(&mut self, label: &str) -> Result<(), Fault> {
        within(label, self.limits.label_bytes)?;
        if is_blank(label) {
            return Ok(());
        }
        self.fits(label)?;
        if self.options.label(&mut self.text, label) { Ok(()) } else { Err(misplaced()) }
    }

    /// The next option of dialect B, by its label. Comes right after the option before it.
    ///
    /// # Errors
    /// [`Code::InvalidValue`] if it is blank, [`Code::TooLong`] over `label_bytes`, [`Code::Duplicate`] if an earlier
    /// one is equal once both are trimmed, [`Code::InvalidRequest`] in another place.
    pub fn option(&mut self, label: &str) -> Result<(), Fault> {
        if is_blank(label) {
            return Err(Fault::new(Code::InvalidValue, "Give a label that is not blank."));
        }
        within(label, self.limits.label_bytes)?;
        self.push_option(label)
    }

    /// What the last option means. Comes right after the option, or its label.
    ///
    /// # Errors
    /// [`Code::TooLong`] over `description_bytes`, [`Code::InvalidRequest`] in another place.
    pub fn description(&mut self, description: &str) -> Result<(), Fault> {
        within(description, self.limits.description_bytes)?;
        self.fits(description)?;
        if self.options.description(&mut self.text, description) { Ok(()) } else { Err(misplaced()) }
    }

    /// Whether several options may be selected. Comes after the options.
    ///
    /// # Errors
    /// [`Code::InvalidValue`] if several of no options are asked for.
    pub fn multi(&mut self, multi: bool) -> Result<(), Fault> {
        let question = self.current()?;
        match &mut question.kind {
            QuestionKind::Select { multi: several, .. } => *several = multi,
            QuestionKind::YesNo | QuestionKind::Text | QuestionKind::ConfirmCommand if multi => {
                return Err(Fault::new(
                    Code::InvalidValue,
                    "Give options to select several of, or leave multi out.",
                ));
            }
            QuestionKind::YesNo | QuestionKind::Text | QuestionKind::ConfirmCommand => {}
        }
        question.multi = Some(multi);
        Ok(())
    }

    /// The index of the recommended option. Comes after the options.
    ///
    /// # Errors
    /// [`Code::InvalidValue`] if there is no such option.
    pub fn recommended(&mut self, index: u64) -> Result<(), Fault> {
        let question = self.current()?;
        let index = u32::try_from(index).ok().filter(|index| *index < question.options);
        let Some(after) = index.and_then(|index| NonZeroU32::new(index + 1)) else {
            return Err(Fault::new(Code::InvalidValue, "Recommend one of the options by its index, from 0."));
        };
        question.recommended = Some(after);
        Ok(())
    }

    /// The default of a dialect A prompt: `yes` or `no`, a choice's id, or any text, by the kind. Comes after the choices.
    ///
    /// # Errors
    /// [`Code::InvalidValue`] if it does not fit the kind, [`Code::TooLong`] for a text over `answer_bytes`.
    pub fn default(&mut self, default: &str) -> Result<(), Fault> {
        let kind = self.current()?.kind;
        let record = match (kind, default) {
            (QuestionKind::YesNo, "yes") => DefaultRecord::Yes,
            (QuestionKind::YesNo, "no") => DefaultRecord::No,
            (QuestionKind::YesNo, _) => {
                return Err(Fault::new(Code::InvalidValue, "Give yes or no as the default."));
            }
            (QuestionKind::Select { .. }, id) => {
                self.close();
                let found = self.last().and_then(|question| question.find(id));
                let index = found.and_then(|index| u32::try_from(index).ok());
                DefaultRecord::Choice(index.ok_or_else(|| {
                    Fault::new(Code::InvalidValue, "Give the id of one of the choices as the default.")
                })?)
            }
            (QuestionKind::Text, text) => {
                within(text, self.limits.answer_bytes)?;
                DefaultRecord::Text(self.store(text)?)
            }
            (QuestionKind::ConfirmCommand, _) => {
                return Err(Fault::new(
                    Code::InvalidValue,
                    "A confirm-command has no default; leave it out.",
                ));
            }
        };
        self.current()?.default = Some(record);
        Ok(())
    }

    /// Whether saying yes is dangerous. It belongs to the prompt, whatever its kind.
    pub const fn danger(&mut self, danger: bool) {
        self.danger = Some(danger);
    }

    /// The checked form.
    ///
    /// # Errors
    /// [`Code::InvalidValue`] without a question, [`Code::MissingField`] if a question lacks its text or its options.
    pub fn build(mut self) -> Result<Form, Fault> {
        self.close();
        let Self { limits, text, first, more, options: _, danger } = self;
        let first = first.ok_or_else(|| Fault::new(Code::InvalidValue, "Ask at least one question."))?;
        let alone = more.is_empty();
        for question in core::iter::once(&first).chain(&more) {
            if !alone && matches!(question.kind, QuestionKind::YesNo | QuestionKind::ConfirmCommand) {
                let message = "Ask yes or no, or for a command, in a form of its own.";
                return Err(Fault::new(Code::InvalidValue, message));
            }
            if question.text.is_none() {
                return Err(Fault::new(Code::MissingField, "Give every question its text."));
            }
            if matches!(question.kind, QuestionKind::Select { .. }) && question.options == 0 {
                return Err(Fault::new(Code::MissingField, "Give every choice its options."));
            }
        }
        Ok(Form {
            text: text.into_boxed_str(),
            first,
            more: more.into_boxed_slice(),
            danger,
            answer_bytes: limits.answer_bytes,
        })
    }

    /// The questions so far.
    fn questions(&self) -> impl Iterator<Item = Question<'_>> {
        self.first.iter().chain(&self.more).map(|record| self.read(record))
    }

    /// The last question; its options can be read once the last of them is closed.
    fn last(&self) -> Option<Question<'_>> {
        self.more.last().or(self.first.as_ref()).map(|record| self.read(record))
    }

    fn read<'b>(&'b self, record: &'b QuestionRecord) -> Question<'b> {
        Question { text: &self.text, record }
    }

    fn current(&mut self) -> Result<&mut QuestionRecord, Fault> {
        let last = self.more.last_mut().or(self.first.as_mut());
        last.ok_or_else(|| Fault::new(Code::InvalidRequest, "Open a question first."))
    }

    fn store(&mut self, text: &str) -> Result<Span, Fault> {
        self.close();
        self.fits(text)?;
        let start = self.text.len();
        self.text.push_str(text);
        Span::new(start, self.text.len()).ok_or_else(beyond)
    }

    /// Ends the current question's options, if it has any that are open.
    fn close(&mut self) {
        let Some(question) = self.more.last_mut().or(self.first.as_mut()) else { return };
        if self.options.count() > 0 {
            question.options_at = self.options.close(&mut self.text) as u32;
        }
    }

    /// Leaves room for lengths, so that every place in the text is a `u32`.
    fn fits(&self, text: &str) -> Result<(), Fault> {
        let lengths = (self.options.count() + 2).saturating_mul(Writer::MOST);
        let bytes = self.text.len().saturating_add(text.len()).saturating_add(lengths);
        if bytes > u32::MAX as usize { Err(beyond()) } else { Ok(()) }
    }

    fn push_option(&mut self, value: &str) -> Result<(), Fault> {
        let trimmed = trim(value);
        let mark = digest(trimmed.as_bytes()) as u32;
        if self.options.any(&self.text, mark, |other| trim(other) == trimmed) {
            return Err(Fault::new(Code::Duplicate, "Make each option different from those before it."));
        }
        self.fits(value)?;
        let open = self.options.count();
        let question = self.current()?;
        if question.options as usize != open {
            return Err(misplaced());
        }
        question.options += 1;
        self.options.value(&mut self.text, value, mark);
        Ok(())
    }
}

fn beyond() -> Fault {
    Fault::new(Code::TooLong, "The form's text is beyond 4 GiB; ask for less at once.")
}

fn misplaced() -> Fault {
    Fault::new(
        Code::InvalidRequest,
        "Give the options one after the other, each with its label and description.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choice(limits: &Limits) -> FormBuilder<'_> {
        let mut form = FormBuilder::new(limits);
        form.open(QuestionKind::Select { multi: false, custom: false }).unwrap();
        form.choice("a").unwrap();
        form
    }

    #[test]
    fn options_come_one_after_the_other_each_with_its_texts() {
        let mut form = choice(&Limits::DEFAULT);
        form.choice("b").unwrap();
        form.description("second").unwrap();
        assert_eq!(form.label("B").map_err(|fault| fault.code), Err(Code::InvalidRequest));
        form.title("Which?").unwrap();
        assert_eq!(form.description("last").map_err(|fault| fault.code), Err(Code::InvalidRequest));
        assert_eq!(form.choice("c").map_err(|fault| fault.code), Err(Code::InvalidRequest));

        let form = form.build().unwrap();
        let option = |index| form.question(0).and_then(|question| question.option(index));
        let texts = |index| option(index).map(|option| (option.label(), option.description()));
        assert_eq!([texts(0), texts(1), texts(2)], [Some(("a", None)), Some(("b", Some("second"))), None]);
    }

    #[test]
    fn the_option_just_given_is_seen_by_what_comes_next() {
        let mut form = choice(&Limits::DEFAULT);
        assert_eq!(form.choice(" a ").map_err(|fault| fault.code), Err(Code::Duplicate));
        let mut form = choice(&Limits::DEFAULT);
        form.default("a").unwrap();
    }
}
