//! The published schema of the `ask` tool and the parser say the same, save for what a schema cannot say.

use askgate::dialect::session::{ASK_TOOL, parse_questions};
use askgate::error::{Code, RequestError};
use askgate::limits::Limits;
use askgate_peers::forms::{asked, questions};
use jsonschema::Validator;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Value, json};
use std::sync::LazyLock;

/// Rules that the parser has and a schema cannot say: the code, the field that the path ends in, and an example that
/// the schema lets through, as it travels.
const BEYOND_A_SCHEMA: [(&str, Code, &str, &str); 13] = [
    (
        "an id is not blank",
        Code::InvalidValue,
        "id",
        r#"{"questions":[{"id":" ","question":"?","options":[]}]}"#,
    ),
    (
        "a question is not blank",
        Code::InvalidValue,
        "question",
        r#"{"questions":[{"id":"q","question":"\u0085","options":[]}]}"#,
    ),
    (
        "a label is not blank",
        Code::InvalidValue,
        "label",
        r#"{"questions":[{"id":"q","question":"?","options":[{"label":"\t"}]}]}"#,
    ),
    (
        "ids are unique once trimmed",
        Code::Duplicate,
        "id",
        r#"{"questions":[{"id":"q","question":"?","options":[]},{"id":"q ","question":"?","options":[]}]}"#,
    ),
    (
        "labels are unique once trimmed",
        Code::Duplicate,
        "label",
        r#"{"questions":[{"id":"q","question":"?","options":[{"label":"a"},{"label":" a"}]}]}"#,
    ),
    (
        "multi needs options",
        Code::InvalidValue,
        "multi",
        r#"{"questions":[{"id":"q","question":"?","options":[],"multi":true}]}"#,
    ),
    (
        "recommended is an index into the options",
        Code::InvalidValue,
        "recommended",
        r#"{"questions":[{"id":"q","question":"?","options":[{"label":"a"}],"recommended":1}]}"#,
    ),
    ("an id has a length in bytes", Code::TooLong, "id", ""),
    ("a header has a length in bytes", Code::TooLong, "header", ""),
    ("a question has a length in bytes", Code::TooLong, "question", ""),
    ("a label has a length in bytes", Code::TooLong, "label", ""),
    ("a description has a length in bytes", Code::TooLong, "description", ""),
    (
        "no object names a key twice",
        Code::DuplicateKey,
        "id",
        r#"{"questions":[{"id":"p","id":"q","question":"?","options":[]}]}"#,
    ),
];

static SCHEMA: LazyLock<Validator> = LazyLock::new(|| {
    let tool: Value = serde_json::from_str(ASK_TOOL).unwrap();
    jsonschema::draft202012::new(&tool["inputSchema"]).unwrap()
});

fn parse(request: &str) -> Result<(), RequestError> {
    parse_questions(request, &Limits::DEFAULT).map(|_| ())
}

/// The field that a path ends in.
fn field(error: &RequestError) -> &str {
    error.path().rsplit('/').next().unwrap_or_default()
}

fn is_beyond_a_schema(error: &RequestError) -> bool {
    BEYOND_A_SCHEMA.iter().any(|(_, code, name, _)| *code == error.code() && *name == field(error))
}

/// A request whose only fault is that one text is a byte too long.
fn too_long(name: &str) -> String {
    let limits = Limits::DEFAULT;
    let most = match name {
        "id" => limits.id_bytes,
        "header" | "label" => limits.label_bytes,
        "question" => limits.question_bytes,
        _ => limits.description_bytes,
    };
    let text = |field: &str| if field == name { "x".repeat(most + 1) } else { "x".into() };
    json!({ "questions": [{ "id": text("id"), "header": text("header"), "question": text("question"),
        "options": [{ "label": text("label"), "description": text("description") }] }] })
    .to_string()
}

#[test]
fn each_rule_beyond_the_schema_is_the_parsers_alone() {
    for (rule, code, name, example) in BEYOND_A_SCHEMA {
        let example = if example.is_empty() { too_long(name) } else { example.to_owned() };
        let value: Value = serde_json::from_str(&example).unwrap();
        assert!(SCHEMA.is_valid(&value), "the schema can say that {rule}");
        let error = parse(&example).expect_err(rule);
        assert_eq!((error.code(), field(&error)), (code, name), "{rule}");
    }
}

/// A request with one value set, by the pointer to it.
fn with(place: &str, value: Value) -> Value {
    let question =
        |id: usize| json!({ "id": id.to_string(), "question": "?", "options": [{ "label": "a" }] });
    let mut request = json!({ "questions": [question(0)] });
    match (place, value) {
        ("questions", Value::Number(count)) => {
            let count = usize::try_from(count.as_u64().unwrap()).unwrap();
            request["questions"] = (0..count).map(question).collect();
        }
        ("options", Value::Number(count)) => {
            let options = (0..count.as_u64().unwrap()).map(|n| json!({ "label": n.to_string() }));
            request["questions"][0]["options"] = options.collect();
        }
        (place, value) => {
            let (parent, name) = place.rsplit_once('/').unwrap();
            request.pointer_mut(parent).unwrap()[name] = value;
        }
    }
    request
}

#[test]
fn both_draw_each_bound_at_the_same_place() {
    const MOST: u64 = 9_007_199_254_740_991;
    for (place, inside, outside) in [
        ("questions", vec![json!(1), json!(8)], vec![json!(0), json!(9)]),
        ("options", vec![json!(0), json!(20)], vec![json!(21)]),
        (
            "/timeout_ms",
            vec![json!(1), json!(1000.0), json!(MOST)],
            vec![json!(0), json!(-1), json!(1.5), json!(MOST + 1), json!("1"), Value::Null],
        ),
        (
            "/questions/0/recommended",
            vec![json!(0), json!(0.0)],
            vec![json!(-1), json!(0.5), json!("0"), Value::Null],
        ),
        ("/questions/0/multi", vec![json!(true), json!(false)], vec![json!(1), Value::Null]),
        ("/questions/0/header", vec![json!(""), json!("x")], vec![json!(1), Value::Null]),
        ("/questions/0/id", vec![json!("x")], vec![json!(""), json!(1), Value::Null]),
        ("/questions/0/question", vec![json!("x")], vec![json!(""), json!(1), Value::Null]),
        ("/questions/0/options/0/label", vec![json!("x")], vec![json!(""), json!(1), Value::Null]),
        ("/questions/0/options/0/description", vec![json!(""), json!("x")], vec![json!(1), Value::Null]),
        ("/questions/0/options/0/_meta", vec![json!(1), Value::Null], vec![]),
        ("/questions/0/_meta", vec![json!({ "a": [] })], vec![]),
        ("/_meta", vec![json!("x")], vec![]),
        ("/session_key", vec![], vec![json!("s")]),
        ("/questions/0/custom", vec![], vec![json!(true)]),
        ("/questions/0/options/0/id", vec![], vec![json!("x")]),
    ] {
        let outside = outside.into_iter().map(|value| (value, false));
        for (value, fits) in inside.into_iter().map(|value| (value, true)).chain(outside) {
            let request = with(place, value);
            assert_eq!(SCHEMA.is_valid(&request), fits, "the schema, {place}: {request}");
            assert_eq!(parse(&request.to_string()).is_ok(), fits, "the parser, {place}: {request}");
        }
    }
}

#[test]
fn the_seeds_example_fits() {
    let example = r#"{"questions":[{"id":"approach","question":"Which approach should I use?",
        "options":[{"label":"Small change"},{"label":"Full refactor"}],"recommended":0}],"timeout_ms":120000}"#;
    assert!(SCHEMA.is_valid(&serde_json::from_str(example).unwrap()));
    assert!(parse(example).is_ok());
}

#[test]
fn the_tool_warns_of_secrets_and_promises_no_selection() {
    let tool: Value = serde_json::from_str(ASK_TOOL).unwrap();
    assert_eq!(tool["name"], "ask");
    let description = tool["description"].as_str().unwrap();
    assert!(description.contains("Do not use this tool to ask for credentials or secrets."));
    assert!(description.contains("never selected for them"));
}

/// One change to a request, at a place picked among all its values.
#[derive(Debug, Clone)]
enum Change {
    Replace(Value),
    Remove,
    Add(&'static str, Value),
    /// Repeats an item of a list that many times.
    Repeat(usize),
}

fn change() -> impl Strategy<Value = Change> {
    const NAMES: [&str; 9] = [
        "_meta",
        "lable",
        "Id",
        "multi",
        "recommended",
        "timeout_ms",
        "description",
        "header",
        "session_key",
    ];
    let value = select(vec![
        json!(null),
        json!(true),
        json!(false),
        json!(0),
        json!(1),
        json!(-1),
        json!(1.5),
        json!(1000.0),
        json!(-0.0),
        json!(9_007_199_254_740_991_u64),
        json!(9_007_199_254_740_992_u64),
        json!(1e300),
        json!(""),
        json!(" \u{85}\u{2003}"),
        json!("x"),
        json!("x".repeat(4_097)),
        json!([]),
        json!(["x"]),
        json!([{}]),
        json!([{ "label": "x" }]),
        json!({}),
    ]);
    prop_oneof![
        3 => value.clone().prop_map(Change::Replace),
        2 => Just(Change::Remove),
        2 => (select(&NAMES[..]), value).prop_map(|(name, value)| Change::Add(name, value)),
        1 => (1_usize..24).prop_map(Change::Repeat),
    ]
}

/// The JSON pointers of all values.
fn places(value: &Value, here: &str, all: &mut Vec<String>) {
    all.push(here.into());
    let below = |step: String| format!("{here}/{}", step.replace('~', "~0").replace('/', "~1"));
    match value {
        Value::Object(fields) => fields.iter().for_each(|(key, it)| places(it, &below(key.clone()), all)),
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, it)| places(it, &below(index.to_string()), all));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn apply(request: &mut Value, place: Index, change: Change) {
    let mut all = Vec::new();
    places(request, "", &mut all);
    let place = place.get(&all).clone();
    match change {
        Change::Replace(value) => *request.pointer_mut(&place).unwrap() = value,
        Change::Add(name, value) => {
            if let Some(fields) = request.pointer_mut(&place).unwrap().as_object_mut() {
                fields.insert(name.into(), value);
            }
        }
        Change::Remove => {
            let Some((parent, step)) = place.rsplit_once('/') else { return };
            match request.pointer_mut(parent).unwrap() {
                Value::Object(fields) => drop(fields.shift_remove(step)),
                Value::Array(items) => drop(items.remove(step.parse().unwrap())),
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
            }
        }
        Change::Repeat(times) => {
            if let Some(items) = request.pointer_mut(&place).unwrap().as_array_mut() {
                let Some(item) = items.first().cloned() else { return };
                items.extend(std::iter::repeat_n(item, times));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn the_schema_and_the_parser_agree(
        asked in asked(),
        timeout in option::of(1..=9_007_199_254_740_991_u64),
        changes in vec((any::<Index>(), change()), 0..4),
    ) {
        let mut request = json!({ "questions": questions(&asked) });
        if let Some(timeout) = timeout {
            request["timeout_ms"] = json!(timeout);
        }
        let untouched = changes.is_empty();
        for (place, change) in changes {
            apply(&mut request, place, change);
        }
        let parsed = parse(&request.to_string());
        prop_assert!(!untouched || parsed.is_ok(), "{parsed:?}");
        match (SCHEMA.validate(&request), parsed) {
            (Ok(()), Ok(())) | (Err(_), Err(_)) => {}
            (Ok(()), Err(error)) => prop_assert!(is_beyond_a_schema(&error), "only the parser refuses: {error}"),
            (Err(error), Ok(())) => prop_assert!(false, "only the schema refuses: {error}"),
        }
    }
}
