//! From bytes to events. The sequences are termina's; what needs the time of day is here: a lone Escape is one only once
//! nothing has followed it, a sequence that breaks off does not swallow what comes later, and a paste may be of any length.

use std::collections::VecDeque;
use std::time::Duration;
use termina::Parser;
use termina::event::Event;
use tokio::time::Instant;

/// How long the rest of a sequence may take. Over a slow line an arrow key comes in pieces, of which the first is Escape.
const PATIENCE: Duration = Duration::from_millis(100);

/// After such a silence in a paste, Ctrl+C alone is the key: the paste has broken off.
const SILENCE: Duration = Duration::from_millis(500);

/// No sequence is that long.
const LONGEST: usize = 256;

/// As much of a paste is kept. It is more than any answer may hold, so a longer one is refused all the same.
const PASTE_MOST: usize = 1 << 20;

const PASTE_START: &[u8] = b"\x1b[200~";
const PASTE_END: &[u8] = b"\x1b[201~";
const CTRL_C: u8 = 0x03;

/// Bytes in, events out.
#[derive(Default)]
pub(crate) struct Decoder {
    parser: Parser,
    /// The bytes since the last event: of a sequence that is not at its end.
    held: Vec<u8>,
    paste: Option<Vec<u8>>,
    last: Option<Instant>,
    events: VecDeque<Event>,
}

impl Decoder {
    /// Takes what was read.
    pub(crate) fn feed(&mut self, bytes: &[u8], now: Instant) {
        self.tick(now);
        let silent = self.last.is_some_and(|last| now.saturating_duration_since(last) >= SILENCE);
        if bytes == [CTRL_C] && silent {
            self.paste = None;
        }
        self.last = Some(now);
        for byte in bytes {
            match &mut self.paste {
                Some(paste) => {
                    paste.push(*byte);
                    if let Some(text) = paste.strip_suffix(PASTE_END) {
                        self.events.push_back(Event::Paste(String::from_utf8_lossy(text).into_owned()));
                        self.paste = None;
                    } else if paste.len() > PASTE_MOST + PASTE_END.len() {
                        // The end may come at any byte, so the last of them are kept and not the first.
                        paste.remove(PASTE_MOST);
                    }
                }
                None => self.key(*byte),
            }
        }
    }

    fn key(&mut self, byte: u8) {
        if byte == CTRL_C {
            // Whatever was begun, this is a way out.
            self.start_over();
        }
        let held = &mut self.held;
        held.push(byte);
        if held.ends_with(PASTE_START) {
            self.start_over();
            self.paste = Some(Vec::new());
        } else if held.len() > LONGEST || is_off_the_screen(held) {
            self.start_over();
        } else {
            self.parser.parse(&[byte], true);
            self.collect();
        }
    }

    /// Lets time pass: what was begun and not ended in time is a lone Escape, or nothing.
    pub(crate) fn tick(&mut self, now: Instant) {
        if self.due().is_some_and(|due| due <= now) {
            self.parser.parse(&[], false);
            self.collect();
            self.start_over();
        }
    }

    /// When time alone will make an event.
    pub(crate) fn due(&self) -> Option<Instant> {
        self.last.filter(|_| !self.held.is_empty()).map(|last| last + PATIENCE)
    }

    /// The next event.
    pub(crate) fn next(&mut self) -> Option<Event> {
        self.events.pop_front()
    }

    /// Forgets what was read.
    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }

    fn collect(&mut self) {
        while let Some(event) = self.parser.pop() {
            self.events.push_back(event);
            self.held.clear();
        }
    }

    fn start_over(&mut self) {
        self.parser = Parser::default();
        self.held.clear();
    }
}

/// A mouse report for column or row 0, which no terminal has and the parser cannot count with.
fn is_off_the_screen(held: &[u8]) -> bool {
    let Some((b'M' | b'm', rest)) = held.split_last() else { return false };
    let Some(numbers) = rest.strip_prefix(b"\x1b[") else { return false };
    numbers.split(|byte| *byte == b';').skip(1).any(|number| number.iter().all(|digit| *digit == b'0'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use termina::event::{KeyCode, KeyEvent, KeyEventKind, Modifiers};

    fn all(decoder: &mut Decoder) -> Vec<Event> {
        std::iter::from_fn(|| decoder.next()).collect()
    }

    fn fed(pieces: &[(&[u8], u64)]) -> Vec<Event> {
        let start = Instant::now();
        let mut decoder = Decoder::default();
        for (bytes, at) in pieces {
            decoder.feed(bytes, start + Duration::from_millis(*at));
        }
        decoder.tick(start + Duration::from_secs(3_600));
        all(&mut decoder)
    }

    fn key(code: KeyCode) -> Event {
        Event::Key(code.into())
    }

    const CTRL_C_KEY: Event = Event::Key(KeyEvent {
        code: KeyCode::Char('c'),
        kind: KeyEventKind::Press,
        modifiers: Modifiers::CONTROL,
        state: termina::event::KeyEventState::NONE,
    });

    #[test]
    fn an_arrow_in_pieces_is_no_escape() {
        assert_eq!(fed(&[(b"\x1b", 0), (b"[B", 80)]), [key(KeyCode::Down)]);
    }

    #[test]
    fn an_escape_is_one_once_nothing_follows() {
        assert_eq!(fed(&[(b"\x1b", 0)]), [key(KeyCode::Escape)]);
        assert_eq!(fed(&[(b"\x1b", 0), (b"y", 200)]), [key(KeyCode::Escape), key(KeyCode::Char('y'))]);
    }

    #[test]
    fn a_sequence_that_breaks_off_swallows_nothing() {
        assert_eq!(fed(&[(b"\x1b[", 0), (b"y", 200)]), [key(KeyCode::Char('y'))]);
        assert_eq!(fed(&[(b"\x1b[1;", 0), (b"\x03", 20)]), [CTRL_C_KEY]);
    }

    #[test]
    fn a_paste_is_one_event_in_any_pieces() {
        let text = "line\r".repeat(10_000);
        let mut bytes = PASTE_START.to_vec();
        bytes.extend_from_slice(text.as_bytes());
        bytes.extend_from_slice(PASTE_END);
        bytes.push(b'x');
        for size in [1, 7, 4096] {
            let pieces: Vec<(&[u8], u64)> = bytes.chunks(size).map(|piece| (piece, 0)).collect();
            assert_eq!(fed(&pieces), [Event::Paste(text.clone()), key(KeyCode::Char('x'))], "{size}");
        }
    }

    #[test]
    fn a_slow_paste_stays_one_and_a_broken_one_can_be_left() {
        let slow = fed(&[(b"\x1b[200~y", 0), (b"\x1b", 900), (b"[201~", 1_800)]);
        assert_eq!(slow, [Event::Paste("y".into())]);
        assert_eq!(fed(&[(b"\x1b[200~y\r", 0), (b"\x03", 900)]), [CTRL_C_KEY]);
        let inside = fed(&[(b"\x1b[200~y", 0), (b"\x03", 100), (b"\x1b[201~", 200)]);
        assert_eq!(inside, [Event::Paste("y\u{3}".into())]);
    }

    #[test]
    fn keypad_keys_are_the_keys_that_they_name() {
        let event = fed(&[(b"\x1b[57400u", 0)]);
        assert!(
            matches!(event.as_slice(), [Event::Key(KeyEvent { code: KeyCode::Char('1'), .. })]),
            "{event:?}"
        );
    }

    #[test]
    fn no_bytes_are_too_strange() {
        let mut decoder = Decoder::default();
        let now = Instant::now();
        let mut seed = 1_u64;
        for _ in 0..200_000 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let pool = b"\x1b[<;?>0123456789uMmRO~\x03y\xc3\xa9\xff ABu:\x1b[<0;0;0M";
            let at = usize::try_from(seed >> 33).unwrap() % pool.len();
            decoder.feed(&pool[at..=at], now);
            while decoder.next().is_some() {}
        }
    }
}
