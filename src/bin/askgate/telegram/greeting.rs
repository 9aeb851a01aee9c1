//! What is said to the bot besides answers, and what it says to that.

use askgate::chat::{Content, Effect, EffectId, EffectKind, Message};
use askgate::id::ChatAddress;
use serde::Deserialize;
use serde_json::{Value, json};

/// The bot itself.
#[derive(Debug, Deserialize)]
pub(super) struct Me {
    id: i64,
    #[serde(default)]
    username: String,
}

/// What a message that answers nothing is to the bot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Addressed {
    /// Its one command.
    Start,
    /// Another command.
    Unknown,
    /// No command.
    Plain,
}

#[derive(Debug, Deserialize)]
struct Raw {
    message: Option<RawMessage>,
}

#[derive(Debug, Deserialize)]
struct RawMessage {
    #[serde(default)]
    text: String,
    reply_to_message: Option<Replied>,
    message_thread_id: Option<i64>,
    migrate_to_chat_id: Option<i64>,
}

#[derive(Debug, Deserialize)]
struct Replied {
    message_id: i64,
    from: Option<User>,
}

#[derive(Debug, Deserialize)]
struct User {
    id: i64,
}

impl Me {
    /// The bot's name.
    pub(super) fn name(&self) -> &str {
        &self.username
    }

    /// What a message is to the bot; `None` if it is none of its business. In a group that is what names the bot, replies to
    /// it, or is its command: a bot that sees everything there is not spoken to by everything.
    pub(super) fn addressed(&self, message: &Message, json: &str) -> Option<Addressed> {
        let raw = serde_json::from_str::<Raw>(json).ok()?.message?;
        let is_private = !message.chat.starts_with('-');
        let name = self.username.to_lowercase();
        if message.content == Content::Command {
            let word = raw.text.split_whitespace().next().unwrap_or_default().to_lowercase();
            let (command, to) =
                word.split_once('@').map_or((&*word, None), |(command, to)| (command, Some(to)));
            return match (command, to) {
                (_, Some(to)) if to != name => None,
                ("/start", _) => Some(Addressed::Start),
                (_, None) if !is_private => None,
                _ => Some(Addressed::Unknown),
            };
        }
        // Every message of a topic replies to the one that opened it.
        let replied = raw.reply_to_message.filter(|to| Some(to.message_id) != raw.message_thread_id);
        let replies = replied.and_then(|to| to.from).is_some_and(|from| from.id == self.id);
        let is_named = || {
            let text = raw.text.to_lowercase();
            let mut words = text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '@'));
            words.any(|word| word.strip_prefix('@') == Some(&name))
        };
        (is_private || replies || is_named()).then_some(Addressed::Plain)
    }
}

/// What the group of a service message has become.
pub(super) fn migrated_to(json: &str) -> Option<i64> {
    serde_json::from_str::<Raw>(json).ok()?.message?.migrate_to_chat_id
}

/// The chat that a body is for.
pub(super) fn chat_of(body: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct Body {
        chat_id: Option<i64>,
    }
    serde_json::from_str::<Body>(body).ok()?.chat_id.map(|chat| chat.to_string())
}

/// The session of a person in a place.
pub(super) fn session(address: &ChatAddress) -> String {
    let ChatAddress { chat, thread, user, .. } = address;
    match thread {
        Some(thread) => format!("telegram:{chat}:{thread}:{user}"),
        None => format!("telegram:{chat}:{user}"),
    }
}

/// The reply to a message that bound a session.
pub(super) fn bound(to: &Message, session: &str) -> Effect {
    const BEFORE: &str = "You will be asked here when a run of this session has a question:\n";
    let entity = json!({ "type": "code", "offset": BEFORE.len(), "length": session.len() });
    reply(to, &format!("{BEFORE}{session}"), json!([entity]))
}

/// The reply to a command that there is not.
pub(super) fn unknown(to: &Message) -> Effect {
    reply(to, "The one command is /start: it has you asked here, and says how a run reaches you.", json!([]))
}

fn reply(to: &Message, text: &str, entities: Value) -> Effect {
    let number = |id: &str| id.parse::<i64>().ok();
    let mut body = json!({
        "chat_id": number(&to.chat),
        "text": text,
        "entities": entities,
        "reply_parameters": { "message_id": number(&to.id), "allow_sending_without_reply": true },
    });
    if let Some(thread) = to.thread.as_deref().and_then(number) {
        body["message_thread_id"] = thread.into();
    }
    Effect {
        // None of the router's: those begin with 1.
        id: EffectId(0),
        kind: EffectKind::Notice,
        method: "POST",
        path: "sendMessage".into(),
        body: body.to_string(),
    }
}
