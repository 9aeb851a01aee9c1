//! The forms that wait on a terminal which is an operator's surface: dialect B's messages as such a surface sees them.

use crate::prompt::Step;
use askgate::answer::OutcomeKind;
use askgate::dialect::session::parse_questions;
use askgate::form::Form;
use askgate::id::PromptId;
use askgate::limits::Limits;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::{SystemTime, UNIX_EPOCH};

/// A form that waits.
#[derive(Debug)]
pub(crate) struct Waiting {
    session: String,
    run: String,
    /// What is asked.
    pub(crate) form: Form,
    /// When it was asked, in milliseconds since the Unix epoch.
    created_at: u64,
    timeout_ms: Option<u64>,
}

impl Waiting {
    /// In how many milliseconds it times out.
    pub(crate) fn time_left(&self) -> Option<u64> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let age = u64::try_from(now.as_millis()).unwrap_or(u64::MAX).saturating_sub(self.created_at);
        self.timeout_ms.map(|timeout| timeout.saturating_sub(age))
    }
}

/// What a push says.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum News {
    /// One more form waits.
    Asked,
    /// A form has ended.
    Ended(PromptId, OutcomeKind),
}

/// The forms that wait, in ask order.
#[derive(Debug, Default)]
pub(crate) struct Forms(BTreeMap<PromptId, Waiting>);

#[derive(Deserialize)]
#[serde(tag = "method", content = "params")]
enum Push<'a> {
    #[serde(rename = "session.prompt.requested", borrow)]
    Requested(Requested<'a>),
    #[serde(rename = "session.prompt.resolved")]
    Resolved(Resolved),
}

#[derive(Deserialize)]
struct Requested<'a> {
    prompt_id: String,
    session_key: String,
    run_id: String,
    #[serde(borrow)]
    questions: &'a RawValue,
    created_at: u64,
    timeout_ms: Option<u64>,
}

#[derive(Deserialize)]
struct Resolved {
    prompt_id: String,
    status: String,
}

impl Forms {
    /// Takes a line; `None` if it is no push of dialect B.
    pub(crate) fn take(&mut self, line: &str) -> Option<News> {
        match serde_json::from_str(line).ok()? {
            Push::Requested(push) => {
                let questions = format!(r#"{{"questions":{}}}"#, push.questions);
                let (form, _) = parse_questions(&questions, &Limits::DEFAULT).ok()?;
                let waiting = Waiting {
                    session: push.session_key,
                    run: push.run_id,
                    form,
                    created_at: push.created_at,
                    timeout_ms: push.timeout_ms,
                };
                self.0.insert(prompt_id(&push.prompt_id)?, waiting);
                Some(News::Asked)
            }
            Push::Resolved(push) => {
                let prompt = prompt_id(&push.prompt_id)?;
                self.0.remove(&prompt);
                Some(News::Ended(prompt, outcome(&push.status)?))
            }
        }
    }

    /// The form that has waited longest.
    pub(crate) fn first(&self) -> Option<(PromptId, &Waiting)> {
        self.0.first_key_value().map(|(prompt, waiting)| (*prompt, waiting))
    }

    /// The params of `sessions.prompt.resolve` for what the person did with a form, if that ends it.
    pub(crate) fn resolve(&self, prompt: PromptId, step: &Step) -> Option<Value> {
        let Waiting { session, run, .. } = self.0.get(&prompt)?;
        let (action, answers) = match step {
            Step::Answer(answers) => ("answer", Some(answers)),
            Step::Decline => ("decline", None),
            Step::Cancel => ("cancel", None),
            Step::Acknowledge | Step::Back | Step::NextSurface | Step::Quit | Step::Lost => return None,
        };
        let id = format!("prompt:{prompt}");
        let mut params = json!({ "session_key": session, "run_id": run, "prompt_id": id, "action": action });
        if let (Some(answers), Some(params)) = (answers, params.as_object_mut()) {
            params.insert("answers".into(), crate::wire::value(answers));
        }
        Some(params)
    }
}

/// The number in `prompt:N`.
fn prompt_id(id: &str) -> Option<PromptId> {
    id.strip_prefix("prompt:")?.parse().ok().map(PromptId)
}

fn outcome(status: &str) -> Option<OutcomeKind> {
    [
        OutcomeKind::Answered,
        OutcomeKind::Declined,
        OutcomeKind::Cancelled,
        OutcomeKind::TimedOut,
        OutcomeKind::Unavailable,
        OutcomeKind::Invalid,
    ]
    .into_iter()
    .find(|kind| kind.as_str() == status)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn requested(prompt: u64) -> String {
        let questions = r#"[{"id":"q","question":"Which?","options":[{"label":"a"}],"recommended":0}]"#;
        format!(
            r#"{{"method":"session.prompt.requested","params":{{"seq":1,"prompt_id":"prompt:{prompt}","session_key":"s","run_id":"r","questions":{questions},"created_at":0,"timeout_ms":5}}}}"#
        )
    }

    #[test]
    fn forms_wait_in_ask_order_until_they_end() {
        let mut forms = Forms::default();
        for prompt in [10, 9] {
            assert_eq!(forms.take(&requested(prompt)), Some(News::Asked));
        }
        let (first, waiting) = forms.first().unwrap();
        assert_eq!((first, waiting.time_left()), (PromptId(9), Some(0)));
        let ended = r#"{"method":"session.prompt.resolved","params":{"seq":3,"prompt_id":"prompt:9","session_key":"s","run_id":"r","status":"timed_out"}}"#;
        assert_eq!(forms.take(ended), Some(News::Ended(PromptId(9), OutcomeKind::TimedOut)));
        assert_eq!(forms.first().map(|(prompt, _)| prompt), Some(PromptId(10)));
        assert_eq!(forms.take(r#"{"id":1,"result":{"resolved":true}}"#), None);
        assert_eq!(forms.take(r#"{"method":"askUserEvent","params":{"seq":1}}"#), None);
    }

    #[test]
    fn only_what_ends_a_form_is_sent_and_a_quit_is_no_decline() {
        let mut forms = Forms::default();
        forms.take(&requested(7));
        let params = |action: &str| {
            Some(json!({ "session_key": "s", "run_id": "r", "prompt_id": "prompt:7", "action": action }))
        };
        assert_eq!(forms.resolve(PromptId(7), &Step::Decline), params("decline"));
        assert_eq!(forms.resolve(PromptId(7), &Step::Cancel), params("cancel"));
        for step in [Step::Quit, Step::Lost, Step::Back, Step::NextSurface] {
            assert_eq!(forms.resolve(PromptId(7), &step), None);
        }
        assert_eq!(forms.resolve(PromptId(8), &Step::Decline), None);
    }
}
