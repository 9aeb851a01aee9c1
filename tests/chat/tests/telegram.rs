//! Telegram's bodies are what the types of `frankenstein` hold, field for field.

use askgate_chat_types::{bodies, typed};
use frankenstein::updates::Update;
use serde_json::json;

#[test]
fn every_body_survives_the_types() {
    let all = bodies("telegram");
    assert!(all.len() > 200, "{} bodies", all.len());
    for body in &all {
        let again = typed::again(&body.path, &body.json)
            .unwrap_or_else(|error| panic!("{}: {error}: {}", body.file, body.json));
        assert_eq!(again, body.json, "{}: the types know no such field", body.file);
    }
}

/// What the library reads of an update stays the same once the types have read and written it.
#[test]
fn updates_written_by_the_types_are_read() {
    let chat = json!({ "id": -100, "type": "supergroup", "title": "t", "is_forum": true });
    let from = json!({ "id": 5, "is_bot": false, "first_name": "x" });
    let message = json!({ "message_id": 9, "date": 1, "chat": chat, "from": from, "message_thread_id": 7,
        "is_topic_message": true, "text": "hello" });
    let updates = [
        json!({ "update_id": 1, "message": message }),
        json!({ "update_id": 2, "edited_message": message }),
        json!({ "update_id": 3, "callback_query": { "id": "e", "from": from, "message": message, "chat_instance": "c",
            "data": "q1" } }),
        json!({ "update_id": 4, "callback_query": { "id": "e", "from": from, "inline_message_id": "i",
            "chat_instance": "c", "data": "q1" } }),
    ];
    for update in updates {
        let typed: Update = serde_json::from_value(update.clone()).expect("an update");
        let written = serde_json::to_string(&typed).expect("JSON");
        let read = askgate::chat::telegram::parse(&written).expect("an update");
        assert_ne!(read, askgate::chat::Update::Other);
        assert_eq!(read, askgate::chat::telegram::parse(&update.to_string()).expect("an update"));
    }
}
