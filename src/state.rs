//! The transition table: what each thing that can happen to a prompt does to it (spec 5).
//!
//! A refused trigger changes nothing. This table is checked against [`next`] by a test:
//!
//! <!-- transitions -->
//! | | acknowledge | back | answer | misanswer | decline | cancel | deadline | surface lost | asker gone |
//! |---|---|---|---|---|---|---|---|---|---|
//! | pending | refused: not a command | refused: not a command | ends: answered | ends: invalid_answer | ends: declined | ends: cancelled | ends: timed_out | ends: unavailable | ends: cancelled |
//! | pending command | arms | disarms | refused: not acknowledged | ends: invalid_answer | ends: declined | ends: cancelled | ends: timed_out | ends: unavailable | ends: cancelled |
//! | pending command, armed | arms | disarms | ends: answered | ends: invalid_answer | ends: declined | ends: cancelled | ends: timed_out | ends: unavailable | ends: cancelled |
//! | done | refused: already resolved | refused: already resolved | refused: already resolved | refused: already resolved | refused: already resolved | refused: already resolved | refused: already resolved | refused: already resolved | refused: already resolved |
//! <!-- /transitions -->

use crate::answer::OutcomeKind;

/// Where a prompt stands, as one claimant sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// It waits for its end.
    Pending,
    /// A confirm-command waits; `armed` says whether this claimant has acknowledged it.
    Command {
        /// The claimant may run it.
        armed: bool,
    },
    /// It has ended.
    Done(OutcomeKind),
}

/// What can happen to a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trigger {
    /// The claimant takes the first step of a command.
    Acknowledge,
    /// The claimant undoes the first step.
    Back,
    /// The claimant gives an answer that fits the form.
    Answer,
    /// A surface that can answer only once gave what does not fit the form (spec 9.3).
    Misanswer,
    /// The claimant declines.
    Decline,
    /// The claimant cancels.
    Cancel,
    /// The deadline has passed.
    Deadline,
    /// The surface is gone.
    SurfaceLost,
    /// Whoever asked is gone, its run or session has ended, or it withdrew the prompt.
    AskerGone,
}

/// Why a trigger is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// The prompt has ended.
    AlreadyResolved,
    /// Only a command is acknowledged.
    NotACommand,
    /// The claimant has not acknowledged the command.
    NotAcknowledged,
}

/// What a trigger does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transition {
    /// The claimant may run the command from now on.
    Arm,
    /// The claimant may no longer run the command.
    Disarm,
    /// The prompt ends so.
    End(OutcomeKind),
    /// Nothing changes.
    Refuse(Refusal),
}

/// The whole table.
#[must_use]
pub const fn next(phase: Phase, trigger: Trigger) -> Transition {
    match (phase, trigger) {
        (Phase::Done(_), _) => Transition::Refuse(Refusal::AlreadyResolved),
        (Phase::Pending, Trigger::Acknowledge | Trigger::Back) => Transition::Refuse(Refusal::NotACommand),
        (Phase::Command { .. }, Trigger::Acknowledge) => Transition::Arm,
        (Phase::Command { .. }, Trigger::Back) => Transition::Disarm,
        (Phase::Command { armed: false }, Trigger::Answer) => Transition::Refuse(Refusal::NotAcknowledged),
        (Phase::Pending | Phase::Command { armed: true }, Trigger::Answer) => {
            Transition::End(OutcomeKind::Answered)
        }
        (Phase::Pending | Phase::Command { .. }, Trigger::Misanswer) => Transition::End(OutcomeKind::Invalid),
        (Phase::Pending | Phase::Command { .. }, Trigger::Decline) => Transition::End(OutcomeKind::Declined),
        (Phase::Pending | Phase::Command { .. }, Trigger::Cancel | Trigger::AskerGone) => {
            Transition::End(OutcomeKind::Cancelled)
        }
        (Phase::Pending | Phase::Command { .. }, Trigger::Deadline) => Transition::End(OutcomeKind::TimedOut),
        (Phase::Pending | Phase::Command { .. }, Trigger::SurfaceLost) => {
            Transition::End(OutcomeKind::Unavailable)
        }
    }
}
