//! The options and the custom answer: how many rows they take, and what does not fit into them.

use super::flow::{width, wrap};
use super::render::is_button;
use super::theme::Theme;
use askgate::modal::{Control, ControlRole, Style as Manner, View};
use std::borrow::Cow;

pub(super) const RECOMMENDED: &str = " (recommended)";

/// Columns at the right of a compact list that say how many rows are out of sight.
pub(super) const MORE: usize = 6;

/// The options and the custom answer.
pub(super) struct List<'v> {
    pub(super) options: Vec<Choice<'v>>,
    /// The widest label, with its mark as recommended.
    pub(super) label_columns: usize,
    columns: usize,
}

pub(super) struct Choice<'v> {
    pub(super) control: &'v Control<'v>,
    pub(super) mark_columns: usize,
}

impl Choice<'_> {
    /// Columns before the label: the cursor, the hotkey, the mark.
    pub(super) const fn indent(&self) -> usize {
        4 + self.mark_columns
    }

    pub(super) fn text(&self) -> Cow<'_, str> {
        match self.control.style {
            Manner::Danger => Cow::Owned(format!("! {}", self.control.label)),
            Manner::Normal => Cow::Borrowed(&*self.control.label),
        }
    }

    /// The label in lines, each with the mark as recommended that is on it.
    pub(super) fn label_lines(&self, columns: usize) -> Vec<(String, &'static str)> {
        let mut lines: Vec<_> = wrap(&self.text(), columns).into_iter().map(|line| (line, "")).collect();
        if self.control.recommended {
            match lines.last_mut() {
                Some((line, mark)) if width(line) + RECOMMENDED.len() <= columns => *mark = RECOMMENDED,
                Some(_) | None => lines.push((String::new(), RECOMMENDED)),
            }
        }
        lines
    }

    fn detail(&self, columns: usize) -> Vec<String> {
        let room = columns.saturating_sub(self.indent() + MORE);
        let text = self.text();
        let label_fits = self.label_columns() <= room;
        match self.control.description.as_deref() {
            Some(about) if label_fits && self.label_columns() + 2 + width(about) <= room => Vec::new(),
            Some(about) if label_fits => wrap(about, columns),
            Some(about) => wrap(&format!("{text}: {about}"), columns),
            None if label_fits => Vec::new(),
            None => wrap(&text, columns),
        }
    }

    fn label_columns(&self) -> usize {
        width(&self.text()) + if self.control.recommended { RECOMMENDED.len() } else { 0 }
    }
}

impl<'v> List<'v> {
    pub(super) fn new(view: &'v View<'v>, theme: Theme, columns: usize) -> Self {
        let options = view
            .controls
            .iter()
            .filter(|control| !is_button(control) && control.role != ControlRole::Textbox);
        let options: Vec<Choice<'v>> = options
            .map(|control| {
                let marks = marks(theme, control);
                let mark_columns =
                    marks.map_or(0, |marks| marks.map(width).into_iter().fold(0, usize::max) + 1);
                Choice { control, mark_columns }
            })
            .collect();
        let label_columns = options.iter().map(Choice::label_columns).max().unwrap_or(0);
        Self { options, label_columns, columns }
    }

    /// Every description fits beside its label.
    pub(super) fn is_beside(&self, columns: usize) -> bool {
        self.options.iter().all(|option| {
            let description = option.control.description.as_deref().map_or(0, |text| width(text) + 2);
            option.indent() + self.label_columns + description <= columns
                && !option.control.label.contains('\n')
        })
    }

    /// The rows that it takes to show all.
    pub(super) fn height(&self) -> usize {
        if self.is_beside(self.columns) {
            return self.options.len();
        }
        let heights = self.options.iter().map(|option| {
            let room = self.columns.saturating_sub(option.indent());
            let about = option.control.description.as_deref();
            option.label_lines(room).len() + about.map_or(0, |text| wrap(text, room).len())
        });
        heights.sum()
    }

    /// What the row of the cursor has no room for in a compact list.
    pub(super) fn detail(&self) -> Vec<String> {
        let focused = self.options.iter().find(|option| option.control.focused);
        focused.map_or(Vec::new(), |option| option.detail(self.columns))
    }

    /// The rows that the longest of all details takes, so that moving the cursor moves nothing else.
    pub(super) fn detail_height(&self) -> usize {
        self.options.iter().map(|option| option.detail(self.columns).len()).max().unwrap_or(0)
    }
}

pub(super) fn marks(theme: Theme, control: &Control<'_>) -> Option<[&'static str; 2]> {
    match control.role {
        ControlRole::Radio => Some(theme.marks.radio),
        ControlRole::Checkbox => Some(theme.marks.checkbox),
        ControlRole::Button | ControlRole::Textbox => None,
    }
}
