//! A terminal as a surface: it takes the pushes of one connection, shows one prompt after another in ask order, and
//! turns what the person does into requests on that connection.

use crate::prompt::{Ending, Prompter, Step};
use crate::wire::{Acknowledged, Message, Pending, Push, Resolved, prompt_id, request};
use askgate::id::PromptId;
use askgate::mirror::{self, Mirror};
use serde_json::json;
use std::rc::Rc;

/// What the person at the desk does.
#[derive(Debug)]
pub(crate) enum Act {
    /// Sends this line.
    Send(String),
    /// Is gone.
    Lost,
}

/// A terminal as a surface. See the [module documentation](self).
pub(crate) struct Desk<P> {
    prompter: P,
    mirror: Mirror<Rc<Pending>>,
    shown: Option<PromptId>,
    /// A step of ours has ended the prompt that is shown.
    ended_here: bool,
    calls: u64,
}

impl<P: Prompter> Desk<P> {
    pub(crate) fn new(prompter: P) -> Self {
        Self { prompter, mirror: Mirror::new(), shown: None, ended_here: false, calls: 0 }
    }

    /// Takes a line that was sent to the desk's connection.
    pub(crate) fn take(&mut self, line: &str) {
        let Some(message) = Message::read(line.as_bytes()) else { return };
        if let Some(push) = message.params {
            self.push(push);
        } else if message.id != Some(self.calls) {
            // About a prompt that was shown before.
        } else if let Some(error) = message.error {
            self.prompter.refused(sentence(&error));
        } else if let Some(result) = message.result {
            self.replied(result.get());
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
            self.mirror.apply(mirror::Push::Resolved { seq: push.seq, prompt });
            if self.shown == Some(prompt) {
                self.shown = None;
                self.prompter.close(&Ending {
                    action: response.action,
                    value: response.value.as_deref(),
                    reason: response.reason.as_deref(),
                    here: std::mem::take(&mut self.ended_here),
                });
            }
        }
    }

    /// Shows the next prompt if none is shown. To be called once all lines that came together were taken.
    pub(crate) fn settle(&mut self) {
        if self.shown.is_some() {
            return;
        }
        let Some((prompt, pending)) = self.mirror.pending().next() else { return };
        let behind = self.mirror.len() - 1;
        self.shown = Some(prompt);
        self.prompter.show(&pending.content, behind);
    }

    fn replied(&mut self, result: &str) {
        if let Ok(Acknowledged { acknowledged }) = serde_json::from_str(result) {
            self.prompter.acknowledged(acknowledged);
        } else if let Ok(Resolved { resolved }) = serde_json::from_str(result) {
            // If not resolved, it had ended before, and that push has come already.
            self.ended_here = resolved && self.shown.is_some();
        }
    }

    /// What the person does next. The call may be dropped and made again at any time.
    pub(crate) async fn act(&mut self) -> Act {
        loop {
            let step = self.prompter.next().await;
            if step == Step::Lost {
                return Act::Lost;
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

    fn request(&mut self, step: &Step) -> Option<String> {
        let id = format!("req:{}", self.shown?);
        let (method, params) = match step {
            Step::Acknowledge => ("agent.ask_acknowledge", json!({ "request_id": id })),
            Step::Back => ("agent.ask_back", json!({ "request_id": id })),
            Step::Answer(value) => ("agent.ask_answer", json!({ "request_id": id, "value": value })),
            Step::Cancel => ("agent.ask_cancel", json!({ "request_id": id })),
            Step::Lost => return None,
        };
        self.calls += 1;
        Some(request(self.calls, method, &params))
    }

    /// Writes out what is still to be seen, before the program ends.
    pub(crate) async fn finish(&mut self) {
        self.prompter.finish().await;
    }
}

/// The sentence of `code: path: sentence`, whose path begins with a slash if there is one.
pub(crate) fn sentence(error: &str) -> &str {
    let rest = error.split_once(": ").map_or(error, |(_, rest)| rest);
    match rest.split_once(": ") {
        Some((path, sentence)) if path.starts_with('/') => sentence,
        Some(_) | None => rest,
    }
}
