//! What the two platforms bear, side by side.

use super::layout::Style;
use super::{Failure, Update, discord, telegram};
use crate::error::Fault;
use alloc::boxed::Box;

/// A chat platform.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Platform {
    /// The Telegram Bot API.
    Telegram,
    /// Discord's HTTP API and gateway.
    Discord,
}

impl Platform {
    /// Its name in a [`ChatAddress`](crate::id::ChatAddress).
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Telegram => "telegram",
            Self::Discord => "discord",
        }
    }

    /// The platform of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Telegram, Self::Discord].into_iter().find(|platform| platform.as_str() == name)
    }

    /// Reads an update, as JSON as the platform sends it: see [`telegram::parse`] and [`discord::parse`].
    ///
    /// # Errors
    /// If it is not JSON.
    pub fn parse(self, update: &str) -> Result<Update, Fault> {
        match self {
            Self::Telegram => telegram::parse(update),
            Self::Discord => discord::parse(update),
        }
    }

    /// Reads the answer to a call, with its HTTP status, which Telegram repeats in the body. Where none came, the call may be
    /// tried again. Gives the id of a message that was sent.
    ///
    /// # Errors
    /// What the platform says went wrong.
    pub fn parse_answer(self, status: u16, answer: Option<&str>) -> Result<Option<Box<str>>, Failure> {
        match (self, answer) {
            (_, None) => Err(Failure::Retry { after_ms: None }),
            (Self::Telegram, Some(answer)) => telegram::parse_answer(answer),
            (Self::Discord, Some(answer)) => discord::parse_answer(status, answer),
        }
    }

    /// The most text of one message, as [`Self::text_size`] counts it.
    pub(super) const fn text_units(self) -> usize {
        match self {
            Self::Telegram => telegram::TEXT_UNITS,
            Self::Discord => discord::CONTENT_UNITS,
        }
    }

    /// What a text takes of a message, as it is encoded.
    pub(super) fn text_size(self, text: &str) -> usize {
        match self {
            Self::Telegram => text.chars().map(char::len_utf16).sum(),
            Self::Discord => discord::size(text),
        }
    }

    pub(super) const fn style_units(self, style: Style) -> usize {
        match self {
            Self::Telegram => 0,
            Self::Discord => discord::style_units(style),
        }
    }

    /// The longest label that is shown whole on a button, in UTF-16 code units.
    pub(super) const fn label_units(self) -> usize {
        match self {
            Self::Telegram => telegram::LABEL_UNITS,
            Self::Discord => discord::LABEL_UNITS,
        }
    }

    /// The most options of one question.
    pub(super) const fn most_options(self) -> usize {
        match self {
            Self::Telegram => telegram::MOST_OPTIONS,
            Self::Discord => discord::MOST_OPTIONS,
        }
    }

    pub(super) const fn labels_in_a_row(self) -> usize {
        match self {
            Self::Telegram => 1,
            Self::Discord => discord::BUTTONS_IN_A_ROW,
        }
    }

    /// How many options each menu takes, where that many options are offered in menus.
    pub(super) const fn menu_from(self, options: usize) -> Option<usize> {
        match self {
            Self::Telegram => None,
            Self::Discord if options > discord::MOST_OPTION_BUTTONS => Some(discord::MENU_OPTIONS),
            Self::Discord => None,
        }
    }

    pub(super) const fn has_text_field(self) -> bool {
        match self {
            Self::Telegram => false,
            Self::Discord => true,
        }
    }

    /// The least time between two edits in a chat, in milliseconds.
    pub(super) fn edit_interval_ms(self, chat: &str) -> u64 {
        // Groups and channels of Telegram have negative ids; whether a channel of Discord is private, its id does not say.
        let private = self == Self::Telegram && !chat.starts_with('-');
        if private { 1_000 } else { 3_000 }
    }
}
