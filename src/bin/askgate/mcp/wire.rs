//! The messages of the Model Context Protocol, as far as one tool needs them, in the revisions 2025-11-25 (a handshake, then
//! requests in both directions) and 2026-07-28 (each request says what its client can do, and a tool returns what it wants
//! to know).

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::borrow::Cow;

/// The revision with a handshake.
pub(super) const HANDSHAKE: &str = "2025-11-25";
/// The revision without one.
pub(super) const STATELESS: &str = "2026-07-28";

/// Error numbers of JSON-RPC 2.0 and of MCP.
pub(super) mod number {
    pub(in super::super) const PARSE_ERROR: i32 = -32_700;
    pub(in super::super) const INVALID_REQUEST: i32 = -32_600;
    pub(in super::super) const METHOD_NOT_FOUND: i32 = -32_601;
    pub(in super::super) const INVALID_PARAMS: i32 = -32_602;
    pub(in super::super) const INTERNAL_ERROR: i32 = -32_603;
    pub(in super::super) const UNSUPPORTED_VERSION: i32 = -32_022;
}

/// The id of a message, as its sender chose it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum Id {
    Number(i64),
    Text(String),
}

/// What a client sends.
#[derive(Debug, Deserialize)]
pub(super) struct Message<'a> {
    pub(super) id: Option<Id>,
    #[serde(borrow)]
    pub(super) method: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub(super) params: Option<&'a RawValue>,
    /// Of a response.
    #[serde(borrow)]
    pub(super) result: Option<&'a RawValue>,
    /// Of a response.
    #[serde(borrow)]
    pub(super) error: Option<&'a RawValue>,
}

/// The params of any method that is served. Others may be there and are ignored, as the protocol wants.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Params<'a> {
    #[serde(rename = "_meta", borrow)]
    pub(super) meta: Option<Meta<'a>>,
    /// Of `initialize`.
    #[serde(borrow)]
    pub(super) capabilities: Option<&'a RawValue>,
    /// Of `tools/call`.
    #[serde(borrow)]
    pub(super) name: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub(super) arguments: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) input_responses: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) request_state: Option<Cow<'a, str>>,
    /// Of `notifications/cancelled`.
    pub(super) request_id: Option<Id>,
}

/// What a request says about its client.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Meta<'a> {
    #[serde(rename = "io.modelcontextprotocol/protocolVersion", borrow)]
    pub(super) version: Option<Cow<'a, str>>,
    #[serde(rename = "io.modelcontextprotocol/clientCapabilities", borrow)]
    pub(super) capabilities: Option<&'a RawValue>,
}

/// The answers of a call that is made again.
#[derive(Debug, Deserialize)]
pub(super) struct InputResponses<'a> {
    #[serde(borrow)]
    pub(super) ask: Option<&'a RawValue>,
}

/// What the endpoint sends to its client: a request of the older revision, which goes out as it is, or the result with the
/// form of the newer one.
#[derive(Debug, Deserialize)]
pub(super) struct ToClient<'a> {
    pub(super) id: Option<u64>,
    #[serde(borrow)]
    pub(super) result: Option<FormResult<'a>>,
}

/// See [`ToClient`].
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FormResult<'a> {
    #[serde(borrow)]
    pub(super) input_requests: &'a RawValue,
}

/// What the endpoint sends to its runtime.
#[derive(Debug, Deserialize)]
pub(super) struct ToRuntime<'a> {
    pub(super) id: Option<u64>,
    #[serde(borrow)]
    pub(super) result: Option<ToolResult<'a>>,
    pub(super) error: Option<String>,
}

/// The tool's result (spec 8.1).
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ToolResult<'a> {
    pub(super) is_error: bool,
    #[serde(borrow)]
    pub(super) content: &'a RawValue,
    #[serde(borrow)]
    pub(super) details: &'a RawValue,
}

/// The same as MCP has it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CallResult<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) result_type: Option<&'static str>,
    pub(super) content: &'a RawValue,
    pub(super) structured_content: &'a RawValue,
    pub(super) is_error: bool,
}

/// The result that asks the client to show a form and to call again.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct InputRequired<'a> {
    pub(super) result_type: &'static str,
    pub(super) input_requests: &'a RawValue,
    pub(super) request_state: String,
}

/// A reply.
#[derive(Debug, Serialize)]
pub(super) struct Reply<'a, R> {
    pub(super) jsonrpc: &'static str,
    pub(super) id: &'a Id,
    pub(super) result: R,
}

/// A refusal.
#[derive(Debug, Serialize)]
pub(super) struct Refusal<'a> {
    pub(super) jsonrpc: &'static str,
    pub(super) id: Option<&'a Id>,
    pub(super) error: Error,
}

/// Why a message was refused.
#[derive(Debug, Serialize)]
pub(super) struct Error {
    pub(super) code: i32,
    pub(super) message: Cow<'static, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) data: Option<serde_json::Value>,
}

impl Error {
    pub(super) fn new(code: i32, message: impl Into<Cow<'static, str>>) -> Self {
        Self { code, message: message.into(), data: None }
    }
}
