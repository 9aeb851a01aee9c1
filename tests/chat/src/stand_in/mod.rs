//! A stand-in of Telegram's Bot API on the loopback interface: one bot, its chats, and the people in them.
//!
//! It carries out the methods that the bridge uses and holds them to what is documented: names, fields and types, lengths
//! and ids. What breaks a rule is refused as the server does it, and is a fault that [`StandIn::faults`] lists. And it can
//! do all that a server and a network do: be slow, be down, ask to wait, lose an answer, deliver twice.

mod http;
mod methods;
mod world;

use serde_json::{Value, json};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};
use world::World;

pub use world::{BOT, BOT_NAME, Chat, Message, SECRET, TOKEN};

/// Longer than anything here takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// What goes wrong with a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mishap {
    /// It is refused for so many seconds.
    TooMany(u64),
    /// The server fails, with a page that is not the API's.
    BadGateway,
    /// It is refused with that code and description, in which `TOKEN` is the token.
    Refused(u16, &'static str),
    /// The connection is cut before the call is carried out.
    Cut,
    /// The call is carried out, and the connection cut before the answer.
    AnswerLost,
}

/// A call of a method, and the answer.
#[derive(Debug, Clone)]
pub struct Call {
    /// The method.
    pub method: String,
    /// The body.
    pub body: Value,
    /// The answer's code: 200, an error's, or 0 where there was none.
    pub code: u16,
}

/// The server, and everybody who is in Telegram.
pub struct StandIn {
    shared: Arc<Shared>,
    server: Option<http::Server>,
}

struct Shared {
    world: Mutex<World>,
    changed: Condvar,
    /// Wakes the calls for updates.
    updates: tokio::sync::Notify,
}

impl StandIn {
    /// Starts it.
    ///
    /// # Panics
    /// If no port can be had.
    #[must_use]
    pub fn start() -> Self {
        let shared = Arc::new(Shared {
            world: Mutex::default(),
            changed: Condvar::new(),
            updates: tokio::sync::Notify::new(),
        });
        let server = http::Server::start(Some(Arc::clone(&shared)), http::listen());
        Self { shared, server: Some(server) }
    }

    /// Its address.
    #[must_use]
    pub fn address(&self) -> String {
        let port = self.server.as_ref().map_or(0, http::Server::port);
        format!("http://127.0.0.1:{port}")
    }

    /// All connections are cut, and each new one, while `outage` runs.
    pub fn down_while<T>(&mut self, outage: impl FnOnce(&Self) -> T) -> T {
        let listener = self.server.take().map_or_else(http::listen, http::Server::stop);
        self.server = Some(http::Server::start(None, listener));
        let done = outage(self);
        let listener = self.server.take().map_or_else(http::listen, http::Server::stop);
        self.server = Some(http::Server::start(Some(Arc::clone(&self.shared)), listener));
        done
    }

    /// Lets the next call of a method go wrong; several in turn.
    pub fn mishap(&self, method: &str, mishap: Mishap) {
        self.with(|world| world.mishaps.push((method.into(), mishap)));
    }

    /// Makes a minute that long, for the limits of what is sent in one.
    pub fn minute_is(&self, minute: Duration) {
        self.with(|world| world.minute = minute);
    }

    /// Everything is fetched twice from now on, and the second time backwards.
    pub fn deliver_twice(&self) {
        self.with(|world| world.twice = true);
    }

    /// Somebody writes. Gives the message's id.
    pub fn write(&self, chat: i64, thread: Option<i64>, user: i64, text: &str) -> i64 {
        self.write_message(chat, thread, user, text, None)
    }

    /// Somebody replies to a message.
    pub fn reply(&self, to: &Message, user: i64, text: &str) -> i64 {
        self.write_message(to.chat, to.thread, user, text, Some(to.id))
    }

    fn write_message(&self, chat: i64, thread: Option<i64>, user: i64, text: &str, to: Option<i64>) -> i64 {
        self.with(|world| world.write(chat, thread, user, text, to))
    }

    /// Somebody presses the button of that label under a message as it is now. Gives the query's id.
    ///
    /// # Panics
    /// If there is no such button.
    pub fn press(&self, message: &Message, user: i64, label: &str) -> String {
        let now = self.message(message.chat, message.id);
        let button = now.button(label).unwrap_or_else(|| panic!("{label:?} is no button of {now:?}"));
        self.press_data(&now, user, &button)
    }

    /// Somebody's client sends what it says is a button's data.
    pub fn press_data(&self, message: &Message, user: i64, data: &str) -> String {
        self.with(|world| world.press(message, user, data))
    }

    /// Somebody deletes a message.
    pub fn delete(&self, message: &Message) {
        self.with(|world| {
            world.chats.get_mut(&message.chat).and_then(|chat| chat.messages.remove(&message.id))
        });
    }

    /// The bot is blocked or removed.
    pub fn kick(&self, chat: i64, user: i64) {
        self.with(|world| world.kick(chat, user));
    }

    /// The group becomes a supergroup; whether the group says so, or only refuses what comes.
    pub fn migrate(&self, chat: i64, to: i64, says_so: bool) {
        self.with(|world| world.migrate(chat, to, says_so));
    }

    /// The token is valid no more.
    pub fn revoke(&self) {
        self.with(|world| world.revoked = true);
    }

    /// What a press was answered with: nothing, or a notice.
    ///
    /// # Panics
    /// If it is not answered.
    #[must_use]
    pub fn notice(&self, query: &str) -> Option<String> {
        self.wait(&format!("the answer to {query}"), |world| world.queries.get(query)?.answer.clone())
    }

    /// The message as it is.
    ///
    /// # Panics
    /// If there is none.
    #[must_use]
    pub fn message(&self, chat: i64, id: i64) -> Message {
        self.with(|world| world.chats[&chat].messages[&id].clone())
    }

    /// Waits for a message of the bot in a chat that is later than `after` and contains that text.
    ///
    /// # Panics
    /// If it does not come.
    #[must_use]
    pub fn see(&self, chat: i64, after: i64, text: &str) -> Message {
        self.wait(&format!("{text:?} in {chat} after {after}"), |world| {
            let mut messages = world.chats.get(&chat)?.messages.range(after + 1..);
            messages
                .find(|(_, message)| message.by_bot && message.text.contains(text))
                .map(|(_, it)| it.clone())
        })
    }

    /// Waits until a message has another text, and gives it.
    ///
    /// # Panics
    /// If it does not come to have it.
    pub fn becomes(&self, message: &Message, text: &str) -> Message {
        self.wait(&format!("{text:?} in place of {:?}", message.text), |world| {
            let now = &world.chats[&message.chat].messages[&message.id];
            now.text.contains(text).then(|| now.clone())
        })
    }

    /// The calls of a method so far.
    #[must_use]
    pub fn calls(&self, method: &str) -> Vec<Call> {
        self.with(|world| world.calls.iter().filter(|call| call.method == method).cloned().collect())
    }

    /// Waits until a method was called so many times.
    ///
    /// # Panics
    /// If it is not.
    pub fn called(&self, method: &str, times: usize) {
        self.wait(&format!("{times} calls of {method}"), |world| {
            (world.calls.iter().filter(|call| call.method == method).count() >= times).then_some(())
        });
    }

    /// The chats that there are.
    #[must_use]
    pub fn chats(&self) -> Vec<i64> {
        self.with(|world| world.chats.keys().copied().collect())
    }

    /// The bot's messages in a chat, in their order.
    #[must_use]
    pub fn by_bot(&self, chat: i64) -> Vec<Message> {
        let of = |world: &mut World| world.chats.get(&chat).map(|chat| chat.messages.clone());
        self.with(of).unwrap_or_default().into_values().filter(|message| message.by_bot).collect()
    }

    /// Waits until all that people did was fetched and confirmed.
    ///
    /// # Panics
    /// If it is not.
    pub fn settled(&self) {
        self.wait("all updates fetched", |world| world.waiting.is_empty().then_some(()));
    }

    /// How many updates are still to be fetched, or to be confirmed.
    #[must_use]
    pub fn unconfirmed(&self) -> usize {
        self.with(|world| world.waiting.len())
    }

    /// The rules that were broken.
    #[must_use]
    pub fn faults(&self) -> Vec<String> {
        self.with(|world| world.faults.clone())
    }

    fn with<T>(&self, act: impl FnOnce(&mut World) -> T) -> T {
        self.shared.with(act)
    }

    fn wait<T>(&self, what: &str, mut found: impl FnMut(&World) -> Option<T>) -> T {
        let end = Instant::now() + PATIENCE;
        let mut world = self.shared.lock();
        loop {
            if let Some(found) = found(&world) {
                return found;
            }
            let left = end.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "there is no {what} in:\n{world:#?}");
            world = self.shared.changed.wait_timeout(world, left).expect("no panic before").0;
        }
    }
}

impl Shared {
    fn lock(&self) -> std::sync::MutexGuard<'_, World> {
        self.world.lock().expect("no panic before")
    }

    fn with<T>(&self, act: impl FnOnce(&mut World) -> T) -> T {
        let done = act(&mut self.lock());
        self.changed.notify_all();
        self.updates.notify_waiters();
        done
    }
}

/// A refusal as the server writes it.
fn refusal(code: u16, description: &str) -> Value {
    json!({ "ok": false, "error_code": code, "description": description })
}
