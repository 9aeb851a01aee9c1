//! `askgate`: the reference host and the command line (spec 14). It is the only code of the package with I/O.
#![forbid(unsafe_code)]

#[cfg(not(unix))]
compile_error!("The askgate command needs Unix sockets and terminals.");

mod args;
mod ask;
mod client;
mod desk;
mod exit;
mod form;
mod forms;
mod host;
mod lines;
mod listing;
mod mcp;
mod pages;
mod prompt;
mod serve;
mod siblings;
mod signals;
mod socket;
#[cfg(feature = "telegram")]
mod telegram;
#[cfg(not(feature = "telegram"))]
#[path = "no_telegram.rs"]
mod telegram;
mod tokens;
mod tty;
mod tui;
mod wire;

use args::{Cli, Command};
use clap::Parser;
use exit::{Exit, Failure};
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version go to stdout and are no errors; if nobody reads them there is nobody to tell.
            let _ = error.print();
            return if error.use_stderr() { Exit::Error.into() } else { ExitCode::SUCCESS };
        }
    };
    let json = cli.command.json();
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return Failure::io("The runtime could not be started", &error).report(json).into(),
    };
    let done = runtime.block_on(tokio::task::LocalSet::new().run_until(run(cli.command)));
    // A read of stdin that nobody waits for any more must not hold the process.
    runtime.shutdown_background();
    done.unwrap_or_else(|failure| failure.report(json)).into()
}

async fn run(command: Command) -> Result<Exit, Failure> {
    match command {
        Command::Ask(ask) => ask::run(ask).await,
        Command::Serve(serve) => serve::run(serve).await,
        Command::Mcp => mcp::run().await,
        Command::Pending(pending) => siblings::pending(pending).await,
        Command::Answer(answer) => siblings::answer(answer).await,
        Command::Cancel(cancel) => siblings::cancel(cancel).await,
        Command::Completions { shell } => pages::completions(shell),
        Command::Man { command } => pages::man(command.as_deref()),
    }
}
