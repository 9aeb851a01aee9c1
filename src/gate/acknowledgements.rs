//! Who has acknowledged which command. Few prompts are commands, so that none carries this itself.

use crate::id::{Claimant, ConnectionId, PromptId};
use crate::ordered::Map;
use alloc::vec::Vec;

#[derive(Debug, Default)]
pub(super) struct Acknowledgements {
    by_prompt: Map<PromptId, Vec<Claimant>>,
    /// What was acknowledged on which connection.
    by_connection: Map<(ConnectionId, PromptId), ()>,
}

impl Acknowledgements {
    pub(super) fn contains(&self, prompt: PromptId, claimant: &Claimant) -> bool {
        self.by_prompt.get(&prompt).is_some_and(|claimants| claimants.contains(claimant))
    }

    pub(super) fn insert(&mut self, prompt: PromptId, claimant: Claimant) {
        if let Some(connection) = claimant.connection {
            self.by_connection.insert((connection, prompt), ());
        }
        if let Some(claimants) = self.by_prompt.or_default(&prompt)
            && !claimants.contains(&claimant)
        {
            claimants.push(claimant);
        }
    }

    pub(super) fn remove(&mut self, prompt: PromptId, claimant: &Claimant) {
        self.forget(prompt, |other| other == claimant);
    }

    /// Forgets those of a prompt that has ended.
    pub(super) fn end(&mut self, prompt: PromptId) {
        self.forget(prompt, |_| true);
    }

    /// Forgets those that were made on a connection.
    pub(super) fn disconnect(&mut self, connection: ConnectionId) {
        let from = (connection, PromptId(0));
        let here = self.by_connection.range_from(from).take_while(|((other, _), ())| *other == connection);
        let here: Vec<PromptId> = here.map(|((_, prompt), ())| *prompt).collect();
        for prompt in here {
            self.forget(prompt, |claimant| claimant.connection == Some(connection));
        }
    }

    /// Forgets who has acknowledged a prompt and is one of those meant.
    fn forget(&mut self, prompt: PromptId, meant: impl Fn(&Claimant) -> bool) {
        let Some(claimants) = self.by_prompt.get_mut(&prompt) else { return };
        let gone: Vec<Claimant> = claimants.extract_if(.., |claimant| meant(claimant)).collect();
        for connection in gone.iter().filter_map(|claimant| claimant.connection) {
            if claimants.iter().all(|claimant| claimant.connection != Some(connection)) {
                self.by_connection.remove(&(connection, prompt));
            }
        }
        if claimants.is_empty() {
            self.by_prompt.remove(&prompt);
        }
    }
}
