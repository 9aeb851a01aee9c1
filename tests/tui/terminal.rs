//! A terminal with a program on it: a pseudo-terminal, and an emulator that reads its screen and answers where its cursor
//! is, as terminals do.

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use std::collections::VecDeque;
use std::fs;
use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::sleep;
use std::time::{Duration, Instant};

pub(crate) const ASKGATE: &str = env!("CARGO_BIN_EXE_askgate");

/// Longer than anything here takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(20);

/// Longer than a prompt holds what could answer it, but for a command.
const GUARD: Duration = Duration::from_millis(320);

/// A folder of one test's own.
pub(crate) struct Room {
    pub(crate) folder: PathBuf,
}

impl Room {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let n = NEXT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("askgate-tui-{}-{n}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Self { folder }
    }

    /// Writes a file, and gives its path.
    pub(crate) fn file(&self, name: &str, text: &str) -> String {
        let path = self.folder.join(name);
        fs::write(&path, text).unwrap();
        path.display().to_string()
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.folder.join(name)).unwrap_or_default()
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// How a terminal is.
pub(crate) struct Setup {
    pub(crate) columns: u16,
    pub(crate) rows: u16,
    pub(crate) term: &'static str,
    pub(crate) environment: Vec<(&'static str, &'static str)>,
    /// It tells where its cursor is.
    pub(crate) answers: bool,
}

impl Default for Setup {
    fn default() -> Self {
        Self { columns: 80, rows: 24, term: "xterm-256color", environment: Vec::new(), answers: true }
    }
}

pub(crate) fn sized(columns: u16, rows: u16) -> Setup {
    Setup { columns, rows, ..Setup::default() }
}

/// Remembers how often it was asked where its cursor is.
#[derive(Default)]
struct Asked {
    at: VecDeque<(u16, u16)>,
}

impl vt100::Callbacks for Asked {
    fn unhandled_csi(
        &mut self,
        screen: &mut vt100::Screen,
        first: Option<u8>,
        _second: Option<u8>,
        params: &[&[u16]],
        last: char,
    ) {
        if (first, params, last) == (None, &[&[6_u16][..]][..], 'n') {
            self.at.push_back(screen.cursor_position());
        }
    }
}

type Emulator = vt100::Parser<Asked>;

/// A program on a terminal.
pub(crate) struct Terminal {
    pub(crate) room: Room,
    master: Option<Box<dyn MasterPty + Send>>,
    writer: Arc<Mutex<Box<dyn Write + Send>>>,
    child: Box<dyn Child + Send + Sync>,
    emulator: Arc<Mutex<Emulator>>,
    raw: Arc<Mutex<Vec<u8>>>,
}

impl Terminal {
    /// Runs the binary, and nothing else.
    pub(crate) fn ask(room: Room, setup: &Setup, args: &[&str]) -> Self {
        let mut command = CommandBuilder::new(ASKGATE);
        command.args(args);
        Self::start(room, setup, command)
    }

    /// Runs a script between two lines of its own. `$ASKGATE` is the binary. The modes of the terminal before and after are
    /// in the files `before` and `after` of the room.
    pub(crate) fn script(room: Room, setup: &Setup, script: &str) -> Self {
        let mut command = CommandBuilder::new("sh");
        let script =
            format!("echo above; stty -g >before; {script}\ncode=$?; stty -g >after; echo code=$code");
        command.args(["-c", &script]);
        Self::start(room, setup, command)
    }

    pub(crate) fn start(room: Room, setup: &Setup, mut command: CommandBuilder) -> Self {
        let size = PtySize { rows: setup.rows, cols: setup.columns, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        for name in ["ASKGATE_SOCKET", "ASKGATE_SURFACE", "NO_COLOR", "ACCESSIBLE"] {
            command.env_remove(name);
        }
        command.env("ASKGATE", ASKGATE);
        command.env("XDG_RUNTIME_DIR", &room.folder);
        command.env("TERM", setup.term);
        for (name, value) in &setup.environment {
            command.env(name, value);
        }
        command.cwd(&room.folder);
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let (rows, columns) = (least(setup.rows, 24), least(setup.columns, 80));
        let emulator =
            Arc::new(Mutex::new(Emulator::new_with_callbacks(rows, columns, 100, Asked::default())));
        let raw = Arc::new(Mutex::new(Vec::new()));
        let writer = Arc::new(Mutex::new(pair.master.take_writer().unwrap()));
        let mut reader = pair.master.try_clone_reader().unwrap();
        let (emulates, records, replies) = (Arc::clone(&emulator), Arc::clone(&raw), Arc::clone(&writer));
        let answers = setup.answers;
        std::thread::spawn(move || {
            let mut part = [0; 4096];
            while let Ok(read @ 1..) = reader.read(&mut part) {
                let mut emulator = emulates.lock().unwrap();
                emulator.process(&part[..read]);
                records.lock().unwrap().extend_from_slice(&part[..read]);
                let asked: Vec<_> = emulator.callbacks_mut().at.drain(..).collect();
                drop(emulator);
                for (row, column) in asked.into_iter().filter(|_| answers) {
                    let reply = format!("\x1b[{};{}R", row + 1, column + 1);
                    let _ = replies.lock().unwrap().write_all(reply.as_bytes());
                }
            }
        });
        Self { room, master: Some(pair.master), writer, child, emulator, raw }
    }

    /// The rows of the screen, without the empty ones at its end.
    pub(crate) fn screen(&self) -> String {
        let emulator = self.emulator.lock().unwrap();
        let columns = emulator.screen().size().1.get();
        let rows: Vec<String> =
            emulator.screen().rows(0, columns).map(|row| row.trim_end().to_owned()).collect();
        rows.join("\n").trim_end().to_owned()
    }

    /// All that was written.
    pub(crate) fn raw(&self) -> String {
        String::from_utf8_lossy(&self.raw.lock().unwrap()).into_owned()
    }

    /// What the emulator knows, such as its cursor and its modes.
    pub(crate) fn with_screen<T>(&self, look: impl FnOnce(&vt100::Screen) -> T) -> T {
        look(self.emulator.lock().unwrap().screen())
    }

    /// Waits until the screen is as wanted, and gives it.
    #[track_caller]
    pub(crate) fn wait(&self, what: &str, wanted: impl Fn(&str) -> bool) -> String {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let screen = self.screen();
            if wanted(&screen) {
                return screen;
            }
            assert!(Instant::now() < deadline, "waited for {what}; the screen is\n{screen}");
            sleep(Duration::from_millis(5));
        }
    }

    /// Waits until the text is on the screen.
    #[track_caller]
    pub(crate) fn see(&self, text: &str) -> String {
        self.wait(text, |screen| screen.contains(text))
    }

    /// Waits until the text is there, and then until what could answer is not held any more.
    #[track_caller]
    pub(crate) fn ready(&self, text: &str) {
        self.see(text);
        sleep(GUARD);
    }

    pub(crate) fn type_keys(&self, keys: &str) {
        self.writer.lock().unwrap().write_all(keys.as_bytes()).unwrap();
    }

    /// Clicks on the first place where the text is on the screen.
    #[track_caller]
    pub(crate) fn click(&self, text: &str) {
        let screen = self.see(text);
        let (row, line) = screen.lines().enumerate().find(|(_, line)| line.contains(text)).unwrap();
        let column = line.split(text).next().unwrap().chars().count();
        let (column, row) = (column + 1, row + 1);
        self.type_keys(&format!("\x1b[<0;{column};{row}M\x1b[<0;{column};{row}m"));
    }

    /// Gives the terminal another size.
    pub(crate) fn resize(&self, columns: u16, rows: u16) {
        self.emulator.lock().unwrap().set_size(least(rows, 24), least(columns, 80));
        let size = PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 };
        self.master.as_ref().unwrap().resize(size).unwrap();
    }

    /// Closes the terminal.
    pub(crate) fn close(&mut self) {
        // The writer is a copy of the same end.
        *self.writer.lock().unwrap() = Box::new(std::io::sink());
        self.master = None;
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.process_id().unwrap()
    }

    /// Waits for the program's end; gives its exit code and the last screen.
    #[track_caller]
    pub(crate) fn end(&mut self) -> (u32, String) {
        let deadline = Instant::now() + PATIENCE;
        let code = loop {
            match self.child.try_wait().unwrap() {
                Some(status) => break status.exit_code(),
                None => assert!(Instant::now() < deadline, "it runs on; the screen is\n{}", self.screen()),
            }
            sleep(Duration::from_millis(5));
        };
        // The last words may still be on their way.
        let mut seen = usize::MAX;
        while std::mem::replace(&mut seen, self.raw.lock().unwrap().len()) != seen {
            sleep(Duration::from_millis(30));
        }
        (code, self.screen())
    }

    /// Waits for the end of a script; checks that the terminal is as it was, and gives the exit code and what is on the
    /// screen between the script's own lines.
    #[track_caller]
    pub(crate) fn end_of_script(&mut self) -> (u32, String) {
        let (_, screen) = self.end();
        let before = self.room.read("before");
        assert!(!before.is_empty());
        assert_eq!(before, self.room.read("after"), "the terminal's modes");
        self.is_as_before();
        let above = screen.find("above\n").map_or(0, |at| at + "above\n".len());
        let (left, code) = screen.rsplit_once("code=").unwrap_or_else(|| panic!("{screen}"));
        (code.trim().parse().unwrap(), left.get(above..).unwrap_or_default().trim_end().to_owned())
    }

    /// Checks that what the emulator knows of its modes is as it was.
    #[track_caller]
    pub(crate) fn is_as_before(&self) {
        self.with_screen(|screen| {
            assert!(!screen.hide_cursor(), "the cursor is hidden");
            assert!(!screen.bracketed_paste(), "pastes are bracketed");
            assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None);
            assert!(!screen.bold() && !screen.inverse() && !screen.dim());
            assert_eq!(screen.fgcolor(), vt100::Color::Default);
        });
        let raw = self.raw();
        let count = |text: &str| raw.matches(text).count();
        assert_eq!(count("\x1b[>3u"), count("\x1b[<1u"), "keyboard protocol");
        assert_eq!(
            count("\x1b[?7l"),
            count("\x1b[?7h") - count("\x1b[?2026l") + count("\x1b[?2026h"),
            "wrapping"
        );
        assert!(raw.rfind("\x1b[?2026l") >= raw.rfind("\x1b[?2026h"), "an update that is not to be seen");
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn least(told: u16, unknown: u16) -> NonZeroU16 {
    NonZeroU16::new(told).or(NonZeroU16::new(unknown)).unwrap()
}

/// Sends a signal.
pub(crate) fn signal(pid: u32, name: &str) {
    let sent = std::process::Command::new("kill").args([format!("-{name}"), pid.to_string()]).status();
    assert!(sent.unwrap().success());
}

/// The example form.
pub(crate) fn deploy() -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/deploy.json").display().to_string()
}
