//! Over all ends of generated forms on all kinds of surfaces: the tool's result holds an option's label or something typed if,
//! and only if, the person answered (spec 1, 8.1); what is pushed at the end holds none in any case; and an answer comes back
//! as it was given.

#[path = "forms/mod.rs"]
#[allow(dead_code, unreachable_pub, reason = "other tests use the rest, also from outside")]
mod forms;

use askgate::dialect::elicitation::Protocol;
use askgate::endpoint::{Authority, Endpoint, Output};
use askgate::gate::Poll;
use askgate::id::ConnectionId;
use askgate::time::Millis;
use forms::{Asked, answers, asked, content, questions};
use proptest::prelude::*;
use serde_json::{Value, json};

/// In each label, description, and text of the person, and nowhere else.
const MARK: &str = "\u{2042}label\u{2042}";

fn marked(mut asked: Vec<Asked>) -> Vec<Asked> {
    for question in &mut asked {
        for option in &mut question.options {
            option.label.insert_str(0, MARK);
            if let Some(description) = &mut option.description {
                description.insert_str(0, MARK);
            }
        }
        if let Some(custom) = &mut question.custom {
            custom.insert_str(0, MARK);
        }
    }
    asked
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Surface {
    Operator,
    Client(Protocol),
}

const SURFACES: [Surface; 4] = [
    Surface::Operator,
    Surface::Client(Protocol::Acp),
    Surface::Client(Protocol::Mcp20251125),
    Surface::Client(Protocol::Mcp20260728),
];

#[derive(Debug, Clone, Copy, PartialEq)]
enum End {
    Decline,
    Cancel,
    Invalid,
    ClientFails,
    Unbind,
    SurfaceLost,
    TimeOut,
    Withdraw,
    Run,
    Session,
    Shutdown,
}

const ENDS: [(End, &str, Option<&str>); 11] = [
    (End::Decline, "declined", None),
    (End::Cancel, "cancelled", None),
    (End::Invalid, "invalid_answer", None),
    (End::ClientFails, "unavailable", None),
    (End::Unbind, "unavailable", None),
    (End::SurfaceLost, "unavailable", None),
    (End::TimeOut, "timed_out", None),
    (End::Withdraw, "cancelled", Some("aborted")),
    (End::Run, "cancelled", Some("run ended")),
    (End::Session, "cancelled", Some("session ended")),
    (End::Shutdown, "cancelled", Some("shutdown")),
];

struct Host {
    endpoint: Endpoint,
    now: Millis,
    surface: Surface,
    runtime: ConnectionId,
    shown_on: ConnectionId,
    lines: Vec<(ConnectionId, String)>,
}

impl Host {
    fn new(surface: Surface) -> Self {
        let (mut endpoint, now) = (Endpoint::default(), Millis(0));
        let mut connect = |authority| endpoint.connect(now, authority).unwrap();
        let runtime = connect(Authority { runtime: true, ..Authority::default() });
        let shown_on = connect(Authority { operator: true, ..Authority::default() });
        // Sees every push of the dialect.
        connect(Authority { operator: true, observer: true, ..Authority::default() });
        let mut host = Self { endpoint, now, surface, runtime, shown_on, lines: Vec::new() };
        match surface {
            Surface::Operator => {
                host.send(
                    shown_on,
                    &json!({ "id": 0, "method": "sessions.prompt.bind", "params": { "session_key": "s" } }),
                );
            }
            Surface::Client(protocol) => {
                let forms = r#"{"elicitation":{"form":{}}}"#;
                assert!(host.endpoint.attach_client(now, shown_on, "s", "r", protocol, forms).unwrap());
            }
        }
        host
    }

    fn send(&mut self, from: ConnectionId, line: &Value) {
        let _taken = self.endpoint.receive(self.now, from, line.to_string().as_bytes()).unwrap();
        self.poll();
    }

    fn poll(&mut self) {
        while let Poll::Event(output) = self.endpoint.poll(self.now) {
            if let Output::Send { to, line } = output {
                self.lines.push((to, line.to_owned()));
            }
        }
    }

    fn ask(&mut self, id: u64, questions: &Value) {
        let params =
            json!({ "session_key": "s", "run_id": "r", "questions": questions, "timeout_ms": 1_000 });
        self.send(self.runtime, &json!({ "id": id, "method": "sessions.prompt.request", "params": params }));
    }

    fn resolve(&mut self, action: &str, answers: Option<Value>) {
        let mut params =
            json!({ "session_key": "s", "run_id": "r", "prompt_id": "prompt:1", "action": action });
        if let Some(answers) = answers {
            params["answers"] = answers;
        }
        self.send(self.shown_on, &json!({ "id": 9, "method": "sessions.prompt.resolve", "params": params }));
    }

    /// What the client says to its first request.
    fn respond(&mut self, answer: Value) {
        let result = match self.surface {
            Surface::Client(Protocol::Mcp20260728) => json!({ "inputResponses": { "ask": answer } }),
            Surface::Operator | Surface::Client(_) => answer,
        };
        self.send(self.shown_on, &json!({ "jsonrpc": "2.0", "id": 1, "result": result }));
    }

    /// The only result that the runtime got for that call.
    fn result(&self, id: u64) -> Value {
        let to_runtime = self.lines.iter().filter(|(to, _)| *to == self.runtime);
        let lines: Vec<Value> = to_runtime.map(|(_, line)| serde_json::from_str(line).unwrap()).collect();
        let mut of_call = lines.iter().filter(|line| line["id"] == json!(id));
        let result =
            of_call.next().unwrap_or_else(|| panic!("no result of {id} in {lines:?}"))["result"].clone();
        assert_eq!(of_call.next(), None);
        result
    }
}

/// Brings the end about; false where that surface has no such end.
fn bring_about(host: &mut Host, end: End, asked: &[Asked]) -> bool {
    let on_operator = host.surface == Surface::Operator;
    match end {
        End::Decline if on_operator => host.resolve("decline", None),
        // Content beside a decline is not looked at.
        End::Decline => host.respond(json!({ "action": "decline", "content": content(asked) })),
        End::Cancel if on_operator => host.resolve("cancel", None),
        End::Cancel => host.respond(json!({ "action": "cancel", "content": content(asked) })),
        End::Invalid | End::ClientFails if on_operator => return false,
        End::Invalid => {
            let mut content = content(asked);
            content.insert("question_9".into(), json!(MARK));
            host.respond(json!({ "action": "accept", "content": content }));
        }
        End::ClientFails => {
            let error = json!({ "code": -32_603, "message": MARK });
            host.send(host.shown_on, &json!({ "jsonrpc": "2.0", "id": 1, "error": error }));
        }
        End::Unbind if !on_operator => return false,
        End::Unbind => {
            let params = json!({ "session_key": "s", "enabled": false });
            host.send(host.shown_on, &json!({ "id": 5, "method": "sessions.prompt.bind", "params": params }));
        }
        End::SurfaceLost => {
            host.endpoint.disconnect(host.now, host.shown_on);
        }
        End::TimeOut => host.now = Millis(1_000),
        End::Withdraw => {
            host.send(host.runtime, &json!({ "method": "$/cancel_request", "params": { "id": 1 } }));
        }
        End::Run => {
            host.endpoint.end_run(host.now, "s", "r");
        }
        End::Session => {
            host.endpoint.end_session(host.now, "s");
        }
        End::Shutdown => {
            host.endpoint.shutdown(host.now);
        }
    }
    host.poll();
    true
}

/// A result without an answer has these details and nothing that was offered or typed.
fn assert_no_answer(result: &Value, details: &Value) {
    assert_eq!(result["isError"], true);
    assert_eq!(&result["details"], details);
    assert!(!result.to_string().contains(MARK), "{result}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn without_an_answer_nothing_was_selected(asked in asked().prop_map(marked)) {
        for surface in SURFACES {
            for (end, status, reason) in ENDS {
                let mut host = Host::new(surface);
                host.ask(1, &questions(&asked));
                if surface == Surface::Operator {
                    // A draft that does not fit leaves the prompt as it was.
                    let mut short = answers(&asked);
                    short.as_array_mut().unwrap().pop();
                    host.resolve("answer", Some(short));
                }
                host.lines.clear();
                if !bring_about(&mut host, end, &asked) {
                    continue;
                }
                let details = match reason {
                    Some(reason) => json!({ "status": status, "reason": reason }),
                    None => json!({ "status": status }),
                };
                assert_no_answer(&host.result(1), &details);
                for (_, line) in &host.lines {
                    prop_assert!(!line.contains(MARK), "{surface:?} {end:?}: {line}");
                }
                // Too late, whoever says it.
                host.lines.clear();
                if end != End::SurfaceLost {
                    host.respond(json!({ "action": "accept", "content": content(&asked) }));
                    host.resolve("answer", Some(answers(&asked)));
                }
                prop_assert!(host.lines.iter().all(|(to, _)| *to == host.shown_on), "{:?}", host.lines);
            }
        }
    }

    #[test]
    fn with_an_answer_it_comes_back_as_it_was_given(asked in asked().prop_map(marked)) {
        for surface in SURFACES {
            let mut host = Host::new(surface);
            host.ask(1, &questions(&asked));
            host.lines.clear();
            match surface {
                Surface::Operator => host.resolve("answer", Some(answers(&asked))),
                Surface::Client(_) => host.respond(json!({ "action": "accept", "content": content(&asked) })),
            }
            let result = host.result(1);
            prop_assert_eq!(&result["isError"], false);
            prop_assert_eq!(&result["details"], &json!({ "status": "answered", "results": answers(&asked) }));
            for (_, line) in host.lines.iter().filter(|(to, _)| *to != host.runtime) {
                prop_assert!(!line.contains(MARK), "a push says what was answered: {line}");
            }
        }
    }

    #[test]
    fn an_ask_that_is_not_taken_says_nothing_of_its_options(asked in asked().prop_map(marked)) {
        let good = questions(&asked);
        let mut host = Host::new(Surface::Operator);
        host.ask(1, &good);
        host.ask(2, &good);
        assert_no_answer(&host.result(2), &json!({ "status": "busy" }));

        let mut host = Host::new(Surface::Operator);
        host.endpoint.disconnect(host.now, host.shown_on);
        host.ask(1, &good);
        assert_no_answer(&host.result(1), &json!({ "status": "unavailable" }));

        let option = json!({ "label": format!("{MARK}x"), "description": MARK });
        for (options, code, path) in [
            (json!([option, option]), "duplicate", "/questions/0/options/1/label"),
            (json!(vec![option.clone(); 21]), "too_many", "/questions/0/options"),
            (json!([option, { "label": format!("{MARK}{}", "y".repeat(1_024)) }]), "too_long", "/questions/0/options/1/label"),
            (json!([option, 5]), "wrong_type", "/questions/0/options/1"),
        ] {
            let mut bad = good.clone();
            bad[0]["options"] = options;
            let mut host = Host::new(Surface::Operator);
            host.ask(1, &bad);
            assert_no_answer(&host.result(1), &json!({ "status": "invalid_request", "code": code, "path": path }));
        }
    }
}
