//! The modal: what one person sees and does.

use crate::codes::{self, askgate_result};
use crate::config::limits;
use crate::fail::{Fail, askgate_error};
use crate::guard::{self, Handle, Lent, opaque};
use crate::pointer::{Out, flag, flagged, optional, read};
use crate::text::askgate_text;
use alloc::string::ToString;
use alloc::vec::Vec;
use askgate_core::dialect::typed::{ShownPrompt, to_json};
use askgate_core::modal::{
    Control, ControlId, ControlRole, Effect, Input, Key, KeyCode, Manner, Modal, ModalPrompt, Mods, Options,
    PhaseView, Role, Style, Submission, View,
};
use askgate_core::time::Millis;

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

/// == Parts of a view ==
///
/// The person works on it.
pub const ASKGATE_PHASE_EDITING: i32 = 1;
/// Something was sent and is not confirmed yet.
pub const ASKGATE_PHASE_SENT: i32 = 2;
/// The prompt has ended.
pub const ASKGATE_PHASE_CLOSED: i32 = 3;

/// The control acts when pressed.
pub const ASKGATE_ROLE_BUTTON: i32 = 1;
/// The control is one of a list, of which one is selected.
pub const ASKGATE_ROLE_RADIO: i32 = 2;
/// The control is one of a list, of which several may be selected.
pub const ASKGATE_ROLE_CHECKBOX: i32 = 3;
/// The control is the text field.
pub const ASKGATE_ROLE_TEXTBOX: i32 = 4;

/// Something that can be focused.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct askgate_control {
    /// What `askgate_modal_activate` and `askgate_modal_focus` name it by: `yes`, `no`, `ack`, `run`, `back`, `option:N`,
    /// `custom`, `text`, `prev`, `next`, `submit`, `cancel` or `decline`.
    pub id: askgate_text,
    /// What to write on it.
    pub label: askgate_text,
    /// What it means, or absent.
    pub description: askgate_text,
    /// One of `ASKGATE_ROLE_...`.
    pub role: i32,
    /// It can be selected.
    pub can_check: bool,
    /// It is selected.
    pub checked: bool,
    /// It has the focus. One control does.
    pub focused: bool,
    /// It does something.
    pub enabled: bool,
    /// Show it as what may do damage.
    pub danger: bool,
    /// The asker recommends it. A mark and nothing more.
    pub recommended: bool,
    /// The character that activates it outside text entry; 0 for none.
    pub hotkey: u32,
}

/// What there is to draw. All text is safe to show, but `text_value`, which is the draft as it is.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct askgate_view {
    /// Agent: the surface that it belongs to.
    pub surface: askgate_text,
    /// Agent: who asks, or absent.
    pub attribution: askgate_text,
    /// It is an `alertdialog` to assistive technology, not a `dialog`.
    pub is_alert: bool,
    /// One of `ASKGATE_PHASE_...`.
    pub phase: i32,
    /// Which question is shown, from 0.
    pub page_index: usize,
    /// How many there are.
    pub page_count: usize,
    /// The heading above the question, or absent.
    pub header: askgate_text,
    /// The title, or the question.
    pub title: askgate_text,
    /// The text below the title, or absent.
    pub body: askgate_text,
    /// The command to confirm, or absent.
    pub command: askgate_text,
    /// The command holds characters that are shown as escapes: warn of them.
    pub command_has_hidden: bool,
    /// Saying yes is dangerous: show a banner.
    pub is_unsafe: bool,
    /// The prompt times out.
    pub has_deadline: bool,
    /// When, in milliseconds; else 0. Call `askgate_modal_close` then.
    pub deadline: u64,
    /// The guard has ended: buttons do what they say. Dim them while it is false.
    pub armed: bool,
    /// How the prompt ended: one of `ASKGATE_OUTCOME_...`.
    pub outcome: i32,
    /// The first row of the list to show, from 0: one for each option, then one for `custom`.
    pub window_first: usize,
    /// How many rows to show; 0 where there is no list.
    pub window_count: usize,
    /// The controls, in the order in which Tab goes round them.
    pub controls: *const askgate_control,
    /// How many.
    pub control_count: usize,
    /// There is a text field.
    pub has_text: bool,
    /// What is typed in it, raw.
    pub text_value: askgate_text,
    /// The cursor's place in it, in grapheme clusters.
    pub text_cursor: usize,
    /// What was refused: a code, or absent.
    pub error_code: askgate_text,
    /// One sentence for the person, or absent.
    pub error_message: askgate_text,
    /// The control that needs attention, or absent.
    pub error_control: askgate_text,
    /// The keys that would do something now; empty while none would.
    pub help: askgate_text,
    /// All of this as one JSON object, for a page.
    pub json: askgate_text,
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

/// == The modal: what to draw ==
///
/// Writes what there is to draw.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_modal_view(
    modal: *mut askgate_modal,
    view: *mut askgate_view,
) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe { guard::change(modal, Out::required(view), |modal, lent| Ok(lend_view(lent, &modal.view()))) }
}

fn lend_view(lent: &mut Lent, view: &View<'_>) -> askgate_view {
    let json = lent.text(to_json(view));
    let controls: Vec<_> = view.controls.iter().map(|control| lend_control(lent, control)).collect();
    let (error, command) = (view.error.as_ref(), view.command.as_ref());
    let control = error.and_then(|error| error.control).map(|id| id.to_string());
    let (has_deadline, deadline) = flagged(view.deadline.map(|at| at.0));
    askgate_view {
        surface: lent.copied(view.surface.as_deref()),
        attribution: lent.copied(view.attribution.as_deref()),
        is_alert: view.role == Role::AlertDialog,
        phase: match view.phase {
            PhaseView::Editing => ASKGATE_PHASE_EDITING,
            PhaseView::Sent => ASKGATE_PHASE_SENT,
            PhaseView::Closed => ASKGATE_PHASE_CLOSED,
        },
        page_index: view.page.index,
        page_count: view.page.count,
        header: lent.copied(view.header.as_deref()),
        title: lent.copied(Some(&view.title)),
        body: lent.copied(view.body.as_deref()),
        command: lent.copied(command.map(|command| &*command.text)),
        command_has_hidden: command.is_some_and(|command| command.has_hidden),
        is_unsafe: view.danger,
        has_deadline,
        deadline,
        armed: view.armed,
        outcome: view.outcome.map_or(codes::ASKGATE_OUTCOME_NONE, codes::of_outcome),
        window_first: view.window.map_or(0, |window| window.first),
        window_count: view.window.map_or(0, |window| window.count),
        control_count: controls.len(),
        controls: lent.controls(controls),
        has_text: view.text.is_some(),
        text_value: lent.copied(view.text.map(|text| text.value)),
        text_cursor: view.text.map_or(0, |text| text.cursor),
        error_code: lent.copied(error.map(|error| &*error.code)),
        error_message: lent.copied(error.map(|error| &*error.message)),
        error_control: lent.copied(control.as_deref()),
        help: lent.copied(Some(&view.help)),
        json,
    }
}

fn lend_control(lent: &mut Lent, control: &Control<'_>) -> askgate_control {
    askgate_control {
        id: lent.text(control.id.to_string()),
        label: lent.copied(Some(&control.label)),
        description: lent.copied(control.description.as_deref()),
        role: match control.role {
            ControlRole::Button => ASKGATE_ROLE_BUTTON,
            ControlRole::Radio => ASKGATE_ROLE_RADIO,
            ControlRole::Checkbox => ASKGATE_ROLE_CHECKBOX,
            ControlRole::Textbox => ASKGATE_ROLE_TEXTBOX,
        },
        can_check: control.checked.is_some(),
        checked: control.checked == Some(true),
        focused: control.focused,
        enabled: control.enabled,
        danger: control.style == Style::Danger,
        recommended: control.recommended,
        hotkey: control.hotkey.map_or(0, u32::from),
    }
}
