//! Line mode: the prompt is printed, and the answer is a line typed into the terminal's own editor.

use super::render::{self, Style};
use super::typed::{self, Typed};
use super::{Ending, Prompter, Step};
use crate::tty::{LINE_MAX, Tty};
use crate::wire::Pending;
use askgate::form::Question;
use std::rc::Rc;
use std::time::Duration;
use tokio::time::Instant;

/// How long nothing counts after a prompt took the place of one that the person may have been answering.
const GUARD: Duration = Duration::from_millis(250);

/// How long the last words may take when the program ends.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// Asks in line mode.
pub(crate) struct LinePrompter {
    tty: Tty,
    style: Style,
    shown: Option<Rc<Pending>>,
    armed: bool,
    /// The last prompt ended without a line typed here.
    interrupted: bool,
    /// The cursor is at the start of a line: a line was typed, and nothing printed since.
    at_start: bool,
    guarded_until: Option<Instant>,
}

impl LinePrompter {
    pub(super) const fn new(tty: Tty, style: Style) -> Self {
        Self {
            tty,
            style,
            shown: None,
            armed: false,
            interrupted: false,
            at_start: true,
            guarded_until: None,
        }
    }

    /// Prints something that ends in the place to type.
    fn invite(&mut self, text: &str) {
        self.tty.print(text);
        self.at_start = false;
    }

    fn again(&mut self, sentence: &str) {
        let text = render::again(sentence, self.tty.columns());
        self.invite(&text);
    }

    fn read(&mut self, line: &[u8]) -> Option<Step> {
        let shown = self.shown.clone()?;
        let question = shown.ask.form.question(0)?;
        if self.guarded_until.is_some_and(|until| Instant::now() < until) {
            self.guarded_until = Some(Instant::now() + GUARD);
            self.again("This is another prompt than before; read it, then answer again.");
            return None;
        }
        if line.len() >= LINE_MAX {
            self.again("The terminal may have cut a line as long as that; type a shorter one.");
            return None;
        }
        let Ok(line) = std::str::from_utf8(line) else {
            self.again("That line is no UTF-8; type it again.");
            return None;
        };
        match typed::read(question, self.armed, line) {
            Typed::Step(step) => Some(step),
            Typed::Hint(hint) => {
                self.again(&hint);
                None
            }
        }
    }

    fn question(shown: &Pending) -> Option<Question<'_>> {
        shown.ask.form.question(0)
    }
}

impl Prompter for LinePrompter {
    fn show(&mut self, prompt: &Rc<Pending>, behind: usize) {
        self.tty.start_over();
        self.guarded_until = self.interrupted.then(|| Instant::now() + GUARD);
        self.armed = false;
        let text = render::prompt(self.style, prompt, behind, self.tty.columns());
        self.invite(&text);
        self.shown = Some(Rc::clone(prompt));
    }

    async fn next(&mut self) -> Step {
        loop {
            let Ok(Some(line)) = self.tty.line().await else { return Step::Lost };
            self.at_start = true;
            if let Some(step) = self.read(&line) {
                return step;
            }
        }
    }

    fn acknowledged(&mut self, armed: bool) {
        let Some(shown) = &self.shown else { return };
        let Some(question) = Self::question(shown) else { return };
        self.armed = armed;
        let text = render::step(question, armed, self.tty.columns());
        self.tty.start_over();
        self.invite(&text);
    }

    fn refused(&mut self, why: &str) {
        if self.shown.is_some() {
            self.again(why);
        }
    }

    fn close(&mut self, ending: &Ending<'_>) {
        let Some(shown) = self.shown.take() else { return };
        let Some(question) = Self::question(&shown) else { return };
        self.interrupted = !ending.here;
        let text = render::ending(question, ending, self.tty.columns());
        if !std::mem::replace(&mut self.at_start, true) {
            self.tty.print("\n");
        }
        self.tty.print(&text);
    }

    async fn finish(&mut self) {
        // A terminal that is stopped or gone does not hold the end up.
        let _ = tokio::time::timeout(LAST_WORDS, self.tty.flush()).await;
    }
}
