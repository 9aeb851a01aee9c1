//! The scenario runner can fail: each way in which what came may differ from what is expected is told.

mod scenarios;

use scenarios::matching::Captures;
use scenarios::record::Record;
use serde_json::{Value, json};

fn compare(expected: Value, got: Value) -> Result<(), String> {
    Captures::default().compare(&expected, &got)
}

#[track_caller]
fn equal(expected: Value, got: Value) {
    compare(expected, got).unwrap();
}

#[track_caller]
fn differs(expected: Value, got: Value, error: &str) {
    assert_eq!(compare(expected, got).unwrap_err(), error);
}

#[test]
fn equal_values_are_equal() {
    equal(
        json!({ "a": [1, null, true, "x", { "b": -2 }], "c": {} }),
        json!({ "c": {}, "a": [1, null, true, "x", { "b": -2 }] }),
    );
}

#[test]
fn a_wrong_value_differs() {
    differs(json!(1), json!(2), "expected 1 got 2");
    differs(json!(1), json!("1"), r#"expected 1 got "1""#);
    differs(json!(1), json!(1.0), "expected 1 got 1.0");
    differs(json!(0), json!(false), "expected 0 got false");
    differs(json!(null), json!({}), "expected null got {}");
    differs(
        json!({ "a": [{ "b": "x" }] }),
        json!({ "a": [{ "b": "y" }] }),
        r#"at /a/0/b: expected "x" got "y""#,
    );
}

#[test]
fn a_missing_or_additional_field_differs() {
    differs(json!({ "a": 1, "b": 2 }), json!({ "a": 1 }), r#"expected {"a":1,"b":2} got {"a":1}"#);
    differs(json!({ "a": 1 }), json!({ "a": 1, "b": 2 }), r#"expected {"a":1} got {"a":1,"b":2}"#);
    differs(json!({ "a": "$any" }), json!({}), r#"expected {"a":"$any"} got {}"#);
    differs(json!({ "a": null }), json!({}), r#"expected {"a":null} got {}"#);
}

#[test]
fn a_missing_additional_or_moved_item_differs() {
    differs(json!([1, 2]), json!([1]), "expected [1,2] got [1]");
    differs(json!([1]), json!([1, 2]), "expected [1] got [1,2]");
    differs(json!([]), json!(["$any"]), r#"expected [] got ["$any"]"#);
    differs(json!([1, 2]), json!([2, 1]), "at /0: expected 1 got 2");
}

#[test]
fn any_matches_any_one_value() {
    for value in [json!(null), json!(1), json!("x"), json!([]), json!({ "a": 1 })] {
        equal(json!({ "a": "$any" }), json!({ "a": value }));
    }
    differs(json!("$anything"), json!("x"), r#"expected "$anything" got "x""#);
}

#[test]
fn a_prefix_matches_longer_strings_alone() {
    equal(json!("$prefix:invalid_value: /kind: "), json!("invalid_value: /kind: Give another."));
    equal(json!("$prefix:a"), json!("a"));
    differs(json!("$prefix:ab"), json!("a"), r#"expected "$prefix:ab" got "a""#);
    differs(json!("$prefix:a"), json!("ba"), r#"expected "$prefix:a" got "ba""#);
    differs(json!("$prefix:"), json!(1), r#"expected "$prefix:" got 1"#);
}

#[test]
fn a_captured_value_must_come_again() {
    equal(json!(["$=id", "$=id", "$=other"]), json!([{ "n": 1 }, { "n": 1 }, 2]));
    differs(json!(["$=id", "$=id"]), json!([1, 2]), "at /1: expected 1 got 2");
    let mut captures = Captures::default();
    captures.compare(&json!({ "id": "$=id" }), &json!({ "id": "req:1" })).unwrap();
    assert_eq!(
        captures.compare(&json!("$=id"), &json!("req:2")).unwrap_err(),
        r#"expected "req:1" got "req:2""#
    );
}

#[test]
fn a_doubled_dollar_is_one() {
    equal(json!("$$any"), json!("$any"));
    equal(json!("$/cancel_request"), json!("$/cancel_request"));
    differs(json!("$$any"), json!("x"), r#"expected "$$any" got "x""#);
    differs(json!("$$any"), json!("$$any"), r#"expected "$$any" got "$$any""#);
}

#[test]
fn what_is_sent_has_captured_values_and_nothing_else_replaced() {
    let mut captures = Captures::default();
    captures.compare(&json!("$=id"), &json!(7)).unwrap();
    let sent = json!({ "a": ["$=id", "$any", "$$x", "$prefix:y"], "$=id": 1 });
    assert_eq!(captures.fill(&sent).unwrap(), json!({ "a": [7, "$any", "$$x", "$prefix:y"], "$=id": 1 }));
    assert_eq!(captures.fill(&json!("$=none")).unwrap_err(), r#"nothing was captured as "none""#);
}

/// Plays a scenario and gives all that was recorded.
fn play(scenario: &Value) -> Result<Vec<(usize, String)>, String> {
    let mut record = Record::default();
    scenarios::play(&scenario.to_string(), &mut record)?;
    Ok(record.lines)
}

#[track_caller]
fn fails(scenario: &Value, error: &str) {
    let failed = play(scenario).unwrap_err();
    assert!(failed.starts_with(error), "{failed}");
}

fn shown() -> Value {
    json!({ "to": "web", "line": { "method": "askUserEvent", "params": { "kind": "shown", "seq": 1, "request": {
        "request_id": "req:1", "surface_id": "s", "kind": "yesno", "title": "Go?", "created_at": 0 } } } })
}

fn asking(expect: Value) -> Value {
    json!({ "name": "an ask", "kind": "endpoint", "steps": [
        { "connect": "agent" },
        { "connect": "web", "observer": true },
        { "from": "agent", "send": { "id": 1, "method": "agent.ask_user",
            "params": { "surface_id": "s", "kind": "yesno", "title": "Go?" } }, "expect": expect },
    ] })
}

#[test]
fn an_endpoint_scenario_passes_with_what_the_library_gave_alone() {
    let lines = play(&asking(json!([shown()]))).unwrap();
    let [(2, line)] = &lines[..] else { panic!("{lines:?}") };
    assert!(
        line.starts_with(r#"{"to":"web","line":{"method":"askUserEvent","params":{"kind":"shown","seq":1,"#),
        "{line}"
    );
    fails(&asking(json!([])), "step 2: expected [] got [");
    fails(&asking(json!([shown(), shown()])), "step 2: expected [");
    let mut other = shown();
    other["to"] = json!("agent");
    fails(&asking(json!([other])), r#"step 2: at /0/to: expected "agent" got "web""#);
    let mut other = shown();
    other["line"]["params"]["seq"] = json!(2);
    fails(&asking(json!([other])), "step 2: at /0/line/params/seq: expected 2 got 1");
    let mut scenario = asking(json!([shown()]));
    scenario["steps"][2].as_object_mut().unwrap().remove("expect");
    fails(&scenario, "step 2: expected [] got [");
}

#[test]
fn a_file_that_says_what_no_runner_knows_fails() {
    let with = |path: &str, value: Value| {
        let mut scenario = asking(json!([shown()]));
        let (parent, name) = path.rsplit_once('/').unwrap();
        scenario.pointer_mut(parent).unwrap()[name] = value;
        scenario
    };
    fails(&with("/kind", json!("none")), r#"no runner knows the kind "none""#);
    fails(&with("/comment", json!("x")), r#"the scenario has a field that is not known: "comment""#);
    fails(&with("/config", json!({ "limit": {} })), r#"config has a field that is not known: "limit""#);
    fails(&with("/config", json!({ "limits": { "lines": 1 } })), r#"no limit is "lines""#);
    fails(
        &with("/steps/1/observe", json!(true)),
        r#"step 1: the step has a field that is not known: "observe""#,
    );
    fails(&with("/steps/1/poll", json!(true)), r#"step 1: the step has a field that is not known: "poll""#);
    fails(&with("/steps/2/from", json!("nobody")), r#"step 2: "nobody" is not open"#);
    let idle = json!({ "name": "no action", "kind": "endpoint", "steps": [{ "at": 1 }] });
    fails(&idle, "step 0: the step has no action that is known");
    fails(&json!({ "kind": "endpoint", "steps": [] }), r#"the scenario has no "name""#);
    let twice = r#"{"name":"x","name":"y","kind":"endpoint","steps":[]}"#;
    assert!(
        scenarios::play(twice, &mut Record::default()).unwrap_err().starts_with(r#"the key "name" twice"#)
    );
}

#[test]
fn a_gate_scenario_fails_by_its_result_and_by_its_events() {
    let ask = |result: Value, expect: Value| {
        let request = json!({ "surface_id": "s", "kind": "yesno", "title": "Go?" });
        json!({ "name": "an ask", "kind": "gate", "steps": [
            { "ask": { "dialect": "agent", "request": request }, "result": result, "expect": expect } ] })
    };
    let shown = json!([{ "shown": { "seq": 1, "prompt": 1 } }]);
    let lines = play(&ask(json!({ "prompt": 1 }), shown.clone())).unwrap();
    assert_eq!(lines, [(0, r#"{"prompt":1}"#.into()), (0, r#"{"shown":{"prompt":1,"seq":1}}"#.into())]);
    fails(&ask(json!({ "prompt": 2 }), shown.clone()), "step 0: at /prompt: expected 2 got 1");
    fails(&ask(json!({ "error": "busy" }), shown), "step 0: expected");
    fails(&ask(json!({ "prompt": 1 }), json!([])), "step 0: expected [] got");
}

#[test]
fn a_mirror_scenario_fails_by_head_count_and_total() {
    let push = |checks: Value| {
        let request = json!({ "request_id": "req:1", "surface_id": "s", "kind": "yesno", "title": "Go?", "created_at": 0 });
        let mut step = json!({ "push": { "kind": "shown", "seq": 1, "request": request } });
        step.as_object_mut().unwrap().extend(checks.as_object().unwrap().clone());
        json!({ "name": "a push", "kind": "mirror", "steps": [step] })
    };
    play(&push(json!({ "head": { "s": "req:1", "t": null }, "counts": { "s": 1, "t": 0 }, "total": 1 })))
        .unwrap();
    fails(&push(json!({ "head": { "s": "req:2" } })), r#"step 0: at /head/s: expected "req:2" got "req:1""#);
    fails(&push(json!({ "head": { "t": "req:1" } })), r#"step 0: at /head/t: expected "req:1" got null"#);
    fails(&push(json!({ "counts": { "s": 2 } })), "step 0: at /counts/s: expected 2 got 1");
    fails(&push(json!({ "total": 0 })), "step 0: at /total: expected 0 got 1");
}

#[test]
fn a_text_scenario_fails_by_text_and_by_flag() {
    let check = |check: Value| json!({ "name": "a check", "kind": "text", "checks": [check] });
    play(&check(json!({ "display_safe": "a", "mode": "line", "is": "a", "has_hidden": false }))).unwrap();
    fails(
        &check(json!({ "display_safe": "a", "mode": "line", "is": "b", "has_hidden": false })),
        r#"step 0: at /is: expected "b" got "a""#,
    );
    fails(
        &check(json!({ "display_safe": "a", "mode": "line", "is": "a", "has_hidden": true })),
        "step 0: at /has_hidden: expected true got false",
    );
    fails(
        &check(json!({ "cut": "abc", "unit": "bytes", "limit": 3, "is": "ab" })),
        r#"step 0: at /is: expected "ab" got "abc""#,
    );
}
