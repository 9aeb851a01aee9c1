//! The calls of a [`Gate`] and a [`Mirror`] as JSON, for bindings that pass text and mirror no Rust
//! types: what they take is read here, what they give is written here, so that all bindings take and give the same.
//!
//! Requests and answers have the dialects' own shapes. Prompts and connections are numbers; one that a double may not hold
//! exactly can be given as a string of its digits.

use super::agent::{self, AskUser, AskUserRequest};
use super::json::{Doc, Node, Reader, Type};
use super::read::{Field, Fields, Shape, expect_object};
use super::session::{self, RequestedParams, Results};
use crate::answer::{AnswerDraft, CancelReason, Draft, Outcome, Resolution};
use crate::error::{Code, Fault, RequestError, ResolveError};
use crate::form::Form;
use crate::gate::{Ask, Asking, Event, Gate, Origin, Prompt};
use crate::id::{ChatAddress, Claim, Claimant, ConnectionId, PromptId, RunId, SessionKey, SurfaceId, UserId};
use crate::json::{Plain, ToJson, object, piece};
use crate::limits::Limits;
use crate::mirror::{Mirror, Push};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

const ASK: Shape = Shape(&[
    Field("dialect", None),
    Field("session", None),
    Field("run", None),
    Field("request", None),
    Field("asker", None),
]);

/// Reads an ask: `{"dialect": "agent", "request": {…params of agent.ask_user…}, "asker"?}`, or `{"dialect": "session",
/// "session", "run", "request": {"questions": […], "timeout_ms"?}, "asker"?}`. `asker` is a connection.
///
/// # Errors
/// The first fault (spec 3). The path of one in the request is relative to the request; any other is in the ask.
pub fn parse_ask(json: &str, limits: &Limits) -> Result<Ask, RequestError> {
    let mut reader = Reader::default();
    let doc = read(&mut reader, json)?;
    let root = doc.root();
    expect_object(root).map_err(|fault| fault.at(""))?;
    let request = root.get("request");
    if let Some(key) = doc.duplicate() {
        let within = request.filter(|request| request.holds(key)).unwrap_or(root);
        return Err(Fault::new(Code::DuplicateKey, "Give each key once.").at(within.path_to(key).0));
    }
    let mut ask = Fields::new(Some(root));
    ask.check(&ASK)?;
    let dialect = ask.required_text("dialect")?;
    let request = ask.required("request")?;
    ask.at("request", expect_object(request))?;
    let asker = connection(&ask, "asker")?;
    let mut params = Fields::new(Some(request));
    match dialect {
        "agent" => {
            for name in ["session", "run"] {
                if ask.given(name).is_some() {
                    let message = "Leave it out; requests of this dialect belong to no session.";
                    ask.at(name, Err(Fault::new(Code::InvalidValue, message)))?;
                }
            }
            params.check(agent::Method::AskUser.shape())?;
            Ok(ask_user(AskUser::read(&params, limits)?, asker))
        }
        "session" => {
            let session = ask.at("session", SessionKey::new(ask.required_text("session")?, limits))?;
            let run = ask.at("run", RunId::new(ask.required_text("run")?, limits))?;
            params.check(&session::FORM)?;
            let form = session::read_questions(&params, limits)?;
            let timeout_ms = params.timeout()?;
            Ok(Ask { asking: Asking::Session { session, run }, form, timeout_ms, asker })
        }
        _ => ask.at("dialect", Err(Fault::new(Code::InvalidValue, "Give agent or session."))),
    }
}

/// Reads bounds to change: an object with any of the names of [`Limits`]; the others keep their defaults.
///
/// # Errors
/// The first fault, with its path.
pub fn parse_limits(json: &str) -> Result<Limits, RequestError> {
    let mut reader = Reader::default();
    let doc = read(&mut reader, json)?;
    let given = object(&doc)?;
    let fields = Fields::new(Some(given));
    let mut limits = Limits::DEFAULT;
    for (name, _) in given.fields() {
        let unknown = || Fault::new(Code::UnknownField, "Give the name of a limit.");
        let bound = fields.at(name, limits.by_name(name).ok_or_else(unknown))?;
        let most = number(&fields, name)?.unwrap_or(u64::MAX);
        *bound = usize::try_from(most).unwrap_or(usize::MAX);
    }
    Ok(limits)
}

/// The ask of a checked request of dialect A.
#[must_use]
pub fn ask_user(request: AskUser, asker: Option<ConnectionId>) -> Ask {
    let AskUser { surface, agent, form, timeout_ms } = request;
    Ask { asking: Asking::Request { surface, agent }, form, timeout_ms, asker }
}

/// A claim that owns what it names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimRecord {
    prompt: PromptId,
    identity: ClaimIdentity,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum ClaimIdentity {
    Request(Claimant),
    Session { session: Box<str>, run: Box<str>, connection: ConnectionId },
    Chat { session: Box<str>, run: Box<str>, address: ChatAddress },
}

impl ClaimRecord {
    /// Reads a claim: `{"kind": "request", "prompt", "connection"?, "surface"?, "user"?}`, `{"kind": "session", "prompt",
    /// "session", "run", "connection"}` or `{"kind": "chat", "prompt", "session", "run", "address"}`, where an address is
    /// `{"platform", "bot", "chat", "thread"?, "user"}`.
    ///
    /// # Errors
    /// The first fault, with its path in the claim.
    pub fn parse(json: &str, limits: &Limits) -> Result<Self, RequestError> {
        const REQUEST: Shape = Shape(&[
            Field("kind", None),
            Field("prompt", None),
            Field("connection", None),
            Field("surface", None),
            Field("user", None),
        ]);
        const SESSION: Shape = Shape(&[
            Field("kind", None),
            Field("prompt", None),
            Field("session", None),
            Field("run", None),
            Field("connection", None),
        ]);
        const CHAT: Shape = Shape(&[
            Field("kind", None),
            Field("prompt", None),
            Field("session", None),
            Field("run", None),
            Field("address", None),
        ]);
        let mut reader = Reader::default();
        let doc = read(&mut reader, json)?;
        let claim = object(&doc)?;
        let mut fields = Fields::new(Some(claim));
        let kind = fields.required_text("kind")?;
        let shape: &'static Shape = match kind {
            "request" => &REQUEST,
            "session" => &SESSION,
            "chat" => &CHAT,
            _ => {
                let message = "Give request, session or chat.";
                return fields.at("kind", Err(Fault::new(Code::InvalidValue, message)));
            }
        };
        fields.check(shape)?;
        let prompt = number(&fields, "prompt")?.map(PromptId);
        let prompt = prompt.ok_or_else(|| fields.missing("prompt"))?;
        let text = |name| fields.required_text(name).map(Box::from);
        let identity = match kind {
            "request" => ClaimIdentity::Request(Claimant {
                connection: connection(&fields, "connection")?,
                surface: fields
                    .text("surface")?
                    .map(|id| fields.at("surface", SurfaceId::new(id, limits)))
                    .transpose()?,
                user: fields
                    .text("user")?
                    .map(|id| fields.at("user", UserId::new(id, limits)))
                    .transpose()?,
            }),
            "session" => ClaimIdentity::Session {
                session: text("session")?,
                run: text("run")?,
                connection: connection(&fields, "connection")?.ok_or_else(|| fields.missing("connection"))?,
            },
            _ => ClaimIdentity::Chat {
                session: text("session")?,
                run: text("run")?,
                address: read_address(fields.object("address")?)?,
            },
        };
        Ok(Self { prompt, identity })
    }

    /// The claim, for a call of a gate.
    #[must_use]
    pub fn claim(&self) -> Claim<'_> {
        let prompt = self.prompt;
        match &self.identity {
            ClaimIdentity::Request(claimant) => Claim::Request { prompt, claimant: claimant.clone() },
            ClaimIdentity::Session { session, run, connection } => {
                Claim::Session { prompt, session, run, connection: *connection }
            }
            ClaimIdentity::Chat { session, run, address } => Claim::Chat { prompt, session, run, address },
        }
    }
}

/// Reads a chat's address: `{"platform", "bot", "chat", "thread"?, "user"}`.
///
/// # Errors
/// The first fault, with its path in the address.
pub fn parse_address(json: &str) -> Result<ChatAddress, RequestError> {
    let mut reader = Reader::default();
    read_address(Fields::new(Some(object(&read(&mut reader, json)?)?)))
}

fn read_address(mut address: Fields<'_>) -> Result<ChatAddress, RequestError> {
    const ADDRESS: Shape = Shape(&[
        Field("platform", None),
        Field("bot", None),
        Field("chat", None),
        Field("thread", None),
        Field("user", None),
    ]);
    address.check(&ADDRESS)?;
    let text = |name| address.required_text(name).map(Box::from);
    Ok(ChatAddress {
        platform: text("platform")?,
        bot: text("bot")?,
        chat: text("chat")?,
        thread: address.text("thread")?.map(Box::from),
        user: text("user")?,
    })
}

/// A chat's address: `{"platform", "bot", "chat", "thread"?, "user"}`.
#[derive(Debug, Clone, Copy)]
pub struct AddressJson<'a>(pub &'a ChatAddress);

impl ToJson for AddressJson<'_> {
    fn write_json(&self, out: &mut String) {
        let ChatAddress { platform, bot, chat, thread, user } = self.0;
        object!(out, "platform": platform, "bot": bot, "chat": chat, "thread"?: thread, "user": user);
    }
}

/// A resolution that owns what it says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResolutionRecord(Say);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Say {
    Value(Box<str>),
    Answers(Vec<AnswerDraft<'static>>),
    Decline,
    Cancel(Option<Box<str>>),
}

impl ResolutionRecord {
    /// Reads a resolution: `{"value": "yes"}` (dialect A), `{"answers": [{"id", "selected"?, "custom"?}]}` (B), `"decline"`,
    /// `"cancel"` or `{"cancel": "reason"}`.
    ///
    /// # Errors
    /// The first fault, with its path. Whether an answer fits its prompt is for the gate to say.
    pub fn parse(json: &str, limits: &Limits) -> Result<Self, RequestError> {
        const RESOLUTION: Shape =
            Shape(&[Field("value", None), Field("answers", Some(&ANSWER)), Field("cancel", None)]);
        let wrong = || {
            let message = "Give one of value, answers and cancel, or the word decline or cancel.";
            Fault::new(Code::InvalidValue, message).at("")
        };
        let mut reader = Reader::default();
        let doc = read(&mut reader, json)?;
        match doc.root().text() {
            Some("decline") => return Ok(Self(Say::Decline)),
            Some("cancel") => return Ok(Self(Say::Cancel(None))),
            Some(_) => return Err(wrong()),
            None => {}
        }
        let resolution = object(&doc)?;
        let mut fields = Fields::new(Some(resolution));
        fields.check(&RESOLUTION)?;
        let given = ["value", "answers", "cancel"].map(|name| fields.given(name).is_some());
        Ok(Self(match given {
            [true, false, false] => Say::Value(fields.required_text("value")?.into()),
            [false, true, false] => {
                // How long a text may be is checked by the gate, after the identity.
                let answers = session::read_answers(&fields, fields.required_list("answers")?, usize::MAX)?;
                Say::Answers(answers.into_iter().map(AnswerDraft::into_owned).collect())
            }
            [false, false, true] => {
                Say::Cancel(fields.bounded_text("cancel", limits.reason_bytes)?.map(Box::from))
            }
            [_, _, _] => return Err(wrong()),
        }))
    }

    /// The resolution, for [`Gate::resolve`].
    #[must_use]
    pub fn resolution(&self) -> Resolution<'_> {
        match &self.0 {
            Say::Value(value) => Resolution::Answer(Draft::Value(value)),
            Say::Answers(answers) => Resolution::Answer(Draft::Answers(answers)),
            Say::Decline => Resolution::Decline,
            Say::Cancel(reason) => Resolution::Cancel(reason.clone()),
        }
    }
}

const ANSWER: Shape = Shape(&[Field("id", None), Field("selected", None), Field("custom", None)]);

/// Reads the answers to a prompt of dialect B, for [`Resolution::Answer`]: `[{"id", "selected"?, "custom"?}]`.
///
/// # Errors
/// The first fault, with its path as if the list stood in `answers`. Whether the answers fit is for the gate to say.
pub fn parse_answers(json: &str) -> Result<Vec<AnswerDraft<'static>>, RequestError> {
    let mut reader = Reader::default();
    let list = read(&mut reader, json)?;
    let answers = read_answer_list(&list).map_err(|error| error.within("/answers"))?;
    Ok(answers.into_iter().map(AnswerDraft::into_owned).collect())
}

fn read_answer_list<'d>(doc: &'d Doc<'d>) -> Result<Vec<AnswerDraft<'d>>, RequestError> {
    let list = doc.root();
    if let Some(key) = doc.duplicate() {
        return Err(Fault::new(Code::DuplicateKey, "Give each key once.").at(list.path_to(key).0));
    }
    if list.kind() != Type::Array {
        return Err(Fault::new(Code::WrongType, "Give a list of answers.").at(""));
    }
    let fields = Fields::new(Some(list));
    for item in list.items() {
        fields.item(item)?.check(&ANSWER)?;
    }
    session::read_answers(&fields, list, usize::MAX)
}

/// What a page needs of a prompt to show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ShownPrompt {
    /// A prompt of dialect A.
    Request(AskUser),
    /// A prompt of dialect B.
    Session {
        /// What is asked.
        form: Form,
        /// In how many milliseconds it times out.
        timeout_ms: Option<u64>,
    },
}

impl ShownPrompt {
    /// Reads a prompt as a surface gets it: an `AskUserRequest`, or the params of `session.prompt.requested`, which are told
    /// apart by `questions`. What the gate's side adds to the request (ids and times) may be absent.
    ///
    /// # Errors
    /// The first fault (spec 3), with its path in the prompt.
    pub fn parse(json: &str, limits: &Limits) -> Result<Self, RequestError> {
        let mut reader = Reader::default();
        let doc = read(&mut reader, json)?;
        let prompt = object(&doc)?;
        let mut fields = Fields::new(Some(prompt));
        if fields.given("questions").is_none() {
            fields.check(&agent::SHOWN)?;
            return AskUser::read(&fields, limits).map(Self::Request);
        }
        fields.check(&session::SHOWN)?;
        let form = session::read_questions(&fields, limits)?;
        Ok(Self::Session { form, timeout_ms: fields.timeout()? })
    }
}

/// An event: `{"shown": {"seq", "prompt"}}`, `{"resolved": {"seq", "prompt", "outcome", "answers"?, "reason"?}}` or
/// `{"available": [session, run or null], "is"}`. `answers` is `[{"id", "selected", "custom"?}]`, or for a prompt of
/// dialect A the value as a string.
#[derive(Debug, Clone, Copy)]
pub struct EventJson<'e>(pub &'e Event);

impl ToJson for EventJson<'_> {
    fn write_json(&self, out: &mut String) {
        match self.0 {
            Event::Shown { seq, prompt } => {
                piece(out, "{\"shown\":");
                object!(out, "seq": seq, "prompt": prompt.0);
                piece(out, "}");
            }
            Event::Resolved { seq, prompt, outcome } => {
                let answered = matches!(outcome, Outcome::Answered(_));
                piece(out, "{\"resolved\":");
                object!(
                    out,
                    "seq": seq,
                    "prompt": prompt.id().0,
                    "outcome": Plain(outcome.kind().as_str()),
                    "answers"?: answered.then_some(AnswersJson { prompt, outcome }),
                    "reason"?: cancel_reason(outcome),
                );
                piece(out, "}");
            }
            Event::Availability { session, run, available } => {
                object!(out, "available": (session.as_str(), run.as_deref()), "is": available);
            }
        }
    }
}

/// Why a prompt was cancelled, where it was and somebody said why.
#[must_use]
pub fn cancel_reason(outcome: &Outcome) -> Option<&str> {
    match outcome {
        Outcome::Cancelled(reason) => reason.as_ref().map(CancelReason::as_str),
        Outcome::Answered(_)
        | Outcome::Declined
        | Outcome::TimedOut
        | Outcome::Unavailable
        | Outcome::Invalid => None,
    }
}

/// What a person answered, as the prompt's dialect sends it: dialect A's value as a string, dialect B's
/// `[{"id", "selected", "custom"?}]`, and null for any other end.
#[derive(Debug, Clone, Copy)]
pub struct AnswersJson<'e> {
    /// The prompt.
    pub prompt: &'e Prompt,
    /// How it ended.
    pub outcome: &'e Outcome,
}

impl ToJson for AnswersJson<'_> {
    fn write_json(&self, out: &mut String) {
        let Outcome::Answered(answers) = self.outcome else { return piece(out, "null") };
        let form = self.prompt.form();
        match self.prompt.origin() {
            Origin::Request { .. } => {
                let answer = form.question(0).zip(answers.as_slice().first());
                answer.map(|(question, answer)| agent::value_of(question, answer)).write_json(out);
            }
            Origin::Session { .. } => Results { form, answers }.write_json(out),
        }
    }
}

/// A pending prompt: dialect A's `AskUserRequest`, or the params of dialect B's `session.prompt.requested` without `seq`.
#[derive(Debug, Clone, Copy)]
pub struct PromptJson<'p>(pub &'p Prompt);

impl ToJson for PromptJson<'_> {
    fn write_json(&self, out: &mut String) {
        match self.0.origin() {
            Origin::Request { .. } => AskUserRequest(self.0).write_json(out),
            Origin::Session { .. } => RequestedParams { seq: None, prompt: self.0 }.write_json(out),
        }
    }
}

/// Why a call on a prompt was refused: `{"error": "code"}`, with `field` for a claim that does not match, `outcome` where
/// the prompt has ended, and `path` for an answer that does not fit.
#[derive(Debug, Clone, Copy)]
pub struct RefusalJson<'e>(pub &'e ResolveError);

impl ToJson for RefusalJson<'_> {
    fn write_json(&self, out: &mut String) {
        let (mut field, mut outcome, mut path) = (None, None, None);
        match self.0 {
            ResolveError::Mismatch(differs) => field = Some(Plain(differs.as_str())),
            ResolveError::AlreadyResolved { outcome: ended, .. } => outcome = Some(Plain(ended.as_str())),
            ResolveError::InvalidAnswer(error) if error.code() == Code::InvalidAnswer => {
                path = Some(error.path());
            }
            ResolveError::InvalidAnswer(_)
            | ResolveError::NotFound
            | ResolveError::NotAcknowledged
            | ResolveError::NotACommand => {}
        }
        let code = self.0.code().as_str();
        object!(out, "error": Plain(code), "field"?: field, "outcome"?: outcome, "path"?: path);
    }
}

/// What is pending in a gate: `{"seq", "pending": [numbers of prompts]}`.
#[derive(Debug, Clone, Copy)]
pub struct SnapshotJson<'g>(pub &'g Gate);

impl ToJson for SnapshotJson<'_> {
    fn write_json(&self, out: &mut String) {
        let (seq, pending) = self.0.snapshot();
        let pending: Vec<u64> = pending.map(|prompt| prompt.id().0).collect();
        object!(out, "seq": seq, "pending": pending);
    }
}

/// A mirror that holds each prompt as the JSON of its `AskUserRequest`.
pub type PageMirror = Mirror<Box<str>>;

/// Gives a mirror the params of an `askUserEvent`: of kind `shown`, `resolved` or `snapshot`. Fields that are not known are
/// left alone, so that an older page can follow a newer host.
///
/// # Errors
/// The first fault, with its path in the params; the mirror is as it was.
pub fn apply_push(mirror: &mut PageMirror, params: &str) -> Result<(), RequestError> {
    let mut reader = Reader::default();
    let doc = read(&mut reader, params)?;
    let push = Fields::new(Some(object(&doc)?));
    let kind = push.required_text("kind")?;
    let seq = number(&push, "seq")?.ok_or_else(|| push.missing("seq"))?;
    match kind {
        "shown" => {
            let (prompt, surface, content) = mirrored(&push.object("request")?)?;
            mirror.apply(Push::Shown { seq, prompt, surface, content });
        }
        "resolved" => mirror.apply(Push::Resolved { seq, prompt: request_id(&push)? }),
        "snapshot" => {
            let pending = push.required_list("pending")?;
            let read = |item| mirrored(&push.item(item)?);
            let pending: Vec<_> = pending.items().map(read).collect::<Result<_, _>>()?;
            mirror.snapshot(seq, pending);
        }
        _ => {
            let message = "Give shown, resolved or snapshot.";
            return push.at("kind", Err(Fault::new(Code::InvalidValue, message)));
        }
    }
    Ok(())
}

fn mirrored(request: &Fields<'_>) -> Result<(PromptId, Box<str>, Box<str>), RequestError> {
    let prompt = request_id(request)?;
    let surface = request.required_text("surface_id")?;
    Ok((prompt, surface.into(), request.to_json().into_boxed_str()))
}

fn request_id(fields: &Fields<'_>) -> Result<PromptId, RequestError> {
    let id = agent::prompt_id(fields.required_text("request_id")?);
    fields.at("request_id", id.ok_or_else(|| Fault::new(Code::InvalidValue, "Give an id such as req:12.")))
}

fn read<'d>(reader: &'d mut Reader, json: &'d str) -> Result<Doc<'d>, RequestError> {
    reader.read(json).map_err(|fault| fault.at(""))
}

/// The object that a text is, without duplicate keys.
fn object<'d>(doc: &'d Doc<'d>) -> Result<Node<'d>, RequestError> {
    super::without_duplicates(doc)
}

fn connection(fields: &Fields<'_>, name: &str) -> Result<Option<ConnectionId>, RequestError> {
    Ok(number(fields, name)?.map(ConnectionId))
}

/// A whole number, or its digits as a string.
fn number(fields: &Fields<'_>, name: &str) -> Result<Option<u64>, RequestError> {
    let Some(node) = fields.given(name) else { return Ok(None) };
    let message = "Give a whole number, or its digits as a string.";
    let fault = match node.kind() {
        Type::Number => node.whole().ok_or(Code::InvalidValue),
        Type::Text => node.text().and_then(|digits| super::numbered(digits, "")).ok_or(Code::InvalidValue),
        Type::Null | Type::Bool | Type::Array | Type::Object => Err(Code::WrongType),
    };
    fields.at(name, fault.map_err(|code| Fault::new(code, message))).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::{Config, Poll};
    use crate::json::to_json;
    use crate::time::Millis;

    const LIMITS: &Limits = &Limits::DEFAULT;

    fn events(gate: &mut Gate) -> Vec<String> {
        let mut events = Vec::new();
        while let Poll::Event(event) = gate.poll(Millis(0)) {
            events.push(to_json(&EventJson(&event)));
        }
        events
    }

    fn fault<T>(result: Result<T, RequestError>) -> (Code, String) {
        let error = result.err().unwrap();
        (error.code(), error.path().into())
    }

    #[test]
    fn an_agent_prompt_is_asked_shown_and_answered() {
        let mut gate = Gate::default();
        let ask = r#"{"dialect":"agent","request":{"surface_id":"s","kind":"choice","title":"Where?","choices":[{"id":"a"}]},"asker":7}"#;
        let ask = parse_ask(ask, LIMITS).unwrap();
        assert_eq!(ask.asker, Some(ConnectionId(7)));
        let prompt = gate.ask(Millis(0), ask).unwrap();
        assert_eq!(
            to_json(&PromptJson(gate.get(prompt).unwrap())),
            r#"{"request_id":"req:1","surface_id":"s","kind":"choice","title":"Where?","choices":[{"id":"a","label":"a"}],"created_at":0}"#
        );
        assert_eq!(to_json(&SnapshotJson(&gate)), r#"{"seq":1,"pending":[1]}"#);
        let claim = ClaimRecord::parse(r#"{"kind":"request","prompt":1,"surface":"s"}"#, LIMITS).unwrap();
        let wrong = ResolutionRecord::parse(r#"{"value":"b"}"#, LIMITS).unwrap();
        let refused = gate.resolve(Millis(0), &claim.claim(), wrong.resolution()).unwrap_err();
        assert_eq!(to_json(&RefusalJson(&refused)), r#"{"error":"invalid_answer","path":"/value"}"#);
        let right = ResolutionRecord::parse(r#"{"value":"a"}"#, LIMITS).unwrap();
        gate.resolve(Millis(0), &claim.claim(), right.resolution()).unwrap();
        let late = gate.resolve(Millis(0), &claim.claim(), Resolution::Decline).unwrap_err();
        assert_eq!(to_json(&RefusalJson(&late)), r#"{"error":"already_resolved","outcome":"answered"}"#);
        assert_eq!(
            events(&mut gate),
            [
                r#"{"shown":{"seq":1,"prompt":1}}"#,
                r#"{"resolved":{"seq":2,"prompt":1,"outcome":"answered","answers":"a"}}"#
            ]
        );
    }

    #[test]
    fn a_session_prompt_is_asked_shown_and_answered() {
        let mut gate = Gate::new(Config { first_prompt_id: 5, ..Config::default() });
        gate.bind(Millis(0), SessionKey::new("s", LIMITS).unwrap(), ConnectionId(2));
        let ask = r#"{"dialect":"session","session":"s","run":"r","request":{"questions":[{"id":"q","question":"Why?","options":[]}]}}"#;
        let prompt = gate.ask(Millis(0), parse_ask(ask, LIMITS).unwrap()).unwrap();
        assert_eq!(
            to_json(&PromptJson(gate.get(prompt).unwrap())),
            r#"{"prompt_id":"prompt:5","session_key":"s","run_id":"r","questions":[{"id":"q","question":"Why?","options":[]}],"created_at":0}"#
        );
        let other = r#"{"kind":"session","prompt":"5","session":"s","run":"r","connection":3}"#;
        let other = ClaimRecord::parse(other, LIMITS).unwrap();
        let refused = gate.resolve(Millis(0), &other.claim(), Resolution::Decline).unwrap_err();
        assert_eq!(to_json(&RefusalJson(&refused)), r#"{"error":"not_found","field":"connection"}"#);
        let own = r#"{"kind":"session","prompt":5,"session":"s","run":"r","connection":2}"#;
        let own = ClaimRecord::parse(own, LIMITS).unwrap();
        let answers = ResolutionRecord::parse(r#"{"answers":[{"id":"q","custom":"so"}]}"#, LIMITS).unwrap();
        gate.resolve(Millis(0), &own.claim(), answers.resolution()).unwrap();
        assert_eq!(
            events(&mut gate),
            [
                r#"{"available":["s",null],"is":true}"#,
                r#"{"shown":{"seq":1,"prompt":5}}"#,
                r#"{"resolved":{"seq":2,"prompt":5,"outcome":"answered","answers":[{"id":"q","selected":[],"custom":"so"}]}}"#
            ]
        );
    }

    #[test]
    fn faults_have_their_place() {
        let request = r#"{"surface_id":"s","kind":"yesno","title":"Go?","titel":1}"#;
        let ask = alloc::format!(r#"{{"dialect":"agent","request":{request}}}"#);
        assert_eq!(fault(parse_ask(&ask, LIMITS)), (Code::UnknownField, "/titel".into()));
        assert_eq!(fault(parse_ask("[]", LIMITS)), (Code::WrongType, "".into()));
        let twice = r#"{"dialect":"agent","request":{"kind":1,"kind":2}}"#;
        assert_eq!(fault(parse_ask(twice, LIMITS)), (Code::DuplicateKey, "/kind".into()));
        let claim =
            r#"{"kind":"chat","prompt":1,"session":"s","run":"r","address":{"platform":"t","bot":1}}"#;
        assert_eq!(fault(ClaimRecord::parse(claim, LIMITS)), (Code::WrongType, "/address/bot".into()));
        let claim = r#"{"kind":"request","prompt":1.5}"#;
        assert_eq!(fault(ClaimRecord::parse(claim, LIMITS)), (Code::InvalidValue, "/prompt".into()));
        let answers = r#"[{"id":"q"},{"id":"r","selectd":[]}]"#;
        assert_eq!(fault(parse_answers(answers)), (Code::UnknownField, "/answers/1/selectd".into()));
        assert_eq!(fault(parse_answers("{}")), (Code::WrongType, "/answers".into()));
        let both = r#"{"value":"yes","cancel":"no"}"#;
        assert_eq!(fault(ResolutionRecord::parse(both, LIMITS)), (Code::InvalidValue, "".into()));
    }

    #[test]
    fn a_prompt_is_read_as_its_surface_gets_it() {
        let request =
            r#"{"request_id":"req:1","surface_id":"s","kind":"yesno","title":"Go?","created_at":9}"#;
        assert!(matches!(ShownPrompt::parse(request, LIMITS), Ok(ShownPrompt::Request(_))));
        let form = r#"{"seq":1,"prompt_id":"prompt:1","session_key":"s","run_id":"r","questions":[{"id":"q","question":"Why?","options":[]}],"created_at":9,"timeout_ms":5}"#;
        let Ok(ShownPrompt::Session { timeout_ms, .. }) = ShownPrompt::parse(form, LIMITS) else { panic!() };
        assert_eq!(timeout_ms, Some(5));
    }

    #[test]
    fn a_mirror_follows_pushes() {
        let mut mirror = PageMirror::new();
        let request = r#"{"request_id":"req:3","surface_id":"s","kind":"text","title":"\"Why\"?","timeout_ms":1.5,"new":[null,true,-1]}"#;
        let shown = alloc::format!(r#"{{"kind":"shown","seq":4,"request":{request}}}"#);
        apply_push(&mut mirror, &shown).unwrap();
        assert_eq!(mirror.head("s").map(|(id, json)| (id, &**json)), Some((PromptId(3), request)));
        let resolved = r#"{"kind":"resolved","seq":5,"request_id":"req:3","response":{}}"#;
        apply_push(&mut mirror, resolved).unwrap();
        apply_push(&mut mirror, &shown).unwrap();
        assert!(mirror.is_empty());
        let snapshot = alloc::format!(r#"{{"kind":"snapshot","seq":9,"pending":[{request},{{}}]}}"#);
        let missing = apply_push(&mut mirror, &snapshot);
        assert_eq!(fault(missing), (Code::MissingField, "/pending/1/request_id".into()));
    }
}
