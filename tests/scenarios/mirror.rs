//! `"kind": "mirror"`.

use super::fields::{Fields, just_true};
use super::matching::Captures;
use super::record::Record;
use askgate::id::PromptId;
use askgate::mirror::{Mirror, Push};
use serde_json::{Map, Value, json};

const ACTIONS: [&str; 3] = ["push", "snapshot", "reset"];
const CHECKS: [&str; 3] = ["head", "counts", "total"];

pub(crate) fn run(mut file: Fields, record: &mut Record) -> Result<(), String> {
    let mut steps = file.list("steps")?.ok_or("no steps")?;
    // What is beside the steps is checked after the last of them.
    let last: Map<_, _> = CHECKS.iter().filter_map(|name| Some(((*name).into(), file.take(name)?))).collect();
    if !last.is_empty() {
        steps.push(Value::Object(last));
    }
    file.done()?;
    // What a page keeps of each prompt is its request id, by which it is recognised here.
    let mut mirror: Mirror<String> = Mirror::new();
    record.steps(steps, |record, step| {
        let mut step = Fields::of("the step", step)?;
        let checks = CHECKS.iter().any(|name| step.has(name));
        match step.action(&ACTIONS) {
            Ok(("reset", value)) => {
                just_true("reset", &value)?;
                mirror.reset();
            }
            Ok((action, event)) => apply(&mut mirror, action, event)?,
            Err(_) if checks => {}
            Err(error) => return Err(error),
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

/// Applies an event, given as its params or as the whole message.
fn apply(mirror: &mut Mirror<String>, action: &str, event: Value) -> Result<(), String> {
    let mut event = Fields::of("the event", event)?;
    if let Some(method) = event.take("method") {
        if method != "askUserEvent" {
            return Err(format!("no event is of the method {method}"));
        }
        let params = event.need("params")?;
        event.done()?;
        event = Fields::of("the event", params)?;
    }
    let seq = event.need_number("seq")?;
    let kind = if action == "snapshot" { event.text("kind")? } else { Some(event.need_text("kind")?) };
    match (action, kind.as_deref().unwrap_or(action)) {
        (_, "snapshot") => {
            let pending = event.list("pending")?.ok_or("the snapshot has no \"pending\"")?;
            mirror.snapshot(seq, pending.into_iter().map(read_request).collect::<Result<Vec<_>, _>>()?);
        }
        ("push", "shown") => {
            let (prompt, surface, content) = read_request(event.need("request")?)?;
            mirror.apply(Push::Shown { seq, prompt, surface, content });
        }
        ("push", "resolved") => {
            event.object("response")?;
            mirror.apply(Push::Resolved { seq, prompt: prompt_id(&event.need_text("request_id")?)? });
        }
        (_, kind) => return Err(format!("no {action} is of kind {kind:?}")),
    }
    event.done()
}

type Request = (PromptId, Box<str>, String);

/// An `AskUserRequest`, of which a mirror needs the id and the surface.
fn read_request(request: Value) -> Result<Request, String> {
    let mut request = Fields::of("the request", request)?;
    let id = request.need_text("request_id")?;
    let surface = request.need_text("surface_id")?;
    Ok((prompt_id(&id)?, surface.into(), id))
}
