//! `"kind": "modal"`.

use super::fields::{self, Fields};
use super::matching::Captures;
use super::record::Record;
use askgate::answer::OutcomeKind;
use askgate::dialect::agent::AskUser;
use askgate::dialect::session::parse_questions;
use askgate::json::{ToJson, to_json};
use askgate::limits::Limits;
use askgate::modal::{Effect, Input, Key, Manner, Modal, ModalPrompt, Options};
use askgate::time::Millis;
use serde_json::{Map, Value};

const ACTIONS: &[&str] =
    &["key", "paste", "activate", "focus", "set_text", "resize", "acknowledged", "reject", "close", "wait"];

pub(crate) fn run(mut file: Fields, record: &mut Record) -> Result<(), String> {
    let dialect = file.need_text("dialect")?;
    let prompt = prompt(&dialect, file.need("request")?)?;
    let mut options = Options { guard_ms: Some(0), ..Options::default() };
    if let Some(mut given) = file.object("options")? {
        options.rows = given.number("rows")?.map_or(options.rows, rows);
        options.guard_ms = given.number("guard_ms")?.or(options.guard_ms);
        options.confirm_ms = given.number("confirm_ms")?.unwrap_or(options.confirm_ms);
        options.terminal = given.flag("terminal")?.unwrap_or(options.terminal);
        given.done()?;
    }
    let steps = file.list("steps")?.ok_or("no steps")?;
    file.done()?;

    let mut now = 0;
    let mut modal = Modal::new(prompt, options, Millis(now));
    let mut captures = Captures::default();
    record.steps(steps, |record, step| {
        let mut step = Fields::of("the step", step)?;
        now = step.number("at")?.unwrap_or(now);
        let effect = play(&mut modal, &mut now, &mut step)?;
        let effect = recorded(record, effect)?;
        let view = recorded(record, modal.view())?;
        let expected = step.need("effect")?;
        // Drawing again is never wrong, so a file need not say that it does not happen.
        if !(expected == "none" && effect == "redraw") {
            captures.compare(&expected, &effect).map_err(|error| format!("the effect: {error}"))?;
        }
        if let Some(part) = step.take("view") {
            compare_part(&mut captures, &part, &by_id(view)?, "the view")?;
        }
        step.done()
    })
}

fn play(modal: &mut Modal, now: &mut u64, step: &mut Fields) -> Result<Effect, String> {
    let (action, value) = step.action(ACTIONS)?;
    if action == "wait" {
        *now = now.saturating_add(fields::number(action, &value)?);
        return Ok(modal.tick(Millis(*now)));
    }
    let now = Millis(*now);
    Ok(match action {
        "acknowledged" => {
            fields::just_true(action, &value)?;
            modal.acknowledged(now)
        }
        "reject" => {
            let mut error = Fields::of("reject", value)?;
            let (code, path) = (error.need_text("code")?, error.need_text("path")?);
            let message = error.need_text("message")?;
            error.done()?;
            modal.reject(now, &code, &path, &message)
        }
        "resize" => modal.input(now, Input::Resize(rows(fields::number(action, &value)?))),
        _ => {
            let text = fields::text(action, value)?;
            let id = || text.parse().map_err(|error| format!("{error}"));
            match action {
                "key" => {
                    let key: Key = text.parse().map_err(|error| format!("{error}"))?;
                    let repeat = step.flag("repeat")?.unwrap_or(false);
                    let composing = step.flag("composing")?.unwrap_or(false);
                    modal.input(now, Input::Key(Key { repeat, composing, ..key }))
                }
                "paste" => modal.input(now, Input::Paste(&text)),
                "set_text" => modal.input(now, Input::SetText(&text)),
                "activate" => modal.input(now, Input::Activate(id()?)),
                "focus" => modal.input(now, Input::Focus(id()?)),
                _ => {
                    let outcome = OutcomeKind::from_name(&text);
                    modal.close(now, outcome.ok_or_else(|| format!("no outcome is {text:?}"))?)
                }
            }
        }
    })
}

fn rows(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// What the modal gave, recorded as it gave it.
fn recorded(record: &mut Record, given: impl ToJson) -> Result<Value, String> {
    let json = to_json(&given);
    let value = serde_json::from_str(&json).map_err(|error| error.to_string())?;
    record.add(json);
    Ok(value)
}

/// The view with its controls under their ids.
fn by_id(mut view: Value) -> Result<Value, String> {
    let Value::Array(controls) = view["controls"].take() else { return Err("no list of controls".into()) };
    let mut map = Map::new();
    for control in controls {
        let id = control["id"].as_str().ok_or("a control without an id")?.to_owned();
        if map.insert(id.clone(), control).is_some() {
            return Err(format!("two controls are {id:?}"));
        }
    }
    view["controls"] = Value::Object(map);
    Ok(view)
}

/// Compares what the file names of the view: objects on the keys given, lists element by element. A control that is
/// not there is null.
fn compare_part(captures: &mut Captures, part: &Value, got: &Value, place: &str) -> Result<(), String> {
    match (part, got) {
        (Value::Object(fields), Value::Object(others)) => {
            for (name, field) in fields {
                let place = format!("{place}/{name}");
                match others.get(name) {
                    Some(other) => compare_part(captures, field, other, &place)?,
                    None if place.starts_with("the view/controls/") && field.is_null() => {}
                    None => return Err(format!("{place} is not there")),
                }
            }
            Ok(())
        }
        (Value::Array(items), Value::Array(others)) if items.len() == others.len() => {
            for (n, (item, other)) in items.iter().zip(others).enumerate() {
                compare_part(captures, item, other, &format!("{place}/{n}"))?;
            }
            Ok(())
        }
        _ => captures.compare(part, got).map_err(|error| format!("{place}: {error}")),
    }
}

fn prompt(dialect: &str, request: Value) -> Result<ModalPrompt, String> {
    let limits = &Limits::DEFAULT;
    match dialect {
        "agent" => {
            let ask = AskUser::parse(&request.to_string(), limits).map_err(|error| error.to_string())?;
            Ok(ModalPrompt {
                manner: Manner::Request,
                surface: Some(ask.surface.as_str().into()),
                attribution: ask.agent.map(|agent| agent.as_str().into()),
                form: ask.form,
                deadline: ask.timeout_ms.map(Millis),
            })
        }
        "session" => {
            let mut request = Fields::of("the request", request)?;
            request.text("session_key")?;
            request.text("run_id")?;
            let params = Value::from(request.rest()).to_string();
            let (form, timeout) = parse_questions(&params, limits).map_err(|error| error.to_string())?;
            let deadline = timeout.map(Millis);
            Ok(ModalPrompt { manner: Manner::Session, surface: None, attribution: None, form, deadline })
        }
        _ => Err(format!("no dialect is {dialect:?}")),
    }
}
