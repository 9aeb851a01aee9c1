//! Text that takes no allocation where it is short, as ids mostly are.

use alloc::boxed::Box;
use core::cmp::Ordering;
use core::hash::{Hash, Hasher};

/// As much as fits beside the tag in the room of three words.
const ROOM: usize = 22;

#[derive(Clone)]
pub(super) enum Short {
    Here { len: u8, bytes: [u8; ROOM] },
    Boxed(Box<str>),
}

impl Short {
    pub(super) fn new(text: &str) -> Self {
        let mut bytes = [0; ROOM];
        match (bytes.get_mut(..text.len()), u8::try_from(text.len())) {
            (Some(room), Ok(len)) => {
                room.copy_from_slice(text.as_bytes());
                Self::Here { len, bytes }
            }
            (_, _) => Self::Boxed(text.into()),
        }
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        match self {
            Self::Here { len, bytes } => bytes.get(..usize::from(*len)).unwrap_or_default(),
            Self::Boxed(text) => text.as_bytes(),
        }
    }

    pub(super) fn as_str(&self) -> &str {
        match self {
            Self::Here { .. } => core::str::from_utf8(self.as_bytes()).unwrap_or_default(),
            Self::Boxed(text) => text,
        }
    }
}

impl PartialEq for Short {
    fn eq(&self, other: &Self) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl Eq for Short {}

impl PartialOrd for Short {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// As `str` is ordered, which is by its bytes.
impl Ord for Short {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_bytes().cmp(other.as_bytes())
    }
}

/// As `str` is hashed: both may look up the same key.
impl Hash for Short {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}
