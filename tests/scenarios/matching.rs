//! How an expectation is compared with what came: exactly, save for the wildcards that `tests/vectors/README.md` names.

use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The values captured by `$=word` in one scenario.
#[derive(Debug, Default)]
pub(crate) struct Captures(BTreeMap<String, Value>);

impl Captures {
    /// What is to be sent, with each `$=word` replaced by the value captured under that word.
    pub(crate) fn fill(&self, sent: &Value) -> Result<Value, String> {
        Ok(match sent {
            Value::String(text) => match text.strip_prefix("$=") {
                Some(word) => {
                    self.0.get(word).ok_or_else(|| format!("nothing was captured as {word:?}"))?.clone()
                }
                None => sent.clone(),
            },
            Value::Array(items) => {
                Value::Array(items.iter().map(|item| self.fill(item)).collect::<Result<_, _>>()?)
            }
            Value::Object(fields) => {
                let fill = |(key, value): (&String, &Value)| Ok((key.clone(), self.fill(value)?));
                Value::Object(fields.iter().map(fill).collect::<Result<Map<_, _>, String>>()?)
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => sent.clone(),
        })
    }

    /// Compares what came with what is expected; the error names the first difference.
    pub(crate) fn compare(&mut self, expected: &Value, got: &Value) -> Result<(), String> {
        self.compare_at(expected, got, &mut String::new())
    }

    fn compare_at(&mut self, expected: &Value, got: &Value, place: &mut String) -> Result<(), String> {
        let differs = |place: &str, expected: &Value| {
            let at = if place.is_empty() { String::new() } else { format!("at {place}: ") };
            Err(format!("{at}expected {expected} got {got}"))
        };
        match (expected, got) {
            (Value::String(wanted), _) => match Wanted::of(wanted) {
                Wanted::Any => Ok(()),
                Wanted::Captured(word) => match self.0.get(word) {
                    None => {
                        self.0.insert(word.into(), got.clone());
                        Ok(())
                    }
                    Some(before) if before == got => Ok(()),
                    Some(before) => differs(place, before),
                },
                Wanted::Prefix(prefix) if got.as_str().is_some_and(|text| text.starts_with(prefix)) => Ok(()),
                Wanted::Text(text) if got.as_str() == Some(text) => Ok(()),
                Wanted::Prefix(_) | Wanted::Text(_) => differs(place, expected),
            },
            (Value::Array(items), Value::Array(others)) if items.len() == others.len() => {
                for (n, (item, other)) in items.iter().zip(others).enumerate() {
                    self.step(&n.to_string(), item, other, place)?;
                }
                Ok(())
            }
            (Value::Object(fields), Value::Object(others)) if fields.keys().eq(others.keys()) => {
                for (key, field) in fields {
                    let other = others.get(key).unwrap_or(&Value::Null);
                    self.step(key, field, other, place)?;
                }
                Ok(())
            }
            _ if expected == got => Ok(()),
            _ => differs(place, expected),
        }
    }

    fn step(&mut self, name: &str, expected: &Value, got: &Value, place: &mut String) -> Result<(), String> {
        let length = place.len();
        place.push('/');
        place.push_str(name);
        self.compare_at(expected, got, place)?;
        place.truncate(length);
        Ok(())
    }
}

/// What a string in an expectation stands for.
enum Wanted<'e> {
    Any,
    Captured(&'e str),
    Prefix(&'e str),
    Text(&'e str),
}

impl<'e> Wanted<'e> {
    fn of(text: &'e str) -> Self {
        if text == "$any" {
            Self::Any
        } else if let Some(word) = text.strip_prefix("$=") {
            Self::Captured(word)
        } else if let Some(prefix) = text.strip_prefix("$prefix:") {
            Self::Prefix(prefix)
        } else if text.starts_with("$$") {
            Self::Text(&text[1..])
        } else {
            Self::Text(text)
        }
    }
}
