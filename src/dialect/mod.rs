//! Wire formats as pure translation: JSON to a command, an event to JSON. A dialect holds no state and decides nothing.

pub mod agent;
#[cfg(feature = "elicitation")]
pub mod elicitation;
pub(crate) mod envelope;
pub(crate) mod json;
pub(crate) mod read;
pub mod session;
mod tool;
pub mod typed;

use crate::error::{Code, Fault, RequestError};
use crate::json::{ToJson, piece};
use crate::words::{Quoted, words};
use alloc::string::String;
use envelope::WireId;
use json::Node;
use read::{Field, Fields, Shape, nearest};

/// What a connection may do: given by the host when it opens the connection, never by a message (spec 6).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Authority {
    /// It gets dialect A's pushes, and dialect B's too if it is also an operator.
    pub observer: bool,
    /// It may answer and cancel dialect A's prompts.
    pub answer: bool,
    /// It may bind sessions and resolve dialect B's prompts.
    pub operator: bool,
    /// It may ask for runs of dialect B, and end them.
    pub runtime: bool,
}

impl Default for Authority {
    fn default() -> Self {
        Self { observer: false, answer: true, operator: false, runtime: false }
    }
}

/// A method of any dialect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Method {
    Agent(agent::Method),
    Session(session::Method),
    /// `$/cancel_request`: whoever asked no longer wants it.
    CancelRequest,
}

const CANCEL_REQUEST: &str = "$/cancel_request";
const CANCEL_REQUEST_SHAPE: Shape = Shape(&[Field("id", None)]);

impl Method {
    /// The method of that name.
    ///
    /// # Errors
    /// [`Code::UnknownMethod`], with the known name that it may be a slip of.
    pub(crate) fn find(name: &str) -> Result<Self, RequestError> {
        if name == CANCEL_REQUEST {
            return Ok(Self::CancelRequest);
        }
        if let Some(method) = agent::Method::find(name) {
            return Ok(Self::Agent(method));
        }
        if let Some(method) = session::Method::find(name) {
            return Ok(Self::Session(method));
        }
        let known = agent::Method::names().chain(session::Method::names()).chain([CANCEL_REQUEST]);
        let message = match nearest(name, known) {
            Some(near) => words!["There is no such method; did you mean ", Quoted(near), "?"],
            None => "There is no such method.".into(),
        };
        Err(Fault::new(Code::UnknownMethod, message).at(""))
    }

    /// The fields of its params.
    pub(crate) fn shape(self) -> &'static Shape {
        match self {
            Self::Agent(method) => method.shape(),
            Self::Session(method) => method.shape(),
            Self::CancelRequest => &CANCEL_REQUEST_SHAPE,
        }
    }
}

/// The id in the params of `$/cancel_request`.
pub(crate) fn cancelled_id(
    fields: &Fields<'_>,
    limits: &crate::limits::Limits,
) -> Result<WireId, RequestError> {
    let id: Node<'_> = fields.required("id")?;
    let message = "Give the id of the call to cancel: a string or an integer.";
    fields.at("id", WireId::read(id, limits).ok_or_else(|| Fault::new(Code::WrongType, message)))
}

/// The params of a request that came without an envelope: an object without duplicate or unknown keys.
pub(crate) fn checked_params<'d>(
    doc: &'d json::Doc<'d>,
    shape: &'static Shape,
) -> Result<Fields<'d>, RequestError> {
    let mut params = Fields::new(Some(without_duplicates(doc)?));
    params.check(shape)?;
    Ok(params)
}

/// The object that a text is, without duplicate keys in it.
pub(crate) fn without_duplicates<'d>(doc: &'d json::Doc<'d>) -> Result<Node<'d>, RequestError> {
    let root = doc.root();
    if let Some(key) = doc.duplicate() {
        return Err(Fault::new(Code::DuplicateKey, "Give each key once.").at(root.path_to(key).0));
    }
    read::expect_object(root).map_err(|fault| fault.at(""))?;
    Ok(root)
}

/// The number in an id such as `req:12`, which is written in one way only.
fn numbered(text: &str, prefix: &str) -> Option<u64> {
    let digits = text.strip_prefix(prefix)?;
    let plain =
        digits.bytes().all(|byte| byte.is_ascii_digit()) && (digits == "0" || !digits.starts_with('0'));
    if plain { digits.parse().ok() } else { None }
}

/// An id such as `req:12`.
#[derive(Debug, Clone, Copy)]
struct Numbered {
    prefix: &'static str,
    number: u64,
}

impl ToJson for Numbered {
    fn write_json(&self, out: &mut String) {
        piece(out, "\"");
        piece(out, self.prefix);
        self.number.write_json(out);
        piece(out, "\"");
    }
}

pub(crate) fn forbidden(needed: &str) -> RequestError {
    let message = words!["Ask the host for ", needed, " authority on this connection."];
    Fault::new(Code::Forbidden, message).at("")
}
