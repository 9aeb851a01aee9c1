//! The engine: it holds prompts and lets each end exactly once (spec 4 to 6).
//!
//! A gate has no clock and no I/O. Time is an argument of every call that changes something; each such call first ends the
//! prompts that are due, so nothing depends on a timely [`Gate::poll`]. What happened waits in one queue until it is polled.

mod acknowledgements;
mod bindings;
mod deadlines;
mod lifecycle;
mod links;
mod names;
pub(crate) mod numbers;
mod prompt;
mod remembered;
mod store;

pub use bindings::Client;
pub use prompt::{Ask, Asking, Origin, Prompt, Target};

use crate::answer::{Answers, CancelReason, Outcome, OutcomeKind, Resolution};
use crate::error::{AskError, ResolveError};
use crate::id::{ChatAddress, Claim, ConnectionId, PromptId, SessionKey, SurfaceId};
use crate::limits::Limits;
use crate::state::{Phase, Refusal, Transition, Trigger, next};
use crate::time::{Clock, Millis};
use acknowledgements::Acknowledgements;
use alloc::boxed::Box;
use alloc::collections::VecDeque;
use bindings::{Binding, Bindings};
use deadlines::Deadlines;
use hashbrown::HashMap;
use links::ConnectionLists;
use names::{ByName, Name};
use prompt::Ended;
use remembered::{Index, Place, Remembered};
use store::{Chain, ListId, Store};

/// The longest that a prompt in a chat waits, in milliseconds (seed "Telegram and Discord").
pub const CHAT_TIMEOUT_MS: u64 = 300_000;

/// What a host fixes before it asks anything.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Config {
    /// The bounds.
    pub limits: Limits,
    /// The first prompt's number. A host that restarts gives one that it never used, so that ids never recur.
    pub first_prompt_id: u64,
    /// What to add to `now` to get milliseconds since the Unix epoch, for `created_at`.
    pub wall_clock_offset: u64,
}

impl Default for Config {
    fn default() -> Self {
        Self { limits: Limits::DEFAULT, first_prompt_id: 1, wall_clock_offset: 0 }
    }
}

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
// Behind a tag of one byte an event would be copied in words that begin at its second byte, and be waited for when it is
// read.
#[repr(u64)]
pub enum Event {
    /// A prompt waits for an answer; [`Gate::get`] has it while it does.
    Shown {
        /// The event's number, from 1, without gaps.
        seq: u64,
        /// The prompt.
        prompt: PromptId,
    },
    /// A prompt has ended.
    Resolved {
        /// The event's number, from 1, without gaps.
        seq: u64,
        /// The prompt as it was.
        prompt: Box<Prompt>,
        /// How it ended.
        outcome: Outcome,
    },
    /// Whether somebody can be asked has changed: for a session, or for one run with its own client.
    Availability {
        /// The session.
        session: SessionKey,
        /// The run, where it is about a client.
        run: Option<crate::id::RunId>,
        /// Somebody can be asked now.
        available: bool,
    },
}

/// What a poll gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Poll<T> {
    /// Something happened; poll again.
    Event(T),
    /// Nothing more: call again at that time at the latest, or only after another call.
    Wait(Option<Millis>),
}

/// Holds prompts and lets each end exactly once. See the [module documentation](self).
#[derive(Debug)]
pub struct Gate {
    limits: Limits,
    wall_clock_offset: u64,
    clock: Clock,
    next_id: u64,
    seq: u64,
    closed: bool,
    /// An endpoint has lent it out, and alone hears what happens meanwhile.
    lent: bool,
    store: Store,
    index: Index,
    deadlines: Deadlines,
    remembered: Remembered,
    /// The surfaces of dialect A that have prompts.
    surfaces: ByName<SurfaceId, Option<ListId>>,
    connections: HashMap<ConnectionId, ConnectionLists, numbers::FixedHasher>,
    /// The list of a connection that a prompt entered last, while there is one.
    last_entered: Option<(ConnectionId, Chain, ListId)>,
    bindings: Bindings,
    acknowledgements: Acknowledgements,
    events: VecDeque<Event>,
}

/// How an ask is taken.
struct Admission {
    /// The prompts on its surface, for dialect A; `None` if there are no others.
    surface: Option<ListId>,
    /// Where it is shown, for dialect B.
    target: Option<Target>,
    /// How long it may wait.
    timeout_ms: Option<u64>,
}

impl Default for Gate {
    fn default() -> Self {
        Self::new(Config::default())
    }
}

impl Gate {
    /// A gate without prompts.
    #[must_use]
    pub fn new(config: Config) -> Self {
        Self {
            limits: config.limits,
            wall_clock_offset: config.wall_clock_offset,
            clock: Clock::default(),
            next_id: config.first_prompt_id,
            seq: 0,
            closed: false,
            lent: false,
            store: Store::default(),
            index: Index::default(),
            deadlines: Deadlines::default(),
            remembered: Remembered::new(config.limits.remembered),
            surfaces: ByName::default(),
            connections: HashMap::default(),
            last_entered: None,
            bindings: Bindings::default(),
            acknowledgements: Acknowledgements::default(),
            events: VecDeque::new(),
        }
    }

    /// The bounds that hold here.
    #[must_use]
    pub const fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Accepts a prompt and shows it: [`Event::Shown`].
    ///
    /// # Errors
    /// [`AskError`]; nothing was created.
    pub fn ask(&mut self, now: Millis, ask: Ask) -> Result<PromptId, AskError> {
        let now = self.advance(now);
        let Admission { surface: list, target, timeout_ms } = self.admit(&ask)?;
        let origin = match (ask.asking, target) {
            (Asking::Request { surface, agent }, _) => Origin::Request { surface, agent },
            (Asking::Session { session, run }, Some(target)) => Origin::Session { session, run, target },
            (Asking::Session { .. }, None) => return Err(AskError::Unavailable),
        };
        let id = PromptId(self.next_id);
        let deadline = timeout_ms.and_then(|ms| now.checked_add(ms));
        let index = self
            .store
            .insert(Box::new(Prompt {
                id,
                origin,
                form: ask.form,
                asker: ask.asker,
                timeout_ms: ask.timeout_ms,
                deadline,
                created_at: now.0.saturating_add(self.wall_clock_offset),
            }))
            .ok_or(AskError::AtCapacity)?;
        self.next_id += 1;
        self.seq += 1;
        self.events.push_back(Event::Shown { seq: self.seq, prompt: id });
        self.index.insert(id, Place::Pending(index));
        self.attach(index, list);
        if let Some(at) = deadline {
            self.deadlines.insert(at, id.0, index);
        }
        Ok(id)
    }

    /// Binds a live connection as the surface of a session; it stands for later asks, while a prompt that waits stays
    /// where it was shown.
    pub fn bind(&mut self, now: Millis, session: SessionKey, connection: ConnectionId) {
        self.advance(now);
        let event = self.bindings.bind(session, Binding::Connection(connection));
        self.announce(event);
    }

    /// Binds a chat, and the one person in it who may answer, as the surface of a session.
    pub fn bind_chat(&mut self, now: Millis, session: SessionKey, address: ChatAddress) {
        self.advance(now);
        let event = self.bindings.bind(session, Binding::Chat(Box::new(address)));
        self.announce(event);
    }

    /// Ends the session's prompt as unavailable if it is shown on that connection, and removes the binding if it is that
    /// connection's. Gives whether there was such a binding.
    pub fn unbind(&mut self, now: Millis, session: &str, connection: ConnectionId) -> bool {
        self.advance(now);
        if let Some(index) = self.pending_slot(session)
            && let Some(Origin::Session { target, .. }) = self.store.get(index).map(Prompt::origin)
            && *target == Target::Connection(connection)
        {
            self.end(index, Outcome::Unavailable);
        }
        let event = self.bindings.unbind(session, connection);
        let was = event.is_some();
        self.announce(event);
        was
    }

    /// Ends the session's prompt as unavailable if it is shown in that chat, and removes the binding if it is that chat's.
    /// Gives whether there was such a binding.
    pub fn unbind_chat(&mut self, now: Millis, session: &str, address: &ChatAddress) -> bool {
        self.advance(now);
        if let Some(index) = self.pending_slot(session)
            && let Some(Origin::Session { target: Target::Chat(chat), .. }) =
                self.store.get(index).map(Prompt::origin)
            && **chat == *address
        {
            self.end(index, Outcome::Unavailable);
        }
        let event = self.bindings.unbind_chat(session, address);
        let was = event.is_some();
        self.announce(event);
        was
    }

    /// Attaches a connection as a run's own elicitation client: if it shows forms, the run asks through it and needs no
    /// bound surface (spec 9.1). Gives whether it can be asked.
    pub fn attach_client(
        &mut self,
        now: Millis,
        session: SessionKey,
        run: crate::id::RunId,
        connection: ConnectionId,
        client: Client,
    ) -> bool {
        self.advance(now);
        let event = self.bindings.attach(session, run, connection, client);
        self.announce(event);
        client.forms
    }

    /// Whether a surface is bound to the session.
    #[must_use]
    pub fn is_bound(&self, session: &str) -> bool {
        self.bindings.is_bound(session)
    }

    /// How many sessions have a bound surface.
    #[must_use]
    pub const fn bound_sessions(&self) -> usize {
        self.bindings.bound()
    }

    /// Whether a prompt of that run could be shown now. A host advertises its `ask` tool by it.
    #[must_use]
    pub fn can_ask(&self, session: &str, run: &str) -> bool {
        !self.closed && self.bindings.target(session, run).is_some()
    }

    /// Takes the first step of a confirm-command for the claimant. Gives the state after the call: true.
    ///
    /// # Errors
    /// [`ResolveError`]; nothing changed.
    pub fn acknowledge(&mut self, now: Millis, claim: &Claim<'_>) -> Result<bool, ResolveError> {
        self.step(now, claim, Trigger::Acknowledge)
    }

    /// Undoes the first step for the claimant. Gives the state after the call: false.
    ///
    /// # Errors
    /// [`ResolveError`]; nothing changed.
    pub fn back(&mut self, now: Millis, claim: &Claim<'_>) -> Result<bool, ResolveError> {
        self.step(now, claim, Trigger::Back)
    }

    /// Ends a prompt as the claimant says: [`Event::Resolved`]. In this order: what is due ends, the prompt is found, the
    /// identity is compared, the phase, the answer and the acknowledgement are checked (spec 5).
    ///
    /// # Errors
    /// [`ResolveError`]; nothing changed.
    pub fn resolve(
        &mut self,
        now: Millis,
        claim: &Claim<'_>,
        resolution: Resolution<'_>,
    ) -> Result<OutcomeKind, ResolveError> {
        self.advance(now);
        let index = self.find(claim)?;
        let prompt = self.store.get(index).ok_or(ResolveError::NotFound)?;
        let one_shot = matches!(prompt.origin, Origin::Session { target: Target::Client(_), .. });
        let (trigger, outcome) = match resolution {
            Resolution::Answer(draft) => match Answers::check(&prompt.form, draft) {
                Ok(answers) => (Trigger::Answer, Outcome::Answered(answers)),
                Err(_) if one_shot => (Trigger::Misanswer, Outcome::Invalid),
                Err(error) => return Err(error.into()),
            },
            Resolution::Decline => (Trigger::Decline, Outcome::Declined),
            Resolution::Cancel(reason) => {
                (Trigger::Cancel, Outcome::Cancelled(reason.map(CancelReason::Given)))
            }
        };
        match next(self.phase(prompt, claim), trigger) {
            Transition::End(kind) => {
                self.end(index, outcome);
                Ok(kind)
            }
            Transition::Refuse(refusal) => Err(refused(refusal)),
            Transition::Arm | Transition::Disarm => Err(ResolveError::NotFound),
        }
    }

    /// The surface that shows a prompt is lost, or could not show it: the prompt is unavailable.
    ///
    /// # Errors
    /// [`ResolveError`]; nothing changed.
    pub fn lose(&mut self, now: Millis, claim: &Claim<'_>) -> Result<OutcomeKind, ResolveError> {
        self.advance(now);
        let index = self.find(claim)?;
        self.end(index, Outcome::Unavailable);
        Ok(OutcomeKind::Unavailable)
    }

    /// The next event, or how long there will be none. Early or twice does no harm. A gate that an
    /// [endpoint](crate::endpoint::Endpoint::with_gate) lends has no events: those are the endpoint's.
    pub fn poll(&mut self, now: Millis) -> Poll<Event> {
        self.advance(now);
        let event = if self.lent { None } else { self.events.pop_front() };
        event.map_or_else(|| Poll::Wait(self.next_deadline()), Poll::Event)
    }

    /// Whether it is lent out: then its events wait for [`Self::take_event`].
    pub(crate) const fn set_lent(&mut self, lent: bool) {
        self.lent = lent;
    }

    /// The next event that waits already.
    pub(crate) fn take_event(&mut self) -> Option<Event> {
        self.events.pop_front()
    }

    /// When the next prompt times out, if any does.
    #[must_use]
    pub fn next_deadline(&self) -> Option<Millis> {
        self.deadlines.first().map(|(at, _)| at)
    }

    /// All pending prompts, in ask order.
    pub fn pending(&self) -> impl ExactSizeIterator<Item = &Prompt> {
        self.store.iter().map(|(_, prompt)| prompt)
    }

    /// The pending prompts of a surface of dialect A, in ask order.
    pub fn pending_on(&self, surface: &str) -> impl ExactSizeIterator<Item = &Prompt> {
        self.store.iter_of(Chain::Place, self.on_surface(surface)).map(|(_, prompt)| prompt)
    }

    /// The pending prompt of a session of dialect B.
    #[must_use]
    pub fn pending_of(&self, session: &str) -> Option<&Prompt> {
        self.store.get(self.pending_slot(session)?)
    }

    /// The prompt, while it is pending.
    #[must_use]
    pub fn get(&self, prompt: PromptId) -> Option<&Prompt> {
        match self.index.get(prompt).copied()? {
            Place::Pending(index) => self.store.get(index),
            Place::Ended(_) => None,
        }
    }

    /// Who asked the prompt, pending or remembered.
    #[must_use]
    pub fn asker(&self, prompt: PromptId) -> Option<ConnectionId> {
        match self.index.get(prompt).copied()? {
            Place::Pending(index) => self.store.get(index)?.asker,
            Place::Ended(at) => self.remembered.get(at)?.asker,
        }
    }

    /// The number of the last event, and the prompts that are pending after it: what a copy needs to start from.
    pub fn snapshot(&self) -> (u64, impl ExactSizeIterator<Item = &Prompt>) {
        (self.seq, self.pending())
    }

    /// Ends what is due, and gives the time that counts.
    pub fn advance(&mut self, now: Millis) -> Millis {
        let now = self.clock.advance(now);
        while let Some((at, index)) = self.deadlines.first() {
            if at > now {
                break;
            }
            self.end(index, Outcome::TimedOut);
        }
        now
    }

    /// Reports who can be asked; after a shutdown nobody can, so that nothing says so any more.
    fn announce(&mut self, events: impl IntoIterator<Item = Event>) {
        let closed = self.closed;
        let says_yes = |event: &Event| matches!(event, Event::Availability { available: true, .. });
        self.events.extend(events.into_iter().filter(|event| !(closed && says_yes(event))));
    }

    /// How an ask would be taken, or why it is refused.
    fn admit(&self, ask: &Ask) -> Result<Admission, AskError> {
        if let Asking::Session { session, .. } = &ask.asking
            && self.pending_slot(session).is_some()
        {
            return Err(AskError::Busy);
        }
        if self.closed {
            return Err(AskError::Unavailable);
        }
        let (admission, here) = match &ask.asking {
            Asking::Request { surface, .. } => {
                let surface = self.on_surface(surface);
                let here = surface.map_or(0, |list| self.store.len_of(list));
                (Admission { surface, target: None, timeout_ms: ask.timeout_ms }, here)
            }
            Asking::Session { session, run } => {
                let route = self.bindings.target(session, run).ok_or(AskError::Unavailable)?;
                let (target, timeout_ms) = route.admit(ask.timeout_ms);
                let shown = target.connection().and_then(|connection| self.of_connection(connection).shown);
                let here = shown.map_or(0, |list| self.store.len_of(list));
                (Admission { surface: None, target: Some(target), timeout_ms }, here)
            }
        };
        let full = self.store.len() >= self.limits.pending
            || here >= self.limits.pending_per_surface
            || self.events.len() > self.limits.queued
            || self.next_id == u64::MAX;
        if full { Err(AskError::AtCapacity) } else { Ok(admission) }
    }

    /// The one way out: takes a pending prompt out of everything, remembers it and reports its end.
    fn end(&mut self, index: u32, outcome: Outcome) {
        let Some(prompt) = self.store.take(index) else { return };
        let ended = Ended::new(&prompt, &outcome);
        if prompt.form.is_command() {
            self.acknowledgements.end(prompt.id);
        }
        self.detach(index, &prompt);
        self.seq += 1;
        self.events.push_back(Event::Resolved { seq: self.seq, prompt, outcome });
        self.deadlines.remove(index);
        self.store.release(index);
        self.remembered.push(&mut self.index, ended);
    }

    /// The pending slot that the claim names and matches.
    fn find(&self, claim: &Claim<'_>) -> Result<u32, ResolveError> {
        match self.index.get(claim.prompt()).copied() {
            None => Err(ResolveError::NotFound),
            Some(Place::Pending(index)) => {
                let prompt = self.store.get(index).ok_or(ResolveError::NotFound)?;
                match prompt.origin.identity().differs(claim) {
                    Some(field) => Err(ResolveError::Mismatch(field)),
                    None => Ok(index),
                }
            }
            Some(Place::Ended(at)) => {
                let ended = self.remembered.get(at).ok_or(ResolveError::NotFound)?;
                Err(match ended.identity().differs(claim) {
                    Some(field) => ResolveError::Mismatch(field),
                    None => {
                        ResolveError::AlreadyResolved { outcome: ended.outcome, reason: ended.reason.clone() }
                    }
                })
            }
        }
    }

    fn step(&mut self, now: Millis, claim: &Claim<'_>, trigger: Trigger) -> Result<bool, ResolveError> {
        self.advance(now);
        let index = self.find(claim)?;
        let prompt = self.store.get(index).ok_or(ResolveError::NotFound)?;
        match next(self.phase(prompt, claim), trigger) {
            Transition::Arm => {
                self.acknowledgements.insert(claim.prompt(), claim.claimant());
                Ok(true)
            }
            Transition::Disarm => {
                self.acknowledgements.remove(claim.prompt(), &claim.claimant());
                Ok(false)
            }
            Transition::Refuse(refusal) => Err(refused(refusal)),
            Transition::End(_) => Err(ResolveError::NotFound),
        }
    }

    /// Where a pending prompt stands, as the claimant sees it.
    fn phase(&self, prompt: &Prompt, claim: &Claim<'_>) -> Phase {
        if prompt.form.is_command() {
            Phase::Command { armed: self.acknowledgements.contains(prompt.id, &claim.claimant()) }
        } else {
            Phase::Pending
        }
    }

    fn pending_slot(&self, session: &(impl Name + ?Sized)) -> Option<u32> {
        self.bindings.pending(session)
    }
}

const fn refused(refusal: Refusal) -> ResolveError {
    match refusal {
        // Only pending prompts are asked for their phase; a remembered one is answered with its outcome before.
        Refusal::AlreadyResolved => ResolveError::NotFound,
        Refusal::NotACommand => ResolveError::NotACommand,
        Refusal::NotAcknowledged => ResolveError::NotAcknowledged,
    }
}
