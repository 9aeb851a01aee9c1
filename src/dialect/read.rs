//! Reading the fields of a request, in the order of faults of spec 7: unknown fields first, then each field as its method
//! lists it.

use super::json::{Index, Node, Place, Type};
use crate::error::{Code, Fault, RequestError};
use crate::fault::Pointer;
use crate::id::within;
use crate::text::is_same_name;
use crate::words::{Quoted, words};
use alloc::string::String;
use alloc::vec::Vec;

/// The fields that an object may have; `_meta` may always be there and is ignored.
#[derive(Debug)]
pub(crate) struct Shape(pub(crate) &'static [Field]);

/// A field's name and, where its value is a list of objects, their shape.
#[derive(Debug)]
pub(crate) struct Field(pub(crate) &'static str, pub(crate) Option<&'static Shape>);

impl Shape {
    /// Which shape it is.
    fn address(&'static self) -> usize {
        core::ptr::from_ref(self).addr()
    }

    /// Refuses a field that the shape does not have, here or in the objects below, in the order in which they stand. `found`
    /// is told where the fields of the object itself are in the shape.
    fn walk(
        &self,
        root: Node<'_>,
        object: Node<'_>,
        found: &mut dyn FnMut(usize, Place),
    ) -> Result<(), RequestError> {
        let mut next = 0;
        for (place, value) in object.keys() {
            let key = object.key_bytes(place);
            let Some(index) = self.find(next, key) else {
                if key == b"_meta" {
                    continue;
                }
                let unknown = self.unknown(object.key(place));
                return Err(unknown.at(root.path_to(value.place()).0));
            };
            next = index + 1;
            found(index, value.place());
            if let Some(Field(_, Some(shape))) = self.0.get(index) {
                for item in value.items() {
                    shape.walk(root, item, &mut |_, _| {})?;
                }
            }
        }
        Ok(())
    }

    /// The place of the field of that name. Names mostly come in the order of the shape, so it is first sought where it is
    /// expected.
    #[inline(always)]
    fn find(&self, expected: usize, name: &[u8]) -> Option<usize> {
        match self.0.get(expected) {
            Some(field) if is_same_name(field.0.as_bytes(), name) => Some(expected),
            Some(_) | None => self.search(name),
        }
    }

    #[inline(never)]
    fn search(&self, name: &[u8]) -> Option<usize> {
        self.0.iter().position(|field| is_same_name(field.0.as_bytes(), name))
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
            Some(near) => words!["There is no field ", Quoted(shown), "; did you mean ", Quoted(near), "?"],
            None => words!["There is no field ", Quoted(shown), "; leave it out."],
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
    /// What it was checked against.
    shape: &'static Shape,
}

impl<'d> Fields<'d> {
    /// An object that may have any fields.
    pub(crate) const fn new(params: Option<Node<'d>>) -> Self {
        Self::within(params, params)
    }

    const fn within(params: Option<Node<'d>>, object: Option<Node<'d>>) -> Self {
        static ANY: Shape = Shape(&[]);
        Self { object, params, shape: &ANY }
    }

    /// Refuses a field that the shape does not have, here or in the objects below, in the order in which they stand.
    pub(crate) fn check(&mut self, shape: &'static Shape) -> Result<(), RequestError> {
        let Some(object) = self.object else { return Ok(()) };
        self.shape = shape;
        let index = object.index(shape.address());
        shape.walk(self.params.unwrap_or(object), object, &mut |field, value| index.put(field, value))
    }

    /// An item of a list within, which must be an object.
    pub(crate) fn item(&self, item: Node<'d>) -> Result<Self, RequestError> {
        let fields = Self::within(self.params, Some(item));
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
        let object = self.object?;
        let Some(index) = object.indexed(self.shape.address()) else { return object.get(name) };
        match self.shape.find(index.expected(), name.as_bytes()) {
            Some(field) if field < Index::MOST => object.numbered(index, field),
            Some(_) | None => object.get(name),
        }
    }

    /// The object as it came, as JSON.
    pub(crate) fn to_json(self) -> String {
        let mut out = String::new();
        if let Some(object) = self.object {
            object.write(&mut out);
        }
        out
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
        Fault::new(Code::MissingField, words!["Give ", Quoted(name), "."]).at(self.path(name).0)
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
        Ok(Self::within(self.params, Some(object)))
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
    Fault::new(Code::WrongType, words!["Give ", wanted, " instead of ", given, "."])
}

pub(crate) fn expect_object(value: Node<'_>) -> Result<(), Fault> {
    if value.kind() == Type::Object { Ok(()) } else { Err(wrong_type(value, Type::Object)) }
}
