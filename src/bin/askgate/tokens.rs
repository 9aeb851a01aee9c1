//! Who may do more than any client of the socket: whoever shows a token from a file that only we can read.
//!
//! A client shows its token as its first line, `token TEXT`. That is said to the host and not in a message of the protocol:
//! the host then opens the client's connection anew with what the token grants.

use crate::args::Serve;
use crate::exit::Failure;
use askgate::endpoint::Authority;
use askgate::error::Code;
use rustix::process::getuid;
use std::fs::File;
use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// The fewest bytes of a token: what nobody guesses.
const SHORTEST: usize = 32;

/// The most bytes of a token file.
const LONGEST: u64 = 4_096;

/// What any client of the socket may do.
pub(crate) const CLIENT: Authority =
    Authority { observer: true, answer: true, operator: false, runtime: false };

/// The tokens of a host.
#[derive(Default)]
pub(crate) struct Tokens {
    operator: Option<String>,
    runtime: Option<String>,
}

impl Tokens {
    /// Reads the files that the command line names.
    ///
    /// # Errors
    /// A failure where one cannot be read, others can read it too, or it holds no token.
    pub(crate) fn read(args: &Serve) -> Result<Self, Failure> {
        let read = |file: &Option<_>| file.as_deref().map(read).transpose();
        Ok(Self { operator: read(&args.operators)?, runtime: read(&args.runtimes)? })
    }

    /// What the token grants; `None` if it is none of ours.
    pub(crate) fn authority(&self, token: &[u8]) -> Option<Authority> {
        let is = |own: &Option<String>| own.as_ref().is_some_and(|own| equal(own.as_bytes(), token));
        let (operator, runtime) = (is(&self.operator), is(&self.runtime));
        (operator || runtime).then_some(Authority { operator, runtime, ..CLIENT })
    }
}

/// The token in a line, if it shows one.
pub(crate) fn shown(line: &[u8]) -> Option<&[u8]> {
    line.strip_prefix(b"token ").map(<[u8]>::trim_ascii)
}

/// Takes as long for every text of that length.
fn equal(own: &[u8], other: &[u8]) -> bool {
    own.len() == other.len() && own.iter().zip(other).fold(0, |differs, (a, b)| differs | (a ^ b)) == 0
}

/// Reads a token from a file that is ours and that nobody else may read.
///
/// # Errors
/// A failure where it cannot be read, others can read it too, or it holds no token.
pub(crate) fn read(path: &Path) -> Result<String, Failure> {
    let shown = path.display();
    let failed = |error| Failure::io(&format!("The token file {shown} cannot be read"), &error);
    let file = File::open(path).map_err(failed)?;
    let found = file.metadata().map_err(failed)?;
    if !found.is_file() || found.uid() != getuid().as_raw() || found.mode() & 0o077 != 0 {
        let sentence =
            format!("The token file {shown} must be a file of yours that nobody else may read (mode 600).");
        return Err(Failure::error(Code::Forbidden, sentence));
    }
    let mut text = String::new();
    file.take(LONGEST).read_to_string(&mut text).map_err(failed)?;
    let token = text.trim();
    if token.len() < SHORTEST || !token.bytes().all(|byte| byte.is_ascii_graphic()) {
        let sentence = format!(
            "The token file {shown} must hold one word of {SHORTEST} or more ASCII characters; make it with: \
             (umask 077; head -c 32 /dev/urandom | base64 > FILE)"
        );
        return Err(Failure::error(Code::InvalidValue, sentence));
    }
    Ok(token.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_grants_what_its_file_is_for_and_nothing_else_does() {
        let token = |byte: &str| Some(byte.repeat(SHORTEST));
        let tokens = Tokens { operator: token("o"), runtime: token("r") };
        let granted = |text: &str| tokens.authority(text.as_bytes()).map(|it| (it.operator, it.runtime));
        assert_eq!(granted(&"o".repeat(SHORTEST)), Some((true, false)));
        assert_eq!(granted(&"r".repeat(SHORTEST)), Some((false, true)));
        for other in
            [String::new(), "o".repeat(SHORTEST - 1), "o".repeat(SHORTEST + 1), "or".repeat(SHORTEST / 2)]
        {
            assert_eq!(granted(&other), None, "{other:?}");
        }
        let both = Tokens { operator: token("x"), runtime: token("x") };
        let granted = both.authority("x".repeat(SHORTEST).as_bytes()).unwrap();
        assert!(granted.operator && granted.runtime && granted.observer && granted.answer);
        assert_eq!(Tokens::default().authority(b""), None);
    }

    #[test]
    fn a_token_is_shown_by_a_line_that_is_no_message() {
        assert_eq!(shown(b"token abc \r"), Some(&b"abc"[..]));
        for line in [&b"{\"token\":\"abc\"}"[..], b"token", b"Token abc", b" token abc"] {
            assert_eq!(shown(line), None);
        }
    }
}
