//! The calls and pushes of dialect B.

use super::{Caller, Endpoint, Single};
use crate::answer::{Draft, Outcome, Resolution};
use crate::dialect::envelope::{Envelope, PushLine};
use crate::dialect::forbidden;
use crate::dialect::session::{
    Action, Call, Method, REQUESTED, RESOLVED, RequestedParams, ResolvedParams, ToolResult,
};
use crate::error::{Code, Fault, RequestError, ResolveError};
use crate::form::Form;
use crate::gate::{Ask, Asking, Origin, Prompt, Target};
use crate::id::{Claim, ConnectionId, PromptId, RunId, SessionKey};
use crate::limits::MAX_BOUND_SESSIONS;
use crate::time::Millis;

pub(super) fn authorise(caller: &Caller, method: Method) -> Result<(), RequestError> {
    let (allowed, needed) = match method {
        Method::Bind | Method::Resolve => (caller.authority.operator, "operator"),
        Method::Request | Method::EndRun => (caller.authority.runtime, "runtime"),
    };
    if allowed { Ok(()) } else { Err(forbidden(needed)) }
}

impl Endpoint {
    pub(super) fn session_call(
        &mut self,
        now: Millis,
        caller: &mut Caller,
        method: Method,
        call: Result<Call<'_>, RequestError>,
        envelope: &Envelope<'_>,
    ) -> Result<(), RequestError> {
        let call = match (method, call) {
            (_, Ok(call)) => call,
            // The tool's caller gets a result whatever is wrong with what it asked.
            (Method::Request, Err(error)) if !envelope.message.is_at_fault() => {
                self.reply(caller, ToolResult::refused(&error));
                return Ok(());
            }
            (Method::Request | Method::Bind | Method::Resolve | Method::EndRun, Err(error)) => {
                return Err(error);
            }
        };
        match call {
            Call::Bind { session, enabled } => {
                if enabled {
                    self.check_bindings(&session)?;
                    self.gate.bind(now, session, caller.connection);
                } else {
                    self.gate.unbind(now, &session, caller.connection);
                }
                self.reply(caller, Single("bound", enabled));
                Ok(())
            }
            Call::Request { session, run, form, timeout_ms } => {
                self.request(now, caller, session, run, form, timeout_ms);
                Ok(())
            }
            Call::Resolve { session, run, prompt, action } => {
                let drafts;
                let resolution = match action {
                    Action::Answer(answers) => {
                        drafts = answers;
                        Resolution::Answer(Draft::Answers(&drafts))
                    }
                    Action::Decline => Resolution::Decline,
                    Action::Cancel => Resolution::Cancel(None),
                };
                #[cfg(feature = "elicitation")]
                let prompt = prompt.filter(|prompt| !self.clients.shows(*prompt));
                let claim = prompt.map(|prompt| Claim::Session {
                    prompt,
                    session: &session,
                    run: &run,
                    connection: caller.connection,
                });
                let ended = claim
                    .map_or(Err(ResolveError::NotFound), |claim| self.gate.resolve(now, &claim, resolution));
                ended.map_err(|error| refused(&error))?;
                self.reply(caller, Single("resolved", true));
                Ok(())
            }
            Call::EndRun { session, run } => {
                let ended = self.gate.end_run(now, &session, &run);
                self.reply(caller, Single("ended", ended));
                self.drain();
                if self.tells_events {
                    self.out.run_ended(session, run);
                }
                Ok(())
            }
        }
    }

    /// Refuses one more bound session than are remembered.
    fn check_bindings(&self, session: &str) -> Result<(), RequestError> {
        if self.gate.is_bound(session) || self.gate.bound_sessions() < MAX_BOUND_SESSIONS {
            return Ok(());
        }
        Err(Fault::new(Code::AtCapacity, "Too many sessions are bound; unbind some first.").at(""))
    }

    fn request(
        &mut self,
        now: Millis,
        caller: &mut Caller,
        session: SessionKey,
        run: RunId,
        form: Form,
        timeout_ms: Option<u64>,
    ) {
        // Nobody would learn how it ended.
        if caller.id.is_none() {
            return;
        }
        let asking = Asking::Session { session, run };
        match self.gate.ask(now, Ask { asking, form, timeout_ms, asker: Some(caller.connection) }) {
            Ok(prompt) => {
                if let Some(waiter) = self.wait(caller, Some(prompt)) {
                    self.waiters.insert(prompt, waiter);
                }
            }
            Err(error) => self.reply(caller, ToolResult::not_asked(error)),
        }
    }

    pub(super) fn session_shown(&mut self, seq: u64, id: PromptId) {
        let Some(prompt) = self.gate.get(id) else { return };
        let Origin::Session { target, .. } = prompt.origin() else { return };
        let bound = match target {
            Target::Connection(connection) => Some(*connection),
            #[cfg(feature = "elicitation")]
            Target::Client(connection) => {
                let connection = *connection;
                self.elicit(connection, id);
                None
            }
            #[cfg(not(feature = "elicitation"))]
            Target::Client(_) => None,
            Target::Chat(_) => None,
        };
        let Some(prompt) = self.gate.get(id) else { return };
        let recipients = self.session_recipients(bound);
        if !recipients.is_empty() {
            let line = PushLine { method: REQUESTED, params: RequestedParams { seq: Some(seq), prompt } };
            let line = self.out.write(&line);
            for to in recipients {
                self.out.send(to, line);
            }
        }
    }

    pub(super) fn session_resolved(&mut self, seq: u64, prompt: &Prompt, outcome: &Outcome) {
        if let Some(waiter) = self.waiters.remove(prompt.id()) {
            self.reply_to(&waiter, ToolResult::ended(prompt.form(), outcome));
        }
        let Origin::Session { target, .. } = prompt.origin() else { return };
        let bound = match target {
            Target::Connection(connection) => Some(*connection),
            #[cfg(feature = "elicitation")]
            Target::Client(connection) => {
                self.withdraw_elicitation(*connection, prompt.id());
                None
            }
            #[cfg(not(feature = "elicitation"))]
            Target::Client(_) => None,
            Target::Chat(_) => None,
        };
        let recipients = self.session_recipients(bound);
        if !recipients.is_empty() {
            let params = ResolvedParams { seq, prompt, outcome: outcome.kind() };
            let line = self.out.write(&PushLine { method: RESOLVED, params });
            for to in recipients {
                self.out.send(to, line);
            }
        }
    }

    /// Who gets dialect B's pushes: the bound connection, then the observers that are operators, each once.
    fn session_recipients(&self, bound: Option<ConnectionId>) -> alloc::vec::Vec<ConnectionId> {
        let open = |id: &ConnectionId| self.connections.get(id);
        let bound = bound.filter(|id| open(id).is_some());
        let observers = self
            .observers
            .iter()
            .map(|(id, ())| *id)
            .filter(|id| open(id).is_some_and(|open| open.authority.operator));
        bound.into_iter().chain(observers.filter(|id| Some(*id) != bound)).collect()
    }
}

/// What the gate refused. An unknown prompt and somebody else's read the same.
fn refused(error: &ResolveError) -> RequestError {
    match error {
        ResolveError::NotFound | ResolveError::Mismatch(_) => {
            Fault::new(Code::NotFound, "No such prompt; it may have ended long ago.").at("/prompt_id")
        }
        ResolveError::InvalidAnswer(answer) => {
            Fault::new(answer.code(), alloc::string::String::from(answer.message())).at(answer.path())
        }
        ResolveError::AlreadyResolved { .. } | ResolveError::NotAcknowledged | ResolveError::NotACommand => {
            Fault::new(error.code(), alloc::string::ToString::to_string(error)).at("/prompt_id")
        }
    }
}
