//! The rules of spec 4 to 6 once more, as a list and loops: what the gate is compared with.
//!
//! Nothing here is fast, indexed or shared with the gate. The model keeps every prompt that was ever asked in one `Vec`
//! in ask order and searches it from the start for everything.

#![allow(dead_code, reason = "each test that takes this module uses a part of it")]

use askgate::answer::{Answer, AnswerDraft, Draft, Outcome, OutcomeKind, Resolution};
use askgate::error::{AskError, ResolveError};
use askgate::form::{Form, FormBuilder, QuestionKind};
use askgate::gate::{Ask, Asking, Client, Config, Event, Gate, Poll, Prompt};
use askgate::id::{
    ChatAddress, Claim, Claimant, ConnectionId, PromptId, RunId, SessionKey, SurfaceId, UserId,
};
use askgate::limits::Limits;
use askgate::time::Millis;
use std::borrow::Cow;

/// What is asked. The first four are of dialect A.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    YesNo,
    /// `a` or `b`.
    Choice,
    Text,
    Command,
    /// Question `q`: one of `x` and `y`, or text.
    Single,
    /// Question `q`: some of `x` and `y`, and text.
    Multi,
    /// Question `q`: text.
    Free,
    /// Question `q` as [`Kind::Single`], then `r` as [`Kind::Free`].
    Two,
}

impl Kind {
    pub(crate) const REQUEST: [Self; 4] = [Self::YesNo, Self::Choice, Self::Text, Self::Command];
    pub(crate) const SESSION: [Self; 4] = [Self::Single, Self::Multi, Self::Free, Self::Two];

    fn questions(self) -> &'static [(&'static str, Shape)] {
        match self {
            Self::Single => &[("q", Shape::Single)],
            Self::Multi => &[("q", Shape::Multi)],
            Self::Free => &[("q", Shape::Free)],
            Self::Two => &[("q", Shape::Single), ("r", Shape::Free)],
            Self::YesNo | Self::Choice | Self::Text | Self::Command => &[],
        }
    }

    pub(crate) fn form(self, limits: &Limits) -> Form {
        let mut form = FormBuilder::new(limits);
        let single = QuestionKind::Select { multi: false, custom: false };
        let kind = match self {
            Self::YesNo => Some(QuestionKind::YesNo),
            Self::Choice => Some(single),
            Self::Text => Some(QuestionKind::Text),
            Self::Command => Some(QuestionKind::ConfirmCommand),
            Self::Single | Self::Multi | Self::Free | Self::Two => None,
        };
        if let Some(kind) = kind {
            form.open(kind).unwrap();
            form.title("?").unwrap();
            if kind == single {
                form.options(2).unwrap();
                form.choice("a").unwrap();
                form.choice("b").unwrap();
            }
        }
        for (id, shape) in self.questions() {
            form.open(QuestionKind::Select { multi: false, custom: true }).unwrap();
            form.id(id).unwrap();
            form.question("?").unwrap();
            let labels: &[&str] = if *shape == Shape::Free { &[] } else { &["x", "y"] };
            form.options(labels.len()).unwrap();
            for label in labels {
                form.option(label).unwrap();
            }
            form.multi(*shape == Shape::Multi).unwrap();
        }
        form.build().unwrap()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    Single,
    Multi,
    Free,
}

/// What a claimant says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Say {
    Value(&'static str),
    /// Id, labels and custom text of each answer.
    Answers(Vec<(&'static str, Vec<&'static str>, Option<&'static str>)>),
    Decline,
    Cancel(Option<&'static str>),
}

/// A chat, by one letter for each part of its address: platform, bot, chat, thread (`-` for none), user.
pub(crate) type Chat = &'static str;

fn address(chat: Chat) -> ChatAddress {
    let part = |n: usize| &chat[n..=n];
    ChatAddress {
        platform: part(0).into(),
        bot: part(1).into(),
        chat: part(2).into(),
        thread: Some(part(3)).filter(|thread| *thread != "-").map(Into::into),
        user: part(4).into(),
    }
}

/// A claim on a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum By {
    Request { connection: Option<u64>, surface: Option<&'static str>, user: Option<&'static str> },
    Session { session: &'static str, run: &'static str, connection: u64 },
    Chat { session: &'static str, run: &'static str, chat: Chat },
}

/// A call on the gate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Op {
    AskRequest {
        surface: &'static str,
        kind: Kind,
        timeout: Option<u64>,
        asker: Option<u64>,
    },
    AskSession {
        session: &'static str,
        run: &'static str,
        kind: Kind,
        timeout: Option<u64>,
        asker: Option<u64>,
    },
    Bind {
        session: &'static str,
        connection: u64,
    },
    Unbind {
        session: &'static str,
        connection: u64,
    },
    BindChat {
        session: &'static str,
        chat: Chat,
    },
    UnbindChat {
        session: &'static str,
        chat: Chat,
    },
    Attach {
        session: &'static str,
        run: &'static str,
        connection: u64,
        forms: bool,
        timeout: Option<u64>,
    },
    Acknowledge(u64, By),
    Back(u64, By),
    Resolve(u64, By, Say),
    Withdraw(u64, u64),
    CloseSurface(&'static str),
    Disconnect(u64),
    EndRun(&'static str, &'static str),
    EndSession(&'static str),
    Shutdown,
    Poll,
}

/// What a call gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Reply {
    Nothing,
    Asked(u64),
    Is(bool),
    Count(usize),
    Ended(OutcomeKind),
    Event(Note),
    Wait(Option<u64>),
    /// Refused, with all that the error says.
    Refused(String),
}

impl Reply {
    pub(crate) fn is_refusal(&self) -> bool {
        matches!(self, Self::Refused(_))
    }
}

/// An event, with what can be seen of its prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Note {
    Shown {
        seq: u64,
        prompt: u64,
    },
    Resolved {
        seq: u64,
        prompt: View,
        outcome: OutcomeKind,
        reason: Option<String>,
        answers: Option<Vec<String>>,
    },
    Available {
        session: String,
        run: Option<String>,
        is: bool,
    },
}

/// A prompt as the gate shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct View {
    pub(crate) id: u64,
    pub(crate) asker: Option<u64>,
    pub(crate) timeout: Option<u64>,
    pub(crate) deadline: Option<u64>,
    pub(crate) created_at: u64,
}

impl View {
    pub(crate) fn of(prompt: &Prompt) -> Self {
        Self {
            id: prompt.id().0,
            asker: prompt.asker().map(|asker| asker.0),
            timeout: prompt.timeout_ms(),
            deadline: prompt.deadline().map(|at| at.0),
            created_at: prompt.created_at(),
        }
    }
}

/// All that can be asked of a gate without changing it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) pending: Vec<View>,
    pub(crate) seq: u64,
    pub(crate) next_deadline: Option<u64>,
    pub(crate) surfaces: Vec<Vec<u64>>,
    pub(crate) sessions: Vec<Option<u64>>,
    pub(crate) can_ask: Vec<bool>,
}

pub(crate) const SURFACES: [&str; 2] = ["surface:1", "surface:2"];
pub(crate) const SESSIONS: [&str; 2] = ["s1", "s2"];
pub(crate) const RUNS: [&str; 2] = ["r1", "r2"];

// ---------------------------------------------------------------------------------------------------------------------
// The gate, driven by the same operations.

pub(crate) fn act(gate: &mut Gate, at: u64, op: &Op) -> Reply {
    let now = Millis(at);
    let limits = *gate.limits();
    let session = |key: &str| SessionKey::new(key, &limits).unwrap();
    match op {
        Op::AskRequest { surface, kind, timeout, asker } => {
            let surface = SurfaceId::new(surface, &limits).unwrap();
            let asking = Asking::Request { surface, agent: None };
            let form = kind.form(&limits);
            let asker = asker.map(ConnectionId);
            asked(gate.ask(now, Ask { asking, form, timeout_ms: *timeout, asker }))
        }
        Op::AskSession { session: key, run, kind, timeout, asker } => {
            let run = RunId::new(run, &limits).unwrap();
            let asking = Asking::Session { session: session(key), run };
            let form = kind.form(&limits);
            let asker = asker.map(ConnectionId);
            asked(gate.ask(now, Ask { asking, form, timeout_ms: *timeout, asker }))
        }
        Op::Bind { session: key, connection } => {
            gate.bind(now, session(key), ConnectionId(*connection));
            Reply::Nothing
        }
        Op::Unbind { session, connection } => Reply::Is(gate.unbind(now, session, ConnectionId(*connection))),
        Op::BindChat { session: key, chat } => {
            gate.bind_chat(now, session(key), address(chat));
            Reply::Nothing
        }
        Op::UnbindChat { session, chat } => Reply::Is(gate.unbind_chat(now, session, &address(chat))),
        Op::Attach { session: key, run, connection, forms, timeout } => {
            let run = RunId::new(run, &limits).unwrap();
            let client = Client { forms: *forms, timeout_ms: *timeout };
            Reply::Is(gate.attach_client(now, session(key), run, ConnectionId(*connection), client))
        }
        Op::Acknowledge(prompt, by) => {
            with_claim(*prompt, by, &limits, |claim| is(gate.acknowledge(now, claim)))
        }
        Op::Back(prompt, by) => with_claim(*prompt, by, &limits, |claim| is(gate.back(now, claim))),
        Op::Resolve(prompt, by, say) => with_claim(*prompt, by, &limits, |claim| {
            let result = match say {
                Say::Value(value) => gate.resolve(now, claim, Resolution::Answer(Draft::Value(value))),
                Say::Answers(answers) => {
                    let drafts: Vec<AnswerDraft<'_>> = answers
                        .iter()
                        .map(|(id, selected, custom)| AnswerDraft {
                            id: Cow::Borrowed(id),
                            selected: selected.iter().map(|label| Cow::Borrowed(*label)).collect(),
                            custom: custom.map(Cow::Borrowed),
                        })
                        .collect();
                    gate.resolve(now, claim, Resolution::Answer(Draft::Answers(&drafts)))
                }
                Say::Decline => gate.resolve(now, claim, Resolution::Decline),
                Say::Cancel(reason) => gate.resolve(now, claim, Resolution::Cancel(reason.map(Into::into))),
            };
            match result {
                Ok(kind) => Reply::Ended(kind),
                Err(error) => refused(&error),
            }
        }),
        Op::Withdraw(prompt, asker) => Reply::Is(gate.withdraw(now, PromptId(*prompt), ConnectionId(*asker))),
        Op::CloseSurface(surface) => Reply::Count(gate.close_surface(now, surface)),
        Op::Disconnect(connection) => Reply::Count(gate.disconnect(now, ConnectionId(*connection))),
        Op::EndRun(session, run) => Reply::Count(gate.end_run(now, session, run)),
        Op::EndSession(session) => Reply::Count(gate.end_session(now, session)),
        Op::Shutdown => Reply::Count(gate.shutdown(now)),
        Op::Poll => match gate.poll(now) {
            Poll::Event(event) => Reply::Event(note(&event)),
            Poll::Wait(until) => Reply::Wait(until.map(|at| at.0)),
        },
    }
}

pub(crate) fn see(gate: &Gate) -> Seen {
    let (seq, pending) = gate.snapshot();
    Seen {
        seq,
        pending: pending.map(View::of).collect(),
        next_deadline: gate.next_deadline().map(|at| at.0),
        surfaces: SURFACES.iter().map(|s| gate.pending_on(s).map(|prompt| prompt.id().0).collect()).collect(),
        sessions: SESSIONS.iter().map(|s| gate.pending_of(s).map(|prompt| prompt.id().0)).collect(),
        can_ask: SESSIONS.iter().flat_map(|s| RUNS.map(|run| gate.can_ask(s, run))).collect(),
    }
}

fn with_claim(prompt: u64, by: &By, limits: &Limits, call: impl FnOnce(&Claim<'_>) -> Reply) -> Reply {
    let prompt = PromptId(prompt);
    let owned;
    call(&match by {
        By::Request { connection, surface, user } => Claim::Request {
            prompt,
            claimant: Claimant {
                connection: connection.map(ConnectionId),
                surface: surface.map(|id| SurfaceId::new(id, limits).unwrap()),
                user: user.map(|id| UserId::new(id, limits).unwrap()),
            },
        },
        By::Session { session, run, connection } => {
            Claim::Session { prompt, session, run, connection: ConnectionId(*connection) }
        }
        By::Chat { session, run, chat } => {
            owned = address(chat);
            Claim::Chat { prompt, session, run, address: &owned }
        }
    })
}

fn asked(result: Result<PromptId, AskError>) -> Reply {
    match result {
        Ok(id) => Reply::Asked(id.0),
        Err(error) => Reply::Refused(error.code().to_string()),
    }
}

fn is(result: Result<bool, ResolveError>) -> Reply {
    match result {
        Ok(is) => Reply::Is(is),
        Err(error) => refused(&error),
    }
}

fn refused(error: &ResolveError) -> Reply {
    Reply::Refused(match error {
        ResolveError::Mismatch(field) => format!("differs: {field}"),
        ResolveError::AlreadyResolved { outcome, reason } => {
            ended(*outcome, reason.as_ref().map(|reason| reason.as_str()))
        }
        ResolveError::InvalidAnswer(error) => format!("{} {}", error.code(), error.path()),
        other => other.code().to_string(),
    })
}

fn ended(outcome: OutcomeKind, reason: Option<&str>) -> String {
    format!("already {outcome} {reason:?}")
}

pub(crate) fn note(event: &Event) -> Note {
    match event {
        Event::Shown { seq, prompt } => Note::Shown { seq: *seq, prompt: prompt.0 },
        Event::Resolved { seq, prompt, outcome } => Note::Resolved {
            seq: *seq,
            prompt: View::of(prompt),
            outcome: outcome.kind(),
            reason: match outcome {
                Outcome::Cancelled(reason) => reason.as_ref().map(|reason| reason.as_str().to_owned()),
                _ => None,
            },
            answers: match outcome {
                Outcome::Answered(answers) => Some(answers.as_slice().iter().map(written).collect()),
                _ => None,
            },
        },
        Event::Availability { session, run, available } => Note::Available {
            session: session.as_str().to_owned(),
            run: run.as_ref().map(|run| run.as_str().to_owned()),
            is: *available,
        },
    }
}

fn written(answer: &Answer) -> String {
    match answer {
        Answer::YesNo(true) => "yes".into(),
        Answer::YesNo(false) => "no".into(),
        Answer::Select { selected, custom } => format!("{:?} {custom:?}", selected.indexes()),
        Answer::Text(text) => text.to_string(),
        Answer::Run => "run".into(),
        other => format!("{other:?}"),
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// The model.

#[derive(Debug, Clone, PartialEq, Eq)]
enum Place {
    Surface(&'static str),
    Connection(u64),
    Client(u64),
    Chat(Chat),
}

impl Place {
    /// The connection that shows the prompt.
    fn connection(&self) -> Option<u64> {
        match self {
            Self::Connection(connection) | Self::Client(connection) => Some(*connection),
            Self::Surface(_) | Self::Chat(_) => None,
        }
    }
}

#[derive(Debug, Clone)]
struct Asked {
    view: View,
    /// Session and run of a prompt of dialect B.
    session: Option<(&'static str, &'static str)>,
    place: Place,
    kind: Kind,
    armed: Vec<By>,
    ended: Option<(OutcomeKind, Option<String>)>,
}

#[derive(Debug, Clone)]
struct Bound {
    session: &'static str,
    /// The run whose client this is; none for a surface of the session.
    run: Option<&'static str>,
    place: Place,
    forms: bool,
    timeout: Option<u64>,
}

#[derive(Debug, Clone)]
pub(crate) struct Model {
    config: Config,
    now: u64,
    next_id: u64,
    seq: u64,
    closed: bool,
    /// All prompts ever asked, in ask order.
    prompts: Vec<Asked>,
    /// Their ids in the order in which they ended.
    ends: Vec<u64>,
    /// In binding order; binding again moves to the end.
    bound: Vec<Bound>,
    pub(crate) events: Vec<Note>,
}

/// Why a call is refused, as [`Reply::Refused`] says it.
type Wrong = String;

impl Model {
    pub(crate) fn new(config: &Config) -> Self {
        Self {
            config: config.clone(),
            now: 0,
            next_id: config.first_prompt_id,
            seq: 0,
            closed: false,
            prompts: Vec::new(),
            ends: Vec::new(),
            bound: Vec::new(),
            events: Vec::new(),
        }
    }

    pub(crate) fn now(&self) -> u64 {
        self.now
    }

    /// The ids of all prompts ever asked.
    pub(crate) fn ids(&self) -> impl Iterator<Item = u64> {
        self.prompts.iter().map(|prompt| prompt.view.id)
    }

    /// A claim that matches the prompt, and its kind.
    pub(crate) fn right(&self, id: u64) -> Option<(By, Kind)> {
        let prompt = self.prompts.iter().find(|prompt| prompt.view.id == id)?;
        let by = match (&prompt.place, prompt.session) {
            (Place::Connection(connection) | Place::Client(connection), Some((session, run))) => {
                By::Session { session, run, connection: *connection }
            }
            (Place::Chat(chat), Some((session, run))) => By::Chat { session, run, chat },
            _ => By::Request { connection: None, surface: None, user: None },
        };
        Some((by, prompt.kind))
    }

    pub(crate) fn see(&self) -> Seen {
        let pending = || self.prompts.iter().filter(|prompt| prompt.ended.is_none());
        Seen {
            pending: pending().map(|prompt| prompt.view.clone()).collect(),
            seq: self.seq,
            next_deadline: pending().filter_map(|prompt| prompt.view.deadline).min(),
            surfaces: SURFACES
                .iter()
                .map(|s| pending().filter(|p| p.place == Place::Surface(s)).map(|p| p.view.id).collect())
                .collect(),
            sessions: SESSIONS
                .iter()
                .map(|s| pending().find(|p| p.session.is_some_and(|own| own.0 == *s)).map(|p| p.view.id))
                .collect(),
            can_ask: SESSIONS
                .iter()
                .flat_map(|s| RUNS.map(|run| !self.closed && self.route(s, run).is_some()))
                .collect(),
        }
    }

    pub(crate) fn act(&mut self, at: u64, op: &Op) -> Reply {
        self.advance(at);
        match op {
            Op::AskRequest { surface, kind, timeout, asker } => {
                if self.closed {
                    return refuse("unavailable");
                }
                self.ask(None, Place::Surface(surface), *kind, *timeout, *timeout, *asker)
            }
            Op::AskSession { session, run, kind, timeout, asker } => {
                if self.pending_of(session).is_some() {
                    return refuse("busy");
                }
                let Some(route) = self.route(session, run).filter(|_| !self.closed) else {
                    return refuse("unavailable");
                };
                let waits = match route.place {
                    Place::Chat(_) => Some(timeout.unwrap_or(300_000).min(300_000)),
                    Place::Client(_) => timeout.or(route.timeout),
                    Place::Connection(_) | Place::Surface(_) => *timeout,
                };
                let place = route.place.clone();
                self.ask(Some((session, run)), place, *kind, *timeout, waits, *asker)
            }
            Op::Bind { session, connection } => self.bind(session, Place::Connection(*connection)),
            Op::BindChat { session, chat } => self.bind(session, Place::Chat(chat)),
            Op::Unbind { session, connection } => self.unbind(session, &Place::Connection(*connection)),
            Op::UnbindChat { session, chat } => self.unbind(session, &Place::Chat(chat)),
            Op::Attach { session, run, connection, forms, timeout } => {
                let is_it = |bound: &Bound| bound.session == *session && bound.run == Some(run);
                let could = self.bound.iter().any(|bound| is_it(bound) && bound.forms);
                self.bound.retain(|bound| !is_it(bound));
                let place = Place::Client(*connection);
                self.bound.push(Bound { session, run: Some(run), place, forms: *forms, timeout: *timeout });
                if could != *forms {
                    self.available(session, Some(run), *forms);
                }
                Reply::Is(*forms)
            }
            Op::Acknowledge(id, by) => match self.find(*id, by) {
                Err(error) => Reply::Refused(error),
                Ok(n) if self.prompts[n].kind != Kind::Command => refuse("invalid_value"),
                Ok(n) => {
                    self.prompts[n].armed.push(by.clone());
                    Reply::Is(true)
                }
            },
            Op::Back(id, by) => match self.find(*id, by) {
                Err(error) => Reply::Refused(error),
                Ok(n) if self.prompts[n].kind != Kind::Command => refuse("invalid_value"),
                Ok(n) => {
                    self.prompts[n].armed.retain(|other| other != by);
                    Reply::Is(false)
                }
            },
            Op::Resolve(id, by, say) => self.resolve(*id, by, say),
            Op::Withdraw(id, asker) => {
                let ids = self.those(|p| p.view.id == *id && p.view.asker == Some(*asker));
                Reply::Is(self.cancel(ids, "aborted") == 1)
            }
            Op::CloseSurface(surface) => {
                let ids = self.those(|p| p.place == Place::Surface(surface));
                Reply::Count(self.cancel(ids, "surface closed"))
            }
            Op::Disconnect(connection) => self.disconnect(*connection),
            Op::EndRun(session, run) => {
                let ids = self.those(|p| p.session == Some((session, run)));
                Reply::Count(self.cancel(ids, "run ended"))
            }
            Op::EndSession(session) => {
                let ids = self.those(|p| p.session.is_some_and(|own| own.0 == *session));
                Reply::Count(self.cancel(ids, "session ended"))
            }
            Op::Shutdown => {
                self.closed = true;
                let ids = self.those(|_| true);
                Reply::Count(self.cancel(ids, "shutdown"))
            }
            Op::Poll if self.events.is_empty() => Reply::Wait(self.see().next_deadline),
            Op::Poll => Reply::Event(self.events.remove(0)),
        }
    }

    fn advance(&mut self, at: u64) {
        self.now = self.now.max(at);
        loop {
            let due = self.prompts.iter().filter(|prompt| prompt.ended.is_none());
            let due = due.filter_map(|prompt| Some((prompt.view.deadline?, prompt.view.id))).min();
            match due {
                Some((deadline, id)) if deadline <= self.now => {
                    self.end(id, OutcomeKind::TimedOut, None, None)
                }
                _ => return,
            }
        }
    }

    fn ask(
        &mut self,
        session: Option<(&'static str, &'static str)>,
        place: Place,
        kind: Kind,
        timeout: Option<u64>,
        waits: Option<u64>,
        asker: Option<u64>,
    ) -> Reply {
        let limits = &self.config.limits;
        let here = self.those(|p| match place.connection() {
            Some(connection) => p.place.connection() == Some(connection),
            None => matches!(place, Place::Surface(_)) && p.place == place,
        });
        if self.those(|_| true).len() >= limits.pending
            || here.len() >= limits.pending_per_surface
            || self.events.len() > limits.queued
            || self.next_id == u64::MAX
        {
            return refuse("at_capacity");
        }
        let view = View {
            id: self.next_id,
            asker,
            timeout,
            deadline: waits.and_then(|ms| self.now.checked_add(ms)),
            created_at: self.now.saturating_add(self.config.wall_clock_offset),
        };
        self.prompts.push(Asked { view, session, place, kind, armed: Vec::new(), ended: None });
        self.next_id += 1;
        self.seq += 1;
        self.events.push(Note::Shown { seq: self.seq, prompt: self.next_id - 1 });
        Reply::Asked(self.next_id - 1)
    }

    fn bind(&mut self, session: &'static str, place: Place) -> Reply {
        let is_it = |bound: &Bound| bound.session == session && bound.run.is_none();
        let was = self.bound.iter().any(is_it);
        self.bound.retain(|bound| !is_it(bound));
        self.bound.push(Bound { session, run: None, place, forms: true, timeout: None });
        if !was {
            self.available(session, None, true);
        }
        Reply::Nothing
    }

    fn unbind(&mut self, session: &'static str, place: &Place) -> Reply {
        for id in self.those(|p| p.session.is_some_and(|own| own.0 == session) && p.place == *place) {
            self.end(id, OutcomeKind::Unavailable, None, None);
        }
        let is_it = |bound: &Bound| bound.session == session && bound.run.is_none() && bound.place == *place;
        let was = self.bound.iter().any(is_it);
        self.bound.retain(|bound| !is_it(bound));
        if was {
            self.available(session, None, false);
        }
        Reply::Is(was)
    }

    fn disconnect(&mut self, connection: u64) -> Reply {
        let ids =
            self.those(|p| p.place.connection() == Some(connection) || p.view.asker == Some(connection));
        for id in &ids {
            let shown = self.those(|p| p.view.id == *id && p.place.connection() == Some(connection));
            if shown.is_empty() {
                self.end(*id, OutcomeKind::Cancelled, Some("asker disconnected".into()), None);
            } else {
                self.end(*id, OutcomeKind::Unavailable, None, None);
            }
        }
        for prompt in &mut self.prompts {
            prompt.armed.retain(
                |by| !matches!(by, By::Request { connection: Some(armed), .. } if *armed == connection),
            );
        }
        let (lost, kept): (Vec<Bound>, Vec<Bound>) =
            self.bound.drain(..).partition(|bound| bound.place.connection() == Some(connection));
        self.bound = kept;
        for bound in lost.iter().filter(|bound| bound.forms) {
            self.available(bound.session, bound.run, false);
        }
        Reply::Count(ids.len())
    }

    fn resolve(&mut self, id: u64, by: &By, say: &Say) -> Reply {
        let n = match self.find(id, by) {
            Ok(n) => n,
            Err(error) => return Reply::Refused(error),
        };
        let prompt = &self.prompts[n];
        let answers = match say {
            Say::Decline => {
                self.end(id, OutcomeKind::Declined, None, None);
                return Reply::Ended(OutcomeKind::Declined);
            }
            Say::Cancel(reason) => {
                self.end(id, OutcomeKind::Cancelled, reason.map(Into::into), None);
                return Reply::Ended(OutcomeKind::Cancelled);
            }
            Say::Value(value) => {
                check_value(prompt.kind, value, self.config.limits.answer_bytes).map(|value| vec![value])
            }
            Say::Answers(answers) => check_answers(prompt.kind, answers, self.config.limits.answer_bytes),
        };
        match answers {
            Err(_) if matches!(prompt.place, Place::Client(_)) => {
                self.end(id, OutcomeKind::Invalid, None, None);
                Reply::Ended(OutcomeKind::Invalid)
            }
            Err(wrong) => Reply::Refused(wrong),
            Ok(_) if prompt.kind == Kind::Command && !prompt.armed.contains(by) => refuse("not_acknowledged"),
            Ok(answers) => {
                self.end(id, OutcomeKind::Answered, None, Some(answers));
                Reply::Ended(OutcomeKind::Answered)
            }
        }
    }

    /// The place in the list of the pending prompt that the claim names and matches.
    fn find(&self, id: u64, by: &By) -> Result<usize, Wrong> {
        let Some(n) = self.prompts.iter().position(|prompt| prompt.view.id == id) else {
            return Err("not_found".into());
        };
        let prompt = &self.prompts[n];
        let remembered = self.ends.iter().rev().take(self.config.limits.remembered);
        if prompt.ended.is_some() && !remembered.copied().any(|ended| ended == id) {
            return Err("not_found".into());
        }
        if let Some(field) = differs(prompt, by) {
            return Err(format!("differs: {field}"));
        }
        match &prompt.ended {
            Some((outcome, reason)) => Err(ended(*outcome, reason.as_deref())),
            None => Ok(n),
        }
    }

    fn end(&mut self, id: u64, outcome: OutcomeKind, reason: Option<String>, answers: Option<Vec<String>>) {
        let prompt = self.prompts.iter_mut().find(|prompt| prompt.view.id == id).expect("a known prompt");
        assert_eq!(prompt.ended, None, "the model ends a prompt once");
        prompt.ended = Some((outcome, reason.clone()));
        prompt.armed.clear();
        self.ends.push(id);
        self.seq += 1;
        let prompt = prompt.view.clone();
        self.events.push(Note::Resolved { seq: self.seq, prompt, outcome, reason, answers });
    }

    fn cancel(&mut self, ids: Vec<u64>, reason: &str) -> usize {
        for id in &ids {
            self.end(*id, OutcomeKind::Cancelled, Some(reason.into()), None);
        }
        ids.len()
    }

    /// The pending prompts of which that is true, in ask order.
    fn those(&self, is: impl Fn(&Asked) -> bool) -> Vec<u64> {
        let those = self.prompts.iter().filter(|prompt| prompt.ended.is_none() && is(prompt));
        those.map(|prompt| prompt.view.id).collect()
    }

    fn pending_of(&self, session: &str) -> Option<u64> {
        self.those(|p| p.session.is_some_and(|own| own.0 == session)).first().copied()
    }

    fn route(&self, session: &str, run: &str) -> Option<&Bound> {
        let client = |bound: &&Bound| bound.session == session && bound.run == Some(run) && bound.forms;
        let surface = |bound: &&Bound| bound.session == session && bound.run.is_none();
        self.bound.iter().find(client).or_else(|| self.bound.iter().find(surface))
    }

    fn available(&mut self, session: &str, run: Option<&str>, is: bool) {
        // After a shutdown nobody can be asked, whatever is bound.
        if self.closed && is {
            return;
        }
        let run = run.map(Into::into);
        self.events.push(Note::Available { session: session.into(), run, is });
    }
}

fn refuse(code: &str) -> Reply {
    Reply::Refused(code.into())
}

/// The first identity field in which a claim differs.
fn differs(prompt: &Asked, by: &By) -> Option<&'static str> {
    let mut pairs = Vec::new();
    match (&prompt.place, prompt.session, by) {
        (Place::Surface(_), None, By::Request { .. }) => {}
        (
            Place::Connection(own) | Place::Client(own),
            Some(ids),
            By::Session { session, run, connection },
        ) => {
            pairs.extend([("session", ids.0 == *session), ("run", ids.1 == *run)]);
            pairs.push(("connection", own == connection));
        }
        (Place::Chat(own), Some(ids), By::Chat { session, run, chat }) => {
            pairs.extend([("session", ids.0 == *session), ("run", ids.1 == *run)]);
            for (n, name) in ["platform", "bot", "chat", "thread", "user"].into_iter().enumerate() {
                pairs.push((name, own[n..=n] == chat[n..=n]));
            }
        }
        _ => pairs.push(("kind", false)),
    }
    pairs.into_iter().find(|(_, equal)| !equal).map(|(name, _)| name)
}

fn is_blank(text: &str) -> bool {
    text.trim().is_empty()
}

fn check_value(kind: Kind, value: &str, most: usize) -> Result<String, Wrong> {
    if value.len() > most {
        return Err("too_long /value".into());
    }
    let fits = match kind {
        Kind::YesNo => ["yes", "no"].contains(&value),
        Kind::Choice => ["a", "b"].contains(&value),
        Kind::Text => !is_blank(value),
        Kind::Command => value == "run",
        Kind::Single | Kind::Multi | Kind::Free | Kind::Two => false,
    };
    match (fits, kind, value) {
        (false, ..) => Err("invalid_answer /value".into()),
        (true, Kind::Choice, "a") => Ok("[0] None".into()),
        (true, Kind::Choice, _) => Ok("[1] None".into()),
        (true, ..) => Ok(value.into()),
    }
}

fn check_answers(
    kind: Kind,
    given: &[(&'static str, Vec<&'static str>, Option<&'static str>)],
    most: usize,
) -> Result<Vec<String>, Wrong> {
    let questions = kind.questions();
    let mut answers: Vec<Option<String>> = vec![None; questions.len()];
    for (n, (id, selected, custom)) in given.iter().enumerate() {
        let wrong = || Err(format!("invalid_answer /answers/{n}"));
        let Some(at) = questions.iter().position(|question| question.0 == *id) else { return wrong() };
        if answers[at].is_some() {
            return wrong();
        }
        let labels: &[&str] = if questions[at].1 == Shape::Free { &[] } else { &["x", "y"] };
        for (m, label) in selected.iter().enumerate() {
            if !labels.contains(label) {
                return Err(format!("invalid_answer /answers/{n}/selected/{m}"));
            }
            if selected[..m].contains(label) {
                return wrong();
            }
        }
        if custom.is_some_and(|text| text.len() > most) {
            return Err(format!("too_long /answers/{n}/custom"));
        }
        if custom.is_some_and(is_blank) {
            return wrong();
        }
        let fits = match questions[at].1 {
            Shape::Single => selected.len() + usize::from(custom.is_some()) == 1,
            Shape::Multi => !selected.is_empty() || custom.is_some(),
            Shape::Free => custom.is_some(),
        };
        if !fits {
            return wrong();
        }
        let indexes: Vec<usize> = (0..labels.len()).filter(|m| selected.contains(&labels[*m])).collect();
        answers[at] = Some(match (questions[at].1, custom) {
            (Shape::Free, Some(text)) => (*text).into(),
            _ => format!("{indexes:?} {custom:?}"),
        });
    }
    answers.into_iter().collect::<Option<Vec<String>>>().ok_or_else(|| "invalid_answer /answers".into())
}
