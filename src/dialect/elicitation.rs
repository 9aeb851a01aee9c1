//! Forms over the Agent Client Protocol and the Model Context Protocol (spec 9): a form becomes `elicitation/create`, the
//! client's response becomes a resolution.
//!
//! Sources: the published schemas of ACP v1 and of MCP 2025-11-25 and 2026-07-28.

use super::json::{Doc, Node, Reader, Type};
use crate::answer::AnswerDraft;
use crate::form::{Choice, Form, Question, QuestionKind};
use crate::gate::Client;
use crate::json::{Plain, ToJson, list, object, piece};
use crate::words::words;
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

/// How long an ACP client's prompt waits where the asker does not say, in milliseconds (seed).
pub const ACP_TIMEOUT_MS: u64 = 300_000;

/// The protocol, and revision, that a run's own client speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Protocol {
    /// The Agent Client Protocol, version 1.
    Acp,
    /// The Model Context Protocol as of 2025-11-25: the server sends a request.
    Mcp20251125,
    /// The Model Context Protocol as of 2026-07-28: the server returns `input_required`.
    Mcp20260728,
}

impl Protocol {
    /// The protocol of that name: `acp`, `mcp-2025-11-25` or `mcp-2026-07-28`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Acp, Self::Mcp20251125, Self::Mcp20260728]
            .into_iter()
            .find(|protocol| protocol.as_str() == name)
    }

    /// The protocol's name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Acp => "acp",
            Self::Mcp20251125 => "mcp-2025-11-25",
            Self::Mcp20260728 => "mcp-2026-07-28",
        }
    }

    /// What a client with these capabilities (the whole object, as JSON) can do. What cannot be read advertises nothing.
    ///
    /// An empty `elicitation` object advertises nothing in ACP, and forms in MCP.
    #[must_use]
    pub fn client(self, capabilities: &str) -> Client {
        let mut reader = Reader::default();
        let forms = reader.read(capabilities).ok().and_then(|doc| self.forms(&doc)).unwrap_or(false);
        let timeout_ms = match self {
            Self::Acp => Some(ACP_TIMEOUT_MS),
            Self::Mcp20251125 | Self::Mcp20260728 => None,
        };
        Client { forms, timeout_ms }
    }

    fn forms(self, capabilities: &Doc<'_>) -> Option<bool> {
        let elicitation = capabilities.root().get("elicitation").filter(|it| it.kind() == Type::Object)?;
        let form = elicitation.get("form").map(|form| form.kind() == Type::Object);
        Some(match self {
            Self::Acp => form.unwrap_or(false),
            Self::Mcp20251125 | Self::Mcp20260728 => form.unwrap_or_else(|| elicitation.len() == 0),
        })
    }

    /// The notification that takes an open request back.
    pub(crate) const fn withdrawal(self) -> &'static str {
        match self {
            Self::Acp => "$/cancel_request",
            Self::Mcp20251125 | Self::Mcp20260728 => "notifications/cancelled",
        }
    }
}

/// What an ACP request is about: exactly one of a session, a tool call within one, or a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope<'a> {
    /// A session, and perhaps a tool call in it.
    Session {
        /// The session.
        session_id: &'a str,
        /// The tool call.
        tool_call_id: Option<&'a str>,
    },
    /// A request of the client's, such as during authentication.
    Request {
        /// The request's id.
        request_id: RequestId<'a>,
    },
}

/// The id of a request of the client's, as the client chose it: a text and a number are never equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestId<'a> {
    /// A number.
    Number(i64),
    /// A text.
    Text(&'a str),
}

impl ToJson for RequestId<'_> {
    fn write_json(&self, out: &mut String) {
        match self {
            Self::Number(n) => n.write_json(out),
            Self::Text(text) => text.write_json(out),
        }
    }
}

/// The name of the one entry of `inputRequests` and `inputResponses` (MCP 2026-07-28).
pub const INPUT_KEY: &str = "ask";

/// A form as it goes out. As JSON it is `{method, params}`, or for MCP 2026-07-28 as the `input_required` result.
#[derive(Debug, Clone, Copy)]
pub struct Elicitation<'a> {
    /// The client's protocol.
    pub protocol: Protocol,
    /// What is asked.
    pub form: &'a Form,
    /// What the request is about; ACP alone knows scopes.
    pub scope: Scope<'a>,
}

impl ToJson for Elicitation<'_> {
    fn write_json(&self, out: &mut String) {
        match self.protocol {
            Protocol::Acp | Protocol::Mcp20251125 => Request::new(self).write_json(out),
            Protocol::Mcp20260728 => {
                object!(out, "resultType" = "input_required", "inputRequests": InputRequests(self));
            }
        }
    }
}

struct InputRequests<'a>(&'a Elicitation<'a>);

impl ToJson for InputRequests<'_> {
    fn write_json(&self, out: &mut String) {
        object!(out, "ask": Request::new(self.0));
    }
}

/// `{method, params}`.
pub(crate) struct Request<'a> {
    pub(crate) method: &'static str,
    pub(crate) params: Params<'a>,
}

impl ToJson for Request<'_> {
    fn write_json(&self, out: &mut String) {
        object!(out, "method": Plain(self.method), "params": self.params);
    }
}

pub(crate) struct Params<'a> {
    message: Cow<'a, str>,
    session_id: Option<&'a str>,
    tool_call_id: Option<&'a str>,
    request_id: Option<RequestId<'a>>,
    requested_schema: FormSchema<'a>,
}

impl ToJson for Params<'_> {
    fn write_json(&self, out: &mut String) {
        object!(
            out,
            "mode" = "form",
            "message": self.message,
            "sessionId"?: self.session_id,
            "toolCallId"?: self.tool_call_id,
            "requestId"?: self.request_id,
            "requestedSchema": self.requested_schema,
        );
    }
}

impl<'a> Request<'a> {
    pub(crate) fn new(elicitation: &Elicitation<'a>) -> Self {
        let Elicitation { protocol, form, scope } = *elicitation;
        let message = match (form.question(0), form.len()) {
            (Some(question), 1) => Cow::Borrowed(question.text()),
            (_, count) => Cow::Owned(words!["Please answer ", count, " questions."]),
        };
        let (session_id, tool_call_id, request_id) = match (protocol, scope) {
            (Protocol::Acp, Scope::Session { session_id, tool_call_id }) => {
                (Some(session_id), tool_call_id, None)
            }
            (Protocol::Acp, Scope::Request { request_id }) => (None, None, Some(request_id)),
            (Protocol::Mcp20251125 | Protocol::Mcp20260728, _) => (None, None, None),
        };
        let requested_schema = FormSchema { protocol, form };
        let params = Params { message, session_id, tool_call_id, request_id, requested_schema };
        Self { method: "elicitation/create", params }
    }
}

struct FormSchema<'a> {
    protocol: Protocol,
    form: &'a Form,
}

impl ToJson for FormSchema<'_> {
    fn write_json(&self, out: &mut String) {
        // Nothing is required where custom text could stand in.
        let texts =
            self.form.questions().enumerate().filter(|(_, question)| question.kind() == QuestionKind::Text);
        let required: Vec<String> = texts.map(|(index, _)| key(index)).collect();
        object!(
            out,
            "type" = "object",
            "properties": Properties(self),
            "required"?: (!required.is_empty()).then_some(required),
        );
    }
}

/// The keys of the fields: no question's id or text is ever one, and they sort in question order, since peers keep them
/// in sorted maps.
fn key(index: usize) -> String {
    words!["question_", index]
}

fn custom_key(index: usize) -> String {
    words!["question_", index, "_custom"]
}

struct Properties<'a>(&'a FormSchema<'a>);

impl ToJson for Properties<'_> {
    fn write_json(&self, out: &mut String) {
        let FormSchema { protocol, form } = *self.0;
        let mut before = "{\"";
        for (index, question) in form.questions().enumerate() {
            piece(out, before);
            out.push_str(&key(index));
            piece(out, "\":");
            Property::new(protocol, question).write_json(out);
            if question.options().len() > 0 {
                piece(out, ",\"");
                out.push_str(&custom_key(index));
                piece(out, "\":");
                Property::custom(question).write_json(out);
            }
            before = ",\"";
        }
        piece(out, "}");
    }
}

struct Property<'a> {
    kind: &'static str,
    title: &'a str,
    description: Option<String>,
    one_of: Option<EnumOptions<'a>>,
    items: Option<Items<'a>>,
}

impl ToJson for Property<'_> {
    fn write_json(&self, out: &mut String) {
        object!(
            out,
            "type": Plain(self.kind),
            "title": self.title,
            "description"?: self.description,
            "oneOf"?: self.one_of,
            "items"?: self.items,
        );
    }
}

struct Items<'a>(EnumOptions<'a>);

impl ToJson for Items<'_> {
    fn write_json(&self, out: &mut String) {
        object!(out, "anyOf": self.0);
    }
}

impl<'a> Property<'a> {
    fn new(protocol: Protocol, question: Question<'a>) -> Self {
        let title = question.header().filter(|header| !crate::text::is_blank(header));
        let mut description = String::from(if title.is_some() { question.text() } else { "" });
        // A hint in words, and never a `default`: clients fill defaults in without a person.
        if let Some(option) = question.recommended().and_then(|hint| question.option(hint.index())) {
            let gap = if description.is_empty() { "" } else { " " };
            description += &words![gap, "Recommended: ", option.label()];
        }
        let options = || EnumOptions { protocol, question };
        let (kind, one_of, items) = match question.kind() {
            QuestionKind::Select { multi: false, .. } => ("string", Some(options()), None),
            QuestionKind::Select { multi: true, .. } => ("array", None, Some(Items(options()))),
            QuestionKind::Text | QuestionKind::YesNo | QuestionKind::ConfirmCommand => ("string", None, None),
        };
        let description = Some(description).filter(|text| !text.is_empty());
        Self { kind, title: title.unwrap_or(question.text()), description, one_of, items }
    }

    fn custom(question: Question<'a>) -> Self {
        let description = match question.kind() {
            QuestionKind::Select { multi: true, .. } => "Your own words, also beside what you selected.",
            QuestionKind::Select { .. }
            | QuestionKind::Text
            | QuestionKind::YesNo
            | QuestionKind::ConfirmCommand => "Your own words, instead of an option.",
        };
        Self {
            kind: "string",
            title: "Other",
            description: Some(description.into()),
            one_of: None,
            items: None,
        }
    }
}

struct EnumOptions<'a> {
    protocol: Protocol,
    question: Question<'a>,
}

impl ToJson for EnumOptions<'_> {
    fn write_json(&self, out: &mut String) {
        list(out, self.question.options().map(|option| EnumOption { protocol: self.protocol, option }));
    }
}

struct EnumOption<'a> {
    protocol: Protocol,
    option: Choice<'a>,
}

impl ToJson for EnumOption<'_> {
    fn write_json(&self, out: &mut String) {
        let label = self.option.label();
        let description = self.option.description().filter(|text| !text.is_empty());
        match (self.protocol, description) {
            // MCP's options have no description, and its clients drop one.
            (Protocol::Mcp20251125 | Protocol::Mcp20260728, Some(text)) => {
                object!(out, "const": label, "title": words![label, " \u{2014} ", text]);
            }
            (Protocol::Acp | Protocol::Mcp20251125 | Protocol::Mcp20260728, description) => {
                object!(out, "const": label, "title": label, "description"?: description);
            }
        }
    }
}

/// What a client's response says. It is checked against the form like any other answer, by the gate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply<'d> {
    /// The person accepted. What cannot be read as answers is no answer to any question.
    Accept(Vec<AnswerDraft<'d>>),
    /// The person declined.
    Decline,
    /// The person dismissed the form.
    Cancel,
}

impl Reply<'_> {
    /// Reads a client's response, given as JSON: `{action, content?}`, for MCP 2026-07-28 the params or result that hold
    /// `inputResponses`. Content is looked at only if the person accepted.
    #[must_use]
    pub fn parse(protocol: Protocol, form: &Form, response: &str) -> Reply<'static> {
        let mut reader = Reader::default();
        let Ok(doc) = reader.read(response) else { return Reply::Accept(Vec::new()) };
        match Reply::read(protocol, form, doc.root()) {
            Reply::Accept(drafts) => Reply::Accept(drafts.into_iter().map(AnswerDraft::into_owned).collect()),
            Reply::Decline => Reply::Decline,
            Reply::Cancel => Reply::Cancel,
        }
    }
}

impl<'d> Reply<'d> {
    pub(crate) fn read(protocol: Protocol, form: &Form, response: Node<'d>) -> Self {
        let response = match protocol {
            Protocol::Acp | Protocol::Mcp20251125 => Some(response),
            Protocol::Mcp20260728 => response.get("inputResponses").and_then(|them| them.get(INPUT_KEY)),
        };
        let action = response.and_then(|it| it.get("action")).and_then(Node::text);
        match (action, protocol) {
            (Some("accept"), _) => {
                let content = response.and_then(|it| it.get("content"));
                Self::Accept(content.and_then(|content| answers(form, content)).unwrap_or_default())
            }
            (Some("decline"), _) => Self::Decline,
            (Some("cancel"), _) | (Some(_), Protocol::Acp) => Self::Cancel,
            (Some(_) | None, _) => Self::Accept(Vec::new()),
        }
    }
}

/// The answers in a response's content, or `None` if it holds anything that the form did not ask for.
fn answers<'d>(form: &Form, content: Node<'d>) -> Option<Vec<AnswerDraft<'d>>> {
    let mut fields = content.fields().len();
    if content.kind() != Type::Object {
        return None;
    }
    let mut drafts = Vec::with_capacity(form.len());
    for (index, question) in form.questions().enumerate() {
        let value = content.get(&key(index));
        let custom = content.get(&custom_key(index));
        fields = fields.checked_sub(usize::from(value.is_some()) + usize::from(custom.is_some()))?;
        let mut draft = AnswerDraft { id: Cow::Owned(question.id().into()), ..AnswerDraft::default() };
        match (question.kind(), value) {
            (_, None) => {}
            (QuestionKind::Select { multi: true, .. }, Some(list)) if list.kind() == Type::Array => {
                draft.selected =
                    list.items().map(|label| label.text().map(Cow::Borrowed)).collect::<Option<_>>()?;
            }
            (QuestionKind::Select { multi: false, .. }, Some(label)) => {
                draft.selected.push(Cow::Borrowed(label.text()?));
            }
            (QuestionKind::Text, Some(text)) => draft.custom = Some(Cow::Borrowed(text.text()?)),
            (QuestionKind::Select { .. } | QuestionKind::YesNo | QuestionKind::ConfirmCommand, Some(_)) => {
                return None;
            }
        }
        if let Some(custom) = custom {
            if question.kind() == QuestionKind::Text {
                return None;
            }
            draft.custom = Some(Cow::Borrowed(custom.text()?));
        }
        if draft.custom.is_some() || !draft.selected.is_empty() {
            drafts.push(draft);
        }
    }
    (fields == 0).then_some(drafts)
}
