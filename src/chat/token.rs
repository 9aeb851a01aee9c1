//! What a button carries (spec 12): 49 ASCII characters that name a prompt, a question and an action, and that nobody
//! without the key can make.
//!
//! A token is `q1` and, in base64url without padding, 35 bytes: the prompt's handle (16), the question (1), the action (1),
//! its argument (1) and a tag (16). The tag is HMAC-SHA-256 (RFC 2104, FIPS 180-4), cut to its left 128 bits as RFC 2104,
//! section 5, allows, over the other bytes and the full [`Address`] that the button was made for. Labels and ids never
//! enter it, so its form is fixed. Whoever guesses one has a chance of 2^-128 a try.

use crate::id::ChatAddress;
use alloc::string::String;
use core::fmt;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// The key of the tokens: 32 random bytes, new for each start of the host, so that buttons of an earlier one expire. It is
/// not shown by `Debug`.
#[derive(Clone)]
pub struct Key([u8; 32]);

impl Key {
    /// The key of those bytes, which the host draws from its source of randomness.
    #[must_use]
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(..)")
    }
}

/// What buttons name a prompt by: 16 random bytes of the host, drawn anew for each prompt that is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Handle(pub [u8; 16]);

/// The characters of a token. Telegram takes 64 bytes, Discord 100 characters.
pub const TOKEN_LEN: usize = PREFIX.len() + (RAW_LEN * 4).div_ceil(3);

const PREFIX: &str = "q1";
const TAG_LEN: usize = 16;
const BODY_LEN: usize = 19;
const RAW_LEN: usize = BODY_LEN + TAG_LEN;

/// What a button does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Action {
    /// Chooses an option, and goes on.
    Pick,
    /// Selects one of several options: the target state, so that a delivery repeated does no harm.
    On,
    /// Takes an option back.
    Off,
    /// Goes on with the options selected.
    Done,
    Yes,
    No,
    /// The first step of a command.
    Acknowledge,
    /// Undoes the first step.
    Back,
    /// The second step.
    Run,
    /// Chooses by a menu; the choices come beside the token.
    Menu,
    /// Opens a text field.
    Other,
    /// The text field, sent.
    Text,
    Decline,
    Cancel,
}

impl Action {
    const ALL: [Self; 14] = [
        Self::Pick,
        Self::On,
        Self::Off,
        Self::Done,
        Self::Yes,
        Self::No,
        Self::Acknowledge,
        Self::Back,
        Self::Run,
        Self::Menu,
        Self::Other,
        Self::Text,
        Self::Decline,
        Self::Cancel,
    ];

    const fn code(self) -> u8 {
        match self {
            Self::Pick => 1,
            Self::On => 2,
            Self::Off => 3,
            Self::Done => 4,
            Self::Yes => 5,
            Self::No => 6,
            Self::Acknowledge => 7,
            Self::Back => 8,
            Self::Run => 9,
            Self::Menu => 10,
            Self::Other => 11,
            Self::Text => 12,
            Self::Decline => 13,
            Self::Cancel => 14,
        }
    }

    fn of(code: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|action| action.code() == code)
    }
}

/// Everything that a token is bound to besides what stands in it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Address<'a> {
    /// The place; its user is empty where several may answer.
    pub(crate) chat: &'a ChatAddress,
    /// The session and the run that ask (dialect B), or the surface alone (A).
    pub(crate) asks: (&'a str, Option<&'a str>),
}

/// What a token says, once its tag is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Press {
    pub(crate) question: u8,
    pub(crate) action: Action,
    pub(crate) argument: u8,
}

/// A token's bytes, not yet checked.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Unchecked {
    body: [u8; BODY_LEN],
    tag: [u8; TAG_LEN],
}

impl Unchecked {
    /// Takes a text apart; `None` for what has not the form.
    pub(crate) fn parse(token: &str) -> Option<Self> {
        let digits = token.strip_prefix(PREFIX)?;
        if token.len() != TOKEN_LEN {
            return None;
        }
        let mut raw = [0; RAW_LEN];
        decode(digits.as_bytes(), &mut raw)?;
        let (body, tag) = raw.split_first_chunk::<BODY_LEN>()?;
        Some(Self { body: *body, tag: *tag.first_chunk()? })
    }

    /// The prompt that it claims to be for.
    pub(crate) fn handle(&self) -> Option<Handle> {
        self.body.first_chunk().copied().map(Handle)
    }

    /// What it says, if it was made with that key for that address. The tags are compared in constant time.
    pub(crate) fn check(&self, key: &Key, address: Address<'_>) -> Option<Press> {
        mac(key, &self.body, address)?.verify_truncated_left(&self.tag).ok()?;
        let [.., question, action, argument] = self.body;
        Some(Press { question, action: Action::of(action)?, argument })
    }
}

/// Makes a token. It is empty only if the key could not be taken, which for 32 bytes does not happen.
pub(crate) fn mint(key: &Key, handle: Handle, address: Address<'_>, press: Press) -> String {
    let mut raw = [0; RAW_LEN];
    let tail = [press.question, press.action.code(), press.argument];
    for (byte, value) in raw.iter_mut().zip(handle.0.into_iter().chain(tail)) {
        *byte = value;
    }
    let Some((body, tag)) = raw.split_first_chunk_mut::<BODY_LEN>() else { return String::new() };
    let Some(mac) = mac(key, body, address) else { return String::new() };
    for (byte, value) in tag.iter_mut().zip(mac.finalize().into_bytes()) {
        *byte = value;
    }
    let mut token = String::with_capacity(TOKEN_LEN);
    token.push_str(PREFIX);
    encode(&raw, &mut token);
    token
}

/// The MAC's input: a domain, the token's body, and each text of the address with its length before it.
fn mac(key: &Key, body: &[u8; BODY_LEN], address: Address<'_>) -> Option<Hmac<Sha256>> {
    let mut mac = <Hmac<Sha256> as KeyInit>::new_from_slice(&key.0).ok()?;
    mac.update(b"askgate chat 1");
    mac.update(body);
    let ChatAddress { platform, bot, chat, thread, user } = address.chat;
    let (asks, run) = address.asks;
    let fields = [Some(&**platform), Some(bot), Some(chat), thread.as_deref(), Some(user), Some(asks), run];
    for field in fields {
        mac.update(&[u8::from(field.is_some())]);
        let text = field.unwrap_or_default();
        mac.update(&u64::try_from(text.len()).unwrap_or(u64::MAX).to_le_bytes());
        mac.update(text.as_bytes());
    }
    Some(mac)
}

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Base64url without padding (RFC 4648, section 5).
fn encode(raw: &[u8], out: &mut String) {
    for chunk in raw.chunks(3) {
        let word =
            chunk.iter().fold(0_u32, |word, byte| (word << 8) | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for digit in 0..=chunk.len() {
            let index = (word >> (18 - 6 * digit)) & 63;
            out.push(char::from(DIGITS.get(index as usize).copied().unwrap_or(b'A')));
        }
    }
}

/// The bytes of exactly the text that [`encode`] gives for them: one text for each value.
fn decode(digits: &[u8], raw: &mut [u8; RAW_LEN]) -> Option<()> {
    for (chunk, bytes) in digits.chunks(4).zip(raw.chunks_mut(3)) {
        let mut word = 0_u32;
        for digit in chunk {
            let value = DIGITS.iter().position(|known| known == digit)?;
            word = (word << 6) | u32::try_from(value).ok()?;
        }
        word <<= 6 * (4 - chunk.len());
        for (place, byte) in bytes.iter_mut().enumerate() {
            *byte = (word >> (16 - 8 * place)) as u8;
        }
    }
    let mut again = String::with_capacity(digits.len());
    encode(raw, &mut again);
    (again.as_bytes() == digits).then_some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(user: &str) -> ChatAddress {
        ChatAddress {
            platform: "telegram".into(),
            bot: "1".into(),
            chat: "-100".into(),
            thread: Some("7".into()),
            user: user.into(),
        }
    }

    const KEY: Key = Key::new([7; 32]);
    const HANDLE: Handle = Handle([9; 16]);
    const PRESS: Press = Press { question: 3, action: Action::On, argument: 19 };

    fn token(chat: &ChatAddress, asks: (&str, Option<&str>)) -> String {
        mint(&KEY, HANDLE, Address { chat, asks }, PRESS)
    }

    #[test]
    fn a_token_says_what_it_was_made_for() {
        let chat = address("5");
        let token = token(&chat, ("s", Some("r")));
        assert_eq!(token.len(), TOKEN_LEN);
        assert!(TOKEN_LEN <= 64 && token.is_ascii());
        let parsed = Unchecked::parse(&token).unwrap();
        assert_eq!(parsed.handle(), Some(HANDLE));
        assert_eq!(parsed.check(&KEY, Address { chat: &chat, asks: ("s", Some("r")) }), Some(PRESS));
    }

    #[test]
    fn a_token_holds_at_its_own_address_only() {
        let chat = address("5");
        let parsed = Unchecked::parse(&token(&chat, ("s", Some("r")))).unwrap();
        let other_key = Key::new([8; 32]);
        assert_eq!(parsed.check(&other_key, Address { chat: &chat, asks: ("s", Some("r")) }), None);
        for asks in [("s", Some("q")), ("t", Some("r")), ("s", None), ("sr", Some("")), ("", Some("sr"))] {
            assert_eq!(parsed.check(&KEY, Address { chat: &chat, asks }), None);
        }
        let fields: [fn(&mut ChatAddress); 6] = [
            |other| other.platform = "discord".into(),
            |other| other.bot = "2".into(),
            |other| other.chat = "-101".into(),
            |other| other.thread = None,
            |other| other.thread = Some("8".into()),
            |other| other.user = "6".into(),
        ];
        for change in fields {
            let mut other = chat.clone();
            change(&mut other);
            assert_eq!(parsed.check(&KEY, Address { chat: &other, asks: ("s", Some("r")) }), None);
        }
    }

    #[test]
    fn every_changed_or_cut_token_is_refused() {
        let chat = address("5");
        let whole = Address { chat: &chat, asks: ("s", Some("r")) };
        let token = token(&chat, whole.asks);
        for at in 0..token.len() {
            for other in ["A", "B", "-", "_", "9", "=", " "] {
                let mut changed = token.clone();
                changed.replace_range(at..=at, other);
                let checked = Unchecked::parse(&changed).and_then(|parsed| parsed.check(&KEY, whole));
                assert!(changed == token || checked.is_none(), "{changed}");
            }
            assert!(Unchecked::parse(&token[..at]).is_none());
        }
        assert!(Unchecked::parse(&alloc::format!("{token}A")).is_none());
    }

    #[test]
    fn the_key_is_not_shown() {
        assert_eq!(alloc::format!("{KEY:?}"), "Key(..)");
    }
}
