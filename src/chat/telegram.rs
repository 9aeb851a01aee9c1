//! The Telegram Bot API: updates read, methods written (Bot API 10; `core.telegram.org/bots/api`).
//!
//! Text goes with `entities` and without a parse mode, so that nothing in it can be markup. Every message names its topic.

use super::layout::{Render, Row, Style};
use super::outbox::Call;
use super::press::Acknowledgement;
use super::{Content, Effect, EffectId, EffectKind, Failure, Input, Message, Place, Press, Thread, Update};
use crate::dialect::json::{Node, Reader};
use crate::error::Fault;
use crate::json::{ToJson, object, to_json};
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The most text of a message, in UTF-16 code units, after its entities are taken out.
pub(super) const TEXT_UNITS: usize = 4_096;

/// What clients show of a label on a button as wide as a message, about.
pub(super) const LABEL_UNITS: usize = 40;

/// A keyboard has at most 100 buttons; one is left for Cancel. Dialect B offers at most 20 options.
pub(super) const MOST_OPTIONS: usize = 99;

/// Whether a text is an id of a chat, a topic or a user: a whole number in its one way to be written.
pub(super) fn is_id(id: &str) -> bool {
    id.parse::<i64>().is_ok_and(|number| number != 0 && number.to_string() == id)
}

/// Reads an update, as `getUpdates` or a webhook gives it. What a router has no use for is [`Update::Other`].
///
/// # Errors
/// [`Code::ParseError`](crate::error::Code::ParseError) for what is no JSON.
pub fn parse(json: &str) -> Result<Update, Fault> {
    let mut reader = Reader::default();
    let doc = reader.read(json)?;
    Ok(read(doc.root()).unwrap_or(Update::Other))
}

fn read(update: Node<'_>) -> Option<Update> {
    if let Some(query) = update.get("callback_query") {
        return press(query).map(Update::Press);
    }
    if let Some(member) = update.get("my_chat_member") {
        let status = member.get("new_chat_member")?.get("status")?.text()?;
        let chat = id(member.get("chat")?)?;
        return matches!(status, "kicked" | "left").then_some(Update::Lost { chat });
    }
    if let Some(edited) = update.get("edited_message") {
        return message(edited, true).map(Update::Message);
    }
    let sent = update.get("message")?;
    if sent.get("migrate_to_chat_id").is_some() {
        return Some(Update::Lost { chat: id(sent.get("chat")?)? });
    }
    message(sent, false).map(Update::Message)
}

fn press(query: Node<'_>) -> Option<Press> {
    let message = query.get("message");
    let place = message.and_then(|message| {
        // Of a message that is no longer accessible only the chat and the id are given.
        let accessible = message.get("date").and_then(Node::whole).is_some_and(|date| date != 0);
        let thread = match thread(message) {
            _ if !accessible => Thread::Unknown,
            Some(thread) => Thread::In(thread),
            None => Thread::None,
        };
        Some(Place { chat: id(message.get("chat")?)?, thread })
    });
    Some(Press {
        event: query.get("id")?.text()?.into(),
        user: id(query.get("from")?)?,
        place,
        message: message.and_then(|message| number(message.get("message_id")?)),
        token: query.get("data").and_then(Node::text).unwrap_or_default().into(),
        input: Input::None,
        reply: "".into(),
    })
}

fn message(message: Node<'_>, edited: bool) -> Option<Message> {
    let from = message.get("from");
    let is_bot = from.and_then(|from| from.get("is_bot")).and_then(Node::bool) == Some(true);
    // With a sender chat, the user is a stand-in for a channel or an anonymous administrator.
    let is_person = !is_bot && message.get("sender_chat").is_none() && message.get("via_bot").is_none();
    Some(Message {
        id: number(message.get("message_id")?)?,
        chat: id(message.get("chat")?)?,
        thread: thread(message),
        user: from.filter(|_| is_person).and_then(id),
        reply_to: message.get("reply_to_message").and_then(|to| number(to.get("message_id")?)),
        content: content(message, edited),
    })
}

fn content(message: Node<'_>, edited: bool) -> Content {
    if edited || message.get("edit_date").is_some() {
        return Content::Edited;
    }
    if message.get("forward_origin").is_some() || message.get("forward_date").is_some() {
        return Content::Forwarded;
    }
    let Some(text) = message.get("text").and_then(Node::text) else { return Content::Attachment };
    let is_command = |entity: Node<'_>| {
        entity.get("type").and_then(Node::text) == Some("bot_command")
            && entity.get("offset").and_then(Node::whole) == Some(0)
    };
    let marked = message.get("entities").is_some_and(|entities| entities.items().any(is_command));
    if marked || text.starts_with('/') { Content::Command } else { Content::Text(text.into()) }
}

/// The topic of a message; outside forums a thread is only a chain of replies.
fn thread(message: Node<'_>) -> Option<Box<str>> {
    let in_topic = message.get("is_topic_message").and_then(Node::bool) == Some(true);
    message.get("message_thread_id").filter(|_| in_topic).and_then(number)
}

/// The `id` of a user or a chat.
fn id(object: Node<'_>) -> Option<Box<str>> {
    number(object.get("id")?)
}

fn number(node: Node<'_>) -> Option<Box<str>> {
    Some(node.integer()?.to_string().into())
}

/// Reads the answer to a method: the id of the message sent, where there is one, or why it failed.
///
/// # Errors
/// [`Failure`]: what `ok: false` means. An answer that cannot be read is one to try again.
pub fn parse_answer(json: &str) -> Result<Option<Box<str>>, Failure> {
    let mut reader = Reader::default();
    let Ok(doc) = reader.read(json) else { return Err(Failure::Retry { after_ms: None }) };
    let answer = doc.root();
    match answer.get("ok").and_then(Node::bool) {
        Some(true) => Ok(answer.get("result").and_then(|result| number(result.get("message_id")?))),
        Some(false) => Err(failure(answer)),
        None => Err(Failure::Retry { after_ms: None }),
    }
}

fn failure(answer: Node<'_>) -> Failure {
    const BENIGN: [&str; 3] = ["message is not modified", "query is too old", "query id is invalid"];
    const GONE: [&str; 3] = ["message to edit not found", "message can't be edited", "message_id_invalid"];
    const LOST: [&str; 6] = [
        "chat not found",
        "chat_write_forbidden",
        "group chat was upgraded",
        "not enough rights",
        "topic_closed",
        "message thread not found",
    ];
    let parameters = answer.get("parameters");
    if parameters.is_some_and(|parameters| parameters.get("migrate_to_chat_id").is_some()) {
        return Failure::Lost;
    }
    let description = answer.get("description").and_then(Node::text).unwrap_or_default().to_lowercase();
    let says = |known: &[&str]| known.iter().any(|text| description.contains(text));
    match answer.get("error_code").and_then(Node::whole) {
        Some(429) => {
            let seconds = parameters.and_then(|parameters| parameters.get("retry_after")?.whole());
            Failure::Retry { after_ms: seconds.map(|seconds| seconds.saturating_mul(1_000)) }
        }
        Some(403) => Failure::Lost,
        Some(400) if says(&BENIGN) => Failure::Benign,
        Some(400) if says(&GONE) => Failure::Gone,
        Some(400) if says(&LOST) => Failure::Lost,
        Some(500..) | None => Failure::Retry { after_ms: None },
        Some(_) => Failure::Rejected,
    }
}

struct Sent<'a> {
    chat_id: Id<'a>,
    message_thread_id: Option<Id<'a>>,
    message_id: Option<Id<'a>>,
    text: &'a str,
    entities: Vec<Entity>,
    reply_parameters: Option<Reply<'a>>,
    reply_markup: Option<Keyboard<'a>>,
}

/// An id as a number, which is how the API has it.
struct Id<'a>(&'a str);

impl ToJson for Id<'_> {
    fn write_json(&self, out: &mut String) {
        match self.0.parse::<i64>() {
            Ok(number) => number.write_json(out),
            Err(_) => self.0.write_json(out),
        }
    }
}

struct Entity {
    kind: &'static str,
    offset: usize,
    length: usize,
}

/// Links are not fetched for a look ahead.
struct LinkPreview;

struct Reply<'a> {
    message_id: Id<'a>,
}

struct Keyboard<'a> {
    inline_keyboard: Vec<Vec<KeyboardButton<'a>>>,
}

struct KeyboardButton<'a> {
    text: &'a str,
    callback_data: &'a str,
}

impl ToJson for Sent<'_> {
    fn write_json(&self, out: &mut String) {
        object!(
            out,
            "chat_id": self.chat_id,
            "message_thread_id"?: self.message_thread_id,
            "message_id"?: self.message_id,
            "text": self.text,
            "entities"?: (!self.entities.is_empty()).then_some(&self.entities),
            "link_preview_options": LinkPreview,
            "reply_parameters"?: self.reply_parameters,
            "reply_markup"?: self.reply_markup,
        );
    }
}

impl ToJson for Entity {
    fn write_json(&self, out: &mut String) {
        object!(out, "type": self.kind, "offset": self.offset, "length": self.length);
    }
}

impl ToJson for LinkPreview {
    fn write_json(&self, out: &mut String) {
        object!(out, "is_disabled": true);
    }
}

impl ToJson for Reply<'_> {
    fn write_json(&self, out: &mut String) {
        object!(out, "message_id": self.message_id, "allow_sending_without_reply": true);
    }
}

impl ToJson for Keyboard<'_> {
    fn write_json(&self, out: &mut String) {
        object!(out, "inline_keyboard": self.inline_keyboard);
    }
}

impl ToJson for KeyboardButton<'_> {
    fn write_json(&self, out: &mut String) {
        object!(out, "text": self.text, "callback_data": self.callback_data);
    }
}

/// The method that a call is.
pub(super) fn write(call: &Call<'_>) -> Effect {
    let (text, entities) = text(call.render);
    let keyboard = keyboard(call.render);
    let reply_markup = (!keyboard.inline_keyboard.is_empty()).then_some(keyboard);
    let thread = call.chat.thread.as_deref();
    let sent = Sent {
        chat_id: Id(&call.chat.chat),
        message_thread_id: thread.filter(|_| call.message.is_none()).map(Id),
        message_id: call.message.map(Id),
        text: &text,
        entities,
        reply_parameters: None,
        reply_markup,
    };
    let (kind, path) = match call.message {
        None => (EffectKind::Send, "sendMessage"),
        Some(_) => (EffectKind::Edit, "editMessageText"),
    };
    Effect { id: call.id, kind, method: "POST", path: path.into(), body: to_json(&sent) }
}

pub(super) fn acknowledge(id: EffectId, press: &Press, with: &Acknowledgement<'_>) -> Effect {
    let text = match with {
        Acknowledgement::Note(text) => Some(*text),
        Acknowledgement::Plain | Acknowledgement::Update(_) | Acknowledgement::Field(_) => None,
    };
    let mut body = String::new();
    object!(&mut body, "callback_query_id": press.event, "text"?: text, "show_alert"?: text.map(|_| true));
    Effect { id, kind: EffectKind::Acknowledge, method: "POST", path: "answerCallbackQuery".into(), body }
}

/// A reply to a message: the path and the body.
pub(super) fn notice(to: &Message, text: &str) -> (String, String) {
    let sent = Sent {
        chat_id: Id(&to.chat),
        message_thread_id: to.thread.as_deref().map(Id),
        message_id: None,
        text,
        entities: Vec::new(),
        reply_parameters: Some(Reply { message_id: Id(&to.id) }),
        reply_markup: None,
    };
    ("sendMessage".into(), to_json(&sent))
}

/// The text and its entities, which count UTF-16 code units.
fn text(render: &Render) -> (String, Vec<Entity>) {
    let mut out = String::new();
    let mut entities = Vec::new();
    let mut offset = 0;
    for span in &render.text {
        let length = span.text.chars().map(char::len_utf16).sum();
        let kind = match span.style {
            Style::Plain => None,
            Style::Bold => Some("bold"),
            Style::Struck => Some("strikethrough"),
            Style::Code => Some("pre"),
        };
        entities.extend(kind.map(|kind| Entity { kind, offset, length }));
        offset += length;
        out.push_str(&span.text);
    }
    (out, entities)
}

fn keyboard(render: &Render) -> Keyboard<'_> {
    let rows = render.rows.iter().filter_map(|row| match row {
        Row::Buttons(buttons) => Some(
            buttons
                .iter()
                .map(|button| KeyboardButton { text: &button.label, callback_data: &button.token })
                .collect(),
        ),
        // Menus are Discord's.
        Row::Menu(_) => None,
    });
    Keyboard { inline_keyboard: rows.collect() }
}
