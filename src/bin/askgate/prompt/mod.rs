//! Asking at a terminal. A [`Prompter`] shows one prompt at a time and says what the person does with it; it decides no
//! end. The steps go to the gate, whose word comes back.

mod form;
mod line;
mod render;
mod typed;

pub(crate) use render::{Style, command_lines, duration};
pub(crate) use typed::is_understood;

use crate::exit::Failure;
use crate::tty::Tty;
use crate::tui::Tui;
use crate::wire::Pending;
use askgate::answer::OutcomeKind;
use askgate::form::Form;
use askgate::modal::Submission;
use std::rc::Rc;

/// What the person does with the prompt that is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    /// Takes the first step of a confirm-command.
    Acknowledge,
    /// Undoes the first step.
    Back,
    /// Answers.
    Answer(Submission),
    /// Dismisses the prompt (dialect A).
    Cancel,
    /// Declines the form (dialect B).
    Decline,
    /// Leaves the prompt for later, and wants to see that of another surface.
    NextSurface,
    /// Ends the host.
    Quit,
    /// Is gone: the terminal has ended. It is the last step, whether or not a prompt is shown.
    Lost,
}

/// How the prompt that was shown has ended.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ending<'a> {
    /// Which end it is.
    pub(crate) outcome: OutcomeKind,
    /// The answer (dialect A).
    pub(crate) value: Option<&'a str>,
    /// Why it was cancelled, if somebody said.
    pub(crate) reason: Option<&'a str>,
    /// By a step of this prompter.
    pub(crate) here: bool,
}

/// Why a step was refused.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Refusal<'a> {
    /// A code of spec 3.
    pub(crate) code: &'a str,
    /// A JSON pointer into what was sent.
    pub(crate) path: &'a str,
    /// What to do.
    pub(crate) sentence: &'a str,
}

/// What else waits while a prompt is shown.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Queue {
    /// On the same surface.
    pub(crate) here: usize,
    /// On other surfaces.
    pub(crate) elsewhere: usize,
}

/// Shows prompts, one at a time, and takes what a person does with them.
///
/// The order of calls: `show` or `show_form`, then `next` as often as it takes, each step being replied to by
/// `acknowledged`, `refused`, `put_back` or `close`; `close` may also come at any time. `next` is called while nothing is
/// shown, too: what is typed then counts for nothing.
pub(crate) trait Prompter {
    /// Shows a prompt; nothing else is shown. What was typed before counts for nothing.
    fn show(&mut self, prompt: &Rc<Pending>, queue: Queue);

    /// Shows a form of dialect B that times out in so many milliseconds.
    fn show_form(&mut self, form: &Form, timeout_ms: Option<u64>);

    /// What the person does next. The call may be dropped and made again at any time.
    async fn next(&mut self) -> Step;

    /// The last step was taken as the first step of a command, or as its undoing: the state after it.
    fn acknowledged(&mut self, armed: bool);

    /// The last step was refused; the prompt stays as it was.
    fn refused(&mut self, refusal: &Refusal<'_>);

    /// What else waits has changed, or not.
    fn waiting(&mut self, queue: Queue);

    /// So many prompts have ended that were not shown; this is the first of them.
    fn ended_unseen(&mut self, prompt: &Rc<Pending>, ending: &Ending<'_>, count: usize);

    /// The prompt waits on, but is not shown any more.
    fn put_back(&mut self);

    /// The prompt has ended.
    fn close(&mut self, ending: &Ending<'_>);

    /// Says something about the host itself, in one line that is display-safe and in nobody's way.
    fn say(&mut self, text: &str);

    /// Writes out what is still to be seen, before the program ends.
    async fn finish(&mut self);
}

/// The prompter that [`open`] gives.
pub(crate) enum Screen {
    /// Line by line.
    Line(Box<line::LinePrompter>),
    /// Drawn.
    Drawn(Box<Tui>),
}

/// How a prompter is to be opened.
#[derive(Debug, Clone, Default)]
pub(crate) struct Opening<'a> {
    /// In lines, whatever the terminal can do.
    pub(crate) plain: bool,
    /// What else to do where there is no terminal.
    pub(crate) instead: &'a str,
    /// It is a host's; what to show while nothing is asked.
    pub(crate) idle: Option<String>,
}

/// Opens the terminal and gives the prompter that suits it: lines where they are wanted, by `--plain` or by
/// `ACCESSIBLE=1` for a screen reader, or where the terminal can do no more.
///
/// # Errors
/// [`Failure::no_surface`] where there is no terminal.
pub(crate) fn open(opening: Opening<'_>) -> Result<Screen, Failure> {
    let Opening { plain, instead, idle } = opening;
    let none = |_| Failure::no_surface(format!("There is no terminal to ask at; {instead}."));
    if plain || render::is_plain_environment() {
        return Ok(Screen::Line(Box::new(line::LinePrompter::new(Tty::open().map_err(none)?))));
    }
    Tui::open(idle).map(|tui| Screen::Drawn(Box::new(tui))).map_err(none)
}

macro_rules! each {
    ($screen:ident, $prompter:ident => $does:expr) => {
        match $screen {
            Screen::Line($prompter) => $does,
            Screen::Drawn($prompter) => $does,
        }
    };
}

impl Prompter for Screen {
    fn show(&mut self, prompt: &Rc<Pending>, queue: Queue) {
        each!(self, prompter => prompter.show(prompt, queue));
    }

    fn show_form(&mut self, form: &Form, timeout_ms: Option<u64>) {
        each!(self, prompter => prompter.show_form(form, timeout_ms));
    }

    async fn next(&mut self) -> Step {
        each!(self, prompter => prompter.next().await)
    }

    fn acknowledged(&mut self, armed: bool) {
        each!(self, prompter => prompter.acknowledged(armed));
    }

    fn refused(&mut self, refusal: &Refusal<'_>) {
        each!(self, prompter => prompter.refused(refusal));
    }

    fn waiting(&mut self, queue: Queue) {
        each!(self, prompter => prompter.waiting(queue));
    }

    fn ended_unseen(&mut self, prompt: &Rc<Pending>, ending: &Ending<'_>, count: usize) {
        each!(self, prompter => prompter.ended_unseen(prompt, ending, count));
    }

    fn put_back(&mut self) {
        each!(self, prompter => prompter.put_back());
    }

    fn close(&mut self, ending: &Ending<'_>) {
        each!(self, prompter => prompter.close(ending));
    }

    fn say(&mut self, text: &str) {
        each!(self, prompter => prompter.say(text));
    }

    async fn finish(&mut self) {
        each!(self, prompter => prompter.finish().await);
    }
}
