//! What the person does, and what became of it.

use super::askgate_modal;
use crate::codes::{self, askgate_result};
use crate::fail::Fail;
use crate::guard;
use crate::pointer::{Out, flagged};
use crate::text::askgate_text;
use askgate_core::json::to_json;
use askgate_core::modal::{ControlId, Effect, Input, Key, KeyCode, Modal, Mods, Submission};
use askgate_core::time::Millis;

/// == Keys ==
///
/// A key that makes the character given, as it comes out with Shift and the like applied.
pub const ASKGATE_KEY_CHAR: i32 = 0;
/// Enter or Return.
pub const ASKGATE_KEY_ENTER: i32 = 1;
/// Escape.
pub const ASKGATE_KEY_ESC: i32 = 2;
/// Tab; the back-tab of terminals is Tab with Shift.
pub const ASKGATE_KEY_TAB: i32 = 3;
/// The arrow up.
pub const ASKGATE_KEY_UP: i32 = 4;
/// The arrow down.
pub const ASKGATE_KEY_DOWN: i32 = 5;
/// The arrow to the left.
pub const ASKGATE_KEY_LEFT: i32 = 6;
/// The arrow to the right.
pub const ASKGATE_KEY_RIGHT: i32 = 7;
/// Home.
pub const ASKGATE_KEY_HOME: i32 = 8;
/// End.
pub const ASKGATE_KEY_END: i32 = 9;
/// Page up.
pub const ASKGATE_KEY_PAGE_UP: i32 = 10;
/// Page down.
pub const ASKGATE_KEY_PAGE_DOWN: i32 = 11;
/// The space bar; `ASKGATE_KEY_CHAR` with a space is the same.
pub const ASKGATE_KEY_SPACE: i32 = 12;
/// Backspace.
pub const ASKGATE_KEY_BACKSPACE: i32 = 13;
/// Delete.
pub const ASKGATE_KEY_DELETE: i32 = 14;

/// Control was held.
pub const ASKGATE_MOD_CTRL: u32 = 1;
/// Alt, or Option, was held.
pub const ASKGATE_MOD_ALT: u32 = 2;
/// Shift was held.
pub const ASKGATE_MOD_SHIFT: u32 = 4;
/// Command, Windows or Super was held.
pub const ASKGATE_MOD_META: u32 = 8;
/// The key is held and repeats by itself.
pub const ASKGATE_MOD_REPEAT: u32 = 16;
/// An input method is composing; its text arrives by `askgate_modal_set_text` or `askgate_modal_paste`.
pub const ASKGATE_MOD_COMPOSING: u32 = 32;

/// == Effects of a modal ==
///
/// Nothing.
pub const ASKGATE_EFFECT_NONE: i32 = 0;
/// Draw the view again. So it is after each of the effects below.
pub const ASKGATE_EFFECT_REDRAW: i32 = 1;
/// Send the answer.
pub const ASKGATE_EFFECT_SUBMIT: i32 = 2;
/// Send that the form is declined (dialect B).
pub const ASKGATE_EFFECT_DECLINE: i32 = 3;
/// Send that the prompt is cancelled (dialect A).
pub const ASKGATE_EFFECT_CANCEL: i32 = 4;
/// Send that the command is acknowledged.
pub const ASKGATE_EFFECT_ACKNOWLEDGE: i32 = 5;
/// Send that the acknowledgement is undone.
pub const ASKGATE_EFFECT_BACK: i32 = 6;

/// What the host is to do.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct askgate_effect {
    /// One of `ASKGATE_EFFECT_...`.
    pub kind: i32,
    /// Submit: the answer, as `ASKGATE_RESOLVE_VALUE` (agent) or `ASKGATE_RESOLVE_ANSWERS` (session) takes it.
    pub answer: askgate_text,
}

/// == The modal: what the person does ==
///
/// A key was pressed: one of `ASKGATE_KEY_...`, for `ASKGATE_KEY_CHAR` with its `character` (a Unicode scalar value; not read
/// for others), and any of `ASKGATE_MOD_...` added up. Writes the effect, as the calls below do.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_modal_key(
    modal: *mut askgate_modal,
    now: u64,
    key: i32,
    character: u32,
    mods: u32,
    effect: *mut askgate_effect,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        with_effect(modal, effect, |modal| {
            Ok(modal.input(Millis(now), Input::Key(read_key(key, character, mods)?)))
        })
    }
}

fn read_key(key: i32, character: u32, mods: u32) -> Result<Key, Fail> {
    const ALL: u32 = ASKGATE_MOD_CTRL
        | ASKGATE_MOD_ALT
        | ASKGATE_MOD_SHIFT
        | ASKGATE_MOD_META
        | ASKGATE_MOD_REPEAT
        | ASKGATE_MOD_COMPOSING;
    if mods & !ALL != 0 {
        return Err(Fail::Enum);
    }
    let code = match key {
        ASKGATE_KEY_CHAR => KeyCode::Char(char::from_u32(character).ok_or(Fail::Enum)?),
        ASKGATE_KEY_ENTER => KeyCode::Enter,
        ASKGATE_KEY_ESC => KeyCode::Esc,
        ASKGATE_KEY_TAB => KeyCode::Tab,
        ASKGATE_KEY_UP => KeyCode::Up,
        ASKGATE_KEY_DOWN => KeyCode::Down,
        ASKGATE_KEY_LEFT => KeyCode::Left,
        ASKGATE_KEY_RIGHT => KeyCode::Right,
        ASKGATE_KEY_HOME => KeyCode::Home,
        ASKGATE_KEY_END => KeyCode::End,
        ASKGATE_KEY_PAGE_UP => KeyCode::PageUp,
        ASKGATE_KEY_PAGE_DOWN => KeyCode::PageDown,
        ASKGATE_KEY_SPACE => KeyCode::Space,
        ASKGATE_KEY_BACKSPACE => KeyCode::Backspace,
        ASKGATE_KEY_DELETE => KeyCode::Delete,
        _ => return Err(Fail::Enum),
    };
    let held = |flag| mods & flag != 0;
    let with = Mods {
        ctrl: held(ASKGATE_MOD_CTRL),
        alt: held(ASKGATE_MOD_ALT),
        shift: held(ASKGATE_MOD_SHIFT),
        meta: held(ASKGATE_MOD_META),
    };
    Ok(Key {
        repeat: held(ASKGATE_MOD_REPEAT),
        composing: held(ASKGATE_MOD_COMPOSING),
        ..Key::new(code, with)
    })
}

/// Text was pasted.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_modal_paste(
    modal: *mut askgate_modal,
    now: u64,
    text: askgate_text,
    effect: *mut askgate_effect,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        with_effect(modal, effect, |modal| Ok(modal.input(Millis(now), Input::Paste(text.required()?))))
    }
}

/// The text field, which the surface edits by itself, now holds this text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_modal_set_text(
    modal: *mut askgate_modal,
    now: u64,
    text: askgate_text,
    effect: *mut askgate_effect,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        with_effect(modal, effect, |modal| Ok(modal.input(Millis(now), Input::SetText(text.required()?))))
    }
}

/// A control was clicked or tapped, by its id. An unknown one does nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_modal_activate(
    modal: *mut askgate_modal,
    now: u64,
    control: askgate_text,
    effect: *mut askgate_effect,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        with_effect(modal, effect, |modal| on_control(modal, now, control.required()?, Input::Activate))
    }
}

/// The focus was moved to a control, by its id. An unknown one does nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_modal_focus(
    modal: *mut askgate_modal,
    now: u64,
    control: askgate_text,
    effect: *mut askgate_effect,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe { with_effect(modal, effect, |modal| on_control(modal, now, control.required()?, Input::Focus)) }
}

fn on_control(
    modal: &mut Modal,
    now: u64,
    control: &str,
    input: impl FnOnce(ControlId) -> Input<'static>,
) -> Result<Effect, Fail> {
    let now = Millis(now);
    Ok(match control.parse() {
        Ok(id) => modal.input(now, input(id)),
        Err(_) => modal.tick(now),
    })
}

/// The surface has room for so many rows of the list.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_modal_resize(
    modal: *mut askgate_modal,
    now: u64,
    rows: usize,
    effect: *mut askgate_effect,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe { with_effect(modal, effect, |modal| Ok(modal.input(Millis(now), Input::Resize(rows)))) }
}

/// == The modal: what became of it ==
///
/// Time passes. Call it at `askgate_modal_next_deadline`; early, late or twice is harmless.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_modal_tick(
    modal: *mut askgate_modal,
    now: u64,
    effect: *mut askgate_effect,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe { with_effect(modal, effect, |modal| Ok(modal.tick(Millis(now)))) }
}

/// The gate has taken the acknowledgement: shows the second step of a command.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_modal_acknowledged(
    modal: *mut askgate_modal,
    now: u64,
    effect: *mut askgate_effect,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe { with_effect(modal, effect, |modal| Ok(modal.acknowledged(Millis(now)))) }
}

/// What was sent was refused and can be tried again, so: the code, path and message of the gate's `askgate_error`. The path may be
/// absent. For `already_resolved` and `not_found` call `askgate_modal_close` instead.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_modal_reject(
    modal: *mut askgate_modal,
    now: u64,
    code: askgate_text,
    path: askgate_text,
    message: askgate_text,
    effect: *mut askgate_effect,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        with_effect(modal, effect, |modal| {
            let (code, path) = (code.required()?, path.optional()?.unwrap_or_default());
            Ok(modal.reject(Millis(now), code, path, message.required()?))
        })
    }
}

/// The prompt has ended, so: one of `ASKGATE_OUTCOME_...` but none. Nothing changes afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_modal_close(
    modal: *mut askgate_modal,
    now: u64,
    outcome: i32,
    effect: *mut askgate_effect,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe { with_effect(modal, effect, |modal| Ok(modal.close(Millis(now), codes::outcome(outcome)?))) }
}

/// Writes whether time alone will change the view, and when, in milliseconds (else 0). It may change with every call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_modal_next_deadline(
    modal: *const askgate_modal,
    has_deadline: *mut bool,
    deadline: *mut u64,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        guard::look(modal, (Out::required(has_deadline), Out::required(deadline)), |modal| {
            Ok(flagged(modal.next_deadline().map(|at| at.0)))
        })
    }
}

unsafe fn with_effect(
    modal: *mut askgate_modal,
    effect: *mut askgate_effect,
    run: impl FnOnce(&mut Modal) -> Result<Effect, Fail>,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        guard::change(modal, Out::required(effect), |modal, lent| {
            let (kind, answer) = match run(modal)? {
                Effect::None => (ASKGATE_EFFECT_NONE, askgate_text::ABSENT),
                Effect::Redraw => (ASKGATE_EFFECT_REDRAW, askgate_text::ABSENT),
                Effect::Submit(Submission::Value(value)) => {
                    (ASKGATE_EFFECT_SUBMIT, lent.text(value.into_string()))
                }
                Effect::Submit(answers) => (ASKGATE_EFFECT_SUBMIT, lent.text(to_json(&answers))),
                Effect::Decline => (ASKGATE_EFFECT_DECLINE, askgate_text::ABSENT),
                Effect::Cancel => (ASKGATE_EFFECT_CANCEL, askgate_text::ABSENT),
                Effect::Acknowledge => (ASKGATE_EFFECT_ACKNOWLEDGE, askgate_text::ABSENT),
                Effect::Back => (ASKGATE_EFFECT_BACK, askgate_text::ABSENT),
            };
            Ok(askgate_effect { kind, answer })
        })
    }
}
