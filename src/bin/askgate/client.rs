//! A connection to the host.

use crate::exit::Failure;
use crate::lines::Lines;
use crate::socket;
use crate::wire::{Message, request};
use serde_json::Value;
use serde_json::value::RawValue;
use std::io::ErrorKind;
use tokio::io::AsyncWriteExt;
use tokio::net::UnixStream;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};

/// A connection to the host.
pub(crate) struct Client {
    lines: Lines<OwnedReadHalf>,
    writer: OwnedWriteHalf,
    calls: u64,
}

const GONE: &str = "The host went away before it replied.";

impl Client {
    /// Connects to the host; `None` if none is running.
    pub(crate) async fn connect() -> Result<Option<Self>, Failure> {
        let Some(path) = socket::existing()? else { return Ok(None) };
        match UnixStream::connect(&path).await {
            Ok(stream) => {
                let (reader, writer) = stream.into_split();
                // The host is ours; its lists may be long.
                Ok(Some(Self { lines: Lines::new(reader, usize::MAX - 1), writer, calls: 0 }))
            }
            // A socket that nobody listens on is what a host that was killed leaves behind.
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::ConnectionRefused) => {
                Ok(None)
            }
            Err(error) => {
                Err(Failure::io(&format!("The host at {} cannot be reached", path.display()), &error))
            }
        }
    }

    /// Connects to the host that the command needs.
    pub(crate) async fn required() -> Result<Self, Failure> {
        let none = || Failure::no_surface("No host is running; start one with: askgate serve");
        Self::connect().await?.ok_or_else(none)
    }

    /// Shows a token; to be called before anything is sent.
    pub(crate) async fn show_token(&mut self, token: &str) -> Result<(), Failure> {
        let sent = self.writer.write_all(format!("token {token}\n").as_bytes()).await;
        sent.map_err(|_| Failure::no_surface(GONE))
    }

    /// Sends a request; gives its id.
    pub(crate) async fn send(&mut self, method: &str, params: &Value) -> Result<u64, Failure> {
        self.calls += 1;
        let line = request(self.calls, method, params) + "\n";
        let sent = self.writer.write_all(line.as_bytes()).await;
        sent.map_err(|_| Failure::no_surface(GONE))?;
        Ok(self.calls)
    }

    /// The next reply or push. A call that is dropped loses nothing.
    pub(crate) async fn message(&mut self) -> Result<Message, Failure> {
        loop {
            match self.lines.next().await {
                Ok(Some(line)) => {
                    if let Some(message) = Message::read(&line) {
                        return Ok(message);
                    }
                }
                Ok(None) | Err(_) => return Err(Failure::no_surface(GONE)),
            }
        }
    }

    /// The reply to a request; pushes meanwhile are dropped. A call that is dropped loses no reply.
    pub(crate) async fn reply(&mut self, id: u64) -> Result<Box<RawValue>, Failure> {
        loop {
            let message = self.message().await?;
            // An error without an id is about the connection as a whole.
            if message.id == Some(id) || (message.id.is_none() && message.error.is_some()) {
                return result(message);
            }
        }
    }

    /// Sends a request and waits for its reply.
    pub(crate) async fn call(&mut self, method: &str, params: &Value) -> Result<Box<RawValue>, Failure> {
        let id = self.send(method, params).await?;
        self.reply(id).await
    }
}

/// The result of a reply, or its error.
pub(crate) fn result(message: Message) -> Result<Box<RawValue>, Failure> {
    match (message.result, message.error) {
        (Some(result), _) => Ok(result),
        (None, Some(error)) => Err(Failure::wire(error)),
        (None, None) => Err(Failure::no_surface(GONE)),
    }
}
