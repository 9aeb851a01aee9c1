//! The signals that end a command.

use crate::exit::Failure;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// What ends a command from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stop {
    /// SIGINT: Ctrl+C on a terminal.
    Interrupt,
    /// SIGTERM.
    Terminate,
    /// SIGHUP: the terminal is closed.
    HangUp,
}

/// Listens for SIGINT, SIGTERM and SIGHUP from its creation on.
pub(crate) struct Signals {
    interrupt: Signal,
    terminate: Signal,
    /// Absent where it was ignored when we were started, as `nohup` does.
    hangup: Option<Signal>,
}

impl Signals {
    /// Starts to listen.
    pub(crate) fn listen() -> Result<Self, Failure> {
        let listen = |kind| signal(kind).map_err(|error| Failure::io("Signals cannot be caught", &error));
        let hangup = if hangup_is_ignored() { None } else { Some(listen(SignalKind::hangup())?) };
        Ok(Self {
            interrupt: listen(SignalKind::interrupt())?,
            terminate: listen(SignalKind::terminate())?,
            hangup,
        })
    }

    /// Waits for one of them.
    pub(crate) async fn stop(&mut self) -> Stop {
        let hangup = async {
            match &mut self.hangup {
                Some(hangup) => hangup.recv().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            _ = self.interrupt.recv() => Stop::Interrupt,
            _ = self.terminate.recv() => Stop::Terminate,
            _ = hangup => Stop::HangUp,
        }
    }
}

/// Whether SIGHUP is ignored, where the system says so in its process files.
fn hangup_is_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    // Signal 1 is the lowest bit.
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & 1 == 1)
}
