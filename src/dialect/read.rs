//! Reading the fields of a request, in the order of faults of spec 7: unknown fields first, then each field as its method
//! lists it.

use super::json::{Node, Type};
use crate::error::{Code, Fault, RequestError};
use crate::fault::Pointer;
use crate::id::within;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The fields that an object may have; `_meta` may always be there and is ignored.
#[derive(Debug)]
pub(crate) struct Shape(pub(crate) &'static [Field]);

/// A field's name and, where its value is a list of objects, their shape.
#[derive(Debug)]
pub(crate) struct Field(pub(crate) &'static str, pub(crate) Option<&'static Shape>);

impl Shape {
    /// Refuses a field that the shape does not have, here or in the objects below, in the order in which they stand.
    pub(crate) fn check(&self, object: Node<'_>) -> Result<(), RequestError> {
        self.walk(object, object)
    }

    fn walk(&self, root: Node<'_>, object: Node<'_>) -> Result<(), RequestError> {
        // Keys mostly come in the order of the shape, so the search for each goes on from the one before.
        let mut known = self.0.iter().cycle();
        for (place, value) in object.keys() {
            match known.by_ref().take(self.0.len()).find(|field| object.has_key(place, field.0)) {
                Some(Field(_, None)) => {}
                Some(Field(_, Some(shape))) => {
                    value.items().try_for_each(|item| shape.walk(root, item))?;
                }
                None if object.has_key(place, "_meta") => {}
                None => return Err(self.unknown(object.key(place)).at(root.path_to(place).0)),
            }
        }
        Ok(())
    }

    fn unknown(&self, key: &str) -> Fault {
        unknown(key, self.0.iter().map(|field| field.0))
    }
}

/// An unknown field, with the known one that it may be a slip of.
#[cold]
pub(crate) fn unknown(key: &str, known: impl Iterator<Item = &'static str>) -> Fault {
    let shown: String = key.chars().take(64).collect();
    Fault::new(
        Code::UnknownField,
        match nearest(key, known) {
            Some(near) => format!("There is no field {shown:?}; did you mean {near:?}?"),
            None => format!("There is no field {shown:?}; leave it out."),
        },
    )
}

/// The known name that a slip or two away from the given one, if any is.
pub(crate) fn nearest(name: &str, known: impl Iterator<Item = &'static str>) -> Option<&'static str> {
    let most = (name.len() / 3).clamp(1, 3);
    let near = known.filter(|known| known.len().abs_diff(name.len()) <= most);
    near.map(|known| (distance(name.as_bytes(), known.as_bytes()), known))
        .filter(|(distance, _)| *distance <= most)
        .min()
        .map(|(_, known)| known)
}

/// Levenshtein's distance, case ignored.
fn distance(a: &[u8], b: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        for (cell, y) in row.iter_mut().skip(1).zip(b) {
            let changed = diagonal + usize::from(!x.eq_ignore_ascii_case(y));
            diagonal = *cell;
            left = changed.min(left + 1).min(*cell + 1);
            *cell = left;
        }
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
    }
    row.last().copied().unwrap_or(0)
}

/// An object whose fields are read. Where it stands is only worked out for a fault.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fields<'d> {
    /// Absent params have no fields.
    object: Option<Node<'d>>,
    /// What paths start from.
    params: Option<Node<'d>>,
}

impl<'d> Fields<'d> {
    pub(crate) const fn new(params: Option<Node<'d>>) -> Self {
        Self { object: params, params }
    }

    /// An item of a list within, which must be an object.
    pub(crate) fn item(&self, item: Node<'d>) -> Result<Self, RequestError> {
        let fields = Self { object: Some(item), params: self.params };
        if item.kind() == Type::Object {
            Ok(fields)
        } else {
            Err(wrong_type(item, Type::Object).at(fields.own_path().0))
        }
    }

    fn own_path(&self) -> Pointer {
        let (params, object) = (self.params, self.object);
        params.zip(object).map_or_else(Pointer::default, |(params, object)| params.path_to(object.place()))
    }

    /// A field of any type, if it is there.
    pub(crate) fn given(&self, name: &str) -> Option<Node<'d>> {
        self.object?.get(name)
    }

    /// Refuses a field that the shape does not have.
    pub(crate) fn check(&self, shape: &Shape) -> Result<(), RequestError> {
        self.object.map_or(Ok(()), |object| shape.walk(self.params.unwrap_or(object), object))
    }

    /// The object as it came, as JSON.
    pub(crate) fn to_json(self) -> String {
        let mut out = Vec::new();
        if let Some(object) = self.object {
            object.write(&mut out);
        }
        String::from_utf8(out).unwrap_or_default()
    }

    pub(crate) fn path(&self, name: &str) -> Pointer {
        self.own_path().key(name)
    }

    /// Places a fault at one of the fields.
    pub(crate) fn at<T>(&self, name: &str, result: Result<T, Fault>) -> Result<T, RequestError> {
        result.map_err(|fault| fault.at(self.path(name).0))
    }

    /// Bytes of all texts in those fields, keys too.
    pub(crate) fn text_bytes(&self, names: &[&str]) -> usize {
        names.iter().filter_map(|name| self.given(name)).map(Node::text_bytes).sum()
    }

    #[cold]
    pub(crate) fn missing(&self, name: &str) -> RequestError {
        Fault::new(Code::MissingField, format!("Give {name:?}.")).at(self.path(name).0)
    }

    /// A field as what it is to be, if it is that.
    fn get<T>(
        &self,
        name: &str,
        kind: Type,
        read: impl FnOnce(Node<'d>) -> Option<T>,
    ) -> Result<Option<T>, RequestError> {
        let Some(value) = self.given(name) else { return Ok(None) };
        match read(value) {
            Some(read) => Ok(Some(read)),
            None => Err(wrong_type(value, kind).at(self.path(name).0)),
        }
    }

    pub(crate) fn text(&self, name: &str) -> Result<Option<&'d str>, RequestError> {
        self.get(name, Type::Text, Node::text)
    }

    pub(crate) fn required_text(&self, name: &str) -> Result<&'d str, RequestError> {
        match self.text(name)? {
            Some(text) => Ok(text),
            None => Err(self.missing(name)),
        }
    }

    /// A text of at most so many bytes.
    pub(crate) fn bounded_text(&self, name: &str, bytes: usize) -> Result<Option<&'d str>, RequestError> {
        let text = self.text(name)?;
        if let Some(text) = text {
            self.at(name, within(text, bytes))?;
        }
        Ok(text)
    }

    pub(crate) fn bool(&self, name: &str) -> Result<Option<bool>, RequestError> {
        self.get(name, Type::Bool, Node::bool)
    }

    pub(crate) fn number(&self, name: &str) -> Result<Option<Node<'d>>, RequestError> {
        self.get(name, Type::Number, |value| value.is(Type::Number))
    }

    pub(crate) fn list(&self, name: &str) -> Result<Option<Node<'d>>, RequestError> {
        self.get(name, Type::Array, |value| value.is(Type::Array))
    }

    /// An object within this one.
    pub(crate) fn object(&self, name: &str) -> Result<Self, RequestError> {
        let object = self.get(name, Type::Object, |value| value.is(Type::Object))?;
        let object = object.ok_or_else(|| self.missing(name))?;
        Ok(Self { object: Some(object), params: self.params })
    }

    pub(crate) fn required_list(&self, name: &str) -> Result<Node<'d>, RequestError> {
        self.list(name)?.ok_or_else(|| self.missing(name))
    }

    /// A field of any type.
    pub(crate) fn required(&self, name: &str) -> Result<Node<'d>, RequestError> {
        self.given(name).ok_or_else(|| self.missing(name))
    }

    /// `timeout_ms`: a whole number from 1 to 2^53-1 (spec 3).
    pub(crate) fn timeout(&self) -> Result<Option<u64>, RequestError> {
        const NAME: &str = "timeout_ms";
        let Some(number) = self.number(NAME)? else { return Ok(None) };
        let message = "Give a whole number of milliseconds from 1 to 9007199254740991, or leave it out.";
        let whole = number.whole().filter(|ms| *ms > 0);
        self.at(NAME, whole.ok_or_else(|| Fault::new(Code::InvalidValue, message))).map(Some)
    }
}

#[cold]
fn wrong_type(value: Node<'_>, kind: Type) -> Fault {
    let wanted = match kind {
        Type::Null => "null",
        Type::Bool => "true or false",
        Type::Number => "a number",
        Type::Text => "a string",
        Type::Array => "an array",
        Type::Object => "an object",
    };
    let given = match value.kind() {
        Type::Null => "null",
        Type::Bool => "a boolean",
        Type::Number => "a number",
        Type::Text => "a string",
        Type::Array => "an array",
        Type::Object => "an object",
    };
    Fault::new(Code::WrongType, format!("Give {wanted} instead of {given}."))
}

pub(crate) fn expect_object(value: Node<'_>) -> Result<(), Fault> {
    if value.kind() == Type::Object { Ok(()) } else { Err(wrong_type(value, Type::Object)) }
}
