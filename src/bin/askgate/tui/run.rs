//! One prompt after another on the terminal.

use super::decode::Decoder;
use super::flow::cut;
use super::input::{Meaning, meaning};
use super::render::Frame;
use super::screen::Screen;
use super::shown::{Shown, notes};
use super::summary::{End, how, summary};
use super::terminal::Terminal;
use super::theme::Theme;
use crate::prompt::{Ending, Prompter, Queue, Refusal, Step};
use crate::wire::Pending;
use askgate::answer::OutcomeKind;
use askgate::form::Form;
use askgate::modal::{Effect, Input, KeyCode, Manner, Modal, ModalPrompt, Mods, Options};
use askgate::time::Millis;
use ratatui::text::{Line, Span};
use rustix::process::{Signal as Sent, kill_current_process_group};
use std::io;
use std::rc::Rc;
use std::time::Duration;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::time::{Instant, sleep_until};

/// After a change of size the cursor stays out of the text for so long: while a window is dragged there are many.
const SETTLING: Duration = Duration::from_millis(300);

/// Nothing is drawn until sizes have been left alone for so long: what is drawn for one size and arrives at another ends up
/// in the wrong place.
const QUIET: Duration = Duration::from_millis(50);

/// A process that was told to stop and has not stopped by then does not stop: it has no shell that would go on with it.
const STOPPING: Duration = Duration::from_millis(300);

/// How long an answer that the terminal owes is waited for in the end.
const ANSWER: Duration = Duration::from_millis(200);

/// When a terminal that takes nothing more is tried again.
const WRITE_AGAIN: Duration = Duration::from_millis(20);

/// The longest sleep, so that no timer has to reach the end of time.
const LONGEST_SLEEP: Duration = Duration::from_secs(3_600);

/// The terminal prompt. See the [module documentation](super).
pub(crate) struct Tui {
    terminal: Terminal,
    decoder: Decoder,
    screen: Screen,
    theme: Theme,
    resized: Signal,
    continued: Signal,
    /// The origin of the modal's time.
    start: Instant,
    shown: Option<Shown>,
    /// What to show while there is no prompt. It is set where there will be others: in a host.
    idle: Option<String>,
    frame: Frame,
    /// What is drawn is not what there is to see.
    stale: bool,
    settles: Option<Instant>,
    quiet: Option<Instant>,
    /// The process was told to stop; this is when it has not.
    stopping: Option<Instant>,
    gone: bool,
}

impl Tui {
    /// Opens the terminal; it is taken over with the first call of [`Prompter::next`]. With `idle`, it is a host's: Ctrl+C is for the host, and this is what to show while nothing
    /// is asked.
    ///
    /// # Errors
    /// Where there is no terminal.
    pub(crate) fn open(idle: Option<String>) -> io::Result<Self> {
        let resized = signal(SignalKind::window_change())?;
        let continued = signal(SignalKind::from_raw(Sent::CONT.as_raw()))?;
        Ok(Self {
            terminal: Terminal::open()?,
            decoder: Decoder::default(),
            screen: Screen::default(),
            theme: Theme::from_environment(),
            resized,
            continued,
            start: Instant::now(),
            shown: None,
            idle,
            frame: Frame::default(),
            stale: true,
            settles: None,
            quiet: None,
            stopping: None,
            gone: false,
        })
    }

    fn now(&self) -> Millis {
        Millis(u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX))
    }

    fn present(&mut self, prompt: ModalPrompt, notes: Vec<String>) {
        self.forget_keys();
        let (form, deadline) = (prompt.form.clone(), prompt.deadline);
        let options = Options { terminal: self.idle.is_none(), ..Options::default() };
        let modal = Modal::new(prompt, options, self.now());
        self.shown = Some(Shown { modal, form, deadline, notes, scroll: 0, answer: None });
        self.stale = true;
    }

    /// What was typed before a prompt is there is not meant for it. It is read to its end, so that no half of a sequence
    /// is left to be taken for keys.
    fn forget_keys(&mut self) {
        if !self.terminal.is_entered() {
            return;
        }
        let bytes = self.terminal.read_now();
        self.decoder.feed(&bytes, Instant::now());
        while let Some(event) = self.decoder.next() {
            if let Some(Meaning::Position(row)) = meaning(event) {
                self.screen.answered(row, self.terminal.size());
            }
        }
    }

    /// Draws, unless the terminal has not taken what was drawn last.
    fn draw(&mut self) {
        if !self.stale || !self.terminal.is_written() || self.stopping.is_some() || self.quiet.is_some() {
            return;
        }
        self.stale = false;
        let size = self.terminal.size();
        let now = self.now();
        self.frame = match (&mut self.shown, &self.idle) {
            (Some(shown), _) => shown.frame(self.theme, size, now),
            (None, Some(idle)) => Frame::line(Line::from(Span::styled(idle.clone(), self.theme.dim))),
            (None, None) => Frame::default(),
        };
        let park = self.settles.is_some();
        self.screen.draw(&self.frame, park, size, self.terminal.out());
        if !self.frame.hits.is_empty() {
            self.screen.ask_position(Instant::now(), self.terminal.out());
        }
    }

    /// When something is to be done though nothing comes in.
    fn wakes(&self) -> Instant {
        let modal = self.shown.as_ref().and_then(|shown| shown.wakes(self.now()));
        let modal = modal.and_then(|at| self.start.checked_add(Duration::from_millis(at.0)));
        let write = (!self.terminal.is_written()).then(|| Instant::now() + WRITE_AGAIN);
        let all = [modal, self.decoder.due(), self.settles, self.quiet, self.stopping, write];
        let latest = Instant::now() + LONGEST_SLEEP;
        all.into_iter().flatten().fold(latest, Instant::min)
    }

    fn wake(&mut self) -> io::Result<()> {
        let now = Instant::now();
        self.decoder.tick(now);
        self.quiet = self.quiet.filter(|at| *at > now);
        if self.settles.is_some_and(|at| at <= now) {
            self.settles = None;
            self.stale = true;
        }
        if self.stopping.is_some_and(|at| at <= now) {
            self.go_on()?;
        }
        let now = self.now();
        if let Some(shown) = &mut self.shown {
            // The time that is left may read otherwise even if the modal is as it was.
            let _ = shown.modal.tick(now);
            self.stale = true;
        }
        Ok(())
    }

    /// Does what an event means; gives what it makes the person do.
    fn take(&mut self, meaning: Meaning) -> Option<Step> {
        match meaning {
            Meaning::Position(row) => {
                self.screen.answered(row, self.terminal.size());
                // What moved while it was asked is asked again.
                self.stale = true;
            }
            Meaning::Suspend => self.stop(),
            Meaning::Redraw => {
                self.screen.erase(self.terminal.out());
                self.stale = true;
            }
            Meaning::EndOfInput if self.shown.as_ref().is_some_and(Shown::is_typing) => {}
            Meaning::EndOfInput => {
                self.gone = true;
                return Some(Step::Lost);
            }
            Meaning::NextSurface if self.idle.is_some() => return Some(Step::NextSurface),
            Meaning::Key(key)
                if self.idle.is_some() && key.code == KeyCode::Char('c') && key.mods == Mods::CTRL =>
            {
                return Some(Step::Quit);
            }
            other => return self.take_for_modal(other),
        }
        None
    }

    fn take_for_modal(&mut self, meaning: Meaning) -> Option<Step> {
        let now = self.now();
        let shown = self.shown.as_mut()?;
        let input = match &meaning {
            Meaning::Key(key) if self.frame.too_small && !leaves(key.code, key.mods) => return None,
            Meaning::Key(key) => Input::Key(*key),
            Meaning::Paste(_) if self.frame.too_small => return None,
            Meaning::Paste(text) => Input::Paste(text),
            Meaning::Click(column, row) => {
                Input::Activate(self.screen.row_at(*row).and_then(|row| self.frame.hit(row, *column))?)
            }
            Meaning::Scroll(lines) => {
                shown.scroll = shown.scroll.saturating_add_signed(*lines).min(self.frame.most_scroll);
                self.stale = true;
                return None;
            }
            _ => return None,
        };
        let page = shown.modal.view().page;
        let effect = shown.modal.input(now, input);
        if shown.modal.view().page != page {
            shown.scroll = 0;
        }
        self.stale |= effect != Effect::None;
        match effect {
            Effect::None | Effect::Redraw => None,
            Effect::Acknowledge => Some(Step::Acknowledge),
            Effect::Back => Some(Step::Back),
            Effect::Submit(answer) => {
                shown.answer = Some(answer.clone());
                Some(Step::Answer(answer))
            }
            Effect::Cancel => Some(Step::Cancel),
            Effect::Decline => Some(Step::Decline),
        }
    }

    /// Gives the terminal back and lets the shell have it, until it goes on with us.
    fn stop(&mut self) {
        self.screen.erase(self.terminal.out());
        self.terminal.leave();
        self.stopping = Some(Instant::now() + STOPPING);
        // Where it cannot be sent, or nobody could go on with us, we go on by ourselves.
        let _ = kill_current_process_group(Sent::TSTP);
    }

    fn go_on(&mut self) -> io::Result<()> {
        let stopped_here = self.stopping.take().is_some();
        self.terminal.enter_again()?;
        if stopped_here {
            self.decoder.clear();
            self.screen.begin(self.terminal.size(), self.terminal.out());
        } else {
            self.screen.resized(self.terminal.out());
        }
        self.stale = true;
        Ok(())
    }

    async fn step(&mut self) -> io::Result<Step> {
        if !self.terminal.is_entered() && self.stopping.is_none() {
            self.terminal.enter()?;
            self.screen.begin(self.terminal.size(), self.terminal.out());
        }
        loop {
            while let Some(event) = self.decoder.next() {
                if let Some(step) = meaning(event).and_then(|meaning| self.take(meaning)) {
                    return Ok(step);
                }
                if self.stopping.is_some() {
                    break;
                }
            }
            self.terminal.write()?;
            self.draw();
            self.terminal.write()?;
            self.listen().await?;
        }
    }

    /// The next thing that comes in, or the end of the terminal.
    async fn listen(&mut self) -> io::Result<()> {
        let wakes = self.wakes();
        let listening = self.stopping.is_none();
        tokio::select! {
            read = self.terminal.read(), if listening => match read? {
                Some(bytes) => self.decoder.feed(&bytes, Instant::now()),
                None => return Err(io::ErrorKind::UnexpectedEof.into()),
            },
            _ = self.continued.recv() => self.go_on()?,
            _ = self.resized.recv(), if listening => {
                self.screen.resized(self.terminal.out());
                self.settles = Some(Instant::now() + SETTLING);
                self.quiet = Some(Instant::now() + QUIET);
                self.stale = true;
            }
            () = sleep_until(wakes) => self.wake()?,
        }
        Ok(())
    }

    fn leave_line(&mut self, form: &Form, end: End<'_>) {
        let size = self.terminal.size();
        let line = summary(form, end, self.theme, size.columns);
        let out = self.terminal.out();
        self.screen.erase(out);
        self.screen.leave_line(&line, size, out);
        self.stale = true;
    }
}

impl Prompter for Tui {
    fn show(&mut self, prompt: &Rc<Pending>, queue: Queue) {
        let ask = &prompt.ask;
        let left = prompt.time_left();
        self.present(
            ModalPrompt {
                manner: Manner::Request,
                surface: self.idle.is_some().then(|| (&*ask.surface).into()),
                attribution: ask.agent.as_ref().map(|agent| (&**agent).into()),
                form: ask.form.clone(),
                deadline: left.and_then(|left| self.now().checked_add(left)),
            },
            notes(queue),
        );
    }

    fn show_form(&mut self, form: &Form, timeout_ms: Option<u64>) {
        self.present(
            ModalPrompt {
                manner: Manner::Session,
                surface: None,
                attribution: None,
                form: form.clone(),
                deadline: timeout_ms.and_then(|ms| self.now().checked_add(ms)),
            },
            Vec::new(),
        );
    }

    async fn next(&mut self) -> Step {
        if self.gone {
            // It is said once; whoever asks again waits.
            std::future::pending::<()>().await;
        }
        match self.step().await {
            Ok(step) => step,
            Err(_) => {
                self.gone = true;
                Step::Lost
            }
        }
    }

    fn acknowledged(&mut self, armed: bool) {
        let now = self.now();
        if let Some(shown) = &mut self.shown
            && armed
        {
            let _ = shown.modal.acknowledged(now);
            self.stale = true;
        }
    }

    fn refused(&mut self, refusal: &Refusal<'_>) {
        let now = self.now();
        if let Some(shown) = &mut self.shown {
            let _ = shown.modal.reject(now, refusal.code, refusal.path, refusal.sentence);
            self.stale = true;
        }
    }

    fn close(&mut self, ending: &Ending<'_>) {
        let Some(mut shown) = self.shown.take() else { return };
        let now = self.now();
        let _ = shown.modal.close(now, ending.outcome);
        let how = how(ending);
        let end = match (ending.outcome, &shown.answer, ending.value) {
            (OutcomeKind::Answered, Some(answer), _) if ending.here => End::Answered(answer),
            (OutcomeKind::Answered, _, value) => End::AnsweredElsewhere(value),
            _ => End::Unanswered(&how),
        };
        self.leave_line(&shown.form, end);
    }

    fn waiting(&mut self, queue: Queue) {
        if let Some(shown) = &mut self.shown {
            shown.notes = notes(queue);
            self.stale = true;
        }
    }

    fn ended_unseen(&mut self, prompt: &Rc<Pending>, ending: &Ending<'_>, count: usize) {
        let mut how = how(ending);
        if count > 1 {
            how = format!("{how}, and {} more", count - 1);
        }
        let end = match ending.value {
            Some(value) if count == 1 => End::AnsweredElsewhere(Some(value)),
            Some(_) | None => End::Unanswered(&how),
        };
        self.leave_line(&prompt.ask.form, end);
    }

    fn say(&mut self, text: &str) {
        let size = self.terminal.size();
        let line = Line::raw(cut(text, size.columns.saturating_sub(1)));
        let out = self.terminal.out();
        self.screen.erase(out);
        self.screen.leave_line(&line, size, out);
        self.stale = true;
    }

    fn put_back(&mut self) {
        self.shown = None;
        self.stale = true;
    }

    async fn finish(&mut self) {
        if self.screen.is_asking(Instant::now()) && !self.gone {
            self.terminal.await_answer(ANSWER);
        }
        self.screen.erase(self.terminal.out());
        self.terminal.leave();
    }
}

/// The keys that leave a prompt.
fn leaves(code: KeyCode, mods: Mods) -> bool {
    matches!((code, mods), (KeyCode::Esc, Mods::NONE) | (KeyCode::Char('c'), Mods::CTRL))
}
