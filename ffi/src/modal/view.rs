//! What to draw.

use super::askgate_modal;
use crate::codes::{self, askgate_result};
use crate::guard::{self, Lent};
use crate::pointer::{Out, flagged};
use crate::text::askgate_text;
use alloc::string::ToString;
use alloc::vec::Vec;
use askgate_core::json::to_json;
use askgate_core::modal::{Control, ControlRole, PhaseView, Role, Style, View};

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
