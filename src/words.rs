//! Sentences put together from texts and numbers. The formatting of the standard library would do the same, at the price of
//! a twelfth of what the modal weighs in a page.

use crate::json::ToJson;
use crate::text::{Mode, display_safe};
use alloc::borrow::Cow;
use alloc::string::String;

/// What sentences are made of.
pub(crate) trait Part {
    fn add(&self, out: &mut String);
}

impl<P: Part + ?Sized> Part for &P {
    fn add(&self, out: &mut String) {
        (**self).add(out);
    }
}

impl Part for str {
    fn add(&self, out: &mut String) {
        out.push_str(self);
    }
}

impl Part for String {
    fn add(&self, out: &mut String) {
        out.push_str(self);
    }
}

impl Part for Cow<'_, str> {
    fn add(&self, out: &mut String) {
        out.push_str(self);
    }
}

/// In decimal digits.
impl Part for usize {
    fn add(&self, out: &mut String) {
        self.write_json(out);
    }
}

/// A text of somebody else's, in quotes and made safe to show.
pub(crate) struct Quoted<T>(pub(crate) T);

impl<T: AsRef<str>> Part for Quoted<T> {
    fn add(&self, out: &mut String) {
        let mut text = String::from('"');
        for c in self.0.as_ref().chars() {
            if matches!(c, '"' | '\\') {
                text.push('\\');
            }
            text.push(c);
        }
        text.push('"');
        out.push_str(&display_safe(&text, Mode::Line).text);
    }
}

/// A text made of parts.
macro_rules! words {
    ($($part:expr),+ $(,)?) => {{
        let mut out = alloc::string::String::new();
        $($crate::words::Part::add(&$part, &mut out);)+
        out
    }};
}

pub(crate) use words;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_stand_as_they_are() {
        assert_eq!(
            words!["Give at most ", 1_024_usize, " bytes", String::from("."), Cow::Borrowed("")],
            "Give at most 1024 bytes."
        );
    }

    #[test]
    fn what_is_quoted_can_neither_end_its_quotes_nor_hide_anything() {
        assert_eq!(words![Quoted(r#"a"b\c"#)], r#""a\"b\\c""#);
        assert_eq!(words![Quoted("a\u{202E}b\nc\u{200B}")], r#""a\u{202E}b\u{A}c\u{200B}""#);
        assert_eq!(words![Quoted("höher")], r#""höher""#);
    }
}
