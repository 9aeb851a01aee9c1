//! `"kind": "elicitation"`.

use super::fields::{Fields, text};
use super::matching::Captures;
use super::record::Record;
use super::strict;
use askgate::dialect::elicitation::{Elicitation, Protocol, RequestId, Scope};
use askgate::dialect::session::parse_questions;
use askgate::endpoint::{Authority, Endpoint, Output};
use askgate::gate::Poll;
use askgate::id::ConnectionId;
use askgate::json::to_json;
use askgate::limits::Limits;
use askgate::time::Millis;
use serde_json::{Value, json};

/// The session and the run that ask where the scope names no session.
const SESSION: &str = "s";
const RUN: &str = "r";

pub(crate) fn run(mut file: Fields, record: &mut Record) -> Result<(), String> {
    let protocol = file.need_text("protocol")?;
    let protocol = Protocol::from_name(&protocol).ok_or_else(|| format!("no protocol is {protocol:?}"))?;
    let mut asked = json!({ "questions": file.need("questions")? });
    if let Some(timeout) = file.number("timeout_ms")? {
        asked["timeout_ms"] = json!(timeout);
    }
    let scope = file.object("scope")?.map(OwnedScope::read).transpose()?;
    let capabilities = file.take("capabilities").unwrap_or_else(|| json!({ "elicitation": { "form": {} } }));
    let mut expected = file.take("request");
    // What an endpoint puts around the request is not compared.
    if let Some(Value::Object(message)) = &mut expected {
        message.remove("jsonrpc");
        message.remove("id");
    }
    let responses = file.list("responses")?.unwrap_or_default();
    file.done()?;

    let scope = scope.unwrap_or_default();
    let request = scope.request(protocol, &asked, &capabilities)?;
    record.add(&request);
    let mut captures = Captures::default();
    if let Some(expected) = expected {
        captures.compare(&expected, &request).map_err(|error| format!("the request: {error}"))?;
    }
    let run = Run { protocol, asked, capabilities, session: scope.session() };
    record.steps(responses, |record, response| {
        let mut response = Fields::of("the response", response)?;
        let (give, result) = (response.need("give")?, response.need("result")?);
        response.done()?;
        let (sent, got) = run.play(captures.fill(&give)?)?;
        if scope.is_a_session() && sent != request {
            return Err(format!("the endpoint sent {sent}, which is not {request}"));
        }
        record.add(&got);
        captures.compare(&result, &got)
    })
}

/// What an ACP request is about.
enum OwnedScope {
    Session(String, Option<String>),
    Request(Value),
}

impl Default for OwnedScope {
    fn default() -> Self {
        Self::Session(SESSION.into(), None)
    }
}

impl OwnedScope {
    fn read(mut fields: Fields) -> Result<Self, String> {
        let mut either = |name, other| fields.take(name).or_else(|| fields.take(other));
        let scope = match either("requestId", "request_id") {
            Some(request) => Self::Request(request),
            None => {
                let session = either("sessionId", "session_id").ok_or("the scope has no session")?;
                let call = either("toolCallId", "tool_call_id").map(|call| text("the scope", call));
                Self::Session(text("the scope", session)?, call.transpose()?)
            }
        };
        fields.done()?;
        Ok(scope)
    }

    /// Whether it is the scope in which an endpoint asks.
    fn is_a_session(&self) -> bool {
        matches!(self, Self::Session(_, None))
    }

    fn session(&self) -> String {
        match self {
            Self::Session(session, _) => session.clone(),
            Self::Request(_) => SESSION.into(),
        }
    }

    /// What goes out, or `null` if the client cannot show forms.
    fn request(&self, protocol: Protocol, asked: &Value, capabilities: &Value) -> Result<Value, String> {
        if !protocol.client(&capabilities.to_string()).forms {
            return Ok(Value::Null);
        }
        let (form, _) =
            parse_questions(&asked.to_string(), &Limits::DEFAULT).map_err(|error| error.to_string())?;
        let scope = match self {
            Self::Session(session, call) => {
                Scope::Session { session_id: session, tool_call_id: call.as_deref() }
            }
            Self::Request(Value::String(id)) => Scope::Request { request_id: RequestId::Text(id) },
            Self::Request(id) => {
                let id = id.as_i64().ok_or_else(|| format!("a request's id is {id}"))?;
                Scope::Request { request_id: RequestId::Number(id) }
            }
        };
        strict::parse(&to_json(&Elicitation { protocol, form: &form, scope }))
    }
}

struct Run {
    protocol: Protocol,
    asked: Value,
    capabilities: Value,
    session: String,
}

impl Run {
    /// Asks a fresh prompt through an endpoint and gives the client's response: what the client got (`null` if nothing), and
    /// the tool's result.
    fn play(&self, give: Value) -> Result<(Value, Value), String> {
        let now = Millis(0);
        let mut endpoint = Endpoint::default();
        let mut connect = |authority| endpoint.connect(now, authority).map_err(|error| error.to_string());
        let runtime = connect(Authority { runtime: true, ..Authority::default() })?;
        let client = connect(Authority::default())?;
        let capabilities = self.capabilities.to_string();
        endpoint
            .attach_client(now, client, &self.session, RUN, self.protocol, &capabilities)
            .map_err(|error| error.to_string())?;
        let mut params = self.asked.clone();
        params["session_key"] = json!(self.session);
        params["run_id"] = json!(RUN);
        let ask = json!({ "id": 1, "method": "sessions.prompt.request", "params": params });
        give_line(&mut endpoint, runtime, &ask)?;
        let (mut to_client, mut to_runtime) = (Vec::new(), Vec::new());
        poll(&mut endpoint, client, &mut to_client, &mut to_runtime)?;

        let mut sent = Value::Null;
        if let Some(line) = to_client.pop() {
            let result = match self.protocol {
                Protocol::Mcp20260728 if give.get("inputResponses").is_none() => {
                    json!({ "inputResponses": { "ask": give } })
                }
                Protocol::Acp | Protocol::Mcp20251125 | Protocol::Mcp20260728 => give,
            };
            let response = json!({ "jsonrpc": "2.0", "id": line["id"], "result": result });
            give_line(&mut endpoint, client, &response)?;
            poll(&mut endpoint, client, &mut to_client, &mut to_runtime)?;
            sent = match self.protocol {
                Protocol::Acp | Protocol::Mcp20251125 => {
                    json!({ "method": line["method"], "params": line["params"] })
                }
                Protocol::Mcp20260728 => line["result"].clone(),
            };
        }
        match (&to_client[..], &to_runtime[..]) {
            ([], [line]) => Ok((sent, line["result"].clone())),
            _ => Err(format!("one result was to come, not {to_runtime:?} and {to_client:?}")),
        }
    }
}

fn give_line(endpoint: &mut Endpoint, from: ConnectionId, line: &Value) -> Result<(), String> {
    let taken = endpoint.receive(Millis(0), from, line.to_string().as_bytes());
    taken.map(|_| ()).map_err(|error| error.to_string())
}

fn poll(
    endpoint: &mut Endpoint,
    client: ConnectionId,
    to_client: &mut Vec<Value>,
    to_runtime: &mut Vec<Value>,
) -> Result<(), String> {
    while let Poll::Event(output) = endpoint.poll(Millis(0)) {
        if let Output::Send { to, line } = output {
            let lines = if to == client { &mut *to_client } else { &mut *to_runtime };
            lines.push(strict::parse(line)?);
        }
    }
    Ok(())
}
