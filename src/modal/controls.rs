//! Which controls there are, which of them do something, and which has the focus.

use super::input::ControlId;
use super::keymap::{Mode, Way};
use super::{Focus, Manner, Modal, Phase, Step};
use crate::form::QuestionKind;

/// All that can be focused, in the order in which Tab goes round and views list it.
pub(super) const STOPS: [Focus; 12] = [
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

impl Modal {
    #[inline]
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

    /// The focus is in the entry of a custom answer.
    pub(super) fn is_in_entry(&self) -> bool {
        self.pages.shown().open && self.focus == Focus::Control(ControlId::Text)
    }

    /// The next stop that can be focused, round the end.
    pub(super) fn next_stop(&self, way: Way) -> Option<Focus> {
        let count = STOPS.len();
        let here = STOPS.iter().position(|stop| *stop == self.focus)?;
        (1..count).find_map(|distance| {
            let there = match way {
                Way::On => here + distance,
                Way::Back => here + count - distance,
            };
            STOPS.get(there % count).copied().filter(|stop| match stop {
                Focus::List => self.pages.shown().rows() > 0,
                Focus::Control(id) => self.is_enabled(*id),
            })
        })
    }

    /// Moves the focus to a control that is there.
    pub(super) fn set_focus(&mut self, id: ControlId) {
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
}
