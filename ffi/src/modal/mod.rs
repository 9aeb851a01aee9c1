//! The modal: what one person sees and does.

use crate::codes::askgate_result;
use crate::config::limits;
use crate::fail::{Fail, askgate_error};
use crate::guard::{self, Handle, opaque};
use crate::pointer::{Out, flag, optional, read};
use crate::text::askgate_text;
use askgate_core::dialect::typed::ShownPrompt;
use askgate_core::modal::{Manner, Modal, ModalPrompt, Options};
use askgate_core::time::Millis;

// In the order in which the header is read.
pub(crate) mod input;

pub(crate) mod view;

/// One prompt on one surface. Made by `askgate_modal_new`.
pub struct askgate_modal(Handle<Modal>);

opaque!(askgate_modal, Modal);

/// How a modal behaves on its surface. Fill it by `askgate_modal_options_init`, then change what you like.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct askgate_modal_options {
    /// How many rows of the list the surface has room for. By default all.
    pub rows: usize,
    /// 1 if `guard_ms` is given.
    pub has_guard: u8,
    /// How long what could answer does nothing after something new appears, in milliseconds, so that keys and clicks
    /// meant for something else do not answer; 0 turns that off. By default 250, and 1,000 for a command.
    pub guard_ms: u64,
    /// How long to wait for what was sent to be confirmed, in milliseconds, before it can be sent again. By default 5,000.
    pub confirm_ms: u64,
    /// 1 on a terminal, where Ctrl+C leaves, which is the default; 0 elsewhere, where it is copy.
    pub terminal: u8,
    /// 1 if `deadline` is given.
    pub has_deadline: u8,
    /// When the prompt times out, to be shown. By default `now` and the prompt's `timeout_ms`.
    pub deadline: u64,
    /// The bounds that the prompt was accepted with, if others than the defaults: as in `askgate_config`.
    pub limits: askgate_text,
}

/// == The modal: making it ==
///
/// Fills options with the defaults.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_modal_options_init(options: *mut askgate_modal_options) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        guard::plain(Out::required(options), || {
            let Options { rows, confirm_ms, terminal, .. } = Options::default();
            Ok(askgate_modal_options {
                rows,
                has_guard: 0,
                guard_ms: 0,
                confirm_ms,
                terminal: terminal.into(),
                has_deadline: 0,
                deadline: 0,
                limits: askgate_text::ABSENT,
            })
        })
    }
}

/// Shows a prompt. `abi` is `ASKGATE_ABI_VERSION`. `prompt` is JSON as `askgate_prompt.json`, a mirror's request or a push has
/// it: the `AskUserRequest`, or the params of `session.prompt.requested`; ids and times may be left out. `options` may be
/// NULL for the defaults. Writes the modal, which is the caller's to free.
///
/// Then: call `askgate_modal_view` and draw; give it all that the person does, and draw again on any effect but
/// `ASKGATE_EFFECT_NONE`; send what the other effects say, and report what came of it by `askgate_modal_acknowledged`,
/// `askgate_modal_reject` or `askgate_modal_close`; call `askgate_modal_tick` at the next deadline.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_modal_new(
    abi: u32,
    now: u64,
    prompt: askgate_text,
    options: *const askgate_modal_options,
    modal: *mut *mut askgate_modal,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe { guard::new(abi, modal, || make(now, prompt, options)) }
}

unsafe fn make(now: u64, prompt: askgate_text, given: *const askgate_modal_options) -> Result<Modal, Fail> {
    let mut options = Options::default();
    let mut bounds = askgate_text::ABSENT;
    let mut deadline = None;
    // SAFETY: the caller vouches for what the pointers point to.
    let (prompt, bounds) = unsafe {
        if !given.is_null() {
            let given = read(given)?;
            options.rows = given.rows;
            options.guard_ms = optional(given.has_guard, given.guard_ms)?;
            options.confirm_ms = given.confirm_ms;
            options.terminal = flag(given.terminal)?;
            deadline = optional(given.has_deadline, given.deadline)?.map(Millis);
            bounds = given.limits;
        }
        (prompt.required()?, limits(bounds)?)
    };
    let now = Millis(now);
    let after = |timeout_ms: Option<u64>| deadline.or(timeout_ms.and_then(|ms| now.checked_add(ms)));
    let prompt = match ShownPrompt::parse(prompt, &bounds)? {
        ShownPrompt::Request(ask) => ModalPrompt {
            manner: Manner::Request,
            surface: Some(ask.surface.as_str().into()),
            attribution: ask.agent.map(|agent| agent.as_str().into()),
            form: ask.form,
            deadline: after(ask.timeout_ms),
        },
        ShownPrompt::Session { form, timeout_ms } => ModalPrompt {
            manner: Manner::Session,
            surface: None,
            attribution: None,
            form,
            deadline: after(timeout_ms),
        },
    };
    Ok(Modal::new(prompt, options, now))
}

/// Frees a modal, with all that was borrowed from it. NULL is fine. `ASKGATE_ERROR_IN_USE`, and nothing is freed, while a
/// call on it runs in another thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_modal_free(modal: *mut askgate_modal) -> askgate_result {
    // SAFETY: the header says what the pointer must be; NULL is taken.
    unsafe { guard::free(modal) }
}

/// Tells why the last call that takes the modal without `const` was refused.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_modal_error(
    modal: *const askgate_modal,
    error: *mut askgate_error,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe { guard::error(modal, error) }
}
