//! A host with surfaces of its own: it is lent the endpoint's gate, and told what becomes of prompts.

use askgate::answer::{Draft, OutcomeKind, Resolution};
use askgate::chat::{EffectKind, Handle, Handled, Key, Platform, Report, Router, telegram};
use askgate::endpoint::{Authority, Endpoint, Output};
use askgate::gate::{Event, Poll};
use askgate::id::{Claim, Claimant, ConnectionId, PromptId, SessionKey};
use askgate::limits::Limits;
use askgate::time::Millis;

const ASK: &str = r#"{"id":1,"method":"agent.ask_user","params":{"surface_id":"s","kind":"yesno","title":"Deploy?","timeout_ms":50}}"#;
const REQUEST: &str = r#"{"id":2,"method":"sessions.prompt.request","params":{"session_key":"s","run_id":"r","questions":[{"id":"q","question":"Why?","options":[]}]}}"#;
const END_RUN: &str =
    r#"{"id":3,"method":"sessions.prompt.end_run","params":{"session_key":"s","run_id":"r"}}"#;
const RUNTIME: Authority = Authority { observer: true, answer: true, operator: false, runtime: true };

fn receive(endpoint: &mut Endpoint, now: u64, from: ConnectionId, line: &str) {
    let _taken = endpoint.receive(Millis(now), from, line.as_bytes()).unwrap();
}

/// What waits, in short: `> LINE`, or the event.
fn outputs(endpoint: &mut Endpoint, now: u64) -> Vec<String> {
    let mut outputs = Vec::new();
    while let Poll::Event(output) = endpoint.poll(Millis(now)) {
        outputs.push(match output {
            Output::Send { line, .. } => {
                let has = |part: &str| line.contains(part);
                let kinds = ["shown", "resolved", "action", "details", "ended"];
                let kind = kinds.into_iter().find(|kind| has(&format!("\"{kind}\"")));
                format!("> {}", kind.unwrap_or(line))
            }
            Output::Event(Event::Shown { seq, prompt }) => format!("{seq} shown {prompt}"),
            Output::Event(Event::Resolved { seq, prompt, outcome }) => {
                format!("{seq} {} {}", outcome.kind().as_str(), prompt.id())
            }
            Output::RunEnded { session, run } => format!("over {session} {run}"),
            Output::Availability { session, available, .. } => format!("available {session} {available}"),
            other => format!("{other:?}"),
        });
    }
    outputs
}

fn answer(prompt: u64) -> (Claim<'static>, Resolution<'static>) {
    let claimant = Claimant::connection(ConnectionId(99));
    (Claim::Request { prompt: PromptId(prompt), claimant }, Resolution::Answer(Draft::Value("yes")))
}

#[test]
fn nothing_is_told_to_a_host_that_does_not_ask_for_it() {
    let mut endpoint = Endpoint::default();
    let runtime = endpoint.connect(Millis(0), RUNTIME).unwrap();

    receive(&mut endpoint, 0, runtime, ASK);
    receive(&mut endpoint, 0, runtime, END_RUN);

    assert_eq!(outputs(&mut endpoint, 50), ["> shown", "> ended", "> action", "> resolved"]);
}

#[test]
fn events_come_after_the_lines_about_them_and_in_their_order() {
    let mut endpoint = Endpoint::default();
    endpoint.tell_events(true);
    let runtime = endpoint.connect(Millis(0), RUNTIME).unwrap();

    receive(&mut endpoint, 0, runtime, ASK);
    receive(&mut endpoint, 60, runtime, &ASK.replace("50", "100"));
    endpoint.shutdown(Millis(60));

    let expected = [
        ["> shown", "1 shown 1"].as_slice(),
        &["> action", "> resolved", "2 timed_out 1"],
        &["> shown", "3 shown 2"],
        &["> action", "> resolved", "4 cancelled 2"],
    ];
    assert_eq!(outputs(&mut endpoint, 60), expected.concat());
}

#[test]
fn what_is_done_to_the_lent_gate_is_told_to_its_clients() {
    let mut endpoint = Endpoint::default();
    let runtime = endpoint.connect(Millis(0), RUNTIME).unwrap();
    receive(&mut endpoint, 0, runtime, ASK);
    let (claim, resolution) = answer(1);

    let given = endpoint.with_gate(Millis(1), |gate| gate.resolve(Millis(1), &claim, resolution));

    assert_eq!(given, Ok(OutcomeKind::Answered));
    assert_eq!(outputs(&mut endpoint, 1), ["> shown", "> action", "> resolved"]);
}

#[test]
fn the_lent_gate_gives_no_event_away() {
    let mut endpoint = Endpoint::default();
    endpoint.tell_events(true);
    let runtime = endpoint.connect(Millis(0), RUNTIME).unwrap();
    receive(&mut endpoint, 0, runtime, ASK);
    receive(&mut endpoint, 0, runtime, &ASK.replace("\"id\":1", "\"id\":4"));
    assert_eq!(outputs(&mut endpoint, 0), ["> shown", "1 shown 1", "> shown", "2 shown 2"]);
    let (claim, resolution) = answer(1);

    // The one is answered and the other times out, and whoever borrows the gate asks it for events.
    let polled = endpoint.with_gate(Millis(1), |gate| {
        gate.resolve(Millis(1), &claim, resolution).unwrap();
        [gate.poll(Millis(1)), gate.poll(Millis(50))]
    });

    assert_eq!(polled, [Poll::Wait(Some(Millis(50))), Poll::Wait(None)]);
    let told = ["> action", "> resolved", "3 answered 1", "> action", "> resolved", "4 timed_out 2"];
    assert_eq!(outputs(&mut endpoint, 50), told);
}

#[test]
fn the_end_of_a_run_is_told_whether_or_not_it_asks_something() {
    let mut endpoint = Endpoint::default();
    endpoint.tell_events(true);
    let runtime = endpoint.connect(Millis(0), RUNTIME).unwrap();
    let address = askgate::id::ChatAddress {
        platform: "telegram".into(),
        bot: "42".into(),
        chat: "5".into(),
        thread: None,
        user: "5".into(),
    };
    let session = SessionKey::new("s", &Limits::DEFAULT).unwrap();
    endpoint.with_gate(Millis(0), |gate| gate.bind_chat(Millis(0), session, address));

    receive(&mut endpoint, 0, runtime, REQUEST);
    receive(&mut endpoint, 0, runtime, END_RUN);
    receive(&mut endpoint, 0, runtime, END_RUN);

    let expected = [
        ["available s true", "1 shown 1"].as_slice(),
        &["> ended", "> details", "2 cancelled 1", "over s r"],
        &["> ended", "over s r"],
    ];
    assert_eq!(outputs(&mut endpoint, 0), expected.concat());
}

#[test]
fn a_run_asks_over_the_wire_and_is_answered_in_a_chat() {
    let mut endpoint = Endpoint::default();
    endpoint.tell_events(true);
    let mut router = Router::new(Platform::Telegram, "42", Key::new([1; 32]));
    let runtime = endpoint.connect(Millis(0), RUNTIME).unwrap();
    let message = |id: u64, text: &str| {
        let update = format!(
            r#"{{"update_id":{id},"message":{{"message_id":{id},"date":1,"text":"{text}","chat":{{"id":-100}},"from":{{"id":5}}}}}}"#
        );
        telegram::parse(&update).unwrap()
    };
    let starts = message(1, "Fix it");
    let askgate::chat::Update::Message(from) = &starts else { panic!("it is a message") };
    let address = router.address_of(from).unwrap();

    // Bound before the run is submitted, then shown by the event.
    let session = SessionKey::new("s", &Limits::DEFAULT).unwrap();
    endpoint.with_gate(Millis(0), |gate| router.bind_chat(Millis(0), gate, session, address)).unwrap();
    receive(&mut endpoint, 1, runtime, REQUEST);
    let mut shown = 0;
    while let Poll::Event(output) = endpoint.poll(Millis(1)) {
        if let Output::Event(&Event::Shown { prompt, .. }) = output {
            let handle = Handle([2; 16]);
            shown += endpoint
                .with_gate(Millis(1), |gate| router.show(Millis(1), gate, prompt, handle, &[]))
                .unwrap();
        }
    }
    assert_eq!(shown, 1);
    let Poll::Event(sent) = router.poll(Millis(1)) else { panic!("it is sent") };
    assert_eq!(sent.kind, EffectKind::Send);
    let done = Report::Done { message: Some("7") };
    endpoint.with_gate(Millis(1), |gate| router.report(Millis(1), gate, sent.id, &done));

    // The next plain message is the answer: the runtime has its result, and the host hears of the end.
    let handled =
        endpoint.with_gate(Millis(2), |gate| router.handle(Millis(2), gate, &message(8, "Because")));
    assert_eq!(handled, Handled::Captured);
    let mut result = String::new();
    while let Poll::Event(output) = endpoint.poll(Millis(2)) {
        match output {
            Output::Send { line, .. } => result = line.to_owned(),
            Output::Event(event @ Event::Resolved { .. }) => {
                let Event::Resolved { prompt, outcome, .. } = event.clone() else { continue };
                endpoint.with_gate(Millis(2), |gate| router.resolved(Millis(2), gate, &prompt, &outcome));
            }
            _ => {}
        }
    }
    assert!(result.contains(r#""results":[{"id":"q","selected":[],"custom":"Because"}]"#), "{result}");
    let Poll::Event(edit) = router.poll(Millis(2)) else { panic!("the message is edited") };
    assert!(edit.body.contains("Answered: “Because”"), "{}", edit.body);
}
