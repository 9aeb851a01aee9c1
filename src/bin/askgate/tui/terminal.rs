//! The terminal itself, which is the controlling one, whatever stdin and stdout are: its modes, its size, and how all is
//! given back as it was found, however the program ends.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::termios::{OptionalActions, QueueSelector, Termios, tcflush, tcgetattr, tcgetwinsize, tcsetattr};
use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::sync::{Mutex, Once, PoisonError};
use std::time::{Duration, Instant};
use tokio::net::unix::pipe::Receiver;

/// How long the last words may take where the terminal does not read.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// Bracketed paste; presses and releases of mouse buttons, with coordinates of any size.
const MODES_ON: &str = "\x1b[?2004h\x1b[?1000h\x1b[?1006h";
/// Undoes [`MODES_ON`] and whatever a frame was in the middle of: styles, a hidden cursor, no wrapping, an update that is
/// not to be seen yet.
const MODES_OFF: &str = "\x1b[?1006l\x1b[?1000l\x1b[?2004l\x1b[0m\x1b[?7h\x1b[?25h\x1b[?2026l";
/// The keyboard protocol of kitty: unambiguous keys, with repeats and releases told apart. Terminals without it skip it.
const KEYS_ON: &str = "\x1b[>3u";
/// Undoes [`KEYS_ON`].
const KEYS_OFF: &str = "\x1b[<1u";

/// Columns and rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Size {
    pub(crate) columns: usize,
    pub(crate) rows: usize,
}

/// The controlling terminal. What was found is restored on drop, on a panic, and by [`Terminal::leave`].
pub(crate) struct Terminal {
    file: File,
    /// The same, to be waited for.
    reader: Receiver,
    found: Termios,
    entered: bool,
    out: Vec<u8>,
}

/// What a panic restores: the terminal that is entered.
static ENTERED: Mutex<Option<(File, Termios)>> = Mutex::new(None);

impl Terminal {
    /// Opens the controlling terminal, and leaves it as it is; an error where there is none.
    pub(crate) fn open() -> io::Result<Self> {
        // Opened anew, so that not blocking is our affair alone and not that of the shell whose terminal it is.
        let nonblocking = rustix::fs::OFlags::NONBLOCK.bits().cast_signed();
        let file = File::options().read(true).write(true).custom_flags(nonblocking).open("/dev/tty")?;
        let found = tcgetattr(&file)?;
        // A terminal is no pipe, but it is waited for in the same way.
        let reader = Receiver::from_file_unchecked(file.try_clone()?)?;
        Ok(Self { file, reader, found, entered: false, out: Vec::new() })
    }

    /// Takes the terminal over: raw, with the modes of [`MODES_ON`]. What was typed before is thrown away.
    pub(crate) fn enter(&mut self) -> io::Result<()> {
        if self.entered {
            return Ok(());
        }
        restore_on_panic();
        self.found = tcgetattr(&self.file)?;
        self.set_modes(OptionalActions::Flush)?;
        self.entered = true;
        *lock() = self.file.try_clone().ok().map(|file| (file, self.found.clone()));
        Ok(())
    }

    /// Takes it over again, after others may have changed its modes.
    pub(crate) fn enter_again(&mut self) -> io::Result<()> {
        if self.entered { self.set_modes(OptionalActions::Now) } else { self.enter() }
    }

    fn set_modes(&mut self, when: OptionalActions) -> io::Result<()> {
        let mut raw = self.found.clone();
        raw.make_raw();
        tcsetattr(&self.file, when, &raw)?;
        self.out.extend_from_slice(MODES_ON.as_bytes());
        if has_keys() {
            self.out.extend_from_slice(KEYS_ON.as_bytes());
        }
        Ok(())
    }

    /// Gives the terminal back. What is queued is written first, and what was typed meanwhile is thrown away: the rest of
    /// a paste or of a mouse report is not for whoever reads next.
    pub(crate) fn leave(&mut self) {
        if !std::mem::take(&mut self.entered) {
            return self.write_out(LAST_WORDS);
        }
        lock().take();
        self.out.extend_from_slice(goodbye().as_bytes());
        self.write_out(LAST_WORDS);
        give_back(&self.file, &self.found);
    }

    /// Queues what is to be written.
    pub(crate) fn out(&mut self) -> &mut Vec<u8> {
        &mut self.out
    }

    /// Everything that was queued is written.
    pub(crate) const fn is_written(&self) -> bool {
        self.out.is_empty()
    }

    /// The terminal is taken over.
    pub(crate) const fn is_entered(&self) -> bool {
        self.entered
    }

    /// Writes what is queued as far as the terminal takes it now.
    pub(crate) fn write(&mut self) -> io::Result<()> {
        while !self.out.is_empty() {
            match (&self.file).write(&self.out) {
                Ok(written) => {
                    self.out.drain(..written);
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Waits for input and reads some; `None` at the end of input. A call that is dropped loses nothing.
    pub(crate) async fn read(&self) -> io::Result<Option<Vec<u8>>> {
        let mut part = [0; 4096];
        loop {
            self.reader.readable().await?;
            match self.reader.try_read(&mut part) {
                Ok(0) => return Ok(None),
                Ok(read) => return Ok(Some(part.get(..read).unwrap_or_default().to_vec())),
                Err(error) if matches!(error.kind(), ErrorKind::Interrupted | ErrorKind::WouldBlock) => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Reads what is there already.
    pub(crate) fn read_now(&self) -> Vec<u8> {
        let mut all = Vec::new();
        let mut part = [0; 4096];
        // Any error is met again by whoever waits for input.
        while let Ok(read @ 1..) = (&self.file).read(&mut part) {
            all.extend_from_slice(part.get(..read).unwrap_or_default());
        }
        all
    }

    /// Its size. What it does not tell is taken to be 80 columns and 24 rows.
    pub(crate) fn size(&self) -> Size {
        let told = |told: u16, usual| if told == 0 { usual } else { usize::from(told) };
        tcgetwinsize(&self.file).map_or(Size { columns: 80, rows: 24 }, |size| Size {
            columns: told(size.ws_col, 80),
            rows: told(size.ws_row, 24),
        })
    }

    /// Writes what is queued, for so long at most.
    fn write_out(&mut self, most: Duration) {
        let until = Instant::now() + most;
        while !self.out.is_empty() {
            match (&self.file).write(&self.out) {
                Ok(written) => {
                    self.out.drain(..written);
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    let left = until.saturating_duration_since(Instant::now());
                    if left.is_zero() || !wait(&self.file, PollFlags::OUT, left) {
                        self.out.clear();
                    }
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => self.out.clear(),
            }
        }
    }

    /// Waits for an answer that the terminal still owes, for so long at most, so that it is thrown away with the rest of
    /// the input and not left to the shell.
    pub(crate) fn await_answer(&mut self, most: Duration) {
        self.write_out(most);
        wait(&self.file, PollFlags::IN, most);
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.leave();
    }
}

/// Whether it became ready in time. A hang-up counts: then there is nothing to wait for.
fn wait(file: &File, what: PollFlags, most: Duration) -> bool {
    let most = Timespec::try_from(most).ok();
    poll(&mut [PollFd::new(file, what)], most.as_ref()).is_ok_and(|ready| ready > 0)
}

fn lock() -> std::sync::MutexGuard<'static, Option<(File, Termios)>> {
    ENTERED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The console of Linux shows what it does not know of the keyboard protocol, in its older versions.
fn has_keys() -> bool {
    std::env::var_os("TERM").is_none_or(|term| term != "linux")
}

fn goodbye() -> String {
    format!("{}{MODES_OFF}", if has_keys() { KEYS_OFF } else { "" })
}

fn give_back(file: &File, found: &Termios) {
    // It fails only where the terminal is gone.
    let _ = tcflush(file, QueueSelector::IFlush);
    let _ = tcsetattr(file, OptionalActions::Now, found);
}

/// Lets a panic find a terminal that shows it as it should be shown.
fn restore_on_panic() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if let Some((mut file, found)) = lock().take() {
                let _ = file.write_all(format!("\r\n{}", goodbye()).as_bytes());
                give_back(&file, &found);
            }
            usual(panic);
        }));
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use portable_pty::{CommandBuilder, PtySize, native_pty_system};

    /// Runs itself on a terminal, so that there is one to be restored.
    #[test]
    fn a_panic_restores_the_terminal() {
        let pair = native_pty_system().openpty(PtySize::default()).unwrap();
        let mut command = CommandBuilder::new("sh");
        let this = std::env::current_exe().unwrap();
        let path = std::env::temp_dir().join(format!("askgate-panic-{}", std::process::id()));
        let script = format!(
            "stty -g >{path}; {this} --ignored --exact --nocapture tui::terminal::tests::panics_on_the_terminal; stty -g >>{path}",
            path = path.display(),
            this = this.display(),
        );
        command.args(["-c", &script]);
        let mut child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let mut reader = pair.master.try_clone_reader().unwrap();
        let output = std::thread::spawn(move || {
            let mut all = Vec::new();
            // At the end of a pseudo-terminal reading fails.
            let _ = reader.read_to_end(&mut all);
            String::from_utf8_lossy(&all).into_owned()
        });
        child.wait().unwrap();
        drop(pair.master);
        let modes = std::fs::read_to_string(&path).unwrap();
        let _ = std::fs::remove_file(&path);
        let (before, after) = modes.trim().split_once('\n').unwrap();
        assert_eq!(before, after);
        let output = output.join().unwrap();
        let restored = output.find(MODES_OFF).expect("the modes are switched off");
        let message = output.find("on purpose").expect("the panic is shown");
        assert!(output.find(MODES_ON).is_some_and(|entered| entered < restored) && restored < message);
    }

    #[test]
    #[ignore = "a part of the test above"]
    fn panics_on_the_terminal() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let mut terminal = Terminal::open().unwrap();
            terminal.enter().unwrap();
            terminal.write().unwrap();
            panic!("on purpose");
        });
    }
}
