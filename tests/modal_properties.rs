//! What holds for the modal after any inputs (spec 10): its invariants, that nothing but what the person chose or typed goes
//! out, and that the help line tells the truth.

use askgate::answer::{Answers, OutcomeKind};
use askgate::form::{Form, FormBuilder, QuestionKind};
use askgate::json::to_json;
use askgate::limits::Limits;
use askgate::modal::{
    Control, ControlId, Effect, Input, Key, KeyCode, Manner, Modal, ModalPrompt, Mods, Options, PhaseView,
    Style, Submission, View,
};
use askgate::time::Millis;
use proptest::prelude::*;
use proptest::sample::select;
use unicode_segmentation::UnicodeSegmentation;

/// One question of dialect B: its number of options (none asks for free text), and whether several may be selected.
type Shape = (usize, bool);

#[derive(Debug, Clone)]
enum Ask {
    YesNo { default: Option<&'static str>, danger: bool },
    Choice { options: usize, default: Option<usize> },
    Text { default: Option<&'static str> },
    Command,
    Form(Vec<Shape>),
}

impl Ask {
    fn prompt(&self) -> ModalPrompt {
        let limits = Limits::DEFAULT;
        let mut form = FormBuilder::new(&limits);
        let manner = match self {
            Self::Form(_) => Manner::Session,
            Self::YesNo { .. } | Self::Choice { .. } | Self::Text { .. } | Self::Command => Manner::Request,
        };
        match self {
            Self::YesNo { default, danger } => {
                form.open(QuestionKind::YesNo).unwrap();
                form.title("Go on?").unwrap();
                if let Some(default) = default {
                    form.default(default).unwrap();
                }
                form.danger(*danger);
            }
            Self::Choice { options, default } => {
                form.open(QuestionKind::Select { multi: false, custom: false }).unwrap();
                form.title("Which?").unwrap();
                form.options(*options).unwrap();
                for index in 0..*options {
                    form.choice(&label(index)).unwrap();
                }
                if let Some(index) = default {
                    form.default(&label(*index)).unwrap();
                }
            }
            Self::Text { default } => {
                form.open(QuestionKind::Text).unwrap();
                form.title("What?").unwrap();
                if let Some(default) = default {
                    form.default(default).unwrap();
                }
            }
            Self::Command => {
                form.open(QuestionKind::ConfirmCommand).unwrap();
                form.title("make clean").unwrap();
            }
            Self::Form(shapes) => {
                for (n, (options, multi)) in shapes.iter().enumerate() {
                    form.open(QuestionKind::Select { multi: false, custom: true }).unwrap();
                    form.id(&format!("q{n}")).unwrap();
                    form.question("Which?").unwrap();
                    form.options(*options).unwrap();
                    for index in 0..*options {
                        form.option(&label(index)).unwrap();
                    }
                    form.multi(*multi && *options > 0).unwrap();
                    if *options > 0 {
                        form.recommended(0).unwrap();
                    }
                }
            }
        }
        ModalPrompt { manner, surface: None, attribution: None, form: form.build().unwrap(), deadline: None }
    }
}

fn label(index: usize) -> String {
    format!("option {index}")
}

#[derive(Debug, Clone)]
enum Doing {
    Key(Key),
    Paste(&'static str),
    Activate(ControlId),
    SetText(&'static str),
    Focus(ControlId),
    Resize(usize),
    Wait(u64),
    Acknowledged,
    Reject(&'static str, &'static str),
    Close,
}

impl Doing {
    fn run(&self, modal: &mut Modal, now: &mut Millis) -> Effect {
        let input = match *self {
            Self::Wait(ms) => {
                now.0 += ms;
                return modal.tick(*now);
            }
            Self::Acknowledged => return modal.acknowledged(*now),
            Self::Reject(code, path) => return modal.reject(*now, code, path, "Try again."),
            Self::Close => return modal.close(*now, OutcomeKind::TimedOut),
            Self::Key(key) => Input::Key(key),
            Self::Paste(text) => Input::Paste(text),
            Self::Activate(id) => Input::Activate(id),
            Self::SetText(text) => Input::SetText(text),
            Self::Focus(id) => Input::Focus(id),
            Self::Resize(rows) => Input::Resize(rows),
        };
        modal.input(*now, input)
    }
}

const NAMED: [KeyCode; 14] = [
    KeyCode::Enter,
    KeyCode::Esc,
    KeyCode::Tab,
    KeyCode::Up,
    KeyCode::Down,
    KeyCode::Left,
    KeyCode::Right,
    KeyCode::Home,
    KeyCode::End,
    KeyCode::PageUp,
    KeyCode::PageDown,
    KeyCode::Space,
    KeyCode::Backspace,
    KeyCode::Delete,
];

const TEXTS: [&str; 9] =
    ["", "  ", "ab", "two\r\nlines\r", "👩‍🚀", "\u{301}", "🇩🇪", "ne\u{301}e", "\u{7}x\ty\n"];

fn ids() -> impl Strategy<Value = ControlId> {
    prop_oneof![
        3 => (0_usize..5).prop_map(ControlId::Option),
        4 => select(vec![
            ControlId::Yes, ControlId::No, ControlId::Ack, ControlId::Run, ControlId::Back, ControlId::Custom,
            ControlId::Text, ControlId::Prev, ControlId::Next, ControlId::Submit,
        ]),
    ]
}

fn keys() -> impl Strategy<Value = Key> {
    let plain = prop_oneof![
        12 => select(NAMED.to_vec()).prop_filter("leaving is rare", |code| *code != KeyCode::Esc),
        6 => select(vec!['y', 'n', 'O', 'o', '1', '2', '3', ' ', 'é', '\u{301}', '\u{200d}', '\u{7}'])
            .prop_map(KeyCode::Char),
    ];
    let mods = prop_oneof![
        8 => Just(Mods::NONE),
        2 => Just(Mods::SHIFT),
        1 => Just(Mods::ALT),
        1 => Just(Mods { ctrl: true, alt: true, ..Mods::NONE }),
        1 => Just(Mods { meta: true, ..Mods::NONE }),
    ];
    let held = prop_oneof![9 => Just(false), 1 => Just(true)];
    let composing = prop_oneof![19 => Just(false), 1 => Just(true)];
    let key = (plain, mods, held, composing).prop_map(|(code, mods, repeat, composing)| Key {
        code,
        mods,
        repeat,
        composing,
    });
    prop_oneof![40 => key, 1 => Just(KeyCode::Esc.into()), 1 => Just(Key::new(KeyCode::Char('c'), Mods::CTRL))]
}

fn doings() -> impl Strategy<Value = Vec<Doing>> {
    let paths = select(vec![
        "",
        "/value",
        "/answers",
        "/answers/0",
        "/answers/1/custom",
        "/answers/9",
        "/request_id",
    ]);
    let codes = select(vec!["invalid_answer", "not_acknowledged", "unavailable"]);
    let one = prop_oneof![
        60 => keys().prop_map(Doing::Key),
        4 => select(TEXTS.to_vec()).prop_map(Doing::Paste),
        14 => ids().prop_map(Doing::Activate),
        1 => select(vec![ControlId::Cancel, ControlId::Decline]).prop_map(Doing::Activate),
        4 => select(TEXTS.to_vec()).prop_map(Doing::SetText),
        8 => ids().prop_map(Doing::Focus),
        4 => (0_usize..8).prop_map(Doing::Resize),
        8 => select(vec![1, 100, 250, 1_000, 5_000]).prop_map(Doing::Wait),
        6 => Just(Doing::Acknowledged),
        8 => (codes, paths).prop_map(|(code, path)| Doing::Reject(code, path)),
        1 => Just(Doing::Close),
    ];
    prop::collection::vec(one, 0..80)
}

fn forms() -> impl Strategy<Value = Vec<Shape>> {
    prop::collection::vec((0_usize..5, any::<bool>()), 1..4)
}

fn requests() -> impl Strategy<Value = Ask> {
    let yes_no = (select(vec![None, Some("yes"), Some("no")]), any::<bool>());
    let choice = (1_usize..5).prop_flat_map(|options| (Just(options), prop::option::of(0..options)));
    prop_oneof![
        yes_no.prop_map(|(default, danger)| Ask::YesNo { default, danger }),
        choice.prop_map(|(options, default)| Ask::Choice { options, default }),
        select(vec![None, Some("main"), Some(" \r\n")]).prop_map(|default| Ask::Text { default }),
        Just(Ask::Command),
    ]
}

fn asks() -> impl Strategy<Value = Ask> {
    prop_oneof![requests(), forms().prop_map(Ask::Form)]
}

fn edits() -> impl Strategy<Value = Doing> {
    let moves = vec![KeyCode::Left, KeyCode::Right, KeyCode::Backspace, KeyCode::Delete];
    let chars = "ae\u{301}\u{200d}👩🚀🇩🇪🏽 ".chars().map(KeyCode::Char).collect::<Vec<_>>();
    prop_oneof![
        select(moves).prop_map(|code| Doing::Key(code.into())),
        select(chars).prop_map(|code| Doing::Key(code.into())),
        select(vec!["", "ab\n", "👩\u{200d}🚀", "\u{301}"]).prop_map(Doing::Paste),
    ]
}

fn guards() -> impl Strategy<Value = Option<u64>> {
    select(vec![Some(0), Some(100), None])
}

fn control<'v, 'm>(view: &'v View<'m>, id: ControlId) -> Option<&'v Control<'m>> {
    view.controls.iter().find(|control| control.id == id)
}

fn focused(view: &View<'_>) -> ControlId {
    view.controls.iter().find(|control| control.focused).unwrap().id
}

fn options(view: &View<'_>) -> usize {
    view.controls.iter().filter(|control| matches!(control.id, ControlId::Option(_))).count()
}

/// What spec 10 promises of every view.
fn check_view(view: &View<'_>, form: &Form) {
    let editing = view.phase == PhaseView::Editing;
    assert_eq!(view.controls.iter().filter(|control| control.focused).count(), 1);
    let leave: Vec<_> = view
        .controls
        .iter()
        .filter(|control| matches!(control.id, ControlId::Cancel | ControlId::Decline))
        .collect();
    assert_eq!(leave.len(), 1);
    assert_eq!(leave[0].enabled, editing);
    assert!(editing || view.controls.iter().all(|control| !control.enabled));
    assert_eq!(view.help.is_empty(), !editing);
    assert_eq!(view.outcome.is_some(), view.phase == PhaseView::Closed);

    assert!(view.page.index < view.page.count);
    let question = form.question(view.page.index).unwrap();
    assert_eq!(options(view), question.options().len());
    let rows = options(view) + usize::from(control(view, ControlId::Custom).is_some());
    assert_eq!(view.window.is_some(), rows > 0);
    if let Some(window) = view.window {
        assert!(window.count >= 1);
        assert!(window.first + window.count <= rows);
        let row = match focused(view) {
            ControlId::Option(index) => Some(index),
            ControlId::Custom => Some(rows - 1),
            _ => None,
        };
        assert!(row.is_none_or(|row| (window.first..window.first + window.count).contains(&row)));
    }
    assert_eq!(view.text.is_some(), control(view, ControlId::Text).is_some());
    if let Some(text) = view.text {
        assert!(text.cursor <= text.value.graphemes(true).count());
        assert!(!text.value.contains(|c: char| c.is_control() && !matches!(c, '\n' | '\t')));
    }
    if let Some(error) = &view.error {
        assert!(error.control.is_none_or(|id| !editing || control(view, id).is_some()));
    }
}

/// Tab and the arrows come by every control that does something.
fn check_reach(mut modal: Modal, now: Millis) {
    let mut missing: Vec<ControlId> = {
        let view = modal.view();
        view.controls.iter().filter(|control| control.enabled).map(|control| control.id).collect()
    };
    // The focus may be on a control that has just been disabled.
    let (stops, rows) = (missing.len() + 1, options(&modal.view()) + 1);
    for _ in 0..stops {
        for _ in 0..rows {
            let id = focused(&modal.view());
            missing.retain(|other| *other != id);
            if matches!(id, ControlId::Option(_) | ControlId::Custom) {
                let _ = modal.input(now, Input::Key(KeyCode::Down.into()));
            }
        }
        let _ = modal.input(now, Input::Key(KeyCode::Tab.into()));
    }
    assert!(missing.is_empty(), "never focused: {missing:?}");
}

/// What a person has done about one question, kept by a model that knows only what the views show and what was pressed.
#[derive(Debug, Clone)]
struct Model {
    multi: bool,
    selected: Vec<bool>,
    taken: bool,
    open: bool,
    text: String,
}

impl Model {
    fn new((options, multi): Shape) -> Self {
        Self { multi, selected: vec![false; options], taken: false, open: false, text: String::new() }
    }

    fn is_free_text(&self) -> bool {
        self.selected.is_empty()
    }

    fn choose(&mut self, option: usize) {
        self.selected.fill(false);
        self.selected[option] = true;
        self.taken = false;
        self.open = false;
    }

    fn press(&mut self, option: usize) {
        if self.multi {
            self.selected[option] = !self.selected[option];
        } else {
            self.choose(option);
        }
    }

    fn take(&mut self) {
        if !self.is_free_text() && self.open && !self.text.trim().is_empty() {
            if !self.multi {
                self.selected.fill(false);
            }
            self.taken = true;
            self.open = false;
        }
    }

    /// What an input does to the question that a view shows, the guard being off.
    fn apply(&mut self, before: &View<'_>, doing: &Doing) {
        if before.phase != PhaseView::Editing {
            return;
        }
        let focus = focused(before);
        let button = |id: ControlId| control(before, id).is_some_and(|control| control.enabled);
        let pressed = match doing {
            Doing::Activate(id) => Some(*id),
            Doing::Key(key) if key.composing || key.mods.ctrl || key.mods.alt || key.mods.meta => None,
            Doing::Key(key) => match key.code {
                KeyCode::PageDown if !key.mods.shift && button(ControlId::Next) => Some(ControlId::Next),
                _ if key.repeat => None,
                KeyCode::Enter if key.mods.shift => None,
                KeyCode::Enter => match focus {
                    ControlId::Option(option) if !self.multi => {
                        self.choose(option);
                        None
                    }
                    ControlId::Text => {
                        self.take();
                        None
                    }
                    ControlId::Option(_) | ControlId::Custom => None,
                    button => Some(button),
                },
                _ if focus == ControlId::Text => None,
                KeyCode::Space | KeyCode::Char(' ') => match focus {
                    ControlId::Custom => {
                        self.taken &= !self.multi;
                        None
                    }
                    other => Some(other),
                },
                KeyCode::Char(digit @ '1'..='9') => {
                    Some(ControlId::Option(digit.to_digit(10).unwrap() as usize - 1))
                }
                _ => None,
            },
            _ => None,
        };
        match pressed {
            Some(ControlId::Option(option)) if option < self.selected.len() => self.press(option),
            Some(id @ (ControlId::Submit | ControlId::Next)) if button(id) => self.take(),
            _ => {}
        }
    }

    /// What a view of the question shows of its text.
    fn see(&mut self, view: &View<'_>) {
        self.open = view.text.is_some() && !self.is_free_text();
        if let Some(text) = view.text
            && text.value != self.text
        {
            self.taken = false;
            self.text = text.value.to_owned();
        }
    }

    fn assert_shown(&self, view: &View<'_>) {
        for (index, selected) in self.selected.iter().enumerate() {
            assert_eq!(control(view, ControlId::Option(index)).unwrap().checked, Some(*selected));
        }
        if let Some(custom) = control(view, ControlId::Custom) {
            assert_eq!(custom.checked, Some(self.taken));
        }
    }

    fn answer(&self, n: usize) -> serde_json::Value {
        let labels = self.selected.iter().enumerate().filter(|(_, selected)| **selected);
        let selected: Vec<String> = labels.map(|(index, _)| label(index)).collect();
        if self.taken || self.is_free_text() {
            serde_json::json!({ "id": format!("q{n}"), "selected": selected, "custom": self.text })
        } else {
            serde_json::json!({ "id": format!("q{n}"), "selected": selected })
        }
    }
}

/// The one value that an input means to send in dialect A, from what the view shows before it.
fn meant(before: &View<'_>, doing: &Doing) -> Option<String> {
    let pressed = match doing {
        Doing::Activate(id) => *id,
        Doing::Key(key) => match (key.code, focused(before)) {
            (KeyCode::Enter, ControlId::Run) => return None,
            (KeyCode::Enter, focus) => focus,
            (_, ControlId::Text) => return None,
            (KeyCode::Space | KeyCode::Char(' '), focus) => focus,
            (KeyCode::Char('y'), _) => ControlId::Yes,
            (KeyCode::Char('n'), _) => ControlId::No,
            (KeyCode::Char(c), _) => ControlId::Option(c.to_digit(10)? as usize - 1),
            _ => return None,
        },
        _ => return None,
    };
    match pressed {
        ControlId::Yes => Some("yes".into()),
        ControlId::No => Some("no".into()),
        ControlId::Run => Some("run".into()),
        ControlId::Option(index) => Some(label(index)),
        ControlId::Text | ControlId::Submit => before.text.map(|text| text.value.to_owned()),
        _ => None,
    }
}

/// The keys that a help line names.
fn helped(help: &str) -> Vec<Key> {
    let entries =
        help.split(" · ").filter_map(|entry| entry.split(' ').next()).filter(|keys| !keys.is_empty());
    entries
        .flat_map(|keys| keys.split('/'))
        .flat_map(|keys| match keys.as_bytes() {
            [first, b'-', last] => (*first..=*last).map(|c| (c as char).to_string()).collect(),
            _ => vec![keys.to_owned()],
        })
        .map(|name| name.parse().unwrap())
        .collect()
}

/// Keys as the help line would name them.
fn universe() -> Vec<Key> {
    let meta = Mods { meta: true, ..Mods::NONE };
    let mods = [Mods::NONE, Mods::SHIFT, Mods::ALT, Mods::CTRL, meta];
    let named = NAMED.into_iter().flat_map(move |code| mods.map(|mods| Key::new(code, mods)));
    let letters = "yno123456789x0C".chars().map(KeyCode::Char);
    let letters =
        letters.flat_map(move |code| [Mods::NONE, Mods::CTRL, meta].map(|mods| Key::new(code, mods)));
    named.chain(letters).collect()
}

/// Whether the key adds text where it does anything, or is a space, which Shift does not modify.
fn is_text(key: &Key, view: &View<'_>) -> bool {
    let printable = matches!(key.code, KeyCode::Char(_) | KeyCode::Space);
    let typed = !key.mods.meta && (key.mods.alt || !key.mods.ctrl);
    (printable && typed && focused(view) == ControlId::Text) || (key.code == KeyCode::Space && key.mods.shift)
}

#[test]
fn the_guard_is_longer_for_a_command() {
    for (ask, guard) in [(Ask::YesNo { default: None, danger: false }, 250), (Ask::Command, 1_000)] {
        let mut modal = Modal::new(ask.prompt(), Options::default(), Millis(7));
        assert_eq!(modal.next_deadline(), Some(Millis(7 + guard)));
        assert_eq!(modal.tick(Millis(6 + guard)), Effect::None);
        assert!(!modal.view().armed);
        assert_eq!(modal.tick(Millis(7 + guard)), Effect::Redraw);
        assert!(modal.view().armed);
    }
}

#[test]
fn danger_marks_what_may_do_damage_and_nothing_else() {
    let modal =
        Modal::new(Ask::YesNo { default: None, danger: true }.prompt(), Options::default(), Millis(0));
    let view = modal.view();
    let styles: Vec<_> = view.controls.iter().map(|control| (control.id, control.style)).collect();
    let expected =
        [(ControlId::Yes, Style::Danger), (ControlId::No, Style::Normal), (ControlId::Cancel, Style::Normal)];
    assert_eq!(styles, expected);
}

#[test]
fn names_of_keys_and_controls_are_read_as_they_are_written() {
    for key in universe() {
        assert_eq!(key.to_string().parse(), Ok(key));
    }
    assert_eq!("Ctrl++".parse(), Ok(Key::new(KeyCode::Char('+'), Mods::CTRL)));
    assert_eq!("+".parse(), Ok(Key::from(KeyCode::Char('+'))));
    for name in ["", "Ctrl+", "Return", "Hyper+a", "ctrl+a"] {
        assert!(name.parse::<Key>().is_err(), "{name}");
    }
    for name in ["yes", "option:0", "option:19", "custom", "decline"] {
        assert_eq!(name.parse::<ControlId>().unwrap().to_string(), name);
    }
    for name in ["", "option:", "option:01", "option:+1", "option:-1", "option:99999999999999999999", "Yes"] {
        assert!(name.parse::<ControlId>().is_err(), "{name}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_invariants_hold(ask in asks(), guard_ms in guards(), rows in 0_usize..6, doings in doings()) {
        let prompt = ask.prompt();
        let form = prompt.form.clone();
        let options = Options { rows, guard_ms, ..Options::default() };
        let (mut now, mut twin_now) = (Millis(0), Millis(0));
        let mut modal = Modal::new(prompt.clone(), options, now);
        let mut twin = Modal::new(prompt, options, now);
        check_view(&modal.view(), &form);
        for doing in &doings {
            let before = modal.clone();
            let effect = doing.run(&mut modal, &mut now);
            check_view(&modal.view(), &form);
            prop_assert!(modal.next_deadline().is_none_or(|deadline| deadline > now));
            if effect == Effect::None {
                prop_assert_eq!(before.view(), modal.view());
            }
            if let Effect::Submit(submission) = &effect {
                prop_assert!(Answers::check(&form, submission.draft()).is_ok());
            }
            let sent = matches!(effect, Effect::Submit(_) | Effect::Decline | Effect::Cancel);
            prop_assert!(!sent || modal.view().phase == PhaseView::Sent);
            prop_assert_eq!(doing.run(&mut twin, &mut twin_now), effect);
            prop_assert_eq!(twin.view(), modal.view());
        }
        check_reach(modal, now);
    }

    #[test]
    fn a_form_sends_what_was_chosen_and_typed_and_nothing_else(shapes in forms(), doings in doings()) {
        let mut model: Vec<Model> = shapes.iter().copied().map(Model::new).collect();
        let options = Options { guard_ms: Some(0), ..Options::default() };
        let mut now = Millis(0);
        let mut modal = Modal::new(Ask::Form(shapes).prompt(), options, now);
        for doing in &doings {
            let before = modal.clone();
            let page = before.view().page.index;
            model[page].apply(&before.view(), doing);
            let effect = doing.run(&mut modal, &mut now);
            let view = modal.view();
            if view.page.index != page {
                model[page].open = false;
            }
            model[view.page.index].see(&view);
            model[view.page.index].assert_shown(&view);
            if let Effect::Submit(submission) = effect {
                let expected: Vec<_> = model.iter().enumerate().map(|(n, question)| question.answer(n)).collect();
                let sent: serde_json::Value = serde_json::from_str(&to_json(&submission)).unwrap();
                prop_assert_eq!(sent, serde_json::Value::from(expected));
            }
        }
    }

    #[test]
    fn a_request_sends_what_was_pressed_and_nothing_else(
        ask in requests(), guard_ms in guards(), doings in doings(),
    ) {
        let mut now = Millis(0);
        let mut modal = Modal::new(ask.prompt(), Options { guard_ms, ..Options::default() }, now);
        let mut acknowledged = false;
        for doing in &doings {
            let before = modal.clone();
            let effect = doing.run(&mut modal, &mut now);
            acknowledged |= matches!(doing, Doing::Acknowledged);
            if let Effect::Submit(submission) = effect {
                // Time alone may have reopened the modal just before.
                let mut before = before;
                let _ = before.tick(now);
                let expected = meant(&before.view(), doing).unwrap();
                prop_assert!(expected != "run" || acknowledged);
                prop_assert_eq!(submission, Submission::Value(expected.into()));
                prop_assert!(before.view().armed);
            }
        }
    }

    #[test]
    fn the_help_line_names_exactly_the_keys_that_do_something(
        ask in asks(), terminal in any::<bool>(), doings in doings(),
    ) {
        let options = Options { guard_ms: Some(0), terminal, ..Options::default() };
        let mut now = Millis(0);
        let mut modal = Modal::new(ask.prompt(), options, now);
        for doing in &doings {
            let _ = doing.run(&mut modal, &mut now);
            let view = modal.view();
            let named = helped(&view.help);
            for key in universe().into_iter().filter(|key| !is_text(key, &view)) {
                let does = modal.clone().input(now, Input::Key(key)) != Effect::None;
                prop_assert_eq!(named.contains(&key), does, "{} of {:?}", key, view.help);
            }
        }
    }

    #[test]
    fn text_is_edited_by_grapheme(doings in prop::collection::vec(edits(), 0..60)) {
        let options = Options { guard_ms: Some(0), ..Options::default() };
        let mut modal = Modal::new(Ask::Text { default: None }.prompt(), options, Millis(0));
        // The text before the cursor, and the text after it.
        let (mut before, mut after) = (String::new(), String::new());
        for doing in &doings {
            match *doing {
                Doing::Key(Key { code: KeyCode::Char(c), .. }) => before.push(c),
                Doing::Key(Key { code: KeyCode::Left, .. }) => {
                    let last = before.graphemes(true).next_back().unwrap_or_default().to_owned();
                    before.truncate(before.len() - last.len());
                    after.insert_str(0, &last);
                }
                Doing::Key(Key { code: KeyCode::Right, .. }) => {
                    let first = after.graphemes(true).next().unwrap_or_default().to_owned();
                    after.replace_range(..first.len(), "");
                    before.push_str(&first);
                }
                Doing::Key(Key { code: KeyCode::Backspace, .. }) => {
                    let last = before.graphemes(true).next_back().unwrap_or_default().len();
                    before.truncate(before.len() - last);
                }
                Doing::Key(Key { code: KeyCode::Delete, .. }) => {
                    let first = after.graphemes(true).next().unwrap_or_default().len();
                    after.replace_range(..first, "");
                }
                Doing::Paste(text) => before.push_str(text),
                _ => unreachable!(),
            }
            // What has grown together across the cursor is before it.
            let whole = before.clone() + &after;
            let ends = whole.grapheme_indices(true).map(|(at, grapheme)| at + grapheme.len());
            let end = ends.into_iter().find(|end| *end >= before.len()).unwrap_or_default();
            let end = if before.is_empty() { 0 } else { end };
            (before, after) = (whole[..end].to_owned(), whole[end..].to_owned());
            let _ = doing.run(&mut modal, &mut Millis(0));
            let view = modal.view();
            let text = view.text.unwrap();
            prop_assert_eq!(text.value, whole.as_str());
            prop_assert_eq!(text.cursor, before.graphemes(true).count());
        }
    }

    #[test]
    fn the_guard_lets_nothing_be_answered(ask in asks(), doings in doings()) {
        let mut now = Millis(0);
        let mut modal = Modal::new(ask.prompt(), Options { guard_ms: Some(100), ..Options::default() }, now);
        for doing in &doings {
            let armed = modal.view().armed;
            let effect = doing.run(&mut modal, &mut now);
            let by_ctrl_c = matches!(doing, Doing::Key(Key { code: KeyCode::Char('c'), .. }));
            prop_assert!(armed || by_ctrl_c || matches!(effect, Effect::None | Effect::Redraw));
        }
    }
}
