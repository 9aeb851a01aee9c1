//! The whole protocol server without its I/O: lines in, lines out (spec 7, 8). It alone knows which message waits for
//! which prompt.
//!
//! The outputs of one call come in this order: for each prompt that was due, the asker's reply and then the pushes; the
//! caller's reply; for each prompt that the call ended or created, the asker's reply and then the pushes.

mod agent;
#[cfg(feature = "elicitation")]
mod elicitation;
mod outbox;
#[cfg(feature = "panes")]
mod panes;
mod session;

#[cfg(feature = "elicitation")]
pub use elicitation::AttachError;
#[cfg(feature = "panes")]
pub use panes::PaneError;

use crate::answer::Outcome;
use crate::dialect::envelope::{
    Envelope, ErrorLine, Message, PushLine, ResultLine, Style, Unaddressed, WireId,
};
use crate::dialect::json::Reader;
use crate::dialect::read::Fields;
use crate::dialect::{self, Method};
use crate::error::{Code, Fault, RequestError};
use crate::gate::numbers::ByPrompt;
use crate::gate::{Config, Event, Gate, Origin, Poll, Prompt};
use crate::id::{ConnectionId, PromptId};
use crate::json::{ToJson, piece};
use crate::limits::Limits;
use crate::ordered::Map;
use crate::time::Millis;
use crate::words::words;
use alloc::boxed::Box;
use alloc::string::String;
use core::fmt;
use outbox::{Outbox, Span};

pub use crate::dialect::Authority;
pub use crate::dialect::agent::Placement;

/// What the host is to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Output<'o> {
    /// Send a line to a connection; the line end is the host's to add.
    Send {
        /// The connection. It may be gone by now; then there is nothing to do.
        to: ConnectionId,
        /// One JSON object.
        line: &'o str,
    },
    /// Open a pane, then call [`Endpoint::pane_opened`] or [`Endpoint::pane_failed`].
    OpenPane {
        /// The number to report it by.
        request: u64,
        /// Where.
        placement: Placement,
    },
    /// Close a pane, then call [`Endpoint::pane_closed`].
    ClosePane {
        /// The agent in it.
        agent: &'o str,
    },
    /// Whether a session can be asked has changed, or one run of it with a client of its own.
    Availability {
        /// The session.
        session: &'o str,
        /// The run, where it is about a client.
        run: Option<&'o str>,
        /// Somebody can be asked now.
        available: bool,
    },
    /// A prompt was shown or has ended, after the lines about it: only from an endpoint that [is to tell](Endpoint::tell_events).
    Event(&'o Event),
    /// A runtime said that a run is over, after its prompt has ended if there was one: only from an endpoint that
    /// [is to tell](Endpoint::tell_events).
    RunEnded {
        /// The session.
        session: &'o str,
        /// The run.
        run: &'o str,
    },
}

/// What became of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use = "a line that was not taken must be given again"]
pub enum Receive {
    /// It was taken.
    Taken,
    /// Too many outputs wait: poll them, then give the line again.
    Full,
}

/// The connection was never opened, or is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("There is no connection {0}; open it first.")]
pub struct UnknownConnection(pub ConnectionId);

/// As many connections are open as the limits allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("Too many connections are open; close one first.")]
pub struct TooManyConnections;

/// A call that waits for its reply.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Waiter {
    connection: ConnectionId,
    id: WireId,
    style: Style,
}

#[derive(Debug)]
struct Connection {
    authority: Authority,
    /// Calls that wait; the prompt, for those that asked one.
    waiting: Map<WireId, Option<PromptId>>,
}

/// The protocol server. See the [module documentation](self).
pub struct Endpoint {
    gate: Gate,
    connections: Map<ConnectionId, Connection>,
    /// In the order in which they connected.
    observers: Map<ConnectionId, ()>,
    next_connection: u64,
    waiters: ByPrompt<Waiter>,
    #[cfg(feature = "elicitation")]
    clients: elicitation::Clients,
    #[cfg(feature = "panes")]
    panes: panes::Panes,
    out: Outbox,
    tells_events: bool,
    /// Absent while it reads.
    reader: Option<Box<Reader>>,
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Endpoint")
            .field("connections", &self.connections.len())
            .field("pending", &self.gate.pending().len())
            .field("queued", &self.out.len())
            .finish_non_exhaustive()
    }
}

impl Default for Endpoint {
    fn default() -> Self {
        Self::new(Config::default())
    }
}

/// One call, once it is known where its reply goes.
struct Caller {
    connection: ConnectionId,
    authority: Authority,
    id: Option<WireId>,
    style: Style,
}

impl Endpoint {
    /// An endpoint without connections.
    #[must_use]
    pub fn new(config: Config) -> Self {
        Self {
            gate: Gate::new(config),
            connections: Map::new(),
            observers: Map::new(),
            next_connection: 1,
            waiters: ByPrompt::default(),
            #[cfg(feature = "elicitation")]
            clients: elicitation::Clients::default(),
            #[cfg(feature = "panes")]
            panes: panes::Panes::default(),
            out: Outbox::default(),
            tells_events: false,
            reader: None,
        }
    }

    /// The gate behind it, to look at.
    #[must_use]
    pub const fn gate(&self) -> &Gate {
        &self.gate
    }

    /// Lends the gate, for a surface of the host's own such as a chat [`Router`](crate::chat::Router): what `call` does to
    /// it is told to everybody concerned, in order, once it is given back. Gives what `call` gives.
    ///
    /// Events stay the endpoint's: [`Gate::poll`] gives none meanwhile, and they come as [`Output::Event`] to a host that
    /// [wants them](Self::tell_events). Leave the gate where it is: nobody who waits for a prompt hears of it from another.
    ///
    /// ```
    /// use askgate::answer::{Draft, Resolution};
    /// use askgate::endpoint::{Authority, Endpoint, Output};
    /// use askgate::gate::{Event, Poll};
    /// use askgate::id::{Claim, Claimant, ConnectionId};
    /// use askgate::time::Millis;
    ///
    /// let mut endpoint = Endpoint::default();
    /// endpoint.tell_events(true);
    /// let agent = endpoint.connect(Millis(0), Authority::default())?;
    /// let ask = r#"{"id":1,"method":"agent.ask_user","params":{"surface_id":"s","kind":"yesno","title":"Deploy?"}}"#;
    /// let _ = endpoint.receive(Millis(0), agent, ask.as_bytes())?;
    /// let Poll::Event(Output::Event(Event::Shown { prompt, .. })) = endpoint.poll(Millis(0)) else { unreachable!() };
    ///
    /// // The host has a button of its own for it.
    /// let claim = Claim::Request { prompt: *prompt, claimant: Claimant::connection(ConnectionId(0)) };
    /// endpoint.with_gate(Millis(9), |gate| gate.resolve(Millis(9), &claim, Resolution::Answer(Draft::Value("yes"))))?;
    ///
    /// let reply = r#"{"id":1,"result":{"request_id":"req:1","action":"ok","value":"yes"}}"#;
    /// assert_eq!(endpoint.poll(Millis(9)), Poll::Event(Output::Send { to: agent, line: reply }));
    /// assert!(matches!(endpoint.poll(Millis(9)), Poll::Event(Output::Event(Event::Resolved { .. }))));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_gate<T>(&mut self, now: Millis, call: impl FnOnce(&mut Gate) -> T) -> T {
        self.advance(now);
        self.gate.set_lent(true);
        let given = call(&mut self.gate);
        self.gate.set_lent(false);
        self.drain();
        given
    }

    /// Makes it tell the host itself when a prompt is shown and ends ([`Output::Event`], each after the lines about it) and
    /// when a run is over ([`Output::RunEnded`]), or no longer. It is off at first; what happened before is not told.
    pub const fn tell_events(&mut self, tell: bool) {
        self.tells_events = tell;
    }

    /// Opens a connection that may do what the host says.
    ///
    /// # Errors
    /// [`TooManyConnections`] over the limit.
    pub fn connect(&mut self, now: Millis, authority: Authority) -> Result<ConnectionId, TooManyConnections> {
        self.advance(now);
        if self.connections.len() >= self.limits().connections {
            return Err(TooManyConnections);
        }
        let id = ConnectionId(self.next_connection);
        self.next_connection += 1;
        self.connections.insert(id, Connection { authority, waiting: Map::new() });
        if authority.observer {
            self.observers.insert(id, ());
        }
        Ok(id)
    }

    /// Takes one line from a connection, without its line end.
    ///
    /// # Errors
    /// [`UnknownConnection`] if it is not open. What is wrong with the line itself is told to the peer.
    pub fn receive(
        &mut self,
        now: Millis,
        connection: ConnectionId,
        line: &[u8],
    ) -> Result<Receive, UnknownConnection> {
        self.advance(now);
        let authority = self.connections.get(&connection).ok_or(UnknownConnection(connection))?.authority;
        if self.out.len() > self.limits().queued {
            return Ok(Receive::Full);
        }
        let mut reader = self.reader.take().unwrap_or_default();
        if let Err(error) = self.read(now, connection, authority, line, &mut reader) {
            let line = self.out.write(&ErrorLine { id: None, style: error.style, error: &error.error });
            self.out.send(connection, line);
        }
        reader.trim();
        self.reader = Some(reader);
        self.drain();
        Ok(Receive::Taken)
    }

    /// The next output, lent until the next call, or how long there will be none. Early or twice does no harm.
    pub fn poll(&mut self, now: Millis) -> Poll<Output<'_>> {
        self.advance(now);
        let next = self.gate.next_deadline();
        match self.out.next() {
            Some(output) => Poll::Event(output),
            None => Poll::Wait(next),
        }
    }

    /// When the next prompt times out, if any does.
    #[must_use]
    pub fn next_deadline(&self) -> Option<Millis> {
        self.gate.next_deadline()
    }

    /// A connection is gone: prompts shown on it become unavailable, prompts that it asked are cancelled. Gives how many
    /// ended.
    pub fn disconnect(&mut self, now: Millis, connection: ConnectionId) -> usize {
        self.advance(now);
        if self.connections.remove(&connection).is_none() {
            return 0;
        }
        self.observers.remove(&connection);
        #[cfg(feature = "panes")]
        self.panes.forget(connection);
        #[cfg(feature = "elicitation")]
        self.clients.forget(connection);
        let ended = self.gate.disconnect(now, connection);
        self.drain();
        ended
    }

    /// A surface of dialect A is gone: its prompts are cancelled. Gives how many.
    pub fn close_surface(&mut self, now: Millis, surface: &str) -> usize {
        self.advance(now);
        let ended = self.gate.close_surface(now, surface);
        self.drain();
        ended
    }

    /// A run has ended: its prompt is cancelled. Gives how many ended.
    pub fn end_run(&mut self, now: Millis, session: &str, run: &str) -> usize {
        self.advance(now);
        let ended = self.gate.end_run(now, session, run);
        self.drain();
        ended
    }

    /// A session has ended: its prompt is cancelled. Gives how many ended.
    pub fn end_session(&mut self, now: Millis, session: &str) -> usize {
        self.advance(now);
        let ended = self.gate.end_session(now, session);
        self.drain();
        ended
    }

    /// Everything is cancelled, and later asks are unavailable. Gives how many ended.
    pub fn shutdown(&mut self, now: Millis) -> usize {
        self.advance(now);
        let ended = self.gate.shutdown(now);
        self.drain();
        ended
    }

    /// Whether a prompt of that run could be shown now. A host advertises its `ask` tool by it.
    #[must_use]
    pub fn can_ask(&self, session: &str, run: &str) -> bool {
        self.gate.can_ask(session, run)
    }

    const fn limits(&self) -> &Limits {
        self.gate.limits()
    }

    /// Ends what is due and says so.
    fn advance(&mut self, now: Millis) {
        self.gate.advance(now);
        self.drain();
    }

    fn read(
        &mut self,
        now: Millis,
        connection: ConnectionId,
        authority: Authority,
        line: &[u8],
        reader: &mut Reader,
    ) -> Result<(), Unaddressed> {
        let native = |fault: Fault| Unaddressed { style: Style::Native, error: fault.at("") };
        let most = self.limits().line_bytes;
        if line.len() > most {
            let message = words!["Send lines of at most ", most, " bytes."];
            return Err(native(Fault::new(Code::TooLong, message)));
        }
        let parse = |message: &'static str| native(Fault::new(Code::ParseError, message));
        let line = core::str::from_utf8(line).map_err(|_| parse("Send UTF-8."))?;
        if line.trim_ascii().is_empty() {
            return Err(parse("Send one JSON object a line; this one is blank."));
        }
        let doc = reader.read(line).map_err(native)?;
        let message = Message::new(&doc);
        #[cfg(feature = "elicitation")]
        if self.clients.is_client(connection)
            && let Some((id, response)) = message.response()
        {
            self.responded(now, connection, id, response);
            return Ok(());
        }
        let mut envelope = Envelope::open(message, self.limits())?;
        if let Some(id) = &envelope.id
            && self.connections.get(&connection).is_some_and(|open| open.waiting.contains_key(id))
        {
            let message = "Give an id that no call on this connection waits with.";
            let error = Fault::new(Code::IdInUse, message).at("");
            return Err(Unaddressed { style: envelope.style, error });
        }
        let method = envelope.method();
        let style = if method.is_ok() { envelope.style } else { Style::Native };
        let mut caller = Caller { connection, authority, id: envelope.id.take(), style };
        let called = method.and_then(|method| self.call(now, &mut caller, Method::find(method)?, &envelope));
        if let Err(error) = called {
            self.refuse(&caller, &error);
        }
        Ok(())
    }

    fn call(
        &mut self,
        now: Millis,
        caller: &mut Caller,
        method: Method,
        envelope: &Envelope<'_>,
    ) -> Result<(), RequestError> {
        match method {
            Method::Agent(agent) => {
                self.authorise_agent(caller, agent, envelope)?;
                let params = checked_params(method, envelope)?;
                let call = dialect::agent::decode(agent, &params, self.limits())?;
                self.agent_call(now, caller, call)
            }
            Method::Session(session) => {
                session::authorise(caller, session)?;
                let called = checked_params(method, envelope)
                    .and_then(|params| dialect::session::decode(session, &params, self.limits()));
                self.session_call(now, caller, session, called, envelope)
            }
            Method::CancelRequest => {
                let params = checked_params(method, envelope)?;
                let id = dialect::cancelled_id(&params, self.limits())?;
                let open = self.connections.get(&caller.connection);
                let prompt = open.and_then(|open| open.waiting.get(&id).copied()).flatten();
                if let Some(prompt) = prompt {
                    self.gate.withdraw(now, prompt, caller.connection);
                }
                self.reply(caller, ());
                Ok(())
            }
        }
    }

    /// Turns what the gate reports into outputs.
    #[inline]
    fn drain(&mut self) {
        while let Some(event) = self.gate.take_event() {
            self.tell(event);
        }
    }

    fn tell(&mut self, event: Event) {
        match &event {
            Event::Shown { seq, prompt } => self.shown(*seq, *prompt),
            Event::Resolved { seq, prompt, outcome } => self.resolved(*seq, prompt, outcome),
            Event::Availability { session, run, available } => {
                self.out.availability(session.clone(), run.clone(), *available);
                return;
            }
        }
        if self.tells_events {
            self.out.event(event);
        }
    }

    fn shown(&mut self, seq: u64, id: PromptId) {
        let Some(prompt) = self.gate.get(id) else { return };
        match prompt.origin() {
            Origin::Request { .. } => {
                if self.observers.is_empty() {
                    return;
                }
                let params = dialect::agent::ShownParams { seq, prompt };
                let line = self.out.write(&PushLine { method: dialect::agent::PUSH, params });
                self.push(line);
            }
            Origin::Session { .. } => self.session_shown(seq, id),
        }
    }

    fn resolved(&mut self, seq: u64, prompt: &Prompt, outcome: &Outcome) {
        match prompt.origin() {
            Origin::Request { .. } => {
                let response = dialect::agent::AskUserResponse::new(prompt, outcome);
                if let Some(waiter) = self.waiters.remove(prompt.id()) {
                    self.reply_to(&waiter, &response);
                }
                if !self.observers.is_empty() {
                    let params =
                        dialect::agent::ResolvedParams { seq, prompt: prompt.id(), response: &response };
                    let line = self.out.write(&PushLine { method: dialect::agent::PUSH, params });
                    self.push(line);
                }
            }
            Origin::Session { .. } => self.session_resolved(seq, prompt, outcome),
        }
    }

    /// Sends a line to every observer.
    fn push(&mut self, line: Span) {
        for (observer, ()) in self.observers.iter() {
            self.out.send(*observer, line);
        }
    }

    /// Replies to a call at once.
    fn reply(&mut self, caller: &Caller, result: impl ToJson) {
        if let Some(id) = &caller.id {
            let line = self.out.write(&ResultLine { id, style: caller.style, result });
            self.out.send(caller.connection, line);
        }
    }

    fn refuse(&mut self, caller: &Caller, error: &RequestError) {
        if let Some(id) = &caller.id {
            let line = self.out.write(&ErrorLine { id: Some(id), style: caller.style, error });
            self.out.send(caller.connection, line);
        }
    }

    /// Lets a call wait, whose reply comes later then; `prompt` is what it asked.
    fn wait(&mut self, caller: &mut Caller, prompt: Option<PromptId>) -> Option<Waiter> {
        let id = caller.id.take()?;
        self.connections.get_mut(&caller.connection)?.waiting.insert(id.clone(), prompt);
        Some(Waiter { connection: caller.connection, id, style: caller.style })
    }

    /// Replies to a call that waited, unless its connection is gone.
    fn reply_to(&mut self, waiter: &Waiter, result: impl ToJson) {
        let Some(connection) = self.connections.get_mut(&waiter.connection) else { return };
        connection.waiting.remove(&waiter.id);
        let line = self.out.write(&ResultLine { id: &waiter.id, style: waiter.style, result });
        self.out.send(waiter.connection, line);
    }
}

/// A result that says one thing, such as `{"resolved": true}`.
struct Single<T>(&'static str, T);

impl<T: ToJson> ToJson for Single<T> {
    fn write_json(&self, out: &mut String) {
        piece(out, "{\"");
        piece(out, self.0);
        piece(out, "\":");
        self.1.write_json(out);
        piece(out, "}");
    }
}

/// The params, without duplicate keys or fields that the method does not know.
fn checked_params<'d>(method: Method, envelope: &Envelope<'d>) -> Result<Fields<'d>, RequestError> {
    let mut params = Fields::new(envelope.params()?);
    params.check(method.shape())?;
    Ok(params)
}
