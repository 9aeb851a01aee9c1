//! Which lists a pending prompt is in: all, its surface's or bound connection's, its asker's.

use super::store::Chain;
use super::{Gate, Origin, Prompt};
use crate::id::ConnectionId;

impl Gate {
    /// Links a new prompt into every list that it belongs to; `surface` is the number of its surface, if that has one.
    pub(super) fn attach(&mut self, index: u32, surface: Option<u32>) {
        self.store.append(&mut self.all, Chain::All, index);
        let Some(prompt) = self.store.get(index) else { return };
        let asker = prompt.asker;
        match &prompt.origin {
            Origin::Request { surface: name, .. } => {
                let surface = surface.unwrap_or_else(|| self.surfaces.add(name));
                self.store.set_surface(index, surface);
                if let Some(list) = self.surfaces.list_mut(surface) {
                    self.store.append(list, Chain::Place, index);
                }
            }
            Origin::Session { session, target, .. } => {
                self.bindings.set_pending(session, Some(index));
                if let Some(connection) = target.connection() {
                    let record = self.connections.entry(connection).or_default();
                    self.store.append(&mut record.shown, Chain::Place, index);
                }
            }
        }
        if let Some(asker) = asker {
            let record = self.connections.entry(asker).or_default();
            self.store.append(&mut record.asked, Chain::Asker, index);
        }
    }

    /// Unlinks a prompt from every list that [`Self::attach`] put it into.
    pub(super) fn detach(&mut self, index: u32, prompt: &Prompt) {
        self.store.unlink(&mut self.all, Chain::All, index);
        match &prompt.origin {
            Origin::Request { surface, .. } => {
                let number = self.store.surface(index);
                if let Some(list) = number.and_then(|number| self.surfaces.list_mut(number)) {
                    self.store.unlink(list, Chain::Place, index);
                    if list.is_empty() {
                        self.surfaces.remove(surface);
                    }
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

    fn leave(&mut self, connection: ConnectionId, chain: Chain, index: u32) {
        let Some(record) = self.connections.get_mut(&connection) else { return };
        let list = match chain {
            Chain::Asker => &mut record.asked,
            Chain::All | Chain::Place => &mut record.shown,
        };
        self.store.unlink(list, chain, index);
        if record.is_empty() {
            self.connections.remove(&connection);
        }
    }
}
