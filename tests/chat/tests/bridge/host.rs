//! The real binary: a host with a bridge, and those who talk to it.

use askgate_chat_types::stand_in::{SECRET, StandIn, TOKEN};
use portable_pty::{CommandBuilder, MasterPty, PtySize, native_pty_system};
use serde_json::{Value, json};
use std::fs::{self, Permissions};
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{JoinHandle, sleep, spawn};
use std::time::{Duration, Instant};

/// Longer than anything here takes on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(60);

const RUNTIME: &str = "runtime-runtime-runtime-runtime-runtime";

/// A folder of one test's own.
pub struct Room(PathBuf);

impl Room {
    pub fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let n = NEXT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("askgate-bridge-{}-{n}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("runtime"), RUNTIME).unwrap();
        fs::set_permissions(folder.join("runtime"), Permissions::from_mode(0o600)).unwrap();
        Self(folder)
    }

    /// The binary, in this room and in nobody's environment.
    pub fn command(&self, args: &[&str]) -> Command {
        let binary =
            std::env::var_os("ASKGATE_BIN").expect("ASKGATE_BIN names the binary; tests/chat/run.sh sets it");
        let mut command = Command::new("setsid");
        command.arg("-w").arg(binary).args(args).current_dir(&self.0).env_clear();
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.env("ASKGATE_SOCKET", self.0.join("socket"));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// The command of a host in the stand-in's Telegram, where the users 5 and 6 may answer.
    pub fn host_command(&self, telegram: &StandIn) -> Command {
        let mut command = self.command(&["serve", "--headless", "--telegram", "--runtimes", "runtime"]);
        command.env("ASKGATE_TELEGRAM_TOKEN", TOKEN).env("ASKGATE_TELEGRAM_USERS", "5,6");
        command.env("ASKGATE_TELEGRAM_API", telegram.address());
        command
    }

    /// A host on a terminal of its own, whose prompts of dialect A go to that chat as well.
    pub fn terminal(&self, telegram: &StandIn, chat: &str, plain: bool) -> Terminal {
        let from = self.host_command(telegram);
        let mut command = CommandBuilder::new(std::env::var_os("ASKGATE_BIN").unwrap());
        command.args(["serve", "--telegram"]);
        if plain {
            command.arg("--plain");
        }
        command.env_clear();
        for (name, value) in from.get_envs() {
            command.env(name, value.unwrap_or_default());
        }
        command.env("ASKGATE_TELEGRAM_CHAT", chat);
        command.env("TERM", "xterm-256color");
        command.cwd(&self.0);
        Terminal::start(command)
    }

    /// A host whose prompts of dialect A go to that chat, once it listens.
    pub fn host(&self, telegram: &StandIn, chat: Option<&str>) -> Host {
        let mut command = self.host_command(telegram);
        if let Some(chat) = chat {
            command.env("ASKGATE_TELEGRAM_CHAT", chat);
        }
        let host = Host(Running::start(command));
        host.0.says("asking in Telegram as @askgate_bot");
        host
    }

    pub fn ask(&self, args: &[&str]) -> Running {
        Running::start(self.command(&[&["ask"], args].concat()))
    }

    /// Runs a command to its end.
    pub fn run(&self, args: &[&str]) -> (i32, String) {
        Running::start(self.command(args)).end()
    }

    /// A client of the socket that may ask for runs.
    pub fn runtime(&self) -> Runtime {
        let mut stream = UnixStream::connect(self.0.join("socket")).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.write_all(format!("token {RUNTIME}\n").as_bytes()).unwrap();
        Runtime { lines: BufReader::new(stream), calls: 0 }
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A program, and all that it prints, on both its outputs.
pub struct Running {
    child: Child,
    said: Arc<Mutex<String>>,
    readers: Vec<JoinHandle<()>>,
}

impl Running {
    pub fn start(mut command: Command) -> Self {
        let mut child = command.spawn().unwrap();
        let said = Arc::new(Mutex::new(String::new()));
        let outputs: [Option<Box<dyn Read + Send>>; 2] = [
            child.stdout.take().map(|output| Box::new(output) as _),
            child.stderr.take().map(|output| Box::new(output) as _),
        ];
        let reader = |output: Box<dyn Read + Send>| {
            let said = Arc::clone(&said);
            spawn(move || {
                for line in BufReader::new(output).lines() {
                    let Ok(line) = line else { return };
                    said.lock().unwrap().push_str(&format!("{line}\n"));
                }
            })
        };
        let readers = outputs.into_iter().flatten().map(reader).collect();
        Self { child, said, readers }
    }

    pub fn said(&self) -> String {
        self.said.lock().unwrap().clone()
    }

    /// Waits until it has said that.
    pub fn says(&self, text: &str) {
        let end = Instant::now() + PATIENCE;
        while !self.said().contains(text) {
            assert!(Instant::now() < end, "{text:?} is not said in:\n{}", self.said());
            sleep(Duration::from_millis(5));
        }
    }

    /// The exit code, and all that was printed.
    pub fn end(mut self) -> (i32, String) {
        let status = self.wait();
        for reader in self.readers.drain(..) {
            reader.join().unwrap();
        }
        let said = self.said();
        assert!(!said.contains(SECRET), "the token is told:\n{said}");
        (status.code().unwrap_or(-1), said)
    }

    fn wait(&mut self) -> ExitStatus {
        let end = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(Instant::now() < end, "it does not end:\n{}", self.said());
            sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A host. It is ended by a test, or killed with it.
pub struct Host(pub Running);

impl Host {
    pub fn signal(&self, name: &str) {
        assert!(Command::new("kill").args([name, &self.id().to_string()]).status().unwrap().success());
    }

    /// Ends it as a service manager does. Gives all that it said.
    pub fn stop(self) -> String {
        let arguments = fs::read(format!("/proc/{}/cmdline", self.id())).unwrap_or_default();
        assert!(
            !String::from_utf8_lossy(&arguments).contains(SECRET),
            "the token is in the list of processes"
        );
        self.signal("-TERM");
        let (code, said) = self.0.end();
        assert_eq!(code, 0, "{said}");
        said
    }

    /// Kills it, as a crash does.
    pub fn kill(self) {
        self.signal("-KILL");
        let said = self.0.said();
        assert!(!said.contains(SECRET), "the token is told:\n{said}");
    }

    fn id(&self) -> u32 {
        self.0.child.id()
    }
}

/// A host on a pseudo-terminal, and what it has printed since it was last looked for something.
pub struct Terminal {
    /// Held open: the terminal ends with it.
    _master: Box<dyn MasterPty + Send>,
    writer: Box<dyn Write + Send>,
    child: Box<dyn portable_pty::Child + Send + Sync>,
    seen: Arc<Mutex<String>>,
}

impl Terminal {
    fn start(command: CommandBuilder) -> Self {
        let size = PtySize { rows: 30, cols: 100, ..PtySize::default() };
        let pair = native_pty_system().openpty(size).unwrap();
        let child = pair.slave.spawn_command(command).unwrap();
        let mut reader = pair.master.try_clone_reader().unwrap();
        let writer = pair.master.take_writer().unwrap();
        let seen = Arc::new(Mutex::new(String::new()));
        let shared = Arc::clone(&seen);
        spawn(move || {
            let mut bytes = [0; 4_096];
            while let Ok(count @ 1..) = reader.read(&mut bytes) {
                shared.lock().unwrap().push_str(&String::from_utf8_lossy(&bytes[..count]));
            }
        });
        Self { _master: pair.master, writer, child, seen }
    }

    /// Waits for a text after all that was waited for before.
    pub fn sees(&self, text: &str) {
        let end = Instant::now() + PATIENCE;
        loop {
            {
                let mut seen = self.seen.lock().unwrap();
                assert!(!seen.contains(SECRET), "the token is told:\n{seen}");
                if let Some(at) = seen.find(text) {
                    seen.drain(..at + text.len());
                    return;
                }
                assert!(Instant::now() < end, "{text:?} is not to be seen in:\n{seen}");
            }
            sleep(Duration::from_millis(5));
        }
    }

    /// Types an answer, once what is typed counts.
    pub fn answers(&mut self, keys: &str) {
        sleep(Duration::from_millis(400));
        self.writer.write_all(keys.as_bytes()).unwrap();
    }

    /// Ends it as a service manager does.
    pub fn ends(mut self) {
        let id = self.child.process_id().unwrap();
        assert!(Command::new("kill").args(["-TERM", &id.to_string()]).status().unwrap().success());
        assert!(self.child.wait().unwrap().success());
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
    }
}

/// A runtime: it asks for the runs of sessions.
pub struct Runtime {
    lines: BufReader<UnixStream>,
    calls: u64,
}

impl Runtime {
    /// Asks a form of a session's run `r`. Gives the call's id.
    pub fn request(&mut self, session: &str, questions: &Value) -> u64 {
        let params = json!({ "session_key": session, "run_id": "r", "questions": questions });
        self.call("sessions.prompt.request", &params)
    }

    pub fn call(&mut self, method: &str, params: &Value) -> u64 {
        self.calls += 1;
        let line = json!({ "id": self.calls, "method": method, "params": params });
        self.lines.get_mut().write_all(format!("{line}\n").as_bytes()).unwrap();
        self.calls
    }

    /// The result of a call; pushes are skipped.
    pub fn result(&mut self, call: u64) -> Value {
        loop {
            let mut line = String::new();
            assert_ne!(self.lines.read_line(&mut line).unwrap(), 0, "the host hung up");
            let message: Value = serde_json::from_str(&line).unwrap();
            if message["id"] == call {
                return message["result"].clone();
            }
        }
    }

    /// The details of the tool result of a call.
    pub fn details(&mut self, call: u64) -> Value {
        self.result(call)["details"].clone()
    }
}
