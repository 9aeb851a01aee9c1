//! Elicitation without a gate: a form as it goes out, and a client's response as a tool result.

use crate::bridge::{fail_request, give_json, with_input};
use crate::gate::protocol;
use askgate::answer::{Answers, Draft, Outcome};
use askgate::dialect::elicitation::{Elicitation, Reply, RequestId, Scope};
use askgate::dialect::session::{ToolResult, parse_questions};
use askgate::limits::Limits;

/// Whether a client with these capabilities can show forms.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_elicitation_can_show(named: usize, capabilities: usize) -> i32 {
    with_input(|input| match protocol(input.text(named)) {
        Ok(protocol) => i32::from(protocol.client(input.text(capabilities)).forms),
        Err(failed) => failed,
    })
}

/// Gives the request that goes to a client. `scope` counts a session, a tool call in a session, a request by its text, a
/// request by its number.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_elicitation_request(
    named: usize,
    questions: usize,
    scope: u32,
    id: usize,
    tool_call: usize,
) -> i32 {
    with_input(|input| {
        let protocol = match protocol(input.text(named)) {
            Ok(protocol) => protocol,
            Err(failed) => return failed,
        };
        let form = match parse_questions(input.text(questions), &Limits::DEFAULT) {
            Ok((form, _)) => form,
            Err(error) => return fail_request(&error),
        };
        let (id, tool_call) = (input.text(id), input.text(tool_call));
        let scope = match scope {
            0 => Scope::Session { session_id: id, tool_call_id: None },
            1 => Scope::Session { session_id: id, tool_call_id: Some(tool_call) },
            2 => Scope::Request { request_id: RequestId::Text(id) },
            _ => Scope::Request { request_id: RequestId::Number(id.parse().unwrap_or_default()) },
        };
        give_json(&Elicitation { protocol, form: &form, scope });
        0
    })
}

/// Gives the tool result that a client's response comes to. A client answers once, so that a misfit is an end, too.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_elicitation_result(named: usize, questions: usize, response: usize) -> i32 {
    with_input(|input| {
        let protocol = match protocol(input.text(named)) {
            Ok(protocol) => protocol,
            Err(failed) => return failed,
        };
        let form = match parse_questions(input.text(questions), &Limits::DEFAULT) {
            Ok((form, _)) => form,
            Err(error) => return fail_request(&error),
        };
        let outcome = match Reply::parse(protocol, &form, input.text(response)) {
            Reply::Accept(drafts) => {
                Answers::check(&form, Draft::Answers(&drafts)).map_or(Outcome::Invalid, Outcome::Answered)
            }
            Reply::Decline => Outcome::Declined,
            Reply::Cancel => Outcome::Cancelled(None),
        };
        give_json(&ToolResult::ended(&form, &outcome));
        0
    })
}
