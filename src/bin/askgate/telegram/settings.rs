//! Which bot asks whom and where: from the environment, so that the token stands in no list of processes.

use crate::exit::Failure;
use askgate::error::Code;
use reqwest::Url;

/// The public Bot API.
const PUBLIC_API: &str = "https://api.telegram.org";

const TOKEN: &str = "ASKGATE_TELEGRAM_TOKEN";
const USERS: &str = "ASKGATE_TELEGRAM_USERS";
const CHAT: &str = "ASKGATE_TELEGRAM_CHAT";
const API: &str = "ASKGATE_TELEGRAM_API";

/// A bot's token, which opens everything that is the bot's. It has no `Debug`, so that nothing around it can show it.
pub(super) struct Token(String);

impl Token {
    fn read(text: &str) -> Option<Self> {
        let (bot, secret) = text.split_once(':')?;
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
        let is_token = positive(bot).is_some() && !secret.is_empty() && secret.bytes().all(is_word);
        is_token.then(|| Self(text.into()))
    }

    /// The bot's user id, with which a token begins.
    pub(super) fn bot(&self) -> &str {
        self.0.split_once(':').map_or("", |(bot, _)| bot)
    }

    /// The token itself.
    pub(super) fn secret(&self) -> &str {
        &self.0
    }
}

/// What a host is told about Telegram.
pub(super) struct Settings {
    pub(super) token: Token,
    /// Who may answer, and who may have questions asked of them.
    pub(super) users: Vec<Box<str>>,
    /// Where dialect A's prompts go: a chat, and perhaps a topic in it.
    pub(super) chat: Option<(Box<str>, Option<Box<str>>)>,
    /// The Bot API's address, without a slash at its end.
    pub(super) api: String,
}

impl Settings {
    /// Reads them from the environment.
    ///
    /// # Errors
    /// A failure that names the variable and says what it is to be, without what it is.
    pub(super) fn read() -> Result<Self, Failure> {
        let given = |name: &str| {
            let value = std::env::var_os(name)?.to_string_lossy().trim().to_owned();
            (!value.is_empty()).then_some(value)
        };
        let bad = |name: &str, wanted: &str| {
            Failure::error(Code::InvalidValue, format!("{name} must be {wanted}."))
        };
        let needed = |name: &str, wanted: &str| {
            given(name).ok_or_else(|| {
                Failure::error(Code::MissingField, format!("--telegram needs {name}: {wanted}."))
            })
        };
        let wanted = "the bot's token as @BotFather gave it";
        let token = Token::read(&needed(TOKEN, wanted)?).ok_or_else(|| bad(TOKEN, wanted))?;
        let wanted = "the ids of the users who may answer, with commas between";
        let users = needed(USERS, wanted)?.split(',').map(|user| positive(user.trim())).collect();
        let users: Option<Vec<_>> = users;
        let users = users.ok_or_else(|| bad(USERS, wanted))?;
        let wanted = "a chat's id, or CHAT:THREAD for a topic in it";
        let chat = given(CHAT).map(|text| place(&text).ok_or_else(|| bad(CHAT, wanted))).transpose()?;
        let api = given(API).unwrap_or_else(|| PUBLIC_API.into());
        let is_address = Url::parse(&api).is_ok_and(|url| {
            ["http", "https"].contains(&url.scheme())
                && url.has_host()
                && url.query().or(url.fragment()).is_none()
        });
        if !is_address {
            return Err(bad(API, "the http or https address of a Bot API server"));
        }
        Ok(Self { token, users, chat, api: api.trim_end_matches('/').into() })
    }
}

fn place(text: &str) -> Option<(Box<str>, Option<Box<str>>)> {
    let (chat, thread) = match text.split_once(':') {
        Some((chat, thread)) => (chat, Some(positive(thread)?)),
        None => (text, None),
    };
    let id: i64 = chat.parse().ok().filter(|id| *id != 0)?;
    Some((id.to_string().into(), thread))
}

/// An id of a user, a bot or a topic, in its one way to be written.
fn positive(text: &str) -> Option<Box<str>> {
    let id: i64 = text.parse().ok().filter(|id| *id > 0)?;
    Some(id.to_string().into())
}
