//! Discord's bodies are what the types of `twilight-model` hold, field for field, and pass `twilight-validate`.

use askgate_chat_types::bodies;
use serde_json::Value;
use twilight_model::channel::message::{AllowedMentions, Component, MessageFlags};
use twilight_validate::{component, message};

#[test]
fn every_body_survives_the_types() {
    let all = bodies("discord");
    assert!(all.len() > 50, "{} bodies", all.len());
    for body in &all {
        let json = &body.json;
        if body.kind == "acknowledge" {
            let kind = json["type"].as_u64().expect("a type");
            assert!([4, 6, 7, 9].contains(&kind), "{}: type {kind}", body.file);
            match kind {
                4 | 7 => message_body(&body.file, &json["data"]),
                9 => modal(&body.file, &json["data"]),
                _ => assert!(json.get("data").is_none()),
            }
        } else {
            message_body(&body.file, json);
        }
    }
}

fn message_body(file: &str, body: &Value) {
    const KNOWN: [&str; 7] =
        ["allowed_mentions", "components", "content", "enforce_nonce", "flags", "message_reference", "nonce"];
    let fields = body.as_object().expect("an object");
    assert!(fields.keys().all(|name| KNOWN.contains(&name.as_str())), "{file}: {:?}", fields.keys());
    message::content(body["content"].as_str().expect("content")).expect("a content that fits");
    let flags: MessageFlags = serde_json::from_value(body["flags"].clone()).expect("flags");
    assert!((MessageFlags::EPHEMERAL | MessageFlags::SUPPRESS_EMBEDS).contains(flags));
    let mentions: AllowedMentions =
        serde_json::from_value(body["allowed_mentions"].clone()).expect("allowed mentions");
    assert_eq!(mentions, AllowedMentions::default());
    let components = components(file, &body["components"]);
    message::components(&components, false).unwrap_or_else(|error| panic!("{file}: {error}"));
}

fn components(file: &str, value: &Value) -> Vec<Component> {
    let items = value.as_array().into_iter().flatten();
    items
        .map(|item| {
            let typed: Component = serde_json::from_value(item.clone())
                .unwrap_or_else(|error| panic!("{file}: {error}: {item}"));
            kept(file, item, &serde_json::to_value(&typed).expect("JSON"));
            typed
        })
        .collect()
}

/// Everything in a body is in what the types made of it; they may add what they hold by default.
fn kept(file: &str, sent: &Value, typed: &Value) {
    match (sent, typed) {
        (Value::Object(sent), Value::Object(typed)) => {
            for (name, value) in sent {
                let own = typed.get(name).unwrap_or_else(|| panic!("{file}: the types know no {name:?}"));
                kept(file, value, own);
            }
        }
        (Value::Array(sent), Value::Array(typed)) => {
            assert_eq!(sent.len(), typed.len(), "{file}");
            sent.iter().zip(typed).for_each(|(sent, typed)| kept(file, sent, typed));
        }
        (sent, typed) => assert_eq!(sent, typed, "{file}"),
    }
}

fn modal(file: &str, data: &Value) {
    let components = components(file, &data["components"]);
    assert!((1..=5).contains(&components.len()));
    for label in &components {
        let Component::Label(label) = label else { panic!("{file}: {label:?}") };
        component::label(label).unwrap_or_else(|error| panic!("{file}: {error}"));
    }
}
