//! The platforms' limits, written down from their documents apart from the library, and checked on every body.

use askgate::chat::{Effect, EffectKind, Platform};
use serde_json::Value;
use std::collections::BTreeSet;

/// Panics, naming the limit, if a body is beyond one.
pub(crate) fn check(platform: Platform, effect: &Effect) {
    let body: Value = serde_json::from_str(&effect.body).expect("a body is JSON");
    assert_eq!(effect.method, if effect.path.contains("/messages/") { "PATCH" } else { "POST" });
    match platform {
        Platform::Telegram => telegram(effect, &body),
        Platform::Discord => discord(effect, &body),
    }
}

fn units(text: &str) -> usize {
    text.encode_utf16().count()
}

fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value[name].as_str().unwrap_or_else(|| panic!("{name} is a text in {value}"))
}

fn list<'v>(value: &'v Value, name: &str) -> &'v [Value] {
    value[name].as_array().map(Vec::as_slice).unwrap_or_default()
}

fn telegram(effect: &Effect, body: &Value) {
    if effect.path == "answerCallbackQuery" {
        assert_eq!(effect.kind, EffectKind::Acknowledge);
        assert!(!text(body, "callback_query_id").is_empty());
        assert!(body["text"].as_str().is_none_or(|text| (1..=200).contains(&units(text))), "{body}");
        return;
    }
    assert!(["sendMessage", "editMessageText"].contains(&effect.path.as_str()), "{}", effect.path);
    assert_eq!(effect.path == "editMessageText", effect.kind == EffectKind::Edit);
    assert!(body["chat_id"].is_i64());
    assert!(body.get("parse_mode").is_none());
    let shown = text(body, "text");
    let length = units(shown);
    assert!((1..=4_096).contains(&length) && shown.len() <= 32_768, "{length} units of text");
    assert!(!shown.trim().is_empty(), "blank text");
    let entities = list(body, "entities");
    assert!(entities.len() <= 100);
    let boundaries: BTreeSet<usize> = shown
        .chars()
        .scan(0, |at, c| {
            *at += c.len_utf16();
            Some(*at)
        })
        .chain([0])
        .collect();
    for entity in entities {
        let offset = entity["offset"].as_u64().expect("an offset") as usize;
        let end = offset + entity["length"].as_u64().expect("a length") as usize;
        assert!(offset < end && boundaries.contains(&offset) && boundaries.contains(&end), "{entity}");
    }
    let Some(markup) = body.get("reply_markup") else { return };
    let rows = list(markup, "inline_keyboard");
    let mut data = BTreeSet::new();
    for row in rows {
        let row = row.as_array().expect("a row");
        assert!((1..=8).contains(&row.len()), "{} buttons in a row", row.len());
        for button in row {
            assert!(!text(button, "text").trim().is_empty());
            let token = text(button, "callback_data");
            assert!((1..=64).contains(&token.len()) && token.is_ascii());
            assert!(data.insert(token), "two buttons with equal data");
        }
    }
    assert!((1..=100).contains(&data.len()), "{} buttons", data.len());
}

fn discord(effect: &Effect, body: &Value) {
    match effect.kind {
        EffectKind::Acknowledge => match body["type"].as_u64() {
            Some(6) => assert!(body.get("data").is_none()),
            Some(4) => {
                assert_eq!(body["data"]["flags"].as_u64().map(|flags| flags & 64), Some(64));
                message(&body["data"]);
            }
            Some(7) => message(&body["data"]),
            Some(9) => modal(&body["data"]),
            other => panic!("no response has the type {other:?}"),
        },
        EffectKind::Send => {
            assert!((1..=25).contains(&text(body, "nonce").len()));
            message(body);
        }
        EffectKind::Edit | EffectKind::Notice => message(body),
    }
}

fn message(body: &Value) {
    let content = text(body, "content");
    assert!((1..=2_000).contains(&units(content)), "{} units of content", units(content));
    assert!(!content.trim().is_empty(), "blank content");
    assert_eq!(body["allowed_mentions"], serde_json::json!({ "parse": [] }));
    let rows = list(body, "components");
    assert!(rows.len() <= 5, "{} rows", rows.len());
    let mut ids = BTreeSet::new();
    for row in rows {
        assert_eq!(row["type"], 1);
        let parts = list(row, "components");
        assert!(!parts.is_empty(), "an empty row");
        for part in parts {
            assert!(ids.insert(custom_id(part)), "two components with one id");
            match part["type"].as_u64() {
                Some(2) => {
                    assert!(parts.len() <= 5, "{} buttons in a row", parts.len());
                    let label = text(part, "label");
                    assert!((1..=80).contains(&units(label)) && !label.trim().is_empty(), "{label:?}");
                    assert!(part["style"].as_u64().is_some_and(|style| (1..=4).contains(&style)));
                }
                Some(3) => {
                    assert_eq!(parts.len(), 1, "a menu beside others");
                    menu(part);
                }
                other => panic!("no component of a message has the type {other:?}"),
            }
        }
    }
}

fn custom_id(component: &Value) -> &str {
    let id = text(component, "custom_id");
    assert!((1..=100).contains(&id.len()) && id.is_ascii());
    id
}

fn menu(menu: &Value) {
    let options = list(menu, "options");
    assert!((1..=25).contains(&options.len()));
    assert!(units(text(menu, "placeholder")) <= 150);
    let (least, most) = (menu["min_values"].as_u64().unwrap_or(1), menu["max_values"].as_u64().unwrap_or(1));
    assert!(least <= most && most >= 1 && most <= options.len() as u64);
    let mut values = BTreeSet::new();
    let mut defaults = 0;
    for option in options {
        let (label, value) = (text(option, "label"), text(option, "value"));
        assert!((1..=100).contains(&units(label)) && !label.trim().is_empty());
        assert!((1..=100).contains(&units(value)));
        assert!(values.insert(value), "two options with one value");
        defaults += u64::from(option["default"] == true);
    }
    assert!(defaults <= most);
}

fn modal(modal: &Value) {
    custom_id(modal);
    assert!((1..=45).contains(&units(text(modal, "title"))));
    let parts = list(modal, "components");
    assert!((1..=5).contains(&parts.len()));
    for part in parts {
        assert_eq!(part["type"], 18);
        assert!((1..=45).contains(&units(text(part, "label"))));
        let input = &part["component"];
        assert_eq!(input["type"], 4);
        custom_id(input);
        assert!(input["max_length"].as_u64().is_some_and(|most| (1..=4_000).contains(&most)));
    }
}
