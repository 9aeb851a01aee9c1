//! Dialect A: `agent.*` and the pushes to observers (spec 7, seed `ask_user_protocol.txt`).

use super::Numbered;
use super::json::{Node, Reader};
use super::read::{Field, Fields, Shape};
use crate::answer::{Answer, CancelReason, Outcome};
use crate::error::{Code, Fault, RequestError};
use crate::form::{Choice, DefaultHint, Form, FormBuilder, Question, QuestionKind};
use crate::gate::{Origin, Prompt};
use crate::id::{AgentId, PromptId, SurfaceId};
use crate::json::{List, Plain, ToJson, object, piece};
use crate::limits::Limits;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

/// The method of an observer's pushes.
pub(crate) const PUSH: &str = "askUserEvent";

/// What a prompt's id begins with on the wire.
const PREFIX: &str = "req:";

/// The methods of dialect A.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Method {
    AskUser,
    AskPending,
    AskAnswer,
    AskAcknowledge,
    AskBack,
    AskCancel,
    Snapshot,
    #[cfg(feature = "panes")]
    Create,
    #[cfg(feature = "panes")]
    CreateSplit,
    #[cfg(feature = "panes")]
    List,
    #[cfg(feature = "panes")]
    Count,
    #[cfg(feature = "panes")]
    Close,
}

const CHOICES: Field = Field("choices", Some(&Shape(&[Field("id", None), Field("label", None)])));

/// A request as its surface gets it.
pub(super) const SHOWN: Shape = Shape(&[
    Field("request_id", None),
    Field("surface_id", None),
    Field("kind", None),
    Field("title", None),
    Field("body", None),
    Field("agent_id", None),
    CHOICES,
    Field("default", None),
    Field("timeout_ms", None),
    Field("unsafe", None),
    Field("created_at", None),
]);

const METHODS: &[(&str, Method, Shape)] = &[
    (
        "agent.ask_user",
        Method::AskUser,
        Shape(&[
            Field("surface_id", None),
            Field("kind", None),
            Field("title", None),
            Field("body", None),
            Field("agent_id", None),
            CHOICES,
            Field("default", None),
            Field("timeout_ms", None),
            Field("unsafe", None),
        ]),
    ),
    ("agent.ask_pending", Method::AskPending, Shape(&[Field("surface_id", None)])),
    ("agent.ask_answer", Method::AskAnswer, Shape(&[Field("request_id", None), Field("value", None)])),
    ("agent.ask_acknowledge", Method::AskAcknowledge, Shape(&[Field("request_id", None)])),
    ("agent.ask_back", Method::AskBack, Shape(&[Field("request_id", None)])),
    ("agent.ask_cancel", Method::AskCancel, Shape(&[Field("request_id", None), Field("reason", None)])),
    ("askUserRequestSnapshot", Method::Snapshot, Shape(&[])),
    #[cfg(feature = "panes")]
    ("agent.create", Method::Create, Shape(&[])),
    #[cfg(feature = "panes")]
    ("agent.create_split", Method::CreateSplit, Shape(&[Field("direction", None)])),
    #[cfg(feature = "panes")]
    ("agent.list", Method::List, Shape(&[])),
    #[cfg(feature = "panes")]
    ("agent.count", Method::Count, Shape(&[])),
    #[cfg(feature = "panes")]
    ("agent.close", Method::Close, Shape(&[Field("agent_id", None), Field("surface_id", None)])),
];

impl Method {
    pub(crate) fn find(name: &str) -> Option<Self> {
        METHODS.iter().find(|row| row.0 == name).map(|row| row.1)
    }

    pub(crate) fn names() -> impl Iterator<Item = &'static str> {
        METHODS.iter().map(|row| row.0)
    }

    pub(crate) fn shape(self) -> &'static Shape {
        static NONE: Shape = Shape(&[]);
        METHODS.iter().find(|row| row.1 == self).map_or(&NONE, |row| &row.2)
    }
}

/// The params of `agent.ask_user`, checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskUser {
    /// Where the prompt is to be shown.
    pub surface: SurfaceId,
    /// Who asks.
    pub agent: Option<AgentId>,
    /// What is asked: one question.
    pub form: Form,
    /// In how many milliseconds it times out.
    pub timeout_ms: Option<u64>,
}

impl AskUser {
    /// Checks the params of `agent.ask_user`, given as JSON (spec 3).
    ///
    /// # Errors
    /// The first fault in the order of spec 7, with its code and path.
    pub fn parse(params: &str, limits: &Limits) -> Result<Self, RequestError> {
        let mut reader = Reader::default();
        let doc = reader.read(params).map_err(|fault| fault.at(""))?;
        Self::read(&super::checked_params(&doc, Method::AskUser.shape())?, limits)
    }

    pub(crate) fn read(params: &Fields<'_>, limits: &Limits) -> Result<Self, RequestError> {
        let surface = params.required_text("surface_id")?;
        let surface = params.at("surface_id", SurfaceId::new(surface, limits))?;
        let kind = params.required_text("kind")?;
        let kind = params.at("kind", kind_of(kind))?;
        let mut form = FormBuilder::new(limits);
        form.open(kind).map_err(|fault| fault.at(""))?;
        let title = params.required_text("title")?;
        form.reserve(title.len() + params.text_bytes(&["body", "choices"]), 0);
        params.at("title", form.title(title))?;
        if let Some(body) = params.text("body")? {
            params.at("body", form.body(body))?;
        }
        let agent = match params.text("agent_id")? {
            Some(agent) => Some(params.at("agent_id", AgentId::attribution(agent, limits))?),
            None => None,
        };
        read_choices(params, kind, &mut form)?;
        if let Some(default) = params.text("default")? {
            params.at("default", form.default(default))?;
        }
        let timeout_ms = params.timeout()?;
        if let Some(danger) = params.bool("unsafe")? {
            form.danger(danger);
        }
        let form = form.build().map_err(|fault| fault.at(""))?;
        Ok(Self { surface, agent, form, timeout_ms })
    }
}

fn kind_of(kind: &str) -> Result<QuestionKind, Fault> {
    match kind {
        "yesno" => Ok(QuestionKind::YesNo),
        "choice" => Ok(QuestionKind::Select { multi: false, custom: false }),
        "text" => Ok(QuestionKind::Text),
        "confirm-command" => Ok(QuestionKind::ConfirmCommand),
        _ => Err(Fault::new(Code::InvalidValue, "Give yesno, choice, text or confirm-command.")),
    }
}

const fn kind_name(kind: QuestionKind) -> &'static str {
    match kind {
        QuestionKind::YesNo => "yesno",
        QuestionKind::Select { .. } => "choice",
        QuestionKind::Text => "text",
        QuestionKind::ConfirmCommand => "confirm-command",
    }
}

fn read_choices(
    params: &Fields<'_>,
    kind: QuestionKind,
    form: &mut FormBuilder<'_>,
) -> Result<(), RequestError> {
    let choices = match kind {
        QuestionKind::Select { .. } => params.required_list("choices")?,
        QuestionKind::YesNo | QuestionKind::Text | QuestionKind::ConfirmCommand => {
            let Some(choices) = params.list("choices")? else { return Ok(()) };
            choices
        }
    };
    params.at("choices", form.options(choices.len()))?;
    for item in choices.items() {
        let choice = params.item(item)?;
        let id = choice.required_text("id")?;
        choice.at("id", form.choice(id))?;
        if let Some(label) = choice.text("label")? {
            choice.at("label", form.label(label))?;
        }
    }
    Ok(())
}

/// A prompt's id from its wire form, `req:N`; `None` for what was never one.
pub(crate) fn prompt_id(text: &str) -> Option<PromptId> {
    super::numbered(text, PREFIX).map(PromptId)
}

const fn request_id(prompt: PromptId) -> Numbered {
    Numbered { prefix: PREFIX, number: prompt.0 }
}

/// Where a new pane goes (spec 7.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placement {
    /// A workspace of its own.
    Workspace,
    /// A split to the right.
    Right,
    /// A split below.
    Down,
}

impl Placement {
    /// The placement's name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Workspace => "workspace",
            Self::Right => "right",
            Self::Down => "down",
        }
    }
}

/// Which pane to close.
#[cfg(feature = "panes")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PaneName<'d> {
    Agent(&'d str),
    Surface(&'d str),
}

/// A call of dialect A, its params checked.
#[derive(Debug)]
pub(crate) enum Call<'d> {
    AskUser(AskUser),
    AskPending {
        surface: Option<&'d str>,
    },
    AskAnswer {
        prompt: Option<PromptId>,
        value: &'d str,
    },
    AskAcknowledge {
        prompt: Option<PromptId>,
    },
    AskBack {
        prompt: Option<PromptId>,
    },
    AskCancel {
        prompt: Option<PromptId>,
        reason: Option<Box<str>>,
    },
    Snapshot,
    #[cfg(feature = "panes")]
    Create(Placement),
    #[cfg(feature = "panes")]
    List,
    #[cfg(feature = "panes")]
    Count,
    #[cfg(feature = "panes")]
    Close(PaneName<'d>),
}

pub(crate) fn decode<'d>(
    method: Method,
    params: &Fields<'d>,
    limits: &Limits,
) -> Result<Call<'d>, RequestError> {
    match method {
        Method::AskUser => AskUser::read(params, limits).map(Call::AskUser),
        Method::AskPending => Ok(Call::AskPending { surface: params.text("surface_id")? }),
        Method::AskAnswer => {
            let prompt = prompt_id(params.required_text("request_id")?);
            let value = params.required_text("value")?;
            params.at("value", crate::id::within(value, limits.answer_bytes.max(limits.id_bytes)))?;
            Ok(Call::AskAnswer { prompt, value })
        }
        Method::AskAcknowledge => {
            Ok(Call::AskAcknowledge { prompt: prompt_id(params.required_text("request_id")?) })
        }
        Method::AskBack => Ok(Call::AskBack { prompt: prompt_id(params.required_text("request_id")?) }),
        Method::AskCancel => {
            let prompt = prompt_id(params.required_text("request_id")?);
            let reason = params.bounded_text("reason", limits.reason_bytes)?;
            Ok(Call::AskCancel { prompt, reason: reason.map(Box::from) })
        }
        Method::Snapshot => Ok(Call::Snapshot),
        #[cfg(feature = "panes")]
        Method::Create => Ok(Call::Create(Placement::Workspace)),
        #[cfg(feature = "panes")]
        Method::CreateSplit => {
            let placement = match params.text("direction")? {
                None | Some("right" | "horizontal") => Ok(Placement::Right),
                Some("down" | "vertical") => Ok(Placement::Down),
                Some(_) => Err(Fault::new(Code::InvalidValue, "Give right, horizontal, down or vertical.")),
            };
            params.at("direction", placement).map(Call::Create)
        }
        #[cfg(feature = "panes")]
        Method::List => Ok(Call::List),
        #[cfg(feature = "panes")]
        Method::Count => Ok(Call::Count),
        #[cfg(feature = "panes")]
        Method::Close => match (params.text("agent_id")?, params.text("surface_id")?) {
            (Some(agent), None) => Ok(Call::Close(PaneName::Agent(agent))),
            (None, Some(surface)) => Ok(Call::Close(PaneName::Surface(surface))),
            (Some(_), Some(_)) | (None, None) => {
                Err(Fault::new(Code::InvalidRequest, "Give either agent_id or surface_id.").at(""))
            }
        },
    }
}

/// The prompt that a cancel names, read without any check: its asker may cancel it without further authority.
pub(crate) fn cancelled_prompt(params: Option<Node<'_>>) -> Option<PromptId> {
    prompt_id(params?.get("request_id")?.text()?)
}

/// A pending prompt as its surfaces see it: the params as given, with an id and a time.
pub(crate) struct AskUserRequest<'p>(pub(crate) &'p Prompt);

impl ToJson for AskUserRequest<'_> {
    fn write_json(&self, out: &mut String) {
        let prompt = self.0;
        let (Some(question), Origin::Request { surface, agent }) =
            (prompt.form().question(0), prompt.origin())
        else {
            return piece(out, "null");
        };
        let has_choices = matches!(question.kind(), QuestionKind::Select { .. });
        object!(
            out,
            "request_id": request_id(prompt.id()),
            "surface_id": **surface,
            "kind": Plain(kind_name(question.kind())),
            "title": question.text(),
            "body"?: question.body(),
            "agent_id"?: agent.as_deref(),
            "choices"?: has_choices.then(|| List(question.options().map(ChoiceEntry))),
            "default"?: question.default().map(|default| default_value(question, default)),
            "timeout_ms"?: prompt.timeout_ms(),
            "unsafe"?: prompt.form().unsafe_given(),
            "created_at": prompt.created_at(),
        );
    }
}

struct ChoiceEntry<'p>(Choice<'p>);

impl ToJson for ChoiceEntry<'_> {
    fn write_json(&self, out: &mut String) {
        object!(out, "id": self.0.value(), "label": self.0.label());
    }
}

fn default_value<'f>(question: Question<'f>, default: DefaultHint<'f>) -> &'f str {
    match default {
        DefaultHint::Yes => "yes",
        DefaultHint::No => "no",
        DefaultHint::Choice(index) => question.option(index).map_or("", |option| option.value()),
        DefaultHint::Text(text) => text,
    }
}

/// How an ask ended, for whoever asked and for the surfaces.
pub(crate) struct AskUserResponse<'p> {
    request_id: Numbered,
    action: &'static str,
    value: Option<&'p str>,
    reason: Option<&'p str>,
}

impl ToJson for AskUserResponse<'_> {
    fn write_json(&self, out: &mut String) {
        object!(
            out,
            "request_id": self.request_id,
            "action": Plain(self.action),
            "value"?: self.value,
            "reason"?: self.reason,
        );
    }
}

impl<'p> AskUserResponse<'p> {
    pub(crate) fn new(prompt: &'p Prompt, outcome: &'p Outcome) -> Self {
        let (action, value, reason) = match outcome {
            Outcome::Answered(answers) => {
                let answer = answers.as_slice().first().zip(prompt.form().question(0));
                ("ok", answer.map(|(answer, question)| value_of(question, answer)), None)
            }
            Outcome::TimedOut => ("timeout", None, None),
            Outcome::Cancelled(reason) => ("cancel", None, reason.as_ref().map(CancelReason::as_str)),
            Outcome::Declined => ("cancel", None, Some("declined")),
            Outcome::Unavailable => ("cancel", None, Some("unavailable")),
            Outcome::Invalid => ("cancel", None, Some("invalid answer")),
        };
        Self { request_id: request_id(prompt.id()), action, value, reason }
    }
}

/// An answer as dialect A sends it.
#[must_use]
pub fn value_of<'p>(question: Question<'p>, answer: &'p Answer) -> &'p str {
    match answer {
        Answer::YesNo(true) => "yes",
        Answer::YesNo(false) => "no",
        Answer::Select { selected, .. } => {
            let option = selected.indexes().first().and_then(|index| question.option(*index));
            option.map_or("", |option| option.value())
        }
        Answer::Text(text) => text,
        Answer::Run => "run",
    }
}

/// The params of the push that shows a prompt.
pub(crate) struct ShownParams<'p> {
    pub(crate) seq: u64,
    pub(crate) prompt: &'p Prompt,
}

impl ToJson for ShownParams<'_> {
    fn write_json(&self, out: &mut String) {
        object!(out, "kind" = "shown", "seq": self.seq, "request": AskUserRequest(self.prompt));
    }
}

/// The params of the push that takes a prompt away.
pub(crate) struct ResolvedParams<'p> {
    pub(crate) seq: u64,
    pub(crate) prompt: PromptId,
    pub(crate) response: &'p AskUserResponse<'p>,
}

impl ToJson for ResolvedParams<'_> {
    fn write_json(&self, out: &mut String) {
        object!(
            out,
            "kind" = "resolved",
            "seq": self.seq,
            "request_id": request_id(self.prompt),
            "response": self.response,
        );
    }
}

/// What is pending: `pending` alone, with `seq` in a snapshot, with `kind` too in a push.
pub(crate) struct PendingList<'p> {
    pub(crate) kind: Option<&'static str>,
    pub(crate) seq: Option<u64>,
    pub(crate) pending: Vec<AskUserRequest<'p>>,
}

impl ToJson for PendingList<'_> {
    fn write_json(&self, out: &mut String) {
        object!(out, "kind"?: self.kind.map(Plain), "seq"?: self.seq, "pending": self.pending);
    }
}

/// Those prompts that are dialect A's.
pub(crate) fn requests<'p>(prompts: impl Iterator<Item = &'p Prompt>) -> Vec<AskUserRequest<'p>> {
    prompts.filter(|prompt| matches!(prompt.origin(), Origin::Request { .. })).map(AskUserRequest).collect()
}
