//! A host of one run that has a client of its own, driven in memory.

use crate::forms::{self, Asked};
use askgate::dialect::elicitation::Protocol;
use askgate::endpoint::{Authority, Endpoint, Output};
use askgate::gate::Poll;
use askgate::id::ConnectionId;
use askgate::time::Millis;
use serde_json::{Value, json};

/// The session and the run of the client.
pub const SESSION: &str = "s";
/// See [`SESSION`].
pub const RUN: &str = "r";

/// A runtime that asks and a client that is asked.
#[derive(Debug)]
pub struct Host {
    endpoint: Endpoint,
    runtime: ConnectionId,
    client: ConnectionId,
    protocol: Protocol,
    now: Millis,
    /// Lines to the client, oldest first.
    pub to_client: Vec<Value>,
    /// Lines to the runtime, oldest first.
    pub to_runtime: Vec<Value>,
}

impl Host {
    /// A host whose client has these capabilities.
    ///
    /// # Panics
    /// If the endpoint takes no connection, which it does.
    #[must_use]
    pub fn new(protocol: Protocol, capabilities: &str) -> Self {
        let mut endpoint = Endpoint::default();
        let now = Millis(0);
        let runtime = Authority { runtime: true, ..Authority::default() };
        let runtime = endpoint.connect(now, runtime).unwrap();
        let client = endpoint.connect(now, Authority::default()).unwrap();
        endpoint.attach_client(now, client, SESSION, RUN, protocol, capabilities).unwrap();
        Self { endpoint, runtime, client, protocol, now, to_client: Vec::new(), to_runtime: Vec::new() }
    }

    /// A host whose client can show forms.
    #[must_use]
    pub fn capable(protocol: Protocol) -> Self {
        Self::new(protocol, r#"{"elicitation":{"form":{}}}"#)
    }

    /// Asks, and gives what went to the client: the whole line.
    ///
    /// # Panics
    /// If the client got nothing.
    pub fn ask(&mut self, asked: &[Asked]) -> Value {
        self.request(&json!({ "questions": forms::questions(asked) }));
        self.to_client.pop().expect("the client is asked")
    }

    /// Sends a request of the runtime with these params, save for the session and the run.
    pub fn request(&mut self, params: &Value) {
        let mut params = params.clone();
        params["session_key"] = json!(SESSION);
        params["run_id"] = json!(RUN);
        let line = json!({ "id": 1, "method": "sessions.prompt.request", "params": params });
        self.give(self.runtime, &line);
    }

    /// Gives the client's answer (`{action, content?}`) to the request in `line`, framed by its protocol.
    pub fn respond(&mut self, line: &Value, answer: &Value) {
        let result = match self.protocol {
            Protocol::Acp | Protocol::Mcp20251125 => answer.clone(),
            Protocol::Mcp20260728 => json!({ "inputResponses": { "ask": answer } }),
        };
        self.give(self.client, &json!({ "jsonrpc": "2.0", "id": line["id"], "result": result }));
    }

    /// Gives a line of the client.
    pub fn from_client(&mut self, line: &Value) {
        self.give(self.client, line);
    }

    /// The tool's result that the runtime got last.
    ///
    /// # Panics
    /// If it got none.
    #[must_use]
    pub fn result(&self) -> &Value {
        &self.to_runtime.last().expect("the runtime has a result")["result"]
    }

    /// Lets time pass.
    pub fn wait(&mut self, ms: u64) {
        self.now = Millis(self.now.0 + ms);
        self.poll();
    }

    fn give(&mut self, from: ConnectionId, line: &Value) {
        let _taken = self.endpoint.receive(self.now, from, line.to_string().as_bytes()).unwrap();
        self.poll();
    }

    fn poll(&mut self) {
        while let Poll::Event(output) = self.endpoint.poll(self.now) {
            if let Output::Send { to, line } = output {
                let line = serde_json::from_str(line).expect("each line is JSON");
                if to == self.client { self.to_client.push(line) } else { self.to_runtime.push(line) }
            }
        }
    }
}
