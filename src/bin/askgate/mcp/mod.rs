//! `askgate mcp`: the `ask` tool as a server of the Model Context Protocol over stdio. The client that calls the tool shows
//! the form to its person (spec 9).

mod server;
mod wire;

use crate::exit::{Exit, Failure};
use crate::lines::Lines;
use crate::signals::Signals;
use askgate::limits::Limits;
use server::Server;
use tokio::io::AsyncWriteExt;

/// Serves until stdin ends or a signal comes.
///
/// # Errors
/// A failure where stdin cannot be read, or stdout written.
pub(crate) async fn run() -> Result<Exit, Failure> {
    let mut signals = Signals::listen()?;
    let mut server = Server::new()?;
    let mut lines = Lines::new(tokio::io::stdin(), Limits::DEFAULT.line_bytes);
    let mut stdout = tokio::io::stdout();
    loop {
        tokio::select! {
            line = lines.next() => match line {
                Ok(Some(line)) => server.take(&line),
                Ok(None) => return Ok(Exit::Done),
                Err(error) => return Err(Failure::io("stdin could not be read", &error)),
            },
            () = server.sleep() => server.settle(),
            _ = signals.stop() => return Ok(Exit::Done),
        }
        // Nothing more is read from a client that does not read, so what waits for it is bounded.
        let written = async {
            stdout.write_all(server.take_output().as_bytes()).await?;
            stdout.flush().await
        };
        tokio::select! {
            written = written => written.map_err(|error| Failure::io("stdout could not be written", &error))?,
            _ = signals.stop() => return Ok(Exit::Done),
        }
    }
}
