//! Line mode: the prompt is printed, and the answer is a line typed into the terminal's own editor.

use super::form::{self, FormLines};
use super::render;
use super::typed::{self, Typed};
use super::{Ending, Prompter, Queue, Refusal, Step};
use crate::tty::{LINE_MAX, Tty};
use crate::wire::Pending;
use askgate::form::{Form, Question};
use std::rc::Rc;
use std::time::Duration;
use tokio::time::Instant;

/// How long nothing counts after a prompt took the place of one that the person may have been answering.
const GUARD: Duration = Duration::from_millis(250);

/// How long the last words may take when the program ends.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// How many lines about the host are kept while a prompt waits; older ones say less about how things are.
const MOST_UNSAID: usize = 8;

/// Asks in line mode.
pub(crate) struct LinePrompter {
    tty: Tty,
    shown: Option<Rc<Pending>>,
    /// The form that is shown, if it is one.
    form: Option<FormLines>,
    armed: bool,
    /// The last prompt ended without a line typed here.
    interrupted: bool,
    /// The cursor is at the start of a line: a line was typed, and nothing printed since.
    at_start: bool,
    guarded_until: Option<Instant>,
    /// What is said once the prompt is over: a line in the middle of the one that is typed would be in its way.
    unsaid: Vec<String>,
}

impl LinePrompter {
    pub(super) const fn new(tty: Tty) -> Self {
        Self {
            tty,
            shown: None,
            form: None,
            armed: false,
            interrupted: false,
            at_start: true,
            guarded_until: None,
            unsaid: Vec::new(),
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
        if self.shown.is_none() && self.form.is_none() {
            return None;
        }
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
        if let Some(form) = &mut self.form {
            match form.take(line) {
                form::Typed::Step(step) => return Some(step),
                form::Typed::Next => self.invite_to_form(),
                form::Typed::Hint(hint) => self.again(&hint),
            }
            return None;
        }
        let shown = self.shown.clone()?;
        match typed::read(Self::question(&shown)?, self.armed, line) {
            Typed::Step(step) => Some(step),
            Typed::Hint(hint) => {
                self.again(&hint);
                None
            }
        }
    }

    fn invite_to_form(&mut self) {
        if let Some(form) = &self.form {
            let text = form.show(self.tty.columns());
            self.invite(&text);
        }
    }

    fn speak(&mut self) {
        for text in std::mem::take(&mut self.unsaid) {
            self.tty.print(&text);
        }
    }

    fn question(shown: &Pending) -> Option<Question<'_>> {
        shown.ask.form.question(0)
    }
}

impl Prompter for LinePrompter {
    fn show(&mut self, prompt: &Rc<Pending>, queue: Queue) {
        self.tty.start_over();
        self.guarded_until = self.interrupted.then(|| Instant::now() + GUARD);
        self.armed = false;
        let behind = queue.here + queue.elsewhere;
        let text = render::prompt(prompt, behind, self.tty.columns());
        self.invite(&text);
        self.shown = Some(Rc::clone(prompt));
    }

    fn show_form(&mut self, form: &Form, _timeout_ms: Option<u64>) {
        self.tty.start_over();
        self.form = Some(FormLines::new(form.clone()));
        self.invite_to_form();
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

    fn refused(&mut self, refusal: &Refusal<'_>) {
        if let Some(form) = &mut self.form {
            form.reopen(refusal.path);
            self.again(refusal.sentence);
            self.invite_to_form();
        } else if self.shown.is_some() {
            self.again(refusal.sentence);
        }
    }

    fn waiting(&mut self, _queue: Queue) {
        // A line that is printed cannot be brought up to date.
    }

    fn ended_unseen(&mut self, _prompt: &Rc<Pending>, _ending: &Ending<'_>, _count: usize) {
        // A line in the middle of the one that is typed would be in its way.
    }

    fn put_back(&mut self) {
        self.shown = None;
    }

    fn say(&mut self, text: &str) {
        self.unsaid.push(format!("{text}\n"));
        if self.shown.is_none() && self.form.is_none() {
            self.speak();
        } else if self.unsaid.len() > MOST_UNSAID {
            self.unsaid.remove(0);
        }
    }

    fn close(&mut self, ending: &Ending<'_>) {
        let columns = self.tty.columns();
        let text = match (self.shown.take(), self.form.take()) {
            (Some(shown), _) => {
                let Some(question) = Self::question(&shown) else { return };
                render::ending(question, ending, columns)
            }
            (None, Some(_)) => render::form_ending(ending, columns),
            (None, None) => return,
        };
        self.interrupted = !ending.here;
        if !std::mem::replace(&mut self.at_start, true) {
            self.tty.print("\n");
        }
        self.tty.print(&text);
        self.speak();
    }

    async fn finish(&mut self) {
        // A terminal that is stopped or gone does not hold the end up.
        let _ = tokio::time::timeout(LAST_WORDS, self.tty.flush()).await;
    }
}
