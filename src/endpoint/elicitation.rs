//! Runs with an elicitation client of their own (spec 9): the endpoint asks them and reads what they say.

use super::Endpoint;
use crate::answer::{Draft, Resolution};
use crate::dialect::elicitation::{Elicitation, Protocol, Reply, Request, Scope};
use crate::dialect::envelope::Response;
use crate::error::Fault;
use crate::gate::{Origin, Prompt};
use crate::id::{Claim, ConnectionId, PromptId, RunId, SessionKey};
use crate::json::{Plain, ToJson, object};
use crate::ordered::Map;
use crate::time::Millis;
use alloc::string::String;
use alloc::vec::Vec;

/// Requests that we sent and that are not answered yet.
#[derive(Debug, Default)]
pub(super) struct Clients {
    protocols: Map<ConnectionId, Protocol>,
    open: Map<(ConnectionId, u64), PromptId>,
    ids: Map<PromptId, u64>,
    last_id: u64,
}

impl Clients {
    pub(super) fn is_client(&self, connection: ConnectionId) -> bool {
        self.protocols.contains_key(&connection)
    }

    pub(super) fn forget(&mut self, connection: ConnectionId) {
        self.protocols.remove(&connection);
    }

    /// Whether a client shows that prompt: only its response can answer it.
    pub(super) fn shows(&self, prompt: PromptId) -> bool {
        self.ids.contains_key(&prompt)
    }

    fn close(&mut self, connection: ConnectionId, prompt: PromptId) -> Option<u64> {
        let id = self.ids.remove(&prompt)?;
        self.open.remove(&(connection, id));
        Some(id)
    }
}

/// A request to a client; for MCP 2026-07-28 it is the result of a call of the client's.
struct RequestLine<'a> {
    id: u64,
    elicitation: Elicitation<'a>,
}

impl ToJson for RequestLine<'_> {
    fn write_json(&self, out: &mut String) {
        match self.elicitation.protocol {
            Protocol::Acp | Protocol::Mcp20251125 => {
                let Request { method, params } = Request::new(&self.elicitation);
                object!(out, "jsonrpc" = "2.0", "id": self.id, "method": Plain(method), "params": params);
            }
            Protocol::Mcp20260728 => {
                object!(out, "jsonrpc" = "2.0", "id": self.id, "result": self.elicitation);
            }
        }
    }
}

/// The notification that a request of ours is void.
struct Withdrawal {
    method: &'static str,
    request: u64,
}

impl ToJson for Withdrawal {
    fn write_json(&self, out: &mut String) {
        object!(out, "jsonrpc" = "2.0", "method": Plain(self.method), "params": RequestParams(self.request));
    }
}

struct RequestParams(u64);

impl ToJson for RequestParams {
    fn write_json(&self, out: &mut String) {
        object!(out, "requestId": self.0);
    }
}

/// Why a client was not attached.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AttachError {
    /// The connection is not open.
    #[error(transparent)]
    UnknownConnection(#[from] super::UnknownConnection),
    /// The session's or run's name is blank or too long.
    #[error(transparent)]
    Id(#[from] Fault),
}

impl Endpoint {
    /// Attaches an open connection as a run's own elicitation client: if its capabilities (the whole object that it
    /// negotiated, as JSON) include forms, the run asks through it and needs no bound surface. Gives whether it can be
    /// asked.
    ///
    /// # Errors
    /// [`AttachError`]; nothing changed.
    pub fn attach_client(
        &mut self,
        now: Millis,
        connection: ConnectionId,
        session: &str,
        run: &str,
        protocol: Protocol,
        capabilities: &str,
    ) -> Result<bool, AttachError> {
        self.advance(now);
        if !self.connections.contains_key(&connection) {
            return Err(super::UnknownConnection(connection).into());
        }
        let session = SessionKey::new(session, self.limits())?;
        let run = RunId::new(run, self.limits())?;
        self.clients.protocols.insert(connection, protocol);
        let able = self.gate.attach_client(now, session, run, connection, protocol.client(capabilities));
        self.drain();
        Ok(able)
    }

    /// Sends a new prompt to the run's client.
    pub(super) fn elicit(&mut self, connection: ConnectionId, id: PromptId) {
        let Some(protocol) = self.clients.protocols.get(&connection).copied() else { return };
        let Some(prompt) = self.gate.get(id) else { return };
        let Origin::Session { session, .. } = prompt.origin() else { return };
        let scope = Scope::Session { session_id: session, tool_call_id: None };
        let elicitation = Elicitation { protocol, form: prompt.form(), scope };
        self.clients.last_id += 1;
        let number = self.clients.last_id;
        let line = self.out.write(&RequestLine { id: number, elicitation });
        self.out.send(connection, line);
        self.clients.open.insert((connection, number), id);
        self.clients.ids.insert(id, number);
    }

    /// Takes back a request that the client still shows.
    pub(super) fn withdraw_elicitation(&mut self, connection: ConnectionId, prompt: PromptId) {
        let Some(request_id) = self.clients.close(connection, prompt) else { return };
        let Some(protocol) = self.clients.protocols.get(&connection) else { return };
        let line = self.out.write(&Withdrawal { method: protocol.withdrawal(), request: request_id });
        self.out.send(connection, line);
    }

    /// Takes what a client says. What answers no open request of ours changes nothing.
    pub(super) fn responded(
        &mut self,
        now: Millis,
        connection: ConnectionId,
        id: Option<u64>,
        response: Response<'_>,
    ) {
        let Some(prompt) = id.and_then(|id| self.clients.open.get(&(connection, id)).copied()) else {
            return;
        };
        let Some(protocol) = self.clients.protocols.get(&connection).copied() else { return };
        let Some(Origin::Session { session, run, .. }) = self.gate.get(prompt).map(Prompt::origin) else {
            return;
        };
        let (session, run) = (session.clone(), run.clone());
        let claim = Claim::Session { prompt, session: &session, run: &run, connection };
        self.clients.close(connection, prompt);
        let Some(form) = self.gate.get(prompt).map(Prompt::form) else { return };
        let reply = match response {
            Response::Result(result) => Reply::read(protocol, form, result),
            Response::Ambiguous => Reply::Accept(Vec::new()),
            Response::Error => {
                // The client could not show it.
                let _ = self.gate.lose(now, &claim);
                return;
            }
        };
        let drafts;
        let resolution = match reply {
            Reply::Accept(answers) => {
                drafts = answers;
                Resolution::Answer(Draft::Answers(&drafts))
            }
            Reply::Decline => Resolution::Decline,
            Reply::Cancel => Resolution::Cancel(None),
        };
        // A client answers once: whatever it says ends the prompt.
        let _ = self.gate.resolve(now, &claim, resolution);
    }
}
