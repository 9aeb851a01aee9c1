//! `"kind": "text"`.

use super::fields::Fields;
use super::matching::Captures;
use super::record::Record;
use askgate::text::{Mode, Unit, cut, display_safe};
use serde_json::json;

pub(crate) fn run(mut file: Fields, record: &mut Record) -> Result<(), String> {
    let names = ["checks", "cases", "tests", "texts", "steps"];
    let checks = names.iter().find_map(|name| file.list(name).transpose()).ok_or("no checks")??;
    file.done()?;
    record.steps(checks, |record, check| {
        let mut check = Fields::of("the check", check)?;
        let is = check.need("is")?;
        let mut expected = json!({ "is": is });
        let got = if let Some(text) = check.text("display_safe")? {
            let mode = mode(&check.need_text("mode")?)?;
            let safe = display_safe(&text, mode);
            let mut got = json!({ "is": safe.text });
            if let Some(has_hidden) = check.take("has_hidden") {
                expected["has_hidden"] = has_hidden;
                got["has_hidden"] = json!(safe.has_hidden);
            }
            got
        } else {
            let text = check.need_text("cut")?;
            let unit = unit(&check.need_text("unit")?)?;
            let limit = usize::try_from(check.need_number("limit")?).unwrap_or(usize::MAX);
            json!({ "is": cut(&text, limit, unit) })
        };
        check.done()?;
        record.add(&got);
        Captures::default().compare(&expected, &got)
    })
}

fn mode(name: &str) -> Result<Mode, String> {
    match name {
        "line" | "title" | "label" => Ok(Mode::Line),
        "body" => Ok(Mode::Body),
        "command" => Ok(Mode::Command),
        _ => Err(format!("no mode is {name:?}")),
    }
}

fn unit(name: &str) -> Result<Unit, String> {
    match name {
        "graphemes" | "grapheme" => Ok(Unit::Graphemes),
        "scalars" | "scalar" | "chars" | "char" => Ok(Unit::Scalars),
        "utf16" | "utf-16" => Ok(Unit::Utf16),
        "bytes" | "byte" => Ok(Unit::Bytes),
        _ => Err(format!("no unit is {name:?}")),
    }
}
