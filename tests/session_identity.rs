//! Each field of a session prompt's identity wrong once, alone and together with every other, through the Rust API and over
//! the wire (spec 6): nothing changes, and whoever is right still answers.

use askgate::answer::{Outcome, OutcomeKind, Resolution};
use askgate::dialect::session::parse_questions;
use askgate::endpoint::{Authority, Endpoint, Output};
use askgate::error::ResolveError;
use askgate::gate::{Ask, Asking, Config, Event, Gate, Poll};
use askgate::id::{ChatAddress, Claim, Claimant, ConnectionId, IdentityField, PromptId, RunId, SessionKey};
use askgate::limits::Limits;
use askgate::time::Millis;
use serde_json::{Value, json};

const NOW: Millis = Millis(0);
const ASKER: ConnectionId = ConnectionId(1);
const HERE: ConnectionId = ConnectionId(2);
const ELSEWHERE: ConnectionId = ConnectionId(3);
const FORM: &str = r#"{"questions":[{"id":"q","question":"Which?","options":[{"label":"a"}]}]}"#;

fn session(name: &str) -> SessionKey {
    SessionKey::new(name, &Limits::DEFAULT).unwrap()
}

fn ask(gate: &mut Gate, name: &str, run: &str) -> PromptId {
    let (form, timeout_ms) = parse_questions(FORM, &Limits::DEFAULT).unwrap();
    let asking = Asking::Session { session: session(name), run: RunId::new(run, &Limits::DEFAULT).unwrap() };
    gate.ask(NOW, Ask { asking, form, timeout_ms, asker: Some(ASKER) }).unwrap()
}

fn events(gate: &mut Gate) -> usize {
    std::iter::from_fn(|| match gate.poll(NOW) {
        Poll::Event(event) => Some(event),
        Poll::Wait(_) => None,
    })
    .count()
}

/// All sets of wrong fields but the empty one, as bits.
fn wrong_sets(fields: u32) -> std::ops::Range<u32> {
    1..1 << fields
}

const fn is(set: u32, field: u32) -> bool {
    set >> field & 1 == 1
}

/// Refused alike whatever is to be done with the prompt, and before and after it has ended.
#[track_caller]
fn refused_with(gate: &mut Gate, claim: &Claim<'_>, error: &ResolveError) {
    let before = (gate.snapshot().0, gate.pending().len());
    for resolution in [Resolution::Decline, Resolution::Cancel(None)] {
        assert_eq!(gate.resolve(NOW, claim, resolution).as_ref(), Err(error), "{claim:?}");
    }
    assert_eq!(gate.acknowledge(NOW, claim).as_ref(), Err(error), "{claim:?}");
    assert_eq!(gate.back(NOW, claim).as_ref(), Err(error), "{claim:?}");
    assert_eq!(gate.lose(NOW, claim).as_ref(), Err(error), "{claim:?}");
    assert_eq!((gate.snapshot().0, gate.pending().len()), before);
    assert_eq!(events(gate), 0);
}

#[test]
fn on_a_connection() {
    let mut gate = Gate::new(Config::default());
    gate.bind(NOW, session("s"), HERE);
    gate.bind(NOW, session("t"), ELSEWHERE);
    let other = ask(&mut gate, "t", "r");
    for ended in [false, true] {
        let prompt = ask(&mut gate, "s", "r");
        let right = Claim::Session { prompt, session: "s", run: "r", connection: HERE };
        if ended {
            gate.resolve(NOW, &right, Resolution::Decline).unwrap();
        }
        events(&mut gate);
        for set in wrong_sets(4) {
            let claim = Claim::Session {
                prompt: if is(set, 0) { PromptId(999) } else { prompt },
                session: if is(set, 1) { "t" } else { "s" },
                run: if is(set, 2) { "x" } else { "r" },
                connection: if is(set, 3) { ELSEWHERE } else { HERE },
            };
            let first = [IdentityField::Session, IdentityField::Run, IdentityField::Connection];
            let first = (1..4).find(|field| is(set, *field)).map(|field| first[field as usize - 1]);
            let error = match first {
                Some(field) if !is(set, 0) => ResolveError::Mismatch(field),
                Some(_) | None => ResolveError::NotFound,
            };
            refused_with(&mut gate, &claim, &error);
        }
        // The prompt of another session, named with everything else right.
        let claim = Claim::Session { prompt: other, session: "s", run: "r", connection: HERE };
        refused_with(&mut gate, &claim, &ResolveError::Mismatch(IdentityField::Session));
        let claim = Claim::Request { prompt, claimant: Claimant::connection(HERE) };
        refused_with(&mut gate, &claim, &ResolveError::Mismatch(IdentityField::Kind));

        let again = gate.resolve(NOW, &right, Resolution::Decline);
        if ended {
            let outcome = OutcomeKind::Declined;
            assert_eq!(again, Err(ResolveError::AlreadyResolved { outcome, reason: None }));
        } else {
            assert_eq!(again, Ok(OutcomeKind::Declined));
        }
    }
}

#[test]
fn in_a_chat() {
    let right = ChatAddress {
        platform: "telegram".into(),
        bot: "bot".into(),
        chat: "1".into(),
        thread: Some("7".into()),
        user: "ada".into(),
    };
    let mut gate = Gate::new(Config::default());
    gate.bind_chat(NOW, session("s"), right.clone());
    let prompt = ask(&mut gate, "s", "r");
    events(&mut gate);
    const FIELDS: [IdentityField; 7] = [
        IdentityField::Session,
        IdentityField::Run,
        IdentityField::Platform,
        IdentityField::Bot,
        IdentityField::Chat,
        IdentityField::Thread,
        IdentityField::User,
    ];
    for set in wrong_sets(7) {
        for thread in [None, Some("8".into())] {
            let mut address = right.clone();
            let parts = [&mut address.platform, &mut address.bot, &mut address.chat];
            for (field, part) in (2..).zip(parts) {
                if is(set, field) {
                    *part = "other".into();
                }
            }
            if is(set, 5) {
                address.thread = thread;
            }
            if is(set, 6) {
                address.user = "bob".into();
            }
            let session = if is(set, 0) { "t" } else { "s" };
            let run = if is(set, 1) { "x" } else { "r" };
            let first = (0..7).find(|field| is(set, *field)).map(|field| FIELDS[field as usize]);
            let claim = Claim::Chat { prompt, session, run, address: &address };
            refused_with(&mut gate, &claim, &ResolveError::Mismatch(first.unwrap()));
        }
    }
    let claim = Claim::Session { prompt, session: "s", run: "r", connection: HERE };
    refused_with(&mut gate, &claim, &ResolveError::Mismatch(IdentityField::Kind));
    let claim = Claim::Chat { prompt, session: "s", run: "r", address: &right };
    assert_eq!(gate.resolve(NOW, &claim, Resolution::Decline), Ok(OutcomeKind::Declined));
    let Poll::Event(Event::Resolved { outcome, .. }) = gate.poll(NOW) else { panic!("no end") };
    assert_eq!(outcome, Outcome::Declined);
}

/// An endpoint with a runtime and two operators, each bound to a session whose run asks.
struct Wire {
    endpoint: Endpoint,
    runtime: ConnectionId,
    operators: [ConnectionId; 2],
}

impl Wire {
    fn new() -> Self {
        let mut endpoint = Endpoint::default();
        let mut connect = |authority| endpoint.connect(NOW, authority).unwrap();
        let runtime = connect(Authority { runtime: true, ..Authority::default() });
        let operator = Authority { operator: true, ..Authority::default() };
        let operators = [connect(operator), connect(operator)];
        let mut wire = Self { endpoint, runtime, operators };
        for (operator, name) in operators.into_iter().zip(["s", "t"]) {
            wire.call(operator, 0, "sessions.prompt.bind", &json!({ "session_key": name }));
        }
        wire
    }

    fn call(
        &mut self,
        from: ConnectionId,
        id: u64,
        method: &str,
        params: &Value,
    ) -> Vec<(ConnectionId, String)> {
        let line = json!({ "id": id, "method": method, "params": params }).to_string();
        let _taken = self.endpoint.receive(NOW, from, line.as_bytes()).unwrap();
        let mut lines = Vec::new();
        while let Poll::Event(output) = self.endpoint.poll(NOW) {
            if let Output::Send { to, line } = output {
                lines.push((to, line.to_owned()));
            }
        }
        lines
    }

    fn ask(&mut self, id: u64, session: &str) {
        let mut params: Value = serde_json::from_str(FORM).unwrap();
        params["session_key"] = json!(session);
        params["run_id"] = json!("r");
        let shown = self.call(self.runtime, id, "sessions.prompt.request", &params);
        assert_eq!(shown.len(), 1);
    }
}

#[test]
fn over_the_wire_every_wrong_claim_gets_the_bytes_of_an_unknown_prompt() {
    let mut wire = Wire::new();
    wire.ask(1, "s");
    wire.ask(2, "t");
    let [here, elsewhere] = wire.operators;
    let resolve = |prompt: &str, session: &str, run: &str, action: &str| {
        let mut params =
            json!({ "session_key": session, "run_id": run, "prompt_id": prompt, "action": action });
        if action == "answer" {
            params["answers"] = json!([{ "id": "q", "selected": ["a"] }]);
        }
        params
    };
    let method = "sessions.prompt.resolve";
    let unknown = wire.call(here, 7, method, &resolve("prompt:999", "s", "r", "decline")).remove(0).1;
    assert!(unknown.starts_with(r#"{"id":7,"error":"not_found: /prompt_id: "#), "{unknown}");
    for ended in [false, true] {
        for set in wrong_sets(4) {
            for action in ["answer", "decline", "cancel"] {
                for stranger in ["prompt:2", "prompt:999", "prompt:01", "req:1", "", "1"] {
                    let caller = if is(set, 3) { elsewhere } else { here };
                    let prompt = if is(set, 0) { stranger } else { "prompt:1" };
                    let (session, run) =
                        (if is(set, 1) { "t" } else { "s" }, if is(set, 2) { "x" } else { "r" });
                    // Another prompt with all its own identity is no wrong claim.
                    if prompt == "prompt:2" && session == "t" && run == "r" && caller == elsewhere {
                        continue;
                    }
                    let lines = wire.call(caller, 7, method, &resolve(prompt, session, run, action));
                    assert_eq!(lines, [(caller, unknown.clone())], "{prompt} {session} {run} {action}");
                }
            }
        }
        let lines = wire.call(here, 8, method, &resolve("prompt:1", "s", "r", "answer"));
        if ended {
            assert!(
                lines[0].1.starts_with(r#"{"id":8,"error":"already_resolved: /prompt_id: "#),
                "{lines:?}"
            );
        } else {
            let expected = (here, r#"{"id":8,"result":{"resolved":true}}"#.to_owned());
            assert_eq!(lines[0], expected);
            assert!(lines[1].1.contains(r#""status":"answered""#), "{lines:?}");
        }
    }
}
