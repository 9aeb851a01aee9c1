//! A prompt: a form with an identity, and perhaps a deadline.

use crate::answer::{CancelReason, Outcome, OutcomeKind};
use crate::form::Form;
use crate::id::{
    AgentId, ChatAddress, Claim, ConnectionId, IdentityField, PromptId, RunId, SessionKey, SurfaceId,
};
use crate::time::Millis;
use alloc::boxed::Box;

/// Who asks, and on whose behalf.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Asking {
    /// A request of dialect A.
    Request {
        /// Where it is to be shown.
        surface: SurfaceId,
        /// Who asks, shown with the prompt.
        agent: Option<AgentId>,
    },
    /// A request of dialect B.
    Session {
        /// The session.
        session: SessionKey,
        /// The run.
        run: RunId,
    },
}

/// A request for a prompt, checked but for what only the gate knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ask {
    /// Who asks.
    pub asking: Asking,
    /// What is asked.
    pub form: Form,
    /// In how many milliseconds the prompt times out; `None`: as the surface has it, which may be never (spec 8.1).
    pub timeout_ms: Option<u64>,
    /// The connection that waits for the end: when it is gone the prompt ends.
    pub asker: Option<ConnectionId>,
}

/// Where a prompt of dialect B is shown: fixed when it is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// A live connection bound to the session.
    Connection(ConnectionId),
    /// The run's own elicitation client, which can answer only once.
    Client(ConnectionId),
    /// A chat, and the one person in it who may answer.
    Chat(Box<ChatAddress>),
}

impl Target {
    pub(super) const fn connection(&self) -> Option<ConnectionId> {
        match self {
            Self::Connection(connection) | Self::Client(connection) => Some(*connection),
            Self::Chat(_) => None,
        }
    }
}

/// What a prompt is bound to: every identity that a claim on it must match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// A prompt of dialect A.
    Request {
        /// Where it is shown.
        surface: SurfaceId,
        /// Who asks.
        agent: Option<AgentId>,
    },
    /// A prompt of dialect B.
    Session {
        /// The session that asks.
        session: SessionKey,
        /// The run that asks.
        run: RunId,
        /// Where it is shown.
        target: Target,
    },
}

impl Origin {
    pub(super) const fn identity(&self) -> Identity<'_> {
        match self {
            Self::Request { .. } => Identity::Request,
            Self::Session { session, run, target } => Identity::Session { session, run, target },
        }
    }
}

/// The part of an origin that claims are compared with.
#[derive(Debug, Clone, Copy)]
pub(super) enum Identity<'p> {
    Request,
    Session { session: &'p SessionKey, run: &'p RunId, target: &'p Target },
}

impl Identity<'_> {
    /// The first identity field in which the claim differs.
    pub(super) fn differs(self, claim: &Claim<'_>) -> Option<IdentityField> {
        match (self, claim) {
            (Self::Request, Claim::Request { .. }) => None,
            (
                Self::Session { session: s, run: r, target },
                Claim::Session { session, run, connection, .. },
            ) => {
                let Some(bound) = target.connection() else { return Some(IdentityField::Kind) };
                session_differs((s, r), (session, run))
                    .or_else(|| (bound != *connection).then_some(IdentityField::Connection))
            }
            (Self::Session { session: s, run: r, target }, Claim::Chat { session, run, address, .. }) => {
                let Target::Chat(bound) = target else { return Some(IdentityField::Kind) };
                session_differs((s, r), (session, run)).or_else(|| bound.differs(address))
            }
            (Self::Request, Claim::Session { .. } | Claim::Chat { .. })
            | (Self::Session { .. }, Claim::Request { .. }) => Some(IdentityField::Kind),
        }
    }
}

fn session_differs(own: (&str, &str), claimed: (&str, &str)) -> Option<IdentityField> {
    if own.0 != claimed.0 {
        Some(IdentityField::Session)
    } else if own.1 != claimed.1 {
        Some(IdentityField::Run)
    } else {
        None
    }
}

/// A prompt that a gate has accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    pub(super) id: PromptId,
    pub(super) origin: Origin,
    pub(super) form: Form,
    pub(super) asker: Option<ConnectionId>,
    pub(super) timeout_ms: Option<u64>,
    pub(super) deadline: Option<Millis>,
    pub(super) created_at: u64,
}

impl Prompt {
    /// Its id.
    #[must_use]
    pub const fn id(&self) -> PromptId {
        self.id
    }

    /// What it is bound to.
    #[must_use]
    pub const fn origin(&self) -> &Origin {
        &self.origin
    }

    /// What is asked.
    #[must_use]
    pub const fn form(&self) -> &Form {
        &self.form
    }

    /// The connection that waits for its end.
    #[must_use]
    pub const fn asker(&self) -> Option<ConnectionId> {
        self.asker
    }

    /// The time-out as the asker gave it, in milliseconds.
    #[must_use]
    pub const fn timeout_ms(&self) -> Option<u64> {
        self.timeout_ms
    }

    /// When it times out; at exactly that time it has.
    #[must_use]
    pub const fn deadline(&self) -> Option<Millis> {
        self.deadline
    }

    /// When it was asked, on the wall clock that the host's offset gives (spec 4).
    #[must_use]
    pub const fn created_at(&self) -> u64 {
        self.created_at
    }
}

/// A prompt that has ended, as it is remembered: enough to answer a late call, and never what was answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Ended {
    pub(super) id: PromptId,
    /// For a prompt of dialect B; those of dialect A are claimed by their id alone.
    pub(super) session: Option<Box<(SessionKey, RunId, Target)>>,
    pub(super) asker: Option<ConnectionId>,
    pub(super) outcome: OutcomeKind,
    pub(super) reason: Option<CancelReason>,
}

impl Ended {
    pub(super) fn new(prompt: &Prompt, outcome: &Outcome) -> Self {
        let session = match &prompt.origin {
            Origin::Request { .. } => None,
            Origin::Session { session, run, target } => {
                Some(Box::new((session.clone(), run.clone(), target.clone())))
            }
        };
        let reason = match outcome {
            Outcome::Cancelled(reason) => reason.clone(),
            Outcome::Answered(_)
            | Outcome::Declined
            | Outcome::TimedOut
            | Outcome::Unavailable
            | Outcome::Invalid => None,
        };
        Self { id: prompt.id, session, asker: prompt.asker, outcome: outcome.kind(), reason }
    }

    pub(super) fn identity(&self) -> Identity<'_> {
        match self.session.as_deref() {
            None => Identity::Request,
            Some((session, run, target)) => Identity::Session { session, run, target },
        }
    }
}
