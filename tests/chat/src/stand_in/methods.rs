//! The methods, and the rules that they hold bodies to.

use super::refusal;
use super::world::{BOT, BOT_NAME, Message, World};
use crate::typed;
use serde_json::{Map, Value, json};

/// The most of a text, in characters, after its entities are taken out.
const TEXT: usize = 4_096;

/// The most buttons of a keyboard, and of a row.
const BUTTONS: usize = 100;
const ROW: usize = 8;

/// Labels and data, row by row.
type Keyboard = Vec<Vec<(String, String)>>;

/// Carries out a method; `getUpdates` is not among them, since it waits.
pub(super) fn call(world: &mut World, method: &str, body: &Value) -> Value {
    match typed::again(method, body) {
        Ok(again) if again == *body => {}
        Ok(again) => return fault(world, method, &format!("of {body} the types know only {again}")),
        Err(error) => return fault(world, method, &format!("{error}: {body}")),
    }
    match method {
        "getMe" => {
            let me = json!({ "id": BOT, "is_bot": true, "first_name": "Askgate", "username": BOT_NAME,
                "can_join_groups": true, "can_read_all_group_messages": true, "supports_inline_queries": false });
            done(me)
        }
        "sendMessage" => send(world, body),
        "editMessageText" => edit(world, body),
        "answerCallbackQuery" => answer(world, body),
        _ => fault(world, method, "it is not carried out here"),
    }
}

/// Too much was sent: wait so many seconds.
pub(super) fn too_many(seconds: u64) -> Value {
    let mut refused = refusal(429, &format!("Too Many Requests: retry after {seconds}"));
    refused["parameters"] = json!({ "retry_after": seconds });
    refused
}

fn done(result: Value) -> Value {
    json!({ "ok": true, "result": result })
}

/// What no right program does.
fn fault(world: &mut World, method: &str, why: &str) -> Value {
    world.faults.push(format!("{method}: {why}"));
    refusal(400, &format!("Bad Request: {why}"))
}

fn send(world: &mut World, body: &Value) -> Value {
    let chat = body["chat_id"].as_i64().unwrap_or_default();
    if let Some(refused) = closed(world, chat).or_else(|| world.flood(chat).map(too_many)) {
        return refused;
    }
    let (text, buttons) = match content(body) {
        Ok(content) => content,
        Err(why) => return fault(world, "sendMessage", &why),
    };
    let thread = body.get("message_thread_id").and_then(Value::as_i64);
    let reply_to = body["reply_parameters"]["message_id"].as_i64();
    let is_there = |id| world.chats.get(&chat).is_some_and(|chat| chat.messages.contains_key(&id));
    if reply_to.is_some_and(|id| !is_there(id))
        && body["reply_parameters"]["allow_sending_without_reply"] != true
    {
        return refusal(400, "Bad Request: message to be replied not found");
    }
    let sent =
        world.add(chat, |id| Message { chat, thread, id, by_bot: true, text, buttons, edits: 0, reply_to });
    done(json!({ "message_id": sent.id, "date": 1_700_000_000, "chat": { "id": chat, "type": "supergroup" },
        "text": sent.text }))
}

fn edit(world: &mut World, body: &Value) -> Value {
    let chat = body["chat_id"].as_i64().unwrap_or_default();
    if let Some(refused) = closed(world, chat).or_else(|| world.flood(chat).map(too_many)) {
        return refused;
    }
    let (text, buttons) = match content(body) {
        Ok(content) => content,
        Err(why) => return fault(world, "editMessageText", &why),
    };
    let id = body["message_id"].as_i64().unwrap_or_default();
    let found = world.chats.get_mut(&chat).and_then(|chat| chat.messages.get_mut(&id));
    let Some(message) = found.filter(|message| message.by_bot) else {
        return refusal(400, "Bad Request: message to edit not found");
    };
    if (&message.text, &message.buttons) == (&text, &buttons) {
        return refusal(
            400,
            "Bad Request: message is not modified: specified new message content and reply markup are exactly the same \
             as a current content and reply markup of the message",
        );
    }
    message.text = text;
    message.buttons = buttons;
    message.edits += 1;
    done(json!({ "message_id": id, "date": 1_700_000_000, "chat": { "id": chat, "type": "supergroup" } }))
}

fn answer(world: &mut World, body: &Value) -> Value {
    let text = body["text"].as_str();
    if text.is_some_and(|text| text.chars().count() > 200) {
        return fault(world, "answerCallbackQuery", "the text is longer than 200 characters");
    }
    let id = body["callback_query_id"].as_str().unwrap_or_default();
    match world.queries.get_mut(id) {
        Some(query) if query.answer.is_none() => {
            query.answer = Some(text.map(Into::into));
            done(json!(true))
        }
        Some(_) | None => {
            world.faults.push(format!("the query {id:?} was answered twice, or was none"));
            refusal(400, "Bad Request: query is too old and response timeout expired or query ID is invalid")
        }
    }
}

/// Why a chat takes nothing.
fn closed(world: &mut World, chat: i64) -> Option<Value> {
    let Some(found) = world.chats.get(&chat) else {
        return Some(refusal(400, "Bad Request: chat not found"));
    };
    if let Some(to) = found.migrated {
        let mut refused = refusal(400, "Bad Request: group chat was upgraded to a supergroup chat");
        refused["parameters"] = json!({ "migrate_to_chat_id": to });
        return Some(refused);
    }
    found.kicked.then(|| refusal(403, "Forbidden: bot was blocked by the user"))
}

/// The text and the buttons, if they are within the rules.
fn content(body: &Value) -> Result<(String, Keyboard), String> {
    let text = body["text"].as_str().unwrap_or_default();
    let units = text.encode_utf16().count();
    if text.trim().is_empty() || text.chars().count() > TEXT {
        return Err(format!("a text of {} characters", text.chars().count()));
    }
    if body.get("parse_mode").is_some() {
        return Err("a parse mode, with which text of others could be markup".into());
    }
    for entity in body["entities"].as_array().into_iter().flatten() {
        let of = |name: &str| entity[name].as_u64().and_then(|number| usize::try_from(number).ok());
        let end = of("offset").zip(of("length")).map(|(offset, length)| (length > 0, offset + length));
        if !matches!(end, Some((true, end)) if end <= units) {
            return Err(format!("an entity beyond the text: {entity}"));
        }
    }
    let rows = body["reply_markup"]["inline_keyboard"].as_array();
    let rows: Vec<Vec<_>> =
        rows.into_iter().flatten().map(|row| row.as_array().into_iter().flatten().collect()).collect();
    if rows.iter().map(Vec::len).sum::<usize>() > BUTTONS || rows.iter().any(|row| row.len() > ROW) {
        return Err("too many buttons".into());
    }
    let buttons = rows.into_iter().map(|row| row.into_iter().map(button).collect());
    Ok((text.into(), buttons.collect::<Result<_, String>>()?))
}

fn button(button: &Value) -> Result<(String, String), String> {
    let fields = button.as_object().map(Map::len);
    let of = |name: &str| button[name].as_str().unwrap_or_default().to_owned();
    let (label, data) = (of("text"), of("callback_data"));
    let is_right = !label.is_empty() && (1..=64).contains(&data.len()) && fields == Some(2);
    if is_right { Ok((label, data)) } else { Err(format!("BUTTON_DATA_INVALID: {button}")) }
}
