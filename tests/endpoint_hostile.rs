//! Whatever bytes a peer sends, each line gets one reply or none, as spec 7 says, and every output is one line of JSON.
//!
//! What a line is owed is told by an oracle that reads the line by itself and knows nothing but the envelope: a line
//! without an id is owed silence, any other one reply, though a call that waits gets it later.

use askgate::dialect::elicitation::Protocol;
use askgate::endpoint::{Authority, Endpoint, Output, Receive};
use askgate::gate::{Config, Poll};
use askgate::id::ConnectionId;
use askgate::time::Millis;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

#[allow(dead_code, reason = "only the reader of JSON with unique keys is used here")]
mod scenarios;

use scenarios::strict;

const LINE_BYTES: usize = 1_500;

/// Calls whose reply may wait for a person or the host.
const WAITING: [&str; 5] =
    ["agent.ask_user", "agent.create", "agent.create_split", "agent.close", "sessions.prompt.request"];

// ---------------------------------------------------------------------------------------------------------------------
// What a line is owed.

#[derive(Debug, PartialEq)]
enum Owed {
    /// One reply with `id: null`, of that code.
    Null(&'static str),
    /// One reply with this id, now.
    Reply(Value),
    /// One reply with this id, now or later.
    Waits(Value),
    /// One reply, with this id or with `null`, and nothing that waits.
    Refusal(Value),
    /// The `id` is a number written as a fraction, which may or may not be taken for an integer.
    Unclear,
    Silence,
}

fn owed(line: &[u8], waiting: &BTreeSet<String>) -> Owed {
    if line.len() > LINE_BYTES {
        return Owed::Null("too_long");
    }
    let Ok(value) = serde_json::from_slice::<Value>(line) else { return Owed::Null("parse_error") };
    let Value::Object(message) = value else { return Owed::Null("invalid_request") };
    let unique = std::str::from_utf8(line).is_ok_and(|text| strict::parse(text).is_ok());
    let Some(id) = message.get("id") else { return Owed::Silence };
    if !unique {
        return Owed::Refusal(id.clone());
    }
    let safe = -((1_i64 << 53) - 1)..=(1 << 53) - 1;
    match id {
        Value::String(text) if text.len() <= 256 => {}
        Value::Number(n) if n.as_i64().is_some_and(|n| safe.contains(&n)) => {}
        Value::Number(n) if n.is_f64() => return Owed::Unclear,
        _ => return Owed::Null("invalid_request"),
    }
    if waiting.contains(&id.to_string()) {
        return Owed::Null("id_in_use");
    }
    let waits = message.get("method").and_then(Value::as_str).is_some_and(|name| WAITING.contains(&name));
    if waits { Owed::Waits(id.clone()) } else { Owed::Reply(id.clone()) }
}

// ---------------------------------------------------------------------------------------------------------------------
// Lines.

fn ids() -> impl Strategy<Value = Value> {
    let long = |bytes: usize| json!("x".repeat(bytes));
    prop_oneof![
        12 => select(vec![json!(0), json!(1), json!(-2), json!(3), json!("a"), json!(""), json!("1")]),
        1 => select(vec![
            json!(9_007_199_254_740_991_u64), json!(9_007_199_254_740_992_u64), json!(-9_007_199_254_740_991_i64),
            json!(u64::MAX), json!(1.5), json!(1.0), json!(null), json!(true), json!([]), json!({}),
            long(256), long(257), json!("\u{0}\u{1F600}\"\\"),
        ]),
    ]
}

fn word() -> impl Strategy<Value = Value> {
    select(vec![
        json!("surface:1"),
        json!("agent:1"),
        json!("req:1"),
        json!("req:2"),
        json!("req:01"),
        json!("prompt:1"),
        json!("prompt:3"),
        json!("s1"),
        json!("r1"),
        json!("yes"),
        json!("run"),
        json!("a"),
        json!("answer"),
        json!(""),
        json!(" "),
        json!(null),
        json!(true),
        json!(0),
        json!(1),
        json!(1.5),
        json!(1e300),
        json!([]),
        json!({}),
        json!([{ "id": "q", "question": "?", "options": [] }]),
        json!([{ "id": "q", "selected": ["x"] }]),
        json!("\u{202E}\u{2028}\u{7F}\n\"\\"),
    ])
}

const KEYS: [&str; 26] = [
    "id",
    "method",
    "params",
    "jsonrpc",
    "result",
    "error",
    "_meta",
    "surface_id",
    "agent_id",
    "kind",
    "title",
    "body",
    "choices",
    "default",
    "timeout_ms",
    "unsafe",
    "request_id",
    "value",
    "reason",
    "direction",
    "session_key",
    "run_id",
    "prompt_id",
    "questions",
    "action",
    "answers",
];

const METHODS: [&str; 19] = [
    "agent.ask_user",
    "agent.ask_pending",
    "agent.ask_answer",
    "agent.ask_acknowledge",
    "agent.ask_back",
    "agent.ask_cancel",
    "agent.create",
    "agent.create_split",
    "agent.list",
    "agent.count",
    "agent.close",
    "askUserRequestSnapshot",
    "$/cancel_request",
    "sessions.prompt.bind",
    "sessions.prompt.request",
    "sessions.prompt.resolve",
    "sessions.prompt.end_run",
    "askUserEvent",
    "",
];

/// The params of calls that may well be accepted.
fn calls() -> impl Strategy<Value = (&'static str, Value)> {
    let questions = json!([{ "id": "q", "question": "?", "options": [{ "label": "x" }, { "label": "y" }] }]);
    select(vec![
        ("agent.ask_user", json!({ "surface_id": "surface:1", "kind": "yesno", "title": "Go?" })),
        (
            "agent.ask_user",
            json!({ "surface_id": "surface:1", "kind": "text", "title": "T", "timeout_ms": 5, "body": "\n" }),
        ),
        (
            "agent.ask_user",
            json!({ "surface_id": "surface:9", "kind": "confirm-command", "title": "ls", "unsafe": true }),
        ),
        (
            "agent.ask_user",
            json!({ "surface_id": "s", "kind": "choice", "title": "T", "choices": [{ "id": "a" }], "default": "a" }),
        ),
        ("agent.ask_pending", json!({})),
        ("agent.ask_pending", json!({ "surface_id": "surface:1" })),
        ("agent.ask_answer", json!({ "request_id": "req:1", "value": "yes" })),
        ("agent.ask_answer", json!({ "request_id": "req:2", "value": "run" })),
        ("agent.ask_acknowledge", json!({ "request_id": "req:2" })),
        ("agent.ask_back", json!({ "request_id": "req:2" })),
        ("agent.ask_cancel", json!({ "request_id": "req:1", "reason": "afk" })),
        ("agent.create", json!({})),
        ("agent.create_split", json!({ "direction": "down" })),
        ("agent.list", json!({})),
        ("agent.count", json!({})),
        ("agent.close", json!({ "agent_id": "agent:1" })),
        ("agent.close", json!({ "surface_id": "surface:2" })),
        ("askUserRequestSnapshot", json!({})),
        ("$/cancel_request", json!({ "id": 1 })),
        ("$/cancel_request", json!({ "id": "a" })),
        ("sessions.prompt.bind", json!({ "session_key": "s1" })),
        ("sessions.prompt.bind", json!({ "session_key": "s1", "enabled": false })),
        ("sessions.prompt.request", json!({ "session_key": "s1", "run_id": "r1", "questions": questions })),
        (
            "sessions.prompt.request",
            json!({ "session_key": "s2", "run_id": "r1", "questions": questions, "timeout_ms": 4 }),
        ),
        (
            "sessions.prompt.resolve",
            json!({ "session_key": "s1", "run_id": "r1", "prompt_id": "prompt:1", "action": "decline" }),
        ),
        (
            "sessions.prompt.resolve",
            json!({ "session_key": "s1", "run_id": "r1", "prompt_id": "prompt:2", "action": "answer",
            "answers": [{ "id": "q", "selected": ["x"] }] }),
        ),
        ("sessions.prompt.end_run", json!({ "session_key": "s1", "run_id": "r1" })),
    ])
}

fn valid() -> impl Strategy<Value = String> {
    (prop::option::weighted(0.8, ids()), calls(), prop::option::weighted(0.2, Just("2.0"))).prop_map(
        |(id, (method, params), jsonrpc)| {
            let mut message = Map::new();
            message.extend(id.map(|id| ("id".into(), id)));
            message.extend(jsonrpc.map(|version| ("jsonrpc".into(), json!(version))));
            message.insert("method".into(), json!(method));
            message.insert("params".into(), params);
            Value::Object(message).to_string()
        },
    )
}

/// A valid line with one of its fields, at any depth, set to something else or joined by another.
fn twisted() -> impl Strategy<Value = String> {
    let new = prop_oneof![word(), select(&METHODS[..]).prop_map(|method| json!(method)), ids()];
    (valid(), any::<bool>(), select(&KEYS[..]), new, any::<bool>()).prop_map(
        |(line, inside, key, new, twice)| {
            let mut message: Value = serde_json::from_str(&line).expect("a valid line");
            let place = if inside { &mut message["params"] } else { &mut message };
            if !twice {
                place[key] = new;
                return message.to_string();
            }
            // A key that may stand there already.
            let place = place.to_string();
            let rest = place.trim_start_matches('{');
            let comma = if rest.starts_with('}') { "" } else { "," };
            let object = format!("{{{}:{new}{comma}{rest}", json!(key));
            if inside { line.replacen(&place, &object, 1) } else { object }
        },
    )
}

/// A small change of the bytes.
#[derive(Debug, Clone)]
enum Change {
    Set(Index, u8),
    Insert(Index, u8),
    Delete(Index),
    Cut(Index),
    Repeat(Index, Index),
}

fn mutated() -> impl Strategy<Value = Vec<u8>> {
    let at = any::<Index>;
    let byte = || prop_oneof![select(&b"{}[]\",:\\0-.eE tnu\n\x00\xff"[..]), any::<u8>()];
    let change = prop_oneof![
        (at(), byte()).prop_map(|(at, byte)| Change::Set(at, byte)),
        (at(), byte()).prop_map(|(at, byte)| Change::Insert(at, byte)),
        at().prop_map(Change::Delete),
        at().prop_map(Change::Cut),
        (at(), at()).prop_map(|(from, to)| Change::Repeat(from, to)),
    ];
    (valid(), vec(change, 1..4)).prop_map(|(line, changes)| {
        let mut line = line.into_bytes();
        for change in changes {
            let place = |at: Index| at.index(line.len() + 1).min(line.len().saturating_sub(1));
            match change {
                Change::Set(at, byte) => {
                    let at = place(at);
                    line.get_mut(at).into_iter().for_each(|old| *old = byte);
                }
                Change::Insert(at, byte) => line.insert(at.index(line.len() + 1), byte),
                Change::Delete(at) if !line.is_empty() => {
                    line.remove(place(at));
                }
                Change::Delete(_) => {}
                Change::Cut(at) => line.truncate(at.index(line.len() + 1)),
                Change::Repeat(from, to) => {
                    let (from, to) = (place(from), place(to));
                    let part = line.get(from.min(to)..from.max(to)).unwrap_or_default().to_vec();
                    line.splice(from.max(to)..from.max(to), part);
                }
            }
        }
        line
    })
}

/// JSON of no particular meaning, with the keys that matter.
fn json_of_any_shape() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![word(), ids(), select(&METHODS[..]).prop_map(|method| json!(method))];
    let any_value = leaf.prop_recursive(4, 24, 5, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::Array),
            vec((select(&KEYS[..]), inner), 0..6)
                .prop_map(|fields| fields.into_iter().map(|(key, value)| (key.to_string(), value)).collect()),
        ]
    });
    any_value.prop_map(|value| value.to_string())
}

/// A line that a failure shows as text.
#[derive(Clone)]
struct Line(Vec<u8>);

impl fmt::Debug for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.escape_ascii().to_string())
    }
}

fn line() -> impl Strategy<Value = Line> {
    let odd: Vec<Vec<u8>> = vec![
        b"".to_vec(),
        b" \t\r".to_vec(),
        "\u{FEFF}{}".into(),
        b"\xff\xfe".to_vec(),
        b"{\"id\":1,\"method\":\"\\ud800\"}".to_vec(),
        b"{\"id\":1e999}".to_vec(),
        b"{\"id\":-0}".to_vec(),
        b"null".to_vec(),
        b"[{\"id\":1,\"method\":\"agent.list\"}]".to_vec(),
        [b"[".repeat(127), b"]".repeat(127)].concat(),
        [b"[".repeat(600), b"]".repeat(600)].concat(),
        [b"{\"id\":1,\"params\":".to_vec(), b"[".repeat(200), b"]".repeat(200), b"}".to_vec()].concat(),
        b" ".repeat(LINE_BYTES),
        b" ".repeat(LINE_BYTES + 1),
    ];
    prop_oneof![
        10 => valid().prop_map(String::into_bytes),
        6 => twisted().prop_map(String::into_bytes),
        6 => mutated(),
        3 => json_of_any_shape().prop_map(String::into_bytes),
        2 => vec(any::<u8>(), 0..80),
        1 => select(odd),
    ]
    .prop_map(Line)
}

// ---------------------------------------------------------------------------------------------------------------------
// The host.

struct Host {
    endpoint: Endpoint,
    connections: Vec<ConnectionId>,
    /// The ids of the calls that wait, as JSON, on each connection.
    waiting: BTreeMap<ConnectionId, BTreeSet<String>>,
    panes: u64,
}

impl Host {
    fn new() -> Self {
        let mut config = Config::default();
        config.limits.line_bytes = LINE_BYTES;
        let mut endpoint = Endpoint::new(config);
        let all = Authority { observer: true, answer: true, operator: true, runtime: true };
        let none = Authority { answer: false, ..Authority::default() };
        let authorities = [Authority::default(), all, none, all];
        let connections: Vec<ConnectionId> = authorities
            .into_iter()
            .map(|authority| endpoint.connect(Millis(0), authority).unwrap())
            .collect();
        let waiting = connections.iter().map(|connection| (*connection, BTreeSet::new())).collect();
        Self { endpoint, connections, waiting, panes: 0 }
    }

    /// All outputs that wait, after the host has done what they ask for.
    fn outputs(&mut self, now: Millis) -> Vec<(ConnectionId, Value)> {
        enum Pane {
            Open(u64),
            Close(String),
        }
        let mut lines = Vec::new();
        loop {
            let mut panes = Vec::new();
            while let Poll::Event(output) = self.endpoint.poll(now) {
                match output {
                    Output::Send { to, line } => {
                        assert!(!line.contains(['\n', '\r']), "more than one line: {line:?}");
                        let message = strict::parse(line).unwrap_or_else(|error| panic!("{error}: {line:?}"));
                        assert!(message.is_object(), "no object: {line}");
                        assert!(self.waiting.contains_key(&to), "a line to nobody: {line}");
                        lines.push((to, message));
                    }
                    Output::OpenPane { request, .. } => panes.push(Pane::Open(request)),
                    Output::ClosePane { agent } => panes.push(Pane::Close(agent.to_owned())),
                    _ => {}
                }
            }
            if panes.is_empty() {
                return lines;
            }
            for pane in panes {
                match pane {
                    Pane::Open(request) if request % 3 == 0 => {
                        self.endpoint.pane_failed(now, request, "no room").unwrap();
                    }
                    Pane::Open(request) => {
                        self.panes += 1;
                        let (agent, surface) =
                            (format!("agent:{}", self.panes), format!("surface:{}", self.panes));
                        self.endpoint.pane_opened(now, request, &agent, &surface).unwrap();
                    }
                    Pane::Close(agent) => {
                        self.endpoint.pane_closed(now, &agent).unwrap();
                    }
                }
            }
        }
    }

    /// Takes the replies to calls that waited out of the outputs, and gives the others; those with the id of the caller's
    /// own line are among these.
    fn settle(
        &mut self,
        outputs: Vec<(ConnectionId, Value)>,
        own: Option<(ConnectionId, &Value)>,
    ) -> Vec<(ConnectionId, Value)> {
        let mut others = Vec::new();
        for (to, message) in outputs {
            let Some(id) = message.get("id") else {
                assert!(message.get("method").is_some(), "neither a reply nor a push: {message}");
                continue;
            };
            let both = (message.get("result").is_some(), message.get("error").is_some());
            assert!(both.0 != both.1, "one of result and error: {message}");
            let waited = own != Some((to, id))
                && self.waiting.get_mut(&to).is_some_and(|ids| ids.remove(&id.to_string()));
            if !waited {
                others.push((to, message));
            }
        }
        others
    }

    /// Gives a line and checks what comes of it. False if nothing can be told from here on.
    fn give(&mut self, now: Millis, from: ConnectionId, line: &[u8]) -> bool {
        let due = self.outputs(now);
        let stray = self.settle(due, None);
        assert!(stray.is_empty(), "replies that nobody waits for: {stray:?}");

        let owed = owed(line, &self.waiting[&from]);
        let before: BTreeSet<u64> = self.endpoint.gate().pending().map(|prompt| prompt.id().0).collect();
        assert_eq!(self.endpoint.receive(now, from, line), Ok(Receive::Taken));
        let after: BTreeSet<u64> = self.endpoint.gate().pending().map(|prompt| prompt.id().0).collect();
        let outputs = self.outputs(now);
        let own = match &owed {
            Owed::Reply(id) | Owed::Waits(id) | Owed::Refusal(id) => Some((from, id)),
            Owed::Null(_) | Owed::Unclear | Owed::Silence => None,
        };
        let replies = self.settle(outputs, own);
        let shown = String::from_utf8_lossy(line);
        assert!(replies.iter().all(|(to, _)| *to == from), "a reply to another: {replies:?} to {shown}");
        let ids: Vec<&Value> = replies.iter().map(|(_, message)| &message["id"]).collect();
        match &owed {
            Owed::Silence => {
                assert!(ids.is_empty(), "no reply is owed to {shown}, but came {replies:?}");
                assert!(after.is_subset(&before), "without an id there is no ask: {shown}");
            }
            Owed::Null(code) => {
                assert_eq!(ids, [&Value::Null], "{owed:?} to {shown}: {replies:?}");
                assert!(said(&replies[0].1, code), "{owed:?} to {shown}: {replies:?}");
            }
            Owed::Reply(id) => assert_eq!(ids, [id], "{owed:?} to {shown}: {replies:?}"),
            Owed::Waits(id) if ids.is_empty() => {
                self.waiting.get_mut(&from).unwrap().insert(id.to_string());
            }
            Owed::Waits(id) => assert_eq!(ids, [id], "{owed:?} to {shown}: {replies:?}"),
            Owed::Refusal(id) => {
                assert!(ids == [id] || ids == [&Value::Null], "{owed:?} to {shown}: {replies:?}");
                assert!(
                    replies[0].1.get("error").is_some() || replies[0].1["result"]["isError"] == json!(true)
                );
            }
            Owed::Unclear => {
                assert!(ids.len() <= 1, "{owed:?} to {shown}: {replies:?}");
                return ids.len() == 1;
            }
        }
        true
    }
}

/// Whether an error reply is of that code, in either form.
fn said(message: &Value, code: &str) -> bool {
    match &message["error"] {
        Value::String(text) => text.starts_with(&format!("{code}: ")),
        error => error["data"]["code"] == json!(code),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn each_line_gets_what_it_is_owed(lines in vec((0..3_usize, 0..4_u64, line()), 1..40)) {
        let mut host = Host::new();
        let mut now = 0;
        let mut told = true;
        for (from, later, line) in lines {
            now += later;
            told = host.give(Millis(now), host.connections[from], &line.0);
            if !told {
                break;
            }
        }
        if told {
            host.endpoint.shutdown(Millis(now));
            let outputs = host.outputs(Millis(now));
            let stray = host.settle(outputs, None);
            prop_assert!(stray.is_empty(), "replies that nobody waits for: {:?}", stray);
            prop_assert!(host.waiting.values().all(BTreeSet::is_empty), "calls without a reply: {:?}", host.waiting);
        }
    }

    #[test]
    fn nothing_that_a_client_sends_breaks_the_endpoint(
        protocol in select(vec!["acp", "mcp-2025-11-25", "mcp-2026-07-28"]),
        lines in vec((any::<bool>(), line()), 1..30),
    ) {
        let mut host = Host::new();
        let client = host.connections[3];
        let protocol = Protocol::from_name(protocol).unwrap();
        let capabilities = r#"{"elicitation":{"form":{}}}"#;
        host.endpoint.attach_client(Millis(0), client, "s1", "r1", protocol, capabilities).unwrap();
        for (asks, line) in lines {
            let from = if asks { host.connections[1] } else { client };
            prop_assert_eq!(host.endpoint.receive(Millis(0), from, &line.0), Ok(Receive::Taken));
            host.outputs(Millis(0));
        }
        host.endpoint.shutdown(Millis(0));
        host.outputs(Millis(0));
        prop_assert_eq!(host.endpoint.gate().pending().len(), 0);
    }
}

#[test]
fn the_oracle_owes_what_the_spec_says() {
    let waiting = BTreeSet::from(["1".to_string()]);
    let owes = |line: &str| owed(line.as_bytes(), &waiting);
    assert_eq!(owes(""), Owed::Null("parse_error"));
    assert_eq!(owes("{\"id\":2"), Owed::Null("parse_error"));
    assert_eq!(owes("[]"), Owed::Null("invalid_request"));
    assert_eq!(owes("{}"), Owed::Silence);
    assert_eq!(owes(r#"{"id":null}"#), Owed::Null("invalid_request"));
    assert_eq!(owes(r#"{"id":1}"#), Owed::Null("id_in_use"));
    assert_eq!(owes(r#"{"id":"1"}"#), Owed::Reply(json!("1")));
    assert_eq!(owes(r#"{"id":2,"method":"agent.create"}"#), Owed::Waits(json!(2)));
    assert_eq!(owes(r#"{"id":2,"a":1,"a":1}"#), Owed::Refusal(json!(2)));
}
