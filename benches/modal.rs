//! The modal: what an input costs, and a view of 20 options, against a plain struct that does the same for this one form
//! and nothing else: no other kinds, no guard, no checks, no text made safe.

mod common;

use askgate::form::Form;
use askgate::json::to_json;
use askgate::limits::Limits;
use askgate::modal::{Input, Key, KeyCode, Manner, Modal, ModalPrompt, Options};
use askgate::time::Millis;
use common::{Bench, Variant};
use std::fmt::Write;
use std::process::ExitCode;

const NOW: Millis = Millis(1_000_000);
const OPTIONS: usize = 20;

/// What one input may take, and a view, in nanoseconds.
const INPUT_MOST: f64 = 5_000.0;
const VIEW_MOST: f64 = 50_000.0;

fn main() -> ExitCode {
    let mut bench = Bench::from_env();
    inputs(&mut bench);
    views(&mut bench);
    bench.finish()
}

fn inputs(bench: &mut Bench) {
    let (mut modal, mut plain) = (multi(), Plain::new());
    let figures = bench.race(
        "arrow down in a list of 20",
        vec![
            Variant::new("modal", || modal.input(NOW, key(KeyCode::Down))),
            Variant::new("plain", || plain.down()),
        ],
    );
    bench.at_most("arrow, ns", figures.nanos(0), INPUT_MOST);

    let figures = bench.race(
        "an option toggled",
        vec![
            Variant::new("modal", || modal.input(NOW, key(KeyCode::Space))),
            Variant::new("plain", || plain.toggle()),
        ],
    );
    bench.at_most("toggle, ns", figures.nanos(0), INPUT_MOST);

    let mut modal = text();
    let figures = bench.race(
        "a letter typed and erased, in 60 letters",
        vec![
            Variant::new("modal", || {
                let _ = modal.input(NOW, key(KeyCode::Char('x')));
                modal.input(NOW, key(KeyCode::Backspace))
            }),
            Variant::new("plain", || {
                plain.type_in('x');
                plain.erase();
            }),
        ],
    );
    bench.at_most("letter and erasure, ns", figures.nanos(0), 2.0 * INPUT_MOST);
}

fn views(bench: &mut Bench) {
    let (modal, plain) = (multi(), Plain::new());
    assert_eq!(modal.view().controls.len(), OPTIONS + 3);
    let figures = bench.race(
        "view of 20 options with descriptions",
        vec![
            Variant::new("modal", || modal.view().controls.len()),
            Variant::new("plain", || plain.view().rows.len()),
        ],
    );
    bench.at_most("view, ns", figures.nanos(0), VIEW_MOST);
    bench.race("the same as JSON", vec![Variant::new("modal", || to_json(&modal.view()).len())]);
}

const fn key(code: KeyCode) -> Input<'static> {
    Input::Key(Key::new(code, askgate::modal::Mods::NONE))
}

fn modal(form: Form) -> Modal {
    let prompt =
        ModalPrompt { manner: Manner::Session, surface: None, attribution: None, form, deadline: None };
    Modal::new(prompt, Options { guard_ms: Some(0), ..Options::default() }, NOW)
}

fn label(n: usize) -> String {
    format!("Option number {n}")
}

fn description(n: usize) -> String {
    format!("what option {n} means, in a sentence of usual length")
}

fn form(options: &str, multi: bool) -> Form {
    let json = format!(
        r#"{{"questions":[{{"id":"a","question":"Which of these?","options":[{options}],"multi":{multi}}}]}}"#
    );
    askgate::dialect::session::parse_questions(&json, &Limits::DEFAULT).unwrap().0
}

fn multi() -> Modal {
    let options: Vec<String> = (0..OPTIONS)
        .map(|n| format!(r#"{{"label":"{}","description":"{}"}}"#, label(n), description(n)))
        .collect();
    modal(form(&options.join(","), true))
}

fn text() -> Modal {
    let mut modal = modal(form("", false));
    let _ = modal.input(NOW, Input::Paste(&"a letter or two ".repeat(4)[..60]));
    modal
}

/// The modal of one question as it is usually written.
struct Plain {
    options: Vec<(String, String)>,
    selected: Vec<bool>,
    cursor: usize,
    text: String,
}

/// What the plain one shows.
struct PlainView<'p> {
    rows: Vec<PlainRow<'p>>,
    #[allow(dead_code, reason = "it is made to be shown")]
    help: String,
}

#[allow(dead_code, reason = "it is made to be shown")]
struct PlainRow<'p> {
    label: &'p str,
    description: &'p str,
    checked: bool,
    focused: bool,
    hotkey: Option<char>,
}

impl Plain {
    fn new() -> Self {
        Self {
            options: (0..OPTIONS).map(|n| (label(n), description(n))).collect(),
            selected: vec![false; OPTIONS],
            cursor: 0,
            text: "a letter or two ".repeat(4)[..60].to_owned(),
        }
    }

    fn down(&mut self) -> usize {
        self.cursor = (self.cursor + 1) % self.options.len();
        self.cursor
    }

    fn toggle(&mut self) -> bool {
        self.selected[self.cursor] ^= true;
        self.selected[self.cursor]
    }

    fn type_in(&mut self, c: char) {
        self.text.push(c);
    }

    fn erase(&mut self) {
        self.text.pop();
    }

    fn view(&self) -> PlainView<'_> {
        let rows = self.options.iter().enumerate().map(|(n, (label, description))| PlainRow {
            label,
            description,
            checked: self.selected[n],
            focused: self.cursor == n,
            hotkey: u32::try_from(n + 1).ok().filter(|n| *n < 10).and_then(|n| char::from_digit(n, 10)),
        });
        let mut help = String::new();
        for (keys, does) in [("Space", "toggle"), ("Enter", "go on"), ("Up/Down", "move"), ("Esc", "decline")]
        {
            let _ = write!(help, "{keys} {does} · ");
        }
        PlainView { rows: rows.collect(), help }
    }
}
