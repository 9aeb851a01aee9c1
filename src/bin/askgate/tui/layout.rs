//! Who gets how many rows.

/// What a frame is made of, from top to bottom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
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

pub(super) const PARTS: [Part; 16] = [
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

/// Gives each part its rows.
pub(super) fn share(rows: usize, natural: &impl Fn(Part) -> usize) -> [usize; PARTS.len()] {
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
