//! Which lists a pending prompt is in, beside that of all: its surface's or bound connection's, and its asker's.

use super::names::Name;
use super::store::{Chain, ListId};
use super::{Gate, Origin, Prompt};
use crate::id::ConnectionId;

/// The lists of a connection that has any.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ConnectionLists {
    /// Prompts that it asked.
    pub(super) asked: Option<ListId>,
    /// Prompts shown on it.
    pub(super) shown: Option<ListId>,
}

impl ConnectionLists {
    const fn of(&mut self, chain: Chain) -> &mut Option<ListId> {
        match chain {
            Chain::Asker => &mut self.asked,
            Chain::All | Chain::Place => &mut self.shown,
        }
    }
}

impl Gate {
    /// The prompts on a surface of dialect A, if there are any.
    pub(super) fn on_surface(&self, surface: &(impl Name + ?Sized)) -> Option<ListId> {
        self.surfaces.get(surface).copied().flatten()
    }

    /// The prompts of a connection.
    pub(super) fn of_connection(&self, connection: ConnectionId) -> ConnectionLists {
        self.connections.get(&connection).copied().unwrap_or_default()
    }

    /// Links a new prompt into every list that it belongs to; `surface` is that of its surface, if there is one.
    pub(super) fn attach(&mut self, index: u32, surface: Option<ListId>) {
        let Some(prompt) = self.store.get(index) else { return };
        let asker = prompt.asker;
        match &prompt.origin {
            Origin::Request { surface: name, .. } => {
                let list = match surface {
                    Some(list) => list,
                    None => {
                        let Some(list) = self.surfaces.or_default(name) else { return };
                        *list.insert(self.store.open())
                    }
                };
                self.store.join(index, Chain::Place, list);
            }
            Origin::Session { session, target, .. } => {
                self.bindings.set_pending(session, Some(index));
                if let Some(connection) = target.connection() {
                    self.enter(connection, Chain::Place, index);
                }
            }
        }
        if let Some(asker) = asker {
            self.enter(asker, Chain::Asker, index);
        }
    }

    /// Unlinks a prompt from every list that [`Self::attach`] put it into.
    pub(super) fn detach(&mut self, index: u32, prompt: &Prompt) {
        match &prompt.origin {
            Origin::Request { surface, .. } => {
                if self.store.leave(index, Chain::Place) {
                    self.surfaces.remove(surface);
                }
            }
            Origin::Session { session, target, .. } => {
                self.bindings.set_pending(session, None);
                if let Some(connection) = target.connection() {
                    self.leave(connection, Chain::Place, index);
                }
            }
        }
        if let Some(asker) = prompt.asker {
            self.leave(asker, Chain::Asker, index);
        }
    }

    fn enter(&mut self, connection: ConnectionId, chain: Chain, index: u32) {
        let list = match self.last_entered {
            // Mostly whoever asked last asks again.
            Some((last, its, list)) if last == connection && its == chain => list,
            _ => {
                let lists = self.connections.entry(connection).or_default();
                let list = *lists.of(chain).get_or_insert_with(|| self.store.open());
                self.last_entered = Some((connection, chain, list));
                list
            }
        };
        self.store.join(index, chain, list);
    }

    fn leave(&mut self, connection: ConnectionId, chain: Chain, index: u32) {
        if !self.store.leave(index, chain) {
            return;
        }
        self.last_entered = None;
        let Some(lists) = self.connections.get_mut(&connection) else { return };
        *lists.of(chain) = None;
        if lists.asked.is_none() && lists.shown.is_none() {
            self.connections.remove(&connection);
        }
    }
}
