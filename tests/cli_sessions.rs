//! Sessions on the command line: a runtime asks, a bound terminal or an operator on the socket answers, and nobody else can.

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use serde_json::{Value, json};
use std::fs::{self, Permissions};
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::thread::spawn;
use std::time::{Duration, Instant};

const ASKGATE: &str = env!("CARGO_BIN_EXE_askgate");

/// Longer than anything here takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(20);

const FORM: &str = r#"{"questions":[
    {"id":"approach","question":"Which approach?","options":[{"label":"Small change"},{"label":"Full refactor"}],"recommended":1},
    {"id":"why","question":"Why?","options":[]}]}"#;

/// A folder of one test's own, with the tokens and the form in it.
struct Room(PathBuf);

impl Room {
    fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let n = NEXT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("askgate-sessions-{}-{n}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let room = Self(folder);
        for name in ["operator", "runtime"] {
            room.write(name, &token(name), 0o600);
        }
        room.write("form.json", FORM, 0o644);
        room
    }

    fn write(&self, name: &str, text: &str, mode: u32) {
        fs::write(self.0.join(name), text).unwrap();
        fs::set_permissions(self.0.join(name), Permissions::from_mode(mode)).unwrap();
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(ASKGATE);
        command.args(args).current_dir(&self.0).env("ASKGATE_SOCKET", self.0.join("socket"));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    /// A host whose terminal is the surface of the session `s`.
    fn terminal(&self) -> Terminal {
        let args = ["serve", "--plain", "--session", "s", "--runtimes", "runtime", "--operators", "operator"];
        let mut command = CommandBuilder::new(ASKGATE);
        command.args(args);
        command.cwd(&self.0);
        command.env("ASKGATE_SOCKET", self.0.join("socket"));
        let pty = native_pty_system().openpty(PtySize { rows: 30, cols: 100, ..PtySize::default() }).unwrap();
        let child = pty.slave.spawn_command(command).unwrap();
        let (sender, shown) = channel();
        let mut reader = pty.master.try_clone_reader().unwrap();
        spawn(move || {
            let mut bytes = [0; 4_096];
            while let Ok(count @ 1..) = reader.read(&mut bytes) {
                let text = String::from_utf8_lossy(&bytes[..count]).into_owned();
                if sender.send(text).is_err() {
                    return;
                }
            }
        });
        let writer = pty.master.take_writer().unwrap();
        let mut terminal = Terminal { master: Some(pty.master), writer, child, shown, seen: String::new() };
        terminal.wait_for("listening at");
        terminal
    }

    /// A client of the socket that shows a token, if it has one.
    fn connect(&self, role: Option<&str>) -> Peer {
        let stream = UnixStream::connect(self.0.join("socket")).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut peer = Peer(BufReader::new(stream));
        if let Some(role) = role {
            peer.line(&format!("token {}", token(role)));
        }
        peer
    }

    fn ask(&self) -> std::process::Child {
        self.command(&["ask", "form", "form.json", "--session", "s", "--run", "r", "--token", "runtime"])
            .spawn()
            .unwrap()
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn token(role: &str) -> String {
    format!("{role}-").repeat(8)
}

/// A host on a terminal of its own.
struct Terminal {
    master: Option<Box<dyn MasterPty + Send>>,
    writer: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    shown: Receiver<String>,
    seen: String,
}

impl Terminal {
    /// Waits until that text is shown, after all that was waited for before.
    fn wait_for(&mut self, text: &str) {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(at) = self.seen.find(text) {
                self.seen.drain(..at + text.len());
                return;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            let more = self.shown.recv_timeout(left);
            self.seen += &more.unwrap_or_else(|_| panic!("{text:?} is not in {:?}", self.seen));
        }
    }

    fn type_line(&mut self, line: &str) {
        self.writer.write_all(format!("{line}\n").as_bytes()).unwrap();
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

struct Peer(BufReader<UnixStream>);

impl Peer {
    fn line(&mut self, line: &str) {
        self.0.get_mut().write_all(format!("{line}\n").as_bytes()).unwrap();
    }

    fn call(&mut self, id: u64, method: &str, params: &Value) -> Value {
        self.line(&json!({ "id": id, "method": method, "params": params }).to_string());
        self.next(|line| line["id"] == json!(id))
    }

    /// The next line that is wanted; others are let go.
    fn next(&mut self, is: impl Fn(&Value) -> bool) -> Value {
        loop {
            let mut line = String::new();
            assert_ne!(self.0.read_line(&mut line).unwrap(), 0, "the host has hung up");
            let line = serde_json::from_str(&line).unwrap();
            if is(&line) {
                return line;
            }
        }
    }
}

#[track_caller]
fn told(output: &Output, code: i32, details: &Value) {
    assert_eq!(output.status.code(), Some(code), "{output:?}");
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(&result["details"], details);
    assert_eq!(result["isError"], json!(code != 0));
}

#[test]
fn a_bound_terminal_answers_what_a_run_of_its_session_asks() {
    let room = Room::new();
    let mut terminal = room.terminal();
    let asking = room.ask();
    terminal.wait_for("Which approach?");
    terminal.type_line("1");
    terminal.wait_for("Why?");
    terminal.type_line("it is small, and safe");
    let results = json!([
        { "id": "approach", "selected": ["Small change"] },
        { "id": "why", "selected": [], "custom": "it is small, and safe" },
    ]);
    told(&asking.wait_with_output().unwrap(), 0, &json!({ "status": "answered", "results": results }));

    // And again, since nothing is granted but one answer.
    let asking = room.ask();
    terminal.wait_for("Which approach?");
    terminal.type_line("2");
    terminal.wait_for("Why?");
    terminal.type_line("decline");
    told(&asking.wait_with_output().unwrap(), 3, &json!({ "status": "declined" }));
}

#[test]
fn a_form_that_ends_elsewhere_leaves_the_terminal() {
    let room = Room::new();
    let mut terminal = room.terminal();
    let args = ["ask", "form", "form.json", "--session", "s", "--token", "runtime", "--timeout", "300"];
    told(&room.run(&args), 2, &json!({ "status": "timed_out" }));
    terminal.wait_for("Timed out");

    let asking = room.ask();
    terminal.wait_for("Which approach?");
    assert!(Command::new("kill").args(["-TERM", &asking.id().to_string()]).status().unwrap().success());
    let details = json!({ "status": "cancelled", "reason": "aborted" });
    told(&asking.wait_with_output().unwrap(), 3, &details);
    terminal.wait_for("Cancelled");
}

#[test]
fn a_terminal_that_is_gone_answers_nothing() {
    let room = Room::new();
    let mut terminal = room.terminal();
    let asking = room.ask();
    terminal.wait_for("Which approach?");
    drop(terminal.master.take());
    let _ = terminal.child.kill();
    let output = asking.wait_with_output().unwrap();
    assert_ne!(output.status.code(), Some(0), "{output:?}");
    assert!(!String::from_utf8_lossy(&output.stdout).contains("answered"));
}

#[test]
fn a_session_without_a_surface_is_unavailable_at_once() {
    let room = Room::new();
    let _terminal = room.terminal();
    let args = ["ask", "form", "form.json", "--session", "t", "--token", "runtime"];
    told(&room.run(&args), 4, &json!({ "status": "unavailable" }));
}

#[test]
fn an_operator_on_the_socket_takes_over_a_session_and_resolves_exactly_its_prompt() {
    let room = Room::new();
    let _terminal = room.terminal();
    let mut operator = room.connect(Some("operator"));
    let bound = operator.call(1, "sessions.prompt.bind", &json!({ "session_key": "s" }));
    assert_eq!(bound["result"], json!({ "bound": true }));
    let asking = room.ask();
    let requested = operator.next(|line| line["method"] == "session.prompt.requested");
    let prompt = &requested["params"]["prompt_id"];
    let params =
        |run: &str| json!({ "session_key": "s", "run_id": run, "prompt_id": prompt, "action": "decline" });
    for mut other in [room.connect(Some("operator")), room.connect(Some("runtime")), room.connect(None)] {
        let refused = other.call(1, "sessions.prompt.resolve", &params("r"));
        let code = refused["error"].as_str().unwrap().split(':').next().unwrap().to_owned();
        assert!(["not_found", "forbidden"].contains(&code.as_str()), "{refused}");
    }
    let refused = operator.call(2, "sessions.prompt.resolve", &params("another"));
    assert!(refused["error"].as_str().unwrap().starts_with("not_found: "), "{refused}");
    let resolved = operator.call(3, "sessions.prompt.resolve", &params("r"));
    assert_eq!(resolved["result"], json!({ "resolved": true }));
    told(&asking.wait_with_output().unwrap(), 3, &json!({ "status": "declined" }));
}

#[test]
fn nobody_is_an_operator_or_a_runtime_without_its_token() {
    let room = Room::new();
    let _terminal = room.terminal();
    let bind = json!({ "session_key": "s" });
    for role in [None, Some("runtime")] {
        let refused = room.connect(role).call(1, "sessions.prompt.bind", &bind);
        assert!(refused["error"].as_str().unwrap().starts_with("forbidden: "), "{refused}");
    }
    let mut ask = bind;
    ask["run_id"] = json!("r");
    ask["questions"] = json!([{ "id": "q", "question": "Which?", "options": [] }]);
    for role in [None, Some("operator")] {
        let refused = room.connect(role).call(1, "sessions.prompt.request", &ask);
        assert!(refused["error"].as_str().unwrap().starts_with("forbidden: "), "{refused}");
    }
    let mut stranger = room.connect(None);
    stranger.line("token somebody-elses-token-of-some-length");
    let refused = stranger.next(|_| true);
    assert!(refused["error"].as_str().unwrap().starts_with("forbidden: "), "{refused}");
    let mut rest = String::new();
    assert_eq!(stranger.0.read_line(&mut rest).unwrap(), 0, "the host hangs up");

    let output = room.run(&["ask", "form", "form.json", "--session", "s"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("forbidden"), "{output:?}");
}

#[test]
fn a_token_is_kept_from_others_and_is_long_enough() {
    let room = Room::new();
    for (text, mode, why) in [
        (token("runtime"), 0o640, "mode 600"),
        (token("runtime"), 0o604, "mode 600"),
        ("short".to_owned(), 0o600, "32 or more"),
        (format!("{}\n{}", token("runtime"), token("operator")), 0o600, "one word"),
        (String::new(), 0o600, "32 or more"),
    ] {
        room.write("runtime", &text, mode);
        for option in ["--runtimes", "--operators"] {
            let output = room.run(&["serve", "--headless", option, "runtime"]);
            assert_eq!(output.status.code(), Some(1), "{output:?}");
            assert!(String::from_utf8_lossy(&output.stderr).contains(why), "{output:?}");
        }
    }
}

#[test]
fn options_that_say_nothing_together_are_refused() {
    let room = Room::new();
    for args in [
        &["ask", "yesno", "--title", "Go?", "--session", "s"][..],
        &["ask", "form", "form.json", "--run", "r"],
        &["ask", "form", "form.json", "--token", "runtime"],
        &["serve", "--headless", "--session", "s"],
        &["serve", "--stdio", "--session", "s"],
        &["serve", "--client", "acp", "--session", "s", "--run", "r"],
        &["serve", "--stdio", "--client", "smtp", "--session", "s", "--run", "r"],
        &["serve", "--stdio", "--client", "acp", "--session", "s", "--session", "t", "--run", "r"],
    ] {
        let output = room.run(args);
        assert_eq!(output.status.code(), Some(1), "{args:?}: {output:?}");
    }
    let output = room.run(&["ask", "form", "form.json", "--session", "s", "--token", "runtime"]);
    assert_eq!(output.status.code(), Some(4), "there is no host: {output:?}");
}
