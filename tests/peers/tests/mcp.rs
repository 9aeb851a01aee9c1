//! The crate `rmcp` as the other side, in both eras: it reads what we write, and we read what it writes.

use askgate::dialect::elicitation::{INPUT_KEY, Protocol};
use askgate_peers::forms::{answers, asked, content, of_each_kind};
use askgate_peers::{Asked, Host};
use proptest::prelude::*;
use rmcp::model::{
    CallToolRequestParams, ClientCapabilities, ElicitRequestParams, ElicitResult, ElicitationAction,
    ElicitationCapability, FormElicitationCapability, InputRequest, InputRequiredResult, InputResponses,
    ServerJsonRpcMessage, ServerNotification, UrlElicitationCapability,
};
use serde_json::{Value, json};

const ERAS: [Protocol; 2] = [Protocol::Mcp20251125, Protocol::Mcp20260728];

/// The peer's reading of the form in a line of ours, written again, and the form as we wrote it.
fn through_the_peer(protocol: Protocol, line: &Value) -> (Value, Value) {
    if protocol == Protocol::Mcp20251125 {
        let params: ElicitRequestParams = serde_json::from_value(line["params"].clone()).unwrap();
        assert!(matches!(params, ElicitRequestParams::FormElicitationParams { .. }));
        return (serde_json::to_value(params).unwrap(), line["params"].clone());
    }
    let result: InputRequiredResult = serde_json::from_value(line["result"].clone()).unwrap();
    let requests = result.input_requests.as_ref().unwrap();
    assert!(matches!(requests.get(INPUT_KEY), Some(InputRequest::Elicitation(_))));
    assert_eq!(requests.len(), 1);
    let again = serde_json::to_value(result).unwrap();
    assert_eq!(again["resultType"], line["result"]["resultType"]);
    let form = |result: &Value| result["inputRequests"][INPUT_KEY]["params"].clone();
    (form(&again), form(&line["result"]))
}

fn keys(params: &Value) -> Vec<&String> {
    params["requestedSchema"]["properties"].as_object().unwrap().keys().collect()
}

fn accept(asked: &[Asked]) -> ElicitResult {
    ElicitResult::new(ElicitationAction::Accept).with_content(content(asked).into())
}

/// The peer's answer as it travels, and the tool's result.
fn played(protocol: Protocol, asked: &[Asked], answer: ElicitResult) -> Value {
    let mut host = Host::capable(protocol);
    let line = host.ask(asked);
    let answer = serde_json::to_value(answer).unwrap();
    if protocol == Protocol::Mcp20251125 {
        host.respond(&line, &answer);
    } else {
        let responses = InputResponses::from([(INPUT_KEY.to_owned(), answer)]);
        let retry = CallToolRequestParams::new("ask").with_input_responses(responses);
        let retry = serde_json::to_value(retry).unwrap();
        host.from_client(&json!({ "jsonrpc": "2.0", "id": line["id"], "result": retry }));
    }
    host.result().clone()
}

#[test]
fn a_fixed_form_is_read_and_comes_back_equal() {
    for protocol in ERAS {
        let line = Host::capable(protocol).ask(&of_each_kind());
        let (again, form) = through_the_peer(protocol, &line);
        assert_eq!(again, form);
        let first = &form["requestedSchema"]["properties"]["question_0"];
        assert_eq!(
            first["oneOf"][0],
            json!({ "const": "Small change", "title": "Small change \u{2014} One file" })
        );
    }
}

#[test]
fn the_whole_line_is_one_of_the_peers_messages() {
    let line = Host::capable(Protocol::Mcp20251125).ask(&of_each_kind());
    let message: ServerJsonRpcMessage = serde_json::from_value(line.clone()).unwrap();
    assert!(matches!(message, ServerJsonRpcMessage::Request(_)));
    assert_eq!(serde_json::to_value(message).unwrap(), line);
}

#[test]
fn declining_and_cancelling_are_read_as_what_they_are() {
    for protocol in ERAS {
        for (action, status) in
            [(ElicitationAction::Decline, "declined"), (ElicitationAction::Cancel, "cancelled")]
        {
            let result = played(protocol, &of_each_kind(), ElicitResult::new(action));
            assert_eq!(result["details"]["status"], status);
        }
    }
}

#[test]
fn accept_without_content_passes_the_peer_and_not_us() {
    let bare: ElicitResult = serde_json::from_value(json!({ "action": "accept" })).unwrap();
    let empty = ElicitResult::new(ElicitationAction::Accept).with_content(json!({}));
    for protocol in ERAS {
        for answer in [bare.clone(), empty.clone()] {
            let result = played(protocol, &of_each_kind(), answer);
            assert_eq!(result["details"]["status"], "invalid_answer");
        }
    }
}

#[test]
fn null_content_beside_a_decline_is_not_looked_at() {
    let answer = ElicitResult::new(ElicitationAction::Decline).with_content(Value::Null);
    assert_eq!(serde_json::to_value(&answer).unwrap(), json!({ "action": "decline", "content": null }));
    for protocol in ERAS {
        assert_eq!(played(protocol, &of_each_kind(), answer.clone())["details"]["status"], "declined");
    }
}

#[test]
fn the_peers_capabilities_decide_whether_it_is_asked() {
    let with = |elicitation| {
        let mut capabilities = ClientCapabilities::default();
        capabilities.elicitation = elicitation;
        serde_json::to_string(&capabilities).unwrap()
    };
    let (form, url) = (FormElicitationCapability::default(), UrlElicitationCapability::default());
    let empty = ElicitationCapability::new();
    for (elicitation, forms) in [
        (None, false),
        (Some(empty.clone()), true),
        (Some(empty.clone().with_form(form.clone())), true),
        (Some(empty.clone().with_url(url.clone())), false),
        (Some(empty.with_form(form).with_url(url)), true),
    ] {
        let capabilities = with(elicitation);
        for protocol in ERAS {
            assert_eq!(protocol.client(&capabilities).forms, forms, "{capabilities}");
        }
    }
}

#[test]
fn a_withdrawal_names_the_request_in_the_peers_words() {
    let mut host = Host::capable(Protocol::Mcp20251125);
    host.request(
        &json!({ "questions": [{ "id": "q", "question": "Which?", "options": [] }], "timeout_ms": 50 }),
    );
    let line = host.to_client.pop().unwrap();
    host.wait(50);
    let withdrawal = host.to_client.pop().unwrap();
    let message: ServerJsonRpcMessage = serde_json::from_value(withdrawal).unwrap();
    let ServerJsonRpcMessage::Notification(notification) = message else { panic!("no notification") };
    let ServerNotification::CancelledNotification(cancelled) = notification.notification else {
        panic!("no withdrawal")
    };
    assert_eq!(json!(cancelled.params.request_id), line["id"]);
    assert_eq!(host.result()["details"]["status"], "timed_out");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn forms_come_back_equal_and_in_order(asked in asked()) {
        for protocol in ERAS {
            let (again, form) = through_the_peer(protocol, &Host::capable(protocol).ask(&asked));
            prop_assert_eq!(&again, &form);
            // The peer keeps the fields in a sorted map.
            prop_assert_eq!(keys(&again), keys(&form));
        }
    }

    #[test]
    fn answers_that_the_peer_writes_are_taken(asked in asked()) {
        for protocol in ERAS {
            let result = played(protocol, &asked, accept(&asked));
            prop_assert_eq!(&result["details"]["status"], "answered");
            prop_assert_eq!(&result["details"]["results"], &answers(&asked));
        }
    }
}
