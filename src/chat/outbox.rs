//! What is to be sent and edited, and when: in each chat one send and one edit under way at a time, sends in order, and
//! edits no more often than the platform bears, each with the newest state alone (spec 12).

use super::layout::Render;
use super::{EffectId, Failure, Platform, Report};
use crate::id::{ChatAddress, PromptId};
use crate::time::Millis;
use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet, VecDeque};

/// A message of ours, from when it is wanted until nothing more is to be done with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PostId(u64);

#[derive(Debug)]
struct Post {
    chat: ChatAddress,
    prompt: PromptId,
    wanted: Render,
    /// What the message shows, or will once the call under way succeeds; `None` if that is not known.
    shown: Option<Render>,
    message: Option<Box<str>>,
    nonce: u64,
    stage: Stage,
    /// The last state is wanted, or there will be no other.
    last: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Queued,
    Sending,
    Sent,
}

#[derive(Debug, Default)]
struct Lane {
    /// How many posts there are in the chat.
    posts: usize,
    queue: VecDeque<PostId>,
    dirty: BTreeSet<PostId>,
    sending: bool,
    editing: bool,
    send_after: Millis,
    edit_after: Millis,
}

impl Lane {
    /// When its next call may go out, if there is one to make.
    fn next(&self) -> Option<Millis> {
        let send = (!self.sending && !self.queue.is_empty()).then_some(self.send_after);
        let edit = (!self.editing && !self.dirty.is_empty()).then_some(self.edit_after);
        send.into_iter().chain(edit).min()
    }

    /// Whether nothing waits in it and it holds nothing back.
    fn is_idle(&self, now: Millis) -> bool {
        self.posts == 0 && !self.sending && !self.editing && self.send_after <= now && self.edit_after <= now
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Send,
    Edit,
    /// An acknowledgement that also brings the message up to date.
    Acknowledge,
}

/// A call to make.
#[derive(Debug)]
pub(super) struct Call<'o> {
    pub(super) id: EffectId,
    pub(super) chat: &'o ChatAddress,
    pub(super) render: &'o Render,
    /// The message to edit; `None`: a new one.
    pub(super) message: Option<&'o str>,
    /// The same each time that the same message is sent.
    pub(super) nonce: u64,
}

/// What a failed call means for a prompt.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Trouble {
    /// The chat takes nothing from us any more.
    Lost(Box<str>),
    /// The question could not be shown there.
    NotShown(PromptId, ChatAddress),
}

/// How long to wait before a call is tried again that failed without saying when, in milliseconds.
const RETRY_MS: u64 = 3_000;

#[derive(Debug)]
pub(super) struct Outbox {
    platform: Platform,
    next_post: u64,
    next_effect: u64,
    posts: BTreeMap<PostId, Post>,
    /// Keyed by chat.
    lanes: BTreeMap<Box<str>, Lane>,
    under_way: BTreeMap<EffectId, (PostId, Kind, Box<str>)>,
}

impl Outbox {
    pub(super) const fn new(platform: Platform) -> Self {
        Self {
            platform,
            next_post: 0,
            next_effect: 0,
            posts: BTreeMap::new(),
            lanes: BTreeMap::new(),
            under_way: BTreeMap::new(),
        }
    }

    /// An id for an effect that nothing here waits for.
    pub(super) const fn effect(&mut self) -> EffectId {
        self.next_effect += 1;
        EffectId(self.next_effect)
    }

    /// Queues a message. One that is not `live` is never edited. The seed is random, the same for a prompt.
    pub(super) fn add(
        &mut self,
        now: Millis,
        chat: &ChatAddress,
        prompt: PromptId,
        render: Render,
        live: bool,
        seed: u64,
    ) -> PostId {
        self.lanes.retain(|_, lane| !lane.is_idle(now));
        self.next_post += 1;
        let id = PostId(self.next_post);
        let lane = self.lanes.entry(chat.chat.clone()).or_default();
        lane.queue.push_back(id);
        lane.posts += 1;
        let post = Post {
            chat: chat.clone(),
            prompt,
            wanted: render,
            shown: None,
            message: None,
            nonce: seed.wrapping_add(self.next_post),
            stage: Stage::Queued,
            last: !live,
        };
        self.posts.insert(id, post);
        id
    }

    /// The message is to show something else.
    pub(super) fn want(&mut self, id: PostId, render: Render) {
        let Some(post) = self.posts.get_mut(&id) else { return };
        post.wanted = render;
        self.mark(id);
    }

    /// The message is to show its last state. What was not sent yet is not sent any more.
    pub(super) fn finish(&mut self, id: PostId, render: Render) {
        let Some(post) = self.posts.get_mut(&id) else { return };
        post.wanted = render;
        post.last = true;
        match post.stage {
            Stage::Queued => self.forget(id),
            Stage::Sending | Stage::Sent => self.mark(id),
        }
    }

    /// A message that was not sent yet is not sent any more; of one under way it does not matter what becomes of it.
    pub(super) fn abandon(&mut self, id: PostId) {
        if self.posts.get(&id).is_some_and(|post| post.stage != Stage::Sent) {
            self.forget(id);
        }
    }

    /// The id that the platform gave to the message, once it is known.
    pub(super) fn message(&self, id: PostId) -> Option<&str> {
        self.posts.get(&id)?.message.as_deref()
    }

    /// Brings the message up to date within an acknowledgement, if no edit of it is under way: what it shows then.
    pub(super) fn acknowledge(&mut self, id: PostId) -> Option<(EffectId, Render)> {
        let post = self.posts.get_mut(&id)?;
        let lane = self.lanes.get_mut(&post.chat.chat)?;
        if lane.editing {
            return None;
        }
        post.shown = Some(post.wanted.clone());
        lane.dirty.remove(&id);
        let (render, chat) = (post.wanted.clone(), post.chat.chat.clone());
        let effect = self.effect();
        self.under_way.insert(effect, (id, Kind::Acknowledge, chat));
        Some((effect, render))
    }

    /// The next call that may go out now.
    pub(super) fn next(&mut self, now: Millis) -> Option<Call<'_>> {
        let due = |lane: &Lane| lane.next().is_some_and(|at| at <= now);
        let (chat, lane) = self.lanes.iter_mut().find(|(_, lane)| due(lane))?;
        let chat = chat.clone();
        let may_send = !lane.sending && lane.send_after <= now;
        let queued = if may_send { lane.queue.pop_front() } else { None };
        let (id, kind) = match queued {
            Some(id) => {
                lane.sending = true;
                (id, Kind::Send)
            }
            None => {
                let id = lane.dirty.pop_first()?;
                lane.editing = true;
                lane.edit_after = Millis(now.0.saturating_add(self.platform.edit_interval_ms(&chat)));
                (id, Kind::Edit)
            }
        };
        let effect = self.effect();
        self.under_way.insert(effect, (id, kind, chat));
        let post = self.posts.get_mut(&id)?;
        post.shown = Some(post.wanted.clone());
        if kind == Kind::Send {
            post.stage = Stage::Sending;
        }
        let message = post.message.as_deref();
        Some(Call { id: effect, chat: &post.chat, render: &post.wanted, message, nonce: post.nonce })
    }

    /// When the next call may go out, if one waits.
    pub(super) fn next_deadline(&self) -> Option<Millis> {
        self.lanes.values().filter_map(Lane::next).min()
    }

    /// What became of a call. A report that is not expected is ignored.
    pub(super) fn report(&mut self, now: Millis, effect: EffectId, report: &Report<'_>) -> Option<Trouble> {
        let (id, kind, chat) = self.under_way.remove(&effect)?;
        if let Some(lane) = self.lanes.get_mut(&chat) {
            match kind {
                Kind::Send => lane.sending = false,
                Kind::Edit => lane.editing = false,
                Kind::Acknowledge => {}
            }
        }
        let trouble = match (report, kind) {
            (Report::Done { message }, Kind::Send) => {
                if let Some(post) = self.posts.get_mut(&id) {
                    post.stage = Stage::Sent;
                    post.message = message.map(Into::into);
                }
                None
            }
            (Report::Done { .. } | Report::Failed(Failure::Benign), Kind::Edit | Kind::Acknowledge) => None,
            (Report::Failed(failure), Kind::Acknowledge) => {
                if let Some(post) = self.posts.get_mut(&id) {
                    post.shown = None;
                }
                matches!(failure, Failure::Lost).then_some(Trouble::Lost(chat.clone()))
            }
            (Report::Failed(failure), Kind::Send) => self.send_failed(now, id, &chat, *failure),
            (Report::Failed(failure), Kind::Edit) => self.edit_failed(now, id, &chat, *failure),
        };
        self.mark(id);
        trouble
    }

    fn send_failed(&mut self, now: Millis, id: PostId, chat: &str, failure: Failure) -> Option<Trouble> {
        let post = self.posts.get_mut(&id)?;
        // Its question ended meanwhile: there is nothing to show any more, nor to take back.
        let is_over = post.last && post.shown.as_ref() != Some(&post.wanted);
        match failure {
            Failure::Lost => Some(Trouble::Lost(chat.into())),
            _ if is_over => {
                self.forget(id);
                None
            }
            Failure::Retry { after_ms } => {
                post.stage = Stage::Queued;
                let lane = self.lanes.get_mut(chat)?;
                lane.queue.push_front(id);
                hold(lane, now, after_ms);
                None
            }
            Failure::Benign | Failure::Gone | Failure::Rejected => {
                let trouble = Trouble::NotShown(post.prompt, post.chat.clone());
                self.forget(id);
                Some(trouble)
            }
        }
    }

    fn edit_failed(&mut self, now: Millis, id: PostId, chat: &str, failure: Failure) -> Option<Trouble> {
        let post = self.posts.get_mut(&id)?;
        match failure {
            Failure::Retry { after_ms } => {
                post.shown = None;
                hold(self.lanes.get_mut(chat)?, now, after_ms);
            }
            // The message was deleted: a question that still waits is shown again.
            Failure::Gone if !post.last => {
                self.next_post += 1;
                post.nonce = post.nonce.wrapping_add(self.next_post);
                post.message = None;
                post.stage = Stage::Queued;
                self.lanes.get_mut(chat)?.queue.push_back(id);
            }
            Failure::Lost => return Some(Trouble::Lost(chat.into())),
            Failure::Gone => self.forget(id),
            Failure::Benign | Failure::Rejected => {}
        }
        None
    }

    /// Nothing more is sent to that chat.
    pub(super) fn lose(&mut self, chat: &str) {
        self.posts.retain(|_, post| &*post.chat.chat != chat);
        self.lanes.remove(chat);
    }

    /// Marks a message to be edited if it does not show what is wanted, and forgets it if nothing is left to do.
    fn mark(&mut self, id: PostId) {
        let Some(post) = self.posts.get(&id) else { return };
        if post.stage != Stage::Sent {
            return;
        }
        let Some(lane) = self.lanes.get_mut(&post.chat.chat) else { return };
        let is_current = post.shown.as_ref() == Some(&post.wanted);
        if is_current || post.message.is_none() {
            lane.dirty.remove(&id);
            let busy = self.under_way.values().any(|(other, _, _)| *other == id);
            if post.last && !busy {
                self.forget(id);
            }
        } else {
            lane.dirty.insert(id);
        }
    }

    fn forget(&mut self, id: PostId) {
        let Some(post) = self.posts.remove(&id) else { return };
        if let Some(lane) = self.lanes.get_mut(&post.chat.chat) {
            lane.posts = lane.posts.saturating_sub(1);
            lane.queue.retain(|other| *other != id);
            lane.dirty.remove(&id);
        }
    }
}

fn hold(lane: &mut Lane, now: Millis, after_ms: Option<u64>) {
    let until = Millis(now.0.saturating_add(after_ms.unwrap_or(RETRY_MS)));
    lane.send_after = lane.send_after.max(until);
    lane.edit_after = lane.edit_after.max(until);
}
