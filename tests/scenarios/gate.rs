//! `"kind": "gate"`.

use super::config;
use super::fields::{Fields, just_true, text, texts};
use super::matching::Captures;
use super::record::Record;
use askgate::answer::{Answer, AnswerDraft, Answers, Draft, Outcome, Resolution};
use askgate::dialect::agent::AskUser;
use askgate::dialect::elicitation::Protocol;
use askgate::dialect::session::parse_questions;
use askgate::error::{Code, RequestError, ResolveError};
use askgate::gate::{Ask, Asking, Event, Gate, Origin, Poll, Prompt};
use askgate::id::{
    ChatAddress, Claim, Claimant, ConnectionId, PromptId, RunId, SessionKey, SurfaceId, UserId,
};
use askgate::limits::Limits;
use askgate::time::Millis;
use serde_json::{Value, json};
use std::borrow::Cow;

const ACTIONS: [&str; 19] = [
    "ask",
    "bind",
    "unbind",
    "bind_chat",
    "attach_client",
    "acknowledge",
    "back",
    "resolve",
    "withdraw",
    "close_surface",
    "disconnect",
    "end_run",
    "end_session",
    "shutdown",
    "poll",
    "next_deadline",
    "can_ask",
    "pending",
    "snapshot",
];

pub(crate) fn run(mut file: Fields, record: &mut Record) -> Result<(), String> {
    let (config, rest) = config::read(&mut file)?;
    rest.done()?;
    let steps = file.list("steps")?.ok_or("no steps")?;
    file.done()?;
    let mut host = Host { gate: Gate::new(config), labels: Vec::new(), captures: Captures::default() };
    let mut now = Millis(0);
    record.steps(steps, |record, step| {
        let mut step = Fields::of("the step", step)?;
        if let Some(at) = step.number("at")? {
            now = Millis(at);
        }
        let result = host.act(now, &mut step)?;
        let wanted = step.take("result");
        let expected = step.take("expect").unwrap_or_else(|| json!([]));
        step.done()?;
        let mut events = Vec::new();
        while let Poll::Event(event) = host.gate.poll(now) {
            events.push(written(&event));
        }
        record.add(&result);
        events.iter().for_each(|event| record.add(event));
        if let Some(wanted) = wanted {
            host.captures.compare(&wanted, &result)?;
        }
        host.captures.compare(&expected, &Value::Array(events))
    })
}

struct Host {
    gate: Gate,
    /// A label's connection is its place in this list.
    labels: Vec<String>,
    captures: Captures,
}

impl Host {
    /// Makes the call of a step, and gives its result.
    fn act(&mut self, now: Millis, step: &mut Fields) -> Result<Value, String> {
        let (action, value) = step.action(&ACTIONS)?;
        let value = self.captures.fill(&value)?;
        let limits = *self.gate.limits();
        Ok(match action {
            "ask" => self.ask(now, Fields::of("ask", value)?)?,
            "bind" => {
                let mut bind = Fields::of("bind", value)?;
                let session = session(&bind.need_text("session")?, &limits)?;
                let connection = self.connection(&bind.need_text("connection")?);
                bind.done()?;
                self.gate.bind(now, session, connection);
                json!(true)
            }
            "unbind" => {
                let mut unbind = Fields::of("unbind", value)?;
                let session = unbind.need_text("session")?;
                let connection = self.connection(&unbind.need_text("connection")?);
                unbind.done()?;
                json!(self.gate.unbind(now, &session, connection))
            }
            "bind_chat" => {
                let mut bind = Fields::of("bind_chat", value)?;
                let session = session(&bind.need_text("session")?, &limits)?;
                let address = address(bind.need_object("address")?)?;
                bind.done()?;
                self.gate.bind_chat(now, session, address);
                json!(true)
            }
            "attach_client" => {
                let mut attach = Fields::of("attach_client", value)?;
                let session = session(&attach.need_text("session")?, &limits)?;
                let run = RunId::new(&attach.need_text("run")?, &limits).map_err(said)?;
                let connection = self.connection(&attach.need_text("connection")?);
                let protocol = attach.need_text("protocol")?;
                let capabilities = attach.need("capabilities")?.to_string();
                attach.done()?;
                let protocol = Protocol::from_name(&protocol).ok_or("an unknown protocol")?;
                let client = protocol.client(&capabilities);
                json!(self.gate.attach_client(now, session, run, connection, client))
            }
            "acknowledge" => self.with_claim(value, |gate, claim| is(gate.acknowledge(now, claim)))?,
            "back" => self.with_claim(value, |gate, claim| is(gate.back(now, claim)))?,
            "resolve" => {
                let with = self.captures.fill(&step.need("with")?)?;
                let with = With::read(with)?;
                self.with_claim(value, |gate, claim| {
                    let drafts;
                    let resolution = match with {
                        With::Value(ref value) => Resolution::Answer(Draft::Value(value)),
                        With::Answers(answers) => {
                            drafts = answers;
                            Resolution::Answer(Draft::Answers(&drafts))
                        }
                        With::Decline => Resolution::Decline,
                        With::Cancel(reason) => Resolution::Cancel(reason.map(String::into_boxed_str)),
                    };
                    match gate.resolve(now, claim, resolution) {
                        Ok(kind) => json!(kind.as_str()),
                        Err(error) => refused(&error),
                    }
                })?
            }
            "withdraw" => {
                let mut withdraw = Fields::of("withdraw", value)?;
                let prompt = PromptId(withdraw.need_number("prompt")?);
                let asker = self.connection(&withdraw.need_text("asker")?);
                withdraw.done()?;
                json!(self.gate.withdraw(now, prompt, asker))
            }
            "close_surface" => json!(self.gate.close_surface(now, &text(action, value)?)),
            "disconnect" => {
                let connection = self.connection(&text(action, value)?);
                json!(self.gate.disconnect(now, connection))
            }
            "end_run" => {
                let [session, run] = texts(action, value)?;
                json!(self.gate.end_run(now, &session, &run))
            }
            "end_session" => json!(self.gate.end_session(now, &text(action, value)?)),
            "shutdown" => {
                just_true(action, &value)?;
                json!(self.gate.shutdown(now))
            }
            "poll" => {
                just_true(action, &value)?;
                self.gate.advance(now);
                Value::Null
            }
            "next_deadline" => {
                let next = json!(self.gate.next_deadline().map(|at| at.0));
                self.captures.compare(&value, &next)?;
                next
            }
            "can_ask" => {
                let [session, run] = texts(action, value)?;
                let can = json!(self.gate.can_ask(&session, &run));
                self.captures.compare(&step.need("is")?, &can)?;
                can
            }
            "pending" => self.pending(value)?,
            "snapshot" => {
                just_true(action, &value)?;
                let (seq, pending) = self.gate.snapshot();
                json!({ "seq": seq, "pending": pending.map(|prompt| prompt.id().0).collect::<Vec<u64>>() })
            }
            other => return Err(format!("the action {other:?} is not played")),
        })
    }

    fn connection(&mut self, label: &str) -> ConnectionId {
        let known = self.labels.iter().position(|known| known == label);
        let place = known.unwrap_or_else(|| {
            self.labels.push(label.into());
            self.labels.len() - 1
        });
        ConnectionId(place as u64)
    }

    fn ask(&mut self, now: Millis, mut ask: Fields) -> Result<Value, String> {
        let limits = *self.gate.limits();
        let asker = ask.text("asker")?.map(|label| self.connection(&label));
        let request = ask.need("request")?.to_string();
        let (asking, asked) = match ask.need_text("dialect")?.as_str() {
            "agent" => match AskUser::parse(&request, &limits) {
                Ok(AskUser { surface, agent, form, timeout_ms }) => {
                    (Some(Asking::Request { surface, agent }), Ok((form, timeout_ms)))
                }
                Err(error) => (None, Err(error)),
            },
            "session" => {
                let session = session(&ask.need_text("session")?, &limits)?;
                let run = RunId::new(&ask.need_text("run")?, &limits).map_err(said)?;
                (Some(Asking::Session { session, run }), parse_questions(&request, &limits))
            }
            other => return Err(format!("no dialect is {other:?}")),
        };
        ask.done()?;
        let (Some(asking), Ok((form, timeout_ms))) = (asking, &asked) else {
            let code = asked.err().map(|error: RequestError| error.code().as_str());
            return Ok(json!({ "error": code }));
        };
        let ask = Ask { asking, form: form.clone(), timeout_ms: *timeout_ms, asker };
        Ok(match self.gate.ask(now, ask) {
            Ok(prompt) => json!({ "prompt": prompt.0 }),
            Err(error) => json!({ "error": error.code().as_str() }),
        })
    }

    fn pending(&self, of: Value) -> Result<Value, String> {
        let ids = |prompts: &mut dyn Iterator<Item = &Prompt>| -> Vec<u64> {
            prompts.map(|prompt| prompt.id().0).collect()
        };
        if of == json!(true) {
            return Ok(json!(ids(&mut self.gate.pending())));
        }
        let mut of = Fields::of("pending", of)?;
        let ids = match of.text("surface")? {
            Some(surface) => ids(&mut self.gate.pending_on(&surface)),
            None => ids(&mut self.gate.pending_of(&of.need_text("session")?).into_iter()),
        };
        of.done()?;
        Ok(json!(ids))
    }

    fn with_claim(
        &mut self,
        value: Value,
        call: impl FnOnce(&mut Gate, &Claim<'_>) -> Value,
    ) -> Result<Value, String> {
        let limits = *self.gate.limits();
        let mut claim = Fields::of("the claim", value)?;
        let prompt = PromptId(claim.need_number("prompt")?);
        let kind = claim.need_text("kind")?;
        if kind == "request" {
            let connection = claim.text("connection")?.map(|label| self.connection(&label));
            let surface = claim.text("surface")?.map(|id| SurfaceId::new(&id, &limits)).transpose();
            let user = claim.text("user")?.map(|id| UserId::new(&id, &limits)).transpose();
            claim.done()?;
            let claimant =
                Claimant { connection, surface: surface.map_err(said)?, user: user.map_err(said)? };
            return Ok(call(&mut self.gate, &Claim::Request { prompt, claimant }));
        }
        let session = claim.need_text("session")?;
        let run = claim.need_text("run")?;
        match kind.as_str() {
            "session" => {
                let connection = self.connection(&claim.need_text("connection")?);
                claim.done()?;
                let claim = Claim::Session { prompt, session: &session, run: &run, connection };
                Ok(call(&mut self.gate, &claim))
            }
            "chat" => {
                let address = address(claim.need_object("address")?)?;
                claim.done()?;
                let claim = Claim::Chat { prompt, session: &session, run: &run, address: &address };
                Ok(call(&mut self.gate, &claim))
            }
            _ => Err(format!("no claim is of kind {kind:?}")),
        }
    }
}

fn said(error: impl ToString) -> String {
    error.to_string()
}

fn session(key: &str, limits: &Limits) -> Result<SessionKey, String> {
    SessionKey::new(key, limits).map_err(said)
}

fn address(mut address: Fields) -> Result<ChatAddress, String> {
    let read = ChatAddress {
        platform: address.need_text("platform")?.into(),
        bot: address.need_text("bot")?.into(),
        chat: address.need_text("chat")?.into(),
        thread: address.text("thread")?.map(Into::into),
        user: address.need_text("user")?.into(),
    };
    address.done()?;
    Ok(read)
}

/// What a step resolves a prompt with.
enum With {
    Value(String),
    Answers(Vec<AnswerDraft<'static>>),
    Decline,
    Cancel(Option<String>),
}

impl With {
    fn read(value: Value) -> Result<Self, String> {
        if let Value::String(word) = &value {
            return match word.as_str() {
                "decline" => Ok(Self::Decline),
                "cancel" => Ok(Self::Cancel(None)),
                _ => Err(format!("nothing is resolved with {word:?}")),
            };
        }
        let mut with = Fields::of("with", value)?;
        let read = if let Some(value) = with.text("value")? {
            Self::Value(value)
        } else if let Some(reason) = with.text("cancel")? {
            Self::Cancel(Some(reason))
        } else {
            let answers = with.list("answers")?.ok_or("\"with\" says nothing that is known")?;
            Self::Answers(answers.into_iter().map(draft).collect::<Result<_, _>>()?)
        };
        with.done()?;
        Ok(read)
    }
}

fn draft(answer: Value) -> Result<AnswerDraft<'static>, String> {
    let mut answer = Fields::of("the answer", answer)?;
    let selected = answer.list("selected")?.unwrap_or_default();
    let selected = selected.into_iter().map(|label| text("selected", label).map(Cow::Owned));
    let draft = AnswerDraft {
        id: Cow::Owned(answer.need_text("id")?),
        selected: selected.collect::<Result<_, _>>()?,
        custom: answer.text("custom")?.map(Cow::Owned),
    };
    answer.done()?;
    Ok(draft)
}

fn is(result: Result<bool, ResolveError>) -> Value {
    match result {
        Ok(is) => json!(is),
        Err(error) => refused(&error),
    }
}

fn refused(error: &ResolveError) -> Value {
    let code = error.code().as_str();
    match error {
        ResolveError::Mismatch(field) => json!({ "error": code, "field": field.as_str() }),
        ResolveError::AlreadyResolved { outcome, .. } => {
            json!({ "error": code, "outcome": outcome.as_str() })
        }
        ResolveError::InvalidAnswer(error) if error.code() == Code::InvalidAnswer => {
            json!({ "error": code, "path": error.path() })
        }
        _ => json!({ "error": code }),
    }
}

fn written(event: &Event) -> Value {
    match event {
        Event::Shown { seq, prompt } => json!({ "shown": { "seq": seq, "prompt": prompt.0 } }),
        Event::Resolved { seq, prompt, outcome } => {
            let kind = outcome.kind().as_str();
            let mut resolved = json!({ "seq": seq, "prompt": prompt.id().0, "outcome": kind });
            match outcome {
                Outcome::Answered(answers) => resolved["answers"] = given(prompt, answers),
                Outcome::Cancelled(Some(reason)) => resolved["reason"] = json!(reason.as_str()),
                Outcome::Cancelled(None)
                | Outcome::Declined
                | Outcome::TimedOut
                | Outcome::Unavailable
                | Outcome::Invalid => {}
            }
            json!({ "resolved": resolved })
        }
        Event::Availability { session, run, available } => {
            json!({ "available": [session.as_str(), run.as_ref().map(|run| run.as_str())], "is": available })
        }
    }
}

/// The answers by the values and ids of the prompt's form.
fn given(prompt: &Prompt, answers: &Answers) -> Value {
    let form = prompt.form();
    let answered = form.questions().zip(answers.as_slice()).map(|(question, answer)| {
        let value = |index: &usize| question.option(*index).map(|option| option.value());
        match answer {
            Answer::YesNo(yes) => (vec![Some(if *yes { "yes" } else { "no" })], None),
            Answer::Run => (vec![Some("run")], None),
            Answer::Text(text) => (Vec::new(), Some(&**text)),
            Answer::Select { selected, custom } => {
                (selected.indexes().iter().map(value).collect(), custom.as_deref())
            }
            _ => (vec![None], None),
        }
    });
    match prompt.origin() {
        Origin::Request { .. } => answered
            .map(|(selected, custom)| json!(selected.first().copied().flatten().or(custom)))
            .next()
            .unwrap_or(Value::Null),
        Origin::Session { .. } => form
            .questions()
            .zip(answered)
            .map(|(question, (selected, custom))| match custom {
                Some(custom) => json!({ "id": question.id(), "selected": selected, "custom": custom }),
                None => json!({ "id": question.id(), "selected": selected }),
            })
            .collect(),
    }
}
