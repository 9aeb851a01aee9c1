//! `"kind": "mirror"`.

use super::fields::{Fields, just_true};
use super::matching::Captures;
use super::record::Record;
use askgate::id::PromptId;
use askgate::mirror::{Mirror, Push};
use serde_json::{Map, Value, json};

const ACTIONS: [&str; 3] = ["push", "snapshot", "reset"];

pub(crate) fn run(mut file: Fields, record: &mut Record) -> Result<(), String> {
    let steps = file.list("steps")?.ok_or("no steps")?;
    file.done()?;
    // What a page keeps of each prompt is its request id, by which it is recognised here.
    let mut mirror: Mirror<String> = Mirror::new();
    record.steps(steps, |record, step| {
        let mut step = Fields::of("the step", step)?;
        match step.action(&ACTIONS)? {
            ("push", push) => mirror.apply(read_push(push)?),
            ("snapshot", snapshot) => {
                let (seq, pending) = read_snapshot(snapshot)?;
                mirror.snapshot(seq, pending);
            }
            (reset, value) => {
                just_true(reset, &value)?;
                mirror.reset();
            }
        }
        let mut expected = Map::new();
        let mut got = Map::new();
        if let Some(heads) = step.object("head")? {
            let heads = heads.rest();
            let head = |surface: &String| {
                let head = mirror.head(surface);
                let head = head.map(|(id, content)| if *content == name(id) { content } else { "another's" });
                (surface.clone(), json!(head))
            };
            got.insert("head".into(), heads.keys().map(head).collect());
            expected.insert("head".into(), Value::Object(heads));
        }
        if let Some(counts) = step.object("counts")? {
            let counts = counts.rest();
            let count = |surface: &String| (surface.clone(), json!(mirror.count(surface)));
            got.insert("counts".into(), counts.keys().map(count).collect());
            expected.insert("counts".into(), Value::Object(counts));
        }
        if let Some(total) = step.take("total") {
            got.insert("total".into(), json!(mirror.len()));
            expected.insert("total".into(), total);
        }
        step.done()?;
        let got = Value::Object(got);
        record.add(&got);
        Captures::default().compare(&Value::Object(expected), &got)?;
        consistent(&mirror)
    })
}

/// What the mirror says in several ways is the same in each.
fn consistent(mirror: &Mirror<String>) -> Result<(), String> {
    let counted: usize = mirror.surfaces().map(|(_, count)| count).sum();
    let equal = counted == mirror.len()
        && mirror.pending().len() == mirror.len()
        && mirror.is_empty() == mirror.pending().next().is_none()
        && mirror.surfaces().all(|(surface, count)| {
            let mut here = mirror.pending().filter(|(_, prompt)| *prompt.surface == *surface);
            let first = here.next().map(|(id, _)| id);
            count == mirror.count(surface)
                && count == here.count() + 1
                && mirror.head(surface).map(|(id, _)| id) == first
        });
    if equal { Ok(()) } else { Err("the mirror's own counts differ".into()) }
}

fn name(prompt: PromptId) -> String {
    format!("req:{prompt}")
}

fn prompt_id(text: &str) -> Result<PromptId, String> {
    let number = text.strip_prefix("req:").and_then(|number| number.parse().ok());
    number.map(PromptId).ok_or_else(|| format!("{text:?} is no request id"))
}

fn read_push(push: Value) -> Result<Push<String>, String> {
    let mut push = Fields::of("the push", push)?;
    let seq = push.need_number("seq")?;
    let kind = push.need_text("kind")?;
    let read = match kind.as_str() {
        "shown" => {
            let (prompt, surface, content) = read_request(push.need("request")?)?;
            Push::Shown { seq, prompt, surface, content }
        }
        "resolved" => {
            push.need_object("response")?;
            Push::Resolved { seq, prompt: prompt_id(&push.need_text("request_id")?)? }
        }
        _ => return Err(format!("no push is of kind {kind:?}")),
    };
    push.done()?;
    Ok(read)
}

type Request = (PromptId, Box<str>, String);

fn read_snapshot(snapshot: Value) -> Result<(u64, Vec<Request>), String> {
    let mut snapshot = Fields::of("the snapshot", snapshot)?;
    let kind = snapshot.need_text("kind")?;
    if kind != "snapshot" {
        return Err(format!("a snapshot of kind {kind:?}"));
    }
    let seq = snapshot.need_number("seq")?;
    let pending = snapshot.list("pending")?.ok_or("the snapshot has no \"pending\"")?;
    snapshot.done()?;
    Ok((seq, pending.into_iter().map(read_request).collect::<Result<_, _>>()?))
}

/// An `AskUserRequest`, of which a mirror needs the id and the surface.
fn read_request(request: Value) -> Result<Request, String> {
    let mut request = Fields::of("the request", request)?;
    let id = request.need_text("request_id")?;
    let surface = request.need_text("surface_id")?;
    Ok((prompt_id(&id)?, surface.into(), id))
}
