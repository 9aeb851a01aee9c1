//! Who has acknowledged which command. Few prompts are commands, so that none carries this itself.

use crate::id::{Claimant, ConnectionId, PromptId};
use alloc::collections::BTreeSet;
use alloc::vec::Vec;

#[derive(Debug, Default)]
pub(super) struct Acknowledgements {
    by_prompt: BTreeSet<(PromptId, Claimant)>,
    /// Those of claimants with a connection.
    by_connection: BTreeSet<(ConnectionId, PromptId, Claimant)>,
}

impl Acknowledgements {
    pub(super) fn contains(&self, prompt: PromptId, claimant: &Claimant) -> bool {
        self.of(prompt).any(|other| other == claimant)
    }

    pub(super) fn insert(&mut self, prompt: PromptId, claimant: Claimant) {
        if let Some(connection) = claimant.connection {
            self.by_connection.insert((connection, prompt, claimant.clone()));
        }
        self.by_prompt.insert((prompt, claimant));
    }

    pub(super) fn remove(&mut self, prompt: PromptId, claimant: Claimant) {
        let key = (prompt, claimant);
        self.by_prompt.remove(&key);
        let (prompt, claimant) = key;
        if let Some(connection) = claimant.connection {
            self.by_connection.remove(&(connection, prompt, claimant));
        }
    }

    /// Forgets those of a prompt that has ended.
    pub(super) fn end(&mut self, prompt: PromptId) {
        let gone: Vec<Claimant> = self.of(prompt).cloned().collect();
        for claimant in gone {
            self.remove(prompt, claimant);
        }
    }

    /// Forgets those that were made on a connection.
    pub(super) fn disconnect(&mut self, connection: ConnectionId) {
        let from = (connection, PromptId(0), Claimant::default());
        let here = self.by_connection.range(from..).take_while(|(other, ..)| *other == connection);
        let gone: Vec<_> = here.map(|(_, prompt, claimant)| (*prompt, claimant.clone())).collect();
        for (prompt, claimant) in gone {
            self.remove(prompt, claimant);
        }
    }

    /// Who has acknowledged that prompt.
    fn of(&self, prompt: PromptId) -> impl Iterator<Item = &Claimant> {
        let from = (prompt, Claimant::default());
        self.by_prompt
            .range(from..)
            .take_while(move |(other, _)| *other == prompt)
            .map(|(_, claimant)| claimant)
    }
}
