//! The endpoint: one prompt from line to line, against the least that any program must do with the same bytes.

mod common;

use askgate::endpoint::{Authority, Endpoint, Output, Receive};
use askgate::gate::Poll;
use askgate::id::ConnectionId;
use askgate::time::Millis;
use common::texts::{self, NOW};
use common::{Bench, Variant};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::hint::black_box;
use std::process::ExitCode;

const ASK: &str = concat!(
    r#"{"id":"cli-1042","method":"agent.ask_user","params":{"surface_id":"surface:500","agent_id":"claude:1","#,
    r#""kind":"choice","title":"Which environment gets the release?","#,
    r#""body":"All tests of build 47110 have passed.","#,
    r#""choices":[{"id":"staging","label":"Staging, behind VPN"},{"id":"canary","label":"Canary, 5 %"},"#,
    r#"{"id":"production","label":"Everybody"}],"timeout_ms":90000}}"#,
);

/// The first prompt's number: as many digits as the last, so that every line has the same length.
const FIRST: u64 = 10_000_000;

fn main() -> ExitCode {
    let mut bench = Bench::from_env();
    assert_eq!(ASK.len(), 368);
    let most = bench.most();
    let (mut alone, mut thousand, mut many) = (Peers::new(0), Peers::new(1_000), Peers::new(most));
    let mut floor = Floor::new();

    let figures = bench.race(
        "JSON cycle: 2 lines in, 4 lines out",
        vec![
            Variant::new("floor: bare parsing and writing", || floor.cycle()),
            Variant::new("endpoint, 0 others pending", || alone.cycle()),
            Variant::new("endpoint, 1000 others pending", || thousand.cycle()),
            Variant::new(format!("endpoint, {most} others pending"), || many.cycle()),
        ],
    );
    bench.at_most("JSON cycle, times the floor", figures.ratio(1, 0), 2.0);
    bench.at_most("JSON cycle, growth from a thousand to the most", figures.ratio(3, 2), 1.3);

    let line = answer_line(FIRST, texts::ANSWER);
    let (ask, answer) = (parse_ask(), parse_answer(&line));
    let mut out = Vec::new();
    bench.race(
        "the floor's parts",
        vec![
            Variant::new("ask parsed", parse_ask),
            Variant::new("answer parsed", || parse_answer(&line).params.value.len()),
            Variant::new("4 lines written", || write(&mut out, &ask, &answer)),
        ],
    );

    let stale = answer_line(FIRST + 1_000_000, texts::ANSWER);
    let wrong = answer_line(FIRST, "nowhere");
    let refusing = RefCell::new(Peers::new(1_000));
    bench.race(
        "refused lines, 1000 others pending",
        vec![
            Variant::new("cycle", || thousand.cycle()),
            Variant::new("answer to an unknown prompt", || refusing.borrow_mut().refused(&stale)),
            Variant::new("answer that was not offered", || refusing.borrow_mut().refused(&wrong)),
        ],
    );
    bench.finish()
}

/// An endpoint, an asker, and a surface that observes and answers.
struct Peers {
    endpoint: Endpoint,
    asker: ConnectionId,
    surface: ConnectionId,
    next: Vec<u8>,
}

impl Peers {
    fn new(pending: usize) -> Self {
        let now = Millis(NOW);
        let mut config = texts::config();
        config.first_prompt_id = FIRST;
        let mut endpoint = Endpoint::new(config);
        let asker = endpoint.connect(now, Authority::default()).unwrap();
        let observer = Authority { observer: true, ..Authority::default() };
        let surface = endpoint.connect(now, observer).unwrap();
        let mut peers = Self { endpoint, asker, surface, next: Vec::new() };
        for n in 0..pending {
            let line = ASK
                .replace("cli-1042", &format!("cli-{n}-waits"))
                .replace("surface:500", &texts::surface(n))
                .replace("90000", &texts::timeout(n).to_string());
            peers.give(peers.asker, line.as_bytes(), ignore);
        }
        peers.next = answer_line(FIRST + pending as u64, texts::ANSWER);
        peers
    }

    /// Gives a line, and takes what comes of it: how many lines.
    fn give(&mut self, from: ConnectionId, line: &[u8], mut take: impl FnMut(&str)) -> usize {
        let now = black_box(Millis(NOW));
        assert_eq!(self.endpoint.receive(now, from, black_box(line)), Ok(Receive::Taken));
        let mut lines = 0;
        while let Poll::Event(output) = self.endpoint.poll(now) {
            if let Output::Send { line, .. } = output {
                take(line);
                lines += 1;
            }
        }
        lines
    }

    fn cycle(&mut self) {
        let line = std::mem::take(&mut self.next);
        let shown = self.give(self.asker, ASK.as_bytes(), ignore);
        let ended = self.give(self.surface, &line, ignore);
        assert_eq!((shown, ended), (1, 3));
        self.next = line;
        count_up(&mut self.next);
    }

    fn refused(&mut self, line: &[u8]) {
        assert_eq!(self.give(self.surface, line, ignore), 1);
    }
}

fn ignore(line: &str) {
    black_box(line);
}

fn answer_line(prompt: u64, value: &str) -> Vec<u8> {
    let id = format!("req:{prompt}");
    format!(r#"{{"id":7,"method":"agent.ask_answer","params":{{"request_id":"{id}","value":"{value}"}}}}"#)
        .into()
}

/// Adds one to the prompt's number in an answer's line.
fn count_up(line: &mut [u8]) {
    let end = line.iter().rposition(u8::is_ascii_digit).unwrap();
    for digit in line[..=end].iter_mut().rev() {
        if *digit < b'9' {
            *digit += 1;
            break;
        }
        *digit = b'0';
    }
}

/// What any program does with the bytes of a cycle: parse them into borrowed texts of the known types, and write the
/// pushes and replies into one buffer that is used again.
struct Floor {
    answer: Vec<u8>,
    out: Vec<u8>,
}

#[derive(Deserialize)]
struct AskLine<'a> {
    id: &'a str,
    method: &'a str,
    #[serde(borrow)]
    params: AskParams<'a>,
}

#[derive(Deserialize)]
struct AskParams<'a> {
    surface_id: &'a str,
    agent_id: &'a str,
    kind: &'a str,
    title: &'a str,
    body: &'a str,
    #[serde(borrow)]
    choices: Vec<Choice<'a>>,
    timeout_ms: u64,
}

#[derive(Deserialize, Serialize)]
struct Choice<'a> {
    id: &'a str,
    label: &'a str,
}

#[derive(Deserialize)]
struct AnswerLine<'a> {
    id: u64,
    method: &'a str,
    #[serde(borrow)]
    params: AnswerParams<'a>,
}

#[derive(Deserialize)]
struct AnswerParams<'a> {
    request_id: &'a str,
    value: &'a str,
}

#[derive(Serialize)]
struct Push<P> {
    method: &'static str,
    params: P,
}

#[derive(Serialize)]
struct Shown<'a> {
    kind: &'static str,
    seq: u64,
    request: Request<'a>,
}

#[derive(Serialize)]
struct Request<'a> {
    request_id: &'a str,
    surface_id: &'a str,
    kind: &'a str,
    title: &'a str,
    body: &'a str,
    agent_id: &'a str,
    choices: &'a [Choice<'a>],
    timeout_ms: u64,
    created_at: u64,
}

#[derive(Serialize)]
struct Resolved<'a> {
    kind: &'static str,
    seq: u64,
    request_id: &'a str,
    response: Response<'a>,
}

#[derive(Serialize)]
struct Response<'a> {
    request_id: &'a str,
    action: &'static str,
    value: &'a str,
}

#[derive(Serialize)]
struct Reply<I, R> {
    id: I,
    result: R,
}

#[derive(Serialize)]
struct Taken {
    resolved: bool,
}

impl Floor {
    fn new() -> Self {
        let mut floor = Self { answer: answer_line(FIRST, texts::ANSWER), out: Vec::new() };
        floor.cycle();
        let (mut peers, mut out) = (Peers::new(0), Vec::new());
        peers.give(peers.asker, ASK.as_bytes(), |line| out.extend_from_slice(line.as_bytes()));
        peers.give(peers.surface, &floor.answer, |line| out.extend_from_slice(line.as_bytes()));
        assert_eq!(floor.out, out, "the floor must write what the endpoint writes");
        floor
    }

    fn cycle(&mut self) {
        let ask = parse_ask();
        let answer = parse_answer(&self.answer);
        write(&mut self.out, &ask, &answer);
        black_box(&self.out);
    }
}

fn parse_ask<'a>() -> AskLine<'a> {
    let line: AskLine<'_> = serde_json::from_str(str::from_utf8(black_box(ASK.as_bytes())).unwrap()).unwrap();
    black_box(line.method);
    line
}

fn parse_answer(line: &[u8]) -> AnswerLine<'_> {
    let line: AnswerLine<'_> = serde_json::from_str(str::from_utf8(black_box(line)).unwrap()).unwrap();
    black_box(line.method);
    line
}

fn write(out: &mut Vec<u8>, ask: &AskLine<'_>, answer: &AnswerLine<'_>) {
    let params = &ask.params;
    let request_id = answer.params.request_id;
    let response = Response { request_id, action: "ok", value: answer.params.value };
    out.clear();
    let request = Request {
        request_id,
        surface_id: params.surface_id,
        kind: params.kind,
        title: params.title,
        body: params.body,
        agent_id: params.agent_id,
        choices: &params.choices,
        timeout_ms: params.timeout_ms,
        created_at: NOW,
    };
    let params = Shown { kind: "shown", seq: 1, request };
    serde_json::to_writer(&mut *out, &Push { method: "askUserEvent", params }).unwrap();
    serde_json::to_writer(&mut *out, &Reply { id: answer.id, result: Taken { resolved: true } }).unwrap();
    serde_json::to_writer(&mut *out, &Reply { id: ask.id, result: &response }).unwrap();
    let params = Resolved { kind: "resolved", seq: 2, request_id, response };
    serde_json::to_writer(&mut *out, &Push { method: "askUserEvent", params }).unwrap();
}
