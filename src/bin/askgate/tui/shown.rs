//! The prompt that is shown: its modal, and what the terminal adds to it.

use super::render::{Frame, Look, frame};
use super::terminal::Size;
use super::theme::Theme;
use crate::prompt::Queue;
use askgate::form::Form;
use askgate::modal::{ControlId, Effect, Input, Modal, Submission};
use askgate::text::is_blank;
use askgate::time::Millis;

/// The prompt that is shown.
pub(super) struct Shown {
    pub(super) modal: Modal,
    pub(super) form: Form,
    pub(super) deadline: Option<Millis>,
    pub(super) notes: Vec<String>,
    pub(super) scroll: usize,
    /// What was answered last, whether or not it was taken.
    pub(super) answer: Option<Submission>,
}

impl Shown {
    /// The frame for this size. The modal is told how many rows its list gets.
    pub(super) fn frame(&mut self, theme: Theme, size: Size, now: Millis) -> Frame {
        let mut look = Look { theme, size, now, scroll: self.scroll, notes: &self.notes };
        let drawn = frame(&self.modal.view(), &look);
        self.scroll = self.scroll.min(drawn.most_scroll);
        look.scroll = self.scroll;
        match self.modal.input(now, Input::Resize(drawn.room)) {
            Effect::None => drawn,
            _ => frame(&self.modal.view(), &look),
        }
    }

    /// When the view changes by time alone: by the modal's, or by the time left.
    pub(super) fn wakes(&self, now: Millis) -> Option<Millis> {
        let left = self.deadline.map(|deadline| deadline.0.saturating_sub(now.0)).filter(|left| *left > 0);
        let left = left.map(|left| {
            let unit = if left <= 120_000 { 1_000 } else { 60_000 };
            Millis(now.0.saturating_add((left - 1) % unit + 1))
        });
        [self.modal.next_deadline(), left].into_iter().flatten().min()
    }

    /// There is text in the field that has the focus: Ctrl+D is no end then, as in a shell.
    pub(super) fn is_typing(&self) -> bool {
        let view = self.modal.view();
        let focused = view.controls.iter().any(|control| control.id == ControlId::Text && control.focused);
        focused && view.text.is_some_and(|text| !is_blank(text.value))
    }
}

/// What is said about what else waits.
pub(super) fn notes(queue: Queue) -> Vec<String> {
    let mut notes = Vec::new();
    if queue.here > 0 {
        notes.push(format!("{} more here", queue.here));
    }
    if queue.elsewhere > 0 {
        notes.push(format!("{} on other surfaces: Ctrl+N", queue.elsewhere));
    }
    notes
}
