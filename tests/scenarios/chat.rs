//! `"kind": "chat"`.

use super::config;
use super::fields::{Fields, just_true, text, texts};
use super::matching::Captures;
use super::record::Record;
use super::strict;
use askgate::answer::{Draft, Resolution};
use askgate::chat::{Audience, Effect, EffectKind, Handle, Handled, Key, Platform, Report, Router};
use askgate::dialect::typed::{EventJson, RefusalJson, parse_ask};
use askgate::error::{RequestError, ResolveError};
use askgate::gate::{Config, Event, Gate, Poll};
use askgate::id::{ChatAddress, Claim, Claimant, ConnectionId, PromptId, SessionKey};
use askgate::json::to_json;
use askgate::time::Millis;
use serde_json::{Map, Value, json};

const ACTIONS: [&str; 17] = [
    "bind",
    "ask",
    "press",
    "say",
    "update",
    "report",
    "poll",
    "answer_elsewhere",
    "withdraw",
    "end_run",
    "end_session",
    "shutdown",
    "lose_chat",
    "restart",
    "can_ask",
    "show_again",
    "address_of",
];

/// The id of the first message that the bot sends.
const FIRST_MESSAGE: u64 = 1_001;

pub(crate) fn run(mut file: Fields, record: &mut Record) -> Result<(), String> {
    let (config, rest) = config::read(&mut file)?;
    rest.done()?;
    let platform = file.need_text("platform")?;
    let platform = Platform::from_name(&platform).ok_or_else(|| format!("no platform is {platform:?}"))?;
    let steps = file.list("steps")?.ok_or("no steps")?;
    file.done()?;
    let mut host = Host {
        platform,
        router: Router::new(platform, BOT, Key::new([1; 32])),
        gate: Gate::new(config),
        captures: Captures::default(),
        audiences: Vec::new(),
        effects: Vec::new(),
        messages: Vec::new(),
        fields: Vec::new(),
        pressed: String::new(),
        shown: 0,
        events: 0,
    };
    let mut now = Millis(0);
    record.steps(steps, |record, step| {
        let mut step = Fields::of("the step", step)?;
        if let Some(at) = step.number("at")? {
            now = Millis(at);
        }
        let hold = step.flag("hold")?.unwrap_or(false);
        let result = host.act(now, &mut step)?;
        let wanted = step.take("result");
        let expected = step.take("expect").unwrap_or_else(|| json!([]));
        let wakes = step.take("wakes");
        step.done()?;
        let (outputs, waits) = host.drain(now, hold)?;
        record.add(&result);
        outputs.iter().for_each(|output| record.add(output));
        if let Some(wanted) = wanted {
            host.captures.compare(&wanted, &result)?;
        }
        if let Some(wakes) = wakes {
            host.captures.compare(&wakes, &waits).map_err(|error| format!("wakes: {error}"))?;
        }
        host.captures.compare(&expected, &Value::Array(outputs))
    })
}

/// The bot account, and the application at Discord.
const BOT: &str = "1";

struct Host {
    platform: Platform,
    router: Router,
    gate: Gate,
    captures: Captures,
    /// Where the next prompt of dialect A is to be shown.
    audiences: Vec<Audience>,
    effects: Vec<Effect>,
    /// The messages sent, by id, with their bodies from the first to the last.
    messages: Vec<(String, Vec<Value>)>,
    /// The tokens of the text fields opened.
    fields: Vec<String>,
    /// The message that was pressed last.
    pressed: String,
    shown: u8,
    events: u64,
}

impl Host {
    fn act(&mut self, now: Millis, step: &mut Fields) -> Result<Value, String> {
        let (action, value) = step.action(&ACTIONS)?;
        let value = self.captures.fill(&value)?;
        Ok(match action {
            "bind" => {
                let mut bind = Fields::of("bind", value)?;
                let limits = *self.gate.limits();
                let session = bind.need_text("session")?;
                let session = SessionKey::new(&session, &limits).map_err(|fault| fault.to_string())?;
                let address = ChatAddress {
                    platform: bind.text("platform")?.unwrap_or_else(|| self.platform.as_str().into()).into(),
                    bot: bind.text("bot")?.unwrap_or_else(|| BOT.into()).into(),
                    chat: bind.need_text("chat")?.into(),
                    thread: bind.text("thread")?.map(Into::into),
                    user: bind.need_text("user")?.into(),
                };
                bind.done()?;
                match self.router.bind_chat(now, &mut self.gate, session, address) {
                    Ok(()) => json!(true),
                    Err(fault) => json!({ "error": fault.code.as_str() }),
                }
            }
            "ask" => {
                self.audiences = match step.list("audiences")? {
                    Some(audiences) => audiences.into_iter().map(audience).collect::<Result<_, _>>()?,
                    None => Vec::new(),
                };
                let asked = parse_ask(&value.to_string(), self.gate.limits());
                let asked = asked.map_err(|error: RequestError| error.to_string())?;
                match self.gate.ask(now, asked) {
                    Ok(prompt) => json!({ "prompt": prompt.0 }),
                    Err(error) => json!({ "error": error.code().as_str() }),
                }
            }
            "press" => {
                let update = self.pressed(Fields::of("press", value)?)?;
                self.handle(now, &update)?
            }
            "say" => {
                let update = self.said(Fields::of("say", value)?)?;
                self.handle(now, &update)?
            }
            "update" => self.handle(now, &value)?,
            "report" => self.report(now, Fields::of("report", value)?)?,
            "poll" => {
                just_true(action, &value)?;
                self.gate.advance(now);
                Value::Null
            }
            "answer_elsewhere" => {
                let mut answer = Fields::of(action, value)?;
                let prompt = PromptId(answer.need_number("prompt")?);
                let value = answer.need_text("value")?;
                answer.done()?;
                let claim = Claim::Request { prompt, claimant: Claimant::default() };
                ended(
                    self.gate
                        .resolve(now, &claim, Resolution::Answer(Draft::Value(&value)))
                        .map(|kind| kind.as_str()),
                )
            }
            "withdraw" => {
                let mut withdraw = Fields::of(action, value)?;
                let prompt = PromptId(withdraw.need_number("prompt")?);
                let asker = ConnectionId(withdraw.need_number("asker")?);
                withdraw.done()?;
                json!(self.gate.withdraw(now, prompt, asker))
            }
            "end_run" => {
                let [session, run] = texts(action, value)?;
                json!(self.router.end_run(now, &mut self.gate, &session, &run))
            }
            "end_session" => json!(self.gate.end_session(now, &text(action, value)?)),
            "shutdown" => {
                just_true(action, &value)?;
                json!(self.gate.shutdown(now))
            }
            "lose_chat" => json!(self.router.lose_chat(now, &mut self.gate, &text(action, value)?)),
            "restart" => {
                just_true(action, &value)?;
                self.router = Router::new(self.platform, BOT, Key::new([2; 32]));
                let mut config = Config::default();
                config.first_prompt_id = 1_000;
                self.gate = Gate::new(config);
                Value::Null
            }
            "can_ask" => {
                let [session, run] = texts(action, value)?;
                let can = json!(self.gate.can_ask(&session, &run));
                self.captures.compare(&step.need("is")?, &can)?;
                can
            }
            "show_again" => {
                let mut again = Fields::of(action, value)?;
                let prompt = PromptId(again.need_number("prompt")?);
                let handle = Handle([u8::try_from(again.need_number("handle")?).unwrap_or(0); 16]);
                again.done()?;
                match self.router.show(now, &mut self.gate, prompt, handle, &self.audiences) {
                    Ok(count) => json!(count),
                    Err(error) => json!({ "error": format!("{error:?}") }),
                }
            }
            "address_of" => {
                let update = self.said(Fields::of(action, value)?)?;
                let askgate::chat::Update::Message(message) = self.parse(&update)? else {
                    return Err("no message".into());
                };
                match self.router.address_of(&message) {
                    Some(ChatAddress { platform, bot, chat, thread, user }) => {
                        json!({ "platform": platform, "bot": bot, "chat": chat, "thread": thread, "user": user })
                    }
                    None => Value::Null,
                }
            }
            other => return Err(format!("the action {other:?} is not played")),
        })
    }

    fn parse(&self, update: &Value) -> Result<askgate::chat::Update, String> {
        self.platform.parse(&update.to_string()).map_err(|fault| fault.to_string())
    }

    fn handle(&mut self, now: Millis, update: &Value) -> Result<Value, String> {
        let update = self.parse(update)?;
        Ok(match self.router.handle(now, &mut self.gate, &update) {
            Handled::Refused(why) => json!({ "refused": why }),
            Handled::Hint(why) => json!({ "hint": why }),
            handled => json!(handled.as_str()),
        })
    }

    /// Everything that comes of a step, in order, and when the router wants to be polled again.
    fn drain(&mut self, now: Millis, hold: bool) -> Result<(Vec<Value>, Value), String> {
        let mut outputs = Vec::new();
        loop {
            let waits = loop {
                match self.router.poll(now) {
                    Poll::Event(effect) => {
                        outputs.push(self.carry_out(now, effect, hold)?);
                    }
                    Poll::Wait(at) => break json!(at.map(|at| at.0)),
                }
            };
            let Poll::Event(event) = self.gate.poll(now) else { return Ok((outputs, waits)) };
            outputs.push(strict::parse(&to_json(&EventJson(&event)))?);
            match event {
                Event::Shown { prompt, .. } => {
                    self.shown += 1;
                    let handle = Handle([self.shown; 16]);
                    let shown = self.router.show(now, &mut self.gate, prompt, handle, &self.audiences);
                    shown.map_err(|error| error.to_string())?;
                }
                Event::Resolved { prompt, outcome, .. } => {
                    self.router.resolved(now, &mut self.gate, &prompt, &outcome);
                }
                Event::Availability { .. } => {}
            }
        }
    }

    /// Does what a platform would, and gives the effect as the files write it.
    fn carry_out(&mut self, now: Millis, effect: Effect, hold: bool) -> Result<Value, String> {
        let body = strict::parse(&effect.body)?;
        let mut written = Map::new();
        written.insert(effect.kind.as_str().into(), body.clone());
        let path = effect.path.clone();
        if self.platform == Platform::Discord {
            written.insert("path".into(), json!(format!("{} {path}", effect.method)));
        } else {
            written.insert("path".into(), json!(path));
        }
        let mut message = None;
        match effect.kind {
            EffectKind::Send => {
                let id = (FIRST_MESSAGE + self.messages.len() as u64).to_string();
                self.messages.push((id.clone(), vec![body]));
                message = Some(id);
            }
            EffectKind::Edit => {
                let id = match self.platform {
                    Platform::Telegram => body["message_id"].to_string(),
                    Platform::Discord => path.rsplit('/').next().unwrap_or_default().into(),
                };
                let edited = self.messages.iter_mut().find(|(own, _)| *own == id);
                edited.ok_or_else(|| format!("no message {id} to edit"))?.1.push(body);
            }
            EffectKind::Acknowledge => {
                if body["type"] == 9 {
                    self.fields.push(body["data"]["custom_id"].as_str().unwrap_or_default().into());
                }
                if body["type"] == 7
                    && let Some(updated) = self.messages.iter_mut().find(|(id, _)| *id == self.pressed)
                {
                    updated.1.push(body["data"].clone());
                }
            }
            EffectKind::Notice => {}
        }
        if !hold && matches!(effect.kind, EffectKind::Send | EffectKind::Edit) {
            let report = Report::Done { message: message.as_deref() };
            self.router.report(now, &mut self.gate, effect.id, &report);
        }
        self.effects.push(effect);
        Ok(Value::Object(written))
    }

    fn report(&mut self, now: Millis, mut report: Fields) -> Result<Value, String> {
        let number = usize::try_from(report.need_number("effect")?).map_err(|error| error.to_string())?;
        let status = report.number("status")?;
        let answer = report.need("answer")?.to_string();
        report.done()?;
        let effect = number.checked_sub(1).and_then(|n| self.effects.get(n)).ok_or("no such effect")?.id;
        let status = match self.platform {
            Platform::Telegram => 0,
            Platform::Discord => status.and_then(|status| u16::try_from(status).ok()).ok_or("no status")?,
        };
        let read = self.platform.parse_answer(status, Some(&answer));
        let (report, name) = match &read {
            Ok(message) => (Report::Done { message: message.as_deref() }, "done".into()),
            Err(failure) => (Report::Failed(*failure), format!("{failure:?}")),
        };
        self.router.report(now, &mut self.gate, effect, &report);
        Ok(json!(name))
    }

    /// The token of the button of that label, on the message of that id or on the last one that has it.
    fn token(&self, button: &str, message: Option<&str>) -> Result<(String, String), String> {
        let named = |body: &Value| -> Option<String> {
            match self.platform {
                Platform::Telegram => {
                    let rows = body["reply_markup"]["inline_keyboard"].as_array()?;
                    let mut buttons = rows.iter().filter_map(Value::as_array).flatten();
                    let found = buttons.find(|found| found["text"] == button)?;
                    found["callback_data"].as_str().map(String::from)
                }
                Platform::Discord => {
                    let rows = body["components"].as_array()?;
                    let mut parts = rows.iter().filter_map(|row| row["components"].as_array()).flatten();
                    let found = match button.strip_prefix("menu:") {
                        Some(n) => parts.filter(|part| part["type"] == 3).nth(n.parse().ok()?)?,
                        None => parts.find(|part| part["label"] == button)?,
                    };
                    found["custom_id"].as_str().map(String::from)
                }
            }
        };
        let messages = || {
            let of = |(id, _): &&(String, Vec<Value>)| message.is_none_or(|wanted| wanted == *id);
            self.messages.iter().rev().filter(of)
        };
        // A button that a message had once can still be pressed, late.
        let now = messages().find_map(|(id, bodies)| Some((named(bodies.last()?)?, id.clone())));
        let before =
            || messages().find_map(|(id, bodies)| Some((bodies.iter().rev().find_map(named)?, id.clone())));
        now.or_else(before).ok_or_else(|| format!("no message has the button {button:?}"))
    }

    fn pressed(&mut self, mut press: Fields) -> Result<Value, String> {
        let by = press.need_text("by")?;
        let message = press.text("message")?;
        let typed = press.text("text")?;
        let (token, message) = match (press.text("token")?, press.text("button")?) {
            (Some(token), _) => (token, message.unwrap_or_else(|| FIRST_MESSAGE.to_string())),
            (None, Some(button)) => self.token(&button, message.as_deref())?,
            (None, None) => (self.fields.last().ok_or("no text field")?.clone(), FIRST_MESSAGE.to_string()),
        };
        let token = match press.number("cut")? {
            Some(length) => token[..length as usize].to_string(),
            None => token,
        };
        let token = match press.number("tamper")? {
            Some(at) => {
                let at = at as usize;
                let other = if &token[at..=at] == "A" { "B" } else { "A" };
                format!("{}{other}{}", &token[..at], &token[at + 1..])
            }
            None => token,
        };
        self.events += 1;
        let event = press.text("event")?.unwrap_or_else(|| format!("{}", 5_000 + self.events));
        let chat = press.text("chat")?.unwrap_or_else(|| self.chat(&message));
        let thread = press.text("thread")?.or_else(|| self.thread(&message));
        let without = press.flag("without_message")?.unwrap_or(false);
        let inaccessible = press.flag("inaccessible")?.unwrap_or(false);
        let values = press.list("values")?;
        press.done()?;
        self.pressed.clone_from(&message);
        Ok(match self.platform {
            Platform::Telegram => {
                let mut shown = json!({ "message_id": id(&message), "date": 1, "chat": { "id": id(&chat), "type": "group" } });
                if inaccessible {
                    shown["date"] = json!(0);
                } else if let Some(thread) = thread {
                    shown["message_thread_id"] = id(&thread);
                    shown["is_topic_message"] = json!(true);
                }
                let mut query = json!({ "id": event, "from": { "id": id(&by), "is_bot": false, "first_name": "x" },
                    "chat_instance": "1", "data": token });
                if without {
                    query["inline_message_id"] = json!("i");
                } else {
                    query["message"] = shown;
                }
                json!({ "update_id": self.events, "callback_query": query })
            }
            Platform::Discord => {
                let mut data =
                    json!({ "custom_id": token, "component_type": if values.is_some() { 3 } else { 2 } });
                if let Some(values) = values {
                    data["values"] = Value::Array(values);
                }
                let kind = if let Some(typed) = typed {
                    data = json!({ "custom_id": token, "components": [{ "type": 18, "id": 1,
                        "component": { "type": 4, "id": 2, "custom_id": "text", "value": typed } }] });
                    5
                } else {
                    3
                };
                let mut interaction = json!({ "id": event, "application_id": BOT, "type": kind, "token": "interaction",
                    "version": 1, "channel_id": chat, "member": { "user": { "id": by } }, "data": data });
                if !without {
                    interaction["message"] = json!({ "id": message });
                }
                json!({ "t": "INTERACTION_CREATE", "d": interaction })
            }
        })
    }

    fn said(&mut self, mut say: Fields) -> Result<Value, String> {
        self.events += 1;
        let words = say.text("text")?;
        let by = say.need_text("by")?;
        let own = say.text("id")?.unwrap_or_else(|| format!("{}", 9_000 + self.events));
        let chat = say.text("chat")?.unwrap_or_else(|| self.chat(&FIRST_MESSAGE.to_string()));
        let thread = say.text("thread")?;
        let reply_to = say.text("reply_to")?;
        let edited = say.flag("edited")?.unwrap_or(false);
        let more = say.take("more").unwrap_or_else(|| json!({}));
        say.done()?;
        let mut message = match self.platform {
            Platform::Telegram => {
                let mut message = json!({ "message_id": id(&own), "date": 1, "chat": { "id": id(&chat), "type": "group" },
                    "from": { "id": id(&by), "is_bot": false, "first_name": "x" } });
                if let Some(thread) = thread {
                    message["message_thread_id"] = id(&thread);
                    message["is_topic_message"] = json!(true);
                }
                if let Some(to) = reply_to {
                    message["reply_to_message"] =
                        json!({ "message_id": id(&to), "date": 1, "chat": { "id": id(&chat) } });
                }
                if let Some(words) = words {
                    message["text"] = json!(words);
                }
                message
            }
            Platform::Discord => {
                let mut message = json!({ "id": own, "channel_id": chat, "type": 0, "author": { "id": by },
                    "content": words.unwrap_or_default(), "attachments": [] });
                if let Some(to) = reply_to {
                    message["type"] = json!(19);
                    message["message_reference"] = json!({ "type": 0, "message_id": to, "channel_id": chat });
                }
                message
            }
        };
        let Value::Object(more) = more else { return Err("more must be an object".into()) };
        for (name, value) in more {
            message[name.as_str()] = value;
        }
        Ok(match (self.platform, edited) {
            (Platform::Telegram, false) => json!({ "update_id": self.events, "message": message }),
            (Platform::Telegram, true) => json!({ "update_id": self.events, "edited_message": message }),
            (Platform::Discord, false) => json!({ "t": "MESSAGE_CREATE", "d": message }),
            (Platform::Discord, true) => json!({ "t": "MESSAGE_UPDATE", "d": message }),
        })
    }

    /// The chat that a message was sent to.
    fn chat(&self, message: &str) -> String {
        let sent = self.sent(message);
        match self.platform {
            Platform::Telegram => sent.map_or_else(|| "-100".into(), |body| body["chat_id"].to_string()),
            Platform::Discord => {
                let path = self.effects.iter().find(|effect| effect.kind == EffectKind::Send);
                path.and_then(|effect| effect.path.split('/').nth(2)).unwrap_or("100").into()
            }
        }
    }

    fn thread(&self, message: &str) -> Option<String> {
        self.sent(message)?.get("message_thread_id").map(Value::to_string)
    }

    /// The body that a message was sent with.
    fn sent(&self, message: &str) -> Option<Value> {
        let place = self.messages.iter().position(|(id, _)| id == message)?;
        let effect = self.effects.iter().filter(|effect| effect.kind == EffectKind::Send).nth(place)?;
        serde_json::from_str(&effect.body).ok()
    }
}

fn audience(value: Value) -> Result<Audience, String> {
    let mut audience = Fields::of("an audience", value)?;
    let users = audience.list("users")?.unwrap_or_default();
    let read = Audience {
        chat: audience.need_text("chat")?.into(),
        thread: audience.text("thread")?.map(Into::into),
        users: users
            .into_iter()
            .map(|user| Ok(text("users", user)?.into()))
            .collect::<Result<_, String>>()?,
    };
    audience.done()?;
    Ok(read)
}

fn ended(result: Result<&'static str, ResolveError>) -> Value {
    match result {
        Ok(kind) => json!(kind),
        Err(error) => serde_json::from_str(&to_json(&RefusalJson(&error))).unwrap_or_default(),
    }
}

/// Telegram's ids are numbers.
fn id(id: &str) -> Value {
    id.parse::<i64>().map_or_else(|_| json!(id), |number| json!(number))
}
