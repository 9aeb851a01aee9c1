//! What an event of the terminal is to a modal, or to the terminal prompt around it.

use askgate::modal::{Key, KeyCode, Mods};
use termina::escape::csi::{Csi, Cursor};
use termina::event::{
    Event, KeyCode as Code, KeyEvent, KeyEventKind, Modifiers, MouseButton, MouseEvent, MouseEventKind,
};

/// How far one turn of the wheel scrolls.
const WHEEL: isize = 3;

/// What an event means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// A key for the modal.
    Key(Key),
    /// A paste for the modal.
    Paste(String),
    /// A click, at column and row of the screen, from 0.
    Click(usize, usize),
    /// Scrolls what is too long to be shown, by so many lines.
    Scroll(isize),
    /// The terminal says in which row its cursor is, from 0.
    Position(usize),
    /// Ctrl+Z: stops the program until the shell goes on with it.
    Suspend,
    /// Ctrl+L: draws all anew.
    Redraw,
    /// Ctrl+D: the end of input.
    EndOfInput,
    /// Ctrl+N: the next surface, where there are several.
    NextSurface,
}

/// What an event means; `None` for what means nothing, such as the release of a key.
pub(crate) fn meaning(event: Event) -> Option<Meaning> {
    match event {
        Event::Key(key) => self::key(key),
        Event::Paste(text) => Some(Meaning::Paste(text)),
        Event::Mouse(mouse) => self::mouse(mouse),
        Event::Csi(Csi::Cursor(Cursor::ActivePositionReport { line, .. })) => {
            Some(Meaning::Position(usize::from(line.get_zero_based())))
        }
        _ => None,
    }
}

fn key(event: KeyEvent) -> Option<Meaning> {
    if event.kind == KeyEventKind::Release {
        return None;
    }
    let held = |modifier| event.modifiers.contains(modifier);
    let mods = Mods {
        ctrl: held(Modifiers::CONTROL),
        alt: held(Modifiers::ALT),
        shift: held(Modifiers::SHIFT),
        meta: event.modifiers.intersects(Modifiers::SUPER | Modifiers::HYPER | Modifiers::META),
    };
    let code = match event.code {
        Code::Char(c) if mods == Mods::CTRL => match c {
            'z' => return Some(Meaning::Suspend),
            'l' => return Some(Meaning::Redraw),
            'd' => return Some(Meaning::EndOfInput),
            'n' => return Some(Meaning::NextSurface),
            _ => KeyCode::Char(c),
        },
        Code::Up if mods == Mods::ALT => return Some(Meaning::Scroll(-1)),
        Code::Down if mods == Mods::ALT => return Some(Meaning::Scroll(1)),
        // What is held with Shift may come as the key and not as the character that it makes.
        Code::Char(c) if mods.shift => KeyCode::Char(upper(c)),
        Code::Char(c) => KeyCode::Char(c),
        Code::Enter => KeyCode::Enter,
        Code::Escape => KeyCode::Esc,
        Code::Tab | Code::BackTab => KeyCode::Tab,
        Code::Up => KeyCode::Up,
        Code::Down => KeyCode::Down,
        Code::Left => KeyCode::Left,
        Code::Right => KeyCode::Right,
        Code::Home => KeyCode::Home,
        Code::End => KeyCode::End,
        Code::PageUp => KeyCode::PageUp,
        Code::PageDown => KeyCode::PageDown,
        Code::Backspace => KeyCode::Backspace,
        Code::Delete => KeyCode::Delete,
        _ => return None,
    };
    let mods = Mods { shift: mods.shift || event.code == Code::BackTab, ..mods };
    Some(Meaning::Key(Key { repeat: event.kind == KeyEventKind::Repeat, ..Key::new(code, mods) }))
}

/// The capital, where that is one character.
fn upper(c: char) -> char {
    let mut capital = c.to_uppercase();
    match (capital.next(), capital.next()) {
        (Some(one), None) => one,
        _ => c,
    }
}

fn mouse(event: MouseEvent) -> Option<Meaning> {
    match event.kind {
        MouseEventKind::Down(MouseButton::Left) if event.modifiers.is_empty() => {
            Some(Meaning::Click(usize::from(event.column), usize::from(event.row)))
        }
        MouseEventKind::ScrollUp => Some(Meaning::Scroll(-WHEEL)),
        MouseEventKind::ScrollDown => Some(Meaning::Scroll(WHEEL)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use termina::Parser;

    fn meant(bytes: &[u8]) -> Option<Meaning> {
        let mut parser = Parser::default();
        parser.parse(bytes, false);
        parser.pop().and_then(meaning)
    }

    fn named(name: &str) -> Option<Meaning> {
        Some(Meaning::Key(name.parse().unwrap()))
    }

    #[test]
    fn keys_are_the_same_in_the_old_and_the_new_protocol() {
        for (bytes, name) in [
            ("\r", "Enter"),
            ("\x1b[13;2u", "Shift+Enter"),
            ("\x1b[13;3u", "Alt+Enter"),
            ("\x1b\r", "Alt+Enter"),
            ("\x1b[Z", "Shift+Tab"),
            ("\x1b[9;2u", "Shift+Tab"),
            ("\x1b", "Esc"),
            ("\x1b[27u", "Esc"),
            ("\x03", "Ctrl+c"),
            ("\x1b[99;5u", "Ctrl+c"),
            ("\x1b[A", "Up"),
            ("\x1bOA", "Up"),
            ("\x1b[5~", "PageUp"),
            ("\x1b[1~", "Home"),
            ("\x1b[H", "Home"),
            ("\x7f", "Backspace"),
            ("\x1b[3~", "Delete"),
            ("y", "y"),
            ("é", "é"),
            ("\x1b[57414u", "Enter"),
        ] {
            assert_eq!(meant(bytes.as_bytes()), named(name), "{bytes:?}");
        }
    }

    #[test]
    fn a_repeat_is_told_apart_and_a_release_is_nothing() {
        let repeat = meant(b"\x1b[1;1:2B");
        assert!(
            matches!(repeat, Some(Meaning::Key(Key { code: KeyCode::Down, repeat: true, .. }))),
            "{repeat:?}"
        );
        assert_eq!(meant(b"\x1b[1;1:3B"), None);
        assert_eq!(meant(b"\x1b[27;1:3u"), None);
    }

    #[test]
    fn a_click_is_the_left_button_alone() {
        assert_eq!(meant(b"\x1b[<0;5;3M"), Some(Meaning::Click(4, 2)));
        for other in ["\x1b[<0;5;3m", "\x1b[<2;5;3M", "\x1b[<4;5;3M", "\x1b[<32;5;3M"] {
            assert_eq!(meant(other.as_bytes()), None, "{other:?}");
        }
        assert_eq!(meant(b"\x1b[<64;5;3M"), Some(Meaning::Scroll(-WHEEL)));
    }

    #[test]
    fn what_is_for_the_program_does_not_reach_the_modal() {
        assert_eq!(meant(b"\x1a"), Some(Meaning::Suspend));
        assert_eq!(meant(b"\x1b[122;5u"), Some(Meaning::Suspend));
        assert_eq!(meant(b"\x04"), Some(Meaning::EndOfInput));
        assert_eq!(meant(b"\x0c"), Some(Meaning::Redraw));
        assert_eq!(meant(b"\x1b[1;3B"), Some(Meaning::Scroll(1)));
        assert_eq!(meant(b"\x1b[12;40R"), Some(Meaning::Position(11)));
    }
}
