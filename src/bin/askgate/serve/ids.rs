//! Prompt ids that do not recur when a host is started again, so that an answer meant for an old prompt hits no new one.
//!
//! A file beside the socket says which numbers may have been used. It is written ahead, a block at a time, so that it
//! holds for a host that was killed too. Where the socket is in the runtime folder, it lives as long as the login.

use crate::exit::Failure;
use std::fs;
use std::path::{Path, PathBuf};

/// How many ids are reserved at a time.
const BLOCK: u64 = 1_000;

/// The ids that this host may give.
pub(super) struct Ids {
    file: PathBuf,
    /// No prompt has this number yet: each line that was taken counts as one, since it makes one at the most.
    next: u64,
    reserved: u64,
}

impl Ids {
    /// Reads the file beside the socket; the first id is 1 where there is none.
    ///
    /// # Errors
    /// A failure where it cannot be read or written, or holds something else.
    pub(super) fn open(socket: &Path) -> Result<Self, Failure> {
        let mut file = socket.as_os_str().to_owned();
        file.push(".next");
        let file = PathBuf::from(file);
        let failed = |error| Failure::io(&format!("{} cannot be read", file.display()), &error);
        let next = match fs::read_to_string(&file) {
            Ok(text) => text.trim().parse().map_err(|_| {
                failed(std::io::Error::other("it holds no number; remove it if no old prompt id is about"))
            })?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => 1,
            Err(error) => return Err(failed(error)),
        };
        let mut ids = Self { file, next, reserved: next };
        ids.reserve()?;
        Ok(ids)
    }

    /// The first id.
    pub(super) const fn first(&self) -> u64 {
        self.next
    }

    /// A line was taken, which may use an id.
    ///
    /// # Errors
    /// A failure where the next block cannot be written down.
    pub(super) fn count(&mut self) -> Result<(), Failure> {
        self.next = self.next.saturating_add(1);
        if self.next >= self.reserved { self.reserve() } else { Ok(()) }
    }

    fn reserve(&mut self) -> Result<(), Failure> {
        self.reserved = self.next.saturating_add(BLOCK);
        self.write(self.reserved)
    }

    fn write(&self, next: u64) -> Result<(), Failure> {
        fs::write(&self.file, format!("{next}\n"))
            .map_err(|error| Failure::io(&format!("{} cannot be written", self.file.display()), &error))
    }
}

impl Drop for Ids {
    fn drop(&mut self) {
        // What was reserved and not used need not be skipped; if this fails it is skipped.
        let _ = self.write(self.next);
    }
}
