//! How things look. All text that is to be read has the terminal's own colours, so that it suits a light background as
//! well as a dark one; one accent of the basic eight colours marks where one is, and what is dangerous is red. None of it
//! is told by colour alone: `NO_COLOR` loses nothing.

use ratatui::style::{Color, Modifier, Style};

/// The styles and the marks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Theme {
    /// Where one is, and whose text it is.
    pub(crate) accent: Style,
    /// The title.
    pub(crate) title: Style,
    /// What explains.
    pub(crate) dim: Style,
    /// What may do damage, and what went wrong.
    pub(crate) danger: Style,
    /// A button that has the focus.
    pub(crate) pressed: Style,
    pub(crate) marks: &'static Marks,
}

/// The marks.
#[derive(Debug)]
pub(crate) struct Marks {
    /// Runs down the left side of a prompt.
    pub(crate) bar: &'static str,
    /// The same where saying yes is dangerous.
    pub(crate) danger_bar: &'static str,
    /// Before the row of the cursor.
    pub(crate) cursor: &'static str,
    /// One of which one is selected: not, and yes.
    pub(crate) radio: [&'static str; 2],
    /// One of which several may be selected: not, and yes.
    pub(crate) checkbox: [&'static str; 2],
    /// Before a prompt that was answered.
    pub(crate) answered: &'static str,
    /// Before one that was not.
    pub(crate) unanswered: &'static str,
    /// In place of a line break.
    pub(crate) newline: &'static str,
    /// More above, more below.
    pub(crate) more: [&'static str; 2],
}

const UNICODE: Marks = Marks {
    bar: "│",
    danger_bar: "┃",
    cursor: "❯",
    radio: ["○", "●"],
    checkbox: ["□", "■"],
    answered: "✓",
    unanswered: "✗",
    newline: "⏎",
    more: ["↑", "↓"],
};

/// For the console of Linux, whose font has 256 characters.
const PLAIN: Marks = Marks {
    bar: "|",
    danger_bar: "#",
    cursor: ">",
    radio: ["( )", "(*)"],
    checkbox: ["[ ]", "[x]"],
    answered: "+",
    unanswered: "-",
    newline: "\\n",
    more: ["^", "v"],
};

impl Theme {
    /// With colour or without it.
    pub(crate) const fn new(colour: bool, marks: &'static Marks) -> Self {
        let plain = Style::new();
        let (accent, danger) = match colour {
            true => (plain.fg(Color::Cyan), plain.fg(Color::Red)),
            false => (plain, plain),
        };
        Self {
            accent: accent.add_modifier(Modifier::BOLD),
            title: plain.add_modifier(Modifier::BOLD),
            dim: plain.add_modifier(Modifier::DIM),
            danger: danger.add_modifier(Modifier::BOLD),
            pressed: plain.add_modifier(Modifier::REVERSED),
            marks,
        }
    }

    /// What suits the terminal that the environment tells of. An empty `NO_COLOR` is none.
    pub(crate) fn from_environment() -> Self {
        let colour = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        let console = std::env::var_os("TERM").is_some_and(|term| term == "linux");
        Self::new(colour, if console { &PLAIN } else { &UNICODE })
    }
}

#[cfg(test)]
impl Theme {
    /// The one that tests draw with.
    pub(crate) const TEST: Self = Self::new(true, &UNICODE);
}
