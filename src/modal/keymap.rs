//! Keys become actions in one table per mode, and the help line is made from the same tables (spec 10).
//!
//! Letters match in either case. Shift never modifies a character. Any key that is not in its mode's table does
//! nothing. A row of a table is named on the help line while one of its keys would do something. The tables stand in the
//! docs of the [module above](super).

use super::Manner;
use super::editor::Edit;
use super::input::{ControlId, Key, KeyCode, Mods};
use alloc::string::String;

/// What has the focus, as far as keys are concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// An option of which one is chosen.
    Single,
    /// An option of which several may be chosen.
    Multi,
    /// The row of the custom answer.
    Custom,
    /// The text field.
    Text,
    /// Any other control.
    Button,
}

/// Which way to go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    Back,
    On,
}

/// What a key asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Action {
    /// To another row of the list.
    Row(Way),
    /// To an end of the list.
    End(Way),
    /// To another control.
    Control(Way),
    /// To another question.
    Question(Way),
    /// Enter: acts on what has the focus.
    Enter,
    /// Space where it is no text.
    Space,
    /// A hotkey: as a click on the control.
    Press(ControlId),
    /// Edits the text.
    Edit(Edit),
    /// Adds a character to the text.
    Type(char),
    /// Adds a newline to the text.
    Newline,
    /// Declines or cancels.
    Leave,
    /// The same by Ctrl+C, in a terminal.
    Interrupt,
}

/// What the guard does to an action while it holds (spec 10).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Guarding {
    /// It works.
    Works,
    /// It works and starts the guard again.
    WorksAndRestarts,
    /// It does nothing.
    Held,
    /// It does nothing and starts the guard again.
    HeldAndRestarts,
}

impl Action {
    /// Whether a held key goes on doing it.
    pub(super) const fn repeats(self) -> bool {
        match self {
            Self::Row(_)
            | Self::End(_)
            | Self::Control(_)
            | Self::Question(_)
            | Self::Edit(_)
            | Self::Type(_)
            | Self::Newline => true,
            Self::Enter | Self::Space | Self::Press(_) | Self::Leave | Self::Interrupt => false,
        }
    }

    pub(super) const fn guarding(self) -> Guarding {
        match self {
            Self::Row(_)
            | Self::End(_)
            | Self::Control(_)
            | Self::Question(_)
            | Self::Edit(_)
            | Self::Interrupt => Guarding::Works,
            Self::Type(_) | Self::Newline => Guarding::WorksAndRestarts,
            Self::Leave => Guarding::Held,
            Self::Enter | Self::Space | Self::Press(_) => Guarding::HeldAndRestarts,
        }
    }
}

/// A key, what it asks for, and the number by which it is found.
struct Binding {
    stroke: u32,
    key: Key,
    action: Action,
}

/// Keys that belong together on the help line.
struct Row {
    keys: &'static [Binding],
    /// What they do in a prompt of dialect A, and in one of B.
    does: [&'static str; 2],
}

impl Row {
    const fn new(does: &'static str, keys: &'static [Binding]) -> Self {
        Self { keys, does: [does, does] }
    }

    const fn does(&self, manner: Manner) -> &'static str {
        let [request, session] = self.does;
        match manner {
            Manner::Request => request,
            Manner::Session => session,
        }
    }
}

const fn key(code: KeyCode, action: Action) -> Binding {
    with(Mods::NONE, code, action)
}

const fn with(mods: Mods, code: KeyCode, action: Action) -> Binding {
    let key = Key::new(code, mods);
    Binding { stroke: stroke(key), key, action }
}

const fn digit(digit: char, index: usize) -> Binding {
    key(KeyCode::Char(digit), Action::Press(ControlId::Option(index)))
}

const CHOOSE: Row = Row { keys: &[key(KeyCode::Enter, Action::Enter)], does: ["choose", "choose and go on"] };
const SELECT: Row = Row::new("select", &[key(KeyCode::Space, Action::Space)]);
const GO_ON: Row = Row::new("go on", &[key(KeyCode::Enter, Action::Enter)]);
const TOGGLE: Row = Row::new("toggle", &[key(KeyCode::Space, Action::Space)]);
const OPEN: Row = Row::new("type your own or go on", &[key(KeyCode::Enter, Action::Enter)]);
const UNTAKE: Row = Row::new("take back", &[key(KeyCode::Space, Action::Space)]);
const FINISH: Row = Row { keys: &[key(KeyCode::Enter, Action::Enter)], does: ["submit", "go on"] };
const PUSH: Row =
    Row::new("press", &[key(KeyCode::Enter, Action::Enter), key(KeyCode::Space, Action::Space)]);
const NEWLINE: Row = Row::new(
    "new line",
    &[with(Mods::SHIFT, KeyCode::Enter, Action::Newline), with(Mods::ALT, KeyCode::Enter, Action::Newline)],
);
const ROWS: Row = Row::new(
    "move",
    &[
        key(KeyCode::Up, Action::Row(Way::Back)),
        key(KeyCode::Down, Action::Row(Way::On)),
        key(KeyCode::Left, Action::Row(Way::Back)),
        key(KeyCode::Right, Action::Row(Way::On)),
        key(KeyCode::Home, Action::End(Way::Back)),
        key(KeyCode::End, Action::End(Way::On)),
    ],
);
const LETTERS: Row = Row::new(
    "move",
    &[
        key(KeyCode::Left, Action::Edit(Edit::Left)),
        key(KeyCode::Right, Action::Edit(Edit::Right)),
        key(KeyCode::Up, Action::Edit(Edit::Up)),
        key(KeyCode::Down, Action::Edit(Edit::Down)),
        key(KeyCode::Home, Action::Edit(Edit::LineStart)),
        key(KeyCode::End, Action::Edit(Edit::LineEnd)),
    ],
);
const ERASE: Row = Row::new(
    "erase",
    &[
        key(KeyCode::Backspace, Action::Edit(Edit::EraseBefore)),
        key(KeyCode::Delete, Action::Edit(Edit::EraseAfter)),
    ],
);
const TABS: Row = Row::new(
    "other control",
    &[
        key(KeyCode::Tab, Action::Control(Way::On)),
        with(Mods::SHIFT, KeyCode::Tab, Action::Control(Way::Back)),
    ],
);
const ARROWS: Row = Row::new(
    "other control",
    &[
        key(KeyCode::Tab, Action::Control(Way::On)),
        with(Mods::SHIFT, KeyCode::Tab, Action::Control(Way::Back)),
        key(KeyCode::Down, Action::Control(Way::On)),
        key(KeyCode::Right, Action::Control(Way::On)),
        key(KeyCode::Up, Action::Control(Way::Back)),
        key(KeyCode::Left, Action::Control(Way::Back)),
    ],
);
const YES: Row = Row::new("yes", &[key(KeyCode::Char('y'), Action::Press(ControlId::Yes))]);
const NO: Row = Row::new("no", &[key(KeyCode::Char('n'), Action::Press(ControlId::No))]);
const DIGITS: Row = Row::new(
    "option",
    &[
        digit('1', 0),
        digit('2', 1),
        digit('3', 2),
        digit('4', 3),
        digit('5', 4),
        digit('6', 5),
        digit('7', 6),
        digit('8', 7),
        digit('9', 8),
    ],
);
const OWN: Row = Row::new("your own", &[key(KeyCode::Char('o'), Action::Press(ControlId::Custom))]);
const PAGES: Row = Row::new(
    "other question",
    &[key(KeyCode::PageUp, Action::Question(Way::Back)), key(KeyCode::PageDown, Action::Question(Way::On))],
);
const LEAVE: Row = Row {
    keys: &[key(KeyCode::Esc, Action::Leave), with(Mods::CTRL, KeyCode::Char('C'), Action::Interrupt)],
    does: ["cancel", "decline"],
};

impl Mode {
    const fn table(self) -> &'static [Row] {
        match self {
            Self::Single => &[CHOOSE, SELECT, ROWS, DIGITS, OWN, TABS, PAGES, LEAVE],
            Self::Multi => &[TOGGLE, GO_ON, ROWS, DIGITS, OWN, TABS, PAGES, LEAVE],
            Self::Custom => &[OPEN, UNTAKE, ROWS, DIGITS, OWN, TABS, PAGES, LEAVE],
            Self::Text => &[FINISH, NEWLINE, LETTERS, ERASE, TABS, PAGES, LEAVE],
            Self::Button => &[PUSH, YES, NO, DIGITS, OWN, ARROWS, PAGES, LEAVE],
        }
    }

    /// What a key asks for in this mode.
    #[inline]
    pub(super) fn action(self, pressed: Key) -> Option<Action> {
        let stroke = stroke(pressed);
        for row in self.table() {
            for binding in row.keys {
                if binding.stroke == stroke {
                    return Some(binding.action);
                }
            }
        }
        typed(pressed).filter(|_| self == Self::Text).map(Action::Type)
    }

    /// The help line: each row that would do something now, with those of its keys that would.
    pub(super) fn help(self, manner: Manner, would_do: impl Fn(Action) -> bool) -> String {
        let mut line = String::new();
        for row in self.table() {
            let mut keys =
                row.keys.iter().filter(|binding| would_do(binding.action)).map(|binding| binding.key);
            let Some(first) = keys.next() else { continue };
            let rest = keys.clone().count();
            let last = keys.clone().last().unwrap_or(first);
            if !line.is_empty() {
                line.push_str(" · ");
            }
            first.name(&mut line);
            if rest > 1 && is_run(first, last, rest) {
                line.push('-');
                last.name(&mut line);
            } else {
                for key in keys {
                    line.push('/');
                    key.name(&mut line);
                }
            }
            line.push(' ');
            line.push_str(row.does(manner));
        }
        line
    }
}

/// Whether the keys from the first to the last are characters that follow one another, `rest` of them after the first.
fn is_run(first: Key, last: Key, rest: usize) -> bool {
    match (first.code, last.code) {
        (KeyCode::Char(first), KeyCode::Char(last)) => (first..=last).count() == rest + 1,
        _ => false,
    }
}

/// The character that a key types in text entry. One made with Alt or Ctrl+Alt is text too, as the layouts of many
/// languages have it; one with Ctrl alone or Meta is a command, and no text.
fn typed(key: Key) -> Option<char> {
    let c = match key.code {
        KeyCode::Char(c) => c,
        KeyCode::Space => ' ',
        _ => return None,
    };
    let text = !key.mods.meta && (key.mods.alt || !key.mods.ctrl);
    (text && !c.is_control()).then_some(c)
}

/// The hotkey of a control.
pub(super) fn hotkey(id: ControlId) -> Option<char> {
    let hotkeys = Mode::Button.table().iter().flat_map(|row| row.keys);
    hotkeys.into_iter().find_map(|binding| match binding.key.code {
        KeyCode::Char(c) if binding.action == Action::Press(id) => Some(c),
        _ => None,
    })
}

/// The number that a key shares with those that do the same: a letter in either case, and a character with Shift or without.
const fn stroke(key: Key) -> u32 {
    let Mods { ctrl, alt, shift, meta } = key.mods;
    let (number, shift) = match key.code {
        KeyCode::Char(c) => (c.to_ascii_lowercase() as u32, false),
        KeyCode::Space => (' ' as u32, false),
        named => (BEYOND + named.place() as u32, shift),
    };
    number | (ctrl as u32) << 24 | (alt as u32) << 25 | (shift as u32) << 26 | (meta as u32) << 27
}

/// Above all characters.
const BEYOND: u32 = char::MAX as u32 + 1;

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;
    use core::fmt::Write;

    const MODES: [(Mode, &str); 5] = [
        (Mode::Single, "an option, one to choose"),
        (Mode::Multi, "an option, several to choose"),
        (Mode::Custom, "the row of the custom answer"),
        (Mode::Text, "the text field"),
        (Mode::Button, "another control"),
    ];

    fn markdown_table() -> String {
        let mut out = String::from("//! | focus on | keys |\n//! |---|---|\n");
        for (mode, name) in MODES {
            let mut cells: Vec<String> = Vec::new();
            if mode == Mode::Text {
                cells.push("printable keys: text".into());
            }
            for row in mode.table() {
                let keys: Vec<String> =
                    row.keys.iter().map(|binding| alloc::format!("`{}`", binding.key)).collect();
                let [request, session] = row.does;
                let either = if request == session { "" } else { &alloc::format!(" ({session} in a form)") };
                cells.push(alloc::format!("{} {request}{either}", keys.join(" ")));
            }
            let _ = writeln!(out, "//! | {name} | {} |", cells.join("; "));
        }
        out
    }

    #[test]
    fn the_documented_tables_are_the_real_ones() {
        let documented = include_str!("mod.rs").split("//! <!-- keys -->\n").nth(1).unwrap_or_default();
        let documented = documented.split("//! <!-- /keys -->\n").next().unwrap_or_default();
        assert_eq!(documented, markdown_table(), "paste this:\n{}", markdown_table());
    }

    #[test]
    fn no_key_stands_twice_in_a_table() {
        for (mode, name) in MODES {
            let keys: Vec<Key> =
                mode.table().iter().flat_map(|row| row.keys).map(|binding| binding.key).collect();
            for (n, key) in keys.iter().enumerate() {
                assert!(
                    !keys.iter().skip(n + 1).any(|other| stroke(*key) == stroke(*other)),
                    "{key} with {name}"
                );
            }
        }
    }

    #[test]
    fn every_hotkey_of_a_control_presses_it_outside_text_entry() {
        for (mode, _) in MODES {
            for row in mode.table() {
                for Binding { key, action, .. } in row.keys {
                    if let Action::Press(id) = action {
                        assert_ne!(mode, Mode::Text);
                        assert_eq!(hotkey(*id).map(KeyCode::Char), Some(key.code));
                    }
                }
            }
        }
    }
}
