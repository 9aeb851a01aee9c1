//! From a view to the lines of a frame: what is where, in how many rows, and what a click on it would hit.
//!
//! Where there is not room for all, the parts get it in the order of [`CLAIMS`]: first one row of each that a person needs
//! in order to answer, last the white space.

use super::flow::{chop, cut, field, width, wrap};
use super::terminal::Size;
use super::theme::Theme;
use askgate::modal::{
    CommandView, Control, ControlId, ControlRole, PhaseView, Style as Manner, TextView, View,
};
use askgate::time::Millis;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use std::borrow::Cow;
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

/// What a frame is made of, from top to bottom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Meta,
    Banner,
    Title,
    Warning,
    GapCommand,
    Body,
    GapMain,
    List,
    Detail,
    Field,
    Error,
    GapButtons,
    Buttons,
    GapKeys,
    Enter,
    Help,
}

const PARTS: [Part; 16] = [
    Part::Meta,
    Part::Banner,
    Part::Title,
    Part::Warning,
    Part::GapCommand,
    Part::Body,
    Part::GapMain,
    Part::List,
    Part::Detail,
    Part::Field,
    Part::Error,
    Part::GapButtons,
    Part::Buttons,
    Part::GapKeys,
    Part::Enter,
    Part::Help,
];

/// Who gets rows in which order, and up to how many.
const CLAIMS: [(Part, usize); 31] = [
    (Part::Title, 1),
    (Part::Body, 1),
    (Part::List, 1),
    (Part::Field, 1),
    (Part::Error, 1),
    (Part::Buttons, 1),
    (Part::Banner, 1),
    (Part::Warning, 1),
    (Part::Enter, 1),
    (Part::Body, 3),
    (Part::List, 4),
    (Part::Help, 1),
    (Part::Meta, 1),
    (Part::Title, 3),
    (Part::Detail, 2),
    (Part::Error, 2),
    (Part::Buttons, 3),
    (Part::Warning, 3),
    (Part::List, usize::MAX),
    (Part::Field, 4),
    (Part::Body, 12),
    (Part::Help, 2),
    (Part::Title, usize::MAX),
    (Part::Detail, 3),
    (Part::Field, 10),
    (Part::GapMain, 1),
    (Part::GapKeys, 1),
    (Part::GapButtons, 1),
    (Part::GapCommand, 1),
    (Part::Help, 4),
    (Part::Body, usize::MAX),
];

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

struct Composer<'v> {
    view: &'v View<'v>,
    look: &'v Look<'v>,
    theme: Theme,
    /// Columns for text.
    columns: usize,
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

    fn meta(&self) -> Vec<Line<'static>> {
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

    fn banner(&self) -> Vec<Line<'static>> {
        let text = match self.view.command {
            Some(_) => "! DANGEROUS: this command may do damage",
            None => "! DANGEROUS: what you say here may do damage",
        };
        let line = Line::styled(cut(text, self.columns).into_owned(), self.theme.danger);
        if self.view.danger { vec![line] } else { Vec::new() }
    }

    fn title(&self) -> Vec<Line<'static>> {
        let same = self.view.command.as_ref().is_some_and(|command| command.text == self.view.title);
        let title = if same { Cow::Borrowed("Run this command?") } else { self.view.title.clone() };
        wrap(&title, self.columns).into_iter().map(|line| Line::styled(line, self.theme.title)).collect()
    }

    fn warning(&self) -> Vec<Line<'static>> {
        let hides = self.view.command.as_ref().is_some_and(|command| command.has_hidden);
        let text = "! It hides characters. They are shown as \\u{…} below.";
        let lines = wrap(text, self.columns).into_iter().map(|line| Line::styled(line, self.theme.danger));
        if hides { lines.collect() } else { Vec::new() }
    }

    fn body(&self) -> Vec<Line<'static>> {
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

    fn error(&self) -> Vec<Line<'static>> {
        let Some(error) = &self.view.error else { return Vec::new() };
        let text = format!("! {}", error.message);
        wrap(&text, self.columns).into_iter().map(|line| Line::styled(line, self.theme.danger)).collect()
    }

    /// What Enter would do now.
    fn enter(&self) -> Vec<Line<'static>> {
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
    fn help(&self) -> Vec<Line<'static>> {
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

    fn field_columns(&self) -> usize {
        // A mark before it, and a column for the cursor behind it.
        (self.columns - 3).max(1)
    }

    fn field(&mut self, text: TextView<'_>, laid: &super::flow::Field, most: usize) {
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

const RECOMMENDED: &str = " (recommended)";

/// Columns at the right of a compact list that say how many rows are out of sight.
const MORE: usize = 6;

/// The options and the custom answer.
struct List<'v> {
    options: Vec<Choice<'v>>,
    /// The widest label, with its mark as recommended.
    label_columns: usize,
    columns: usize,
}

struct Choice<'v> {
    control: &'v Control<'v>,
    mark_columns: usize,
}

impl Choice<'_> {
    /// Columns before the label: the cursor, the hotkey, the mark.
    const fn indent(&self) -> usize {
        4 + self.mark_columns
    }

    fn text(&self) -> Cow<'_, str> {
        match self.control.style {
            Manner::Danger => Cow::Owned(format!("! {}", self.control.label)),
            Manner::Normal => Cow::Borrowed(&*self.control.label),
        }
    }

    /// The label in lines, each with the mark as recommended that is on it.
    fn label_lines(&self, columns: usize) -> Vec<(String, &'static str)> {
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
    fn new(view: &'v View<'v>, theme: Theme, columns: usize) -> Self {
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
    fn is_beside(&self, columns: usize) -> bool {
        self.options.iter().all(|option| {
            let description = option.control.description.as_deref().map_or(0, |text| width(text) + 2);
            option.indent() + self.label_columns + description <= columns
                && !option.control.label.contains('\n')
        })
    }

    /// The rows that it takes to show all.
    fn height(&self) -> usize {
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
    fn detail(&self) -> Vec<String> {
        let focused = self.options.iter().find(|option| option.control.focused);
        focused.map_or(Vec::new(), |option| option.detail(self.columns))
    }

    /// The rows that the longest of all details takes, so that moving the cursor moves nothing else.
    fn detail_height(&self) -> usize {
        self.options.iter().map(|option| option.detail(self.columns).len()).max().unwrap_or(0)
    }
}

fn marks(theme: Theme, control: &Control<'_>) -> Option<[&'static str; 2]> {
    match control.role {
        ControlRole::Radio => Some(theme.marks.radio),
        ControlRole::Checkbox => Some(theme.marks.checkbox),
        ControlRole::Button | ControlRole::Textbox => None,
    }
}

fn is_button(control: &Control<'_>) -> bool {
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

/// Gives each part its rows.
fn share(rows: usize, natural: &impl Fn(Part) -> usize) -> [usize; PARTS.len()] {
    let mut granted = [0; PARTS.len()];
    let mut left = rows;
    for (part, most) in CLAIMS {
        if let Some(grant) = granted.get_mut(part as usize) {
            let more = natural(part).min(most).saturating_sub(*grant).min(left);
            *grant += more;
            left -= more;
        }
    }
    granted
}

/// The keys of a help line and what they do.
fn entries(help: &str) -> impl Iterator<Item = (&str, &str)> {
    help.split(" · ").filter_map(|entry| entry.split_once(' '))
}

fn is_enter(keys: &str) -> bool {
    keys.split('/').any(|key| key == "Enter")
}

/// The keys of an entry that are worth a mention: of those that do alike the best known, with arrows as arrows and digits
/// as a range.
fn short(keys: &str) -> String {
    let has = |name| keys.split('/').any(|key| key == name);
    let told = |key: &str| match key {
        "Up" | "Down" | "Left" | "Right" if has("Tab") => false,
        "Left" | "Right" if has("Up") || has("Down") => false,
        "Home" | "End" => !["Up", "Down", "Left", "Right"].into_iter().any(has),
        "Shift+Tab" => !has("Tab"),
        _ => true,
    };
    let digits: Vec<&str> = keys.split('/').filter(|key| is_digit(key)).collect();
    let mut out: Vec<Cow<'_, str>> = Vec::new();
    for key in keys.split('/').filter(|key| told(key)) {
        out.push(match (key, digits.as_slice()) {
            ("Up", _) => "↑".into(),
            ("Down", _) => "↓".into(),
            ("Left", _) => "←".into(),
            ("Right", _) => "→".into(),
            (digit, [first, .., last]) if digit == *first => format!("{first}-{last}").into(),
            (digit, [_, .., _]) if is_digit(digit) => continue,
            (key, _) => key.into(),
        });
    }
    out.join("/")
}

fn is_digit(key: &str) -> bool {
    key.len() == 1 && key.bytes().all(|byte| byte.is_ascii_digit())
}

/// The time that is left, calmly: it changes by the minute while there is much of it.
pub(crate) fn time_left(ms: u64) -> String {
    match ms.div_ceil(1_000) {
        seconds @ 0..60 => format!("{seconds} s left"),
        seconds @ 60..120 => format!("1:{:02} left", seconds - 60),
        seconds @ 120..7_200 => format!("{} min left", seconds / 60),
        seconds => format!("{} h left", seconds / 3_600),
    }
}

fn ellipsis_if(line: Line<'static>, columns: usize) -> Line<'static> {
    if line.width() <= columns { line } else { cut_line(line, columns) }
}

/// The line with `…` at its end, within the columns.
fn ellipsis(mut line: Line<'static>, columns: usize) -> Line<'static> {
    line.push_span(Span::raw("…"));
    ellipsis_if(line, columns)
}

fn cut_line(line: Line<'static>, columns: usize) -> Line<'static> {
    let mut out = Line::default().style(line.style);
    let mut used = 0;
    for span in line.spans {
        let wide = width(&span.content);
        if used + wide >= columns {
            out.push_span(Span::styled(
                cut(&format!("{}…", span.content), columns - used).into_owned(),
                span.style,
            ));
            break;
        }
        used += wide;
        out.push_span(span);
    }
    out
}
