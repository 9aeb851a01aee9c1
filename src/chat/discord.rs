//! Discord: gateway events and interactions read, requests written (API v10; `docs.discord.com/developers`).
//!
//! Content is markdown, so whatever could be markup in it is escaped. No message mentions anybody.

use super::layout::{Button, Menu, Render, Row, Style};
use super::outbox::Call;
use super::press::Acknowledgement;
use super::{Content, Effect, EffectId, EffectKind, Failure, Input, Message, Place, Press, Thread, Update};
use crate::dialect::json::{Node, Reader};
use crate::error::Fault;
use crate::json::{ToJson, object, to_json};
use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// The most content of a message. Discord does not say in which unit; UTF-16 code units are the largest count.
pub(super) const CONTENT_UNITS: usize = 2_000;

/// The longest label of a button.
pub(super) const LABEL_UNITS: usize = 80;

pub(super) const BUTTONS_IN_A_ROW: usize = 5;

/// Four rows of menus; the fifth has the buttons.
pub(super) const MOST_OPTIONS: usize = 4 * MENU_OPTIONS;

/// More options than two rows of buttons hold are easier to read in a menu.
pub(super) const MOST_OPTION_BUTTONS: usize = 10;

pub(super) const MENU_OPTIONS: usize = 25;

/// What a text field takes.
const FIELD_UNITS: usize = 4_000;

/// The id of the one input of our text field.
const FIELD: &str = "text";

const EPHEMERAL: u32 = 1 << 6;
const SUPPRESS_EMBEDS: u32 = 1 << 2;

/// Whether a text is a snowflake in its one way to be written.
pub(super) fn is_id(id: &str) -> bool {
    id.parse::<u64>().is_ok_and(|number| number != 0 && number.to_string() == id)
}

/// What a text takes of the content, escaped.
pub(super) fn size(text: &str) -> usize {
    text.chars().map(|c| c.len_utf16() + usize::from(is_markup(c))).sum()
}

pub(super) const fn style_units(style: Style) -> usize {
    match style {
        Style::Plain | Style::Code => 0,
        Style::Bold | Style::Struck => 4,
    }
}

/// Whether a character may be markup somewhere: at the start of a line, in pairs, or in a link or a mention. A number and a
/// dot at the start of a line make a list that shows the same number.
const fn is_markup(c: char) -> bool {
    matches!(c, '\\' | '*' | '_' | '~' | '`' | '|' | '<' | '>' | '[' | ']' | '#' | '-' | '@')
}

fn escape(out: &mut String, text: &str) {
    for c in text.chars() {
        if is_markup(c) {
            out.push('\\');
        }
        out.push(c);
    }
}

/// Reads a gateway event (`{"t", "d"}`), or an interaction as the webhook gives it. What a router has no use for is
/// [`Update::Other`].
///
/// # Errors
/// [`Code::ParseError`](crate::error::Code::ParseError) for what is no JSON.
pub fn parse(json: &str) -> Result<Update, Fault> {
    let mut reader = Reader::default();
    let doc = reader.read(json)?;
    Ok(read(doc.root()).unwrap_or(Update::Other))
}

fn read(event: Node<'_>) -> Option<Update> {
    let Some(name) = event.get("t").and_then(Node::text) else { return press(event).map(Update::Press) };
    let data = event.get("d")?;
    match name {
        "INTERACTION_CREATE" => press(data).map(Update::Press),
        "MESSAGE_CREATE" => message(data, false).map(Update::Message),
        "MESSAGE_UPDATE" => message(data, true).map(Update::Message),
        "CHANNEL_DELETE" | "THREAD_DELETE" => Some(Update::Lost { chat: text(data, "id")? }),
        _ => None,
    }
}

fn press(interaction: Node<'_>) -> Option<Press> {
    const COMPONENT: u64 = 3;
    const MODAL: u64 = 5;
    let data = interaction.get("data")?;
    let input = match interaction.get("type")?.whole()? {
        COMPONENT => match data.get("values") {
            Some(values) => Input::Values(values.items().filter_map(Node::text).map(Box::from).collect()),
            None => Input::None,
        },
        MODAL => Input::Text(data.get("components")?.items().find_map(field)?),
        _ => return None,
    };
    let user =
        interaction.get("member").and_then(|member| member.get("user")).or_else(|| interaction.get("user"));
    let chat = text(interaction, "channel_id");
    Some(Press {
        event: text(interaction, "id")?,
        user: text(user?, "id")?,
        place: chat.map(|chat| Place { chat, thread: Thread::None }),
        message: interaction.get("message").and_then(|message| text(message, "id")),
        token: text(data, "custom_id")?,
        input,
        reply: text(interaction, "token")?,
    })
}

/// The text in a component of a modal: a label around an input, or a row with one.
fn field(component: Node<'_>) -> Option<Box<str>> {
    let labelled = component.get("component");
    let in_row = component.get("components").and_then(|row| row.items().next());
    let input = labelled.or(in_row)?;
    (text(input, "custom_id").as_deref() == Some(FIELD)).then(|| text(input, "value")).flatten()
}

fn message(message: Node<'_>, edited: bool) -> Option<Message> {
    let author = message.get("author");
    let is_bot = author.and_then(|author| author.get("bot")).and_then(Node::bool) == Some(true);
    let is_person = !is_bot && message.get("webhook_id").is_none();
    let reference = message.get("message_reference");
    Some(Message {
        id: text(message, "id")?,
        chat: text(message, "channel_id")?,
        thread: None,
        user: author.filter(|_| is_person).and_then(|author| text(author, "id")),
        reply_to: reference.and_then(|reference| text(reference, "message_id")),
        content: content(message, reference, edited),
    })
}

fn content(message: Node<'_>, reference: Option<Node<'_>>, edited: bool) -> Content {
    const FORWARD: u64 = 1;
    const DEFAULT: u64 = 0;
    const REPLY: u64 = 19;
    let kind = |node: Node<'_>| node.get("type").and_then(Node::whole);
    let has = |name: &str| message.get(name).is_some_and(|list| list.len() > 0);
    if edited || message.get("edited_timestamp").is_some_and(|at| at.text().is_some()) {
        return Content::Edited;
    }
    if reference.and_then(kind) == Some(FORWARD) {
        return Content::Forwarded;
    }
    if has("attachments") || has("sticker_items") || message.get("poll").is_some() {
        return Content::Attachment;
    }
    match (kind(message), message.get("content").and_then(Node::text)) {
        (None | Some(DEFAULT | REPLY), Some(text)) if text.starts_with('/') => Content::Command,
        (None | Some(DEFAULT | REPLY), Some(text)) if !text.is_empty() => Content::Text(text.into()),
        (None | Some(DEFAULT | REPLY), _) => Content::Unreadable,
        // Joins, pins and the like.
        (Some(_), _) => Content::Command,
    }
}

fn text(object: Node<'_>, name: &str) -> Option<Box<str>> {
    object.get(name)?.text().map(Box::from)
}

/// Reads the answer to a request by its HTTP status: the id of the message sent, where there is one, or why it failed.
///
/// # Errors
/// [`Failure`].
pub fn parse_answer(status: u16, json: &str) -> Result<Option<Box<str>>, Failure> {
    let mut reader = Reader::default();
    let doc = reader.read(json).ok();
    let answer = doc.as_ref().map(|doc| doc.root());
    if (200..300).contains(&status) {
        return Ok(answer.and_then(|message| text(message, "id")));
    }
    let code = answer.and_then(|answer| answer.get("code")?.whole());
    Err(match (status, code) {
        (429, _) => Failure::Retry {
            after_ms: answer.and_then(|answer| answer.get("retry_after")?.seconds_as_millis()),
        },
        // Unknown or already answered interactions, and expired tokens of them.
        (_, Some(10_062 | 40_060 | 50_027)) => Failure::Benign,
        (_, Some(10_008)) => Failure::Gone,
        // Unknown channel, missing access, no direct messages, missing permissions, archived thread.
        (_, Some(10_003 | 50_001 | 50_007 | 50_013 | 50_083)) => Failure::Lost,
        (500.., _) => Failure::Retry { after_ms: None },
        (_, _) => Failure::Rejected,
    })
}

struct Sent<'a> {
    content: &'a str,
    flags: u32,
    components: Option<Vec<Component<'a>>>,
    message_reference: Option<Reference<'a>>,
    nonce: Option<String>,
    enforce_nonce: Option<bool>,
}

/// Nobody is called by what a text holds.
struct Mentions;

struct Reference<'a> {
    message_id: &'a str,
}

/// A component, with the fields of all kinds that we send.
#[derive(Default)]
struct Component<'a> {
    kind: u8,
    custom_id: Option<&'a str>,
    style: Option<u8>,
    label: Option<&'a str>,
    options: Option<Vec<SelectOption<'a>>>,
    placeholder: Option<&'a str>,
    min_values: Option<usize>,
    max_values: Option<usize>,
    min_length: Option<usize>,
    max_length: Option<usize>,
    required: Option<bool>,
    components: Vec<Component<'a>>,
    component: Option<Box<Component<'a>>>,
}

struct SelectOption<'a> {
    label: &'a str,
    value: String,
    default: bool,
}

impl ToJson for Sent<'_> {
    fn write_json(&self, out: &mut String) {
        object!(
            out,
            "content": self.content,
            "flags": self.flags,
            "allowed_mentions": Mentions,
            "components"?: self.components,
            "message_reference"?: self.message_reference,
            "nonce"?: self.nonce,
            "enforce_nonce"?: self.enforce_nonce,
        );
    }
}

impl ToJson for Mentions {
    fn write_json(&self, out: &mut String) {
        let nobody: [&str; 0] = [];
        object!(out, "parse": nobody.as_slice());
    }
}

impl ToJson for Reference<'_> {
    fn write_json(&self, out: &mut String) {
        object!(out, "message_id": self.message_id, "fail_if_not_exists": false);
    }
}

impl ToJson for Component<'_> {
    fn write_json(&self, out: &mut String) {
        object!(
            out,
            "type": self.kind,
            "custom_id"?: self.custom_id,
            "style"?: self.style,
            "label"?: self.label,
            "options"?: self.options,
            "placeholder"?: self.placeholder,
            "min_values"?: self.min_values,
            "max_values"?: self.max_values,
            "min_length"?: self.min_length,
            "max_length"?: self.max_length,
            "required"?: self.required,
            "components"?: (!self.components.is_empty()).then_some(&self.components),
            "component"?: self.component,
        );
    }
}

impl ToJson for SelectOption<'_> {
    fn write_json(&self, out: &mut String) {
        let default = self.default.then_some(true);
        object!(out, "label": self.label, "value": self.value, "default"?: default);
    }
}

const ROW: u8 = 1;
const BUTTON: u8 = 2;
const SELECT: u8 = 3;
const INPUT: u8 = 4;
const LABEL: u8 = 18;

const SECONDARY: u8 = 2;
const DANGER: u8 = 4;
const PARAGRAPH: u8 = 2;

static NOTHING: Render = Render { text: Vec::new(), rows: Vec::new() };

fn components(render: &Render) -> Vec<Component<'_>> {
    let rows = render.rows.iter().map(|row| match row {
        Row::Buttons(buttons) => {
            Component { kind: ROW, components: buttons.iter().map(button).collect(), ..Component::default() }
        }
        Row::Menu(select) => {
            Component { kind: ROW, components: [menu(select)].into(), ..Component::default() }
        }
    });
    rows.collect()
}

fn button(button: &Button) -> Component<'_> {
    Component {
        kind: BUTTON,
        custom_id: Some(&button.token),
        style: Some(if button.danger { DANGER } else { SECONDARY }),
        label: Some(&button.label),
        ..Component::default()
    }
}

fn menu(menu: &Menu) -> Component<'_> {
    let options = menu.options.iter().map(|option| SelectOption {
        label: &option.label,
        value: option.index.to_string(),
        default: option.selected,
    });
    Component {
        kind: SELECT,
        custom_id: Some(&menu.token),
        options: Some(options.collect()),
        placeholder: Some(if menu.multi { "Select any number" } else { "Choose one" }),
        min_values: Some(usize::from(!menu.multi)),
        max_values: Some(if menu.multi { menu.options.len() } else { 1 }),
        ..Component::default()
    }
}

fn content_of(render: &Render) -> String {
    let mut out = String::new();
    for span in &render.text {
        let mark = match span.style {
            Style::Plain | Style::Code => "",
            Style::Bold => "**",
            Style::Struck => "~~",
        };
        out.push_str(mark);
        escape(&mut out, &span.text);
        out.push_str(mark);
    }
    out
}

/// A message with our content and buttons; without buttons it takes those away that there were.
fn sent<'a>(content: &'a str, render: &'a Render) -> Sent<'a> {
    Sent {
        content,
        flags: SUPPRESS_EMBEDS,
        components: Some(components(render)),
        message_reference: None,
        nonce: None,
        enforce_nonce: None,
    }
}

/// The request that a call is.
pub(super) fn write(call: &Call<'_>) -> Effect {
    let content = content_of(call.render);
    let mut sent = sent(&content, call.render);
    let chat = &call.chat.chat;
    let (kind, method, path) = match call.message {
        None => {
            // A send that is tried again within minutes gives the same message.
            sent.nonce = Some(call.nonce.to_string());
            sent.enforce_nonce = Some(true);
            (EffectKind::Send, "POST", format!("/channels/{chat}/messages"))
        }
        Some(message) => (EffectKind::Edit, "PATCH", format!("/channels/{chat}/messages/{message}")),
    };
    Effect { id: call.id, kind, method, path, body: to_json(&sent) }
}

/// The response to an interaction: it must reach Discord within three seconds.
pub(super) fn acknowledge(id: EffectId, press: &Press, with: &Acknowledgement<'_>) -> Effect {
    const MESSAGE: u8 = 4;
    const LATER: u8 = 6;
    const UPDATE: u8 = 7;
    const MODAL: u8 = 9;
    let body = match with {
        Acknowledgement::Plain => to_json(&Response { kind: LATER, data: None::<&str> }),
        Acknowledgement::Note(text) => {
            let mut content = String::new();
            escape(&mut content, text);
            let data = Sent { components: None, flags: EPHEMERAL, ..sent(&content, &NOTHING) };
            to_json(&Response { kind: MESSAGE, data: Some(data) })
        }
        Acknowledgement::Update(render) => {
            let content = content_of(render);
            to_json(&Response { kind: UPDATE, data: Some(sent(&content, render)) })
        }
        Acknowledgement::Field(token) => {
            let input = Component {
                kind: INPUT,
                custom_id: Some(FIELD),
                style: Some(PARAGRAPH),
                min_length: Some(1),
                max_length: Some(FIELD_UNITS),
                required: Some(true),
                ..Component::default()
            };
            let label = Component {
                kind: LABEL,
                label: Some("Your answer"),
                component: Some(Box::new(input)),
                ..Component::default()
            };
            let modal = Modal { custom_id: token, title: "Your answer", components: [label] };
            to_json(&Response { kind: MODAL, data: Some(modal) })
        }
    };
    let path = format!("/interactions/{}/{}/callback", press.event, press.reply);
    Effect { id, kind: EffectKind::Acknowledge, method: "POST", path, body }
}

/// What an interaction is answered with.
struct Response<T> {
    kind: u8,
    data: Option<T>,
}

impl<T: ToJson> ToJson for Response<T> {
    fn write_json(&self, out: &mut String) {
        object!(out, "type": self.kind, "data"?: self.data);
    }
}

struct Modal<'a> {
    custom_id: &'a str,
    title: &'a str,
    components: [Component<'a>; 1],
}

impl ToJson for Modal<'_> {
    fn write_json(&self, out: &mut String) {
        let components = self.components.as_slice();
        object!(out, "custom_id": self.custom_id, "title": self.title, "components": components);
    }
}

/// A reply to a message: the path and the body.
pub(super) fn notice(to: &Message, text: &str) -> (String, String) {
    let mut content = String::new();
    escape(&mut content, text);
    let reference = Reference { message_id: &to.id };
    let reply = Sent { components: None, message_reference: Some(reference), ..sent(&content, &NOTHING) };
    (format!("/channels/{}/messages", to.chat), to_json(&reply))
}
