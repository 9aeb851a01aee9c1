//! What a router wants done, and what became of it.

use alloc::string::String;

/// Names an effect, for the report on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EffectId(pub u64);

/// What an effect does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EffectKind {
    /// Tells the platform that a press was taken or refused: exactly one for each press, before all else that it caused.
    Acknowledge,
    /// Sends a message. It must be reported, with the new message's id.
    Send,
    /// Edits a message. It must be reported.
    Edit,
    /// Tells one person something. It may fail without harm.
    Notice,
}

impl EffectKind {
    /// Its name, as scenario files spell it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Acknowledge => "acknowledge",
            Self::Send => "send",
            Self::Edit => "edit",
            Self::Notice => "notice",
        }
    }
}

/// One call of the platform's HTTP API.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Effect {
    /// For [`Router::report`](super::Router::report).
    pub id: EffectId,
    /// What it does.
    pub kind: EffectKind,
    /// The HTTP method.
    pub method: &'static str,
    /// What follows the base address: of Telegram the method's name, below `/bot<token>/`; of Discord a path such as
    /// `/channels/1/messages`, below the versioned API.
    pub path: String,
    /// The JSON body.
    pub body: String,
}

/// What became of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Report<'a> {
    /// It was carried out.
    Done {
        /// The id of the message that was sent.
        message: Option<&'a str>,
    },
    /// It was not.
    Failed(Failure),
}

/// Why a call failed, as far as it matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// Nothing was left to do: the message already shows it, or the press can no longer be acknowledged.
    Benign,
    /// It may be tried again after so many milliseconds; `None`: after a while.
    Retry {
        /// How long the platform asks to wait.
        after_ms: Option<u64>,
    },
    /// The message is no longer there.
    Gone,
    /// The chat takes nothing from the bot any more: it was blocked or removed, or the chat became another one.
    Lost,
    /// The platform will never take it.
    Rejected,
}
