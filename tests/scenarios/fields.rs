//! Reading a scenario file so that whatever is not understood is an error of the file.

use serde_json::{Map, Value};

/// An object whose fields are taken one by one; [`Fields::done`] refuses what is left.
#[derive(Debug)]
pub(crate) struct Fields {
    what: &'static str,
    map: Map<String, Value>,
}

impl Fields {
    pub(crate) fn of(what: &'static str, value: Value) -> Result<Self, String> {
        match value {
            Value::Object(map) => Ok(Self { what, map }),
            other => Err(format!("{what} must be an object, not {other}")),
        }
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.map.contains_key(name)
    }

    pub(crate) fn take(&mut self, name: &str) -> Option<Value> {
        self.map.remove(name)
    }

    pub(crate) fn need(&mut self, name: &str) -> Result<Value, String> {
        self.take(name).ok_or_else(|| format!("{} has no {name:?}", self.what))
    }

    pub(crate) fn text(&mut self, name: &str) -> Result<Option<String>, String> {
        self.take(name).map(|value| text(self.what, value)).transpose()
    }

    pub(crate) fn need_text(&mut self, name: &str) -> Result<String, String> {
        let value = self.need(name)?;
        text(self.what, value)
    }

    pub(crate) fn number(&mut self, name: &str) -> Result<Option<u64>, String> {
        self.take(name).map(|value| number(self.what, &value)).transpose()
    }

    pub(crate) fn need_number(&mut self, name: &str) -> Result<u64, String> {
        let value = self.need(name)?;
        number(self.what, &value)
    }

    pub(crate) fn flag(&mut self, name: &str) -> Result<Option<bool>, String> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(flag)),
            Some(other) => Err(format!("{name:?} of {} must be true or false, not {other}", self.what)),
        }
    }

    pub(crate) fn list(&mut self, name: &str) -> Result<Option<Vec<Value>>, String> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::Array(items)) => Ok(Some(items)),
            Some(other) => Err(format!("{name:?} of {} must be a list, not {other}", self.what)),
        }
    }

    pub(crate) fn object(&mut self, name: &'static str) -> Result<Option<Fields>, String> {
        self.take(name).map(|value| Fields::of(name, value)).transpose()
    }

    pub(crate) fn need_object(&mut self, name: &'static str) -> Result<Fields, String> {
        Fields::of(name, self.need(name)?)
    }

    /// All fields that are left, for an object whose names are free.
    pub(crate) fn rest(self) -> Map<String, Value> {
        self.map
    }

    /// The first of the names that is there, with its value: the action of a step.
    pub(crate) fn action(&mut self, names: &[&'static str]) -> Result<(&'static str, Value), String> {
        names
            .iter()
            .find_map(|name| Some((*name, self.take(name)?)))
            .ok_or_else(|| format!("{} has no action that is known", self.what))
    }

    pub(crate) fn done(self) -> Result<(), String> {
        match self.map.keys().next() {
            None => Ok(()),
            Some(name) => Err(format!("{} has a field that is not known: {name:?}", self.what)),
        }
    }
}

pub(crate) fn text(what: &str, value: Value) -> Result<String, String> {
    match value {
        Value::String(text) => Ok(text),
        other => Err(format!("a text of {what} is {other}")),
    }
}

pub(crate) fn number(what: &str, value: &Value) -> Result<u64, String> {
    value.as_u64().ok_or_else(|| format!("a number of {what} is {value}"))
}

/// `true`, for an action that has no more to say.
pub(crate) fn just_true(what: &str, value: &Value) -> Result<(), String> {
    if *value == Value::Bool(true) { Ok(()) } else { Err(format!("{what:?} must be true, not {value}")) }
}

/// A list of exactly that many texts.
pub(crate) fn texts<const N: usize>(what: &str, value: Value) -> Result<[String; N], String> {
    let Value::Array(items) = value else { return Err(format!("{what:?} must be a list, not {value}")) };
    let items: Vec<String> = items.into_iter().map(|item| text(what, item)).collect::<Result<_, _>>()?;
    items.try_into().map_err(|items: Vec<String>| format!("{what:?} has {} parts, not {N}", items.len()))
}
