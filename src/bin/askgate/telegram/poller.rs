//! Fetches updates, one batch after another. A batch is confirmed to the server, by the next call, only once it was dealt
//! with; so an outage loses none.

use super::News;
use super::api::{Answer, Api, Unreached};
use crate::exit::Failure;
use askgate::error::Code;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::rc::Rc;
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, sleep};

/// How long the server holds a call without updates.
const HOLD: Duration = Duration::from_secs(50);

/// How much longer than that an answer may take.
const SLACK: Duration = Duration::from_secs(15);

/// The first wait after a failure; each further one takes twice as long.
const FIRST_WAIT: Duration = Duration::from_secs(1);

/// The longest wait that the server did not ask for.
const LONGEST_WAIT: Duration = Duration::from_secs(5);

/// The kinds of updates that are asked for.
const KINDS: [&str; 3] = ["message", "callback_query", "my_chat_member"];

/// An update, and its number.
pub(crate) struct Numbered {
    pub(super) number: i64,
    pub(super) json: Box<RawValue>,
}

/// Fetches until the host ends or the token is refused.
pub(super) async fn poll(api: Rc<Api>, news: mpsc::Sender<News>) {
    let mut offset = None;
    let mut trouble = Trouble::default();
    loop {
        let began = Instant::now();
        let batch = match fetch(&api, offset).await {
            Ok(batch) => batch,
            Err(Failed::Token(failure)) => {
                // The host may have ended meanwhile; so too below.
                let _ = news.send(News::Fatal(failure)).await;
                return;
            }
            Err(Failed::Now { why, wait }) => {
                if let Some(note) = trouble.began(&why) {
                    let _ = news.send(News::Note(note)).await;
                }
                sleep(wait.unwrap_or_else(|| trouble.wait())).await;
                continue;
            }
        };
        if let Some(note) = trouble.ended() {
            let _ = news.send(News::Note(note)).await;
        }
        // What was fetched before is confirmed by now. Without an offset all that is not comes, whatever its number: numbers
        // start anew somewhere after a week without updates.
        offset = batch.iter().map(|update| update.number).max().map(|last| last.saturating_add(1));
        if batch.is_empty() {
            // A server that does not hold the call is not to be called without a pause.
            sleep(FIRST_WAIT.saturating_sub(began.elapsed())).await;
            continue;
        }
        let (dealt_with, done) = oneshot::channel();
        if news.send(News::Updates(batch, dealt_with)).await.is_err() || done.await.is_err() {
            return;
        }
    }
}

enum Failed {
    /// For good.
    Token(Failure),
    /// For now; the wait is what the server asks for.
    Now { why: String, wait: Option<Duration> },
}

async fn fetch(api: &Api, offset: Option<i64>) -> Result<Vec<Numbered>, Failed> {
    #[derive(Deserialize)]
    struct Number {
        update_id: i64,
    }
    let mut body = serde_json::json!({ "timeout": HOLD.as_secs(), "allowed_updates": KINDS });
    if let Some(offset) = offset {
        body["offset"] = offset.into();
    }
    let answer = api.call("getUpdates", body.to_string(), HOLD + SLACK).await;
    let unreached = |Unreached(why)| Failed::Now { why: format!("cannot be reached: {why}"), wait: None };
    let answer = answer.map_err(unreached)?;
    if let Some(failure) = refused_token(&answer) {
        return Err(Failed::Token(failure));
    }
    if answer.refusal().is_some() {
        let why = format!("gives no updates: {}", answer.why());
        return Err(Failed::Now { why, wait: answer.retry_after() });
    }
    let unreadable = || Failed::Now { why: "gives updates that cannot be read".into(), wait: None };
    let updates: Vec<Box<RawValue>> = answer.result().ok_or_else(unreadable)?;
    let numbered = updates.into_iter().map(|json| {
        let Number { update_id: number } = serde_json::from_str(json.get()).ok()?;
        Some(Numbered { number, json })
    });
    numbered.collect::<Option<_>>().ok_or_else(unreadable)
}

/// The body of a call that fetches next to nothing, and confirms the updates up to that one.
pub(super) fn confirmation(last: i64) -> String {
    serde_json::json!({ "offset": last.saturating_add(1), "limit": 1, "timeout": 0 }).to_string()
}

/// The failure that ends a host whose token the server does not take.
pub(super) fn refused_token(answer: &Answer) -> Option<Failure> {
    // 404 is what a token of another form gets.
    let refused = matches!(answer.refusal(), Some(401 | 404));
    let sentence = "Telegram does not take the bot's token; check ASKGATE_TELEGRAM_TOKEN.";
    refused.then(|| Failure::error(Code::Forbidden, sentence))
}

/// What is wrong, if anything is.
#[derive(Default)]
struct Trouble {
    told: Option<String>,
    failures: u32,
}

impl Trouble {
    /// A call failed: what to say, if it was not said before.
    fn began(&mut self, why: &str) -> Option<String> {
        let known = self.told.as_deref() == Some(why);
        if !known {
            self.told = Some(why.into());
        }
        (!known).then(|| format!("askgate: Telegram {why}; trying again"))
    }

    /// How long to wait.
    fn wait(&mut self) -> Duration {
        let wait = FIRST_WAIT.saturating_mul(1 << self.failures.min(3)).min(LONGEST_WAIT);
        self.failures += 1;
        wait
    }

    /// A call was answered: what to say, if something was wrong.
    fn ended(&mut self) -> Option<String> {
        self.failures = 0;
        self.told.take().map(|_| "askgate: Telegram gives updates again".into())
    }
}
