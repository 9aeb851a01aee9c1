//! Every bound of the library (spec 11.3). Over a bound the newest thing is refused; nothing is ever dropped.

/// The bounds that a host may change before it creates a gate or an endpoint.
///
/// Lengths are in bytes of UTF-8. Dialect B's 8 questions and 20 options are fixed by its tool definition and stand in
/// [`MAX_QUESTIONS`] and [`MAX_OPTIONS`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// One line of input: what one message may make a host hold in memory.
    pub line_bytes: usize,
    /// A one-line title: what still fits a dialog's heading.
    pub title_bytes: usize,
    /// A body or a command to confirm.
    pub body_bytes: usize,
    /// Any id: of a surface, agent, session, run, question, choice or message.
    pub id_bytes: usize,
    /// An option's label and a question's header.
    pub label_bytes: usize,
    /// An option's description.
    pub description_bytes: usize,
    /// The text of a question of dialect B.
    pub question_bytes: usize,
    /// Choices of one dialect A question.
    pub choices: usize,
    /// Text typed by the person, for one question.
    pub answer_bytes: usize,
    /// The reason given with a cancel.
    pub reason_bytes: usize,
    /// Prompts pending in one gate.
    pub pending: usize,
    /// Prompts pending on one surface.
    pub pending_per_surface: usize,
    /// Connections open at once.
    pub connections: usize,
    /// Ended prompts that are remembered, so that a late call learns what became of its prompt.
    pub remembered: usize,
    /// Outputs that may wait before an endpoint takes no more lines.
    pub queued: usize,
}

/// Questions in one form (dialect B's tool definition).
pub const MAX_QUESTIONS: usize = 8;

/// Sessions with a bound surface in one endpoint: what one operator may make a host remember.
pub const MAX_BOUND_SESSIONS: usize = 65_536;

/// Options of one dialect B question (its tool definition).
pub const MAX_OPTIONS: usize = 20;

/// The largest whole number that a double holds exactly, 2^53-1: the bound of numeric ids and times on the wire.
pub const MAX_SAFE_INTEGER: u64 = (1 << 53) - 1;

impl Limits {
    /// The documented defaults.
    pub const DEFAULT: Self = Self {
        line_bytes: 1 << 20,
        title_bytes: 1_024,
        body_bytes: 65_536,
        id_bytes: 256,
        label_bytes: 1_024,
        description_bytes: 4_096,
        question_bytes: 4_096,
        choices: 100,
        answer_bytes: 65_536,
        reason_bytes: 1_024,
        pending: 65_536,
        pending_per_surface: 1_024,
        connections: 4_096,
        remembered: 1_024,
        queued: 262_144,
    };

    /// The bound of that name, as the fields are spelled; `None` if there is no such bound.
    pub fn by_name(&mut self, name: &str) -> Option<&mut usize> {
        Some(match name {
            "line_bytes" => &mut self.line_bytes,
            "title_bytes" => &mut self.title_bytes,
            "body_bytes" => &mut self.body_bytes,
            "id_bytes" => &mut self.id_bytes,
            "label_bytes" => &mut self.label_bytes,
            "description_bytes" => &mut self.description_bytes,
            "question_bytes" => &mut self.question_bytes,
            "choices" => &mut self.choices,
            "answer_bytes" => &mut self.answer_bytes,
            "reason_bytes" => &mut self.reason_bytes,
            "pending" => &mut self.pending,
            "pending_per_surface" => &mut self.pending_per_surface,
            "connections" => &mut self.connections,
            "remembered" => &mut self.remembered,
            "queued" => &mut self.queued,
            _ => return None,
        })
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}
