//! `askgate ask`: through the host where one runs, else right here.

use crate::args::{Ask, Kind};
use crate::client::{Client, result};
use crate::desk::{Act, Desk};
use crate::exit::{Exit, Failure, note, print};
use crate::form;
use crate::host::Host;
use crate::prompt::{self, Opening, Prompter};
use crate::signals::{Signals, Stop};
use crate::wire::{Action, Message, Response, request};
use askgate::dialect::agent::AskUser;
use askgate::endpoint::Authority;
use askgate::error::Code;
use askgate::limits::Limits;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use std::io::IsTerminal;
use std::time::Duration;

/// How long a host may take to say how a question ended that was withdrawn.
const PATIENCE: Duration = Duration::from_secs(2);

/// Asks, and prints the answer.
pub(crate) async fn run(ask: Ask) -> Result<Exit, Failure> {
    match &ask.file {
        Some(file) if ask.kind == Kind::Form => return form::run(file, &ask).await,
        Some(file) => {
            let what = format!("Only a form comes from a file; leave {} out.", file.display());
            return Err(Failure::error(Code::InvalidValue, what));
        }
        None if ask.session.is_some() => {
            return Err(Failure::error(
                Code::InvalidValue,
                "Sessions are asked by forms; leave --session out.",
            ));
        }
        None => {}
    }
    let params = params(&ask);
    let signals = Signals::listen()?;
    let (response, lost) = match Client::connect().await? {
        Some(client) => (through_host(client, signals, &params).await?, false),
        None => {
            // Checked before the terminal is needed: what is wrong with the question is wrong anywhere.
            AskUser::parse(&params.to_string(), &Limits::DEFAULT)
                .map_err(|error| Failure::wire(error.to_string()))?;
            let prompter = prompt::open(Opening {
                plain: ask.plain,
                instead: "start a host with: askgate serve",
                idle: None,
            })?;
            right_here(prompter, signals, &params).await?
        }
    };
    report(&response, lost, ask.json)
}

/// Says how it ended.
fn report(response: &RawValue, lost: bool, json: bool) -> Result<Exit, Failure> {
    let unread = || Failure::no_surface("The host's response could not be read.");
    let Response { action, value, reason, .. } =
        serde_json::from_str(response.get()).map_err(|_| unread())?;
    if json {
        print(&format!("{}\n", response.get()))?;
    }
    let reason = reason.map_or_else(String::new, |reason| format!(": {reason}"));
    match action {
        Action::Ok => {
            if !json {
                print(&format!("{}\n", value.ok_or_else(unread)?))?;
            }
            Ok(Exit::Done)
        }
        Action::Timeout => {
            note("askgate: timed out");
            Ok(Exit::TimedOut)
        }
        Action::Cancel if lost => {
            note("askgate: the terminal ended before an answer");
            Ok(Exit::NoSurface)
        }
        Action::Cancel => {
            note(&format!("askgate: cancelled{reason}"));
            Ok(Exit::Cancelled)
        }
    }
}

/// Asks through the host and waits. A signal withdraws the question; the host's word on how it ended still counts.
async fn through_host(
    mut client: Client,
    mut signals: Signals,
    params: &Value,
) -> Result<Box<RawValue>, Failure> {
    let id = client.send("agent.ask_user", params).await?;
    if std::io::stderr().is_terminal() {
        note("Asked through the host; waiting for an answer there. Ctrl+C cancels.");
    }
    tokio::select! {
        reply = client.reply(id) => return reply,
        _ = signals.stop() => {}
    }
    client.send("$/cancel_request", &json!({ "id": id })).await?;
    let late = Failure::no_surface("The host did not say how the question ended.");
    tokio::time::timeout(PATIENCE, client.reply(id)).await.unwrap_or(Err(late))
}

/// Asks at the terminal, with the same core as a host. Gives the response, and whether the terminal was lost.
async fn right_here(
    prompter: impl Prompter,
    mut signals: Signals,
    params: &Value,
) -> Result<(Box<RawValue>, bool), Failure> {
    let full = |error| Failure::wire(format!("at_capacity: {error}"));
    let mut host = Host::new(1);
    let asker = host.connect(Authority { answer: false, ..Authority::default() }).map_err(full)?;
    let person = host.connect(Authority { observer: true, ..Authority::default() }).map_err(full)?;
    let mut desk = Desk::new(prompter);
    let mut lost = false;
    let mut next = Some((asker, request(1, "agent.ask_user", params)));
    loop {
        let mut replies = Vec::new();
        let mut send = |to, line: &str| {
            if to == asker { replies.push(line.to_owned()) } else { desk.take(line) }
        };
        match next.take() {
            Some((from, line)) => host.receive(from, line.as_bytes(), &mut send),
            None => host.poll(&mut send),
        }
        desk.settle();
        let replies = replies.iter().filter_map(|line| Message::read(line.as_bytes()));
        if let Some(reply) = replies.into_iter().find(|reply| reply.id == Some(1)) {
            desk.finish().await;
            return Ok((result(reply)?, lost));
        }
        tokio::select! {
            biased;
            stop = signals.stop() => {
                next = match stop {
                    // On a terminal that is the person who answers.
                    Stop::Interrupt => desk.cancel().map(|line| (person, line)),
                    Stop::HangUp => {
                        lost = true;
                        host.close_surface(surface_of(params));
                        None
                    }
                    Stop::Terminate => Some((asker, request(2, "$/cancel_request", &json!({ "id": 1 })))),
                };
            }
            act = desk.act() => match act {
                // No form is asked here.
                Act::Send(line) | Act::Resolve(line) => next = Some((person, line)),
                Act::Quit => next = desk.cancel().map(|line| (person, line)),
                Act::Lost => {
                    lost = true;
                    host.close_surface(surface_of(params));
                }
            },
            () = host.sleep() => {}
        }
    }
}

fn surface_of(params: &Value) -> &str {
    params.get("surface_id").and_then(Value::as_str).unwrap_or_default()
}

/// The params of `agent.ask_user`, unchecked: the core says what is wrong with them.
fn params(ask: &Ask) -> Value {
    let surface =
        ask.surface.clone().or_else(|| std::env::var("ASKGATE_SURFACE").ok().filter(|id| !id.is_empty()));
    let surface = surface.unwrap_or_else(|| format!("cli:{}", std::process::id()));
    let mut params = Map::new();
    params.insert("surface_id".into(), surface.into());
    params.insert("kind".into(), ask.kind.as_str().into());
    let texts =
        [("title", &ask.title), ("body", &ask.body), ("agent_id", &ask.agent_id), ("default", &ask.default)];
    for (name, text) in texts {
        if let Some(text) = text {
            params.insert(name.into(), text.as_str().into());
        }
    }
    let lists = ask.choices.iter().flat_map(|list| split(list, ','));
    let choices: Vec<Value> = lists.chain(ask.choice.iter().cloned()).map(|text| choice(&text)).collect();
    if !choices.is_empty() {
        params.insert("choices".into(), choices.into());
    }
    if let Some(timeout) = ask.timeout {
        params.insert("timeout_ms".into(), timeout.into());
    }
    if ask.r#unsafe {
        params.insert("unsafe".into(), true.into());
    }
    Value::Object(params)
}

/// `ID` or `ID:LABEL`.
fn choice(text: &str) -> Value {
    let mut parts = split(text, ':').into_iter();
    let id = parts.next().unwrap_or_default();
    let label: Vec<String> = parts.collect();
    let label = label.join(":");
    if label.is_empty() {
        json!({ "id": plain(&id) })
    } else {
        json!({ "id": plain(&id), "label": plain(&label) })
    }
}

/// The parts between separators that no backslash stands before.
fn split(text: &str, separator: char) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut escaped = false;
    for c in text.chars() {
        if c == separator && !escaped {
            parts.push(String::new());
            continue;
        }
        escaped = c == '\\' && !escaped;
        if let Some(part) = parts.last_mut() {
            part.push(c);
        }
    }
    parts
}

/// Without the backslashes that stand before a comma, a colon or a backslash.
fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('\\', Some(next @ (',' | ':' | '\\'))) => {
                out.push(*next);
                chars.next();
            }
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{choice, split};
    use serde_json::json;

    fn choices(list: &str) -> Vec<serde_json::Value> {
        split(list, ',').iter().map(|text| choice(text)).collect()
    }

    #[test]
    fn a_list_has_ids_and_labels() {
        let expected = [json!({ "id": "main" }), json!({ "id": "dev", "label": "Develop: the next" })];
        assert_eq!(choices("main,dev:Develop: the next"), expected);
    }

    #[test]
    fn a_backslash_keeps_what_separates() {
        assert_eq!(
            choices(r"a\,b:x\,y,9\:30,\\"),
            [json!({ "id": "a,b", "label": "x,y" }), json!({ "id": "9:30" }), json!({ "id": "\\" }),]
        );
        assert_eq!(choices(r"C\d"), [json!({ "id": r"C\d" })]);
    }

    #[test]
    fn an_empty_part_is_left_to_the_core() {
        assert_eq!(choices("a,"), [json!({ "id": "a" }), json!({ "id": "" })]);
    }
}
