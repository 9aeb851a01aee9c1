//! The calls of dialect A.

use super::{Caller, Endpoint, Single};
use crate::answer::{Draft, Resolution};
use crate::dialect::agent::{AskUser, Call, Method, PUSH, PendingList, cancelled_prompt, requests};
use crate::dialect::envelope::{Envelope, PushLine};
use crate::dialect::forbidden;
use crate::error::{Code, Fault, RequestError, ResolveError};
use crate::gate::{Ask, Asking};
use crate::id::{Claim, Claimant, ConnectionId, PromptId};
use crate::time::Millis;

impl Endpoint {
    pub(super) fn authorise_agent(
        &self,
        caller: &Caller,
        method: Method,
        envelope: &Envelope<'_>,
    ) -> Result<(), RequestError> {
        let allowed = match method {
            Method::AskAnswer | Method::AskAcknowledge | Method::AskBack => caller.authority.answer,
            Method::AskCancel => {
                // Whoever asked may always cancel its own.
                let own =
                    || cancelled_prompt(envelope.message.params()).and_then(|prompt| self.gate.asker(prompt));
                caller.authority.answer || own() == Some(caller.connection)
            }
            Method::Snapshot => {
                return if caller.authority.observer { Ok(()) } else { Err(forbidden("observer")) };
            }
            Method::AskUser | Method::AskPending => true,
            #[cfg(feature = "panes")]
            Method::Create | Method::CreateSplit | Method::List | Method::Count | Method::Close => true,
        };
        if allowed { Ok(()) } else { Err(forbidden("answer")) }
    }

    pub(super) fn agent_call(
        &mut self,
        now: Millis,
        caller: &mut Caller,
        call: Call<'_>,
    ) -> Result<(), RequestError> {
        match call {
            Call::AskUser(ask) => self.ask_user(now, caller, ask),
            Call::AskPending { surface } => {
                let pending = match surface {
                    Some(surface) => requests(self.gate.pending_on(surface)),
                    None => requests(self.gate.pending()),
                };
                let list = PendingList { kind: None, seq: None, pending };
                if let Some(id) = &caller.id {
                    let line = self.out.write(&super::ResultLine { id, style: caller.style, result: list });
                    self.out.send(caller.connection, line);
                }
                Ok(())
            }
            Call::AskAnswer { prompt, value } => {
                self.end_request(now, caller, prompt, Resolution::Answer(Draft::Value(value)))
            }
            Call::AskCancel { prompt, reason } => {
                self.end_request(now, caller, prompt, Resolution::Cancel(reason))
            }
            Call::AskAcknowledge { prompt } => {
                let claim = prompt.map(|prompt| claim(prompt, caller.connection));
                let state =
                    claim.map_or(Err(ResolveError::NotFound), |claim| self.gate.acknowledge(now, &claim));
                self.acknowledged(caller, state)
            }
            Call::AskBack { prompt } => {
                let claim = prompt.map(|prompt| claim(prompt, caller.connection));
                let state = claim.map_or(Err(ResolveError::NotFound), |claim| self.gate.back(now, &claim));
                self.acknowledged(caller, state)
            }
            Call::Snapshot => {
                let (seq, prompts) = self.gate.snapshot();
                let pending = requests(prompts);
                let line = match &caller.id {
                    Some(id) => {
                        let list = PendingList { kind: None, seq: Some(seq), pending };
                        self.out.write(&super::ResultLine { id, style: caller.style, result: list })
                    }
                    None => {
                        let params = PendingList { kind: Some("snapshot"), seq: Some(seq), pending };
                        self.out.write(&PushLine { method: PUSH, params })
                    }
                };
                self.out.send(caller.connection, line);
                Ok(())
            }
            #[cfg(feature = "panes")]
            Call::Create(placement) => self.create_pane(caller, placement),
            #[cfg(feature = "panes")]
            Call::List => {
                let agents: alloc::vec::Vec<_> =
                    self.panes.agents().map(alloc::string::String::from).collect();
                self.reply(caller, agents);
                Ok(())
            }
            #[cfg(feature = "panes")]
            Call::Count => {
                let count = self.panes.agents().len();
                self.reply(caller, count);
                Ok(())
            }
            #[cfg(feature = "panes")]
            Call::Close(name) => self.close_pane(caller, name),
        }
    }

    fn ask_user(&mut self, now: Millis, caller: &mut Caller, ask: AskUser) -> Result<(), RequestError> {
        // Nobody would learn how it ended.
        if caller.id.is_none() {
            return Ok(());
        }
        let ask = Ask {
            asking: Asking::Request { surface: ask.surface, agent: ask.agent },
            form: ask.form,
            timeout_ms: ask.timeout_ms,
            asker: Some(caller.connection),
        };
        let prompt = self
            .gate
            .ask(now, ask)
            .map_err(|error| Fault::new(error.code(), alloc::string::ToString::to_string(&error)).at(""))?;
        if let Some(waiter) = self.wait(caller, Some(prompt)) {
            self.waiters.insert(prompt, waiter);
        }
        Ok(())
    }

    fn end_request(
        &mut self,
        now: Millis,
        caller: &Caller,
        prompt: Option<PromptId>,
        resolution: Resolution<'_>,
    ) -> Result<(), RequestError> {
        let claim = prompt.map(|prompt| claim(prompt, caller.connection));
        let ended =
            claim.map_or(Err(ResolveError::NotFound), |claim| self.gate.resolve(now, &claim, resolution));
        let resolved = match ended {
            Ok(_) => true,
            Err(
                ResolveError::NotFound | ResolveError::Mismatch(_) | ResolveError::AlreadyResolved { .. },
            ) => false,
            Err(error) => return Err(refused(&error)),
        };
        self.reply(caller, Single("resolved", resolved));
        Ok(())
    }

    fn acknowledged(
        &mut self,
        caller: &Caller,
        state: Result<bool, ResolveError>,
    ) -> Result<(), RequestError> {
        let acknowledged = match state {
            Ok(acknowledged) => acknowledged,
            Err(
                ResolveError::NotFound | ResolveError::Mismatch(_) | ResolveError::AlreadyResolved { .. },
            ) => false,
            Err(error) => return Err(refused(&error)),
        };
        self.reply(caller, Single("acknowledged", acknowledged));
        Ok(())
    }
}

fn claim(prompt: PromptId, connection: ConnectionId) -> Claim<'static> {
    Claim::Request { prompt, claimant: Claimant::connection(connection) }
}

/// What the gate refused, at the field that it is about.
fn refused(error: &ResolveError) -> RequestError {
    let message = alloc::string::ToString::to_string(error);
    match error {
        ResolveError::InvalidAnswer(answer) => Fault::new(answer.code(), message).at(answer.path()),
        ResolveError::NotAcknowledged => Fault::new(Code::NotAcknowledged, message).at("/request_id"),
        ResolveError::NotACommand => Fault::new(Code::InvalidValue, message).at("/request_id"),
        ResolveError::NotFound | ResolveError::Mismatch(_) => {
            Fault::new(Code::NotFound, message).at("/request_id")
        }
        ResolveError::AlreadyResolved { .. } => Fault::new(Code::AlreadyResolved, message).at("/request_id"),
    }
}
