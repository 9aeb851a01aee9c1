//! The parts of a frame that are text: what is asked, what is wrong, and what the keys do.

use super::flow::{chop, cut, ellipsis_if, width, wrap};
use super::keys::{entries, is_enter, short, time_left};
use super::render::Composer;
use askgate::modal::{CommandView, ControlId, ControlRole, PhaseView};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use std::borrow::Cow;

impl Composer<'_> {
    pub(super) fn meta(&self) -> Vec<Line<'static>> {
        let view = self.view;
        let mut parts: Vec<Span<'static>> = Vec::new();
        if let Some(header) = &view.header {
            parts.push(Span::styled(header.clone().into_owned(), self.theme.accent));
        }
        if view.page.count > 1 {
            let page = format!("question {} of {}", view.page.index + 1, view.page.count);
            parts.push(Span::styled(page, self.theme.dim));
        }
        if let Some(deadline) = view.deadline {
            let left = deadline.0.saturating_sub(self.look.now.0);
            let style = if left <= 10_000 { self.theme.danger } else { self.theme.dim };
            parts.push(Span::styled(time_left(left), style));
        }
        let others = view.attribution.iter().chain(&view.surface).map(|text| text.clone().into_owned());
        let others = others.chain(self.look.notes.iter().cloned());
        parts.extend(others.map(|text| Span::styled(text, self.theme.dim)));
        let mut line = Line::default();
        for part in parts {
            if !line.spans.is_empty() {
                line.push_span(Span::styled(" · ", self.theme.dim));
            }
            line.push_span(part);
        }
        if line.spans.is_empty() { Vec::new() } else { vec![ellipsis_if(line, self.columns)] }
    }

    pub(super) fn banner(&self) -> Vec<Line<'static>> {
        let text = match self.view.command {
            Some(_) => "! DANGEROUS: this command may do damage",
            None => "! DANGEROUS: what you say here may do damage",
        };
        let line = Line::styled(cut(text, self.columns).into_owned(), self.theme.danger);
        if self.view.danger { vec![line] } else { Vec::new() }
    }

    pub(super) fn title(&self) -> Vec<Line<'static>> {
        let same = self.view.command.as_ref().is_some_and(|command| command.text == self.view.title);
        let title = if same { Cow::Borrowed("Run this command?") } else { self.view.title.clone() };
        wrap(&title, self.columns).into_iter().map(|line| Line::styled(line, self.theme.title)).collect()
    }

    pub(super) fn warning(&self) -> Vec<Line<'static>> {
        let hides = self.view.command.as_ref().is_some_and(|command| command.has_hidden);
        let text = "! It hides characters. They are shown as \\u{…} below.";
        let lines = wrap(text, self.columns).into_iter().map(|line| Line::styled(line, self.theme.danger));
        if hides { lines.collect() } else { Vec::new() }
    }

    pub(super) fn body(&self) -> Vec<Line<'static>> {
        match (&self.view.command, &self.view.body) {
            (Some(command), _) => self.command(command),
            (None, Some(body)) => wrap(body, self.columns).into_iter().map(Line::raw).collect(),
            (None, None) => Vec::new(),
        }
    }

    /// A command as a shell shows it, so that a line that was broken to fit is not taken for two.
    fn command(&self, command: &CommandView<'_>) -> Vec<Line<'static>> {
        let mut lines = Vec::new();
        for (number, text) in command.text.split('\n').enumerate() {
            for (piece_number, piece) in chop(text, self.columns - 2).into_iter().enumerate() {
                let prefix = match (number, piece_number) {
                    (0, 0) => "$ ",
                    (_, 0) => "> ",
                    (_, _) => "  ",
                };
                let style = if self.view.danger { self.theme.danger } else { self.theme.title };
                lines
                    .push(Line::from(vec![Span::styled(prefix, self.theme.dim), Span::styled(piece, style)]));
            }
        }
        lines
    }

    pub(super) fn error(&self) -> Vec<Line<'static>> {
        let Some(error) = &self.view.error else { return Vec::new() };
        let text = format!("! {}", error.message);
        wrap(&text, self.columns).into_iter().map(|line| Line::styled(line, self.theme.danger)).collect()
    }

    /// What Enter would do now.
    pub(super) fn enter(&self) -> Vec<Line<'static>> {
        if self.view.phase == PhaseView::Sent {
            return vec![Line::styled("Sent. Waiting to hear that it arrived.", self.theme.dim)];
        }
        let Some((keys, does)) = entries(&self.view.help).find(|(keys, _)| is_enter(keys)) else {
            return match self.view.phase {
                PhaseView::Editing => {
                    vec![Line::styled("Enter does nothing here", self.theme.dim)]
                }
                PhaseView::Sent | PhaseView::Closed => Vec::new(),
            };
        };
        let armed = if self.view.armed { Style::new() } else { self.theme.dim };
        let mut text = format!(" {does}");
        if let Some(what) = self.what_enter_is_about() {
            text.push_str(": ");
            text.push_str(&what);
        }
        let line = Line::from(vec![
            Span::styled(keys.to_owned(), armed.patch(self.theme.title)),
            Span::styled(text, armed),
        ]);
        vec![ellipsis_if(line, self.columns)]
    }

    fn what_enter_is_about(&self) -> Option<String> {
        let focused = self.view.controls.iter().find(|control| control.focused)?;
        match focused.role {
            ControlRole::Textbox => None,
            ControlRole::Checkbox => {
                let count = self.view.controls.iter().filter(|control| control.checked == Some(true)).count();
                Some(match count {
                    0 => "nothing is selected yet".into(),
                    count => format!("{count} selected"),
                })
            }
            ControlRole::Radio if focused.id == ControlId::Custom => None,
            ControlRole::Radio | ControlRole::Button => Some(focused.label.clone().into_owned()),
        }
    }

    /// The other keys. A row breaks between two of them.
    pub(super) fn help(&self) -> Vec<Line<'static>> {
        let mut rows: Vec<String> = Vec::new();
        // The way out comes first: what has no room is left out from the end.
        let leaves = |keys: &str| keys.split('/').any(|key| key == "Esc");
        let (out, others): (Vec<_>, Vec<_>) = entries(&self.view.help).partition(|(keys, _)| leaves(keys));
        for (keys, does) in out.into_iter().chain(others).filter(|(keys, _)| !is_enter(keys)) {
            let entry = format!("{} {does}", short(keys));
            match rows.last_mut() {
                Some(row) if width(row) + 3 + width(&entry) <= self.columns => {
                    row.push_str(" · ");
                    row.push_str(&entry);
                }
                Some(_) | None => rows.push(cut(&entry, self.columns).into_owned()),
            }
        }
        rows.into_iter().map(|row| Line::styled(row, self.theme.dim)).collect()
    }
}
