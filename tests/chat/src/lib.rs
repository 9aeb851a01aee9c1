//! The bodies that the chat scenarios expect: each of them is what the library writes, for the scenarios' runner compares
//! them exactly. And a stand-in of Telegram's server, for the bridge.

pub mod stand_in;
pub mod typed;

use serde_json::Value;
use std::fs;
use std::path::Path;

/// A body, and what it is for.
#[derive(Debug, Clone)]
pub struct Body {
    /// The scenario's file.
    pub file: String,
    /// `acknowledge`, `send`, `edit` or `notice`.
    pub kind: String,
    /// The API's path, with the HTTP method before it for Discord.
    pub path: String,
    /// The JSON.
    pub json: Value,
}

/// All bodies for one platform.
#[must_use]
pub fn bodies(platform: &str) -> Vec<Body> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../vectors/chat");
    let mut found = Vec::new();
    for entry in fs::read_dir(root).expect("the folder of chat scenarios") {
        let path = entry.expect("an entry").path();
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).expect("a scenario");
        let scenario: Value = serde_json::from_str(&text).expect("JSON");
        if scenario["platform"] != platform {
            continue;
        }
        let steps = scenario["steps"].as_array().into_iter().flatten();
        for output in steps.filter_map(|step| step["expect"].as_array()).flatten() {
            for kind in ["acknowledge", "send", "edit", "notice"] {
                let Some(body) = output.get(kind) else { continue };
                let mut json = body.clone();
                fill(&mut json, &mut 0);
                let path = output["path"].as_str().expect("a path").into();
                found.push(Body { file: file.clone(), kind: kind.into(), path, json });
            }
        }
    }
    found
}

/// Puts a text of a token's form where a scenario says only how tokens begin.
fn fill(value: &mut Value, tokens: &mut u32) {
    match value {
        Value::String(text) if text == "$prefix:q1" => {
            *tokens += 1;
            *text = format!("q1{tokens:0>47}");
        }
        Value::String(text) => {
            if let Some(rest) = text.strip_prefix("$$") {
                *text = format!("${rest}");
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| fill(item, tokens)),
        Value::Object(fields) => fields.values_mut().for_each(|item| fill(item, tokens)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
