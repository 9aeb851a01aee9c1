//! From a view to the lines of a frame: what is where, in how many rows, and what a click on it would hit.
//!
//! Where there is not room for all, the parts get it in the order of [`layout`](super::layout): first one row of each that a person needs
//! in order to answer, last the white space.

use super::flow::{Field, cut, ellipsis, ellipsis_if, field, width, wrap};
use super::layout::{PARTS, Part, share};
use super::list::{Choice, List, MORE, RECOMMENDED, marks};
use super::terminal::Size;
use super::theme::Theme;
use askgate::modal::{Control, ControlId, ControlRole, PhaseView, Style as Manner, TextView, View};
use askgate::time::Millis;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use std::ops::Range;

/// With less than that a person could not see what they answer, so nothing is answered.
pub(crate) const LEAST: Size = Size { columns: 16, rows: 4 };

/// Columns of the bar on the left and of the margin on the right.
const BAR: usize = 2;
const MARGIN: usize = 1;

/// No line of text is longer: a longer one is hard to read.
const MEASURE: usize = 100;

/// What a frame is drawn with, besides the view.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Look<'a> {
    pub(crate) theme: Theme,
    pub(crate) size: Size,
    /// In the same time as the view's deadline.
    pub(crate) now: Millis,
    /// How many lines of the body are above what is shown.
    pub(crate) scroll: usize,
    /// What else is to be said in the line above the title.
    pub(crate) notes: &'a [String],
}

/// What there is to see.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Frame {
    pub(crate) lines: Vec<Line<'static>>,
    /// Row and column of the text cursor, where there is a text field with the focus.
    pub(crate) cursor: Option<(usize, usize)>,
    pub(crate) hits: Vec<Hit>,
    /// How many rows there are for the list.
    pub(crate) room: usize,
    /// How far the body can be scrolled.
    pub(crate) most_scroll: usize,
    /// The terminal is so small that nothing may be answered.
    pub(crate) too_small: bool,
}

/// Where a control is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Hit {
    row: usize,
    columns: Range<usize>,
    id: ControlId,
}

impl Frame {
    /// The control at a place.
    pub(crate) fn hit(&self, row: usize, column: usize) -> Option<ControlId> {
        self.hits.iter().find(|hit| hit.row == row && hit.columns.contains(&column)).map(|hit| hit.id)
    }

    /// One line of text alone.
    pub(crate) fn line(line: Line<'static>) -> Self {
        Self { lines: vec![line], ..Self::default() }
    }
}

/// Draws a view.
pub(crate) fn frame(view: &View<'_>, look: &Look<'_>) -> Frame {
    if look.size.columns < LEAST.columns || look.size.rows < LEAST.rows {
        let room = look.size.columns.saturating_sub(MARGIN);
        let text = cut("Too small to answer: enlarge the terminal, or press Ctrl+C.", room).into_owned();
        let line = Line::from(Span::styled(text, look.theme.danger));
        return Frame { too_small: true, room: 1, ..Frame::line(line) };
    }
    Composer::new(view, look).compose()
}

/// Composes one frame.
pub(super) struct Composer<'v> {
    pub(super) view: &'v View<'v>,
    pub(super) look: &'v Look<'v>,
    pub(super) theme: Theme,
    /// Columns for text.
    pub(super) columns: usize,
    frame: Frame,
}

impl<'v> Composer<'v> {
    fn new(view: &'v View<'v>, look: &'v Look<'v>) -> Self {
        let columns = (look.size.columns - BAR - MARGIN).min(MEASURE);
        Self { view, look, theme: look.theme, columns, frame: Frame::default() }
    }

    fn compose(mut self) -> Frame {
        let list = List::new(self.view, self.theme, self.columns);
        let texts: Vec<(Part, Vec<Line<'static>>)> = vec![
            (Part::Meta, self.meta()),
            (Part::Banner, self.banner()),
            (Part::Title, self.title()),
            (Part::Warning, self.warning()),
            (Part::Body, self.body()),
            (Part::Error, self.error()),
            (Part::Enter, self.enter()),
            (Part::Help, self.help()),
        ];
        let buttons = self.button_rows();
        let text_rows = self.view.text.map(|text| field(text.value, text.cursor, self.field_columns()));
        let natural = |part: Part, detail: usize| match part {
            Part::List => list.height(),
            Part::Detail => detail,
            Part::Field => text_rows.as_ref().map_or(0, |field| field.rows.len()),
            Part::Buttons => buttons.len(),
            Part::GapMain | Part::GapKeys => 1,
            Part::GapCommand => usize::from(self.view.command.is_some()),
            // Buttons alone are what the prompt is about.
            Part::GapButtons => usize::from(!list.options.is_empty() || text_rows.is_some()),
            _ => texts.iter().find(|(named, _)| *named == part).map_or(0, |(_, lines)| lines.len()),
        };
        let mut granted = share(self.look.size.rows, &|part| natural(part, 0));
        let whole_list = granted.get(Part::List as usize) >= Some(&list.height());
        if !whole_list {
            granted = share(self.look.size.rows, &|part| natural(part, list.detail_height()));
        }
        let rows = |part: Part| granted.get(part as usize).copied().unwrap_or(0);
        self.frame.room = if whole_list { list.options.len() } else { rows(Part::List) };
        for part in PARTS {
            let most = rows(part);
            match part {
                Part::List if whole_list => self.roomy_list(&list),
                Part::List => self.compact_list(&list, most),
                Part::Detail => self.detail(&list, most),
                Part::Field => {
                    if let (Some(text), Some(laid)) = (self.view.text, &text_rows) {
                        self.field(text, laid, most);
                    }
                }
                Part::Buttons => self.buttons(&buttons, most),
                Part::GapCommand | Part::GapMain | Part::GapButtons | Part::GapKeys => {
                    self.frame.lines.extend(std::iter::repeat_n(Line::default(), most));
                }
                Part::Body => self.scrolled(find(&texts, part), most),
                _ => self.cut_to(find(&texts, part), most),
            }
        }
        let bar = match self.view.danger {
            true => Span::styled(self.theme.marks.danger_bar, self.theme.danger),
            false => Span::styled(self.theme.marks.bar, self.theme.accent),
        };
        for line in &mut self.frame.lines {
            line.spans.splice(0..0, [bar.clone(), Span::raw(" ")]);
        }
        self.frame
    }

    fn push(&mut self, line: Line<'static>) {
        self.frame.lines.push(line);
    }

    /// So many lines, the last of them ending in `…` where there are more.
    fn cut_to(&mut self, lines: &[Line<'static>], most: usize) {
        for (index, line) in lines.iter().take(most).enumerate() {
            let last = index + 1 == most && most < lines.len();
            self.push(if last { ellipsis(line.clone(), self.columns) } else { line.clone() });
        }
    }

    fn scrolled(&mut self, lines: &[Line<'static>], most: usize) {
        if lines.len() <= most {
            return self.cut_to(lines, most);
        }
        // The last row says that there is more, where it is not the only one.
        let shown = most.saturating_sub(1).max(1);
        self.frame.most_scroll = lines.len().saturating_sub(shown);
        let first = self.look.scroll.min(self.frame.most_scroll);
        if most <= 1 {
            return self.cut_to(lines.get(first..).unwrap_or_default(), most);
        }
        for line in lines.iter().skip(first).take(shown) {
            self.push(line.clone());
        }
        let below = lines.len() - first - shown;
        let [up, down] = self.theme.marks.more;
        let more = match (first, below) {
            (0, below) => format!("{down} {below} more lines: Alt+Down, or the wheel"),
            (first, 0) => format!("{up} {first} lines above: Alt+Up"),
            (first, below) => format!("{up} {first} above, {down} {below} below: Alt+Up, Alt+Down"),
        };
        self.push(Line::styled(cut(&more, self.columns).into_owned(), self.theme.accent));
    }

    fn field_columns(&self) -> usize {
        // A mark before it, and a column for the cursor behind it.
        (self.columns - 3).max(1)
    }

    fn field(&mut self, text: TextView<'_>, laid: &Field, most: usize) {
        let (row, column) = laid.cursor;
        let first = (row + 1).saturating_sub(most);
        let focused =
            self.view.controls.iter().any(|control| control.id == ControlId::Text && control.focused);
        let mark = if focused { self.theme.marks.cursor } else { " " };
        let top = self.frame.lines.len();
        for (number, line) in laid.rows.iter().enumerate().skip(first).take(most) {
            let mark = if number == first { mark } else { " " };
            let content = match text.value.is_empty() {
                true => Span::styled("Type here", self.theme.dim),
                false => Span::raw(line.clone()),
            };
            self.hit_row(ControlId::Text);
            self.push(Line::from(vec![Span::styled(format!("{mark} "), self.theme.accent), content]));
        }
        if focused && self.view.phase == PhaseView::Editing && most > 0 {
            self.frame.cursor = Some((top + row - first, BAR + 2 + column));
        }
    }

    /// The next line is all that control's.
    fn hit_row(&mut self, id: ControlId) {
        let row = self.frame.lines.len();
        self.frame.hits.push(Hit { row, columns: 0..usize::MAX, id });
    }

    fn roomy_list(&mut self, list: &List<'_>) {
        let beside = list.is_beside(self.columns);
        for option in &list.options {
            let room = self.columns.saturating_sub(option.indent());
            for (number, (line, mark)) in option.label_lines(room).into_iter().enumerate() {
                let mut spans = match number {
                    0 => self.prefix(option),
                    _ => vec![Span::raw(" ".repeat(option.indent()))],
                };
                spans.push(Span::styled(line, self.label_style(option.control)));
                spans.push(Span::styled(mark, self.theme.accent));
                if beside && let Some(description) = &option.control.description {
                    let used: usize = spans.iter().map(|span| width(&span.content)).sum();
                    spans.push(Span::raw(" ".repeat(option.indent() + list.label_columns + 2 - used)));
                    spans.push(Span::styled(description.clone().into_owned(), self.theme.dim));
                }
                self.hit_row(option.control.id);
                self.push(Line::from(spans));
            }
            if !beside && let Some(description) = &option.control.description {
                for line in wrap(description, room) {
                    self.hit_row(option.control.id);
                    let indent = Span::raw(" ".repeat(option.indent()));
                    self.push(Line::from(vec![indent, Span::styled(line, self.theme.dim)]));
                }
            }
        }
    }

    /// One row an option, of those in the window.
    fn compact_list(&mut self, list: &List<'_>, most: usize) {
        let window =
            self.view.window.map_or(0..0, |window| window.first..window.first + window.count.min(most));
        let total = list.options.len();
        let [up, down] = self.theme.marks.more;
        for (index, option) in list.options.iter().enumerate() {
            if !window.contains(&index) {
                continue;
            }
            let more = match index {
                _ if index == window.start && index > 0 => format!("{up} {index}"),
                _ if index + 1 == window.end && window.end < total => {
                    format!("{down} {}", total - window.end)
                }
                _ => String::new(),
            };
            let room = self.columns.saturating_sub(option.indent() + MORE);
            let mut line = Line::from(self.prefix(option));
            line.push_span(Span::styled(
                cut(&option.text(), room).into_owned(),
                self.label_style(option.control),
            ));
            let left = room.saturating_sub(width(&option.text()));
            if option.control.recommended && left >= RECOMMENDED.len() {
                line.push_span(Span::styled(RECOMMENDED, self.theme.accent));
            }
            let left = (option.indent() + room).saturating_sub(line.width() + 2);
            if let Some(description) = &option.control.description
                && left >= 8
            {
                line.push_span(Span::styled(format!("  {}", cut(description, left)), self.theme.dim));
            }
            if !more.is_empty() {
                let gap = self.columns.saturating_sub(line.width() + width(&more));
                line.push_span(Span::raw(" ".repeat(gap)));
                line.push_span(Span::styled(more, self.theme.accent));
            }
            self.hit_row(option.control.id);
            self.push(line);
        }
    }

    /// All that the row of the cursor says, where its row had no room for it.
    fn detail(&mut self, list: &List<'_>, most: usize) {
        let lines: Vec<Line<'static>> =
            list.detail().into_iter().map(|line| Line::styled(line, self.theme.dim)).collect();
        self.cut_to(&lines, most);
        self.frame.lines.extend(std::iter::repeat_n(Line::default(), most.saturating_sub(lines.len())));
    }

    fn prefix(&self, option: &Choice<'_>) -> Vec<Span<'static>> {
        let control = option.control;
        let cursor = if control.focused { self.theme.marks.cursor } else { " " };
        let hotkey = control.hotkey.map_or(String::from(" "), String::from);
        let mut spans = vec![
            Span::styled(format!("{cursor} "), self.theme.accent),
            Span::styled(format!("{hotkey} "), self.theme.dim),
        ];
        if let Some([empty, full]) = marks(self.theme, control) {
            let (mark, style) = match control.checked {
                Some(true) => (full, self.theme.accent),
                Some(false) | None => (empty, Style::new()),
            };
            spans.push(Span::styled(mark, style));
            spans.push(Span::raw(" ".repeat(option.mark_columns.saturating_sub(width(mark)))));
        }
        spans
    }

    fn label_style(&self, control: &Control<'_>) -> Style {
        let style = match control.style {
            Manner::Danger => self.theme.danger,
            Manner::Normal if control.focused => self.theme.title,
            Manner::Normal => Style::new(),
        };
        if control.enabled && (self.view.armed || control.role != ControlRole::Button) {
            style
        } else {
            style.patch(self.theme.dim)
        }
    }

    fn button_rows(&self) -> Vec<Vec<&'v Control<'v>>> {
        let mut rows: Vec<Vec<&Control<'_>>> = Vec::new();
        let mut used = 0;
        let all = || self.view.controls.iter().filter(|control| is_button(control));
        let columns: usize = all().map(|button| width(&button_text(button)) + 2).sum();
        // In a narrow terminal those that do nothing are left out, unless none does.
        let narrow = columns > self.columns && all().any(|button| button.enabled);
        for button in all().filter(|button| button.enabled || !narrow) {
            let wide = width(&button_text(button)) + 2;
            match rows.last_mut() {
                Some(row) if used + wide <= self.columns => row.push(button),
                Some(_) | None => {
                    rows.push(vec![button]);
                    used = 0;
                }
            }
            used += wide;
        }
        rows
    }

    fn buttons(&mut self, rows: &[Vec<&Control<'_>>], most: usize) {
        // Of rows that do not all fit, those around the focus.
        let focus = rows.iter().position(|row| row.iter().any(|button| button.focused)).unwrap_or(0);
        let first = (focus + 1).saturating_sub(most);
        for row in rows.iter().skip(first).take(most) {
            let mut line = Line::default();
            for button in row {
                let cursor = if button.focused { self.theme.marks.cursor } else { " " };
                line.push_span(Span::styled(cursor, self.theme.accent));
                let start = BAR + line.width();
                let style = match button.style {
                    Manner::Danger => self.theme.danger,
                    Manner::Normal => Style::new(),
                };
                let style = if button.focused { style.patch(self.theme.pressed) } else { style };
                let style =
                    if button.enabled && self.view.armed { style } else { style.patch(self.theme.dim) };
                line.push_span(Span::styled(button_text(button), style));
                let columns = start..BAR + line.width();
                self.frame.hits.push(Hit { row: self.frame.lines.len(), columns, id: button.id });
                line.push_span(Span::raw(" "));
            }
            line.spans.pop();
            self.push(ellipsis_if(line, self.columns));
        }
    }
}

pub(super) fn is_button(control: &Control<'_>) -> bool {
    control.role == ControlRole::Button && !matches!(control.id, ControlId::Option(_))
}

fn button_text(button: &Control<'_>) -> String {
    let mark = match button.style {
        Manner::Danger => "! ",
        Manner::Normal => "",
    };
    let hotkey = button.hotkey.map_or(String::new(), |key| format!(" ({key})"));
    format!("[{mark}{}{hotkey}]", button.label)
}

fn find<'t>(texts: &'t [(Part, Vec<Line<'static>>)], part: Part) -> &'t [Line<'static>] {
    texts.iter().find(|(named, _)| *named == part).map_or(&[], |(_, lines)| lines)
}
