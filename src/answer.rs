//! Answers and ends. [`Answers`] can only be made by checking a [`Draft`] against a [`Form`], so that nothing but what a
//! person chose or typed can be one (spec 1, 2).

use crate::fault::Code;
use crate::form::{Form, Question, QuestionKind};
use crate::text::is_blank;
use crate::words::words;
use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;

/// What somebody says the answer is, unchecked, in the shape that the dialects send.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Draft<'a> {
    /// Dialect A: `yes` or `no`, a choice's id, the text, or `run`, by the kind.
    Value(&'a str),
    /// Dialect B: one entry a question, in any order.
    Answers(&'a [AnswerDraft<'a>]),
}

/// One unchecked answer of dialect B.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AnswerDraft<'a> {
    /// The question's id.
    pub id: Cow<'a, str>,
    /// Labels of the selected options.
    pub selected: Vec<Cow<'a, str>>,
    /// Text of one's own.
    pub custom: Option<Cow<'a, str>>,
}

impl AnswerDraft<'_> {
    /// The same draft, owning its texts.
    #[must_use]
    pub fn into_owned(self) -> AnswerDraft<'static> {
        AnswerDraft {
            id: Cow::Owned(self.id.into_owned()),
            selected: self.selected.into_iter().map(|label| Cow::Owned(label.into_owned())).collect(),
            custom: self.custom.map(|text| Cow::Owned(text.into_owned())),
        }
    }
}

/// Which options are selected, by index, each once, in option order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selection(SelectionRecord);

#[derive(Debug, Clone, PartialEq, Eq)]
enum SelectionRecord {
    None,
    One(usize),
    Many(Box<[usize]>),
}

impl Selection {
    fn new(given: Vec<usize>) -> Self {
        let mut indexes = Vec::with_capacity(given.len());
        for index in given {
            let at = indexes.partition_point(|other| *other < index);
            indexes.insert(at, index);
        }
        Self(match indexes.as_slice() {
            [] => SelectionRecord::None,
            [one] => SelectionRecord::One(*one),
            _ => SelectionRecord::Many(indexes.into_boxed_slice()),
        })
    }

    /// The indexes, ascending.
    #[must_use]
    pub fn indexes(&self) -> &[usize] {
        match &self.0 {
            SelectionRecord::None => &[],
            SelectionRecord::One(index) => core::slice::from_ref(index),
            SelectionRecord::Many(indexes) => indexes,
        }
    }
}

/// One checked answer.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Answer {
    /// Yes or no.
    YesNo(bool),
    /// Selected options, and custom text where it was given.
    Select {
        /// The selected options.
        selected: Selection,
        /// Text of one's own; never blank.
        custom: Option<Box<str>>,
    },
    /// Text; never blank.
    Text(Box<str>),
    /// The command may run, this once.
    Run,
}

/// The checked answers to a form: one for each question, in question order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answers(AnswersRecord);

#[derive(Debug, Clone, PartialEq, Eq)]
enum AnswersRecord {
    One(Answer),
    Many(Box<[Answer]>),
}

impl Answers {
    /// Checks a draft against the form that it answers. The stored form is the only list of what may be chosen: texts
    /// match whole and exactly, or not at all.
    ///
    /// # Errors
    /// [`AnswerError`] with the place in the draft that does not fit.
    pub fn check(form: &Form, draft: Draft<'_>) -> Result<Self, AnswerError> {
        match draft {
            Draft::Value(value) => {
                let question = form.question(0).filter(|question| question.id().is_empty());
                let by_id = || invalid(AnswerPlace::Value, "Answer each question of the form by its id.");
                check_value(form, question.ok_or_else(by_id)?, value)
                    .map(|answer| Self(AnswersRecord::One(answer)))
            }
            Draft::Answers(drafts) => check_answers(form, drafts),
        }
    }

    /// The answers, one for each question, in question order.
    #[must_use]
    pub fn as_slice(&self) -> &[Answer] {
        match &self.0 {
            AnswersRecord::One(answer) => core::slice::from_ref(answer),
            AnswersRecord::Many(answers) => answers,
        }
    }
}

/// Where in a draft an answer does not fit, in the shape that the dialects send.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerPlace {
    /// The one value of dialect A.
    Value,
    /// The list of answers: one is missing.
    Answers,
    /// The answer at this index.
    Answer(usize),
    /// The custom text of the answer at this index.
    Custom(usize),
    /// A selection of an answer: the answer's index, then the selection's.
    Selected(usize, usize),
}

/// Why a draft is no answer to its form. The prompt stays as it was (spec 7, 8).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct AnswerError {
    pub(crate) code: Code,
    pub(crate) place: AnswerPlace,
    pub(crate) message: Cow<'static, str>,
}

impl AnswerError {
    /// [`Code::InvalidAnswer`], or [`Code::TooLong`] for a text over `answer_bytes`.
    #[must_use]
    pub const fn code(&self) -> Code {
        self.code
    }

    /// Where the draft is at fault.
    #[must_use]
    pub const fn place(&self) -> AnswerPlace {
        self.place
    }

    /// The place as a JSON pointer relative to `params`.
    #[must_use]
    pub fn path(&self) -> Cow<'static, str> {
        match self.place {
            AnswerPlace::Value => "/value".into(),
            AnswerPlace::Answers => "/answers".into(),
            AnswerPlace::Answer(n) => words!["/answers/", n].into(),
            AnswerPlace::Custom(n) => words!["/answers/", n, "/custom"].into(),
            AnswerPlace::Selected(n, m) => words!["/answers/", n, "/selected/", m].into(),
        }
    }

    /// One sentence that says what to do.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }
}

fn invalid(place: AnswerPlace, message: &'static str) -> AnswerError {
    AnswerError { code: Code::InvalidAnswer, place, message: message.into() }
}

fn check_length(form: &Form, place: AnswerPlace, text: &str) -> Result<(), AnswerError> {
    let most = form.answer_bytes();
    if text.len() > most {
        let message = words!["Give at most ", most, " bytes of text."].into();
        return Err(AnswerError { code: Code::TooLong, place, message });
    }
    Ok(())
}

fn check_value(form: &Form, question: Question<'_>, value: &str) -> Result<Answer, AnswerError> {
    let place = AnswerPlace::Value;
    // What was offered is never too long.
    let refuse = |message| Err(check_length(form, place, value).err().unwrap_or(invalid(place, message)));
    match (question.kind(), value) {
        (QuestionKind::YesNo, "yes") => Ok(Answer::YesNo(true)),
        (QuestionKind::YesNo, "no") => Ok(Answer::YesNo(false)),
        (QuestionKind::YesNo, _) => refuse("Answer yes or no."),
        (QuestionKind::ConfirmCommand, "run") => Ok(Answer::Run),
        (QuestionKind::ConfirmCommand, _) => refuse("Answer run, or cancel the prompt."),
        (QuestionKind::Text, text) if is_blank(text) => refuse("Give a text that is not blank."),
        (QuestionKind::Text, text) => {
            check_length(form, place, text)?;
            Ok(Answer::Text(text.into()))
        }
        (QuestionKind::Select { .. }, id) => match question.find(id) {
            Some(index) => {
                Ok(Answer::Select { selected: Selection(SelectionRecord::One(index)), custom: None })
            }
            None => refuse("Answer with the id of one of the choices."),
        },
    }
}

fn check_answers(form: &Form, drafts: &[AnswerDraft<'_>]) -> Result<Answers, AnswerError> {
    if form.question(0).is_some_and(|question| question.id().is_empty()) {
        return Err(invalid(AnswerPlace::Answers, "Answer this prompt with its one value."));
    }
    let mut answers: Vec<Option<Answer>> = form.questions().map(|_| None).collect();
    for (n, draft) in drafts.iter().enumerate() {
        let found = form.questions().zip(&mut answers).find(|(question, _)| question.id() == draft.id);
        let Some((question, slot)) = found else {
            return Err(invalid(AnswerPlace::Answer(n), "Name one of the form's questions by its id."));
        };
        if slot.is_some() {
            return Err(invalid(AnswerPlace::Answer(n), "Answer each question once."));
        }
        *slot = Some(check_answer(form, question, n, draft)?);
    }
    let answers: Option<Vec<Answer>> = answers.into_iter().collect();
    match answers {
        Some(answers) => Ok(Answers(AnswersRecord::Many(answers.into_boxed_slice()))),
        None => Err(invalid(AnswerPlace::Answers, "Answer every question.")),
    }
}

fn check_answer(
    form: &Form,
    question: Question<'_>,
    n: usize,
    draft: &AnswerDraft<'_>,
) -> Result<Answer, AnswerError> {
    let here = AnswerPlace::Answer(n);
    let mut indexes = Vec::with_capacity(draft.selected.len().min(question.options().len()));
    for (m, label) in draft.selected.iter().enumerate() {
        match question.find(label) {
            None => return Err(invalid(AnswerPlace::Selected(n, m), "Select only what was offered.")),
            Some(index) if indexes.contains(&index) => return Err(invalid(here, "Select each option once.")),
            Some(index) => indexes.push(index),
        }
    }
    if let Some(text) = &draft.custom {
        check_length(form, AnswerPlace::Custom(n), text)?;
        if is_blank(text) {
            return Err(invalid(here, "Give a custom text that is not blank, or leave it out."));
        }
    }
    let custom = draft.custom.as_deref().map(Box::from);
    match (question.kind(), indexes.len(), custom) {
        (QuestionKind::Text, 0, Some(text)) => Ok(Answer::Text(text)),
        (QuestionKind::Text, _, _) => Err(invalid(here, "Answer this question with text.")),
        (QuestionKind::Select { custom: false, .. }, _, Some(_)) => {
            Err(invalid(here, "Select an option; this question takes no text."))
        }
        (QuestionKind::Select { multi: true, .. }, 0, None) => {
            Err(invalid(here, "Select at least one option, or give a text of your own."))
        }
        (QuestionKind::Select { multi: false, .. }, 0, None) => {
            Err(invalid(here, "Select one option, or give a text of your own."))
        }
        (QuestionKind::Select { multi: false, .. }, 1, Some(_)) => {
            Err(invalid(here, "Give one option or a text of your own, not both."))
        }
        (QuestionKind::Select { multi: false, .. }, 2.., _) => Err(invalid(here, "Select only one option.")),
        (QuestionKind::Select { .. }, _, custom) => {
            Ok(Answer::Select { selected: Selection::new(indexes), custom })
        }
        (QuestionKind::YesNo | QuestionKind::ConfirmCommand, _, _) => {
            Err(invalid(here, "Answer this prompt with its one value."))
        }
    }
}

/// What a claimant does to a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resolution<'a> {
    /// Answers it.
    Answer(Draft<'a>),
    /// Says no to being asked.
    Decline,
    /// Dismisses it, with a reason if there is one.
    Cancel(Option<Box<str>>),
}

/// Why a prompt was cancelled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CancelReason {
    /// As whoever cancelled it said.
    Given(Box<str>),
    /// Its surface was closed.
    SurfaceClosed,
    /// Whoever asked is gone.
    AskerDisconnected,
    /// The run that asked has ended.
    RunEnded,
    /// The session that asked has ended.
    SessionEnded,
    /// Whoever asked withdrew it.
    Aborted,
    /// The gate was shut down.
    Shutdown,
}

impl CancelReason {
    /// The reason as it stands on the wire (spec 5).
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Given(reason) => reason,
            Self::SurfaceClosed => "surface closed",
            Self::AskerDisconnected => "asker disconnected",
            Self::RunEnded => "run ended",
            Self::SessionEnded => "session ended",
            Self::Aborted => "aborted",
            Self::Shutdown => "shutdown",
        }
    }
}

/// How a prompt ended. Complete on purpose: match it without a wildcard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The person answered.
    Answered(Answers),
    /// The person said no to being asked.
    Declined,
    /// It was dismissed, or whoever asked no longer wants it.
    Cancelled(Option<CancelReason>),
    /// Its deadline passed.
    TimedOut,
    /// Its surface was lost.
    Unavailable,
    /// A surface that can answer only once sent what is no answer (spec 9.3).
    Invalid,
}

impl Outcome {
    /// Which end it is.
    #[must_use]
    pub const fn kind(&self) -> OutcomeKind {
        match self {
            Self::Answered(_) => OutcomeKind::Answered,
            Self::Declined => OutcomeKind::Declined,
            Self::Cancelled(_) => OutcomeKind::Cancelled,
            Self::TimedOut => OutcomeKind::TimedOut,
            Self::Unavailable => OutcomeKind::Unavailable,
            Self::Invalid => OutcomeKind::Invalid,
        }
    }
}

/// An [`Outcome`] without what it holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OutcomeKind {
    /// See [`Outcome::Answered`].
    Answered,
    /// See [`Outcome::Declined`].
    Declined,
    /// See [`Outcome::Cancelled`].
    Cancelled,
    /// See [`Outcome::TimedOut`].
    TimedOut,
    /// See [`Outcome::Unavailable`].
    Unavailable,
    /// See [`Outcome::Invalid`].
    Invalid,
}

impl OutcomeKind {
    /// All of them, in the order of spec 1.
    pub const ALL: [Self; 6] =
        [Self::Answered, Self::Declined, Self::Cancelled, Self::TimedOut, Self::Unavailable, Self::Invalid];

    /// The status as dialect B spells it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::Declined => "declined",
            Self::Cancelled => "cancelled",
            Self::TimedOut => "timed_out",
            Self::Unavailable => "unavailable",
            Self::Invalid => "invalid_answer",
        }
    }

    /// The outcome of that spelling.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }

    /// What became of the prompt, to follow "it".
    #[must_use]
    pub const fn as_sentence(self) -> &'static str {
        match self {
            Self::Answered => "was answered",
            Self::Declined => "was declined",
            Self::Cancelled => "was cancelled",
            Self::TimedOut => "timed out",
            Self::Unavailable => "lost its surface",
            Self::Invalid => "ended without a valid answer",
        }
    }
}

impl fmt::Display for OutcomeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
