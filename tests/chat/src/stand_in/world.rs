//! The bot's part of Telegram: chats, messages, buttons pressed, and the updates that say so.

use super::{Call, Mishap};
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant};

/// The bot's id.
pub const BOT: i64 = 42;

/// The bot's name.
pub const BOT_NAME: &str = "askgate_bot";

/// The secret part of the token.
pub const SECRET: &str = "AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw";

/// The bot's token.
pub const TOKEN: &str = "42:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw";

/// A message.
#[derive(Debug, Clone)]
pub struct Message {
    /// Its chat.
    pub chat: i64,
    /// Its topic.
    pub thread: Option<i64>,
    /// Its id.
    pub id: i64,
    /// The bot wrote it.
    pub by_bot: bool,
    /// What it says.
    pub text: String,
    /// Its buttons: labels and data.
    pub buttons: Vec<Vec<(String, String)>>,
    /// How often it was edited.
    pub edits: usize,
    /// The message that it replies to.
    pub reply_to: Option<i64>,
}

impl Message {
    /// The data of the button of that label.
    #[must_use]
    pub fn button(&self, label: &str) -> Option<String> {
        self.buttons.iter().flatten().find(|(own, _)| own == label).map(|(_, data)| data.clone())
    }

    /// Its labels, row by row.
    #[must_use]
    pub fn labels(&self) -> Vec<Vec<&str>> {
        self.buttons.iter().map(|row| row.iter().map(|(label, _)| label.as_str()).collect()).collect()
    }

    fn json(&self) -> Value {
        let from = if self.by_bot { bot() } else { json!({ "id": 0, "is_bot": false, "first_name": "?" }) };
        json!({ "message_id": self.id, "date": 1_700_000_000, "chat": chat_json(self.chat), "from": from,
            "text": self.text })
    }
}

/// A chat.
#[derive(Debug, Default)]
pub struct Chat {
    /// All messages.
    pub messages: BTreeMap<i64, Message>,
    /// It takes nothing from the bot.
    pub kicked: bool,
    /// What it has become.
    pub migrated: Option<i64>,
}

/// A press.
#[derive(Debug)]
pub(super) struct Query {
    /// What it was answered with.
    pub(super) answer: Option<Option<String>>,
}

/// The most sends and edits in a minute in a group; in a private chat as many as seconds.
const IN_A_MINUTE: usize = 20;

/// The most of the bot in a sixtieth of a minute.
const IN_A_SECOND: usize = 30;

#[derive(Debug)]
pub(super) struct World {
    pub(super) chats: BTreeMap<i64, Chat>,
    pub(super) queries: BTreeMap<String, Query>,
    /// Updates that were not confirmed.
    pub(super) waiting: VecDeque<Value>,
    /// Updates that are to come again.
    pub(super) again: VecDeque<Value>,
    pub(super) twice: bool,
    pub(super) revoked: bool,
    pub(super) mishaps: Vec<(String, Mishap)>,
    pub(super) calls: Vec<Call>,
    pub(super) faults: Vec<String>,
    /// How long a minute is.
    pub(super) minute: Duration,
    /// When something was sent or edited, and where.
    sends: Vec<(Instant, i64)>,
    last_update: i64,
    last_message: i64,
}

impl Default for World {
    fn default() -> Self {
        Self {
            chats: BTreeMap::new(),
            queries: BTreeMap::new(),
            waiting: VecDeque::new(),
            again: VecDeque::new(),
            twice: false,
            revoked: false,
            mishaps: Vec::new(),
            calls: Vec::new(),
            faults: Vec::new(),
            minute: Duration::from_secs(60),
            sends: Vec::new(),
            last_update: 0,
            last_message: 0,
        }
    }
}

impl World {
    pub(super) fn update(&mut self, kind: &str, content: Value) {
        self.last_update += 1;
        let update = json!({ "update_id": 1_000 + self.last_update, kind: content });
        // It is one that a client of the API could read.
        let read = serde_json::from_value::<frankenstein::updates::Update>(update.clone());
        assert!(read.is_ok(), "{read:?}: {update}");
        self.waiting.push_back(update);
    }

    /// How many whole seconds a send or an edit in a chat has to wait. What has to is not counted.
    pub(super) fn flood(&mut self, chat: i64) -> Option<u64> {
        let now = Instant::now();
        let minute = self.minute;
        self.sends.retain(|(at, _)| now.duration_since(*at) < minute);
        // In how long the last so many of those sends will be longer ago than that.
        let wait = |most: usize, within: Duration, of: &dyn Fn(i64) -> bool| {
            let at = self.sends.iter().rev().filter(|(_, chat)| of(*chat)).nth(most - 1)?.0;
            within.checked_sub(now.duration_since(at))
        };
        let here = if chat < 0 { IN_A_MINUTE } else { 60 };
        let wait = wait(here, minute, &|other| other == chat).max(wait(IN_A_SECOND, minute / 60, &|_| true));
        match wait {
            Some(left) => Some(left.as_secs() + 1),
            None => {
                self.sends.push((now, chat));
                None
            }
        }
    }

    /// Adds a message, with the next id: they grow over all chats, and none comes twice.
    pub(super) fn add(&mut self, chat: i64, message: impl FnOnce(i64) -> Message) -> Message {
        self.last_message += 1;
        let id = self.last_message;
        let message = message(id);
        self.chats.entry(chat).or_default().messages.insert(id, message.clone());
        message
    }

    pub(super) fn write(
        &mut self,
        chat: i64,
        thread: Option<i64>,
        user: i64,
        text: &str,
        reply_to: Option<i64>,
    ) -> i64 {
        let message = self.add(chat, |id| Message {
            chat,
            thread,
            id,
            by_bot: false,
            text: text.into(),
            buttons: Vec::new(),
            edits: 0,
            reply_to,
        });
        let mut json = message.json();
        json["from"] = person(user);
        if let Some(to) = reply_to {
            json["reply_to_message"] = self.chats[&chat].messages[&to].json();
        }
        if let Some(thread) = thread {
            json["message_thread_id"] = thread.into();
            json["is_topic_message"] = true.into();
        }
        if text.starts_with('/') {
            let length = text.split(' ').next().unwrap_or_default().len();
            json["entities"] = json!([{ "type": "bot_command", "offset": 0, "length": length }]);
        }
        self.update("message", json);
        message.id
    }

    pub(super) fn press(&mut self, message: &Message, user: i64, data: &str) -> String {
        let id = format!("{}", 9_000_000_000_u64 + self.queries.len() as u64);
        self.queries.insert(id.clone(), Query { answer: None });
        let mut shown = message.json();
        if let Some(thread) = message.thread {
            shown["message_thread_id"] = thread.into();
            shown["is_topic_message"] = true.into();
        }
        let query =
            json!({ "id": id, "from": person(user), "message": shown, "chat_instance": "1", "data": data });
        self.update("callback_query", query);
        id
    }

    pub(super) fn kick(&mut self, chat: i64, user: i64) {
        self.chats.entry(chat).or_default().kicked = true;
        let member = |status: &str| json!({ "status": status, "user": bot(), "until_date": 0 });
        let old = json!({ "status": "member", "user": bot() });
        self.update(
            "my_chat_member",
            json!({ "chat": chat_json(chat), "from": person(user), "date": 1_700_000_000, "old_chat_member": old,
                "new_chat_member": member("kicked") }),
        );
    }

    pub(super) fn migrate(&mut self, chat: i64, to: i64, says_so: bool) {
        self.chats.entry(chat).or_default().migrated = Some(to);
        self.chats.entry(to).or_default();
        if says_so {
            self.update(
                "message",
                json!({ "message_id": 1, "date": 1_700_000_000, "chat": chat_json(chat), "from": person(1),
                    "migrate_to_chat_id": to }),
            );
        }
    }

    /// The updates after those that the offset confirms.
    pub(super) fn fetch(&mut self, offset: Option<i64>, kinds: &[String]) -> Vec<Value> {
        let number = |update: &Value| update["update_id"].as_i64().unwrap_or_default();
        while let Some(update) = self.waiting.front()
            && offset.is_some_and(|offset| number(update) < offset)
        {
            let confirmed = self.waiting.pop_front();
            if self.twice {
                self.again.extend(confirmed);
            }
        }
        let is_wanted = |update: &&Value| kinds.iter().any(|kind| update.get(kind).is_some());
        let mut batch: Vec<_> = self.waiting.iter().filter(is_wanted).take(100).cloned().collect();
        batch.extend(self.again.drain(..).rev());
        batch
    }
}

fn bot() -> Value {
    json!({ "id": BOT, "is_bot": true, "first_name": "Askgate", "username": BOT_NAME })
}

fn person(id: i64) -> Value {
    json!({ "id": id, "is_bot": false, "first_name": format!("user {id}") })
}

fn chat_json(id: i64) -> Value {
    if id > 0 {
        json!({ "id": id, "type": "private", "first_name": format!("user {id}") })
    } else {
        json!({ "id": id, "type": "supergroup", "title": "a group", "is_forum": true })
    }
}
