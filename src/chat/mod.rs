//! Questions in chats: a router for one bot account of Telegram or Discord (spec 6, 12; seed "Telegram and Discord").
//!
//! A [`Router`] turns prompts into messages with buttons, and what people do in the chat into calls of the [`Gate`], which
//! alone decides: it compares every identity of the claim and ends each prompt once. The router does no I/O. It is given
//! time, parsed updates and reports, and what it wants done is polled as [`Effect`]s with ready HTTP bodies.
//!
//! **State first, effects after.** Each call changes the state of the gate and of the router at once; its effects come
//! after, and what becomes of them changes no answer. Only a question that cannot be shown at all, or a chat that is lost,
//! makes a prompt unavailable.
//!
//! A host drives it so:
//!
//! 1. [`Router::bind_chat`] with the place and the sender of a message, before that message is submitted as a run.
//! 2. [`Event::Shown`](crate::gate::Event::Shown) → [`Router::show`] with a fresh random [`Handle`];
//!    [`Event::Resolved`](crate::gate::Event::Resolved) → [`Router::resolved`]. Events are handed on at once, after each call.
//! 3. Each update of the platform → [`telegram::parse`] or [`discord::parse`] → [`Router::handle`]. Only a message that is
//!    [`Handled::NotCaptured`] may start a run.
//! 4. [`Router::poll`] until it says to wait; each effect is carried out in order, and what became of a send, an edit or an
//!    acknowledgement is given to [`Router::report`].
//! 5. [`Router::end_run`] when a run is over, [`Router::lose_chat`] when the bot was blocked or removed.
//!
//! ```
//! use askgate::chat::{EffectKind, Handle, Handled, Key, Platform, Router, telegram};
//! use askgate::dialect::typed::parse_ask;
//! use askgate::gate::{Event, Gate, Poll};
//! use askgate::id::SessionKey;
//! use askgate::time::Millis;
//!
//! let now = Millis(0);
//! let mut gate = Gate::default();
//! let mut router = Router::new(Platform::Telegram, "42", Key::new([0; 32])); // give it random bytes
//!
//! // A message comes that starts a run: its sender will be asked, in its chat.
//! let update = r#"{"update_id":1,"message":{"message_id":9,"date":1,"text":"Refactor it","chat":{"id":-100},"from":{"id":5}}}"#;
//! let askgate::chat::Update::Message(message) = telegram::parse(update)? else { unreachable!() };
//! let address = router.address_of(&message).expect("a person wrote it");
//! let session = SessionKey::new("s", gate.limits())?;
//! router.bind_chat(now, &mut gate, session, address)?;
//!
//! // The run asks.
//! let ask = r#"{"dialect":"session","session":"s","run":"r","request":{"questions":[
//!     {"id":"how","question":"How?","options":[{"label":"Small"},{"label":"Full"}]}]}}"#;
//! gate.ask(now, parse_ask(ask, gate.limits())?)?;
//! while let Poll::Event(event) = gate.poll(now) {
//!     if let Event::Shown { prompt, .. } = event {
//!         router.show(now, &mut gate, prompt, Handle([7; 16]), &[])?; // random, too
//!     }
//! }
//! let Poll::Event(effect) = router.poll(now) else { unreachable!() };
//! assert_eq!((effect.kind, &*effect.path), (EffectKind::Send, "sendMessage"));
//! assert!(effect.body.starts_with(r#"{"chat_id":-100,"text":"How?"#));
//!
//! // The next plain message of that user there is the answer, and starts no run.
//! let update = update.replace("Refactor it", "Neither").replace("9", "11");
//! assert_eq!(router.handle(now, &mut gate, &telegram::parse(&update)?), Handled::Captured);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A host that speaks the wire formats has its gate in an [`Endpoint`](crate::endpoint::Endpoint). It asks for the events
//! by [`tell_events`](crate::endpoint::Endpoint::tell_events), and calls the router within
//! [`with_gate`](crate::endpoint::Endpoint::with_gate):
//!
//! ```
//! # use askgate::chat::{Audience, Handle, Key, Platform, Router, telegram};
//! # use askgate::endpoint::{Authority, Endpoint, Output};
//! # use askgate::gate::{Event, Poll};
//! # use askgate::time::Millis;
//! # let now = Millis(0);
//! # let mut endpoint = Endpoint::default();
//! # let mut router = Router::new(Platform::Telegram, "42", Key::new([0; 32]));
//! # let audience = [Audience { chat: "-100".into(), thread: None, users: vec!["5".into()] }];
//! # let agent = endpoint.connect(now, Authority::default())?;
//! endpoint.tell_events(true);
//! # let ask = r#"{"id":1,"method":"agent.ask_user","params":{"surface_id":"s","kind":"yesno","title":"Deploy?"}}"#;
//! # let _ = endpoint.receive(now, agent, ask.as_bytes())?;
//! while let Poll::Event(output) = endpoint.poll(now) {
//!     let Output::Event(event) = output else { continue }; // lines are sent
//!     match event.clone() {
//!         Event::Shown { prompt, .. } => {
//!             // Refused only if it has ended by now.
//!             let _ = endpoint.with_gate(now, |gate| router.show(now, gate, prompt, Handle([7; 16]), &audience));
//!         }
//!         Event::Resolved { prompt, outcome, .. } => {
//!             endpoint.with_gate(now, |gate| router.resolved(now, gate, &prompt, &outcome));
//!         }
//!         Event::Availability { .. } => {} // comes as an output of its own
//!     }
//! }
//! # let Poll::Event(effect) = router.poll(now) else { unreachable!() };
//! # assert!(effect.body.contains("Deploy?"));
//! # let update = telegram::parse("{}")?;
//! let handled = endpoint.with_gate(now, |gate| router.handle(now, gate, &update));
//! # assert_eq!(handled, askgate::chat::Handled::Ignored);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! There must be one router a bot account, since it has to see every session of a user in a conversation. Nothing of it
//! outlives the process: with a new [`Key`], all older buttons report that they have expired.

pub mod discord;
mod effect;
mod layout;
mod outbox;
mod platform;
mod press;
pub mod telegram;
mod token;
pub mod typed;
mod update;

pub use effect::{Effect, EffectId, EffectKind, Failure, Report};
pub use platform::Platform;
pub use token::{Handle, Key, TOKEN_LEN};
pub use update::{Content, Handled, Input, Message, Place, Press, Thread, Update};

use crate::answer::{CancelReason, Outcome};
use crate::error::{Code, Fault};
use crate::form::{Form, QuestionKind};
use crate::gate::{Gate, Origin, Poll, Prompt, Target};
use crate::id::{AgentId, ChatAddress, Claim, PromptId, RunId, SessionKey, SurfaceId};
use crate::text::{Mode, Unit, cut, display_safe};
use crate::time::{Clock, Millis};
use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet, VecDeque};
use alloc::string::String;
use alloc::vec::Vec;
use layout::View;
use outbox::{Outbox, PostId, Trouble};
use token::{Action, Address};

/// A chat that a prompt of dialect A is shown in, and who may answer it there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Audience {
    /// The chat, or Discord's channel.
    pub chat: Box<str>,
    /// The topic within it.
    pub thread: Option<Box<str>>,
    /// The users who may answer; the first answer counts.
    pub users: Vec<Box<str>>,
}

/// Why a prompt was not shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ShowError {
    /// It is not pending.
    #[error("The prompt is not pending.")]
    NotPending,
    /// The handle names another prompt.
    #[error("Give each prompt a fresh random handle.")]
    HandleInUse,
}

/// How many presses and messages are known again if they are delivered twice.
const KNOWN_EVENTS: usize = 1_024;

/// Shows prompts in the chats of one bot account. See the [module documentation](self).
#[derive(Debug)]
pub struct Router {
    platform: Platform,
    bot: Box<str>,
    key: Key,
    clock: Clock,
    bound: BTreeMap<SessionKey, ChatAddress>,
    conversations: BTreeMap<PromptId, Conversation>,
    handles: BTreeMap<Handle, PromptId>,
    /// Who is being asked where, of dialect B.
    asked: BTreeMap<ChatAddress, BTreeSet<PromptId>>,
    known: VecDeque<Box<str>>,
    outbox: Outbox,
    effects: VecDeque<Effect>,
}

/// A prompt that is shown.
#[derive(Debug)]
struct Conversation {
    handle: Handle,
    asks: Asks,
    /// The current question.
    question: usize,
    /// What was said to the questions before it.
    taken: Vec<Taken>,
    /// What is selected of the current one.
    selected: BTreeSet<usize>,
    screens: Vec<Screen>,
    /// The place that the prompt was ended from.
    ended_on: Option<ChatAddress>,
}

#[derive(Debug)]
enum Asks {
    Session(SessionKey, RunId),
    Request { surface: SurfaceId, agent: Option<AgentId> },
}

/// What was chosen or typed for one question.
#[derive(Debug)]
struct Taken {
    selected: Vec<usize>,
    custom: Option<Box<str>>,
}

/// A place where a prompt is shown.
#[derive(Debug)]
struct Screen {
    /// Of dialect A its user is empty.
    chat: ChatAddress,
    users: Vec<Box<str>>,
    /// Who has acknowledged the command here.
    armed: Option<Box<str>>,
    /// The current question's messages: text before it, and the one with the buttons.
    before: Vec<PostId>,
    main: Option<PostId>,
}

impl Asks {
    fn address<'a>(&'a self, chat: &'a ChatAddress) -> Address<'a> {
        let asks = match self {
            Self::Session(session, run) => (session.as_str(), Some(run.as_str())),
            Self::Request { surface, .. } => (surface.as_str(), None),
        };
        Address { chat, asks }
    }

    /// Who asks, as dialect A's prompts say it.
    fn attribution(&self) -> Option<String> {
        match self {
            Self::Session(..) => None,
            Self::Request { surface, agent: None } => Some(surface.as_str().into()),
            Self::Request { surface, agent: Some(agent) } => {
                Some(alloc::format!("{} · {}", agent.as_str(), surface.as_str()))
            }
        }
    }

    fn claim<'a>(&'a self, prompt: PromptId, address: &'a ChatAddress) -> Claim<'a> {
        match self {
            Self::Session(session, run) => Claim::Chat { prompt, session, run, address },
            Self::Request { .. } => Claim::Request { prompt, claimant: address.claimant() },
        }
    }
}

impl Router {
    /// A router for the bot account `bot`, with the key of its tokens.
    #[must_use]
    pub fn new(platform: Platform, bot: &str, key: Key) -> Self {
        Self {
            platform,
            bot: bot.into(),
            key,
            clock: Clock::default(),
            bound: BTreeMap::new(),
            conversations: BTreeMap::new(),
            handles: BTreeMap::new(),
            asked: BTreeMap::new(),
            known: VecDeque::new(),
            outbox: Outbox::new(platform),
            effects: VecDeque::new(),
        }
    }

    /// The address that a message comes from, to bind the run that it starts; `None` if no person wrote it.
    #[must_use]
    pub fn address_of(&self, message: &Message) -> Option<ChatAddress> {
        Some(ChatAddress {
            platform: self.platform.as_str().into(),
            bot: self.bot.clone(),
            chat: message.chat.clone(),
            thread: message.thread.clone(),
            user: message.user.clone()?,
        })
    }

    /// Binds the chat, and the one person in it who may answer, as the surface of a session: before the run that the
    /// person's message starts is submitted.
    ///
    /// # Errors
    /// [`Code::InvalidValue`] for an address of another platform or bot, or one that the platform does not have. A thread
    /// of Discord is a channel: its id is the chat.
    pub fn bind_chat(
        &mut self,
        now: Millis,
        gate: &mut Gate,
        session: SessionKey,
        address: ChatAddress,
    ) -> Result<(), Fault> {
        self.clock.advance(now);
        self.check_address(&address)?;
        self.check_user(&address.user)?;
        gate.bind_chat(now, session.clone(), address.clone());
        self.bound.insert(session, address);
        Ok(())
    }

    /// Shows a pending prompt: one of dialect B in its chat, if that is one of this bot; one of dialect A in each chat of
    /// `audiences`. Gives in how many chats it is shown; showing it twice is showing it once. A prompt of dialect B that
    /// the platform cannot show is unavailable.
    ///
    /// # Errors
    /// [`ShowError`]; nothing changed.
    pub fn show(
        &mut self,
        now: Millis,
        gate: &mut Gate,
        prompt: PromptId,
        handle: Handle,
        audiences: &[Audience],
    ) -> Result<usize, ShowError> {
        let now = self.clock.advance(now);
        gate.advance(now);
        if let Some(shown) = self.conversations.get(&prompt) {
            return Ok(shown.screens.len());
        }
        let pending = gate.get(prompt).ok_or(ShowError::NotPending)?;
        let (asks, screens) = match pending.origin() {
            Origin::Session { session, run, target: Target::Chat(chat) } if self.is_ours(chat) => {
                let screen = Screen::new((**chat).clone(), [chat.user.clone()].into());
                (Asks::Session(session.clone(), run.clone()), [screen].into())
            }
            Origin::Session { .. } => return Ok(0),
            Origin::Request { surface, agent } => {
                (Asks::Request { surface: surface.clone(), agent: agent.clone() }, self.screens(audiences))
            }
        };
        if self.handles.contains_key(&handle) {
            return Err(ShowError::HandleInUse);
        }
        let mut conversation = Conversation {
            handle,
            asks,
            question: 0,
            taken: Vec::new(),
            selected: BTreeSet::new(),
            screens,
            ended_on: None,
        };
        let form = pending.form().clone();
        conversation.screens.retain_mut(|screen| {
            let page = page(
                self.platform,
                &self.key,
                handle,
                &conversation.asks,
                screen,
                &form,
                0,
                &BTreeSet::new(),
            );
            let Some(page) = page else { return false };
            post(&mut self.outbox, now, page, screen, prompt, handle);
            true
        });
        let count = conversation.screens.len();
        if count == 0 {
            self.unshowable(now, gate, prompt, &conversation.asks);
            return Ok(0);
        }
        if let (Asks::Session(..), Some(screen)) = (&conversation.asks, conversation.screens.first()) {
            self.asked.entry(screen.chat.clone()).or_default().insert(prompt);
        }
        self.handles.insert(handle, prompt);
        self.conversations.insert(prompt, conversation);
        Ok(count)
    }

    /// A prompt has ended: its messages get their last form, without buttons. A time-out, and the end of the run or of the
    /// session, also unbind the chat.
    pub fn resolved(&mut self, now: Millis, gate: &mut Gate, prompt: &Prompt, outcome: &Outcome) {
        let now = self.clock.advance(now);
        if let Some(conversation) = self.conversations.remove(&prompt.id()) {
            self.handles.remove(&conversation.handle);
            self.close(&conversation, prompt, outcome);
        }
        let unbinds = match outcome {
            Outcome::TimedOut
            | Outcome::Cancelled(Some(
                CancelReason::RunEnded | CancelReason::SessionEnded | CancelReason::Shutdown,
            )) => true,
            Outcome::Answered(_)
            | Outcome::Declined
            | Outcome::Cancelled(_)
            | Outcome::Unavailable
            | Outcome::Invalid => false,
        };
        if let Origin::Session { session, target: Target::Chat(chat), .. } = prompt.origin()
            && unbinds
            && self.bound.get(session) == Some(chat)
        {
            self.unbind(now, gate, &session.clone());
        }
    }

    /// A run is over, or was cancelled: its prompt is cancelled and its chat unbound. Gives how many prompts ended.
    pub fn end_run(&mut self, now: Millis, gate: &mut Gate, session: &str, run: &str) -> usize {
        let now = self.clock.advance(now);
        let ended = gate.end_run(now, session, run);
        self.unbind(now, gate, session);
        ended
    }

    /// The chat takes nothing from the bot any more, because it was blocked or removed or the chat became another one: its
    /// prompts of dialect B are unavailable, its sessions unbound, and nothing more is sent there. Gives how many sessions
    /// were unbound.
    pub fn lose_chat(&mut self, now: Millis, gate: &mut Gate, chat: &str) -> usize {
        let now = self.clock.advance(now);
        self.outbox.lose(chat);
        self.asked.retain(|address, _| &*address.chat != chat);
        for (prompt, conversation) in &mut self.conversations {
            if let (Asks::Session(..), Some(screen)) = (&conversation.asks, conversation.screens.first())
                && &*screen.chat.chat == chat
            {
                // Refused only if it has ended already.
                let _ = gate.lose(now, &conversation.asks.claim(*prompt, &screen.chat));
            }
            conversation.screens.retain(|screen| &*screen.chat.chat != chat);
        }
        let sessions = self.bound.iter().filter(|(_, address)| &*address.chat == chat);
        let sessions: Vec<SessionKey> = sessions.map(|(session, _)| session.clone()).collect();
        for session in &sessions {
            self.unbind(now, gate, session);
        }
        sessions.len()
    }

    /// Takes an update of the platform.
    pub fn handle(&mut self, now: Millis, gate: &mut Gate, update: &Update) -> Handled {
        let now = self.clock.advance(now);
        gate.advance(now);
        match update {
            Update::Press(press) => self.press(now, gate, press),
            Update::Message(message) => self.message(now, gate, message),
            Update::Lost { chat } => {
                self.lose_chat(now, gate, chat);
                Handled::Lost
            }
            Update::Other => Handled::Ignored,
        }
    }

    /// What became of an effect. Reports that nothing waits for are ignored.
    pub fn report(&mut self, now: Millis, gate: &mut Gate, effect: EffectId, report: &Report<'_>) {
        let now = self.clock.advance(now);
        gate.advance(now);
        match self.outbox.report(now, effect, report) {
            None => {}
            Some(Trouble::Lost(chat)) => {
                self.lose_chat(now, gate, &chat);
            }
            Some(Trouble::NotShown(prompt, chat)) => {
                let Some(conversation) = self.conversations.get_mut(&prompt) else { return };
                conversation.screens.retain(|screen| screen.chat != chat);
                unask(&mut self.asked, &chat, prompt);
                if let Asks::Session(..) = conversation.asks {
                    // Refused only if it has ended already.
                    let _ = gate.lose(now, &conversation.asks.claim(prompt, &chat));
                }
            }
        }
    }

    /// The next effect, or how long there will be none: until an edit that was held back may go out.
    pub fn poll(&mut self, now: Millis) -> Poll<Effect> {
        let now = self.clock.advance(now);
        if let Some(effect) = self.effects.pop_front() {
            return Poll::Event(effect);
        }
        match self.outbox.next(now) {
            Some(call) => Poll::Event(match self.platform {
                Platform::Telegram => telegram::write(&call),
                Platform::Discord => discord::write(&call),
            }),
            None => Poll::Wait(self.outbox.next_deadline()),
        }
    }

    fn check_address(&self, address: &ChatAddress) -> Result<(), Fault> {
        let is_own = self.is_ours(address);
        let well_formed = match self.platform {
            Platform::Telegram => {
                telegram::is_id(&address.chat) && address.thread.as_deref().is_none_or(telegram::is_id)
            }
            Platform::Discord => discord::is_id(&address.chat) && address.thread.is_none(),
        };
        if is_own && well_formed {
            return Ok(());
        }
        Err(Fault::new(Code::InvalidValue, "Give a chat of this bot account, by the platform's own ids."))
    }

    fn check_user(&self, user: &str) -> Result<(), Fault> {
        let well_formed = match self.platform {
            Platform::Telegram => telegram::is_id(user),
            Platform::Discord => discord::is_id(user),
        };
        if well_formed { Ok(()) } else { Err(Fault::new(Code::InvalidValue, "Give the user's id.")) }
    }

    fn is_ours(&self, address: &ChatAddress) -> bool {
        &*address.platform == self.platform.as_str() && address.bot == self.bot
    }

    /// A place for each audience that the platform has.
    fn screens(&self, audiences: &[Audience]) -> Vec<Screen> {
        let mut screens: Vec<Screen> = Vec::new();
        for Audience { chat, thread, users } in audiences {
            let chat = ChatAddress {
                platform: self.platform.as_str().into(),
                bot: self.bot.clone(),
                chat: chat.clone(),
                thread: thread.clone(),
                user: "".into(),
            };
            if self.check_address(&chat).is_ok() && !screens.iter().any(|screen| screen.chat == chat) {
                screens.push(Screen::new(chat, users.clone()));
            }
        }
        screens
    }

    /// A prompt that no chat can show: of dialect B it is unavailable; one of dialect A has other surfaces.
    fn unshowable(&self, now: Millis, gate: &mut Gate, prompt: PromptId, asks: &Asks) {
        let Asks::Session(session, _) = asks else { return };
        let chat = match gate.pending_of(session).map(Prompt::origin) {
            Some(Origin::Session { target: Target::Chat(chat), .. }) => chat.clone(),
            Some(_) | None => return,
        };
        // Refused only if it has ended already.
        let _ = gate.lose(now, &asks.claim(prompt, &chat));
    }

    fn unbind(&mut self, now: Millis, gate: &mut Gate, session: &str) {
        if let Some(address) = self.bound.remove(session) {
            gate.unbind_chat(now, session, &address);
        }
    }

    /// Gives all messages of a prompt that has ended their last form.
    fn close(&mut self, conversation: &Conversation, prompt: &Prompt, outcome: &Outcome) {
        let attribution = conversation.asks.attribution();
        for screen in &conversation.screens {
            unask(&mut self.asked, &screen.chat, prompt.id());
            for post in &screen.before {
                self.outbox.abandon(*post);
            }
            let here = conversation.ended_on.as_ref() == Some(&screen.chat);
            let line = layout::outcome_line(prompt.form(), conversation.question, outcome, here);
            let view = View {
                platform: self.platform,
                form: prompt.form(),
                question: conversation.question,
                selected: &conversation.selected,
                armed: false,
                attribution: attribution.as_deref(),
            };
            if let Some(main) = screen.main {
                self.outbox.finish(main, layout::ended(&view, &line));
            }
        }
    }
}

impl Screen {
    const fn new(chat: ChatAddress, users: Vec<Box<str>>) -> Self {
        Self { chat, users, armed: None, before: Vec::new(), main: None }
    }
}

/// Nobody is asked that there any more.
fn unask(asked: &mut BTreeMap<ChatAddress, BTreeSet<PromptId>>, chat: &ChatAddress, prompt: PromptId) {
    if let Some(waiting) = asked.get_mut(chat) {
        waiting.remove(&prompt);
        if waiting.is_empty() {
            asked.remove(chat);
        }
    }
}

/// The messages of a question on one screen.
#[expect(clippy::too_many_arguments, reason = "parts of a router and a conversation that are borrowed apart")]
fn page(
    platform: Platform,
    key: &Key,
    handle: Handle,
    asks: &Asks,
    screen: &Screen,
    form: &Form,
    question: usize,
    selected: &BTreeSet<usize>,
) -> Option<layout::Page> {
    let attribution = asks.attribution();
    let armed = screen.armed.is_some();
    let view = View { platform, form, question, selected, armed, attribution: attribution.as_deref() };
    let number = u8::try_from(question).ok()?;
    layout::page(&view, |action: Action, argument: usize| {
        // Options are at most 100, so it fits.
        let argument = u8::try_from(argument).unwrap_or(u8::MAX);
        token::mint(
            key,
            handle,
            asks.address(&screen.chat),
            token::Press { question: number, action, argument },
        )
    })
}

/// Queues the messages of a question, and makes them the screen's.
fn post(
    outbox: &mut Outbox,
    now: Millis,
    page: layout::Page,
    screen: &mut Screen,
    prompt: PromptId,
    handle: Handle,
) {
    let Screen { chat, before, main, .. } = screen;
    let seed = handle.0.iter().take(8).fold(0, |seed, byte| (seed << 8) | u64::from(*byte));
    let mut add = |render, live| outbox.add(now, chat, prompt, render, live, seed);
    *before = page.before.into_iter().map(|render| add(render, false)).collect();
    *main = Some(add(page.main, true));
}

/// Whether a question takes text of one's own.
fn takes_text(kind: QuestionKind) -> bool {
    match kind {
        QuestionKind::Text | QuestionKind::Select { custom: true, .. } => true,
        QuestionKind::YesNo | QuestionKind::ConfirmCommand | QuestionKind::Select { custom: false, .. } => {
            false
        }
    }
}

/// The longest notice, in UTF-16 code units: what Telegram shows on a press.
const NOTICE_UNITS: usize = 200;

fn notice(text: &str) -> String {
    cut(&display_safe(text, Mode::Line).text, NOTICE_UNITS, Unit::Utf16).into_owned()
}
