//! Draws frames below the line that the cursor is on, and takes them away again.
//!
//! It never asks where on the screen that is in order to draw: rows are counted from the frame's first one, so a terminal
//! that answers no questions is drawn on as well. While there is no text to edit, the cursor is parked, hidden, on the
//! first row: whatever a terminal does to its lines when it is resized, all from there on is ours to draw anew.

use super::render::Frame;
use super::terminal::Size;
use ratatui::backend::IntoTermina;
use ratatui::text::Line;
use std::io::Write;
use std::time::Duration;
use termina::escape::csi::{Csi, Sgr, SgrAttributes};
use tokio::time::Instant;

/// Until [`Screen::close`] says so, nothing is seen of what is between: no half a frame, no wandering cursor, and no row
/// that the terminal takes to be wider than we do and breaks.
const OPEN: &str = "\x1b[?2026h\x1b[?25l\x1b[?7l";
const CLOSE: &str = "\x1b[?7h\x1b[?2026l";
const SHOW_CURSOR: &str = "\x1b[?25h";
const ERASE_BELOW: &str = "\x1b[J";
const ERASE_RIGHT: &str = "\x1b[K";
const ASK_POSITION: &str = "\x1b[6n";

/// A terminal that has not answered by then does not answer.
const ANSWERS_WITHIN: Duration = Duration::from_secs(1);

/// What is drawn.
#[derive(Debug, Default)]
pub(crate) struct Screen {
    /// The rows as they were written.
    rows: Vec<String>,
    /// Where the terminal's cursor is, from the first row.
    cursor: (usize, usize),
    /// Where the first row is on the screen, from 0, if the terminal has told.
    top: Option<usize>,
    /// The row of the cursor when the terminal was asked last, and has not answered yet; and when that was.
    asked: Option<(usize, Instant)>,
    /// The frame has moved since, so that the answer will be of no use.
    moved: bool,
}

impl Screen {
    /// Makes sure that the next frame begins on a line of its own: what a program has written before, without ending its
    /// line, stays.
    pub(crate) fn begin(&mut self, size: Size, out: &mut Vec<u8>) {
        *self = Self { asked: self.asked, moved: true, ..Self::default() };
        // A row of spaces comes to its end on this line only if the cursor is at its start.
        push(out, &format!("{}\r{ERASE_BELOW}", " ".repeat(size.columns.saturating_sub(1))));
    }

    /// Draws a frame in place of the last. With `park` the cursor stays out of the text field.
    pub(crate) fn draw(&mut self, frame: &Frame, park: bool, size: Size, out: &mut Vec<u8>) {
        let rows: Vec<String> = frame.lines.iter().map(row).collect();
        let cursor = frame.cursor.filter(|_| !park);
        let target = cursor.unwrap_or((0, 0));
        if rows == self.rows && target == self.cursor {
            return;
        }
        push(out, OPEN);
        self.rewind(out);
        let mut at = 0;
        for (index, row) in rows.iter().enumerate() {
            if index > 0 {
                push(out, "\r\n");
                at = index;
            }
            if self.rows.get(index) != Some(row) {
                push(out, row);
                push(out, ERASE_RIGHT);
            }
        }
        if rows.len() < self.rows.len() {
            push(out, "\r\n");
            push(out, ERASE_BELOW);
            at += 1;
        }
        up(at - target.0.min(at), out);
        push(out, "\r");
        if target.1 > 0 {
            push(out, &format!("\x1b[{}C", target.1));
        }
        if cursor.is_some() {
            push(out, SHOW_CURSOR);
        }
        push(out, CLOSE);
        self.top = self.top.map(|top| top.min(size.rows.saturating_sub(rows.len())));
        self.rows = rows;
        self.cursor = target;
    }

    /// Takes the frame away. The cursor is at the start of what was its first row.
    pub(crate) fn erase(&mut self, out: &mut Vec<u8>) {
        self.rewind(out);
        push(out, ERASE_BELOW);
        self.rows.clear();
        self.cursor = (0, 0);
    }

    /// Leaves a line above the next frame. The frame was erased before.
    pub(crate) fn leave_line(&mut self, line: &Line<'_>, size: Size, out: &mut Vec<u8>) {
        push(out, &row(line));
        push(out, "\r\n");
        self.top = self.top.map(|top| (top + 1).min(size.rows.saturating_sub(1)));
        self.moved = true;
    }

    /// The terminal has another size: nothing is where it was, but all that is ours is from the first row on.
    pub(crate) fn resized(&mut self, out: &mut Vec<u8>) {
        self.erase(out);
        self.top = None;
        self.moved = true;
    }

    /// Asks the terminal where the frame is, so that a click can be told to be on it.
    pub(crate) fn ask_position(&mut self, now: Instant, out: &mut Vec<u8>) {
        if self.top.is_none() && self.asked.is_none() && !self.rows.is_empty() {
            push(out, ASK_POSITION);
            self.asked = Some((self.cursor.0, now));
            self.moved = false;
        }
    }

    /// The terminal answers that its cursor is in that row, from 0.
    pub(crate) fn answered(&mut self, row: usize, size: Size) {
        if let Some((asked, _)) = self.asked.take()
            && !std::mem::take(&mut self.moved)
        {
            let top = row.checked_sub(asked);
            // The frame may have grown since.
            self.top = top.map(|top| top.min(size.rows.saturating_sub(self.rows.len())));
        }
    }

    /// The terminal has been asked and may still answer.
    pub(crate) fn is_asking(&self, now: Instant) -> bool {
        self.asked.is_some_and(|(_, at)| now.saturating_duration_since(at) < ANSWERS_WITHIN)
    }

    /// The row of the frame at a row of the screen.
    pub(crate) fn row_at(&self, row: usize) -> Option<usize> {
        row.checked_sub(self.top?)
    }

    fn rewind(&mut self, out: &mut Vec<u8>) {
        up(self.cursor.0, out);
        push(out, "\r");
        self.cursor = (0, 0);
    }
}

fn up(rows: usize, out: &mut Vec<u8>) {
    if rows > 0 {
        push(out, &format!("\x1b[{rows}A"));
    }
}

fn push(out: &mut Vec<u8>, text: &str) {
    out.extend_from_slice(text.as_bytes());
}

/// A line as it is written. It ends with no style.
fn row(line: &Line<'_>) -> String {
    let mut out = Vec::new();
    for span in &line.spans {
        let attributes: SgrAttributes = line.style.patch(span.style).into_termina();
        let plain = attributes == SgrAttributes::default();
        // Writing to a vector does not fail.
        let _ = match plain {
            true => write!(out, "{}", span.content),
            false => {
                let style = Csi::Sgr(Sgr::Attributes(attributes));
                write!(out, "{style}{}{}", span.content, Csi::Sgr(Sgr::Reset))
            }
        };
    }
    String::from_utf8(out).unwrap_or_default()
}
