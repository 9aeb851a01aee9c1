//! From inputs to changes: what each input does while the modal is edited.

use super::editor::TooLong;
use super::input::{ControlId, Key};
use super::keymap::{Action, Guarding};
use super::page::Page;
use super::plan::Change;
use super::{Effect, Focus, Manner, Modal, Notice, Phase, Step, Submission, redraw_if};
use crate::answer::AnswerDraft;
use crate::error::Code;
use crate::form::QuestionKind;
use crate::words::words;
use alloc::borrow::Cow;

impl Modal {
    pub(super) fn resize(&mut self, rows: usize) -> Effect {
        redraw_if(core::mem::replace(&mut self.options.rows, rows) != rows)
    }

    #[inline]
    pub(super) fn key(&mut self, key: Key) -> Effect {
        let Some(action) = self.mode().action(key).filter(|_| !key.composing) else { return Effect::None };
        if key.repeat && !action.repeats() {
            return Effect::None;
        }
        if let Action::Press(id) = action
            && !self.is_enabled(id)
        {
            return Effect::None;
        }
        if self.guard.is_some() {
            match action.guarding() {
                Guarding::Works => {}
                Guarding::WorksAndRestarts => self.hold(),
                Guarding::Held => return Effect::None,
                Guarding::HeldAndRestarts => {
                    self.hold();
                    return Effect::None;
                }
            }
        }
        self.act(action)
    }

    pub(super) fn activate(&mut self, id: ControlId) -> Effect {
        if !self.is_enabled(id) {
            return Effect::None;
        }
        if self.guard.is_some() {
            // A way out that is pressed too early may be pressed again at once.
            if id != self.leave_control() {
                self.hold();
            }
            return Effect::None;
        }
        self.act(Action::Press(id))
    }

    pub(super) fn focus_on(&mut self, id: ControlId) -> Effect {
        if !self.is_enabled(id) || self.focused() == id {
            return Effect::None;
        }
        self.set_focus(id);
        Effect::Redraw
    }

    pub(super) fn paste(&mut self, text: &str) -> Effect {
        if self.focus != Focus::Control(ControlId::Text) {
            return Effect::None;
        }
        if self.guard.is_some() {
            self.hold();
        }
        self.insert(text)
    }

    pub(super) fn set_text(&mut self, text: &str) -> Effect {
        if !self.has(ControlId::Text) {
            return Effect::None;
        }
        let most = self.prompt.form.answer_bytes();
        let set = self.pages.shown_mut().editor.set(text, most);
        self.edited(set)
    }

    fn insert(&mut self, text: &str) -> Effect {
        let most = self.prompt.form.answer_bytes();
        let inserted = self.pages.shown_mut().editor.insert(text, most);
        self.edited(inserted)
    }

    /// What follows from an edit: a text that was taken counts again only when it is taken again.
    fn edited(&mut self, changed: Result<bool, TooLong>) -> Effect {
        match changed {
            Ok(true) => {
                self.pages.shown_mut().taken = false;
                self.error = None;
                Effect::Redraw
            }
            Ok(false) => Effect::None,
            Err(TooLong) => {
                let most = self.prompt.form.answer_bytes();
                let message = words!["Give at most ", most, " bytes of text."];
                self.refuse(Code::TooLong, message, ControlId::Text)
            }
        }
    }

    fn refuse(&mut self, code: Code, message: impl Into<Cow<'static, str>>, control: ControlId) -> Effect {
        self.error =
            Some(Notice { code: code.as_str().into(), message: message.into(), control: Some(control) });
        Effect::Redraw
    }

    #[inline]
    fn act(&mut self, action: Action) -> Effect {
        // The most frequent takes the short way.
        if let Action::Row(way) = action {
            return self.row_beside(way).map_or(Effect::None, |row| self.move_to(row));
        }
        match self.plan(action) {
            Some(change) => self.change(change),
            None => Effect::None,
        }
    }

    fn move_to(&mut self, row: usize) -> Effect {
        self.pages.shown_mut().cursor = row;
        Effect::Redraw
    }

    fn change(&mut self, change: Change) -> Effect {
        match change {
            Change::Row(row) => return self.move_to(row),
            Change::Focus(focus) => self.focus = focus,
            Change::Page(index) => {
                if index > self.pages.index() {
                    self.take_open_entry();
                }
                self.show(index);
            }
            Change::Press(id) => return self.press(id),
            Change::Choose(option) => {
                self.select(option);
                return match self.prompt.manner {
                    Manner::Request => self.submit_option(option),
                    Manner::Session => self.go_on(),
                };
            }
            Change::Select(option) => self.select(option),
            Change::Toggle(option) => {
                self.pages.shown_mut().toggle(option);
                self.error = None;
            }
            Change::Untake => {
                self.pages.shown_mut().taken = false;
                self.error = None;
            }
            Change::Open => self.open_entry(),
            Change::Close => {
                self.pages.shown_mut().open = false;
                self.focus_custom_row();
            }
            Change::GoOn if self.pages.shown().is_answered() => return self.go_on(),
            Change::GoOn => return self.refuse_unanswered(),
            Change::Take => return self.take_text(),
            Change::Edit(edit) => {
                if self.pages.shown_mut().editor.edit(edit) {
                    return self.edited(Ok(true));
                }
            }
            Change::Insert(c) => return self.insert(c.encode_utf8(&mut [0; 4])),
            Change::Leave => return self.leave(),
        }
        Effect::Redraw
    }

    /// Does what a click on the control does.
    fn press(&mut self, id: ControlId) -> Effect {
        self.set_focus(id);
        let index = self.pages.index();
        match id {
            ControlId::Yes => self.submit(Submission::Value("yes".into())),
            ControlId::No => self.submit(Submission::Value("no".into())),
            ControlId::Ack => {
                self.step = Step::Acknowledge { waits: Some(self.after(self.options.confirm_ms)) };
                self.error = None;
                Effect::Acknowledge
            }
            ControlId::Run => self.submit(Submission::Value("run".into())),
            ControlId::Back => {
                self.step = Step::Acknowledge { waits: None };
                self.appear();
                Effect::Back
            }
            ControlId::Option(option) => match self.prompt.manner {
                Manner::Request => self.change(Change::Choose(option)),
                Manner::Session if self.pages.shown().is_multi() => self.change(Change::Toggle(option)),
                Manner::Session => {
                    self.select(option);
                    self.show_if_there(index + 1)
                }
            },
            ControlId::Custom => self.change(Change::Open),
            ControlId::Text => Effect::Redraw,
            ControlId::Prev => self.change(Change::Page(index.saturating_sub(1))),
            ControlId::Next => self.change(Change::Page(index + 1)),
            ControlId::Submit => {
                self.take_open_entry();
                self.submit_all()
            }
            ControlId::Cancel | ControlId::Decline => self.leave(),
        }
    }

    fn select(&mut self, option: usize) {
        let page = self.pages.shown_mut();
        let changes = page.taken || !page.is_selected(option);
        page.select(option);
        if changes {
            self.error = None;
        }
    }

    fn open_entry(&mut self) {
        self.focus_custom_row();
        self.pages.shown_mut().open = true;
        self.focus = Focus::Control(ControlId::Text);
    }

    fn focus_custom_row(&mut self) {
        let page = self.pages.shown_mut();
        page.cursor = page.custom_row().unwrap_or(page.cursor);
        self.focus = Focus::List;
    }

    /// Enter in the text field.
    fn take_text(&mut self) -> Effect {
        let page = self.pages.shown_mut();
        if page.editor.is_blank() {
            return self.refuse_unanswered();
        }
        if !page.open {
            return self.go_on();
        }
        page.take();
        let stays = page.is_multi();
        self.error = None;
        self.focus_custom_row();
        if stays { Effect::Redraw } else { self.go_on() }
    }

    /// What is left in an open entry counts when the person moves on from it.
    fn take_open_entry(&mut self) {
        let in_entry = self.is_in_entry();
        let page = self.pages.shown_mut();
        if page.can_take() {
            page.take();
            self.error = None;
            if in_entry {
                self.focus_custom_row();
            }
        }
    }

    /// Shows another question. It appears.
    fn show(&mut self, index: usize) {
        self.pages.show(index);
        self.appear();
    }

    fn show_if_there(&mut self, index: usize) -> Effect {
        if index < self.pages.len() {
            self.show(index);
        }
        Effect::Redraw
    }

    /// On to the next question, or out.
    fn go_on(&mut self) -> Effect {
        let next = self.pages.index() + 1;
        if next < self.pages.len() { self.show_if_there(next) } else { self.submit_all() }
    }

    /// Submits the form if it is answered, else shows the first question that is not.
    fn submit_all(&mut self) -> Effect {
        match self.pages.unanswered() {
            None => {
                let submission = self.submission();
                self.submit(submission)
            }
            Some(index) => {
                if index == self.pages.index() {
                    let open = self.pages.shown().open;
                    self.focus = if open { Focus::Control(ControlId::Text) } else { self.home() };
                } else {
                    self.show(index);
                }
                self.refuse_unanswered()
            }
        }
    }

    /// Says what the shown question still needs.
    fn refuse_unanswered(&mut self) -> Effect {
        let message = match self.pages.shown().kind {
            _ if self.focus == Focus::Control(ControlId::Text) => "Type something that is not blank.",
            QuestionKind::Select { multi: true, .. } => "Select at least one, or type your own.",
            QuestionKind::Select { .. } => "Choose one, or type your own.",
            QuestionKind::YesNo | QuestionKind::Text | QuestionKind::ConfirmCommand => {
                "Answer this question first."
            }
        };
        let control = self.focused();
        self.refuse(Code::InvalidAnswer, message, control)
    }

    fn submit_option(&mut self, option: usize) -> Effect {
        let question = self.prompt.form.question(self.pages.index());
        match question.and_then(|question| question.option(option)) {
            Some(choice) => self.submit(Submission::Value(choice.value().into())),
            None => Effect::None,
        }
    }

    /// The drafts as an answer, each as the person left it.
    fn submission(&self) -> Submission {
        if self.prompt.manner == Manner::Request {
            return Submission::Value(self.pages.shown().editor.text().into());
        }
        let pages = self.prompt.form.questions().zip(self.pages.iter());
        let answers = pages.map(|(question, page)| AnswerDraft {
            id: Cow::Owned(question.id().into()),
            selected: question
                .options()
                .zip(&page.selected)
                .filter(|(_, selected)| **selected)
                .map(|(option, _)| Cow::Owned(option.value().into()))
                .collect(),
            custom: custom_text(page).map(|text| Cow::Owned(text.into())),
        });
        Submission::Answers(answers.collect())
    }

    fn submit(&mut self, submission: Submission) -> Effect {
        self.send(Effect::Submit(submission))
    }

    fn leave(&mut self) -> Effect {
        self.send(match self.prompt.manner {
            Manner::Request => Effect::Cancel,
            Manner::Session => Effect::Decline,
        })
    }

    fn send(&mut self, effect: Effect) -> Effect {
        self.phase = Phase::Sent { until: self.after(self.options.confirm_ms) };
        if let Step::Acknowledge { waits } = &mut self.step {
            *waits = None;
        }
        self.error = None;
        effect
    }
}

/// The text that is the question's answer, or a part of it.
fn custom_text(page: &Page) -> Option<&str> {
    let counts = page.taken || page.kind == QuestionKind::Text;
    counts.then(|| page.editor.text())
}
