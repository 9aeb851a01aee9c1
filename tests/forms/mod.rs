//! Forms that are valid, with a valid answer to each question, and texts that break careless encodings.

use proptest::collection::{btree_set, vec};
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// Texts that have broken encodings, maps and displays elsewhere.
pub const HOSTILE: [&str; 24] = [
    "a, b",
    "\"quoted\", \"twice\"",
    "it's \\ a \\\" path",
    "__proto__",
    "constructor",
    "toString",
    "hasOwnProperty",
    "0",
    "10",
    "-1",
    "1e3",
    "null",
    "true",
    "declined",
    "accept",
    "question_0",
    "question_0_custom",
    "\u{202E}gnp.exe",
    "a\u{200B}b\u{FEFF}",
    "\u{1F469}\u{200D}\u{1F4BB} \u{1F1E9}\u{1F1EA}",
    "\u{10FFFF}\u{FFFD}\u{FFFF}",
    "line\nbreak\r\n\ttab \u{2028}\u{2029}",
    "\u{0}\u{1B}[31m\u{7F}\u{85}",
    " leading and trailing ",
];

/// An option as it is offered.
#[derive(Debug, Clone)]
pub struct Choice {
    pub label: String,
    pub description: Option<String>,
}

/// A question, and a valid answer to it.
#[derive(Debug, Clone)]
pub struct Asked {
    pub id: String,
    pub header: Option<String>,
    pub question: String,
    pub options: Vec<Choice>,
    pub multi: Option<bool>,
    pub recommended: Option<usize>,
    /// Indexes of the options selected, ascending.
    pub selected: Vec<usize>,
    pub custom: Option<String>,
}

/// Any text with something in it that is not white space.
pub fn text() -> impl Strategy<Value = String> {
    let any = vec(any::<char>(), 1..12).prop_map(String::from_iter);
    prop_oneof![3 => select(&HOSTILE[..]).prop_map(String::from), 1 => "[a-z]{1,8}", 2 => any]
        .prop_filter("not blank", |text| !text.trim().is_empty())
}

/// Texts that differ also once they are trimmed.
fn distinct(most: usize) -> impl Strategy<Value = Vec<String>> {
    vec(text(), 0..=most).prop_map(|texts| {
        let mut seen = BTreeSet::new();
        texts.into_iter().filter(|text| seen.insert(text.trim().to_owned())).collect()
    })
}

/// A form of one to eight questions.
pub fn asked() -> impl Strategy<Value = Vec<Asked>> {
    let some = distinct(8).prop_filter("one at least", |ids| !ids.is_empty());
    some.prop_flat_map(|ids| ids.into_iter().map(question).collect::<Vec<_>>())
}

fn question(id: String) -> impl Strategy<Value = Asked> {
    let options = prop_oneof![1 => Just(Vec::new()).boxed(), 4 => distinct(20).boxed()];
    let hints = (option::of(text()), text(), vec(option::of(text()), 20), any::<Option<bool>>());
    let picks = (any::<Option<Index>>(), btree_set(any::<u8>(), 1..6), text(), any::<bool>());
    (options, hints, picks).prop_map(move |(labels, hints, picks)| {
        let (header, question, descriptions, multi) = hints;
        let (recommended, selected, words, own) = picks;
        let count = labels.len();
        let multi = multi.filter(|multi| count > 0 || !multi);
        let mut selected: Vec<usize> = if count == 0 {
            Vec::new()
        } else {
            selected
                .into_iter()
                .map(|n| usize::from(n) % count)
                .collect::<BTreeSet<_>>()
                .into_iter()
                .collect()
        };
        let several = multi == Some(true);
        if !several {
            selected.truncate(usize::from(!own));
        }
        let custom = (own || count == 0).then_some(words);
        let options = labels.into_iter().zip(descriptions);
        Asked {
            id: id.clone(),
            header,
            question,
            options: options.map(|(label, description)| Choice { label, description }).collect(),
            multi,
            recommended: recommended.filter(|_| count > 0).map(|index| index.index(count)),
            selected,
            custom,
        }
    })
}

impl Asked {
    /// The question as `sessions.prompt.request` takes it.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let mut question = json!({ "id": self.id });
        let mut set = |key: &str, value: Option<Value>| {
            if let (Some(map), Some(value)) = (question.as_object_mut(), value) {
                map.insert(key.into(), value);
            }
        };
        set("header", self.header.as_ref().map(|text| json!(text)));
        set("question", Some(json!(self.question)));
        let options = self.options.iter().map(|option| match &option.description {
            Some(description) => json!({ "label": option.label, "description": description }),
            None => json!({ "label": option.label }),
        });
        set("options", Some(options.collect()));
        set("multi", self.multi.map(|multi| json!(multi)));
        set("recommended", self.recommended.map(|index| json!(index)));
        question
    }

    fn is_multi(&self) -> bool {
        self.multi == Some(true)
    }

    fn labels(&self) -> Vec<&str> {
        self.selected.iter().map(|index| self.options[*index].label.as_str()).collect()
    }

    /// The answer as `sessions.prompt.resolve` takes it, which is also how the tool's result gives it.
    #[must_use]
    pub fn answer(&self) -> Value {
        match &self.custom {
            Some(custom) => json!({ "id": self.id, "selected": self.labels(), "custom": custom }),
            None => json!({ "id": self.id, "selected": self.labels() }),
        }
    }
}

/// The `questions` of a request.
#[must_use]
pub fn questions(asked: &[Asked]) -> Value {
    asked.iter().map(Asked::to_json).collect()
}

/// The answers to all, in question order.
#[must_use]
pub fn answers(asked: &[Asked]) -> Value {
    asked.iter().map(Asked::answer).collect()
}

/// The content of a response that accepts with these answers (spec 9.2).
#[must_use]
pub fn content(asked: &[Asked]) -> Map<String, Value> {
    let mut content = Map::new();
    for (index, question) in asked.iter().enumerate() {
        let labels = question.labels();
        let value = match (&question.custom, question.is_multi(), labels.first()) {
            (Some(custom), _, _) if question.options.is_empty() => Some(json!(custom)),
            (_, true, Some(_)) => Some(json!(labels)),
            (_, _, first) => first.map(|label| json!(label)),
        };
        content.extend(value.map(|value| (format!("question_{index}"), value)));
        let beside = question.custom.as_ref().filter(|_| !question.options.is_empty());
        content.extend(beside.map(|text| (format!("question_{index}_custom"), json!(text))));
    }
    content
}

/// A form of every kind of question, for tests of one case: a single choice, a multiple one, a free text.
#[must_use]
pub fn of_each_kind() -> Vec<Asked> {
    let choice = |label: &str, description: Option<&str>| Choice {
        label: label.into(),
        description: description.map(String::from),
    };
    let question = |id: &str, options: Vec<Choice>| Asked {
        id: id.into(),
        header: None,
        question: format!("Which {id}?"),
        options,
        multi: None,
        recommended: None,
        selected: Vec::new(),
        custom: None,
    };
    vec![
        Asked {
            header: Some("Approach".into()),
            recommended: Some(1),
            selected: vec![0],
            ..question(
                "approach",
                vec![choice("Small change", Some("One file")), choice("Full refactor", None)],
            )
        },
        Asked {
            multi: Some(true),
            selected: vec![0, 2],
            custom: Some("and the docs".into()),
            ..question("parts", vec![choice("a, b", None), choice("__proto__", None), choice("10", None)])
        },
        Asked { custom: Some("  as it came ".into()), ..question("name", Vec::new()) },
    ]
}
