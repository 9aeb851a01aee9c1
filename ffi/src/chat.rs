//! The chat router, which works on a gate.

use crate::codes::askgate_result;
use crate::fail::{Fail, askgate_error};
use crate::gate::{askgate_address, askgate_gate};
use crate::guard::{self, Handle, opaque};
use crate::pointer::{Out, Places, flagged, list, read};
use crate::text::askgate_text;
use alloc::boxed::Box;
use alloc::vec::Vec;
use askgate_core::chat::{
    Audience, Effect, EffectId, EffectKind, Failure, Handle as PromptHandle, Handled, Key, Platform, Report,
    Router, ShowError, Update,
};
use askgate_core::gate::{Event, Poll};
use askgate_core::id::{PromptId, SessionKey};
use askgate_core::time::Millis;

/// Shows prompts of a gate in the chats of one bot account. Made by `askgate_router_new`.
pub struct askgate_router(Handle<Bot>);

/// A router, and whose updates it reads.
pub(crate) struct Bot {
    platform: Platform,
    router: Router,
}

opaque!(askgate_router, Bot);

/// == Chat platforms ==
///
/// The Telegram Bot API.
pub const ASKGATE_PLATFORM_TELEGRAM: i32 = 1;
/// Discord's HTTP API and gateway.
pub const ASKGATE_PLATFORM_DISCORD: i32 = 2;

/// A chat that a prompt of dialect A is shown in, and who may answer it there.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct askgate_audience {
    /// The chat, or Discord's channel.
    pub chat: askgate_text,
    /// The topic within it; absent where there is none.
    pub thread: askgate_text,
    /// The users who may answer; the first answer counts.
    pub users: *const askgate_text,
    /// How many.
    pub user_count: usize,
}

impl askgate_audience {
    unsafe fn read(self) -> Result<Audience, Fail> {
        // SAFETY: the caller vouches for the texts and the list.
        unsafe {
            let users = list(self.users, self.user_count)?;
            Ok(Audience {
                chat: self.chat.required()?.into(),
                thread: self.thread.optional()?.map(Box::from),
                users: users.iter().map(|user| Ok(user.required()?.into())).collect::<Result<_, Fail>>()?,
            })
        }
    }
}

/// == What a router made of an update ==
///
/// A press was taken.
pub const ASKGATE_HANDLED_TAKEN: i32 = 1;
/// A press came after its question, its prompt or its key was over, or its token was never made here.
pub const ASKGATE_HANDLED_EXPIRED: i32 = 2;
/// A press by somebody else.
pub const ASKGATE_HANDLED_NOT_FOR_YOU: i32 = 3;
/// A press that does nothing now; `reason` says why.
pub const ASKGATE_HANDLED_REFUSED: i32 = 4;
/// A press or a message that was delivered before; it has no effect at all.
pub const ASKGATE_HANDLED_DUPLICATE: i32 = 5;
/// A message was taken, and must not start a run.
pub const ASKGATE_HANDLED_CAPTURED: i32 = 6;
/// A message is no answer, though a question waits for one; it must not start a run. The sender is told `reason`.
pub const ASKGATE_HANDLED_HINT: i32 = 7;
/// A message has nothing to do with a question: the one kind that may start a run.
pub const ASKGATE_HANDLED_NOT_CAPTURED: i32 = 8;
/// A chat was lost, as by `askgate_router_lose_chat`.
pub const ASKGATE_HANDLED_LOST: i32 = 9;
/// The update is none of a router's business.
pub const ASKGATE_HANDLED_IGNORED: i32 = 10;

/// What became of an update.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct askgate_handled {
    /// One of `ASKGATE_HANDLED_...`.
    pub kind: i32,
    /// Refused and hint: one sentence that says why; else absent. It lives as long as the program.
    pub reason: askgate_text,
}

impl askgate_handled {
    const fn of(handled: Handled) -> Self {
        let (kind, reason) = match handled {
            Handled::Taken => (ASKGATE_HANDLED_TAKEN, None),
            Handled::Expired => (ASKGATE_HANDLED_EXPIRED, None),
            Handled::NotForYou => (ASKGATE_HANDLED_NOT_FOR_YOU, None),
            Handled::Refused(why) => (ASKGATE_HANDLED_REFUSED, Some(why)),
            Handled::Duplicate => (ASKGATE_HANDLED_DUPLICATE, None),
            Handled::Captured => (ASKGATE_HANDLED_CAPTURED, None),
            Handled::Hint(why) => (ASKGATE_HANDLED_HINT, Some(why)),
            Handled::NotCaptured => (ASKGATE_HANDLED_NOT_CAPTURED, None),
            Handled::Lost => (ASKGATE_HANDLED_LOST, None),
            Handled::Ignored => (ASKGATE_HANDLED_IGNORED, None),
        };
        let reason = match reason {
            Some(why) => askgate_text::of(why),
            None => askgate_text::ABSENT,
        };
        Self { kind, reason }
    }
}

/// == What a router wants done ==
///
/// Nothing more: poll again at `deadline` at the latest, if `has_deadline`, or after another call.
pub const ASKGATE_CHAT_WAIT: i32 = 0;
/// Tell the platform that a press was taken or refused: exactly one for each press, before all else that it caused.
pub const ASKGATE_CHAT_ACKNOWLEDGE: i32 = 1;
/// Send a message. It must be reported.
pub const ASKGATE_CHAT_SEND: i32 = 2;
/// Edit a message. It must be reported.
pub const ASKGATE_CHAT_EDIT: i32 = 3;
/// Tell one person something. It may fail without harm.
pub const ASKGATE_CHAT_NOTICE: i32 = 4;

/// One call of the platform's HTTP API.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct askgate_chat_effect {
    /// One of `ASKGATE_CHAT_...`.
    pub kind: i32,
    /// For `askgate_router_report`; 0 for wait.
    pub id: u64,
    /// The HTTP method, such as `POST`.
    pub method: askgate_text,
    /// What follows the base address: of Telegram the method's name, below `/bot<token>/`; of Discord a path such as
    /// `/channels/1/messages`, below the versioned API.
    pub path: askgate_text,
    /// The JSON body, to be sent as it is.
    pub body: askgate_text,
    /// Wait: an edit that is held back may go out later.
    pub has_deadline: bool,
    /// When, in milliseconds; else 0.
    pub deadline: u64,
}

const NO_EFFECT: askgate_chat_effect = askgate_chat_effect {
    kind: ASKGATE_CHAT_WAIT,
    id: 0,
    method: askgate_text::ABSENT,
    path: askgate_text::ABSENT,
    body: askgate_text::ABSENT,
    has_deadline: false,
    deadline: 0,
};

/// == What an answer of the platform says ==
///
/// It was carried out.
pub const ASKGATE_REPORT_DONE: i32 = 0;
/// Nothing was left to do: the message already shows it, or the press can no longer be acknowledged.
pub const ASKGATE_REPORT_BENIGN: i32 = 1;
/// The router tries it again after a while, `after_ms` if the platform says so.
pub const ASKGATE_REPORT_RETRY: i32 = 2;
/// The message is no longer there.
pub const ASKGATE_REPORT_GONE: i32 = 3;
/// The chat takes nothing from the bot any more; the router acts as by `askgate_router_lose_chat`.
pub const ASKGATE_REPORT_LOST: i32 = 4;
/// The platform will never take it.
pub const ASKGATE_REPORT_REJECTED: i32 = 5;

/// How an answer of the platform was understood, for logs: the router has acted on it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct askgate_report {
    /// One of `ASKGATE_REPORT_...`.
    pub kind: i32,
    /// Retry: the platform said how long to wait.
    pub has_after: bool,
    /// How long, in milliseconds; else 0.
    pub after_ms: u64,
}

impl askgate_report {
    const fn of(report: &Report<'_>) -> Self {
        let kind = match report {
            Report::Done { .. } => ASKGATE_REPORT_DONE,
            Report::Failed(Failure::Benign) => ASKGATE_REPORT_BENIGN,
            Report::Failed(Failure::Retry { after_ms: None }) => ASKGATE_REPORT_RETRY,
            Report::Failed(Failure::Retry { after_ms: Some(after_ms) }) => {
                return Self { kind: ASKGATE_REPORT_RETRY, has_after: true, after_ms: *after_ms };
            }
            Report::Failed(Failure::Gone) => ASKGATE_REPORT_GONE,
            Report::Failed(Failure::Lost) => ASKGATE_REPORT_LOST,
            Report::Failed(Failure::Rejected) => ASKGATE_REPORT_REJECTED,
        };
        Self { kind, has_after: false, after_ms: 0 }
    }
}

/// == The chat router ==
///
/// A router turns the prompts of a gate into messages with buttons, and what people do in the chat into calls on the
/// gate, which alone decides. There must be one router a bot account. It works on one gate: give the same to every call.
/// A call that takes both handles is refused while either is in use, ends what is borrowed from both, and poisons both by a
/// panic; `askgate_router_error` tells why it was refused. A host drives it so:
///
/// 1. `askgate_router_address_of` reads whom the message that starts a run comes from, and `askgate_router_bind_chat` binds
///    that place and person to the session, before the run is started.
/// 2. After each call, `askgate_gate_poll` until it says to wait: for `ASKGATE_EVENT_SHOWN` call `askgate_router_show` with a
///    fresh random handle, for `ASKGATE_EVENT_RESOLVED` call `askgate_router_resolved`, before the next poll of the gate.
/// 3. Each update of the platform goes to `askgate_router_handle`. Only a message that is
///    `ASKGATE_HANDLED_NOT_CAPTURED` may start a run.
/// 4. `askgate_router_poll` until it says to wait: carry out each effect in order, and give the platform's answer to a send,
///    an edit or an acknowledgement to `askgate_router_report`; then go on with 2.
/// 5. `askgate_router_end_run` when a run is over, `askgate_router_lose_chat` when the bot was blocked or removed.
///
/// `examples/c/chat.c` is such a host.
///
/// Makes a router. `abi` is `ASKGATE_ABI_VERSION`; `platform` one of `ASKGATE_PLATFORM_...`; `bot` the account. `key` points to 32
/// random bytes, new for each start of the host, so that buttons of an earlier one expire; it is copied, and no call ever
/// gives it back. Writes the router, which is the caller's to free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_router_new(
    abi: u32,
    platform: i32,
    bot: askgate_text,
    key: *const u8,
    router: *mut *mut askgate_router,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        guard::new(abi, router, || {
            let platform = match platform {
                ASKGATE_PLATFORM_TELEGRAM => Platform::Telegram,
                ASKGATE_PLATFORM_DISCORD => Platform::Discord,
                _ => return Err(Fail::Enum),
            };
            let key = Key::new(read(key.cast::<[u8; 32]>())?);
            Ok(Bot { platform, router: Router::new(platform, bot.required()?, key) })
        })
    }
}

/// Frees a router, with all that was borrowed from it; its gate stays. NULL is fine. `ASKGATE_ERROR_IN_USE`, and nothing is
/// freed, while a call on it runs in another thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_router_free(router: *mut askgate_router) -> askgate_result {
    // SAFETY: the header says what the pointer must be; NULL is taken.
    unsafe { guard::free(router) }
}

/// Tells why the last call that takes the router without `const` was refused.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_router_error(
    router: *const askgate_router,
    error: *mut askgate_error,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe { guard::error(router, error) }
}

/// Reads the address that a message comes from, to bind the run that it starts. `update` is JSON as the platform sends it.
/// Where no person wrote a message, `has_address` is false and nothing is written to `address`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_router_address_of(
    router: *mut askgate_router,
    update: askgate_text,
    has_address: *mut bool,
    address: *mut askgate_address,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        guard::change(router, Out::required(has_address), |bot, lent| {
            let to = Out::required(address);
            to.check()?;
            let from = match bot.platform.parse(update.required()?)? {
                Update::Message(message) => bot.router.address_of(&message),
                Update::Press(_) | Update::Lost { .. } | Update::Other => None,
            };
            if let Some(from) = &from {
                to.write(askgate_address::copied(lent, from));
            }
            Ok(from.is_some())
        })
    }
}

/// Binds a chat, and the one person in it who may answer, as the surface of a session: before the run that the person's
/// message starts is submitted. Refused with `invalid_value` for an address of another platform or bot, or one that the
/// platform does not have.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_router_bind_chat(
    router: *mut askgate_router,
    gate: *mut askgate_gate,
    now: u64,
    session: askgate_text,
    address: *const askgate_address,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        guard::change_both(router, gate, (), |bot, gate| {
            let session = SessionKey::new(session.required()?, gate.limits())?;
            bot.router.bind_chat(Millis(now), gate, session, read(address)?.read()?)?;
            Ok(())
        })
    }
}

/// Shows a pending prompt: one of dialect B in its chat, if that is one of this bot; one of dialect A in each chat of
/// `audiences`, which may be NULL where `audience_count` is 0. `handle` points to 16 random bytes, drawn anew for each prompt.
/// Writes in how many chats it is shown; `chats` may be NULL. Showing it twice is showing it once. A prompt of dialect B that
/// the platform cannot show is unavailable. Refused with `not_found` if the prompt is not pending, and with
/// `ASKGATE_HANDLE_IN_USE`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_router_show(
    router: *mut askgate_router,
    gate: *mut askgate_gate,
    now: u64,
    prompt: u64,
    handle: *const u8,
    audiences: *const askgate_audience,
    audience_count: usize,
    chats: *mut usize,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        guard::change_both(router, gate, Out::optional(chats), |bot, gate| {
            let handle = PromptHandle(read(handle.cast::<[u8; 16]>())?);
            let audiences = list(audiences, audience_count)?.iter().map(|audience| audience.read());
            let audiences: Vec<Audience> = audiences.collect::<Result<_, Fail>>()?;
            let shown = bot.router.show(Millis(now), gate, PromptId(prompt), handle, &audiences);
            shown.map_err(|error| match error {
                ShowError::NotPending => Fail::NotFound,
                _ => Fail::HandleInUse,
            })
        })
    }
}

/// Tells the router of the `ASKGATE_EVENT_RESOLVED` that the gate's last poll gave: the prompt's messages get their last
/// form, without buttons. A time-out, and the end of the run or of the session, also unbind the chat. Give every such event
/// to every router of the gate. `prompt` is the event's; refused with `not_found` if the last poll gave another event, so
/// that no end can be told of with another's outcome.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_router_resolved(
    router: *mut askgate_router,
    gate: *mut askgate_gate,
    now: u64,
    prompt: u64,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        guard::change_both(router, gate, (), |bot, gate| {
            // It stays, for the other routers of this gate.
            let polled = gate.polled.take();
            let told = match &polled {
                Some(Event::Resolved { prompt: ended, outcome, .. }) if ended.id() == PromptId(prompt) => {
                    bot.router.resolved(Millis(now), gate, ended, outcome);
                    Ok(())
                }
                Some(_) | None => Err(Fail::NotPolled),
            };
            gate.polled = polled;
            told
        })
    }
}

/// A run is over, or was cancelled: its prompt is cancelled and its chat unbound. Writes how many prompts ended; `ended` may be
/// NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_router_end_run(
    router: *mut askgate_router,
    gate: *mut askgate_gate,
    now: u64,
    session: askgate_text,
    run: askgate_text,
    ended: *mut usize,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        guard::change_both(router, gate, Out::optional(ended), |bot, gate| {
            let (session, run) = (session.required()?, run.required()?);
            Ok(bot.router.end_run(Millis(now), gate, session, run))
        })
    }
}

/// The chat takes nothing from the bot any more, because it was blocked or removed or the chat became another one: its
/// prompts of dialect B are unavailable, its sessions unbound, and nothing more is sent there. Writes how many sessions were
/// unbound; `sessions` may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_router_lose_chat(
    router: *mut askgate_router,
    gate: *mut askgate_gate,
    now: u64,
    chat: askgate_text,
    sessions: *mut usize,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        guard::change_both(router, gate, Out::optional(sessions), |bot, gate| {
            Ok(bot.router.lose_chat(Millis(now), gate, chat.required()?))
        })
    }
}

/// Takes an update of the platform, as JSON as it sends it: of Telegram an `Update`; of Discord a gateway event with `t` and
/// `d`, or an interaction. Writes what became of it. Refused if it is not JSON.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_router_handle(
    router: *mut askgate_router,
    gate: *mut askgate_gate,
    now: u64,
    update: askgate_text,
    handled: *mut askgate_handled,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        guard::change_both(router, gate, Out::required(handled), |bot, gate| {
            let update = bot.platform.parse(update.required()?)?;
            Ok(askgate_handled::of(bot.router.handle(Millis(now), gate, &update)))
        })
    }
}

/// Tells what became of an effect. `status` is the HTTP status and `answer` the body of the platform's answer; where there
/// came none, `answer` is absent, `status` is not read, and the effect is tried again. Writes how the answer was understood;
/// `report` may be NULL. Reports that nothing waits for are ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_router_report(
    router: *mut askgate_router,
    gate: *mut askgate_gate,
    now: u64,
    effect: u64,
    status: u16,
    answer: askgate_text,
    report: *mut askgate_report,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        guard::change_both(router, gate, Out::optional(report), |bot, gate| {
            let read = bot.platform.parse_answer(status, answer.optional()?);
            let read = match &read {
                Ok(message) => Report::Done { message: message.as_deref() },
                Err(failure) => Report::Failed(*failure),
            };
            bot.router.report(Millis(now), gate, EffectId(effect), &read);
            Ok(askgate_report::of(&read))
        })
    }
}

/// Writes the next effect, or `ASKGATE_CHAT_WAIT` and until when. Early, late or twice is harmless.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_router_poll(
    router: *mut askgate_router,
    now: u64,
    effect: *mut askgate_chat_effect,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        guard::change(router, Out::required(effect), |bot, lent| {
            Ok(match bot.router.poll(Millis(now)) {
                Poll::Event(Effect { id, kind, method, path, body }) => askgate_chat_effect {
                    kind: match kind {
                        EffectKind::Acknowledge => ASKGATE_CHAT_ACKNOWLEDGE,
                        EffectKind::Send => ASKGATE_CHAT_SEND,
                        EffectKind::Edit => ASKGATE_CHAT_EDIT,
                        EffectKind::Notice => ASKGATE_CHAT_NOTICE,
                    },
                    id: id.0,
                    method: askgate_text::of(method),
                    path: lent.text(path),
                    body: lent.text(body),
                    ..NO_EFFECT
                },
                Poll::Wait(deadline) => {
                    let (has_deadline, deadline) = flagged(deadline.map(|at| at.0));
                    askgate_chat_effect { has_deadline, deadline, ..NO_EFFECT }
                }
            })
        })
    }
}
