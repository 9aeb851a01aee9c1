//! The endpoint with a clock: the same core behind the socket, stdio and the question asked right here.

use askgate::dialect::elicitation::Protocol;
use askgate::endpoint::{AttachError, Authority, Endpoint, Output, Receive, TooManyConnections};
use askgate::gate::{Config, Event, Gate, Poll};
use askgate::id::ConnectionId;
use askgate::time::Millis;
use std::collections::VecDeque;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio::time::Instant;

/// How long a host sleeps at most, so that no timer has to reach the end of time.
const LONGEST_SLEEP: Duration = Duration::from_secs(3_600);

/// The sentence for a call that needs a window manager.
const NO_PANES: &str =
    "This host opens no panes; run the agent yourself, or use a host that has a workspace.";

/// The host's time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Clock {
    started: Instant,
}

impl Clock {
    /// Time that begins now.
    pub(crate) fn start() -> Self {
        Self { started: Instant::now() }
    }

    /// How late it is.
    pub(crate) fn now(self) -> Millis {
        Millis(u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX))
    }

    /// Sleeps until then, or somewhat shorter.
    pub(crate) async fn sleep_until(self, at: Option<Millis>) {
        let at = at.map(|at| Duration::from_millis(at.0));
        let wait = at.map_or(LONGEST_SLEEP, |at| at.saturating_sub(self.started.elapsed()));
        tokio::time::sleep(wait.min(LONGEST_SLEEP)).await;
    }
}

/// What a host with surfaces of its own is told.
#[derive(Debug)]
#[cfg_attr(not(feature = "telegram"), expect(dead_code, reason = "there are none"))]
pub(crate) enum Told {
    /// A prompt was shown or has ended.
    Event(Box<Event>),
    /// A runtime said that a run is over.
    RunEnded {
        /// The run's session.
        session: String,
        /// The run.
        run: String,
    },
}

/// An endpoint with a clock.
pub(crate) struct Host {
    endpoint: Endpoint,
    clock: Clock,
    /// What is still to be told, oldest first.
    told: VecDeque<Told>,
}

impl Host {
    /// A host whose first prompt has that number.
    pub(crate) fn new(first_prompt_id: u64) -> Self {
        let epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let mut config = Config::default();
        config.first_prompt_id = first_prompt_id;
        config.wall_clock_offset = u64::try_from(epoch.as_millis()).unwrap_or(u64::MAX);
        Self { endpoint: Endpoint::new(config), clock: Clock::start(), told: VecDeque::new() }
    }

    fn now(&self) -> Millis {
        self.clock.now()
    }

    /// Opens a connection.
    pub(crate) fn connect(&mut self, authority: Authority) -> Result<ConnectionId, TooManyConnections> {
        self.endpoint.connect(self.now(), authority)
    }

    /// Attaches a connection as the client that a run asks through. Gives whether it can be asked.
    pub(crate) fn attach_client(
        &mut self,
        connection: ConnectionId,
        session: &str,
        run: &str,
        protocol: Protocol,
        capabilities: &str,
    ) -> Result<bool, AttachError> {
        self.endpoint.attach_client(self.now(), connection, session, run, protocol, capabilities)
    }

    /// Takes a line, and hands on what it makes to be sent.
    pub(crate) fn receive(
        &mut self,
        from: ConnectionId,
        line: &[u8],
        send: &mut impl FnMut(ConnectionId, &str),
    ) {
        // Full is over once all outputs are polled. A connection that is gone has nothing more to say.
        while let Ok(Receive::Full) = self.endpoint.receive(self.now(), from, line) {
            self.poll(send);
        }
        self.poll(send);
    }

    /// Ends what is due, and hands on everything that waits to be sent.
    pub(crate) fn poll(&mut self, send: &mut impl FnMut(ConnectionId, &str)) {
        let now = self.now();
        loop {
            let failed = match self.endpoint.poll(now) {
                Poll::Event(Output::Send { to, line }) => {
                    send(to, line);
                    continue;
                }
                Poll::Event(Output::OpenPane { request, .. }) => request,
                Poll::Event(Output::Event(event)) => {
                    self.told.push_back(Told::Event(Box::new(event.clone())));
                    continue;
                }
                Poll::Event(Output::RunEnded { session, run }) => {
                    self.told.push_back(Told::RunEnded { session: session.into(), run: run.into() });
                    continue;
                }
                // No pane is open here, and nobody advertises a tool by whether a session can be asked.
                Poll::Event(_) => continue,
                Poll::Wait(_) => return,
            };
            // The request is the one that the endpoint has just made.
            let _ = self.endpoint.pane_failed(now, failed, NO_PANES);
        }
    }

    /// A connection is gone.
    pub(crate) fn disconnect(&mut self, connection: ConnectionId) {
        self.endpoint.disconnect(self.now(), connection);
    }

    /// A surface is gone.
    pub(crate) fn close_surface(&mut self, surface: &str) {
        self.endpoint.close_surface(self.now(), surface);
    }

    /// Every prompt is cancelled, and no more are taken.
    pub(crate) fn shutdown(&mut self) {
        self.endpoint.shutdown(self.now());
    }

    /// Sleeps until a prompt may be due, or somewhat shorter.
    pub(crate) async fn sleep(&self) {
        self.clock.sleep_until(self.endpoint.next_deadline()).await;
    }
}

/// For surfaces of the host's own.
#[cfg_attr(not(feature = "telegram"), expect(dead_code, reason = "there are none"))]
impl Host {
    /// Its clock.
    pub(crate) const fn clock(&self) -> Clock {
        self.clock
    }

    /// From now on there is something [to be told](Self::told).
    pub(crate) const fn tell_events(&mut self) {
        self.endpoint.tell_events(true);
    }

    /// What is to be told next, of what the last [`Self::poll`] and those before it came upon.
    pub(crate) fn told(&mut self) -> Option<Told> {
        self.told.pop_front()
    }

    /// Lends the gate, with the time; what is done to it comes out of the next [`Self::poll`].
    pub(crate) fn with_gate<T>(&mut self, call: impl FnOnce(Millis, &mut Gate) -> T) -> T {
        let now = self.now();
        self.endpoint.with_gate(now, |gate| call(now, gate))
    }
}
