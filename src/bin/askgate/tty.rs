//! The controlling terminal, whatever stdin and stdout are.

use rustix::fs::OFlags;
use rustix::io::Errno;
use rustix::termios::{
    InputModes, LocalModes, OptionalActions, QueueSelector, Termios, tcflush, tcgetattr, tcgetwinsize,
    tcsetattr,
};
use std::fs::File;
use std::io::{self, ErrorKind};
use std::os::unix::fs::OpenOptionsExt;
use tokio::net::unix::pipe::{Receiver, Sender};

/// What a terminal's own line editor may hold. A line of that length may have been cut.
pub(crate) const LINE_MAX: usize = 4095;

/// Unwritten text that makes room for the next prompt: it is about prompts that have ended.
const BACKLOG: usize = 1 << 20;

/// The terminal in line mode: its own line editor, echo and Ctrl+C. What was found is restored on drop.
pub(crate) struct Tty {
    reader: Receiver,
    writer: Sender,
    found: Option<Termios>,
    input: Vec<u8>,
    output: Vec<u8>,
    /// The output had to wait, as after Ctrl+S: what was typed meanwhile was typed before the text could be read.
    stalled: bool,
}

impl Tty {
    /// Opens the controlling terminal; an error where there is none.
    pub(crate) fn open() -> io::Result<Self> {
        // Opened anew, so that not blocking is our affair alone and not that of the shell whose terminal it is.
        let nonblocking = OFlags::NONBLOCK.bits().cast_signed();
        let file = File::options().read(true).write(true).custom_flags(nonblocking).open("/dev/tty")?;
        let found = tcgetattr(&file)?;
        let mut wanted = found.clone();
        wanted.local_modes |= LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG;
        wanted.input_modes |= InputModes::ICRNL;
        let changed = (wanted.local_modes, wanted.input_modes) != (found.local_modes, found.input_modes);
        if changed {
            tcsetattr(&file, OptionalActions::Now, &wanted)?;
        }
        let found = changed.then_some(found);
        // A terminal is no pipe, but it is read, written and waited for in the same way.
        let reader = Receiver::from_file_unchecked(file.try_clone()?)?;
        let writer = Sender::from_file_unchecked(file)?;
        Ok(Self { reader, writer, found, input: Vec::new(), output: Vec::new(), stalled: false })
    }

    /// How many columns it has; 80 if it does not say.
    pub(crate) fn columns(&self) -> usize {
        tcgetwinsize(&self.reader).map_or(80, |size| match size.ws_col {
            0 => 80,
            columns => usize::from(columns),
        })
    }

    /// Queues text; [`Self::line`] writes it before it reads.
    pub(crate) fn print(&mut self, text: &str) {
        self.output.extend_from_slice(text.as_bytes());
    }

    /// Throws away what was typed so far, also a line that was begun, and text of earlier prompts that nobody could read.
    pub(crate) fn start_over(&mut self) {
        if self.output.len() > BACKLOG {
            self.output.clear();
        }
        self.discard_input();
    }

    fn discard_input(&mut self) {
        self.input.clear();
        // It fails only where the terminal is gone, which reading tells.
        let _ = tcflush(&self.reader, QueueSelector::IFlush);
    }

    /// The next line that is typed, without its end; `None` at the end of input. A call that is dropped loses nothing.
    pub(crate) async fn line(&mut self) -> io::Result<Option<Vec<u8>>> {
        self.flush().await?;
        loop {
            if let Some(end) = self.input.iter().position(|byte| *byte == b'\n') {
                let mut line: Vec<u8> = self.input.drain(..=end).collect();
                line.pop();
                return Ok(Some(line));
            }
            self.reader.readable().await?;
            let mut part = [0; 4096];
            match self.reader.try_read(&mut part) {
                Ok(0) => return Ok(None),
                Ok(read) => self.input.extend_from_slice(part.get(..read).unwrap_or_default()),
                Err(error) if matches!(error.kind(), ErrorKind::Interrupted | ErrorKind::WouldBlock) => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Writes what is queued. A call that is dropped loses nothing.
    pub(crate) async fn flush(&mut self) -> io::Result<()> {
        while !self.output.is_empty() {
            // Not through the runtime, which may not know yet that there is room: only the terminal can say "stalled".
            match rustix::io::write(&self.writer, &self.output) {
                Ok(written) => self.written(written),
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => {
                    self.stalled = true;
                    // Makes the runtime notice that there is no room, so that it waits for some.
                    match self.writer.try_write(&self.output) {
                        Ok(written) => self.written(written),
                        Err(error) if error.kind() == ErrorKind::WouldBlock => self.writer.writable().await?,
                        Err(error) => return Err(error),
                    }
                }
                Err(error) => return Err(error.into()),
            }
        }
        if std::mem::take(&mut self.stalled) {
            self.discard_input();
        }
        Ok(())
    }

    fn written(&mut self, bytes: usize) {
        self.output.drain(..bytes);
    }
}

impl Drop for Tty {
    fn drop(&mut self) {
        // The rest of a paste, or half a line, is not for whoever reads the terminal next.
        self.discard_input();
        if let Some(found) = &self.found {
            let _ = tcsetattr(&self.reader, OptionalActions::Now, found);
        }
    }
}
