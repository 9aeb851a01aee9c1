//! Dialect A's messages as a client sees them.

use askgate::answer::OutcomeKind;
use askgate::dialect::agent::AskUser;
use askgate::id::PromptId;
use askgate::json::{ToJson, to_json};
use askgate::limits::Limits;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use std::time::{SystemTime, UNIX_EPOCH};

/// A request line, without its end.
pub(crate) fn request(id: u64, method: &str, params: &Value) -> String {
    serde_json::json!({ "id": id, "method": method, "params": params }).to_string()
}

/// A value of the library's in a message of ours.
pub(crate) fn value(value: &impl ToJson) -> Value {
    serde_json::from_str(&to_json(value)).unwrap_or_default()
}

/// A reply or a push.
#[derive(Debug, Deserialize)]
pub(crate) struct Message {
    /// Of the request that is replied to; the client numbers them.
    pub(crate) id: Option<u64>,
    /// The result as it came.
    pub(crate) result: Option<Box<RawValue>>,
    /// `code: path: sentence`.
    pub(crate) error: Option<String>,
    /// Of a push.
    pub(crate) params: Option<Push>,
}

impl Message {
    /// A line that is none of dialect A's messages is `None`.
    pub(crate) fn read(line: &[u8]) -> Option<Self> {
        serde_json::from_slice(line).ok()
    }
}

/// The params of `askUserEvent`.
#[derive(Debug, Deserialize)]
pub(crate) struct Push {
    /// The event's number.
    pub(crate) seq: u64,
    /// With `kind: shown`.
    pub(crate) request: Option<Box<RawValue>>,
    /// With `kind: resolved`.
    pub(crate) response: Option<Response>,
}

/// How a prompt ended.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Response {
    /// The prompt.
    pub(crate) request_id: String,
    /// Which end it is.
    pub(crate) action: Action,
    /// The answer.
    pub(crate) value: Option<String>,
    /// Why it was cancelled, if somebody said.
    pub(crate) reason: Option<String>,
}

/// The actions of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Action {
    Ok,
    Cancel,
    Timeout,
}

impl Action {
    /// The end that it stands for. More than one stands behind a cancel.
    pub(crate) const fn outcome(self) -> OutcomeKind {
        match self {
            Self::Ok => OutcomeKind::Answered,
            Self::Cancel => OutcomeKind::Cancelled,
            Self::Timeout => OutcomeKind::TimedOut,
        }
    }
}

/// A prompt that waits.
#[derive(Debug)]
pub(crate) struct Pending {
    /// As it stands on the wire, `req:N`.
    pub(crate) id: String,
    /// What is asked, by whom and where.
    pub(crate) ask: AskUser,
    /// When it was asked, in milliseconds since the Unix epoch.
    pub(crate) created_at: u64,
}

impl Pending {
    /// Reads an `AskUserRequest`: the params given, with an id and a time.
    pub(crate) fn read(request: &str) -> Option<Self> {
        let Value::Object(mut params) = serde_json::from_str(request).ok()? else { return None };
        let id = params.remove("request_id")?.as_str()?.to_owned();
        let created_at = params.remove("created_at")?.as_u64()?;
        let ask = AskUser::parse(&Value::Object(params).to_string(), &Limits::DEFAULT).ok()?;
        Some(Self { id, ask, created_at })
    }
}

impl Pending {
    /// In how many milliseconds it times out.
    pub(crate) fn time_left(&self) -> Option<u64> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let age = u64::try_from(now.as_millis()).unwrap_or(u64::MAX).saturating_sub(self.created_at);
        self.ask.timeout_ms.map(|timeout| timeout.saturating_sub(age))
    }
}

/// The number in `req:N`.
pub(crate) fn prompt_id(id: &str) -> Option<PromptId> {
    id.strip_prefix("req:")?.parse().ok().map(PromptId)
}

/// The result of `agent.ask_answer` and `agent.ask_cancel`.
#[derive(Debug, Deserialize)]
pub(crate) struct Resolved {
    pub(crate) resolved: bool,
}

/// The result of `agent.ask_acknowledge` and `agent.ask_back`.
#[derive(Debug, Deserialize)]
pub(crate) struct Acknowledged {
    pub(crate) acknowledged: bool,
}

/// The result of `agent.ask_pending`.
#[derive(Debug, Deserialize)]
pub(crate) struct PendingList {
    pub(crate) pending: Vec<Box<RawValue>>,
}
