//! What happens in chats, as far as a router is concerned, and what it made of it.

use alloc::boxed::Box;
use alloc::vec::Vec;

/// Where something happened in a chat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The chat, or Discord's channel.
    pub chat: Box<str>,
    /// The topic within it.
    pub thread: Thread,
}

/// The topic of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Thread {
    /// The platform does not say.
    Unknown,
    /// It is in none.
    None,
    /// This one.
    In(Box<str>),
}

/// What a platform reports, as far as a router is concerned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Update {
    /// A button was pressed, a menu used or a text field sent.
    Press(Press),
    /// Somebody wrote a message, or something like one.
    Message(Message),
    /// A chat takes nothing from the bot any more.
    Lost {
        /// The chat.
        chat: Box<str>,
    },
    /// Anything else.
    Other,
}

/// A button pressed, a menu used or a text field sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Press {
    /// The platform's id of the event, by which repeated deliveries are known.
    pub event: Box<str>,
    /// Who pressed it.
    pub user: Box<str>,
    /// Where, if the platform says so.
    pub place: Option<Place>,
    /// On which message, if the platform says so.
    pub message: Option<Box<str>>,
    /// The button's token; whatever the client claims.
    pub token: Box<str>,
    /// What came with it.
    pub input: Input,
    /// What answers the event at Discord: the interaction's token.
    pub reply: Box<str>,
}

/// What comes with a press.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// Nothing: a button.
    None,
    /// The values chosen in a menu.
    Values(Vec<Box<str>>),
    /// The text of a text field.
    Text(Box<str>),
}

/// A message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Its id.
    pub id: Box<str>,
    /// The chat, or Discord's channel.
    pub chat: Box<str>,
    /// The topic within it.
    pub thread: Option<Box<str>>,
    /// Who wrote it; `None` for bots, channels and whoever writes in another's name.
    pub user: Option<Box<str>>,
    /// The message that it replies to.
    pub reply_to: Option<Box<str>>,
    /// What it is.
    pub content: Content,
}

/// What a message is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// Plain text.
    Text(Box<str>),
    /// A command to the bot.
    Command,
    /// Another version of an earlier message.
    Edited,
    /// Somebody else's words.
    Forwarded,
    /// Something other than text, or text beside it.
    Attachment,
    /// Text that the platform does not let the bot read.
    Unreadable,
}

/// What a router made of an update.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Handled {
    /// A press was taken.
    Taken,
    /// A press came after its question, its prompt or its key was over, or its token was never made here.
    Expired,
    /// A press by somebody else.
    NotForYou,
    /// A press that does nothing now: why.
    Refused(&'static str),
    /// A press or a message that was delivered before; it has no effect at all.
    Duplicate,
    /// A message was taken, and must not start a run.
    Captured,
    /// A message is no answer, though a question waits for one; it must not start a run. The sender is told why.
    Hint(&'static str),
    /// A message has nothing to do with a question.
    NotCaptured,
    /// A chat was lost.
    Lost,
    /// The update is none of a router's business.
    Ignored,
}

impl Handled {
    /// Its name, as scenario files spell it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Taken => "taken",
            Self::Expired => "expired",
            Self::NotForYou => "not_for_you",
            Self::Refused(_) => "refused",
            Self::Duplicate => "duplicate",
            Self::Captured => "captured",
            Self::Hint(_) => "hint",
            Self::NotCaptured => "not_captured",
            Self::Lost => "lost",
            Self::Ignored => "ignored",
        }
    }
}
