//! What else the command line does with prompts that wait at a host: list, answer, cancel.

use crate::args;
use crate::client::Client;
use crate::exit::{Exit, Failure, note, print};
use crate::listing::listing;
use crate::prompt::{Style, command_lines, is_understood};
use crate::signals::Signals;
use crate::tty::Tty;
use crate::wire::{Pending, PendingList, Resolved};
use askgate::error::Code;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use std::time::{SystemTime, UNIX_EPOCH};

/// Lists what waits.
pub(crate) async fn pending(args: args::Pending) -> Result<Exit, Failure> {
    let mut client = Client::required().await?;
    let mut params = Map::new();
    if let Some(surface) = args.surface {
        params.insert("surface_id".into(), surface.into());
    }
    let list = client.call("agent.ask_pending", &Value::Object(params)).await?;
    if args.json {
        print(&format!("{}\n", list.get()))?;
        return Ok(Exit::Done);
    }
    let pending = read_list(&list)?;
    if pending.is_empty() {
        note("Nothing is pending.");
    }
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    print(&listing(&pending, u64::try_from(now.as_millis()).unwrap_or(u64::MAX)))?;
    Ok(Exit::Done)
}

fn read_list(list: &RawValue) -> Result<Vec<Pending>, Failure> {
    let unread = |_| Failure::error(Code::ParseError, "The host's list could not be read.");
    let list: PendingList = serde_json::from_str(list.get()).map_err(unread)?;
    Ok(list.pending.iter().filter_map(|request| Pending::read(request.get())).collect())
}

/// Answers a prompt; a command in two steps on one connection.
pub(crate) async fn answer(args: args::Answer) -> Result<Exit, Failure> {
    let mut client = Client::required().await?;
    if args.value == "run" {
        let list = client.call("agent.ask_pending", &json!({})).await?;
        let found = read_list(&list)?.into_iter().find(|prompt| prompt.id == args.id);
        if let Some(prompt) = found.filter(|prompt| prompt.ask.form.is_command()) {
            confirm(&mut client, &prompt, args.ack).await?;
            let params = json!({ "request_id": args.id });
            client.call("agent.ask_acknowledge", &params).await?;
        }
    }
    let params = json!({ "request_id": args.id, "value": args.value });
    let result = client.call("agent.ask_answer", &params).await?;
    finish(&result, &args.id, "Answered", args.json)
}

/// Shows the command, and wants to be told that it was read.
async fn confirm(client: &mut Client, prompt: &Pending, ack: bool) -> Result<(), Failure> {
    let command = prompt.ask.form.question(0).and_then(|question| question.command()).unwrap_or_default();
    let style = Style::from_environment(ack);
    let mut shown = command_lines(style, command);
    if prompt.ask.form.is_unsafe() {
        shown =
            format!("\n{}\n{shown}", style.danger("! UNSAFE: this may do damage. Read it before it runs."));
    }
    if ack {
        note(shown.trim_start_matches('\n').trim_end());
        return Ok(());
    }
    let mut signals = Signals::listen()?;
    let mut tty = Tty::open().map_err(|_| {
        Failure::error(
            Code::NotAcknowledged,
            "There is no terminal to confirm at; read the command, then add --ack.",
        )
    })?;
    tty.start_over();
    tty.print(&shown);
    tty.print("\n  Type understood to let it run; anything else leaves it pending.\n> ");
    let left = || Failure::given_up(format!("Not answered; {} is still pending.", prompt.id));
    loop {
        let line = tokio::select! {
            _ = signals.stop() => return Err(left()),
            line = tty.line() => line,
            message = client.message() => {
                let ended = message?.params.and_then(|push| push.response);
                if ended.is_some_and(|response| response.request_id == prompt.id) {
                    tty.print("\n");
                    let _ = tty.flush().await;
                    return Err(gone(&prompt.id));
                }
                continue;
            }
        };
        return match line {
            Ok(Some(line)) if std::str::from_utf8(&line).is_ok_and(is_understood) => Ok(()),
            Ok(Some(_)) => Err(left()),
            Ok(None) | Err(_) => Err(Failure::no_surface(format!(
                "The terminal ended before an answer; {} is still pending.",
                prompt.id
            ))),
        };
    }
}

/// Cancels a prompt.
pub(crate) async fn cancel(args: args::Cancel) -> Result<Exit, Failure> {
    let mut client = Client::required().await?;
    let mut params = Map::new();
    params.insert("request_id".into(), args.id.clone().into());
    if let Some(reason) = args.reason {
        params.insert("reason".into(), reason.into());
    }
    let result = client.call("agent.ask_cancel", &Value::Object(params)).await?;
    finish(&result, &args.id, "Cancelled", args.json)
}

fn gone(id: &str) -> Failure {
    Failure::error(Code::NotFound, format!("{id} is not pending; it has ended, or it never was."))
}

fn finish(result: &RawValue, id: &str, done: &str, json: bool) -> Result<Exit, Failure> {
    let unread = |_| Failure::error(Code::ParseError, "The host's reply could not be read.");
    let Resolved { resolved } = serde_json::from_str(result.get()).map_err(unread)?;
    if json {
        print(&format!("{}\n", result.get()))?;
    }
    if resolved {
        note(&format!("{done} {id}."));
        return Ok(Exit::Done);
    }
    note(&format!("askgate: {id} is not pending; it has ended, or it never was."));
    Ok(Exit::Error)
}
