//! Asking at a terminal. A [`Prompter`] shows one prompt at a time and says what the person does with it; it decides no
//! end. The steps go to the gate, whose word comes back.

mod line;
mod render;
mod typed;

pub(crate) use render::{Style, command_lines, duration};
pub(crate) use typed::is_understood;

use crate::exit::Failure;
use crate::tty::Tty;
use crate::wire::{Action, Pending};
use std::rc::Rc;

/// What the person does with the prompt that is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    /// Takes the first step of a confirm-command.
    Acknowledge,
    /// Undoes the first step.
    Back,
    /// Answers, with a value of dialect A.
    Answer(String),
    /// Dismisses the prompt.
    Cancel,
    /// Is gone: the terminal has ended. It is the last step, whether or not a prompt is shown.
    Lost,
}

/// How the prompt that was shown has ended.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ending<'a> {
    /// Which end it is.
    pub(crate) action: Action,
    /// The answer.
    pub(crate) value: Option<&'a str>,
    /// Why it was cancelled, if somebody said.
    pub(crate) reason: Option<&'a str>,
    /// By a step of this prompter.
    pub(crate) here: bool,
}

/// Shows prompts, one at a time, and takes what a person does with them.
///
/// The order of calls: `show`, then `next` as often as it takes, each step being replied to by `acknowledged`, `refused`
/// or `close`; `close` may also come at any time. `next` is called while nothing is shown, too: what is typed then counts
/// for nothing.
pub(crate) trait Prompter {
    /// Shows a prompt; nothing else is shown. `behind` more wait after it. What was typed before counts for nothing.
    fn show(&mut self, prompt: &Rc<Pending>, behind: usize);

    /// What the person does next. The call may be dropped and made again at any time.
    async fn next(&mut self) -> Step;

    /// The last step was taken as the first step of a command, or as its undoing: the state after it.
    fn acknowledged(&mut self, armed: bool);

    /// The last step was refused, with this sentence; the prompt stays as it was.
    fn refused(&mut self, why: &str);

    /// The prompt has ended.
    fn close(&mut self, ending: &Ending<'_>);

    /// Writes out what is still to be seen, before the program ends.
    async fn finish(&mut self);
}

/// The prompter that [`open`] gives.
pub(crate) type Screen = line::LinePrompter;

/// Opens the terminal and gives the prompter that suits it.
///
/// # Errors
/// [`Failure::no_surface`] where there is no terminal; `instead` says what else to do.
pub(crate) fn open(plain: bool, instead: &str) -> Result<Screen, Failure> {
    let tty = Tty::open()
        .map_err(|_| Failure::no_surface(format!("There is no terminal to ask at; {instead}.")))?;
    Ok(Screen::new(tty, Style::from_environment(plain)))
}
