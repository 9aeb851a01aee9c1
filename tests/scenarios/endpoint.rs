//! `"kind": "endpoint"`.

use super::config;
use super::fields::{Fields, just_true, number, text, texts};
use super::matching::Captures;
use super::record::Record;
use super::strict;
use askgate::dialect::elicitation::Protocol;
use askgate::endpoint::{Authority, Endpoint, Output, Receive};
use askgate::gate::Poll;
use askgate::id::ConnectionId;
use askgate::time::Millis;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

const ACTIONS: [&str; 13] = [
    "connect",
    "from",
    "disconnect",
    "poll",
    "next_deadline",
    "close_surface",
    "end_run",
    "end_session",
    "shutdown",
    "can_ask",
    "pane_opened",
    "pane_failed",
    "pane_closed",
];

pub(crate) fn run(mut file: Fields, record: &mut Record) -> Result<(), String> {
    let (config, mut rest) = config::read(&mut file)?;
    let availability = rest.flag("availability")?.unwrap_or(false);
    rest.done()?;
    let steps = file.list("steps")?.ok_or("no steps")?;
    file.done()?;
    let mut host = Host {
        endpoint: Endpoint::new(config),
        open: BTreeMap::new(),
        labels: BTreeMap::new(),
        leaving: None,
        gone: BTreeSet::new(),
        captures: Captures::default(),
        availability,
    };
    let mut now = Millis(0);
    record.steps(steps, |record, step| {
        let mut step = Fields::of("the step", step)?;
        if let Some(at) = step.number("at")? {
            now = Millis(at);
        }
        host.act(now, &mut step, record)?;
        let expected = step.take("expect").unwrap_or_else(|| json!([]));
        step.done()?;
        let outputs = host.poll(now, record)?;
        host.captures.compare(&expected, &Value::Array(outputs))
    })
}

struct Host {
    endpoint: Endpoint,
    /// The open connections by their labels: the last of those with one label.
    open: BTreeMap<String, ConnectionId>,
    /// The label of each connection that ever was.
    labels: BTreeMap<ConnectionId, String>,
    /// The connection that the step at hand disconnects: what was due ended while it was still there.
    leaving: Option<ConnectionId>,
    /// The connections that earlier steps disconnected.
    gone: BTreeSet<ConnectionId>,
    captures: Captures,
    /// Whether changes of availability are listed.
    availability: bool,
}

impl Host {
    fn act(&mut self, now: Millis, step: &mut Fields, record: &mut Record) -> Result<(), String> {
        let (action, value) = step.action(&ACTIONS)?;
        match action {
            "connect" => self.connect(now, text(action, value)?, step)?,
            "from" => self.receive(now, &text(action, value)?, step)?,
            "disconnect" => {
                let label = text(action, value)?;
                let connection = self.open.remove(&label).ok_or_else(|| format!("{label:?} is not open"))?;
                self.leaving = Some(connection);
                self.endpoint.disconnect(now, connection);
            }
            // The outputs are polled after each step.
            "poll" => just_true(action, &value)?,
            "next_deadline" => {
                let next = json!(self.endpoint.next_deadline().map(|at| at.0));
                record.add(&next);
                self.captures.compare(&value, &next)?;
            }
            "close_surface" => {
                self.endpoint.close_surface(now, &text(action, value)?);
            }
            "end_run" => {
                let [session, run] = texts(action, value)?;
                self.endpoint.end_run(now, &session, &run);
            }
            "end_session" => {
                self.endpoint.end_session(now, &text(action, value)?);
            }
            "shutdown" => {
                just_true(action, &value)?;
                self.endpoint.shutdown(now);
            }
            "can_ask" => {
                let [session, run] = texts(action, value)?;
                let can = json!(self.endpoint.can_ask(&session, &run));
                record.add(&can);
                self.captures.compare(&step.need("is")?, &can)?;
            }
            report => self.report(now, report, value)?,
        }
        Ok(())
    }

    fn connect(&mut self, now: Millis, label: String, step: &mut Fields) -> Result<(), String> {
        let default = Authority::default();
        let authority = Authority {
            observer: step.flag("observer")?.unwrap_or(default.observer),
            answer: step.flag("answer")?.unwrap_or(default.answer),
            operator: step.flag("operator")?.unwrap_or(default.operator),
            runtime: step.flag("runtime")?.unwrap_or(default.runtime),
        };
        let connection = self.endpoint.connect(now, authority).map_err(|error| error.to_string())?;
        self.open.insert(label.clone(), connection);
        self.labels.insert(connection, label);
        let Some(mut client) = step.object("client")? else { return Ok(()) };
        let protocol = client.need_text("protocol")?;
        let protocol =
            Protocol::from_name(&protocol).ok_or_else(|| format!("no protocol is {protocol:?}"))?;
        let capabilities = client.need("capabilities")?.to_string();
        let (session, run) = (client.need_text("session")?, client.need_text("run")?);
        client.done()?;
        self.endpoint
            .attach_client(now, connection, &session, &run, protocol, &capabilities)
            .map_err(|error| error.to_string())?;
        Ok(())
    }

    fn receive(&mut self, now: Millis, label: &str, step: &mut Fields) -> Result<(), String> {
        let line = if let Some(message) = step.take("send") {
            self.captures.fill(&message)?.to_string().into_bytes()
        } else if let Some(raw) = step.text("raw")? {
            raw.into_bytes()
        } else {
            bytes(&step.need_text("raw_hex")?)?
        };
        let connection = *self.open.get(label).ok_or_else(|| format!("{label:?} is not open"))?;
        match self.endpoint.receive(now, connection, &line) {
            Ok(Receive::Taken) => Ok(()),
            Ok(Receive::Full) => Err("the line was not taken: too many outputs wait".into()),
            Err(error) => Err(error.to_string()),
        }
    }

    /// A host's report about a pane. One that matches nothing is refused, and the scenario says so by its outputs alone.
    fn report(&mut self, now: Millis, report: &str, value: Value) -> Result<(), String> {
        if report == "pane_closed" {
            let _refused = self.endpoint.pane_closed(now, &text(report, value)?);
            return Ok(());
        }
        let Value::Array(mut parts) = value else { return Err(format!("{report:?} must be a list")) };
        if parts.is_empty() {
            return Err(format!("{report:?} has no parts"));
        }
        let request = number(report, &parts.remove(0))?;
        if report == "pane_opened" {
            let [agent, surface] = texts(report, Value::Array(parts))?;
            let _refused = self.endpoint.pane_opened(now, request, &agent, &surface);
        } else {
            let [why] = texts(report, Value::Array(parts))?;
            let _refused = self.endpoint.pane_failed(now, request, &why);
        }
        Ok(())
    }

    /// All outputs, in order, as a scenario lists them.
    fn poll(&mut self, now: Millis, record: &mut Record) -> Result<Vec<Value>, String> {
        let mut outputs = Vec::new();
        while let Poll::Event(output) = self.endpoint.poll(now) {
            let written = match output {
                Output::Send { to, line } => {
                    if line.contains(['\n', '\r']) {
                        return Err(format!("an output of more than one line: {line:?}"));
                    }
                    let label = self.labels.get(&to).ok_or_else(|| format!("no connection is {to}"))?;
                    if self.gone.contains(&to) {
                        return Err(format!("an output to a connection that is gone ({label:?}): {line}"));
                    }
                    let label = json!(label);
                    record.add(format!(r#"{{"to":{label},"line":{line}}}"#));
                    let message =
                        strict::parse(line).map_err(|error| format!("{error} in an output: {line}"))?;
                    outputs.push(json!({ "to": label, "line": message }));
                    continue;
                }
                Output::OpenPane { request, placement } => {
                    json!({ "open_pane": { "request": request, "placement": placement.as_str() } })
                }
                Output::ClosePane { agent } => json!({ "close_pane": agent }),
                Output::Availability { session, run, available } => {
                    if !self.availability {
                        continue;
                    }
                    json!({ "available": [session, run], "is": available })
                }
                other => return Err(format!("an output that no scenario can list: {other:?}")),
            };
            record.add(&written);
            outputs.push(written);
        }
        self.gone.extend(self.leaving.take());
        Ok(outputs)
    }
}

fn bytes(hex: &str) -> Result<Vec<u8>, String> {
    let digits: Vec<char> = hex.chars().collect();
    let byte = |pair: &[char]| u8::from_str_radix(&pair.iter().collect::<String>(), 16);
    digits.chunks(2).map(|pair| byte(pair).map_err(|error| format!("{hex:?}: {error}"))).collect()
}
