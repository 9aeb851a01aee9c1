//! The server without its streams: a runtime and a client of one endpoint, where the client is whoever calls the tool.

use super::wire::{
    CallResult, Error, FormResult, HANDSHAKE, Id, InputRequired, InputResponses, Message, Params, Refusal,
    Reply, STATELESS, ToClient, ToRuntime, number,
};
use crate::exit::Failure;
use crate::host::Host;
use askgate::dialect::elicitation::Protocol;
use askgate::dialect::session::{ASK_TOOL, ToolResult, parse_questions};
use askgate::endpoint::Authority;
use askgate::id::ConnectionId;
use askgate::json::to_json;
use askgate::limits::Limits;
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The one session, and its one run: a client has one question to answer at a time.
const NAME: &str = "mcp";

/// How long a form waits, in milliseconds, where the call says nothing and the client is one that calls again to answer: it
/// may never do so, and until then no other question could be asked.
const STATELESS_TIMEOUT_MS: u64 = 300_000;

/// Results that wait for a client to call again and fetch them. Over it the oldest is forgotten.
const KEPT: usize = 64;

/// What a client said about itself.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Client {
    protocol: Protocol,
    capabilities: String,
}

impl Client {
    fn is_stateless(&self) -> bool {
        self.protocol == Protocol::Mcp20260728
    }

    fn shows_forms(&self) -> bool {
        self.protocol.client(&self.capabilities).forms
    }
}

/// A call of the tool that has not ended.
#[derive(Debug)]
struct Call {
    stateless: bool,
    /// The client's request that waits for a reply.
    waiting: Option<Id>,
    /// The endpoint's number for the form that a stateless client shows, and the form as it was sent.
    form: Option<(u64, Box<RawValue>)>,
}

/// The server. See the [module documentation](self).
pub(super) struct Server {
    host: Host,
    runtime: ConnectionId,
    client: ConnectionId,
    /// What the handshake said, if there was one.
    handshake: Option<Client>,
    /// What the endpoint was told of the client.
    attached: Option<Client>,
    /// By their numbers, which are the endpoint's ids and the client's `requestState`.
    calls: BTreeMap<u64, Call>,
    /// Results of calls that ended while no request of the client waited for them.
    ended: BTreeMap<u64, Value>,
    last_call: u64,
    output: String,
}

impl Server {
    pub(super) fn new() -> Result<Self, Failure> {
        let mut host = Host::new(1);
        let mut connect = |authority| {
            host.connect(authority).map_err(|error| Failure::wire(format!("at_capacity: {error}")))
        };
        let runtime = connect(Authority { runtime: true, answer: false, ..Authority::default() })?;
        let client = connect(Authority { answer: false, ..Authority::default() })?;
        Ok(Self {
            host,
            runtime,
            client,
            handshake: None,
            attached: None,
            calls: BTreeMap::new(),
            ended: BTreeMap::new(),
            last_call: 0,
            output: String::new(),
        })
    }

    /// Sleeps until a question may be due.
    pub(super) async fn sleep(&self) {
        self.host.sleep().await;
    }

    /// Ends what is due.
    pub(super) fn settle(&mut self) {
        let mut lines = Vec::new();
        self.host.poll(&mut |to, line| lines.push((to, line.to_owned())));
        self.deliver(lines);
    }

    /// The lines that are to be written.
    pub(super) fn take_output(&mut self) -> String {
        std::mem::take(&mut self.output)
    }

    /// Takes a line of the client's.
    pub(super) fn take(&mut self, line: &[u8]) {
        let message: Message<'_> = match serde_json::from_slice(line) {
            // A list would pass for the fields in their order.
            Ok(message) if line.trim_ascii_start().starts_with(b"{") => message,
            Ok(_) => return self.refuse(None, not_a_message("batches are not taken")),
            Err(error) if error.is_data() => return self.refuse(None, not_a_message(&error.to_string())),
            Err(error) => {
                let sentence = format!("Send one JSON object a line: {error}.");
                return self.refuse(None, Error::new(number::PARSE_ERROR, sentence));
            }
        };
        let Some(method) = message.method else {
            if message.result.is_none() && message.error.is_none() {
                return self.refuse(message.id.as_ref(), not_a_message("it has no method"));
            }
            // What answers no request of ours changes nothing.
            if self.attached.is_some() {
                self.give(self.client, line);
            }
            return;
        };
        let params = message.params.map_or(Ok(Params::default()), |it| serde_json::from_str(it.get()));
        let handled = match params {
            Ok(params) => self.handle(&method, message.id.as_ref(), &params),
            Err(error) => Err(Error::new(number::INVALID_PARAMS, format!("The params do not fit: {error}."))),
        };
        if let (Err(error), Some(id)) = (handled, &message.id) {
            self.refuse(Some(id), error);
        }
    }

    fn handle(&mut self, method: &str, id: Option<&Id>, params: &Params<'_>) -> Result<(), Error> {
        let Some(id) = id else {
            if method == "notifications/cancelled" {
                self.cancel(params.request_id.as_ref());
            }
            return Ok(());
        };
        let client = self.client_of(params)?;
        match method {
            "initialize" => {
                let capabilities = params.capabilities.map_or("{}", RawValue::get).to_owned();
                self.handshake = Some(Client { protocol: Protocol::Mcp20251125, capabilities });
                let result = json!({
                    "protocolVersion": HANDSHAKE,
                    "capabilities": { "tools": {} },
                    "serverInfo": server_info(),
                });
                self.reply(id, result);
                Ok(())
            }
            "server/discover" => {
                let result = json!({
                    "supportedVersions": [STATELESS],
                    "capabilities": { "tools": {} },
                    "_meta": { "io.modelcontextprotocol/serverInfo": server_info() },
                });
                self.reply(id, complete(result));
                Ok(())
            }
            "ping" => {
                self.reply(id, json!({}));
                Ok(())
            }
            "tools/list" => {
                // The tool is there for those who can answer it.
                let tool = client.as_ref().filter(|client| client.shows_forms()).map(|_| tool());
                let result = json!({ "tools": Vec::from_iter(tool) });
                let stateless = client.is_some_and(|client| client.is_stateless());
                self.reply(id, if stateless { complete(result) } else { result });
                Ok(())
            }
            "tools/call" => self.call(id, client, params),
            _ => Err(Error::new(number::METHOD_NOT_FOUND, "There is no such method.")),
        }
    }

    /// Who sends a request: its own words where it has them, else those of the handshake.
    fn client_of(&self, params: &Params<'_>) -> Result<Option<Client>, Error> {
        let Some(meta) = &params.meta else { return Ok(self.handshake.clone()) };
        match meta.version.as_deref() {
            None => Ok(self.handshake.clone()),
            Some(STATELESS) => {
                let capabilities = meta.capabilities.map_or("{}", RawValue::get).to_owned();
                Ok(Some(Client { protocol: Protocol::Mcp20260728, capabilities }))
            }
            Some(version) => Err(Error {
                data: Some(json!({ "supported": [STATELESS], "requested": version })),
                ..Error::new(
                    number::UNSUPPORTED_VERSION,
                    "Speak a revision of the protocol that is supported.",
                )
            }),
        }
    }

    fn call(&mut self, id: &Id, client: Option<Client>, params: &Params<'_>) -> Result<(), Error> {
        if params.name.as_deref() != Some("ask") {
            return Err(Error::new(number::INVALID_PARAMS, "There is no such tool; there is \"ask\"."));
        }
        let stateless = client.as_ref().is_some_and(Client::is_stateless);
        if let (true, Some(state)) = (stateless, &params.request_state) {
            return self.resume(id, state, params.input_responses);
        }
        let arguments = params.arguments.map_or("{}", RawValue::get);
        let timeout = match parse_questions(arguments, &Limits::DEFAULT) {
            Ok((_, timeout)) => timeout,
            Err(error) => {
                let result = to_json(&ToolResult::refused(&error));
                self.reply_result(id, stateless, &result);
                return Ok(());
            }
        };
        // While a question waits, the client that was asked is the one to answer it; another call is busy anyhow.
        if self.calls.is_empty() && self.attached != client {
            let Client { protocol, capabilities } = client
                .clone()
                .unwrap_or_else(|| Client { protocol: Protocol::Mcp20251125, capabilities: "{}".into() });
            let attached = self.host.attach_client(self.client, NAME, NAME, protocol, &capabilities);
            attached.map_err(|error| Error::new(number::INTERNAL_ERROR, error.to_string()))?;
            self.attached = client;
        }
        self.last_call += 1;
        let waiting = Some(id.clone());
        self.calls.insert(self.last_call, Call { stateless, waiting, form: None });
        // The arguments are an object, and have none of these fields, or they would not have passed.
        let rest = arguments.trim_start().strip_prefix('{').unwrap_or(arguments);
        let limit = match timeout {
            None if stateless => format!(r#""timeout_ms":{STATELESS_TIMEOUT_MS},"#),
            None | Some(_) => String::new(),
        };
        let number = self.last_call;
        let line = format!(
            r#"{{"id":{number},"method":"sessions.prompt.request","params":{{"session_key":"{NAME}","run_id":"{NAME}",{limit}{rest}}}"#
        );
        self.give(self.runtime, line.as_bytes());
        Ok(())
    }

    /// A stateless client calls again, with the person's answer.
    fn resume(&mut self, id: &Id, state: &str, responses: Option<&RawValue>) -> Result<(), Error> {
        let unknown =
            || Error::new(number::INVALID_PARAMS, "That question is not known; call the tool anew.");
        let number: u64 = state.parse().map_err(|_| unknown())?;
        if let Some(result) = self.ended.remove(&number) {
            self.reply(id, result);
            return Ok(());
        }
        let responses = responses.map(RawValue::get).unwrap_or("{}");
        let answered = serde_json::from_str::<InputResponses<'_>>(responses).is_ok_and(|it| it.ask.is_some());
        let call = self.calls.get_mut(&number).ok_or_else(unknown)?;
        let (form, requests) = call.form.as_ref().ok_or_else(unknown)?;
        if !answered {
            let requests = requests.clone();
            self.reply(id, input_required(number, &requests));
            return Ok(());
        }
        let line = format!(r#"{{"jsonrpc":"2.0","id":{form},"result":{{"inputResponses":{responses}}}}}"#);
        call.waiting = Some(id.clone());
        self.give(self.client, line.as_bytes());
        Ok(())
    }

    /// The client no longer wants the reply to one of its calls, and gets none.
    fn cancel(&mut self, request: Option<&Id>) {
        let found =
            self.calls.iter().find(|(_, call)| call.waiting.is_some() && call.waiting.as_ref() == request);
        let Some(number) = found.map(|(number, _)| *number) else { return };
        self.calls.remove(&number);
        let line = format!(r#"{{"method":"$/cancel_request","params":{{"id":{number}}}}}"#);
        self.give(self.runtime, line.as_bytes());
    }

    /// Gives the endpoint a line, and hands on what comes of it.
    fn give(&mut self, from: ConnectionId, line: &[u8]) {
        let mut lines = Vec::new();
        self.host.receive(from, line, &mut |to, line| lines.push((to, line.to_owned())));
        self.deliver(lines);
    }

    fn deliver(&mut self, lines: Vec<(ConnectionId, String)>) {
        for (to, line) in lines {
            if to == self.client { self.tell_client(&line) } else { self.tell_runtime(&line) }
        }
    }

    fn tell_client(&mut self, line: &str) {
        if !self.attached.as_ref().is_some_and(Client::is_stateless) {
            self.write(line);
            return;
        }
        // A stateless client is told that its form was withdrawn when it calls again.
        let Ok(ToClient { id: Some(form), result: Some(FormResult { input_requests }) }) =
            serde_json::from_str(line)
        else {
            return;
        };
        let Some(call) = self.calls.get_mut(&self.last_call) else { return };
        call.form = Some((form, input_requests.to_owned()));
        if let Some(id) = call.waiting.take() {
            let result = input_required(self.last_call, input_requests);
            self.reply(&id, result);
        }
    }

    fn tell_runtime(&mut self, line: &str) {
        let Ok(ToRuntime { id, result, error }) = serde_json::from_str(line) else { return };
        // A line that was refused as a whole is that of the last call.
        let number = id.unwrap_or(self.last_call);
        let Some(call) = self.calls.remove(&number) else { return };
        match (result, call.waiting) {
            (Some(result), Some(id)) => self.reply(&id, call_result(call.stateless, &result)),
            (Some(result), None) => {
                let result = serde_json::to_value(call_result(call.stateless, &result)).unwrap_or_default();
                self.ended.insert(number, result);
                if self.ended.len() > KEPT {
                    self.ended.pop_first();
                }
            }
            (None, Some(id)) => {
                let error = error.unwrap_or_default();
                self.refuse(Some(&id), Error::new(number::INVALID_PARAMS, error));
            }
            (None, None) => {}
        }
    }

    /// Replies with a result that no prompt stands behind.
    fn reply_result(&mut self, id: &Id, stateless: bool, result: &str) {
        if let Ok(result) = serde_json::from_str(result) {
            self.reply(id, call_result(stateless, &result));
        }
    }

    fn reply(&mut self, id: &Id, result: impl Serialize) {
        let reply = serde_json::to_string(&Reply { jsonrpc: "2.0", id, result });
        self.write(&reply.unwrap_or_default());
    }

    fn refuse(&mut self, id: Option<&Id>, error: Error) {
        let refusal = serde_json::to_string(&Refusal { jsonrpc: "2.0", id, error });
        self.write(&refusal.unwrap_or_default());
    }

    fn write(&mut self, line: &str) {
        self.output.push_str(line);
        self.output.push('\n');
    }
}

fn not_a_message(why: &str) -> Error {
    Error::new(number::INVALID_REQUEST, format!("Send one request or response a line: {why}."))
}

fn server_info() -> Value {
    json!({ "name": "askgate", "version": env!("CARGO_PKG_VERSION") })
}

fn tool() -> Value {
    serde_json::from_str(ASK_TOOL).unwrap_or_default()
}

/// The fields that the newer revision wants in a result.
fn complete(mut result: Value) -> Value {
    if let Some(fields) = result.as_object_mut() {
        fields.insert("resultType".into(), "complete".into());
        fields.insert("ttlMs".into(), 0.into());
        fields.insert("cacheScope".into(), "private".into());
    }
    result
}

fn call_result<'a>(stateless: bool, result: &super::wire::ToolResult<'a>) -> CallResult<'a> {
    CallResult {
        result_type: stateless.then_some("complete"),
        content: result.content,
        structured_content: result.details,
        is_error: result.is_error,
    }
}

fn input_required(number: u64, input_requests: &RawValue) -> InputRequired<'_> {
    InputRequired { result_type: "input_required", input_requests, request_state: number.to_string() }
}
