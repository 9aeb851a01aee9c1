//! The modal: what a person sees and does, from the first key to the answer that goes out (spec 10).
//!
//! One reducer for terminals, webviews and C hosts: an [`Input`] and the time go in, an [`Effect`] comes out, and
//! [`Modal::view`] says what to draw. It knows no gate and decides no outcome; its effects are what the surface sends
//! there, and the host reports back:
//!
//! 1. [`Modal::new`] when the prompt is shown.
//! 2. [`Modal::input`] for all that the person does; draw again on any effect but [`Effect::None`].
//! 3. Send [`Effect::Submit`], [`Effect::Decline`], [`Effect::Cancel`], [`Effect::Acknowledge`] and [`Effect::Back`] to
//!    the gate.
//! 4. Report what came of it: [`Modal::acknowledged`], [`Modal::reject`] if it was refused and can be tried again,
//!    [`Modal::close`] when the prompt has ended, however it did (also on `already_resolved` and `not_found`).
//! 5. [`Modal::tick`] when [`Modal::next_deadline`] has come. Nothing goes wrong if that is late.
//!
//! After something was sent the modal waits and takes no input, until it is confirmed, refused, or `confirm_ms` have
//! passed: an answer never confirmed can be given again. What the person selected and typed stays throughout.
//!
//! What a key does depends on what has the focus; any other key does nothing. Letters count in either case:
//!
//! <!-- keys -->
//! | focus on | keys |
//! |---|---|
//! | an option, one to choose | `Enter` choose (choose and go on in a form); `Space` select; `Up` `Down` `Left` `Right` `Home` `End` move; `1` `2` `3` `4` `5` `6` `7` `8` `9` option; `o` your own; `Tab` `Shift+Tab` other control; `PageUp` `PageDown` other question; `Esc` `Ctrl+C` cancel (decline in a form) |
//! | an option, several to choose | `Space` toggle; `Enter` go on; `Up` `Down` `Left` `Right` `Home` `End` move; `1` `2` `3` `4` `5` `6` `7` `8` `9` option; `o` your own; `Tab` `Shift+Tab` other control; `PageUp` `PageDown` other question; `Esc` `Ctrl+C` cancel (decline in a form) |
//! | the row of the custom answer | `Enter` type your own or go on; `Space` take back; `Up` `Down` `Left` `Right` `Home` `End` move; `1` `2` `3` `4` `5` `6` `7` `8` `9` option; `o` your own; `Tab` `Shift+Tab` other control; `PageUp` `PageDown` other question; `Esc` `Ctrl+C` cancel (decline in a form) |
//! | the text field | printable keys: text; `Enter` submit (go on in a form); `Shift+Enter` `Alt+Enter` new line; `Left` `Right` `Up` `Down` `Home` `End` move; `Backspace` `Delete` erase; `Tab` `Shift+Tab` other control; `PageUp` `PageDown` other question; `Esc` `Ctrl+C` cancel (decline in a form) |
//! | another control | `Enter` `Space` press; `y` yes; `n` no; `1` `2` `3` `4` `5` `6` `7` `8` `9` option; `o` your own; `Tab` `Shift+Tab` `Down` `Right` `Up` `Left` other control; `PageUp` `PageDown` other question; `Esc` `Ctrl+C` cancel (decline in a form) |
//! <!-- /keys -->
//!
//! ```
//! use askgate::form::{FormBuilder, QuestionKind};
//! use askgate::limits::Limits;
//! use askgate::modal::{Effect, Input, Key, KeyCode, Manner, Modal, ModalPrompt, Options, Submission};
//! use askgate::time::Millis;
//!
//! let mut form = FormBuilder::new(&Limits::DEFAULT);
//! form.open(QuestionKind::YesNo)?;
//! form.title("Run install?")?;
//! let prompt = ModalPrompt {
//!     manner: Manner::Request,
//!     surface: Some("surface:3".into()),
//!     attribution: Some("claude:1".into()),
//!     form: form.build()?,
//!     deadline: None,
//! };
//! let mut modal = Modal::new(prompt, Options::default(), Millis(0));
//! let yes = Input::Key(KeyCode::Char('y').into());
//! // Whatever was in flight when the modal appeared does not answer it.
//! assert_eq!(modal.input(Millis(100), yes), Effect::None);
//! assert_eq!(modal.input(Millis(350), yes), Effect::Submit(Submission::Value("yes".into())));
//! # Ok::<(), askgate::error::Fault>(())
//! ```

mod controls;
mod editor;
mod input;
mod keymap;
mod page;
mod plan;
mod reduce;
mod submission;
mod view;

pub use input::{ControlId, Input, Key, KeyCode, Mods, UnknownName};
pub use submission::Submission;
pub use view::{
    CommandView, Control, ControlRole, ErrorView, PageView, PhaseView, Role, Style, TextView, View, Window,
};

use crate::answer::OutcomeKind;
use crate::form::{DefaultHint, Form, QuestionKind};
use crate::json::{ToJson, object, piece};
use crate::time::{Clock, Millis};
use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::String;
use page::Pages;

/// Whose prompt it is, which decides how it is answered and left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    /// Dialect A: one question, answered by one value; choosing sends it; leaving cancels.
    Request,
    /// Dialect B: a form of questions with custom answers, sent by submitting; leaving declines it all.
    Session,
}

/// What a modal shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModalPrompt {
    /// Whose prompt it is.
    pub manner: Manner,
    /// Where it is shown, to be shown with it.
    pub surface: Option<Box<str>>,
    /// Who asks, to be shown with it.
    pub attribution: Option<Box<str>>,
    /// What is asked.
    pub form: Form,
    /// When it times out, to be shown with it; the modal does nothing by it.
    pub deadline: Option<Millis>,
}

/// How a modal behaves on its surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// How many rows of the list the surface has room for. By default all.
    pub rows: usize,
    /// How long what could answer does nothing after something new appears, in milliseconds, so that keys and clicks
    /// meant for something else do not answer; 0 turns that off. By default 250, and 1,000 for a command.
    pub guard_ms: Option<u64>,
    /// How long to wait for what was sent to be confirmed, in milliseconds, before it can be sent again.
    pub confirm_ms: u64,
    /// The surface is a terminal, where Ctrl+C leaves; elsewhere it is copy.
    pub terminal: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { rows: usize::MAX, guard_ms: None, confirm_ms: 5_000, terminal: true }
    }
}

/// What the host is to do. As JSON it is its name in lower case, and an answer is `{"submit": …}`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub enum Effect {
    /// Nothing.
    None,
    /// Draw the view again. So it is after each of the effects below.
    Redraw,
    /// Send the answer.
    Submit(Submission),
    /// Send that the form is declined (dialect B).
    Decline,
    /// Send that the prompt is cancelled (dialect A).
    Cancel,
    /// Send that the command is acknowledged.
    Acknowledge,
    /// Send that the acknowledgement is undone.
    Back,
}

impl ToJson for Effect {
    fn write_json(&self, out: &mut String) {
        match self {
            Self::None => piece(out, "\"none\""),
            Self::Redraw => piece(out, "\"redraw\""),
            Self::Submit(submission) => object!(out, "submit": submission),
            Self::Decline => piece(out, "\"decline\""),
            Self::Cancel => piece(out, "\"cancel\""),
            Self::Acknowledge => piece(out, "\"acknowledge\""),
            Self::Back => piece(out, "\"back\""),
        }
    }
}

/// Whether the modal takes input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Editing,
    Sent { until: Millis },
    Closed(OutcomeKind),
}

/// Where a command stands; other prompts stay at the first step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    /// To be acknowledged; `waits` says until when an acknowledgement that was sent is awaited.
    Acknowledge { waits: Option<Millis> },
    /// To be run.
    Run,
}

/// What has the focus. The list is one stop; which of its rows is the page's cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Focus {
    List,
    Control(ControlId),
}

/// An error that is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Notice {
    code: Cow<'static, str>,
    message: Cow<'static, str>,
    control: Option<ControlId>,
}

/// One prompt on one surface. See the [module](self) for how to drive it.
#[derive(Debug, Clone)]
pub struct Modal {
    prompt: ModalPrompt,
    options: Options,
    clock: Clock,
    phase: Phase,
    step: Step,
    pages: Pages,
    focus: Focus,
    /// Until when the guard holds; `None` once it has ended.
    guard: Option<Millis>,
    error: Option<Notice>,
}

impl Modal {
    /// Shows a prompt.
    #[must_use]
    pub fn new(prompt: ModalPrompt, options: Options, now: Millis) -> Self {
        let pages = Pages::new(&prompt.form);
        let mut modal = Self {
            prompt,
            options,
            clock: Clock::default(),
            phase: Phase::Editing,
            step: Step::Acknowledge { waits: None },
            pages,
            focus: Focus::List,
            guard: None,
            error: None,
        };
        modal.clock.advance(now);
        modal.appear();
        modal.pages.scroll(options.rows);
        modal
    }

    /// Takes what happened on the surface.
    // Inlined, so that a key, which has no other way in, is not put together only to be taken apart again.
    #[inline]
    pub fn input(&mut self, now: Millis, input: Input<'_>) -> Effect {
        let woke = self.wake(now);
        let effect = match (input, self.phase) {
            (Input::Resize(rows), _) => self.resize(rows),
            (_, Phase::Sent { .. } | Phase::Closed(_)) => Effect::None,
            (Input::Key(key), Phase::Editing) => self.key(key),
            (Input::Paste(text), Phase::Editing) => self.paste(text),
            (Input::Activate(id), Phase::Editing) => self.activate(id),
            (Input::SetText(text), Phase::Editing) => self.set_text(text),
            (Input::Focus(id), Phase::Editing) => self.focus_on(id),
        };
        self.pages.scroll(self.options.rows);
        if matches!(effect, Effect::None) { redraw_if(woke) } else { effect }
    }

    /// Lets time pass. Early or twice is harmless.
    pub fn tick(&mut self, now: Millis) -> Effect {
        redraw_if(self.wake(now))
    }

    /// When time alone will change the view, or `None` if it will not. It may change with every call.
    #[must_use]
    pub fn next_deadline(&self) -> Option<Millis> {
        let confirm = match (self.phase, self.step) {
            (Phase::Sent { until }, _) => Some(until),
            (Phase::Editing, Step::Acknowledge { waits }) => waits,
            (Phase::Editing, Step::Run) | (Phase::Closed(_), _) => None,
        };
        match (confirm, self.guard) {
            (Some(confirm), Some(guard)) => Some(confirm.min(guard)),
            (either, None) | (None, either) => either,
        }
    }

    /// The gate has taken the acknowledgement: shows the second step of a command. Does nothing at any other time.
    pub fn acknowledged(&mut self, now: Millis) -> Effect {
        let woke = self.wake(now);
        if self.phase != Phase::Editing || self.step == Step::Run || !self.prompt.form.is_command() {
            return redraw_if(woke);
        }
        self.step = Step::Run;
        self.appear();
        Effect::Redraw
    }

    /// What was sent was refused, so: a code, a JSON pointer into what was sent, and a sentence for the person. The
    /// modal reopens with everything as it was and shows the question that the path is about.
    pub fn reject(&mut self, now: Millis, code: &str, path: &str, message: &str) -> Effect {
        let woke = self.wake(now);
        if let Step::Acknowledge { waits } = &mut self.step {
            *waits = None;
        }
        match self.phase {
            Phase::Closed(_) => return redraw_if(woke),
            Phase::Editing => {}
            Phase::Sent { .. } => {
                self.phase = Phase::Editing;
                self.reopen_at(code, path);
            }
        }
        let control = match answer_index(path) {
            Some(index) if index == self.pages.index() => Some(self.focused()),
            Some(_) => None,
            None => Some(ControlId::Text).filter(|text| path == "/value" && self.has(*text)),
        };
        self.error =
            Some(Notice { code: Cow::Owned(code.into()), message: Cow::Owned(message.into()), control });
        self.pages.scroll(self.options.rows);
        Effect::Redraw
    }

    /// The prompt has ended. Taken in any phase, once; nothing changes afterwards.
    pub fn close(&mut self, now: Millis, outcome: OutcomeKind) -> Effect {
        let woke = self.wake(now);
        match self.phase {
            Phase::Closed(_) => redraw_if(woke),
            Phase::Editing | Phase::Sent { .. } => {
                self.phase = Phase::Closed(outcome);
                Effect::Redraw
            }
        }
    }

    /// Takes the time, and does what time alone does; says whether that changed the view.
    #[inline(always)]
    fn wake(&mut self, now: Millis) -> bool {
        let now = self.clock.advance(now);
        // Mostly nothing waits for a time.
        let waits = self.guard.is_some()
            || self.phase != Phase::Editing
            || matches!(self.step, Step::Acknowledge { waits: Some(_) });
        waits && self.wake_what_waits(now)
    }

    fn wake_what_waits(&mut self, now: Millis) -> bool {
        let mut changed = false;
        if self.guard.is_some_and(|until| until <= now) {
            self.guard = None;
            changed = true;
        }
        match (self.phase, &mut self.step) {
            (Phase::Sent { until }, _) if until <= now => {
                self.phase = Phase::Editing;
                self.error = Some(Notice {
                    code: "unconfirmed".into(),
                    message: "Nobody confirmed it; try again.".into(),
                    control: None,
                });
                changed = true;
            }
            (Phase::Editing, Step::Acknowledge { waits }) if waits.is_some_and(|until| until <= now) => {
                *waits = None;
                changed = true;
            }
            (
                Phase::Editing | Phase::Sent { .. } | Phase::Closed(_),
                Step::Acknowledge { .. } | Step::Run,
            ) => {}
        }
        changed
    }

    /// A prompt, a question or a step appears: focus it, forget the error, start the guard.
    fn appear(&mut self) {
        self.focus = self.home();
        self.error = None;
        self.hold();
    }

    /// Starts the guard, or starts it again.
    fn hold(&mut self) {
        let usual = if self.prompt.form.is_command() { 1_000 } else { 250 };
        let ms = self.options.guard_ms.unwrap_or(usual);
        self.guard = (ms > 0).then(|| self.after(ms));
    }

    /// So many milliseconds from now, or the end of time.
    fn after(&self, ms: u64) -> Millis {
        Millis(self.clock.latest().0.saturating_add(ms))
    }

    /// Where the focus is when the shown question, or the step of a command, appears.
    fn home(&self) -> Focus {
        let form = &self.prompt.form;
        match self.pages.shown().kind {
            QuestionKind::Select { .. } => Focus::List,
            QuestionKind::Text => Focus::Control(ControlId::Text),
            QuestionKind::ConfirmCommand => Focus::Control(self.leave_control()),
            QuestionKind::YesNo => {
                let default = form.question(self.pages.index()).and_then(|question| question.default());
                Focus::Control(match default {
                    Some(DefaultHint::No) => ControlId::No,
                    None if form.is_unsafe() => ControlId::No,
                    Some(DefaultHint::Yes | DefaultHint::Choice(_) | DefaultHint::Text(_)) | None => {
                        ControlId::Yes
                    }
                })
            }
        }
    }

    /// The control that leaves.
    const fn leave_control(&self) -> ControlId {
        match self.prompt.manner {
            Manner::Request => ControlId::Cancel,
            Manner::Session => ControlId::Decline,
        }
    }

    /// Shows what a refusal is about. What is shown already does not appear anew.
    fn reopen_at(&mut self, code: &str, path: &str) {
        if code == "not_acknowledged" && self.prompt.form.is_command() {
            self.step = Step::Acknowledge { waits: None };
            self.appear();
        } else if let Some(index) = answer_index(path).filter(|index| *index < self.pages.len()) {
            let moved = index != self.pages.index();
            self.pages.show(index);
            self.focus = self.home();
            if moved {
                self.hold();
            }
        }
    }
}

fn redraw_if(changed: bool) -> Effect {
    if changed { Effect::Redraw } else { Effect::None }
}

/// The question that a path such as `/answers/2/custom` is about. Answers go out in question order.
fn answer_index(path: &str) -> Option<usize> {
    path.strip_prefix("/answers/")?.split('/').next()?.parse().ok()
}
