//! What an action would change. It is found out without changing anything, so that the help line can ask too.

use super::editor::Edit;
use super::input::ControlId;
use super::keymap::{Action, Way};
use super::{Focus, Manner, Modal, Phase};

/// Something that an action does in the state that it was planned in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
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
    /// Whether an action would do something now, the guard aside: it is over before a help line is read.
    pub(super) fn would_do(&self, action: Action) -> bool {
        self.phase == Phase::Editing && self.plan(action).is_some()
    }

    /// What an action would do, if anything.
    pub(super) fn plan(&self, action: Action) -> Option<Change> {
        let page = self.pages.shown();
        let index = self.pages.index();
        match action {
            Action::Row(way) => self.row_beside(way).map(Change::Row),
            Action::End(way) => {
                let last = page.rows().checked_sub(1)?;
                let row = if way == Way::On { last } else { 0 };
                (row != page.cursor).then_some(Change::Row(row))
            }
            Action::Control(Way::Back) if self.is_in_entry() => Some(Change::Close),
            Action::Control(way) => self.next_stop(way).map(Change::Focus),
            Action::Question(Way::Back) => index.checked_sub(1).map(Change::Page),
            Action::Question(Way::On) => {
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

    /// The row beside that of the cursor, round the end.
    #[inline]
    pub(super) fn row_beside(&self, way: Way) -> Option<usize> {
        let page = self.pages.shown();
        let last = page.rows().checked_sub(1)?;
        let row = match way {
            Way::Back => page.cursor.checked_sub(1).unwrap_or(last),
            Way::On if page.cursor < last => page.cursor + 1,
            Way::On => 0,
        };
        (row != page.cursor).then_some(row)
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
}
