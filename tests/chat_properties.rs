//! What holds of chats for every form and every sequence of updates.

mod chat_limits;

use askgate::answer::{Answer, Outcome};
use askgate::chat::{
    Audience, Content, Effect, EffectKind, Handle, Handled, Input, Key, Message, Place, Platform, Press,
    Report, Router, Thread, Update,
};
use askgate::form::{Form, FormBuilder, QuestionKind};
use askgate::gate::{Ask, Asking, Event, Gate, Poll, Prompt};
use askgate::id::{ChatAddress, PromptId, RunId, SessionKey, SurfaceId};
use askgate::limits::Limits;
use askgate::time::Millis;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use serde_json::Value;

const LIMITS: &Limits = &Limits::DEFAULT;
const PLATFORMS: [Platform; 2] = [Platform::Telegram, Platform::Discord];
const CHAT: &str = "100";
const OWNER: &str = "5";
const STRANGERS: [&str; 2] = ["6", "7"];

/// A host with one conversation, that remembers all that went out.
struct Host {
    router: Router,
    gate: Gate,
    now: Millis,
    sent: Vec<Effect>,
    /// Tokens that stood on some button once.
    tokens: Vec<String>,
    ends: Vec<(Prompt, Outcome)>,
    messages: u64,
    events: u64,
    handles: u8,
}

impl Host {
    fn new(platform: Platform) -> Self {
        Self {
            router: Router::new(platform, "1", Key::new([3; 32])),
            gate: Gate::default(),
            now: Millis(0),
            sent: Vec::new(),
            tokens: Vec::new(),
            ends: Vec::new(),
            messages: 1_000,
            events: 0,
            handles: 0,
        }
    }

    fn ask_session(&mut self, platform: Platform, form: Form) -> PromptId {
        let session = SessionKey::new("s", LIMITS).unwrap();
        let address = ChatAddress {
            platform: platform.as_str().into(),
            bot: "1".into(),
            chat: CHAT.into(),
            thread: None,
            user: OWNER.into(),
        };
        self.router.bind_chat(self.now, &mut self.gate, session.clone(), address).unwrap();
        let asking = Asking::Session { session, run: RunId::new("r", LIMITS).unwrap() };
        self.ask(asking, form)
    }

    fn ask_request(&mut self, form: Form) -> PromptId {
        self.ask(Asking::Request { surface: SurfaceId::new("surface:1", LIMITS).unwrap(), agent: None }, form)
    }

    fn ask(&mut self, asking: Asking, form: Form) -> PromptId {
        let prompt = self.gate.ask(self.now, Ask { asking, form, timeout_ms: None, asker: None }).unwrap();
        self.drain();
        prompt
    }

    /// Carries out all that waits, and hands each event to the router.
    fn drain(&mut self) {
        loop {
            while let Poll::Event(effect) = self.router.poll(self.now) {
                let body: Value = serde_json::from_str(&effect.body).unwrap();
                collect(&body, &mut self.tokens);
                let message = (effect.kind == EffectKind::Send).then(|| {
                    self.messages += 1;
                    self.messages.to_string()
                });
                let report = Report::Done { message: message.as_deref() };
                self.router.report(self.now, &mut self.gate, effect.id, &report);
                self.sent.push(effect);
            }
            match self.gate.poll(self.now) {
                Poll::Event(Event::Shown { prompt, .. }) => {
                    self.handles += 1;
                    let audience = Audience { chat: CHAT.into(), thread: None, users: vec![OWNER.into()] };
                    let handle = Handle([self.handles; 16]);
                    self.router.show(self.now, &mut self.gate, prompt, handle, &[audience]).unwrap();
                }
                Poll::Event(Event::Resolved { prompt, outcome, .. }) => {
                    self.router.resolved(self.now, &mut self.gate, &prompt, &outcome);
                    self.ends.push((*prompt, outcome));
                }
                Poll::Event(Event::Availability { .. }) => {}
                Poll::Wait(_) => return,
            }
        }
    }

    fn handle(&mut self, update: &Update) -> Handled {
        let before = self.sent.len();
        let handled = self.router.handle(self.now, &mut self.gate, update);
        self.drain();
        if let (Update::Press(_), false) = (update, handled == Handled::Duplicate) {
            let of = self.sent[before..].iter();
            let acknowledged = of.clone().filter(|effect| effect.kind == EffectKind::Acknowledge).count();
            assert_eq!(acknowledged, 1, "one acknowledgement a press");
            assert_eq!(self.sent[before].kind, EffectKind::Acknowledge, "it comes first");
        }
        handled
    }

    fn press(&mut self, by: &str, token: &str, input: Input) -> Handled {
        self.events += 1;
        let press = Press {
            event: self.events.to_string().into(),
            user: by.into(),
            place: Some(Place { chat: CHAT.into(), thread: Thread::None }),
            message: None,
            token: token.into(),
            input,
            reply: "t".into(),
        };
        self.handle(&Update::Press(press))
    }

    fn say(&mut self, by: &str, text: &str) -> Handled {
        self.events += 1;
        let message = Message {
            // Later than every message of the bot.
            id: (u64::from(u32::MAX) + self.events).to_string().into(),
            chat: CHAT.into(),
            thread: None,
            user: Some(by.into()),
            reply_to: None,
            content: Content::Text(text.into()),
        };
        self.handle(&Update::Message(message))
    }

    fn token(&self, n: usize) -> String {
        self.tokens.get(n % self.tokens.len().max(1)).cloned().unwrap_or_default()
    }
}

/// The tokens in a body.
fn collect(value: &Value, tokens: &mut Vec<String>) {
    match value {
        Value::String(text) if text.len() == askgate::chat::TOKEN_LEN && text.starts_with("q1") => {
            if !tokens.contains(text) {
                tokens.push(text.clone());
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, tokens)),
        Value::Object(fields) => fields.values().for_each(|item| collect(item, tokens)),
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Texts that are hard to show, of up to so many bytes, and never blank.
fn hard_text(bytes: usize) -> impl Strategy<Value = String> {
    const POOL: [&str; 24] = [
        "a",
        "word ",
        "\n",
        "👩‍👩‍👧‍👦",
        "e\u{301}",
        "\u{202e}",
        "\u{200b}",
        "**",
        "`",
        "\\",
        "_x_",
        "~~",
        "<@5>",
        "# ",
        "- ",
        "1. ",
        "שלום",
        "क्षि",
        "😀",
        "\t",
        "@everyone",
        "[a](b)",
        "\u{0}",
        "…",
    ];
    let short = vec(0..POOL.len(), 0..12);
    let long = vec(0..POOL.len(), 0..2_000);
    prop_oneof![4 => short, 1 => long].prop_map(move |parts| {
        let mut text = String::from("x");
        for part in parts {
            if text.len() + POOL[part].len() <= bytes {
                text.push_str(POOL[part]);
            }
        }
        text
    })
}

#[derive(Debug, Clone)]
struct AskedQuestion {
    text: String,
    header: Option<String>,
    options: Vec<(String, Option<String>)>,
    multi: bool,
}

fn session_form() -> impl Strategy<Value = Form> {
    let options = vec((hard_text(1_000), option::of(hard_text(4_096))), 0..=20);
    let question = (hard_text(4_096), option::of(hard_text(1_024)), options, any::<bool>());
    vec(question, 1..=8).prop_map(|questions| {
        let read = |(text, header, options, multi)| AskedQuestion { text, header, options, multi };
        build(&questions.into_iter().map(read).collect::<Vec<_>>())
    })
}

fn build(questions: &[AskedQuestion]) -> Form {
    let mut form = FormBuilder::new(LIMITS);
    for (n, question) in questions.iter().enumerate() {
        form.open(QuestionKind::Select { multi: false, custom: true }).unwrap();
        form.id(&format!("q{n}")).unwrap();
        if let Some(header) = &question.header {
            form.header(header).unwrap();
        }
        form.question(&question.text).unwrap();
        form.options(question.options.len()).unwrap();
        for (m, (label, description)) in question.options.iter().enumerate() {
            form.option(&format!("{label}{m}")).unwrap();
            if let Some(description) = description {
                form.description(description).unwrap();
            }
        }
        if !question.options.is_empty() {
            form.multi(question.multi).unwrap();
        }
    }
    form.build().unwrap()
}

fn request_form() -> impl Strategy<Value = Form> {
    let title = hard_text(1_024).prop_map(|title| title.replace(['\n', '\u{b}', '\u{c}', '\r'], " "));
    let choices = vec(hard_text(1_024), 1..=100);
    (0..4, title, option::of(hard_text(20_000)), choices, any::<bool>()).prop_map(
        |(kind, title, body, choices, danger)| {
            let mut form = FormBuilder::new(LIMITS);
            let kind = match kind {
                0 => QuestionKind::YesNo,
                1 => QuestionKind::Select { multi: false, custom: false },
                2 => QuestionKind::Text,
                _ => QuestionKind::ConfirmCommand,
            };
            form.open(kind).unwrap();
            form.title(&title).unwrap();
            if let Some(body) = &body {
                form.body(body).unwrap();
            }
            if let QuestionKind::Select { .. } = kind {
                form.options(choices.len()).unwrap();
                for (n, label) in choices.iter().enumerate() {
                    form.choice(&format!("c{n}")).unwrap();
                    form.label(label).unwrap();
                }
            }
            form.danger(danger);
            form.build().unwrap()
        },
    )
}

#[derive(Debug, Clone)]
enum Step {
    Press(usize),
    Menu(usize, Vec<u8>),
    Field(usize, String),
    Say(String),
    Wait(u64),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => any::<usize>().prop_map(Step::Press),
        2 => (any::<usize>(), vec(0..25_u8, 0..3)).prop_map(|(token, values)| Step::Menu(token, values)),
        1 => (any::<usize>(), hard_text(3_000)).prop_map(|(token, text)| Step::Field(token, text)),
        1 => hard_text(3_000).prop_map(Step::Say),
        1 => (0..4_000_u64).prop_map(Step::Wait),
    ]
}

fn play(host: &mut Host, by: &str, step: &Step) -> Handled {
    match step {
        Step::Press(token) => host.press(by, &host.token(*token), Input::None),
        Step::Menu(token, values) => {
            let values = values.iter().map(|value| value.to_string().into()).collect();
            host.press(by, &host.token(*token), Input::Values(values))
        }
        Step::Field(token, text) => host.press(by, &host.token(*token), Input::Text(text.as_str().into())),
        Step::Say(text) => host.say(by, text),
        Step::Wait(ms) => {
            host.now = Millis(host.now.0 + ms);
            host.gate.advance(host.now);
            host.drain();
            Handled::Ignored
        }
    }
}

/// What was sent and edited, whatever else went out.
fn shown(host: &Host) -> Vec<&str> {
    let shown = host.sent.iter().filter(|effect| matches!(effect.kind, EffectKind::Send | EffectKind::Edit));
    shown.map(|effect| effect.body.as_str()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn every_body_obeys_every_limit(form in session_form(), steps in vec(step(), 0..60)) {
        for platform in PLATFORMS {
            let mut host = Host::new(platform);
            host.ask_session(platform, form.clone());
            prop_assert!(host.ends.is_empty(), "every form of dialect B can be shown");
            for step in &steps {
                play(&mut host, OWNER, step);
            }
            host.now = Millis(u64::MAX);
            host.gate.advance(host.now);
            host.drain();
            host.sent.iter().for_each(|effect| chat_limits::check(platform, effect));
        }
    }

    #[test]
    fn every_body_of_a_request_obeys_every_limit(form in request_form(), steps in vec(step(), 0..20)) {
        for platform in PLATFORMS {
            let mut host = Host::new(platform);
            host.ask_request(form.clone());
            for step in &steps {
                play(&mut host, OWNER, step);
            }
            host.sent.iter().for_each(|effect| chat_limits::check(platform, effect));
        }
    }

    #[test]
    fn nobody_but_the_bound_user_changes_anything(
        form in session_form(),
        steps in vec((0..3_usize, step()), 0..60),
    ) {
        for platform in PLATFORMS {
            let mut alone = Host::new(platform);
            let mut among_others = Host::new(platform);
            alone.ask_session(platform, form.clone());
            among_others.ask_session(platform, form.clone());
            for (by, step) in &steps {
                let waits = matches!(step, Step::Wait(_));
                if let (Some(stranger), false) = (STRANGERS.get(*by), waits) {
                    let handled = play(&mut among_others, stranger, step);
                    prop_assert!(matches!(handled, Handled::NotForYou | Handled::Expired | Handled::NotCaptured));
                } else {
                    play(&mut alone, OWNER, step);
                    play(&mut among_others, OWNER, step);
                }
            }
            prop_assert_eq!(shown(&alone), shown(&among_others));
            prop_assert_eq!(&alone.ends, &among_others.ends);
        }
    }

    #[test]
    fn an_answer_was_offered_or_typed(form in session_form(), steps in vec((0..3_usize, step()), 0..60)) {
        for platform in PLATFORMS {
            let mut host = Host::new(platform);
            host.ask_session(platform, form.clone());
            let mut typed = Vec::new();
            for (by, step) in &steps {
                let by = STRANGERS.get(*by).copied().unwrap_or(OWNER);
                if let (OWNER, Step::Say(text) | Step::Field(_, text)) = (by, step) {
                    typed.push(text.clone());
                }
                play(&mut host, by, step);
            }
            prop_assert!(host.ends.len() <= 1);
            for (prompt, outcome) in &host.ends {
                let Outcome::Answered(answers) = outcome else { continue };
                for (question, answer) in prompt.form().questions().zip(answers.as_slice()) {
                    let custom = match answer {
                        Answer::Text(text) => Some(text),
                        Answer::Select { selected, custom } => {
                            prop_assert!(selected.indexes().iter().all(|at| question.option(*at).is_some()));
                            prop_assert!(custom.is_some() || !selected.indexes().is_empty());
                            custom.as_ref()
                        }
                        other => panic!("no answer of dialect B is {other:?}"),
                    };
                    prop_assert!(custom.is_none_or(|text| typed.iter().any(|own| **own == **text)));
                }
            }
        }
    }
}

/// How many tokens are tried.
const TRIES: u32 = 1_000_000;

#[test]
fn no_guessed_token_is_accepted() {
    let form = || {
        let options = (0..20).map(|n| (n.to_string(), None)).collect();
        build(&[AskedQuestion { text: "Which?".into(), header: None, options, multi: true }])
    };
    let mut host = Host::new(Platform::Telegram);
    let prompt = host.ask_session(Platform::Telegram, form());
    let live = host.tokens.clone();
    let before = host.sent.len();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for n in 0..TRIES {
        let mut token: Vec<u8> = live[random.below(live.len())].clone().into_bytes();
        // Wholly random, or a true token with its last characters or a single one changed.
        let (start, end) = match n % 3 {
            0 => (2, token.len()),
            1 => (random.between(24, token.len()), token.len()),
            _ => {
                let at = random.below(token.len());
                (at, at + 1)
            }
        };
        for place in &mut token[start..end] {
            *place = DIGITS[random.below(DIGITS.len())];
        }
        let token = String::from_utf8(token).unwrap();
        if live.contains(&token) {
            continue;
        }
        let press = Press {
            event: format!("{n}").into(),
            user: OWNER.into(),
            place: None,
            message: None,
            token: token.into(),
            input: Input::None,
            reply: "".into(),
        };
        let handled = host.router.handle(host.now, &mut host.gate, &Update::Press(press));
        assert_eq!(handled, Handled::Expired);
        assert!(matches!(host.router.poll(host.now), Poll::Event(_)), "it was acknowledged");
    }
    host.drain();
    assert_eq!(host.sent.len(), before, "nothing was edited");
    assert!(host.gate.get(prompt).is_some() && host.ends.is_empty());
}

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// A small generator: the same tokens on every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, end: usize) -> usize {
        ((self.next() >> 11) % end as u64) as usize
    }

    fn between(&mut self, start: usize, end: usize) -> usize {
        start + self.below(end - start)
    }
}
