//! What a router takes and gives as JSON, for bindings that pass text and mirror no Rust types.

use super::{Audience, Effect, Failure, Handled, Report};
use crate::dialect::json::{Node, Reader, Type};
use crate::dialect::read::{Field, Fields, Shape};
use crate::error::{Code, Fault, RequestError};
use crate::json::{Plain, ToJson, object};
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// Reads the chats that a prompt of dialect A is shown in: `[{"chat", "thread"?, "users": […]}]`, all texts.
///
/// # Errors
/// The first fault, with its path as if the list stood in `audiences`.
pub fn parse_audiences(json: &str) -> Result<Vec<Audience>, RequestError> {
    read_audiences(json).map_err(|error| error.within("/audiences"))
}

fn read_audiences(json: &str) -> Result<Vec<Audience>, RequestError> {
    const AUDIENCE: Shape = Shape(&[Field("chat", None), Field("thread", None), Field("users", None)]);
    let mut reader = Reader::default();
    let doc = reader.read(json).map_err(|fault| fault.at(""))?;
    let list = doc.root();
    if let Some(key) = doc.duplicate() {
        return Err(Fault::new(Code::DuplicateKey, "Give each key once.").at(list.path_to(key).0));
    }
    if list.kind() != Type::Array {
        return Err(Fault::new(Code::WrongType, "Give a list of audiences.").at(""));
    }
    let root = Fields::new(Some(list));
    let audience = |item: Node<'_>| {
        let mut audience = root.item(item)?;
        audience.check(&AUDIENCE)?;
        let user = |(index, user): (usize, Node<'_>)| {
            user.text().map(Box::from).ok_or_else(|| {
                let fault = Fault::new(Code::WrongType, "Give the id of a user as a string.");
                fault.at(audience.path("users").index(index).0)
            })
        };
        Ok(Audience {
            chat: audience.required_text("chat")?.into(),
            thread: audience.text("thread")?.map(Box::from),
            users: audience
                .required_list("users")?
                .items()
                .enumerate()
                .map(user)
                .collect::<Result<_, _>>()?,
        })
    };
    list.items().map(audience).collect()
}

/// What a router made of an update: `{"type", "reason"?}`, where `type` is [`Handled::as_str`].
#[derive(Debug, Clone, Copy)]
pub struct HandledJson(pub Handled);

impl ToJson for HandledJson {
    fn write_json(&self, out: &mut String) {
        let reason = match self.0 {
            Handled::Refused(why) | Handled::Hint(why) => Some(why),
            Handled::Taken
            | Handled::Expired
            | Handled::NotForYou
            | Handled::Duplicate
            | Handled::Captured
            | Handled::NotCaptured
            | Handled::Lost
            | Handled::Ignored => None,
        };
        object!(out, "type": Plain(self.0.as_str()), "reason"?: reason);
    }
}

/// An effect: `{"type", "id", "method", "path", "body"}`, where `type` is [`EffectKind::as_str`](super::EffectKind::as_str),
/// the id a text of digits, and the body the JSON to send, as a text.
#[derive(Debug, Clone, Copy)]
pub struct EffectJson<'e>(pub &'e Effect);

impl ToJson for EffectJson<'_> {
    fn write_json(&self, out: &mut String) {
        let Effect { id, kind, method, path, body } = self.0;
        let id = id.0.to_string();
        object!(out, "type": Plain(kind.as_str()), "id": id, "method": Plain(method), "path": path, "body": body);
    }
}

/// How an answer of the platform was understood: `{"type", "after_ms"?}`, where `type` is `done`, `benign`, `retry`, `gone`,
/// `lost` or `rejected`.
#[derive(Debug, Clone, Copy)]
pub struct ReportJson<'r>(pub &'r Report<'r>);

impl ToJson for ReportJson<'_> {
    fn write_json(&self, out: &mut String) {
        let (kind, after_ms) = match self.0 {
            Report::Done { .. } => ("done", None),
            Report::Failed(Failure::Benign) => ("benign", None),
            Report::Failed(Failure::Retry { after_ms }) => ("retry", *after_ms),
            Report::Failed(Failure::Gone) => ("gone", None),
            Report::Failed(Failure::Lost) => ("lost", None),
            Report::Failed(Failure::Rejected) => ("rejected", None),
        };
        object!(out, "type": Plain(kind), "after_ms"?: after_ms);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::to_json;

    #[test]
    fn audiences_are_read_and_faults_say_where() {
        let read =
            parse_audiences(r#"[{"chat":"-100","users":["5","6"]},{"chat":"7","thread":"8","users":[]}]"#);
        let audience = |chat: &str, thread: Option<&str>, users: &[&str]| Audience {
            chat: chat.into(),
            thread: thread.map(Box::from),
            users: users.iter().map(|user| (*user).into()).collect(),
        };
        assert_eq!(read.unwrap(), [audience("-100", None, &["5", "6"]), audience("7", Some("8"), &[])]);
        let fault = |json: &str| {
            let error = parse_audiences(json).unwrap_err();
            (error.code(), String::from(error.path()))
        };
        assert_eq!(fault("{}"), (Code::WrongType, "/audiences".into()));
        assert_eq!(fault("["), (Code::ParseError, "/audiences".into()));
        assert_eq!(fault("[7]"), (Code::WrongType, "/audiences/0".into()));
        assert_eq!(fault(r#"[{"chat":"1"}]"#), (Code::MissingField, "/audiences/0/users".into()));
        assert_eq!(
            fault(r#"[{"chat":"1","users":["2",3]}]"#),
            (Code::WrongType, "/audiences/0/users/1".into())
        );
        assert_eq!(
            fault(r#"[{"chat":"1","users":[],"user":"2"}]"#),
            (Code::UnknownField, "/audiences/0/user".into())
        );
        assert_eq!(
            fault(r#"[{"chat":"1","chat":"2","users":[]}]"#),
            (Code::DuplicateKey, "/audiences/0/chat".into())
        );
    }

    #[test]
    fn what_a_router_gives_is_written() {
        assert_eq!(to_json(&HandledJson(Handled::NotForYou)), r#"{"type":"not_for_you"}"#);
        assert_eq!(to_json(&HandledJson(Handled::Hint("Why."))), r#"{"type":"hint","reason":"Why."}"#);
        let retry = Report::Failed(Failure::Retry { after_ms: Some(650) });
        assert_eq!(to_json(&ReportJson(&retry)), r#"{"type":"retry","after_ms":650}"#);
        assert_eq!(to_json(&ReportJson(&Report::Done { message: Some("1") })), r#"{"type":"done"}"#);
    }
}
