//! Which surface a session is bound to, which runs have a client of their own, and which prompt each session waits for.

use super::names::{ByName, Name};
use super::prompt::Target;
use super::{CHAT_TIMEOUT_MS, Event};
use crate::id::{ChatAddress, ConnectionId, RunId, SessionKey};
use crate::ordered::Map;
use alloc::boxed::Box;
use alloc::vec::Vec;

/// What a run's own elicitation client can do (spec 9.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Client {
    /// It negotiated form elicitation.
    pub forms: bool,
    /// How long a prompt waits where the asker does not say, in milliseconds; `None`: for ever.
    pub timeout_ms: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Binding {
    Connection(ConnectionId),
    Chat(Box<ChatAddress>),
}

/// Where a run would be asked now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Route<'b> {
    Bound(&'b Binding),
    Client(ConnectionId, Client),
}

impl Route<'_> {
    /// The target, and the time-out that its kind gives an ask (spec 8.1).
    pub(super) fn admit(self, timeout_ms: Option<u64>) -> (Target, Option<u64>) {
        match self {
            Self::Bound(Binding::Connection(connection)) => (Target::Connection(*connection), timeout_ms),
            Self::Bound(Binding::Chat(address)) => {
                let most = timeout_ms.map_or(CHAT_TIMEOUT_MS, |ms| ms.min(CHAT_TIMEOUT_MS));
                (Target::Chat(address.clone()), Some(most))
            }
            Self::Client(connection, client) => {
                (Target::Client(connection), timeout_ms.or(client.timeout_ms))
            }
        }
    }
}

#[derive(Debug, Default)]
struct Session {
    bound: Option<(u64, Binding)>,
    clients: Map<RunId, (u64, ConnectionId, Client)>,
    pending: Option<u32>,
}

impl Session {
    fn is_empty(&self) -> bool {
        self.bound.is_none() && self.clients.is_empty() && self.pending.is_none()
    }
}

/// Keyed by what peers choose, hence ordered maps throughout.
#[derive(Debug, Default)]
pub(super) struct Bindings {
    sessions: ByName<SessionKey, Session>,
    /// What each connection is bound to, in the order in which it was bound.
    held: Map<(ConnectionId, u64), (SessionKey, Option<RunId>)>,
    order: u64,
    /// How many sessions have a bound surface.
    bound: usize,
}

impl Bindings {
    pub(super) fn bind(&mut self, session: SessionKey, binding: Binding) -> Option<Event> {
        self.order += 1;
        let order = self.order;
        let connection = match &binding {
            Binding::Connection(connection) => Some(*connection),
            Binding::Chat(_) => None,
        };
        let record = self.sessions.or_default(&session);
        let previous = record.and_then(|record| record.bound.replace((order, binding)));
        let first = previous.is_none();
        self.bound += usize::from(first);
        if let Some((order, Binding::Connection(connection))) = previous {
            self.held.remove(&(connection, order));
        }
        if let Some(connection) = connection {
            self.held.insert((connection, order), (session.clone(), None));
        }
        first.then_some(Event::Availability { session, run: None, available: true })
    }

    pub(super) fn unbind(&mut self, session: &str, connection: ConnectionId) -> Option<Event> {
        self.release(session, |binding| *binding == Binding::Connection(connection))
    }

    pub(super) fn unbind_chat(&mut self, session: &str, address: &ChatAddress) -> Option<Event> {
        self.release(session, |binding| matches!(binding, Binding::Chat(bound) if **bound == *address))
    }

    fn release(&mut self, session: &str, is: impl FnOnce(&Binding) -> bool) -> Option<Event> {
        let record = self.sessions.get_mut(session)?;
        let (order, binding) = record.bound.take_if(|(_, binding)| is(binding))?;
        self.bound = self.bound.saturating_sub(1);
        if let Binding::Connection(connection) = binding {
            self.held.remove(&(connection, order));
        }
        let (key, _) = self.sessions.get_key_value(session)?;
        let event = Event::Availability { session: key.clone(), run: None, available: false };
        self.forget(session);
        Some(event)
    }

    pub(super) fn attach(
        &mut self,
        session: SessionKey,
        run: RunId,
        connection: ConnectionId,
        client: Client,
    ) -> Option<Event> {
        self.order += 1;
        let order = self.order;
        let record = self.sessions.or_default(&session);
        let previous =
            record.and_then(|record| record.clients.insert(run.clone(), (order, connection, client)));
        let could = previous.is_some_and(|(_, _, client)| client.forms);
        if let Some((order, connection, _)) = previous {
            self.held.remove(&(connection, order));
        }
        self.held.insert((connection, order), (session.clone(), Some(run.clone())));
        (could != client.forms).then_some(Event::Availability {
            session,
            run: Some(run),
            available: client.forms,
        })
    }

    /// Removes all that a connection holds, and says what is no longer available, in binding order.
    pub(super) fn disconnect(&mut self, connection: ConnectionId) -> Vec<Event> {
        let here = self.held.range_from((connection, 0)).take_while(|(key, _)| key.0 == connection);
        let held: Vec<_> = here.map(|(key, _)| *key).collect();
        let mut events = Vec::new();
        for key in held {
            let Some((session, run)) = self.held.remove(&key) else { continue };
            let Some(record) = self.sessions.get_mut(&session) else { continue };
            let was = match &run {
                None => {
                    let was = record.bound.take().is_some();
                    self.bound = self.bound.saturating_sub(usize::from(was));
                    was
                }
                Some(run) => record.clients.remove(run).is_some_and(|(_, _, client)| client.forms),
            };
            self.forget(&session);
            if was {
                events.push(Event::Availability { session, run, available: false });
            }
        }
        events
    }

    /// Where that run would be asked: through its own client if that can show forms, else on the session's surface.
    pub(super) fn target(&self, session: &(impl Name + ?Sized), run: &str) -> Option<Route<'_>> {
        let record = self.sessions.get(session)?;
        let own = record.clients.get(run).filter(|(_, _, client)| client.forms);
        own.map(|(_, connection, client)| Route::Client(*connection, *client))
            .or_else(|| record.bound.as_ref().map(|(_, binding)| Route::Bound(binding)))
    }

    pub(super) fn is_bound(&self, session: &str) -> bool {
        self.sessions.get(session).is_some_and(|record| record.bound.is_some())
    }

    pub(super) const fn bound(&self) -> usize {
        self.bound
    }

    pub(super) fn pending(&self, session: &(impl Name + ?Sized)) -> Option<u32> {
        self.sessions.get(session)?.pending
    }

    pub(super) fn set_pending(&mut self, session: &SessionKey, slot: Option<u32>) {
        if let Some(record) = self.sessions.get_mut(session) {
            record.pending = slot;
            self.forget(session);
        }
    }

    /// Drops a session of which nothing is left.
    fn forget(&mut self, session: &(impl Name + ?Sized)) {
        if self.sessions.get(session).is_some_and(Session::is_empty) {
            self.sessions.remove(session);
        }
    }
}
