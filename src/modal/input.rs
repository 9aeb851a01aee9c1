//! What a surface tells the modal: keys, pastes, clicks, and the names of the controls.

use crate::json::{ToJson, piece};
use crate::words::words;
use alloc::string::String;
use core::fmt::{self, Write};
use core::str::FromStr;

/// One thing that happened on the surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Input<'a> {
    /// A key was pressed.
    Key(Key),
    /// Text came in at once; nothing in it is a key.
    Paste(&'a str),
    /// A click or a tap on a control.
    Activate(ControlId),
    /// The text field, where the surface has its own such as the DOM's, now holds this.
    SetText(&'a str),
    /// The focus went to a control.
    Focus(ControlId),
    /// So many rows are there for the list.
    Resize(usize),
}

/// A key press.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key {
    /// Which key, or the character that it makes.
    pub code: KeyCode,
    /// What was held down with it.
    pub mods: Mods,
    /// The key is held and repeats by itself.
    pub repeat: bool,
    /// An input method is composing; its text arrives by [`Input::SetText`] or [`Input::Paste`].
    pub composing: bool,
}

impl Key {
    /// A fresh press with modifiers.
    #[must_use]
    pub const fn new(code: KeyCode, mods: Mods) -> Self {
        Self { code, mods, repeat: false, composing: false }
    }
}

impl From<KeyCode> for Key {
    fn from(code: KeyCode) -> Self {
        Self::new(code, Mods::NONE)
    }
}

/// Which key. A key that is not here does nothing, so a surface need not send it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum KeyCode {
    /// Enter or Return.
    Enter,
    /// Escape.
    Esc,
    /// Tab; the back-tab of terminals is Tab with Shift.
    Tab,
    /// The arrow up.
    Up,
    /// The arrow down.
    Down,
    /// The arrow to the left.
    Left,
    /// The arrow to the right.
    Right,
    /// Home.
    Home,
    /// End.
    End,
    /// Page up.
    PageUp,
    /// Page down.
    PageDown,
    /// The space bar; a [`KeyCode::Char`] of a space is the same.
    Space,
    /// Backspace.
    Backspace,
    /// Delete.
    Delete,
    /// A key that makes a character, as it comes out with Shift and the like applied.
    Char(char),
}

impl KeyCode {
    const NAMED: [(&'static str, Self); 14] = [
        ("Enter", Self::Enter),
        ("Esc", Self::Esc),
        ("Tab", Self::Tab),
        ("Up", Self::Up),
        ("Down", Self::Down),
        ("Left", Self::Left),
        ("Right", Self::Right),
        ("Home", Self::Home),
        ("End", Self::End),
        ("PageUp", Self::PageUp),
        ("PageDown", Self::PageDown),
        ("Space", Self::Space),
        ("Backspace", Self::Backspace),
        ("Delete", Self::Delete),
    ];

    /// The place among those that have a name, or the one after for a character.
    pub(super) const fn place(self) -> usize {
        match self {
            Self::Enter => 0,
            Self::Esc => 1,
            Self::Tab => 2,
            Self::Up => 3,
            Self::Down => 4,
            Self::Left => 5,
            Self::Right => 6,
            Self::Home => 7,
            Self::End => 8,
            Self::PageUp => 9,
            Self::PageDown => 10,
            Self::Space => 11,
            Self::Backspace => 12,
            Self::Delete => 13,
            Self::Char(_) => 14,
        }
    }
}

impl fmt::Display for KeyCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Char(c) => f.write_char(*c),
            named => f.write_str(Self::NAMED.get(named.place()).map_or("", |(name, _)| name)),
        }
    }
}

/// What was held down with a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Mods {
    /// Control.
    pub ctrl: bool,
    /// Alt, or Option.
    pub alt: bool,
    /// Shift.
    pub shift: bool,
    /// Command, Windows or Super.
    pub meta: bool,
}

impl Mods {
    /// Nothing.
    pub const NONE: Self = Self { ctrl: false, alt: false, shift: false, meta: false };
    /// Control alone.
    pub const CTRL: Self = Self { ctrl: true, ..Self::NONE };
    /// Alt alone.
    pub const ALT: Self = Self { alt: true, ..Self::NONE };
    /// Shift alone.
    pub const SHIFT: Self = Self { shift: true, ..Self::NONE };
}

impl fmt::Display for Key {
    /// Modifiers and name, such as `Ctrl+C` or `Shift+Tab`. Whether it repeats or composes is not shown.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut name = String::new();
        self.name(&mut name);
        f.write_str(&name)
    }
}

impl Key {
    /// Appends its modifiers and its name.
    pub(super) fn name(self, out: &mut String) {
        let Mods { ctrl, alt, shift, meta } = self.mods;
        for (held, name) in [(ctrl, "Ctrl+"), (alt, "Alt+"), (shift, "Shift+"), (meta, "Meta+")] {
            if held {
                out.push_str(name);
            }
        }
        match self.code {
            KeyCode::Char(c) => out.push(c),
            named => out.push_str(KeyCode::NAMED.get(named.place()).map_or("", |(name, _)| name)),
        }
    }
}

/// A name that no key or control has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.message())]
pub struct UnknownName(String);

impl UnknownName {
    /// One sentence that says what is wrong.
    #[must_use]
    pub fn message(&self) -> String {
        words!["`", self.0, "` names no key and no control of a modal."]
    }
}

impl FromStr for Key {
    type Err = UnknownName;

    /// Reads what [`Display`](fmt::Display) writes; the modifiers may come in any order.
    fn from_str(name: &str) -> Result<Self, UnknownName> {
        let mut mods = Mods::NONE;
        let mut rest = name;
        while let Some((held, key)) = rest.split_once('+').filter(|(_, key)| !key.is_empty()) {
            match held {
                "Ctrl" => mods.ctrl = true,
                "Alt" => mods.alt = true,
                "Shift" => mods.shift = true,
                "Meta" => mods.meta = true,
                _ => return Err(UnknownName(name.into())),
            }
            rest = key;
        }
        let mut chars = rest.chars();
        let code = match (chars.next(), chars.next()) {
            (Some(c), None) => Some(KeyCode::Char(c)),
            _ => KeyCode::NAMED.iter().find(|(named, _)| *named == rest).map(|(_, code)| *code),
        };
        code.map(|code| Self::new(code, mods)).ok_or_else(|| UnknownName(name.into()))
    }
}

/// A control of the modal, as views and inputs name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ControlId {
    /// Yes.
    Yes,
    /// No.
    No,
    /// "I understand", the first step of a command.
    Ack,
    /// Run, in the second step of a command.
    Run,
    /// Back to the first step of a command.
    Back,
    /// The option of that index.
    Option(usize),
    /// The row that opens the custom answer, after the options.
    Custom,
    /// The text field.
    Text,
    /// To the previous question.
    Prev,
    /// To the next question.
    Next,
    /// Submit.
    Submit,
    /// Cancel (dialect A).
    Cancel,
    /// Decline (dialect B).
    Decline,
}

impl ControlId {
    const NAMED: [(&'static str, Self); 12] = [
        ("yes", Self::Yes),
        ("no", Self::No),
        ("ack", Self::Ack),
        ("run", Self::Run),
        ("back", Self::Back),
        ("custom", Self::Custom),
        ("text", Self::Text),
        ("prev", Self::Prev),
        ("next", Self::Next),
        ("submit", Self::Submit),
        ("cancel", Self::Cancel),
        ("decline", Self::Decline),
    ];
}

impl ControlId {
    /// The name of what is no option.
    fn name(self) -> &'static str {
        Self::NAMED.iter().find(|(_, id)| *id == self).map_or("", |(name, _)| name)
    }
}

impl fmt::Display for ControlId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Option(index) => write!(f, "option:{index}"),
            named => f.write_str(named.name()),
        }
    }
}

impl FromStr for ControlId {
    type Err = UnknownName;

    /// Reads what [`Display`](fmt::Display) writes, and nothing else.
    fn from_str(name: &str) -> Result<Self, UnknownName> {
        let unknown = || UnknownName(name.into());
        if let Some(index) = name.strip_prefix("option:") {
            let canonical =
                index.bytes().all(|b| b.is_ascii_digit()) && (index == "0" || !index.starts_with('0'));
            return index.parse().ok().filter(|_| canonical).map(Self::Option).ok_or_else(unknown);
        }
        Self::NAMED.iter().find(|(named, _)| *named == name).map(|(_, id)| *id).ok_or_else(unknown)
    }
}

impl ToJson for ControlId {
    fn write_json(&self, out: &mut String) {
        piece(out, "\"");
        match self {
            Self::Option(index) => {
                piece(out, "option:");
                index.write_json(out);
            }
            named => piece(out, named.name()),
        }
        piece(out, "\"");
    }
}
