//! The table in the documentation of `state` is the one that the code follows.

use askgate::answer::OutcomeKind;
use askgate::state::{Phase, Refusal, Transition, Trigger, next};

const TRIGGERS: [(Trigger, &str); 9] = [
    (Trigger::Acknowledge, "acknowledge"),
    (Trigger::Back, "back"),
    (Trigger::Answer, "answer"),
    (Trigger::Misanswer, "misanswer"),
    (Trigger::Decline, "decline"),
    (Trigger::Cancel, "cancel"),
    (Trigger::Deadline, "deadline"),
    (Trigger::SurfaceLost, "surface lost"),
    (Trigger::AskerGone, "asker gone"),
];

const PENDING: [(Phase, &str); 3] = [
    (Phase::Pending, "pending"),
    (Phase::Command { armed: false }, "pending command"),
    (Phase::Command { armed: true }, "pending command, armed"),
];

fn cell(transition: Transition) -> String {
    match transition {
        Transition::Arm => "arms".into(),
        Transition::Disarm => "disarms".into(),
        Transition::End(kind) => format!("ends: {kind}"),
        Transition::Refuse(Refusal::AlreadyResolved) => "refused: already resolved".into(),
        Transition::Refuse(Refusal::NotACommand) => "refused: not a command".into(),
        Transition::Refuse(Refusal::NotAcknowledged) => "refused: not acknowledged".into(),
    }
}

fn row(name: &str, cells: impl Iterator<Item = String>) -> String {
    let cells: Vec<String> = cells.collect();
    format!("| {name} | {} |\n", cells.join(" | "))
}

fn table() -> String {
    let mut out = String::from("| | ");
    out.push_str(&TRIGGERS.map(|(_, name)| name).join(" | "));
    out.push_str(" |\n|");
    out.push_str(&"---|".repeat(TRIGGERS.len() + 1));
    out.push('\n');
    let done = (Phase::Done(OutcomeKind::Answered), "done");
    for (phase, name) in PENDING.into_iter().chain([done]) {
        out.push_str(&row(name, TRIGGERS.iter().map(|(trigger, _)| cell(next(phase, *trigger)))));
    }
    out
}

#[test]
fn the_documented_table_is_the_one_that_is_followed() {
    let source = include_str!("../src/state.rs");
    let (_, after) = source.split_once("<!-- transitions -->\n").expect("the opening marker");
    let (documented, _) = after.split_once("//! <!-- /transitions -->").expect("the closing marker");
    let documented: String =
        documented.lines().map(|line| format!("{}\n", line.trim_start_matches("//! "))).collect();
    let printed = table();
    println!("{printed}");
    assert_eq!(documented, printed);
}

#[test]
fn after_any_end_everything_is_refused() {
    for kind in OutcomeKind::ALL {
        for (trigger, name) in TRIGGERS {
            assert_eq!(
                next(Phase::Done(kind), trigger),
                Transition::Refuse(Refusal::AlreadyResolved),
                "{name} after {kind}"
            );
        }
    }
}
