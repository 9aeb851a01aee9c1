//! Dialect B: `sessions.prompt.*`, its pushes and the tool result of `ask` (spec 8, seed `ask_tool.txt`).

pub use super::tool::{ASK_TOOL, Results, ToolResult};

use super::Numbered;
use super::json::{Node, Reader};
use super::read::{Field, Fields, Shape};
use crate::answer::{AnswerDraft, OutcomeKind};
use crate::error::{Code, Fault, RequestError};
use crate::form::{Choice, Form, FormBuilder, Question, QuestionKind};
use crate::gate::{Origin, Prompt};
use crate::id::{PromptId, RunId, SessionKey, within};
use crate::json::{List, Plain, ToJson, object};
use crate::limits::Limits;
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

/// The push that shows a prompt.
pub(crate) const REQUESTED: &str = "session.prompt.requested";
/// The push that takes a prompt away.
pub(crate) const RESOLVED: &str = "session.prompt.resolved";

/// The methods of dialect B.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Method {
    Bind,
    Request,
    Resolve,
    EndRun,
}

const QUESTIONS: Field = Field(
    "questions",
    Some(&Shape(&[
        Field("id", None),
        Field("header", None),
        Field("question", None),
        Field("options", Some(&Shape(&[Field("label", None), Field("description", None)]))),
        Field("multi", None),
        Field("recommended", None),
    ])),
);
const TIMEOUT: Field = Field("timeout_ms", None);
pub(super) const FORM: Shape = Shape(&[QUESTIONS, TIMEOUT]);

/// A form as its surface gets it.
pub(super) const SHOWN: Shape = Shape(&[
    Field("seq", None),
    Field("prompt_id", None),
    Field("session_key", None),
    Field("run_id", None),
    QUESTIONS,
    Field("created_at", None),
    TIMEOUT,
]);

const METHODS: &[(&str, Method, Shape)] = &[
    ("sessions.prompt.bind", Method::Bind, Shape(&[Field("session_key", None), Field("enabled", None)])),
    (
        "sessions.prompt.request",
        Method::Request,
        Shape(&[Field("session_key", None), Field("run_id", None), QUESTIONS, TIMEOUT]),
    ),
    (
        "sessions.prompt.resolve",
        Method::Resolve,
        Shape(&[
            Field("session_key", None),
            Field("run_id", None),
            Field("prompt_id", None),
            Field("action", None),
            Field(
                "answers",
                Some(&Shape(&[Field("id", None), Field("selected", None), Field("custom", None)])),
            ),
        ]),
    ),
    ("sessions.prompt.end_run", Method::EndRun, Shape(&[Field("session_key", None), Field("run_id", None)])),
];

impl Method {
    pub(crate) fn find(name: &str) -> Option<Self> {
        METHODS.iter().find(|row| row.0 == name).map(|row| row.1)
    }

    pub(crate) fn names() -> impl Iterator<Item = &'static str> {
        METHODS.iter().map(|row| row.0)
    }

    pub(crate) fn shape(self) -> &'static Shape {
        METHODS.iter().find(|row| row.1 == self).map_or(&FORM, |row| &row.2)
    }
}

/// Checks a form given as JSON: an object with `questions` and perhaps `timeout_ms`, as the `ask` tool takes it (spec 3).
/// Gives the form and the time-out in milliseconds.
///
/// # Errors
/// The first fault in the order of spec 7, with its code and path.
pub fn parse_questions(params: &str, limits: &Limits) -> Result<(Form, Option<u64>), RequestError> {
    let mut reader = Reader::default();
    let doc = reader.read(params).map_err(|fault| fault.at(""))?;
    let params = super::checked_params(&doc, &FORM)?;
    let form = read_questions(&params, limits)?;
    Ok((form, params.timeout()?))
}

pub(super) fn read_questions(params: &Fields<'_>, limits: &Limits) -> Result<Form, RequestError> {
    let questions = params.required_list("questions")?;
    let mut form = FormBuilder::new(limits);
    if questions.len() > crate::limits::MAX_QUESTIONS {
        return params.at("questions", Err(Fault::new(Code::TooMany, "Ask at most 8 questions at once.")));
    }
    form.reserve(questions.text_bytes(), 0);
    for item in questions.items() {
        read_question(&params.item(item)?, &mut form)?;
    }
    params.at("questions", form.build())
}

fn read_question(question: &Fields<'_>, form: &mut FormBuilder<'_>) -> Result<(), RequestError> {
    question.at("id", form.open(QuestionKind::Select { multi: false, custom: true }))?;
    let id = question.required_text("id")?;
    question.at("id", form.id(id))?;
    let text = question.required_text("question")?;
    question.at("question", form.question(text))?;
    let options = question.required_list("options")?;
    question.at("options", form.options(options.len()))?;
    for item in options.items() {
        let option = question.item(item)?;
        let label = option.required_text("label")?;
        option.at("label", form.option(label))?;
        if let Some(description) = option.text("description")? {
            option.at("description", form.description(description))?;
        }
    }
    if let Some(header) = question.text("header")? {
        question.at("header", form.header(header))?;
    }
    if let Some(multi) = question.bool("multi")? {
        question.at("multi", form.multi(multi))?;
    }
    if let Some(number) = question.number("recommended")? {
        question.at("recommended", form.recommended(number.whole().unwrap_or(u64::MAX)))?;
    }
    Ok(())
}

/// What a prompt's id begins with on the wire.
const PREFIX: &str = "prompt:";

/// A prompt's id from its wire form, `prompt:N`; `None` for what was never one.
pub(crate) fn prompt_id(text: &str) -> Option<PromptId> {
    super::numbered(text, PREFIX).map(PromptId)
}

const fn wire_id(prompt: PromptId) -> Numbered {
    Numbered { prefix: PREFIX, number: prompt.0 }
}

/// What an operator does to a prompt.
#[derive(Debug)]
pub(crate) enum Action<'d> {
    Answer(Vec<AnswerDraft<'d>>),
    Decline,
    Cancel,
}

/// A call of dialect B, its params checked.
#[derive(Debug)]
pub(crate) enum Call<'d> {
    Bind { session: SessionKey, enabled: bool },
    Request { session: SessionKey, run: RunId, form: Form, timeout_ms: Option<u64> },
    Resolve { session: SessionKey, run: RunId, prompt: Option<PromptId>, action: Action<'d> },
    EndRun { session: SessionKey, run: RunId },
}

pub(crate) fn decode<'d>(
    method: Method,
    params: &Fields<'d>,
    limits: &Limits,
) -> Result<Call<'d>, RequestError> {
    let session = params.required_text("session_key")?;
    let session = params.at("session_key", SessionKey::new(session, limits))?;
    let run = || {
        let run = params.required_text("run_id")?;
        params.at("run_id", RunId::new(run, limits))
    };
    match method {
        Method::Bind => Ok(Call::Bind { session, enabled: params.bool("enabled")?.unwrap_or(true) }),
        Method::Request => {
            let run = run()?;
            let form = read_questions(params, limits)?;
            Ok(Call::Request { session, run, form, timeout_ms: params.timeout()? })
        }
        Method::Resolve => {
            let run = run()?;
            let prompt = prompt_id(params.required_text("prompt_id")?);
            let action = read_action(params, limits)?;
            Ok(Call::Resolve { session, run, prompt, action })
        }
        Method::EndRun => Ok(Call::EndRun { session, run: run()? }),
    }
}

fn read_action<'d>(params: &Fields<'d>, limits: &Limits) -> Result<Action<'d>, RequestError> {
    let action = match params.required_text("action")? {
        "answer" => {
            let answers = params.required_list("answers")?;
            return read_answers(params, answers, limits.answer_bytes).map(Action::Answer);
        }
        "decline" => Action::Decline,
        "cancel" => Action::Cancel,
        _ => {
            return params
                .at("action", Err(Fault::new(Code::InvalidValue, "Give answer, decline or cancel.")));
        }
    };
    match params.list("answers")? {
        None => Ok(action),
        Some(_) => {
            let message = "Leave the answers out unless the action is answer.";
            params.at("answers", Err(Fault::new(Code::InvalidValue, message)))
        }
    }
}

/// Reads a list of answers within the params, with custom texts of at most so many bytes.
pub(super) fn read_answers<'d>(
    params: &Fields<'d>,
    answers: Node<'d>,
    most: usize,
) -> Result<Vec<AnswerDraft<'d>>, RequestError> {
    let read = |item: Node<'d>| {
        let answer = params.item(item)?;
        let id = answer.required_text("id")?.into();
        let mut selected = Vec::new();
        for (index, label) in answer.list("selected")?.into_iter().flat_map(Node::items).enumerate() {
            let label = label.text().ok_or_else(|| {
                let fault = Fault::new(Code::WrongType, "Give the label of an option as a string.");
                fault.at(answer.path("selected").index(index).0)
            })?;
            selected.push(Cow::Borrowed(label));
        }
        let custom = answer.text("custom")?;
        if let Some(custom) = custom {
            answer.at("custom", within(custom, most))?;
        }
        Ok(AnswerDraft { id, selected, custom: custom.map(Cow::Borrowed) })
    };
    answers.items().map(read).collect()
}

/// The params of the push that shows a prompt.
pub(crate) struct RequestedParams<'p> {
    /// The event's number; absent outside a push.
    pub(crate) seq: Option<u64>,
    pub(crate) prompt: &'p Prompt,
}

impl ToJson for RequestedParams<'_> {
    fn write_json(&self, out: &mut String) {
        let (session_key, run_id) = names(self.prompt);
        object!(
            out,
            "seq"?: self.seq,
            "prompt_id": wire_id(self.prompt.id()),
            "session_key": session_key,
            "run_id": run_id,
            "questions": List(self.prompt.form().questions().map(QuestionEntry)),
            "created_at": self.prompt.created_at(),
            "timeout_ms"?: self.prompt.timeout_ms(),
        );
    }
}

/// The session and the run that asked.
fn names(prompt: &Prompt) -> (&str, &str) {
    match prompt.origin() {
        Origin::Session { session, run, .. } => (session, run),
        Origin::Request { .. } => ("", ""),
    }
}

/// A question as it was given.
struct QuestionEntry<'p>(Question<'p>);

impl ToJson for QuestionEntry<'_> {
    fn write_json(&self, out: &mut String) {
        let question = self.0;
        object!(
            out,
            "id": question.id(),
            "header"?: question.header(),
            "question": question.text(),
            "options": List(question.options().map(OptionEntry)),
            "multi"?: question.multi_given(),
            "recommended"?: question.recommended().map(|hint| hint.index()),
        );
    }
}

struct OptionEntry<'p>(Choice<'p>);

impl ToJson for OptionEntry<'_> {
    fn write_json(&self, out: &mut String) {
        object!(out, "label": self.0.label(), "description"?: self.0.description());
    }
}

/// The params of the push that takes a prompt away: identities and status, never an answer.
pub(crate) struct ResolvedParams<'p> {
    pub(crate) seq: u64,
    pub(crate) prompt: &'p Prompt,
    pub(crate) outcome: OutcomeKind,
}

impl ToJson for ResolvedParams<'_> {
    fn write_json(&self, out: &mut String) {
        let (session_key, run_id) = names(self.prompt);
        object!(
            out,
            "seq": self.seq,
            "prompt_id": wire_id(self.prompt.id()),
            "session_key": session_key,
            "run_id": run_id,
            "status": Plain(self.outcome.as_str()),
        );
    }
}
