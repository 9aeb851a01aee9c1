//! What there is to draw, as plain data that borrows from the modal. As JSON it has the shape that scenario files and
//! the bindings have: absent parts are null. All text in it is made safe to show (spec 11.1), except
//! [`TextView::value`], which is the draft as it is.

use super::controls::STOPS;
use super::input::ControlId;
use super::keymap::hotkey;
use super::{Focus, Manner, Modal, ModalPrompt, Phase};
use crate::answer::OutcomeKind;
use crate::form::{Question, Recommended};
use crate::json::{Plain, ToJson, object};
use crate::text::{Mode, Safe, display_safe};
use crate::time::Millis;
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

/// The whole modal at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct View<'m> {
    /// The surface that it belongs to (dialect A).
    pub surface: Option<Cow<'m, str>>,
    /// Who asks (dialect A).
    pub attribution: Option<Cow<'m, str>>,
    /// What kind of dialog it is to assistive technology.
    pub role: Role,
    /// Whether it takes input.
    pub phase: PhaseView,
    /// Which question is shown.
    pub page: PageView,
    /// The heading above the question.
    pub header: Option<Cow<'m, str>>,
    /// The title, or the question.
    pub title: Cow<'m, str>,
    /// The text below the title; null for a command.
    pub body: Option<Cow<'m, str>>,
    /// The command to confirm.
    pub command: Option<CommandView<'m>>,
    /// Saying yes is dangerous: show a banner.
    pub danger: bool,
    /// When the prompt times out, in the host's milliseconds. The host closes the modal then.
    pub deadline: Option<Millis>,
    /// The guard has ended: buttons do what they say. Dim them while it is false.
    pub armed: bool,
    /// How the prompt ended.
    pub outcome: Option<OutcomeKind>,
    /// Which rows of the list to show.
    pub window: Option<Window>,
    /// All controls, in the order in which Tab goes round them. The list is one stop, at its focused row.
    pub controls: Vec<Control<'m>>,
    /// The text field.
    pub text: Option<TextView<'m>>,
    /// What was refused.
    pub error: Option<ErrorView<'m>>,
    /// The keys that would do something now; empty while none would.
    pub help: String,
}

/// The role of the dialog (WAI-ARIA 1.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// A question.
    Dialog,
    /// A command to confirm.
    AlertDialog,
}

impl Role {
    /// Its name in WAI-ARIA.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Dialog => "dialog",
            Self::AlertDialog => "alertdialog",
        }
    }
}

/// Whether the modal takes input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PhaseView {
    /// The person works on it.
    Editing,
    /// Something was sent and is not confirmed yet.
    Sent,
    /// The prompt has ended.
    Closed,
}

impl PhaseView {
    /// Its name in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Editing => "editing",
            Self::Sent => "sent",
            Self::Closed => "closed",
        }
    }
}

/// Which question is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageView {
    /// Its index, from 0.
    pub index: usize,
    /// How many there are.
    pub count: usize,
}

/// A command, with what it hides made visible.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandView<'m> {
    /// The command.
    pub text: Cow<'m, str>,
    /// It holds characters that are shown as escapes: warn of them.
    pub has_hidden: bool,
}

/// Rows of the list: one for each option, and one for the custom answer where there is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// The first row to show, from 0.
    pub first: usize,
    /// How many to show, at least 1.
    pub count: usize,
}

/// Something that can be focused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Control<'m> {
    /// What inputs name it by.
    pub id: ControlId,
    /// What to write on it.
    pub label: Cow<'m, str>,
    /// What it means.
    pub description: Option<Cow<'m, str>>,
    /// What it is to assistive technology.
    pub role: ControlRole,
    /// Whether it is selected; null for what cannot be.
    pub checked: Option<bool>,
    /// It has the focus. One control does.
    pub focused: bool,
    /// It does something.
    pub enabled: bool,
    /// How to show it.
    pub style: Style,
    /// The key that activates it outside text entry.
    pub hotkey: Option<char>,
    /// The asker recommends it. A mark and nothing more.
    pub recommended: bool,
}

/// The role of a control (WAI-ARIA 1.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ControlRole {
    /// It acts when pressed.
    Button,
    /// One of a list, of which one is selected.
    Radio,
    /// One of a list, of which several may be selected.
    Checkbox,
    /// The text field.
    Textbox,
}

impl ControlRole {
    /// Its name in WAI-ARIA.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Button => "button",
            Self::Radio => "radio",
            Self::Checkbox => "checkbox",
            Self::Textbox => "textbox",
        }
    }
}

/// How to show a control.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// As any other.
    Normal,
    /// As what may do damage.
    Danger,
}

impl Style {
    /// Its name in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::Danger => "danger",
        }
    }
}

/// The text field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextView<'m> {
    /// The draft, raw.
    pub value: &'m str,
    /// The cursor's place, in grapheme clusters.
    pub cursor: usize,
}

/// What was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ErrorView<'m> {
    /// A stable code: one of the codes of spec 3, or `unconfirmed`.
    pub code: Cow<'m, str>,
    /// One sentence that says what to do.
    pub message: Cow<'m, str>,
    /// The control that needs attention, if it is there.
    pub control: Option<ControlId>,
}

impl ToJson for View<'_> {
    fn write_json(&self, out: &mut String) {
        object!(
            out,
            "surface": self.surface,
            "attribution": self.attribution,
            "role": Plain(self.role.as_str()),
            "phase": Plain(self.phase.as_str()),
            "page": self.page,
            "header": self.header,
            "title": self.title,
            "body": self.body,
            "command": self.command,
            "unsafe": self.danger,
            "deadline": self.deadline.map(|deadline| deadline.0),
            "armed": self.armed,
            "outcome": self.outcome.map(|outcome| Plain(outcome.as_str())),
            "window": self.window,
            "controls": self.controls,
            "text": self.text,
            "error": self.error,
            "help": self.help,
        );
    }
}

impl ToJson for PageView {
    fn write_json(&self, out: &mut String) {
        object!(out, "index": self.index, "count": self.count);
    }
}

impl ToJson for CommandView<'_> {
    fn write_json(&self, out: &mut String) {
        object!(out, "text": self.text, "has_hidden": self.has_hidden);
    }
}

impl ToJson for Window {
    fn write_json(&self, out: &mut String) {
        object!(out, "first": self.first, "count": self.count);
    }
}

impl ToJson for Control<'_> {
    fn write_json(&self, out: &mut String) {
        object!(
            out,
            "id": self.id,
            "label": self.label,
            "description": self.description,
            "role": Plain(self.role.as_str()),
            "checked": self.checked,
            "focused": self.focused,
            "enabled": self.enabled,
            "style": Plain(self.style.as_str()),
            "hotkey": self.hotkey,
            "recommended": self.recommended,
        );
    }
}

impl ToJson for TextView<'_> {
    fn write_json(&self, out: &mut String) {
        object!(out, "value": self.value, "cursor": self.cursor);
    }
}

impl ToJson for ErrorView<'_> {
    fn write_json(&self, out: &mut String) {
        object!(out, "code": self.code, "message": self.message, "control": self.control);
    }
}

impl Modal {
    /// What there is to draw now.
    #[must_use]
    pub fn view(&self) -> View<'_> {
        let ModalPrompt { manner, surface, attribution, form, deadline } = &self.prompt;
        let page = self.pages.shown();
        let question = form.question(self.pages.index());
        let command = question.and_then(|question| question.command()).map(|command| {
            let Safe { text, has_hidden } = display_safe(command, Mode::Command);
            CommandView { text, has_hidden }
        });
        // A title of dialect A is one line; a question of dialect B may be running text.
        let title_mode = match manner {
            Manner::Request => Mode::Line,
            Manner::Session => Mode::Body,
        };
        View {
            surface: surface.as_deref().map(line),
            attribution: attribution.as_deref().map(line),
            role: if form.is_command() { Role::AlertDialog } else { Role::Dialog },
            phase: match self.phase {
                Phase::Editing => PhaseView::Editing,
                Phase::Sent { .. } => PhaseView::Sent,
                Phase::Closed(_) => PhaseView::Closed,
            },
            page: PageView { index: self.pages.index(), count: self.pages.len() },
            header: question.and_then(|question| question.header()).map(line),
            title: display_safe(question.map_or("", |question| question.text()), title_mode).text,
            body: match command {
                Some(_) => None,
                None => question.and_then(|q| q.body()).map(|body| display_safe(body, Mode::Body).text),
            },
            command,
            danger: form.is_unsafe(),
            deadline: *deadline,
            armed: self.guard.is_none(),
            outcome: match self.phase {
                Phase::Closed(outcome) => Some(outcome),
                Phase::Editing | Phase::Sent { .. } => None,
            },
            window: (page.rows() > 0)
                .then(|| Window { first: page.first, count: page.shown(self.options.rows) }),
            controls: self.controls(question),
            text: page
                .has_text()
                .then(|| TextView { value: page.editor.text(), cursor: page.editor.cursor() }),
            error: self.error.as_ref().map(|error| ErrorView {
                code: line(&error.code),
                message: line(&error.message),
                control: error.control.filter(|id| self.has(*id)),
            }),
            help: match self.phase {
                Phase::Editing => self.mode().help(*manner, |action| self.would_do(action)),
                Phase::Sent { .. } | Phase::Closed(_) => String::new(),
            },
        }
    }

    fn controls<'m>(&'m self, question: Option<Question<'m>>) -> Vec<Control<'m>> {
        let mut controls = Vec::with_capacity(self.pages.shown().rows() + STOPS.len());
        for stop in STOPS {
            match stop {
                Focus::Control(id) if self.has(id) => controls.push(self.control(id)),
                Focus::Control(_) => {}
                Focus::List => {
                    let recommended =
                        question.and_then(|question| question.recommended()).map(Recommended::index);
                    let options = question.into_iter().flat_map(|question| question.options()).enumerate();
                    controls.extend(options.map(|(index, option)| Control {
                        label: line(option.label()),
                        description: option.description().map(line),
                        recommended: recommended == Some(index),
                        ..self.control(ControlId::Option(index))
                    }));
                    controls.extend(self.has(ControlId::Custom).then(|| self.control(ControlId::Custom)));
                }
            }
        }
        controls
    }

    /// A control without what only options have.
    fn control<'m>(&self, id: ControlId) -> Control<'m> {
        let page = self.pages.shown();
        let is_request = self.prompt.manner == Manner::Request;
        let choice = match page.is_multi() {
            true => ControlRole::Checkbox,
            false => ControlRole::Radio,
        };
        let (label, role, checked, may_harm) = match id {
            ControlId::Yes => ("Yes", ControlRole::Button, None, true),
            ControlId::No => ("No", ControlRole::Button, None, false),
            ControlId::Ack => ("I understand", ControlRole::Button, None, true),
            ControlId::Run => ("Run", ControlRole::Button, None, true),
            ControlId::Back => ("Back", ControlRole::Button, None, false),
            ControlId::Option(index) => {
                let role = if is_request { ControlRole::Button } else { choice };
                ("", role, Some(page.is_selected(index)), is_request)
            }
            ControlId::Custom => ("Your own answer", choice, Some(page.taken), false),
            ControlId::Text => ("Answer", ControlRole::Textbox, None, false),
            ControlId::Prev => ("Previous", ControlRole::Button, None, false),
            ControlId::Next => ("Next", ControlRole::Button, None, false),
            ControlId::Submit => ("Submit", ControlRole::Button, None, false),
            ControlId::Cancel => ("Cancel", ControlRole::Button, None, false),
            ControlId::Decline => ("Decline", ControlRole::Button, None, false),
        };
        Control {
            id,
            label: Cow::Borrowed(label),
            description: None,
            role,
            checked,
            focused: self.focused() == id,
            enabled: self.is_enabled(id),
            style: if may_harm && self.prompt.form.is_unsafe() { Style::Danger } else { Style::Normal },
            hotkey: hotkey(id),
            recommended: false,
        }
    }
}

/// Text of one line, made safe to show.
fn line(text: &str) -> Cow<'_, str> {
    display_safe(text, Mode::Line).text
}
