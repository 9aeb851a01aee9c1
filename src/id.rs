//! Identities, and how a claim is compared with the prompt that it names (spec 6).

use crate::fault::{Code, Fault, Pointer};
use crate::limits::Limits;
use crate::ordered::Key;
use crate::text::is_blank;
use crate::words::words;
use alloc::boxed::Box;
use core::fmt;
use core::ops::Deref;
use short::Short;

mod short;

/// A prompt's identity: a counter that never repeats in a gate. On the wire `req:N` (dialect A) or `prompt:N` (B).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PromptId(pub u64);

impl Key for PromptId {
    fn rank(&self) -> u64 {
        self.0
    }
}

impl fmt::Display for PromptId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A connection's identity, given by the host (an endpoint mints them) and never read from a message. A host must
/// not reuse one while a prompt that knows it is pending or remembered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConnectionId(pub u64);

impl Key for ConnectionId {
    fn rank(&self) -> u64 {
        self.0
    }
}

impl fmt::Display for ConnectionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

macro_rules! text_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Short);

        impl $name {
            /// Checks and copies an id: not blank, at most `id_bytes` long, otherwise kept as it came.
            ///
            /// # Errors
            /// [`Code::InvalidValue`] if it is blank, [`Code::TooLong`] if it is over the limit.
            pub fn new(text: &str, limits: &Limits) -> Result<Self, Fault> {
                check_id(text, limits)?;
                Ok(Self(Short::new(text)))
            }

            /// The id as it came.
            #[must_use]
            pub fn as_str(&self) -> &str {
                self.0.as_str()
            }
        }

        impl Key for $name {
            fn rank(&self) -> u64 {
                self.as_str().rank()
            }
        }

        impl Deref for $name {
            type Target = str;
            fn deref(&self) -> &str {
                self.as_str()
            }
        }

        impl core::borrow::Borrow<str> for $name {
            fn borrow(&self) -> &str {
                self.as_str()
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                self.as_str()
            }
        }

        impl AsRef<[u8]> for $name {
            fn as_ref(&self) -> &[u8] {
                self.0.as_bytes()
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(self.as_str(), f)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}

text_id! {
    /// Where a dialect A prompt is shown, such as `surface:3`.
    SurfaceId
}
text_id! {
    /// Who asks, such as `claude:1`: attribution, shown with the prompt.
    AgentId
}
text_id! {
    /// A logical session of dialect B.
    SessionKey
}
text_id! {
    /// One run within a session.
    RunId
}
text_id! {
    /// A person, as the surface's platform names them.
    UserId
}

impl AgentId {
    /// An attribution as it came: dialect A does not ask that it says anything (spec 3).
    pub(crate) fn attribution(text: &str, limits: &Limits) -> Result<Self, Fault> {
        within(text, limits.id_bytes)?;
        Ok(Self(Short::new(text)))
    }
}

pub(crate) fn check_id(text: &str, limits: &Limits) -> Result<(), Fault> {
    if is_blank(text) {
        return Err(Fault::new(Code::InvalidValue, "Give an id that is not blank."));
    }
    within(text, limits.id_bytes)
}

pub(crate) fn within(text: &str, bytes: usize) -> Result<(), Fault> {
    if text.len() > bytes {
        return Err(Fault::new(Code::TooLong, words!["Give at most ", bytes, " bytes of text."]));
    }
    Ok(())
}

/// A place in a chat and the one person there who may answer (spec 12).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChatAddress {
    /// The platform, such as `telegram`.
    pub platform: Box<str>,
    /// The bot account.
    pub bot: Box<str>,
    /// The chat or channel.
    pub chat: Box<str>,
    /// The topic or thread, where there is one.
    pub thread: Option<Box<str>>,
    /// The person whose message started the run.
    pub user: Box<str>,
}

impl ChatAddress {
    /// The first field in which two addresses differ.
    #[must_use]
    pub fn differs(&self, other: &Self) -> Option<IdentityField> {
        let pairs = [
            (self.platform == other.platform, IdentityField::Platform),
            (self.bot == other.bot, IdentityField::Bot),
            (self.chat == other.chat, IdentityField::Chat),
            (self.thread == other.thread, IdentityField::Thread),
            (self.user == other.user, IdentityField::User),
        ];
        pairs.into_iter().find(|(equal, _)| !equal).map(|(_, field)| field)
    }

    /// The person, in the terms in which acknowledgements are kept: as one surface counts a thread of one bot's chat.
    pub(crate) fn claimant(&self) -> Claimant {
        let parts = [Some(&self.platform), Some(&self.bot), Some(&self.chat), self.thread.as_ref()];
        let surface = parts.into_iter().flatten().fold(Pointer::default(), |path, part| path.key(part)).0;
        Claimant {
            connection: None,
            surface: Some(SurfaceId(Short::new(&surface))),
            user: Some(UserId(Short::new(&self.user))),
        }
    }
}

/// Who acts on a prompt: a connection, a surface and a user together (spec 5). Acknowledging a command as one of them
/// arms no other.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Claimant {
    /// The connection that the call came on.
    pub connection: Option<ConnectionId>,
    /// The surface that it was made on.
    pub surface: Option<SurfaceId>,
    /// The person who made it.
    pub user: Option<UserId>,
}

impl Claimant {
    /// The claimant on a connection, where that is all there is to know.
    #[must_use]
    pub const fn connection(connection: ConnectionId) -> Self {
        Self { connection: Some(connection), surface: None, user: None }
    }
}

/// What a caller brings to act on a prompt. Which fields it needs is fixed by how the prompt was asked, so none is
/// forgotten.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Claim<'a> {
    /// For a prompt of dialect A: its id. Whether the caller may answer is the host's to decide.
    Request {
        /// The prompt.
        prompt: PromptId,
        /// Who acts.
        claimant: Claimant,
    },
    /// For a prompt of dialect B on a live connection: all four must be equal.
    Session {
        /// The prompt.
        prompt: PromptId,
        /// The session that asked.
        session: &'a str,
        /// The run that asked.
        run: &'a str,
        /// The caller's own connection.
        connection: ConnectionId,
    },
    /// For a prompt of dialect B in a chat.
    Chat {
        /// The prompt.
        prompt: PromptId,
        /// The session that asked.
        session: &'a str,
        /// The run that asked.
        run: &'a str,
        /// Where the answer was given, and by whom.
        address: &'a ChatAddress,
    },
}

impl Claim<'_> {
    /// The prompt that is claimed.
    #[must_use]
    pub const fn prompt(&self) -> PromptId {
        match self {
            Self::Request { prompt, .. } | Self::Session { prompt, .. } | Self::Chat { prompt, .. } => {
                *prompt
            }
        }
    }

    /// Who acts, in the terms in which acknowledgements are kept.
    #[must_use]
    pub fn claimant(&self) -> Claimant {
        match self {
            Self::Request { claimant, .. } => claimant.clone(),
            Self::Session { connection, .. } => Claimant::connection(*connection),
            Self::Chat { address, .. } => address.claimant(),
        }
    }
}

/// A field of a prompt's identity, in the order in which they are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum IdentityField {
    /// The claim is of another kind than the prompt.
    Kind,
    /// The session.
    Session,
    /// The run.
    Run,
    /// The connection that was bound when the prompt was asked.
    Connection,
    /// The chat platform.
    Platform,
    /// The bot account.
    Bot,
    /// The chat.
    Chat,
    /// The thread within the chat.
    Thread,
    /// The person.
    User,
}

impl IdentityField {
    /// The field's name, as scenario files and the C header spell it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Kind => "kind",
            Self::Session => "session",
            Self::Run => "run",
            Self::Connection => "connection",
            Self::Platform => "platform",
            Self::Bot => "bot",
            Self::Chat => "chat",
            Self::Thread => "thread",
            Self::User => "user",
        }
    }
}

impl fmt::Display for IdentityField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
