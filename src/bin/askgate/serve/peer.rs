//! One client: a task that reads it and a task that writes to it.

use super::outgoing::Outgoing;
use crate::lines::Lines;
use askgate::id::ConnectionId;
use askgate::limits::Limits;
use std::rc::Rc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc::Sender;
use tokio::task::{JoinHandle, spawn_local};
use tokio::time::timeout;

/// How long a client that has hung up may take to read its last lines.
const LINGER: Duration = Duration::from_secs(5);

/// What a client does.
#[derive(Debug)]
pub(super) enum Inbound {
    /// Sends a line.
    Line(Vec<u8>),
    /// Sends no more.
    End,
}

/// One client.
pub(super) struct Peer {
    outgoing: Rc<Outgoing>,
    reader: JoinHandle<()>,
    writer: JoinHandle<()>,
}

impl Peer {
    /// Starts to read and to write.
    pub(super) fn start(
        id: ConnectionId,
        reader: impl AsyncRead + Unpin + 'static,
        writer: impl AsyncWrite + Unpin + 'static,
        inbound: Sender<(ConnectionId, Inbound)>,
    ) -> Self {
        let outgoing = Rc::new(Outgoing::default());
        let reader = spawn_local(read(id, reader, inbound.clone(), Rc::clone(&outgoing)));
        let writer = spawn_local(write(id, writer, inbound, Rc::clone(&outgoing)));
        Self { outgoing, reader, writer }
    }

    /// Queues a line. Gives false if the client is too far behind to get it.
    pub(super) fn send(&self, line: &str) -> bool {
        self.outgoing.add(line)
    }

    /// Lets go of a client that has hung up: it may still read what it was sent.
    pub(super) fn leave(self) {
        self.reader.abort();
        self.outgoing.close();
        spawn_local(async move {
            let mut writer = self.writer;
            if timeout(LINGER, &mut writer).await.is_err() {
                writer.abort();
            }
        });
    }

    /// Hangs up on a client that does not read.
    pub(super) fn drop_now(self) {
        self.reader.abort();
        self.writer.abort();
    }

    /// Reads no more, and waits until all is written.
    pub(super) async fn drain(self) {
        self.reader.abort();
        self.outgoing.close();
        // It ends early only where the client is gone.
        let _ = self.writer.await;
    }
}

async fn read(
    id: ConnectionId,
    reader: impl AsyncRead + Unpin,
    inbound: Sender<(ConnectionId, Inbound)>,
    outgoing: Rc<Outgoing>,
) {
    let mut lines = Lines::new(reader, Limits::DEFAULT.line_bytes);
    loop {
        outgoing.caught_up().await;
        let (last, got) = match lines.next().await {
            Ok(Some(line)) => (false, Inbound::Line(line)),
            Ok(None) | Err(_) => (true, Inbound::End),
        };
        if inbound.send((id, got)).await.is_err() || last {
            return;
        }
    }
}

async fn write(
    id: ConnectionId,
    mut writer: impl AsyncWrite + Unpin,
    inbound: Sender<(ConnectionId, Inbound)>,
    outgoing: Rc<Outgoing>,
) {
    while let Some(lines) = outgoing.take().await {
        let written = async {
            writer.write_all(&lines).await?;
            writer.flush().await
        };
        if written.await.is_err() {
            // The server may have ended meanwhile.
            let _ = inbound.send((id, Inbound::End)).await;
            return;
        }
    }
    let _ = writer.shutdown().await;
}
