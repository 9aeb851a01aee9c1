//! The framing that both dialects share: one JSON object a line, native or JSON-RPC 2.0 (spec 7).

use super::json::{Doc, Node, Place, Type};
use super::read::unknown;
use crate::error::{Code, Fault, RequestError};
use crate::json::{Plain, ToJson, object};
use crate::limits::Limits;
use crate::ordered::Key;
use crate::words::words;
use alloc::boxed::Box;
use alloc::string::String;

/// The id of a message, as its sender chose it: a text and a number are never equal.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum WireId {
    Number(i64),
    Text(Box<str>),
}

impl WireId {
    pub(crate) fn read(value: Node<'_>, limits: &Limits) -> Option<Self> {
        match value.text() {
            Some(text) => (text.len() <= limits.id_bytes).then(|| Self::Text(text.into())),
            None => value.integer().map(Self::Number),
        }
    }
}

impl Key for WireId {
    fn rank(&self) -> u64 {
        // Numbers in the lower half, in their order, texts in the upper one.
        match self {
            Self::Number(n) => (n.cast_unsigned() ^ 1 << 63) >> 1,
            Self::Text(text) => text.rank() >> 1 | 1 << 63,
        }
    }
}

impl ToJson for WireId {
    fn write_json(&self, out: &mut String) {
        match self {
            Self::Number(n) => n.write_json(out),
            Self::Text(text) => text.write_json(out),
        }
    }
}

/// In which form a message is replied to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// `{"id", "result"}` or `{"id", "error": "code: path: sentence"}`.
    Native,
    /// JSON-RPC 2.0.
    JsonRpc,
}

/// The fields of a line, found in one pass over them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Message<'d> {
    doc: &'d Doc<'d>,
    id: Place,
    method: Place,
    params: Place,
    json_rpc: Place,
    result: Place,
    error: Place,
    /// The first value whose key no request has.
    unknown: Place,
}

impl<'d> Message<'d> {
    pub(crate) fn new(doc: &'d Doc<'d>) -> Self {
        let none = Place::NOWHERE;
        let mut message = Self {
            doc,
            id: none,
            method: none,
            params: none,
            json_rpc: none,
            result: none,
            error: none,
            unknown: none,
        };
        for (key, value) in doc.root().fields() {
            let field = match key {
                "id" => &mut message.id,
                "method" => &mut message.method,
                "params" => &mut message.params,
                "jsonrpc" => &mut message.json_rpc,
                "_meta" => continue,
                other => {
                    if message.unknown == none {
                        message.unknown = value.place();
                    }
                    match other {
                        "result" => &mut message.result,
                        "error" => &mut message.error,
                        _ => continue,
                    }
                }
            };
            if *field == none {
                *field = value.place();
            }
        }
        message
    }

    fn value(&self, place: Place) -> Option<Node<'d>> {
        self.doc.root().at(place)
    }

    /// The value of `params`, whatever it is, for what must be known before it is checked.
    pub(crate) fn params(&self) -> Option<Node<'d>> {
        self.value(self.params)
    }

    /// What it says to a request of ours, with the number of the request if it is one; `None` if it is no response.
    pub(crate) fn response(&self) -> Option<(Option<u64>, Response<'d>)> {
        if self.method != Place::NOWHERE {
            return None;
        }
        let response = match (self.value(self.result), self.value(self.error)) {
            (None, None) => return None,
            (_, _) if self.doc.duplicate().is_some() => Response::Ambiguous,
            (Some(result), None) => Response::Result(result),
            (_, Some(_)) => Response::Error,
        };
        let id = self.value(self.id).and_then(Node::integer).and_then(|id| u64::try_from(id).ok());
        Some((id, response))
    }

    /// Whether it is at fault outside its params.
    pub(crate) fn is_at_fault(&self) -> bool {
        match self.doc.duplicate() {
            Some(key) => !self.params().is_some_and(|params| params.holds(key)),
            None => self.unknown != Place::NOWHERE,
        }
    }
}

/// A message, opened as far as the `id` goes.
#[derive(Debug)]
pub(crate) struct Envelope<'d> {
    pub(crate) message: Message<'d>,
    /// Absent: nobody waits for a reply.
    pub(crate) id: Option<WireId>,
    pub(crate) style: Style,
}

/// A line that cannot be replied to by its id.
#[derive(Debug)]
pub(crate) struct Unaddressed {
    pub(crate) style: Style,
    pub(crate) error: RequestError,
}

/// The fields of a request.
const KNOWN: [&str; 4] = ["id", "method", "params", "jsonrpc"];

fn invalid(message: &'static str) -> RequestError {
    Fault::new(Code::InvalidRequest, message).at("")
}

impl<'d> Envelope<'d> {
    pub(crate) fn open(message: Message<'d>, limits: &Limits) -> Result<Self, Unaddressed> {
        let root = message.doc.root();
        if root.kind() != Type::Object {
            let message = "Send one request a line, as a JSON object; batches are not taken.";
            return Err(Unaddressed { style: Style::Native, error: invalid(message) });
        }
        let json_rpc = message.value(message.json_rpc).and_then(Node::text) == Some("2.0");
        let style = if json_rpc { Style::JsonRpc } else { Style::Native };
        let Some(id) = message.value(message.id) else { return Ok(Self { message, id: None, style }) };
        if message.doc.duplicate().is_some_and(|key| root.path_to(key).0 == "/id") {
            let error = Fault::new(Code::DuplicateKey, "Give the id once.").at("");
            return Err(Unaddressed { style, error });
        }
        match WireId::read(id, limits) {
            Some(id) => Ok(Self { message, id: Some(id), style }),
            None => {
                let most = limits.id_bytes;
                let message =
                    words!["Give an id that is a string of at most ", most, " bytes or an integer."];
                Err(Unaddressed { style, error: Fault::new(Code::InvalidRequest, message).at("") })
            }
        }
    }

    /// The method, if the envelope is a request's. What is wrong with it is told in the native form.
    pub(crate) fn method(&self) -> Result<&'d str, RequestError> {
        if self.message.response().is_some() {
            return Err(invalid("Send requests here; no request was sent to this connection."));
        }
        if self.style == Style::Native && self.message.json_rpc != Place::NOWHERE {
            return Err(invalid("Give \"jsonrpc\": \"2.0\", or leave it out."));
        }
        match self.message.value(self.message.method).map(Node::text) {
            Some(Some(method)) => Ok(method),
            Some(None) => Err(invalid("Give the method as a string.")),
            None => Err(invalid("Give a method.")),
        }
    }

    /// Refuses duplicate keys anywhere in the line, fields that no envelope has, and `params` that are no object.
    pub(crate) fn params(&self) -> Result<Option<Node<'d>>, RequestError> {
        let doc = self.message.doc;
        let params = self.message.params();
        if let Some(key) = doc.duplicate() {
            let inside = params.filter(|params| params.holds(key));
            let path = inside.map_or_else(String::new, |params| params.path_to(key).0);
            return Err(Fault::new(Code::DuplicateKey, "Give each key once.").at(path));
        }
        if self.message.unknown != Place::NOWHERE {
            let key = doc.root().key_of(self.message.unknown);
            return Err(unknown(key, KNOWN.into_iter()).at(""));
        }
        if let Some(params) = params {
            super::read::expect_object(params).map_err(|fault| fault.at(""))?;
        }
        Ok(params)
    }
}

/// What a peer says to a request of ours.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Response<'d> {
    #[cfg_attr(not(feature = "elicitation"), expect(dead_code, reason = "only clients' responses are read"))]
    Result(Node<'d>),
    Error,
    /// It says two things at once: a key stands twice in it.
    Ambiguous,
}

/// `{"id", "result"}`.
pub(crate) struct ResultLine<'a, R> {
    pub(crate) id: &'a WireId,
    pub(crate) style: Style,
    pub(crate) result: R,
}

impl<R: ToJson> ToJson for ResultLine<'_, R> {
    fn write_json(&self, out: &mut String) {
        object!(out, "jsonrpc"?: version(self.style).map(Plain), "id": self.id, "result": self.result);
    }
}

const fn version(style: Style) -> Option<&'static str> {
    match style {
        Style::Native => None,
        Style::JsonRpc => Some("2.0"),
    }
}

/// `{"id", "error"}`; an absent id is `null`.
pub(crate) struct ErrorLine<'a> {
    pub(crate) id: Option<&'a WireId>,
    pub(crate) style: Style,
    pub(crate) error: &'a RequestError,
}

impl ToJson for ErrorLine<'_> {
    fn write_json(&self, out: &mut String) {
        object!(out, "jsonrpc"?: version(self.style).map(Plain), "id": self.id, "error": ErrorIn(self.style, self.error));
    }
}

struct ErrorIn<'a>(Style, &'a RequestError);

impl ToJson for ErrorIn<'_> {
    fn write_json(&self, out: &mut String) {
        let Self(style, error) = self;
        match style {
            Style::Native => error.sentence().write_json(out),
            Style::JsonRpc => object!(
                out,
                "code": error.code().json_rpc(),
                "message": error.message(),
                "data": Data(error),
            ),
        }
    }
}

struct Data<'a>(&'a RequestError);

impl ToJson for Data<'_> {
    fn write_json(&self, out: &mut String) {
        object!(out, "code": Plain(self.0.code().as_str()), "path": self.0.path());
    }
}

/// A message without an id, to whom it concerns.
pub(crate) struct PushLine<P> {
    pub(crate) method: &'static str,
    pub(crate) params: P,
}

impl<P: ToJson> ToJson for PushLine<P> {
    fn write_json(&self, out: &mut String) {
        object!(out, "method": Plain(self.method), "params": self.params);
    }
}
