//! A terminal as a surface: it takes the pushes of one connection, shows the first prompt of each surface in turn, and
//! turns what the person does into requests on that connection.

use crate::forms::{Forms, News};
use crate::prompt::{Ending, Prompter, Queue, Refusal, Step};
use crate::wire::{self, Acknowledged, Message, Pending, Push, Resolved, Response, prompt_id, request};
use askgate::id::PromptId;
use askgate::mirror::{self, Mirror};
use serde_json::json;
use std::rc::Rc;

/// What the person at the desk does.
#[derive(Debug)]
pub(crate) enum Act {
    /// Sends this line.
    Send(String),
    /// Sends this line as an operator.
    Resolve(String),
    /// Ends the host.
    Quit,
    /// Is gone.
    Lost,
}

/// A terminal as a surface. See the [module documentation](self).
pub(crate) struct Desk<P> {
    prompter: P,
    mirror: Mirror<Rc<Pending>>,
    shown: Option<PromptId>,
    forms: Forms,
    /// The form that is shown.
    form: Option<PromptId>,
    /// The surface whose prompt was shown last.
    surface: Option<Box<str>>,
    /// A step of ours has ended the prompt that is shown.
    ended_here: bool,
    /// Of the prompts that ended without having been shown since the last call of [`Self::settle`]: the first, and how many.
    unseen: Option<(Rc<Pending>, Response, usize)>,
    calls: u64,
}

impl<P: Prompter> Desk<P> {
    pub(crate) fn new(prompter: P) -> Self {
        Self {
            prompter,
            mirror: Mirror::new(),
            shown: None,
            forms: Forms::default(),
            form: None,
            surface: None,
            ended_here: false,
            unseen: None,
            calls: 0,
        }
    }

    /// Takes a line that was sent to one of the desk's connections.
    pub(crate) fn take(&mut self, line: &str) {
        if let Some(news) = self.forms.take(line) {
            return self.form_news(&news);
        }
        let Some(message) = Message::read(line.as_bytes()) else { return };
        if let Some(push) = message.params {
            self.push(push);
        } else if message.id != Some(self.calls) {
            // About a prompt that was shown before.
        } else if let Some(error) = message.error {
            self.prompter.refused(&refusal(&error));
        } else if let Some(result) = message.result {
            self.replied(result.get());
        }
    }

    fn form_news(&mut self, news: &News) {
        match news {
            News::Ended(prompt, outcome) if self.form == Some(*prompt) => {
                self.form = None;
                let here = std::mem::take(&mut self.ended_here);
                self.prompter.close(&Ending { outcome: *outcome, value: None, reason: None, here });
            }
            News::Ended(..) | News::Asked => {}
        }
    }

    fn push(&mut self, push: Push) {
        if let Some(request) = push.request {
            let Some(pending) = Pending::read(request.get()) else { return };
            let Some(prompt) = prompt_id(&pending.id) else { return };
            let surface = pending.ask.surface.as_str().into();
            self.mirror.apply(mirror::Push::Shown {
                seq: push.seq,
                prompt,
                surface,
                content: Rc::new(pending),
            });
        } else if let Some(response) = push.response {
            let Some(prompt) = prompt_id(&response.request_id) else { return };
            if self.shown != Some(prompt) {
                self.ended_unseen(prompt, &response);
            }
            self.mirror.apply(mirror::Push::Resolved { seq: push.seq, prompt });
            if self.shown == Some(prompt) {
                self.shown = None;
                let here = std::mem::take(&mut self.ended_here);
                self.prompter.close(&ending(&response, here));
            }
        }
    }

    fn ended_unseen(&mut self, prompt: PromptId, response: &Response) {
        match &mut self.unseen {
            Some((_, _, count)) => *count += 1,
            none => {
                let ended = self.mirror.pending().find(|(id, _)| *id == prompt);
                *none = ended.map(|(_, pending)| (Rc::clone(&pending.content), response.clone(), 1));
            }
        }
    }

    /// Shows the next prompt if none is shown: of the surface after the one that had its turn. To be called once all lines
    /// that came together were taken.
    pub(crate) fn settle(&mut self) {
        if let Some((pending, response, count)) = self.unseen.take() {
            self.prompter.ended_unseen(&pending, &ending(&response, false), count);
        }
        if self.form.is_some() {
            return;
        }
        if let (Some(_), Some(surface)) = (self.shown, &self.surface) {
            let queue = self.queue(surface);
            return self.prompter.waiting(queue);
        }
        // The runs of sessions first: each of them waits for this terminal alone.
        if let Some((prompt, waiting)) = self.forms.first() {
            self.form = Some(prompt);
            self.prompter.show_form(&waiting.form, waiting.time_left());
            return;
        }
        let Some(surface) = self.next_surface() else { return };
        let queue = self.queue(&surface);
        let Some((prompt, pending)) = self.mirror.head(&surface) else { return };
        self.shown = Some(prompt);
        self.prompter.show(pending, queue);
        self.surface = Some(surface);
    }

    /// What waits besides the prompt that is shown for a surface.
    fn queue(&self, surface: &str) -> Queue {
        let here = self.mirror.count(surface);
        Queue { here: here.saturating_sub(1), elsewhere: self.mirror.len() - here }
    }

    /// The first surface behind the last one, in the order of their names, round the end.
    fn next_surface(&self) -> Option<Box<str>> {
        let surfaces = || self.mirror.surfaces().map(|(surface, _)| surface);
        let last = self.surface.as_deref().unwrap_or_default();
        surfaces().find(|surface| *surface > last).or_else(|| surfaces().next()).map(Into::into)
    }

    fn replied(&mut self, result: &str) {
        if let Ok(Acknowledged { acknowledged }) = serde_json::from_str(result) {
            self.prompter.acknowledged(acknowledged);
        } else if let Ok(Resolved { resolved }) = serde_json::from_str(result) {
            // If not resolved, it had ended before, and that push has come already.
            self.ended_here = resolved && (self.shown.is_some() || self.form.is_some());
        }
    }

    /// What the person does next. The call may be dropped and made again at any time.
    pub(crate) async fn act(&mut self) -> Act {
        loop {
            let step = self.prompter.next().await;
            match step {
                Step::Lost => return Act::Lost,
                Step::Quit => return Act::Quit,
                // With one surface there is no other.
                Step::NextSurface if self.form.is_none() && self.mirror.surfaces().len() > 1 => {
                    self.shown = None;
                    self.prompter.put_back();
                    self.settle();
                    continue;
                }
                _ => {}
            }
            if let Some(line) = self.resolve(&step) {
                return Act::Resolve(line);
            }
            if let Some(line) = self.request(&step) {
                return Act::Send(line);
            }
        }
    }

    /// The line that cancels the prompt that is shown.
    pub(crate) fn cancel(&mut self) -> Option<String> {
        self.request(&Step::Cancel)
    }

    fn resolve(&mut self, step: &Step) -> Option<String> {
        let params = self.forms.resolve(self.form?, step)?;
        self.calls += 1;
        Some(request(self.calls, "sessions.prompt.resolve", &params))
    }

    fn request(&mut self, step: &Step) -> Option<String> {
        let id = format!("req:{}", self.shown?);
        let (method, params) = match step {
            Step::Acknowledge => ("agent.ask_acknowledge", json!({ "request_id": id })),
            Step::Back => ("agent.ask_back", json!({ "request_id": id })),
            Step::Answer(value) => {
                ("agent.ask_answer", json!({ "request_id": id, "value": wire::value(value) }))
            }
            Step::Cancel | Step::Decline => ("agent.ask_cancel", json!({ "request_id": id })),
            Step::NextSurface | Step::Quit | Step::Lost => return None,
        };
        self.calls += 1;
        Some(request(self.calls, method, &params))
    }

    /// Says something about the host.
    pub(crate) fn say(&mut self, text: &str) {
        self.prompter.say(text);
    }

    /// Writes out what is still to be seen, before the program ends.
    pub(crate) async fn finish(&mut self) {
        self.prompter.finish().await;
    }
}

fn ending(response: &Response, here: bool) -> Ending<'_> {
    Ending {
        outcome: response.action.outcome(),
        value: response.value.as_deref(),
        reason: response.reason.as_deref(),
        here,
    }
}

/// The parts of `code: path: sentence`, whose path begins with a slash if there is one.
fn refusal(error: &str) -> Refusal<'_> {
    let (code, rest) = error.split_once(": ").unwrap_or(("", error));
    match rest.split_once(": ") {
        Some((path, sentence)) if path.starts_with('/') => Refusal { code, path, sentence },
        Some(_) | None => Refusal { code, path: "", sentence: rest },
    }
}
