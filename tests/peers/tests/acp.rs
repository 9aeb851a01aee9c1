//! The crate `agent-client-protocol-schema` as the other side: it reads what we write, and we read what it writes.

use agent_client_protocol_schema::{v1, v2};
use askgate::dialect::elicitation::Protocol;
use askgate_peers::forms::{answers, asked, content, of_each_kind};
use askgate_peers::{Asked, Host};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The peer's reading of the params that we sent, written again.
fn through_the_peer(params: &Value) -> Value {
    let request: v1::CreateElicitationRequest = serde_json::from_value(params.clone()).unwrap();
    assert!(matches!(request.mode, v1::ElicitationMode::Form(_)), "read as something other than a form");
    serde_json::to_value(&request).unwrap()
}

fn keys(params: &Value) -> Vec<&String> {
    params["requestedSchema"]["properties"].as_object().unwrap().keys().collect()
}

/// An answer as the peer writes it.
fn accept(asked: &[Asked]) -> Value {
    let content = content(asked).into_iter().map(|(key, value)| {
        let value = match value {
            Value::String(text) => v1::ElicitationContentValue::from(text),
            Value::Array(labels) => {
                let labels: Vec<String> = labels.iter().map(|it| it.as_str().unwrap().into()).collect();
                labels.into()
            }
            other => panic!("no content is {other}"),
        };
        (key, value)
    });
    let action = v1::ElicitationAcceptAction::new().content(content.collect::<BTreeMap<_, _>>());
    written(v1::ElicitationAction::from(action))
}

fn written(action: v1::ElicitationAction) -> Value {
    serde_json::to_value(v1::CreateElicitationResponse::new(action)).unwrap()
}

fn played(asked: &[Asked], answer: &Value) -> Value {
    let mut host = Host::capable(Protocol::Acp);
    let line = host.ask(asked);
    host.respond(&line, answer);
    host.result().clone()
}

#[test]
fn a_fixed_form_is_read_and_comes_back_equal() {
    let line = Host::capable(Protocol::Acp).ask(&of_each_kind());
    assert_eq!(line["method"], v1::CLIENT_METHOD_NAMES.elicitation_create);
    assert_eq!(through_the_peer(&line["params"]), line["params"]);
    let schema = &line["params"]["requestedSchema"];
    assert_eq!(schema["properties"]["question_0"]["oneOf"][0]["description"], "One file");
    assert_eq!(schema["required"], json!(["question_2"]));
}

#[test]
fn declining_and_cancelling_are_read_as_what_they_are() {
    for (action, status) in [
        (v1::ElicitationAction::Decline, "declined"),
        (v1::ElicitationAction::Cancel, "cancelled"),
        (v1::OtherElicitationAction::new("_later", BTreeMap::new()).into(), "cancelled"),
    ] {
        assert_eq!(played(&of_each_kind(), &written(action))["details"]["status"], status);
    }
}

#[test]
fn accept_without_content_passes_the_peer_and_not_us() {
    for answer in [
        written(v1::ElicitationAcceptAction::new().into()),
        written(v1::ElicitationAcceptAction::new().content(BTreeMap::new()).into()),
    ] {
        let read: v1::CreateElicitationResponse = serde_json::from_value(answer.clone()).unwrap();
        assert!(matches!(read.action, v1::ElicitationAction::Accept(_)));
        assert_eq!(played(&of_each_kind(), &answer)["details"]["status"], "invalid_answer");
    }
}

#[test]
fn null_content_beside_a_decline_is_not_looked_at() {
    let answer = json!({ "action": "decline", "content": null });
    let read: v1::CreateElicitationResponse = serde_json::from_value(answer.clone()).unwrap();
    assert!(matches!(read.action, v1::ElicitationAction::Decline));
    assert_eq!(played(&of_each_kind(), &answer)["details"]["status"], "declined");
}

#[test]
fn the_peers_capabilities_decide_whether_it_is_asked() {
    let capable = v1::ClientCapabilities::new()
        .elicitation(v1::ElicitationCapabilities::new().form(v1::ElicitationFormCapabilities::new()));
    let empty = v1::ClientCapabilities::new().elicitation(v1::ElicitationCapabilities::new());
    let of_urls = v1::ClientCapabilities::new()
        .elicitation(v1::ElicitationCapabilities::new().url(v1::ElicitationUrlCapabilities::new()));
    for (capabilities, forms) in
        [(capable, true), (empty, false), (of_urls, false), (v1::ClientCapabilities::new(), false)]
    {
        let says = capabilities.elicitation.as_ref().is_some_and(|it| it.supports_form());
        let capabilities = serde_json::to_string(&capabilities).unwrap();
        assert_eq!(says, forms, "the peer reads {capabilities} otherwise");
        assert_eq!(Protocol::Acp.client(&capabilities).forms, forms, "{capabilities}");
    }
}

#[test]
fn a_withdrawal_names_the_request_in_the_peers_words() {
    let mut host = Host::capable(Protocol::Acp);
    let line = host.ask(&of_each_kind());
    host.wait(300_000);
    let withdrawal = host.to_client.pop().unwrap();
    assert_eq!(withdrawal["method"], "$/cancel_request");
    let read: v1::CancelRequestNotification = serde_json::from_value(withdrawal["params"].clone()).unwrap();
    assert_eq!(json!(read.request_id), line["id"]);
    assert_eq!(host.result()["details"]["status"], "timed_out");

    // What the peer owes for the request that was taken back changes nothing any more.
    host.respond(&line, &written(v1::ElicitationAction::Cancel));
    let error =
        json!({ "jsonrpc": "2.0", "id": line["id"], "error": { "code": -32800, "message": "cancelled" } });
    host.from_client(&error);
    assert_eq!((host.to_runtime.len(), host.to_client.len()), (1, 0));
}

#[test]
fn one_scope_goes_out_since_only_version_1_takes_two() {
    let params = Host::capable(Protocol::Acp).ask(&of_each_kind())["params"].clone();
    assert_eq!(params["sessionId"], "s");
    assert!(params.get("requestId").is_none());
    let strict = |params: &Value| serde_json::from_value::<v2::CreateElicitationRequest>(params.clone());
    assert!(strict(&params).is_ok());

    let mut both = params;
    both["requestId"] = json!(v1::RequestId::Number(1));
    assert!(serde_json::from_value::<v1::CreateElicitationRequest>(both.clone()).is_ok());
    assert!(strict(&both).is_err());
}

#[test]
fn a_number_and_its_text_are_two_ids() {
    assert_ne!(json!(v1::RequestId::Number(1)), json!(v1::RequestId::Str("1".into())));
    let mut host = Host::capable(Protocol::Acp);
    let line = host.ask(&of_each_kind());
    for id in [json!(line["id"].to_string()), json!(0), json!("0"), json!(""), Value::Null] {
        host.from_client(&json!({ "jsonrpc": "2.0", "id": id, "result": accept(&of_each_kind()) }));
        assert!(host.to_runtime.is_empty(), "{id} is not the id of our request");
    }
    host.respond(&line, &accept(&of_each_kind()));
    assert_eq!(host.result()["details"]["status"], "answered");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn forms_come_back_equal_and_in_order(asked in asked()) {
        let line = Host::capable(Protocol::Acp).ask(&asked);
        let again = through_the_peer(&line["params"]);
        prop_assert_eq!(&again, &line["params"]);
        // The peer keeps the fields in a sorted map.
        prop_assert_eq!(keys(&again), keys(&line["params"]));
        let newer: v2::CreateElicitationRequest = serde_json::from_value(line["params"].clone()).unwrap();
        prop_assert_eq!(&serde_json::to_value(newer).unwrap(), &line["params"]);
    }

    #[test]
    fn answers_that_the_peer_writes_are_taken(asked in asked()) {
        let result = played(&asked, &accept(&asked));
        prop_assert_eq!(&result["details"]["status"], "answered");
        prop_assert_eq!(&result["details"]["results"], &answers(&asked));
    }
}
