//! The gate, with typed calls.

use crate::codes::askgate_result;
use crate::config::{askgate_config, config};
use crate::fail::{Fail, askgate_error};
use crate::guard::{self, Handle, Lent, opaque};
use crate::text::askgate_text;
use alloc::boxed::Box;
use askgate_core::gate::{Event, Gate};
use askgate_core::id::ChatAddress;
use core::ops::{Deref, DerefMut};

// In the order in which the header is read.
pub(crate) mod asking;

pub(crate) mod answering;

pub(crate) mod ending;

pub(crate) mod reading;

/// The engine: it holds prompts and lets each end exactly once. Made by `askgate_gate_new`.
pub struct askgate_gate(Handle<Engine>);

/// A gate, and the event that its last poll gave, for chat routers to be told of.
pub(crate) struct Engine {
    gate: Gate,
    pub(crate) polled: Option<Event>,
}

impl Deref for Engine {
    type Target = Gate;
    fn deref(&self) -> &Gate {
        &self.gate
    }
}

impl DerefMut for Engine {
    fn deref_mut(&mut self) -> &mut Gate {
        &mut self.gate
    }
}

opaque!(askgate_gate, Engine);

/// A place in a chat, and the one person there who may answer.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct askgate_address {
    /// The platform, such as `telegram`.
    pub platform: askgate_text,
    /// The bot account.
    pub bot: askgate_text,
    /// The chat or channel.
    pub chat: askgate_text,
    /// The topic or thread; absent where there is none.
    pub thread: askgate_text,
    /// The person whose message started the run.
    pub user: askgate_text,
}

impl askgate_address {
    const ABSENT: Self = Self {
        platform: askgate_text::ABSENT,
        bot: askgate_text::ABSENT,
        chat: askgate_text::ABSENT,
        thread: askgate_text::ABSENT,
        user: askgate_text::ABSENT,
    };

    pub(crate) unsafe fn read(self) -> Result<ChatAddress, Fail> {
        // SAFETY: the caller vouches for the texts.
        let (platform, bot, chat, thread, user) = unsafe {
            (
                self.platform.required()?,
                self.bot.required()?,
                self.chat.required()?,
                self.thread.optional()?,
                self.user.required()?,
            )
        };
        Ok(ChatAddress {
            platform: platform.into(),
            bot: bot.into(),
            chat: chat.into(),
            thread: thread.map(Box::from),
            user: user.into(),
        })
    }

    /// Lends a copy of an address.
    pub(crate) fn copied(lent: &mut Lent, address: &ChatAddress) -> Self {
        let mut copy = |text: &str| lent.text(text.into());
        Self {
            platform: copy(&address.platform),
            bot: copy(&address.bot),
            chat: copy(&address.chat),
            thread: address.thread.as_deref().map_or(askgate_text::ABSENT, &mut copy),
            user: copy(&address.user),
        }
    }
}

/// == The gate: making it ==
///
/// Makes a gate. `abi` is `ASKGATE_ABI_VERSION`; `config` may be NULL for the defaults. Writes the gate, which is the
/// caller's to free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_gate_new(
    abi: u32,
    config: *const askgate_config,
    gate: *mut *mut askgate_gate,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe { guard::new(abi, gate, || Ok(Engine { gate: Gate::new(self::config(config)?), polled: None })) }
}

/// Frees a gate, with all that was borrowed from it. NULL is fine. `ASKGATE_ERROR_IN_USE`, and nothing is freed, while a
/// call on it runs in another thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_gate_free(gate: *mut askgate_gate) -> askgate_result {
    // SAFETY: the header says what the pointer must be; NULL is taken.
    unsafe { guard::free(gate) }
}

/// Tells why the last call that takes the gate without `const` was refused.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_gate_error(
    gate: *const askgate_gate,
    error: *mut askgate_error,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe { guard::error(gate, error) }
}
