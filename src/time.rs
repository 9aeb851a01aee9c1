//! Time as an argument: milliseconds from an origin that the host chooses (spec 4).

/// A point in time, in milliseconds since any fixed origin of the host's choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Millis(pub u64);

impl Millis {
    /// The point `ms` milliseconds later, or `None` if it does not fit: such a deadline never comes.
    #[must_use]
    pub const fn checked_add(self, ms: u64) -> Option<Self> {
        match self.0.checked_add(ms) {
            Some(sum) => Some(Self(sum)),
            None => None,
        }
    }
}

/// The highest time seen. A host whose clock steps back cannot bring a passed deadline back.
#[derive(Debug, Clone, Copy, Default)]
pub struct Clock {
    latest: Millis,
}

impl Clock {
    /// Takes the host's time and gives the one that counts: never lower than one seen before.
    pub fn advance(&mut self, now: Millis) -> Millis {
        self.latest = self.latest.max(now);
        self.latest
    }

    /// The highest time seen so far.
    #[must_use]
    pub const fn latest(&self) -> Millis {
        self.latest
    }
}
