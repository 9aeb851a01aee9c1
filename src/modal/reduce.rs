//! From inputs to changes. What an action would change is planned first, without changing anything, so that the help
//! line can ask; then it is done.

use super::editor::{Edit, TooLong};
use super::input::{ControlId, Key};
use super::keymap::{Action, Guarding, Mode, Way};
use super::page::Page;
use super::{Effect, Focus, Manner, Modal, Notice, Phase, Step, Submission, redraw_if};
use crate::answer::AnswerDraft;
use crate::error::Code;
use crate::form::QuestionKind;
use alloc::borrow::Cow;

/// The order in which Tab goes round.
const STOPS: [Focus; 12] = [
    Focus::Control(ControlId::Yes),
    Focus::Control(ControlId::No),
    Focus::Control(ControlId::Ack),
    Focus::Control(ControlId::Run),
    Focus::Control(ControlId::Back),
    Focus::List,
    Focus::Control(ControlId::Text),
    Focus::Control(ControlId::Prev),
    Focus::Control(ControlId::Next),
    Focus::Control(ControlId::Submit),
    Focus::Control(ControlId::Cancel),
    Focus::Control(ControlId::Decline),
];

/// Something that an action does in the state that it was planned in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Change {
    /// Moves the cursor of the list.
    Row(usize),
    Focus(Focus),
    /// Goes to another question.
    Page(usize),
    Press(ControlId),
    /// Selects the option and goes on.
    Choose(usize),
    Select(usize),
    Toggle(usize),
    /// The custom answer no longer counts.
    Untake,
    /// Opens the entry of the custom answer.
    Open,
    /// Closes it.
    Close,
    GoOn,
    /// Takes what is in the text field, and goes on.
    Take,
    Edit(Edit),
    Insert(char),
    Leave,
}

impl Modal {
    pub(super) fn resize(&mut self, rows: usize) -> Effect {
        redraw_if(core::mem::replace(&mut self.options.rows, rows) != rows)
    }

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
                let message = alloc::format!("Give at most {most} bytes of text.");
                self.refuse(Code::TooLong, message, ControlId::Text)
            }
        }
    }

    fn refuse(&mut self, code: Code, message: impl Into<Cow<'static, str>>, control: ControlId) -> Effect {
        self.error =
            Some(Notice { code: code.as_str().into(), message: message.into(), control: Some(control) });
        Effect::Redraw
    }

    pub(super) fn mode(&self) -> Mode {
        let page = self.pages.shown();
        match self.focus {
            Focus::List if page.custom_row() == Some(page.cursor) => Mode::Custom,
            Focus::List if page.is_multi() => Mode::Multi,
            Focus::List => Mode::Single,
            Focus::Control(ControlId::Text) => Mode::Text,
            Focus::Control(_) => Mode::Button,
        }
    }

    /// The control that has the focus.
    pub(super) fn focused(&self) -> ControlId {
        let page = self.pages.shown();
        match self.focus {
            Focus::List if page.custom_row() == Some(page.cursor) => ControlId::Custom,
            Focus::List => ControlId::Option(page.cursor),
            Focus::Control(id) => id,
        }
    }

    /// Whether the control is there.
    pub(super) fn has(&self, id: ControlId) -> bool {
        let page = self.pages.shown();
        let is_command = page.kind == QuestionKind::ConfirmCommand;
        let is_session = self.prompt.manner == Manner::Session;
        match id {
            ControlId::Yes | ControlId::No => page.kind == QuestionKind::YesNo,
            ControlId::Ack => is_command && matches!(self.step, Step::Acknowledge { .. }),
            ControlId::Run | ControlId::Back => is_command && self.step == Step::Run,
            ControlId::Option(index) => index < page.selected.len(),
            ControlId::Custom => page.custom_row().is_some(),
            ControlId::Text => page.has_text(),
            ControlId::Prev | ControlId::Next => self.pages.len() > 1,
            ControlId::Submit => is_session || page.kind == QuestionKind::Text,
            ControlId::Cancel => !is_session,
            ControlId::Decline => is_session,
        }
    }

    /// Whether the control is there and does something.
    pub(super) fn is_enabled(&self, id: ControlId) -> bool {
        let can = match id {
            ControlId::Ack => self.step == Step::Acknowledge { waits: None },
            ControlId::Prev => self.pages.index() > 0,
            ControlId::Next => self.pages.index() + 1 < self.pages.len(),
            _ => true,
        };
        can && self.phase == Phase::Editing && self.has(id)
    }

    /// Whether an action would do something now, the guard aside: it is over before a help line is read.
    pub(super) fn would_do(&self, action: Action) -> bool {
        self.phase == Phase::Editing && self.plan(action).is_some()
    }

    fn act(&mut self, action: Action) -> Effect {
        match self.plan(action) {
            Some(change) => self.change(change),
            None => Effect::None,
        }
    }

    /// What an action would do, if anything.
    fn plan(&self, action: Action) -> Option<Change> {
        let page = self.pages.shown();
        let index = self.pages.index();
        match action {
            Action::Row(way) => {
                let last = page.rows().checked_sub(1)?;
                let row = match way {
                    Way::Back => page.cursor.checked_sub(1).unwrap_or(last),
                    Way::On if page.cursor >= last => 0,
                    Way::On => page.cursor + 1,
                    Way::First => 0,
                    Way::Last => last,
                };
                (row != page.cursor).then_some(Change::Row(row))
            }
            Action::Control(Way::Back | Way::First) if self.is_in_entry() => Some(Change::Close),
            Action::Control(way) => self.next_stop(way).map(Change::Focus),
            Action::Question(Way::Back | Way::First) => index.checked_sub(1).map(Change::Page),
            Action::Question(Way::On | Way::Last) => {
                Some(index + 1).filter(|next| *next < self.pages.len()).map(Change::Page)
            }
            Action::Enter => match self.focused() {
                ControlId::Custom if page.taken => Some(Change::GoOn),
                ControlId::Custom => Some(Change::Open),
                ControlId::Option(_) if page.is_multi() => Some(Change::GoOn),
                ControlId::Option(option) => Some(Change::Choose(option)),
                ControlId::Text => Some(Change::Take),
                // What runs a command takes more than the key that a person presses all day.
                ControlId::Run => None,
                button => self.is_enabled(button).then_some(Change::Press(button)),
            },
            Action::Space => match self.focused() {
                ControlId::Custom => (page.is_multi() && page.taken).then_some(Change::Untake),
                ControlId::Option(option) if page.is_multi() => Some(Change::Toggle(option)),
                ControlId::Option(option) => {
                    (page.open || !page.is_selected(option)).then_some(Change::Select(option))
                }
                button => self.is_enabled(button).then_some(Change::Press(button)),
            },
            Action::Press(id) => {
                (self.is_enabled(id) && !self.is_pressed_in_vain(id)).then_some(Change::Press(id))
            }
            Action::Edit(edit) if page.editor.can(edit) => Some(Change::Edit(edit)),
            Action::Edit(Edit::Up) if self.is_in_entry() => Some(Change::Close),
            Action::Edit(_) => None,
            Action::Type(c) => Some(Change::Insert(c)),
            Action::Newline => Some(Change::Insert('\n')),
            Action::Leave => Some(Change::Leave),
            Action::Interrupt => self.options.terminal.then_some(Change::Leave),
        }
    }

    /// The focus is in the entry of a custom answer.
    fn is_in_entry(&self) -> bool {
        self.pages.shown().open && self.focus == Focus::Control(ControlId::Text)
    }

    /// Pressing the control again would leave all as it is.
    fn is_pressed_in_vain(&self, id: ControlId) -> bool {
        let page = self.pages.shown();
        match id {
            ControlId::Option(option) => {
                let chosen = self.focused() == id && page.is_selected(option) && !page.open;
                let stays = self.pages.index() + 1 == self.pages.len();
                chosen && stays && !page.is_multi() && self.prompt.manner == Manner::Session
            }
            ControlId::Custom => self.is_in_entry(),
            ControlId::Text => self.focused() == id,
            _ => false,
        }
    }

    /// The next stop that can be focused, round the end.
    fn next_stop(&self, way: Way) -> Option<Focus> {
        let count = STOPS.len();
        let here = STOPS.iter().position(|stop| *stop == self.focus)?;
        (1..count).find_map(|distance| {
            let there = match way {
                Way::On | Way::Last => here + distance,
                Way::Back | Way::First => here + count - distance,
            };
            STOPS.get(there % count).copied().filter(|stop| match stop {
                Focus::List => self.pages.shown().rows() > 0,
                Focus::Control(id) => self.is_enabled(*id),
            })
        })
    }

    fn change(&mut self, change: Change) -> Effect {
        match change {
            Change::Row(row) => self.pages.shown_mut().cursor = row,
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

    fn set_focus(&mut self, id: ControlId) {
        let page = self.pages.shown_mut();
        let row = match id {
            ControlId::Option(index) => Some(index),
            ControlId::Custom => page.custom_row(),
            _ => None,
        };
        self.focus = match row {
            Some(row) => {
                page.cursor = row;
                Focus::List
            }
            None => Focus::Control(id),
        };
    }

    fn select(&mut self, option: usize) {
        let page = self.pages.shown_mut();
        if !page.is_selected(option) || page.taken {
            self.error = None;
        }
        self.pages.shown_mut().select(option);
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
