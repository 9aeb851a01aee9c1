//! What people do in a chat, and what it does to the prompts shown there (spec 12).

use super::token::{self, Action, Unchecked};
use super::{
    Asks, Content, Conversation, Effect, EffectKind, Handled, Input, KNOWN_EVENTS, Message, Platform, Press,
    Router, Screen, Taken, Thread, View, discord, layout, notice, page, post, takes_text, telegram,
};
use crate::answer::{AnswerDraft, Draft, OutcomeKind, Resolution};
use crate::error::ResolveError;
use crate::form::{Form, QuestionKind};
use crate::gate::Gate;
use crate::id::{ChatAddress, PromptId};
use crate::text::is_blank;
use crate::time::Millis;
use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

const EXPIRED: &str = "This question has expired.";
const NOT_FOR_YOU: &str = "This question is not for you.";
const SELECT_FIRST: &str = "Select at least one option first.";
const CHOOSE_AGAIN: &str = "That was not offered; choose again.";
const ACKNOWLEDGE_FIRST: &str = "Only who pressed “I understand” may run it; press Back to start over.";
const USE_BUTTONS: &str = "Use the buttons to answer this question.";
const USE_OWN_BUTTONS: &str = "Several questions wait here; use the buttons of the one that you mean.";
const PLAIN_TEXT: &str = "Only a plain text message is taken as an answer.";
const UNREADABLE: &str = "The bot cannot read messages here; use the buttons.";
const NOT_BLANK: &str = "A blank message is no answer.";
const TOO_LONG: &str = "That is too long for an answer; send less text.";

/// How a press is acknowledged.
#[derive(Debug)]
pub(super) enum Acknowledgement<'a> {
    /// Without a word.
    Plain,
    /// With a word to who pressed.
    Note(&'a str),
    /// With a new state of the message that was pressed (Discord).
    Update(&'a layout::Render),
    /// With a text field, whose token is this (Discord).
    Field(&'a str),
}

/// What a press led to.
enum Acted {
    Taken,
    /// The question shows something else now.
    Changed,
    /// A text field is to be opened.
    Field(String),
}

/// Why a press or a text did nothing.
#[derive(Debug, Clone, Copy)]
enum Refusal {
    Expired,
    NotForYou,
    Because(&'static str),
}

impl Refusal {
    const fn note(self) -> &'static str {
        match self {
            Self::Expired => EXPIRED,
            Self::NotForYou => NOT_FOR_YOU,
            Self::Because(why) => why,
        }
    }

    const fn handled(self) -> Handled {
        match self {
            Self::Expired => Handled::Expired,
            Self::NotForYou => Handled::NotForYou,
            Self::Because(why) => Handled::Refused(why),
        }
    }
}

/// A press, its token checked: the prompt, the screen and what was pressed.
struct Found {
    prompt: PromptId,
    screen: usize,
    press: token::Press,
}

impl Router {
    pub(super) fn press(&mut self, now: Millis, gate: &mut Gate, press: &Press) -> Handled {
        let event: Box<str> = format!("press {}", press.event).into();
        if self.known.contains(&event) {
            return Handled::Duplicate;
        }
        self.remember(event);
        let found = self.find(gate, press);
        let acted =
            found.as_ref().map_err(|refusal| *refusal).and_then(|found| self.act(now, gate, press, found));
        match acted {
            Ok(Acted::Taken) => self.acknowledge(press, &Acknowledgement::Plain),
            Ok(Acted::Changed) => self.acknowledge_changed(press, found.ok()),
            Ok(Acted::Field(token)) => self.acknowledge(press, &Acknowledgement::Field(&token)),
            Err(refusal) => {
                self.acknowledge(press, &Acknowledgement::Note(refusal.note()));
                return refusal.handled();
            }
        }
        Handled::Taken
    }

    pub(super) fn message(&mut self, now: Millis, gate: &mut Gate, message: &Message) -> Handled {
        let event: Box<str> = format!("message {} {}", message.chat, message.id).into();
        let Some(address) = self.address_of(message) else { return Handled::NotCaptured };
        let text = match &message.content {
            Content::Command | Content::Edited => return Handled::NotCaptured,
            _ if self.known.contains(&event) => return Handled::Duplicate,
            Content::Text(text) => Ok(&**text),
            Content::Forwarded | Content::Attachment => Err(PLAIN_TEXT),
            Content::Unreadable => Err(UNREADABLE),
        };
        let waiting = match self.replied_to(gate, message, &address) {
            Some(found) => [found].into(),
            None => self.waiting(gate, message, &address),
        };
        let result = match (waiting.as_slice(), text) {
            ([], _) => return Handled::NotCaptured,
            (_, Err(hint)) => Err(Refusal::Because(hint)),
            ([(prompt, screen)], Ok(text)) => {
                self.answer_by_text(now, gate, *prompt, *screen, &address, text)
            }
            ([..], Ok(_)) => {
                self.remember(event);
                self.notify(message, USE_OWN_BUTTONS);
                return Handled::Captured;
            }
        };
        self.remember(event);
        match result {
            Ok(()) => Handled::Captured,
            Err(refusal) => {
                self.notify(message, refusal.note());
                Handled::Hint(refusal.note())
            }
        }
    }

    /// What the token of a press stands for, if its maker, its prompt, its place, its user and its question hold.
    fn find(&self, gate: &Gate, press: &Press) -> Result<Found, Refusal> {
        let token = Unchecked::parse(&press.token).ok_or(Refusal::Expired)?;
        let prompt = token.handle().and_then(|handle| self.handles.get(&handle)).ok_or(Refusal::Expired)?;
        let conversation = self.conversations.get(prompt).ok_or(Refusal::Expired)?;
        let checked = conversation.screens.iter().enumerate().find_map(|(screen, at)| {
            Some((screen, at, token.check(&self.key, conversation.asks.address(&at.chat))?))
        });
        let (screen, at, said) = checked.ok_or(Refusal::Expired)?;
        if gate.get(*prompt).is_none() || !at.is_at(press) {
            return Err(Refusal::Expired);
        }
        if !at.users.contains(&press.user) {
            return Err(Refusal::NotForYou);
        }
        if usize::from(said.question) != conversation.question {
            return Err(Refusal::Expired);
        }
        Ok(Found { prompt: *prompt, screen, press: said })
    }

    fn act(&mut self, now: Millis, gate: &mut Gate, press: &Press, found: &Found) -> Result<Acted, Refusal> {
        let Found { prompt, screen, press: said } = *found;
        let expired = Err(Refusal::Expired);
        let Some(form) = gate.get(prompt).map(|pending| pending.form().clone()) else { return expired };
        let Some(conversation) = self.conversations.get_mut(&prompt) else { return expired };
        let (Some(question), Some(at)) =
            (form.question(conversation.question), conversation.screens.get_mut(screen))
        else {
            return expired;
        };
        let kind = question.kind();
        let option = usize::from(said.argument);
        let offered = question.option(option).is_some();
        let actor = ChatAddress { user: press.user.clone(), ..at.chat.clone() };
        let claim = conversation.asks.claim(prompt, &actor);
        let several = matches!(kind, QuestionKind::Select { multi: true, .. });
        let one = matches!(kind, QuestionKind::Select { multi: false, .. });
        match said.action {
            Action::Pick if one && offered => {
                let taken = Taken { selected: [option].into(), custom: None };
                self.take(now, gate, prompt, screen, &actor, &form, taken).map(|()| Acted::Taken)
            }
            Action::On if several && offered => {
                conversation.selected.insert(option);
                self.redraw(prompt, screen, &form);
                Ok(Acted::Changed)
            }
            Action::Off if several && offered => {
                conversation.selected.remove(&option);
                self.redraw(prompt, screen, &form);
                Ok(Acted::Changed)
            }
            Action::Done if several => {
                if conversation.selected.is_empty() {
                    return Err(Refusal::Because(SELECT_FIRST));
                }
                let taken = Taken { selected: conversation.selected.iter().copied().collect(), custom: None };
                self.take(now, gate, prompt, screen, &actor, &form, taken).map(|()| Acted::Taken)
            }
            Action::Menu => {
                let chosen = chosen(self.platform, &press.input, option, question.options().len());
                match chosen {
                    Some(chosen) if several => {
                        conversation.selected = chosen;
                        self.redraw(prompt, screen, &form);
                        Ok(Acted::Changed)
                    }
                    Some(chosen) if one && chosen.len() == 1 => {
                        let taken = Taken { selected: chosen.into_iter().collect(), custom: None };
                        let taken = self.take(now, gate, prompt, screen, &actor, &form, taken);
                        taken.map(|()| Acted::Taken)
                    }
                    Some(_) | None => Err(Refusal::Because(CHOOSE_AGAIN)),
                }
            }
            Action::Yes | Action::No if kind == QuestionKind::YesNo => {
                let value = if said.action == Action::Yes { "yes" } else { "no" };
                let resolution = Resolution::Answer(Draft::Value(value));
                resolve(conversation, screen, gate.resolve(now, &claim, resolution))
            }
            Action::Run if kind == QuestionKind::ConfirmCommand => {
                let resolution = Resolution::Answer(Draft::Value("run"));
                resolve(conversation, screen, gate.resolve(now, &claim, resolution))
            }
            Action::Acknowledge if kind == QuestionKind::ConfirmCommand => {
                if gate.acknowledge(now, &claim).is_err() {
                    return expired;
                }
                at.armed = Some(press.user.clone());
                self.redraw(prompt, screen, &form);
                Ok(Acted::Changed)
            }
            Action::Back if kind == QuestionKind::ConfirmCommand => {
                // It undoes the step of whoever took it: going back harms nobody.
                let armed = at.armed.take().unwrap_or_else(|| press.user.clone());
                let armed = ChatAddress { user: armed, ..at.chat.clone() };
                if gate.back(now, &conversation.asks.claim(prompt, &armed)).is_err() {
                    return expired;
                }
                self.redraw(prompt, screen, &form);
                Ok(Acted::Changed)
            }
            Action::Other if takes_text(kind) => {
                let field = token::Press { action: Action::Text, ..said };
                let address = conversation.asks.address(&at.chat);
                Ok(Acted::Field(token::mint(&self.key, conversation.handle, address, field)))
            }
            Action::Text if takes_text(kind) => {
                let Input::Text(text) = &press.input else { return expired };
                let taken = self.answer_by_text(now, gate, prompt, screen, &actor, text);
                taken.map(|()| Acted::Taken)
            }
            Action::Decline if matches!(conversation.asks, Asks::Session(..)) => {
                resolve(conversation, screen, gate.resolve(now, &claim, Resolution::Decline))
            }
            Action::Cancel => {
                let resolution = Resolution::Cancel(None);
                resolve(conversation, screen, gate.resolve(now, &claim, resolution))
            }
            Action::Pick
            | Action::On
            | Action::Off
            | Action::Done
            | Action::Yes
            | Action::No
            | Action::Run
            | Action::Acknowledge
            | Action::Back
            | Action::Other
            | Action::Text
            | Action::Decline => expired,
        }
    }

    /// Takes a typed text as the answer to the current question, beside the options selected where several may be.
    fn answer_by_text(
        &mut self,
        now: Millis,
        gate: &mut Gate,
        prompt: PromptId,
        screen: usize,
        actor: &ChatAddress,
        text: &str,
    ) -> Result<(), Refusal> {
        let form = gate.get(prompt).ok_or(Refusal::Expired)?.form().clone();
        let conversation = self.conversations.get(&prompt).ok_or(Refusal::Expired)?;
        let kind = form.question(conversation.question).ok_or(Refusal::Expired)?.kind();
        if !takes_text(kind) {
            return Err(Refusal::Because(USE_BUTTONS));
        }
        if is_blank(text) {
            return Err(Refusal::Because(NOT_BLANK));
        }
        if text.len() > form.answer_bytes() {
            return Err(Refusal::Because(TOO_LONG));
        }
        let selected = conversation.selected.iter().copied().collect();
        let taken = Taken { selected, custom: Some(text.into()) };
        self.take(now, gate, prompt, screen, actor, &form, taken)
    }

    /// Takes what was said to the current question: the next one is shown, or all of it is the prompt's answer.
    #[expect(clippy::too_many_arguments, reason = "one step of the reducer, with all that it may look at")]
    fn take(
        &mut self,
        now: Millis,
        gate: &mut Gate,
        prompt: PromptId,
        screen: usize,
        actor: &ChatAddress,
        form: &Form,
        taken: Taken,
    ) -> Result<(), Refusal> {
        let conversation = self.conversations.get_mut(&prompt).ok_or(Refusal::Expired)?;
        if conversation.question + 1 < form.len() {
            self.next_question(now, gate, prompt, form, taken);
            return Ok(());
        }
        conversation.taken.push(taken);
        let claim = conversation.asks.claim(prompt, actor);
        let resolved = match conversation.asks {
            Asks::Session(..) => {
                let drafts = drafts(form, &conversation.taken);
                gate.resolve(now, &claim, Resolution::Answer(Draft::Answers(&drafts)))
            }
            Asks::Request { .. } => {
                let value = value(form, &conversation.taken);
                gate.resolve(now, &claim, Resolution::Answer(Draft::Value(value)))
            }
        };
        conversation.taken.pop();
        resolve(conversation, screen, resolved).map(|_| ())
    }

    fn next_question(&mut self, now: Millis, gate: &mut Gate, prompt: PromptId, form: &Form, taken: Taken) {
        let Some(conversation) = self.conversations.get_mut(&prompt) else { return };
        let Conversation { asks, handle, question, selected, screens, .. } = conversation;
        selected.clear();
        let attribution = asks.attribution();
        let line = form.question(*question).map_or_else(String::new, |question| {
            layout::chosen_line(question, taken.selected.iter().copied(), taken.custom.as_deref())
        });
        let mut lost = None;
        for screen in screens {
            let view = View {
                platform: self.platform,
                form,
                question: *question,
                selected,
                armed: false,
                attribution: attribution.as_deref(),
            };
            for part in screen.before.drain(..) {
                self.outbox.abandon(part);
            }
            if let Some(main) = screen.main.take() {
                self.outbox.finish(main, layout::ended(&view, &line));
            }
            let next = page(self.platform, &self.key, *handle, asks, screen, form, *question + 1, selected);
            match next {
                Some(next) => post(&mut self.outbox, now, next, screen, prompt, *handle),
                None => lost = Some(screen.chat.clone()),
            }
        }
        conversation.question += 1;
        conversation.taken.push(taken);
        if let Some(chat) = lost {
            // Refused only if it has ended already.
            let _ = gate.lose(now, &conversation.asks.claim(prompt, &chat));
        }
    }

    /// Brings the screen's message up to date.
    fn redraw(&mut self, prompt: PromptId, screen: usize, form: &Form) {
        let Some(conversation) = self.conversations.get(&prompt) else { return };
        let Some(at) = conversation.screens.get(screen) else { return };
        let Conversation { handle, asks, question, selected, .. } = conversation;
        let page = page(self.platform, &self.key, *handle, asks, at, form, *question, selected);
        if let (Some(page), Some(main)) = (page, at.main) {
            self.outbox.want(main, page.main);
        }
    }

    /// The prompt of dialect A whose message is replied to, if the user may answer it.
    fn replied_to(&self, gate: &Gate, message: &Message, by: &ChatAddress) -> Option<(PromptId, usize)> {
        let to = message.reply_to.as_deref()?;
        self.conversations.iter().find_map(|(prompt, conversation)| {
            let Asks::Request { .. } = conversation.asks else { return None };
            gate.get(*prompt)?;
            let screen = conversation.screens.iter().position(|screen| {
                let shown = screen.main.and_then(|main| self.outbox.message(main));
                shown == Some(to) && screen.chat.is_place_of(by) && screen.users.contains(&by.user)
            })?;
            Some((*prompt, screen))
        })
    }

    /// The prompts of dialect B that wait for that user there. A message that is older than the question is not for it.
    fn waiting(&self, gate: &Gate, message: &Message, by: &ChatAddress) -> Vec<(PromptId, usize)> {
        let prompts = self.asked.get(by).into_iter().flatten();
        let prompts =
            prompts.filter(|prompt| gate.get(**prompt).is_some() && !self.is_before(message, **prompt));
        prompts.map(|prompt| (*prompt, 0)).collect()
    }

    /// Whether the message came before the current question; ids grow with time on both platforms.
    fn is_before(&self, message: &Message, prompt: PromptId) -> bool {
        let screen = self.conversations.get(&prompt).and_then(|conversation| conversation.screens.first());
        let shown = screen.and_then(|screen| self.outbox.message(screen.main?));
        let number = |id: &str| id.parse::<u64>().ok();
        shown.and_then(number).zip(number(&message.id)).is_some_and(|(shown, own)| own < shown)
    }

    fn remember(&mut self, event: Box<str>) {
        if self.known.len() >= KNOWN_EVENTS {
            self.known.pop_front();
        }
        self.known.push_back(event);
    }

    fn acknowledge_changed(&mut self, press: &Press, found: Option<Found>) {
        let main = found.and_then(|found| {
            let screen = self.conversations.get(&found.prompt)?.screens.get(found.screen)?;
            screen.main
        });
        // An update within the acknowledgement reaches the message that was pressed, whichever that is.
        let is_own = main.is_some_and(|main| {
            press.message.is_some() && press.message.as_deref() == self.outbox.message(main)
        });
        let update = match (self.platform, main) {
            (Platform::Discord, Some(main)) if is_own => self.outbox.acknowledge(main),
            (Platform::Discord | Platform::Telegram, _) => None,
        };
        match update {
            Some((id, render)) => {
                let effect = discord::acknowledge(id, press, &Acknowledgement::Update(&render));
                self.effects.push_back(effect);
            }
            None => self.acknowledge(press, &Acknowledgement::Plain),
        }
    }

    fn acknowledge(&mut self, press: &Press, with: &Acknowledgement<'_>) {
        let id = self.outbox.effect();
        self.effects.push_back(match self.platform {
            Platform::Telegram => telegram::acknowledge(id, press, with),
            Platform::Discord => discord::acknowledge(id, press, with),
        });
    }

    fn notify(&mut self, message: &Message, text: &str) {
        let id = self.outbox.effect();
        let text = notice(text);
        let (path, body) = match self.platform {
            Platform::Telegram => telegram::notice(message, &text),
            Platform::Discord => discord::notice(message, &text),
        };
        self.effects.push_back(Effect { id, kind: EffectKind::Notice, method: "POST", path, body });
    }
}

impl Screen {
    /// Whether a press was made here, as far as the platform says where.
    fn is_at(&self, press: &Press) -> bool {
        press.place.as_ref().is_none_or(|place| {
            place.chat == self.chat.chat
                && match &place.thread {
                    Thread::Unknown => true,
                    Thread::None => self.chat.thread.is_none(),
                    Thread::In(thread) => self.chat.thread.as_ref() == Some(thread),
                }
        })
    }
}

impl ChatAddress {
    /// Whether two addresses are of one place, whoever the users are.
    fn is_place_of(&self, other: &Self) -> bool {
        (&self.platform, &self.bot, &self.chat, &self.thread)
            == (&other.platform, &other.bot, &other.chat, &other.thread)
    }
}

/// What the gate said to an end.
fn resolve(
    conversation: &mut Conversation,
    screen: usize,
    resolved: Result<OutcomeKind, ResolveError>,
) -> Result<Acted, Refusal> {
    match resolved {
        Ok(_) => {
            conversation.ended_on = conversation.screens.get(screen).map(|screen| screen.chat.clone());
            Ok(Acted::Taken)
        }
        Err(ResolveError::NotAcknowledged) => Err(Refusal::Because(ACKNOWLEDGE_FIRST)),
        Err(ResolveError::InvalidAnswer(_)) => Err(Refusal::Because(CHOOSE_AGAIN)),
        Err(ResolveError::Mismatch(_)) => Err(Refusal::NotForYou),
        Err(ResolveError::NotFound | ResolveError::AlreadyResolved { .. } | ResolveError::NotACommand) => {
            Err(Refusal::Expired)
        }
    }
}

/// The options chosen in a menu: indexes, each once, of those that the menu offered.
fn chosen(platform: Platform, input: &Input, menu: usize, options: usize) -> Option<BTreeSet<usize>> {
    let Input::Values(values) = input else { return None };
    let size = platform.menu_from(options)?;
    let start = menu.checked_mul(size)?;
    let offered = start..options.min(start.checked_add(size)?);
    let mut chosen = BTreeSet::new();
    for value in values {
        let index = offered.clone().find(|index| format!("{index}") == **value)?;
        if !chosen.insert(index) {
            return None;
        }
    }
    Some(chosen)
}

fn drafts<'f>(form: &'f Form, taken: &'f [Taken]) -> Vec<AnswerDraft<'f>> {
    let drafts = form.questions().zip(taken).map(|(question, taken)| {
        let label = |index: &usize| Some(Cow::Borrowed(question.option(*index)?.value()));
        AnswerDraft {
            id: Cow::Borrowed(question.id()),
            selected: taken.selected.iter().filter_map(label).collect(),
            custom: taken.custom.as_deref().map(Cow::Borrowed),
        }
    });
    drafts.collect()
}

/// The one value of dialect A.
fn value<'f>(form: &'f Form, taken: &'f [Taken]) -> &'f str {
    let Some((question, taken)) = form.question(0).zip(taken.first()) else { return "" };
    match (&taken.custom, taken.selected.first()) {
        (Some(text), _) => text,
        (None, Some(index)) => question.option(*index).map_or("", |option| option.value()),
        (None, None) => "",
    }
}
