//! The host's prompts in Telegram: the core's router, driven over the Bot API.
//!
//! Dialect A's prompts go to the chat that the host was told of, for the users who may answer. A session of dialect B is
//! bound to a chat by what such a user writes there to the bot: a run of the session `telegram:CHAT:USER` (in a topic,
//! `telegram:CHAT:THREAD:USER`) then asks that user, in that place.

mod api;
mod greeting;
mod poller;
mod settings;

use crate::args::Serve;
use crate::exit::{Failure, note};
use crate::host::{Clock, Host, Told};
use api::{Answer, Api, PATIENCE, Unreached};
use askgate::chat::{
    Audience, Content, Effect, EffectKind, Failure as Refused, Handle, Handled, Key, Message, Platform,
    Report, Router, Update, telegram,
};
use askgate::gate::{Event, Poll};
use askgate::id::SessionKey;
use askgate::limits::{Limits, MAX_BOUND_SESSIONS};
use askgate::time::Millis;
use greeting::{Addressed, Me};
use poller::Numbered;
use settings::Settings;
use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};
use tokio::task::{AbortHandle, spawn_local};
use tokio::time::{sleep, timeout};

/// How many times a call is made that nobody but the server waits for, and how long it waits between.
const TRIES: u32 = 3;
const AGAIN: Duration = Duration::from_secs(1);

/// The longest that such a call waits, though the server asks for more: it is of no use to anybody then.
const LONGEST_AGAIN: Duration = Duration::from_secs(10);

/// How long the last edits may take when the host ends: groups bear one in three seconds.
const GRACE: Duration = Duration::from_secs(5);

/// How many updates are known again if they come twice.
const KNOWN_UPDATES: usize = 1_024;

/// How many strangers are told of to whoever runs the host.
const STRANGERS: usize = 16;

/// What waits to be dealt with at most; the tasks that bring it wait meanwhile.
const NEWS: usize = 64;

/// What a task brings.
pub(crate) enum News {
    /// Updates; to be told when they were dealt with.
    Updates(Vec<Numbered>, oneshot::Sender<()>),
    /// What became of an effect.
    Report(Effect, Result<Answer, Unreached>),
    /// A line for whoever runs the host.
    Note(String),
    /// The host cannot go on.
    Fatal(Failure),
    /// It is time for what was held back.
    Due,
}

/// A host's bridge to Telegram.
pub(crate) struct Bridge {
    api: Rc<Api>,
    router: Router,
    me: Me,
    users: Vec<Box<str>>,
    /// Where dialect A's prompts go.
    audience: Option<Audience>,
    clock: Clock,
    /// When the router wants to be asked again.
    wake: Option<Millis>,
    /// Calls under way.
    running: usize,
    known: VecDeque<i64>,
    /// The last update of the last batch.
    last: Option<i64>,
    strangers: BTreeSet<Box<str>>,
    sender: mpsc::Sender<News>,
    news: mpsc::Receiver<News>,
    poller: Option<AbortHandle>,
}

impl Bridge {
    /// A bridge, if the command line wants one: once the server has taken the token.
    ///
    /// # Errors
    /// A failure where the settings are wrong, the token is refused or the server cannot be reached.
    pub(crate) async fn open(args: &Serve) -> Result<Option<Self>, Failure> {
        if !args.telegram {
            return Ok(None);
        }
        let Settings { token, users, chat, api } = Settings::read()?;
        let unreached = |Unreached(why)| Failure::no_surface(format!("Telegram cannot be reached: {why}."));
        let bot = Box::from(token.bot());
        let api = Api::new(&api, token).map_err(unreached)?;
        let answer = call(&api, "getMe", "{}").await.map_err(unreached)?;
        if let Some(failure) = poller::refused_token(&answer) {
            return Err(failure);
        }
        let me: Option<Me> = answer.result();
        let me = me.ok_or_else(|| unreached(Unreached(format!("it refused getMe: {}", answer.why()))))?;
        let mut key = [0; 32];
        getrandom::fill(&mut key).map_err(|_| no_randomness())?;
        let (sender, news) = mpsc::channel(NEWS);
        let audience = chat.map(|(chat, thread)| Audience { chat, thread, users: users.clone() });
        Ok(Some(Self {
            api: Rc::new(api),
            router: Router::new(Platform::Telegram, &bot, Key::new(key)),
            me,
            users,
            audience,
            clock: Clock::start(),
            wake: None,
            running: 0,
            known: VecDeque::new(),
            last: None,
            strangers: BTreeSet::new(),
            sender,
            news,
            poller: None,
        }))
    }

    /// Begins to fetch updates.
    pub(crate) fn start(&mut self, host: &mut Host) {
        host.tell_events();
        self.clock = host.clock();
        let task = spawn_local(poller::poll(Rc::clone(&self.api), self.sender.clone()));
        self.poller = Some(task.abort_handle());
        note(&format!("askgate: asking in Telegram as @{}", self.me.name()));
    }

    /// What comes next. The call may be dropped and made again at any time.
    pub(crate) async fn next(&mut self) -> News {
        tokio::select! {
            Some(news) = self.news.recv() => news,
            () = self.clock.sleep_until(self.wake), if self.wake.is_some() => News::Due,
        }
    }

    /// Takes it. Gives what there is to say to whoever runs the host, line by line.
    ///
    /// # Errors
    /// A failure that ends the host.
    pub(crate) fn take(&mut self, host: &mut Host, news: News) -> Result<Vec<String>, Failure> {
        let said = match news {
            News::Updates(batch, dealt_with) => {
                let said = batch.iter().filter_map(|update| self.update(host, update)).collect();
                self.last = batch.iter().map(|update| update.number).max();
                // The poller may have been ended meanwhile.
                let _ = dealt_with.send(());
                said
            }
            News::Report(effect, answer) => self.report(host, &effect, &answer).into_iter().collect(),
            News::Note(said) => vec![said],
            News::Fatal(failure) => return Err(failure),
            News::Due => Vec::new(),
        };
        self.pump();
        Ok(said)
    }

    /// Hears what became of prompts. Gives whether anything did; then there may be lines for others.
    ///
    /// # Errors
    /// A failure where the system has no random numbers.
    pub(crate) fn hear(&mut self, host: &mut Host) -> Result<bool, Failure> {
        let mut heard = false;
        while let Some(told) = host.told() {
            heard = true;
            let Self { router, audience, .. } = self;
            let event = match told {
                Told::Event(event) => *event,
                Told::RunEnded { session, run } => {
                    host.with_gate(|now, gate| router.end_run(now, gate, &session, &run));
                    continue;
                }
            };
            match event {
                Event::Shown { prompt, .. } => {
                    let mut handle = [0; 16];
                    getrandom::fill(&mut handle).map_err(|_| no_randomness())?;
                    let audience = audience.as_slice();
                    // Refused only if it has ended meanwhile.
                    let _ =
                        host.with_gate(|now, gate| router.show(now, gate, prompt, Handle(handle), audience));
                }
                Event::Resolved { prompt, outcome, .. } => {
                    host.with_gate(|now, gate| router.resolved(now, gate, &prompt, &outcome));
                }
                // It comes as an output of its own.
                Event::Availability { .. } => {}
            }
        }
        self.pump();
        Ok(heard)
    }

    /// After all prompts have ended: gives the messages about them their last form, and confirms what was dealt with, for a
    /// while.
    pub(crate) async fn finish(&mut self, host: &mut Host) {
        if let Some(poller) = self.poller.take() {
            poller.abort();
        }
        let (api, last) = (Rc::clone(&self.api), self.last);
        let confirmed = async {
            if let Some(last) = last {
                // If it fails, those updates come again to the next host, where they count for nothing.
                let _ = api.call("getUpdates", poller::confirmation(last), GRACE).await;
            }
        };
        let edited = async {
            while self.running > 0 || self.wake.is_some() {
                let news = self.next().await;
                // What people do now comes too late, and what fails now has failed.
                if !matches!(news, News::Updates(..)) {
                    let _ = self.take(host, news);
                }
            }
        };
        // What is not done by then is not: those buttons expire.
        let _ = timeout(GRACE, async { tokio::join!(edited, confirmed) }).await;
    }

    fn update(&mut self, host: &mut Host, update: &Numbered) -> Option<String> {
        if self.known.contains(&update.number) {
            return None;
        }
        if self.known.len() >= KNOWN_UPDATES {
            self.known.pop_front();
        }
        self.known.push_back(update.number);
        let json = update.json.get();
        let read = telegram::parse(json).ok()?;
        let router = &mut self.router;
        let handled = host.with_gate(|now, gate| router.handle(now, gate, &read));
        match (&read, handled) {
            (Update::Message(message), Handled::NotCaptured) => self.message(host, message, json),
            (Update::Lost { chat }, _) => {
                let moved = greeting::migrated_to(json).and_then(|to| self.moved(chat, to));
                // Anybody may add the bot to a chat and remove it again; that is no news.
                let is_ours = self.users.contains(chat)
                    || self.audience.as_ref().is_some_and(|audience| audience.chat == *chat);
                moved.or_else(|| is_ours.then(|| format!("askgate: Telegram's chat {chat} is lost")))
            }
            _ => None,
        }
    }

    /// A message that answers nothing. If it is for the bot, its sender's session is bound to where it was written.
    fn message(&mut self, host: &mut Host, message: &Message, json: &str) -> Option<String> {
        let address = self.router.address_of(message)?;
        let addressed = self.me.addressed(message, json)?;
        if !self.users.contains(&address.user) {
            let is_news = self.strangers.len() < STRANGERS && self.strangers.insert(address.user.clone());
            return is_news.then(|| {
                format!(
                    "askgate: Telegram's user {} wrote to the bot, and is none of ASKGATE_TELEGRAM_USERS",
                    address.user
                )
            });
        }
        let says_how = match (addressed, &message.content) {
            (Addressed::Unknown, _) => {
                self.send(greeting::unknown(message));
                return None;
            }
            (Addressed::Start, _) => true,
            (Addressed::Plain, Content::Text(_)) => false,
            // What a run could not be started by.
            (Addressed::Plain, _) => return None,
        };
        let name = greeting::session(&address);
        let session = SessionKey::new(&name, &Limits::DEFAULT).ok()?;
        let router = &mut self.router;
        let was_bound = host.with_gate(|now, gate| {
            let was_bound = gate.is_bound(&session);
            if !was_bound && gate.bound_sessions() >= MAX_BOUND_SESSIONS {
                return Err("too many sessions are bound");
            }
            let bound = router.bind_chat(now, gate, session.clone(), address);
            bound.map(|()| was_bound).map_err(|_| "it has ids of another form")
        });
        match was_bound {
            Ok(was_bound) => {
                if says_how || !was_bound {
                    self.send(greeting::bound(message, &name));
                }
                None
            }
            Err(why) => Some(format!("askgate: Telegram's {name} was not bound: {why}")),
        }
    }

    fn report(
        &mut self,
        host: &mut Host,
        effect: &Effect,
        answer: &Result<Answer, Unreached>,
    ) -> Option<String> {
        self.running = self.running.saturating_sub(1);
        let read = match answer {
            Ok(answer) => telegram::parse_answer(&answer.text),
            Err(Unreached(_)) => Err(Refused::Retry { after_ms: None }),
        };
        let report = match &read {
            Ok(message) => Report::Done { message: message.as_deref() },
            Err(failure) => Report::Failed(*failure),
        };
        let router = &mut self.router;
        host.with_gate(|now, gate| router.report(now, gate, effect.id, &report));
        let answer = answer.as_ref().ok()?;
        let chat = greeting::chat_of(&effect.body);
        if let (Some(to), Some(chat)) = (answer.migrated_to(), &chat) {
            return self.moved(chat, to);
        }
        match read {
            Ok(_) | Err(Refused::Benign | Refused::Retry { .. }) => None,
            Err(Refused::Gone | Refused::Lost | Refused::Rejected) => {
                let chat = chat.map_or_else(String::new, |chat| format!(" in the chat {chat}"));
                Some(format!("askgate: Telegram refused {}{chat}: {}", effect.path, answer.why()))
            }
        }
    }

    /// A group has become another chat: later prompts of dialect A go there.
    fn moved(&mut self, from: &str, to: i64) -> Option<String> {
        let audience = self.audience.as_mut().filter(|audience| &*audience.chat == from)?;
        audience.chat = to.to_string().into();
        Some(format!(
            "askgate: Telegram's group {from} has become {to}, where questions go from now on; set ASKGATE_TELEGRAM_CHAT"
        ))
    }

    /// Starts the calls that may be made now. They run side by side, so that one that hangs holds up no other; the router
    /// gives out only what may.
    fn pump(&mut self) {
        loop {
            match self.router.poll(self.clock.now()) {
                Poll::Event(effect) => self.send(effect),
                Poll::Wait(wake) => {
                    self.wake = wake;
                    return;
                }
            }
        }
    }

    fn send(&mut self, effect: Effect) {
        self.running += 1;
        let (api, sender) = (Rc::clone(&self.api), self.sender.clone());
        spawn_local(async move {
            let answer = match effect.kind {
                EffectKind::Send | EffectKind::Edit => {
                    api.call(&effect.path, effect.body.clone(), PATIENCE).await
                }
                EffectKind::Acknowledge | EffectKind::Notice => call(&api, &effect.path, &effect.body).await,
            };
            // The host may have ended meanwhile.
            let _ = sender.send(News::Report(effect, answer)).await;
        });
    }
}

/// Calls a method, a few times if it could not be carried out for now.
async fn call(api: &Api, method: &str, body: &str) -> Result<Answer, Unreached> {
    let mut tries = 1;
    loop {
        let answer = api.call(method, body.to_owned(), PATIENCE).await;
        let wait = match &answer {
            Ok(answer) if matches!(answer.refusal(), Some(429 | 500..)) => {
                answer.retry_after().unwrap_or(AGAIN)
            }
            Ok(_) => return answer,
            Err(Unreached(_)) => AGAIN,
        };
        if tries >= TRIES || wait > LONGEST_AGAIN {
            return answer;
        }
        tries += 1;
        sleep(wait).await;
    }
}

fn no_randomness() -> Failure {
    Failure::error(askgate::error::Code::Unavailable, "The system has no random numbers.")
}
