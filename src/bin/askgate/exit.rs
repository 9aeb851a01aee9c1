//! Exit codes, and how a command that failed says so.

use askgate::error::Code;
use std::io::{self, Write};
use std::process::ExitCode;

/// How a command ended (spec 14).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Answered, or done.
    Done = 0,
    /// An error, or bad usage.
    Error = 1,
    /// The prompt timed out.
    TimedOut = 2,
    /// The prompt was cancelled or declined.
    Cancelled = 3,
    /// Nobody could be asked, or there is no host.
    NoSurface = 4,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// Why a command came to nothing.
#[derive(Debug)]
pub(crate) struct Failure {
    exit: Exit,
    /// As on the wire: `code: path: sentence`.
    error: String,
    /// What a person reads.
    sentence: String,
}

impl Failure {
    /// An error that the core or a host reported, as `code: path: sentence` or `code: sentence`.
    pub(crate) fn wire(error: String) -> Self {
        let unavailable = error.split(':').next() == Some(Code::Unavailable.as_str());
        let exit = if unavailable { Exit::NoSurface } else { Exit::Error };
        Self { exit, sentence: error.clone(), error }
    }

    /// An error of the command itself.
    pub(crate) fn error(code: Code, sentence: impl Into<String>) -> Self {
        Self::new(Exit::Error, code, sentence.into())
    }

    /// Nobody can be asked, or there is no host.
    pub(crate) fn no_surface(sentence: impl Into<String>) -> Self {
        Self::new(Exit::NoSurface, Code::Unavailable, sentence.into())
    }

    /// The person at the terminal gave up.
    pub(crate) fn given_up(sentence: impl Into<String>) -> Self {
        Self::new(Exit::Cancelled, Code::NotAcknowledged, sentence.into())
    }

    /// The system refused something.
    pub(crate) fn io(what: &str, error: &io::Error) -> Self {
        Self::error(Code::Unavailable, format!("{what}: {error}."))
    }

    fn new(exit: Exit, code: Code, sentence: String) -> Self {
        Self { exit, error: format!("{code}: {sentence}"), sentence }
    }

    /// Says why on stderr, and with `--json` as an object on stdout too.
    pub(crate) fn report(self, json: bool) -> Exit {
        // Whoever does not read the reason still gets the code.
        let _ = writeln!(io::stderr(), "askgate: {}", self.sentence);
        if json {
            let error = serde_json::json!({ "error": self.error });
            let _ = writeln!(io::stdout(), "{error}");
        }
        self.exit
    }
}

/// Writes to stdout.
///
/// # Errors
/// A failure where nobody reads it: a value that was not delivered is not an answer that was.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .map_err(|error| Failure::io("stdout could not be written", &error))
}

/// Writes one line to stderr; whether anybody reads it does not matter.
pub(crate) fn note(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}
