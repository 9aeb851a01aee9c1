//! The registry of agent panes (spec 7.1): it opens and closes nothing itself.

use super::{Caller, Endpoint, Placement, Waiter};
use crate::dialect::agent::PaneName;
use crate::dialect::envelope::ErrorLine;
use crate::error::{Code, Fault, RequestError};
use crate::id::{AgentId, ConnectionId, SurfaceId};
use crate::ordered::Map;
use crate::time::Millis;
use alloc::string::String;
use alloc::vec::Vec;

/// Why a report about a pane was not taken. Nothing changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PaneError {
    /// No pane is being opened under that number.
    #[error("No pane is being opened under the number {0}.")]
    UnknownRequest(u64),
    /// No pane has that agent.
    #[error("No pane has that agent.")]
    UnknownAgent,
    /// Another pane has that agent or surface.
    #[error("Another pane has that agent or surface; give each pane ids of its own.")]
    InUse,
    /// The agent's or surface's id is blank or too long.
    #[error(transparent)]
    Id(#[from] Fault),
}

#[derive(Debug)]
struct Pane {
    agent: AgentId,
    surface: SurfaceId,
    /// The host was told to close it.
    closing: bool,
    /// Calls that asked to close it.
    closers: Vec<Waiter>,
}

#[derive(Debug, Default)]
pub(super) struct Panes {
    /// In opening order.
    open: Vec<Pane>,
    /// Panes that the host was told to open, and who waits for each.
    opening: Map<u64, Option<Waiter>>,
    last_request: u64,
}

impl Panes {
    pub(super) fn agents(&self) -> impl ExactSizeIterator<Item = &str> {
        self.open.iter().map(|pane| pane.agent.as_str())
    }

    /// Nobody waits on that connection any more.
    pub(super) fn forget(&mut self, connection: ConnectionId) {
        let gone = |waiter: &Waiter| waiter.connection == connection;
        for waiter in self.opening.values_mut() {
            if waiter.as_ref().is_some_and(gone) {
                *waiter = None;
            }
        }
        for pane in &mut self.open {
            pane.closers.retain(|waiter| !gone(waiter));
        }
    }

    fn waiting(&self) -> usize {
        self.opening.len() + self.open.iter().map(|pane| pane.closers.len()).sum::<usize>()
    }
}

impl Endpoint {
    /// The host opened the pane that [`Output::OpenPane`](super::Output::OpenPane) asked for.
    ///
    /// # Errors
    /// [`PaneError`]; the pane is still being opened, so report it again or say that it failed.
    pub fn pane_opened(
        &mut self,
        now: Millis,
        request: u64,
        agent: &str,
        surface: &str,
    ) -> Result<(), PaneError> {
        self.advance(now);
        if !self.panes.opening.contains_key(&request) {
            return Err(PaneError::UnknownRequest(request));
        }
        let agent = AgentId::new(agent, self.limits())?;
        let surface = SurfaceId::new(surface, self.limits())?;
        if self.panes.open.iter().any(|pane| pane.agent == agent || pane.surface == surface) {
            return Err(PaneError::InUse);
        }
        self.panes.open.push(Pane { agent, surface, closing: false, closers: Vec::new() });
        if let Some(waiter) = self.panes.opening.remove(&request).flatten() {
            self.reply_to(&waiter, "OK");
        }
        Ok(())
    }

    /// The host could not open the pane; `why` is one sentence for whoever asked.
    ///
    /// # Errors
    /// [`PaneError::UnknownRequest`] if none is being opened under that number.
    pub fn pane_failed(&mut self, now: Millis, request: u64, why: &str) -> Result<(), PaneError> {
        self.advance(now);
        let waiter = self.panes.opening.remove(&request).ok_or(PaneError::UnknownRequest(request))?;
        if let Some(waiter) = waiter
            && let Some(connection) = self.connections.get_mut(&waiter.connection)
        {
            connection.waiting.remove(&waiter.id);
            let error = Fault::new(Code::PaneFailed, String::from(why)).at("");
            let line = ErrorLine { id: Some(&waiter.id), style: waiter.style, error: &error };
            let line = self.out.write(&line);
            self.out.send(waiter.connection, line);
        }
        Ok(())
    }

    /// The pane is gone, whether or not somebody asked for it: its surface closes. Gives how many prompts ended.
    ///
    /// # Errors
    /// [`PaneError::UnknownAgent`] if no pane has that agent.
    pub fn pane_closed(&mut self, now: Millis, agent: &str) -> Result<usize, PaneError> {
        self.advance(now);
        let found = self.panes.open.iter().position(|pane| &*pane.agent == agent);
        let pane = self.panes.open.remove(found.ok_or(PaneError::UnknownAgent)?);
        for waiter in &pane.closers {
            self.reply_to(waiter, "OK");
        }
        Ok(self.close_surface(now, &pane.surface))
    }

    pub(super) fn create_pane(
        &mut self,
        caller: &mut Caller,
        placement: Placement,
    ) -> Result<(), RequestError> {
        self.check_room()?;
        self.panes.last_request += 1;
        let request = self.panes.last_request;
        let waiter = self.wait(caller, None);
        self.panes.opening.insert(request, waiter);
        self.out.open_pane(request, placement);
        Ok(())
    }

    pub(super) fn close_pane(&mut self, caller: &mut Caller, name: PaneName<'_>) -> Result<(), RequestError> {
        self.check_room()?;
        let (path, found) = match name {
            PaneName::Agent(id) => ("/agent_id", self.panes.open.iter().position(|pane| &*pane.agent == id)),
            PaneName::Surface(id) => {
                ("/surface_id", self.panes.open.iter().position(|pane| &*pane.surface == id))
            }
        };
        let unknown =
            || Fault::new(Code::NotFound, "Name a pane that is open; agent.list has them.").at(path);
        let found = found.ok_or_else(unknown)?;
        let waiter = self.wait(caller, None);
        let pane = self.panes.open.get_mut(found).ok_or_else(unknown)?;
        pane.closers.extend(waiter);
        if !core::mem::replace(&mut pane.closing, true) {
            self.out.close_pane(&pane.agent);
        }
        Ok(())
    }

    fn check_room(&self) -> Result<(), RequestError> {
        if self.panes.waiting() < self.limits().pending {
            return Ok(());
        }
        Err(Fault::new(Code::AtCapacity, "Too many pane calls wait; wait until some end.").at(""))
    }
}
