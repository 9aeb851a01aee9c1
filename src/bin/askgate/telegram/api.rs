//! Calls of the Bot API. The token is part of each address, so no address and no error of the HTTP library goes further.

use super::settings::Token;
use askgate::text::{Mode, display_safe};
use reqwest::{Client, Response, redirect};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use std::error::Error;
use std::time::Duration;

/// How long the server may take to take a connection.
const CONNECT: Duration = Duration::from_secs(10);

/// How long a method may take.
pub(super) const PATIENCE: Duration = Duration::from_secs(30);

/// The longest answer, in bytes: far more than a hundred updates are.
const MOST: usize = 16 << 20;

/// The Bot API of one bot.
pub(super) struct Api {
    http: Client,
    /// The address up to the method's name.
    base: String,
    token: Token,
}

/// No answer came, or one that is not a Bot API server's: why, in a few words.
#[derive(Debug)]
pub(crate) struct Unreached(pub(super) String);

/// An answer of the server, which may be a refusal.
#[derive(Debug)]
pub(crate) struct Answer {
    /// As it came.
    pub(super) text: String,
    head: Head,
}

#[derive(Debug, Deserialize)]
struct Head {
    ok: bool,
    result: Option<Box<RawValue>>,
    #[serde(default)]
    error_code: u16,
    #[serde(default)]
    description: String,
    #[serde(default)]
    parameters: Parameters,
}

#[derive(Debug, Default, Deserialize)]
struct Parameters {
    retry_after: Option<u64>,
    migrate_to_chat_id: Option<i64>,
}

impl Answer {
    /// The result, if it is of that kind.
    pub(super) fn result<T: DeserializeOwned>(&self) -> Option<T> {
        serde_json::from_str(self.head.result.as_ref()?.get()).ok()
    }

    /// The code of a refusal.
    pub(super) fn refusal(&self) -> Option<u16> {
        (!self.head.ok).then_some(self.head.error_code)
    }

    /// Why it was refused, in the server's words.
    pub(super) fn why(&self) -> &str {
        &self.head.description
    }

    /// How long the server asks to wait.
    pub(super) fn retry_after(&self) -> Option<Duration> {
        self.head.parameters.retry_after.map(Duration::from_secs)
    }

    /// What the group has become.
    pub(super) fn migrated_to(&self) -> Option<i64> {
        self.head.parameters.migrate_to_chat_id
    }
}

impl Api {
    /// The API of the bot that the token is of.
    ///
    /// # Errors
    /// [`Unreached`] where nothing can be called at all, as without the system's certificates.
    pub(super) fn new(address: &str, token: Token) -> Result<Self, Unreached> {
        // It says no if there is one already.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let http = Client::builder()
            .user_agent(concat!("askgate/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(CONNECT)
            // It would take the token to another place.
            .redirect(redirect::Policy::none())
            .referer(false)
            .build()
            .map_err(|error| Unreached(reason(error)))?;
        let base = format!("{address}/bot{}/", token.secret());
        Ok(Self { http, base, token })
    }

    /// Calls a method, and gives up after a while.
    ///
    /// # Errors
    /// [`Unreached`]. Whether the method was carried out is then not known.
    pub(super) async fn call(
        &self,
        method: &str,
        body: String,
        within: Duration,
    ) -> Result<Answer, Unreached> {
        let request = self.http.post(format!("{}{method}", self.base));
        let request = request.header("content-type", "application/json").timeout(within).body(body);
        let failed = |error| Unreached(self.clean(&reason(error)));
        let response = request.send().await.map_err(failed)?;
        let status = response.status();
        let bytes = read(response).await.map_err(failed)?;
        let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
        let answer = text.and_then(|text| {
            let mut head: Head = serde_json::from_str(&text).ok()?;
            head.description = self.clean(&head.description);
            Some(Answer { text, head })
        });
        let foreign = || Unreached(format!("it answered {} as no Bot API server does", status.as_u16()));
        answer.ok_or_else(foreign)
    }

    /// A text of others as it may be shown: without the token, should they repeat it.
    fn clean(&self, text: &str) -> String {
        display_safe(&text.replace(self.token.secret(), "[token]"), Mode::Line).text.into_owned()
    }
}

/// The body, unless it is too long.
async fn read(mut response: Response) -> Result<Option<Vec<u8>>, reqwest::Error> {
    let mut bytes = Vec::new();
    while let Some(part) = response.chunk().await? {
        if bytes.len() + part.len() > MOST {
            return Ok(None);
        }
        bytes.extend_from_slice(&part);
    }
    Ok(Some(bytes))
}

/// What lies behind an error of the HTTP library, without the address.
fn reason(error: reqwest::Error) -> String {
    if error.is_timeout() {
        return "it did not answer in time".into();
    }
    let error = error.without_url();
    let mut inner: &dyn Error = &error;
    while let Some(source) = inner.source() {
        inner = source;
    }
    inner.to_string()
}
