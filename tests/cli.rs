//! The command line, driven as people and scripts drive it: the real binary, real terminals, real sockets.

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::sleep;
use std::time::{Duration, Instant};

const ASKGATE: &str = env!("CARGO_BIN_EXE_askgate");

/// Longer than anything here takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(20);

/// A runtime folder of one test's own, and what is started in it.
struct Room {
    folder: PathBuf,
}

impl Room {
    fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let n = NEXT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("askgate-test-{}-{n}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Self { folder }
    }

    fn socket(&self) -> PathBuf {
        self.folder.join("askgate/askgate.sock")
    }

    fn environment(&self) -> [(&'static str, String); 3] {
        [
            ("XDG_RUNTIME_DIR", self.folder.display().to_string()),
            ("TERM", "dumb".into()),
            // The shell's copy of the binary's path.
            ("ASKGATE", ASKGATE.into()),
        ]
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.env_remove("ASKGATE_SOCKET").env_remove("ASKGATE_SURFACE").env_remove("NO_COLOR");
        command.envs(self.environment()).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Runs the binary without any terminal.
    fn run(&self, args: &[&str]) -> Output {
        self.command("setsid").args(["-w", ASKGATE]).args(args).output().unwrap()
    }

    /// Runs the binary on a terminal of its own.
    fn on_terminal(&self, args: &[&str]) -> Terminal {
        let mut command = CommandBuilder::new(ASKGATE);
        command.args(args);
        self.terminal(command)
    }

    /// Runs a shell script on a terminal of its own; `$ASKGATE` is the binary.
    fn script(&self, script: &str) -> Terminal {
        let mut command = CommandBuilder::new("sh");
        command.args(["-c", script]);
        self.terminal(command)
    }

    fn terminal(&self, mut command: CommandBuilder) -> Terminal {
        for name in ["ASKGATE_SOCKET", "ASKGATE_SURFACE", "NO_COLOR", "ACCESSIBLE"] {
            command.env_remove(name);
        }
        for (name, value) in self.environment() {
            command.env(name, value);
        }
        command.cwd(&self.folder);
        Terminal::start(command)
    }

    /// Starts a host without a terminal, once it listens.
    fn host(&self) -> Host {
        let mut command = self.command("setsid");
        let mut child = command.args([ASKGATE, "serve", "--headless"]).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
        assert!(line.contains("listening at"), "{line}");
        Host { child: Some(child) }
    }

    fn connect(&self) -> Peer {
        Peer::new(UnixStream::connect(self.socket()).unwrap())
    }

    /// Waits until that many prompts are pending at the host.
    fn wait_for_pending(&self, count: usize) -> Vec<String> {
        let mut peer = self.connect();
        let deadline = Instant::now() + PATIENCE;
        loop {
            peer.send(r#"{"id":1,"method":"agent.ask_pending"}"#);
            let list = peer.reply(1);
            let ids: Vec<_> = list.split("\"request_id\":\"").skip(1).map(until_quote).collect();
            if ids.len() == count {
                return ids;
            }
            assert!(Instant::now() < deadline, "{list}");
            sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn until_quote(text: &str) -> String {
    text.split('"').next().unwrap_or_default().into()
}

/// A host without a terminal. It is in its own process group through `setsid`, which replaces itself.
struct Host {
    child: Option<std::process::Child>,
}

impl Host {
    fn id(&self) -> u32 {
        self.child.as_ref().unwrap().id()
    }

    fn signal(&self, name: &str) {
        assert!(Command::new("kill").args([name, &self.id().to_string()]).status().unwrap().success());
    }

    fn wait(mut self) -> i32 {
        self.child.take().unwrap().wait().unwrap().code().unwrap_or(-1)
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// A client of the host.
struct Peer {
    reader: BufReader<UnixStream>,
    writer: UnixStream,
}

impl Peer {
    fn new(stream: UnixStream) -> Self {
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        Self { reader: BufReader::new(stream.try_clone().unwrap()), writer: stream }
    }

    fn send(&mut self, line: &str) {
        self.writer.write_all(format!("{line}\n").as_bytes()).unwrap();
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.reader.read_line(&mut line).unwrap();
        line
    }

    /// The reply with that id; pushes are skipped.
    fn reply(&mut self, id: u64) -> String {
        let start = format!("{{\"id\":{id},");
        loop {
            let line = self.line();
            assert!(!line.is_empty(), "the host hung up");
            if line.starts_with(&start) {
                return line;
            }
        }
    }
}

/// A program on a pseudo-terminal, and all that it has printed.
struct Terminal {
    /// Held open: the terminal ends with it.
    _master: Box<dyn MasterPty + Send>,
    writer: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    seen: Arc<(Mutex<String>, Condvar)>,
}

impl Terminal {
    fn start(command: CommandBuilder) -> Self {
        let size = PtySize { rows: 40, cols: 100, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let child = pair.slave.spawn_command(command).unwrap();
        let mut reader = pair.master.try_clone_reader().unwrap();
        let writer = pair.master.take_writer().unwrap();
        let seen = Arc::new((Mutex::new(String::new()), Condvar::new()));
        let shared = Arc::clone(&seen);
        std::thread::spawn(move || {
            let mut part = [0; 4096];
            while let Ok(read @ 1..) = reader.read(&mut part) {
                shared.0.lock().unwrap().push_str(&String::from_utf8_lossy(&part[..read]));
                shared.1.notify_all();
            }
        });
        Self { _master: pair.master, writer, child, seen }
    }

    /// Waits until the text was printed `count` times.
    fn see(&self, text: &str, count: usize) {
        let seen = self.seen.0.lock().unwrap();
        let wait = self.seen.1.wait_timeout_while(seen, PATIENCE, |seen| seen.matches(text).count() < count);
        let (seen, timeout) = wait.unwrap();
        assert!(!timeout.timed_out(), "{text:?} is not to be seen {count} times in:\n{seen}");
    }

    /// Waits for the `count`th place to type.
    fn ready(&self, count: usize) {
        self.see("\n> ", count);
    }

    fn type_keys(&mut self, keys: &str) {
        self.writer.write_all(keys.as_bytes()).unwrap();
        self.writer.flush().unwrap();
    }

    fn seen(&self) -> String {
        self.seen.0.lock().unwrap().clone()
    }

    /// The exit code, and everything that was printed.
    fn end(mut self) -> (u32, String) {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                // What it printed last may still be on its way.
                sleep(Duration::from_millis(50));
                return (status.exit_code(), self.seen().replace('\r', ""));
            }
            assert!(Instant::now() < deadline, "it does not end:\n{}", self.seen());
            sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
    }
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap_or(-1)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

const YESNO: [&str; 4] = ["ask", "yesno", "--title", "Run it?"];
const CHOICE: [&str; 6] = ["ask", "choice", "--title", "Which branch?", "--choices", "main,dev:Develop"];
const TEXT: [&str; 4] = ["ask", "text", "--title", "Name?"];
const COMMAND: [&str; 6] = ["ask", "confirm-command", "--title", "Clean?", "--body", "rm -rf target"];

// Right here, on the terminal.

#[test]
fn a_yesno_is_answered_at_the_terminal() {
    let room = Room::new();
    let mut terminal = room.on_terminal(&YESNO);
    terminal.ready(1);
    terminal.type_keys("y\n");
    let (code, seen) = terminal.end();
    assert_eq!(code, 0, "{seen}");
    assert!(seen.ends_with("  Answered: yes\nyes\n"), "{seen}");
}

#[test]
fn a_choice_is_answered_by_number_label_or_id() {
    for (line, id) in [("2", "dev"), ("2.", "dev"), ("Develop", "dev"), ("main", "main")] {
        let room = Room::new();
        let mut terminal = room.on_terminal(&CHOICE);
        terminal.ready(1);
        terminal.type_keys(&format!("{line}\n"));
        let (code, seen) = terminal.end();
        assert_eq!(code, 0, "{seen}");
        assert!(seen.ends_with(&format!("\n{id}\n")), "{seen}");
    }
}

#[test]
fn a_text_is_answered_as_typed() {
    let room = Room::new();
    let mut terminal = room.on_terminal(&TEXT);
    terminal.ready(1);
    terminal.type_keys("  grüße, 世界 \n");
    let (code, seen) = terminal.end();
    assert_eq!(code, 0, "{seen}");
    assert!(seen.ends_with("\n  grüße, 世界 \n"), "{seen}");
}

#[test]
fn a_default_text_is_taken_only_by_its_word() {
    let room = Room::new();
    let mut terminal = room.on_terminal(&[&TEXT[..], &["--default", "v1"]].concat());
    terminal.see("Default: v1", 1);
    terminal.ready(1);
    terminal.type_keys("\n");
    terminal.ready(2);
    terminal.type_keys("default\n");
    let (code, seen) = terminal.end();
    assert_eq!(code, 0, "{seen}");
    assert!(seen.ends_with("\nv1\n"), "{seen}");
}

#[test]
fn a_command_runs_only_after_both_steps() {
    let room = Room::new();
    let mut terminal = room.on_terminal(&[&COMMAND[..], &["--unsafe"]].concat());
    terminal.see("UNSAFE", 1);
    terminal.see("rm -rf target", 1);
    terminal.ready(1);
    terminal.type_keys("run\n");
    terminal.ready(2);
    terminal.type_keys("understood\n");
    terminal.ready(3);
    terminal.type_keys("back\n");
    terminal.ready(4);
    terminal.type_keys("run\n");
    terminal.ready(5);
    terminal.type_keys("understood\n");
    terminal.ready(6);
    terminal.type_keys("run\n");
    let (code, seen) = terminal.end();
    assert_eq!(code, 0, "{seen}");
    assert!(seen.ends_with("\nrun\n"), "{seen}");
}

#[test]
fn both_words_of_a_command_in_one_paste_do_not_run_it() {
    let room = Room::new();
    let mut terminal = room.on_terminal(&COMMAND);
    terminal.ready(1);
    terminal.type_keys("understood\nrun\n");
    terminal.see("it has not run", 1);
    terminal.type_keys("cancel\n");
    let (code, seen) = terminal.end();
    assert_eq!(code, 3, "{seen}");
}

#[test]
fn garbage_is_asked_again_and_is_no_answer() {
    let room = Room::new();
    let mut terminal = room.on_terminal(&[&YESNO[..], &["--default", "yes"]].concat());
    for (n, line) in ["", "not yes", "yes please", "\u{1b}[A", "1"].iter().enumerate() {
        terminal.ready(n + 1);
        terminal.type_keys(&format!("{line}\n"));
    }
    terminal.ready(6);
    terminal.type_keys("no\n");
    let (code, seen) = terminal.end();
    assert_eq!(code, 0, "{seen}");
    assert!(seen.ends_with("\nno\n"), "{seen}");
}

#[test]
fn each_kind_is_cancelled_by_word_and_by_ctrl_c() {
    for kind in [&YESNO[..], &CHOICE[..], &TEXT[..], &COMMAND[..]] {
        for keys in ["cancel\n", "\u{3}", "half\u{3}"] {
            let room = Room::new();
            let mut terminal = room.on_terminal(&[kind, &["--json"]].concat());
            terminal.ready(1);
            terminal.type_keys(keys);
            let (code, seen) = terminal.end();
            assert_eq!(code, 3, "{kind:?} {keys:?} {seen}");
            assert!(seen.contains(r#"{"request_id":"req:1","action":"cancel"}"#), "{seen}");
        }
    }
}

#[test]
fn ctrl_c_after_a_refused_line_cancels() {
    let room = Room::new();
    let mut terminal = room.on_terminal(&YESNO);
    terminal.ready(1);
    terminal.type_keys("what?\n");
    terminal.ready(2);
    terminal.type_keys("\u{3}");
    assert_eq!(terminal.end().0, 3);
}

#[test]
fn each_kind_times_out_in_the_middle_of_a_line() {
    for kind in [&YESNO[..], &CHOICE[..], &TEXT[..], &COMMAND[..]] {
        let room = Room::new();
        let mut args = vec!["$ASKGATE"];
        let quoted: Vec<String> = kind.iter().map(|arg| format!("'{arg}'")).collect();
        args.extend(quoted.iter().map(String::as_str));
        // What was typed of the line is not for whoever reads the terminal next.
        let script =
            format!("{} --timeout 300; echo code=$?; read rest; echo \"rest=[$rest]\"", args.join(" "));
        let mut terminal = room.script(&script);
        terminal.ready(1);
        terminal.type_keys("yes");
        terminal.see("code=2", 1);
        terminal.type_keys("\n");
        let (_, seen) = terminal.end();
        assert!(seen.contains("Timed out.") && seen.ends_with("rest=[]\n"), "{seen}");
    }
}

#[test]
fn the_end_of_input_is_a_lost_surface() {
    for kind in [&YESNO[..], &CHOICE[..], &TEXT[..], &COMMAND[..]] {
        let room = Room::new();
        let mut terminal = room.on_terminal(&[kind, &["--json"]].concat());
        terminal.ready(1);
        terminal.type_keys("\u{4}");
        let (code, seen) = terminal.end();
        assert_eq!(code, 4, "{seen}");
        assert!(seen.contains(r#""action":"cancel","reason":"surface closed""#), "{seen}");
    }
}

#[test]
fn what_was_typed_before_the_prompt_is_no_answer() {
    let room = Room::new();
    let mut terminal =
        room.script("echo ready; sleep 0.5; $ASKGATE ask yesno --title 'Run it?'; echo code=$?");
    terminal.see("ready", 1);
    terminal.type_keys("y\nye");
    terminal.ready(1);
    sleep(Duration::from_millis(200));
    assert!(!terminal.seen().contains("code="), "{}", terminal.seen());
    terminal.type_keys("n\n");
    let (_, seen) = terminal.end();
    assert!(seen.ends_with("\nno\ncode=0\n"), "{seen}");
}

#[test]
fn what_was_typed_while_the_terminal_was_stopped_is_no_answer() {
    let room = Room::new();
    let mut terminal =
        room.script("echo ready; sleep 0.5; $ASKGATE ask yesno --title 'Run it?'; echo code=$?");
    terminal.see("ready", 1);
    terminal.type_keys("\u{13}");
    sleep(Duration::from_millis(1_000));
    // The question is asked by now, but not to be seen.
    terminal.type_keys("y\n");
    sleep(Duration::from_millis(100));
    assert!(!terminal.seen().contains("Run it?"), "{}", terminal.seen());
    terminal.type_keys("\u{11}");
    terminal.ready(1);
    sleep(Duration::from_millis(200));
    terminal.type_keys("no\n");
    let (_, seen) = terminal.end();
    assert!(seen.ends_with("\nno\ncode=0\n"), "{seen}");
}

#[test]
fn stdin_and_stdout_may_be_pipes() {
    let room = Room::new();
    let script = "branch=$(echo main | $ASKGATE ask choice --title 'Which?' --choices main,dev | cat); \
                  echo \"got=[$branch]\"";
    let mut terminal = room.script(script);
    terminal.ready(1);
    terminal.type_keys("dev\n");
    let (_, seen) = terminal.end();
    assert!(seen.ends_with("got=[dev]\n"), "{seen}");
}

#[test]
fn a_terminated_ask_is_cancelled_and_a_hung_up_one_unavailable() {
    for (signal, reason, code) in [("TERM", "aborted", 3), ("HUP", "surface closed", 4)] {
        let room = Room::new();
        let terminal = room.script(&format!(
            "$ASKGATE ask yesno --title 'Run it?' --json & sleep 0.3; kill -{signal} $!; wait $!; echo code=$?"
        ));
        let (_, seen) = terminal.end();
        assert!(seen.contains(&format!(r#""action":"cancel","reason":"{reason}""#)), "{seen}");
        assert!(seen.ends_with(&format!("code={code}\n")), "{seen}");
    }
}

#[test]
fn hidden_characters_of_a_command_are_shown() {
    let room = Room::new();
    let mut terminal = room.on_terminal(&["ask", "confirm-command", "--title", "rm \u{202e}txt.sl"]);
    terminal.see(r"rm \u{202E}txt.sl", 1);
    terminal.see("hidden characters", 1);
    terminal.ready(1);
    terminal.type_keys("\u{3}");
    assert!(!terminal.end().1.contains('\u{202e}'));
}

#[test]
fn lines_have_no_colour() {
    for (prepare, flag) in [("TERM=dumb", ""), ("TERM=xterm ACCESSIBLE=1", ""), ("TERM=xterm", "--plain")] {
        let room = Room::new();
        let mut terminal =
            room.script(&format!("{prepare} $ASKGATE ask yesno --title 'Run it?' --unsafe {flag}"));
        terminal.ready(1);
        terminal.type_keys("cancel\n");
        let (_, seen) = terminal.end();
        assert!(seen.contains("UNSAFE"), "{seen}");
        assert!(!seen.contains('\u{1b}'), "{seen}");
    }
}

#[test]
fn a_line_that_the_terminal_may_have_cut_is_no_answer() {
    let room = Room::new();
    let mut terminal = room.on_terminal(&TEXT);
    terminal.ready(1);
    terminal.type_keys(&"x".repeat(5_000));
    terminal.type_keys("\n");
    terminal.see("may have cut", 1);
    terminal.type_keys("short\n");
    let (code, seen) = terminal.end();
    assert_eq!(code, 0, "{seen}");
    assert!(seen.ends_with("\nshort\n"), "{seen}");
}

// Without a terminal, and wrong usage.

#[test]
fn without_terminal_and_host_nobody_is_asked() {
    let room = Room::new();
    let output = room.run(&[&YESNO[..], &["--default", "yes", "--json"]].concat());
    assert_eq!(code(&output), 4);
    assert_eq!(text(&output.stderr).lines().count(), 1);
    assert!(text(&output.stdout).starts_with(r#"{"error":"unavailable: "#));
    let output = room.run(&[&YESNO[..], &["--default", "yes"]].concat());
    assert_eq!((code(&output), output.stdout.len()), (4, 0));
}

#[test]
fn a_wrong_question_is_refused_with_the_cores_sentence() {
    let room = Room::new();
    let wrong: [(&[&str], &str); 6] = [
        (&["ask", "yesno"], "missing_field: /title: "),
        (&["ask", "yesno", "--title", " "], "invalid_value: /title: "),
        (&["ask", "yesno", "--title", "t", "--choices", "a"], "invalid_value: /choices: "),
        (&["ask", "choice", "--title", "t"], "missing_field: /choices: "),
        (&["ask", "choice", "--title", "t", "--choices", "a,a"], "duplicate: /choices/1/id: "),
        (&["ask", "text", "--title", "t", "--timeout", "0"], "invalid_value: /timeout_ms: "),
    ];
    for (args, start) in wrong {
        let output = room.run(args);
        assert_eq!(code(&output), 1, "{args:?}");
        assert!(text(&output.stderr).starts_with(&format!("askgate: {start}")), "{}", text(&output.stderr));
        assert!(output.stdout.is_empty());
    }
    let _host = room.host();
    for (args, start) in wrong {
        let output = room.run(args);
        assert_eq!(code(&output), 1, "{args:?}");
        assert!(text(&output.stderr).contains(start), "{}", text(&output.stderr));
    }
}

#[test]
fn wrong_usage_is_an_error() {
    let room = Room::new();
    for args in [&["ask"][..], &["ask", "number"], &["nothing"], &[], &["ask", "text", "--timeout", "soon"]] {
        assert_eq!(code(&room.run(args)), 1, "{args:?}");
    }
    for args in [&["--help"][..], &["--version"], &["help", "ask"], &["serve", "--help"]] {
        assert_eq!(code(&room.run(args)), 0, "{args:?}");
    }
}

#[test]
fn commands_that_need_a_host_say_that_there_is_none() {
    let room = Room::new();
    for args in [&["pending"][..], &["answer", "req:1", "yes"], &["cancel", "req:1"]] {
        let output = room.run(args);
        assert_eq!(code(&output), 4, "{args:?}");
        assert_eq!(text(&output.stderr).lines().count(), 1);
    }
}

#[test]
fn completions_and_manual_pages_are_printed() {
    let room = Room::new();
    for shell in ["bash", "zsh", "fish"] {
        assert!(text(&room.run(&["completions", shell]).stdout).contains("confirm-command"), "{shell}");
    }
    assert!(text(&room.run(&["man"]).stdout).contains(".TH askgate 1"));
    assert!(text(&room.run(&["man", "ask"]).stdout).contains(".TH askgate-ask 1"));
    assert_eq!(code(&room.run(&["man", "nothing"])), 1);
}

// Through the host.

#[test]
fn a_sibling_answers_what_waits_at_the_host() {
    let room = Room::new();
    let _host = room.host();
    for (args, wrong, value) in
        [(&YESNO[..], "not yes", "no"), (&CHOICE[..], "Develop", "dev"), (&TEXT[..], " ", "a b")]
    {
        let ask = room.command("setsid").args(["-w", ASKGATE]).args(args).spawn().unwrap();
        let id = room.wait_for_pending(1).remove(0);
        assert_eq!(code(&room.run(&["answer", &id, wrong])), 1);
        assert_eq!(code(&room.run(&["answer", &id, value])), 0);
        let output = ask.wait_with_output().unwrap();
        assert_eq!((code(&output), text(&output.stdout)), (0, format!("{value}\n")));
        // It has ended, so that nobody may answer it again.
        assert_eq!(code(&room.run(&["answer", &id, value])), 1);
    }
}

#[test]
fn a_sibling_lets_a_command_run_in_two_steps() {
    let room = Room::new();
    let _host = room.host();
    let ask = room.command("setsid").args(["-w", ASKGATE]).args(COMMAND).spawn().unwrap();
    let id = room.wait_for_pending(1).remove(0);
    // Without a terminal and without --ack nobody has read it.
    let output = room.run(&["answer", &id, "run"]);
    assert_eq!(code(&output), 1);
    // Anything but the word leaves it pending, and so do Ctrl+C and the end of input.
    for (keys, left) in [("run\n", 3), ("\u{3}", 3), ("\u{4}", 4)] {
        let mut terminal = room.on_terminal(&["answer", &id, "run"]);
        terminal.see("rm -rf target", 1);
        terminal.ready(1);
        terminal.type_keys(keys);
        let (code, seen) = terminal.end();
        assert_eq!(code, left, "{seen}");
        assert!(seen.contains("still pending"), "{seen}");
    }
    let mut terminal = room.on_terminal(&["answer", &id, "run"]);
    terminal.ready(1);
    terminal.type_keys("understood\n");
    assert_eq!(terminal.end().0, 0);
    let output = ask.wait_with_output().unwrap();
    assert_eq!((code(&output), text(&output.stdout)), (0, "run\n".into()));
}

#[test]
fn a_command_that_ends_while_it_is_read_is_not_run() {
    let room = Room::new();
    let _host = room.host();
    let ask = room.command("setsid").args(["-w", ASKGATE]).args(COMMAND).spawn().unwrap();
    let id = room.wait_for_pending(1).remove(0);
    let terminal = room.on_terminal(&["answer", &id, "run"]);
    terminal.ready(1);
    let output = room.run(&["answer", &id, "run", "--ack"]);
    assert_eq!(code(&output), 0);
    assert!(text(&output.stderr).contains("rm -rf target"));
    assert_eq!(terminal.end().0, 1);
    assert_eq!(code(&ask.wait_with_output().unwrap()), 0);
}

#[test]
fn a_sibling_cancels_with_a_reason() {
    let room = Room::new();
    let _host = room.host();
    let ask = room.command("setsid").args(["-w", ASKGATE]).args(YESNO).spawn().unwrap();
    let id = room.wait_for_pending(1).remove(0);
    assert_eq!(code(&room.run(&["cancel", &id, "--reason", "user is afk"])), 0);
    let output = ask.wait_with_output().unwrap();
    assert_eq!((code(&output), output.stdout.len()), (3, 0));
    assert!(text(&output.stderr).contains("user is afk"));
    assert_eq!(code(&room.run(&["cancel", &id])), 1);
}

#[test]
fn an_ask_through_the_host_times_out() {
    let room = Room::new();
    let _host = room.host();
    let output = room.run(&[&YESNO[..], &["--timeout", "100", "--json"]].concat());
    assert_eq!(code(&output), 2);
    assert_eq!(text(&output.stdout), "{\"request_id\":\"req:1\",\"action\":\"timeout\"}\n");
}

#[test]
fn ctrl_c_withdraws_what_was_asked_through_the_host() {
    let room = Room::new();
    let _host = room.host();
    let mut terminal = room.on_terminal(&YESNO);
    room.wait_for_pending(1);
    terminal.see("waiting for an answer", 1);
    terminal.type_keys("\u{3}");
    let (code, seen) = terminal.end();
    assert_eq!(code, 3, "{seen}");
    assert!(seen.contains("cancelled: aborted"), "{seen}");
    room.wait_for_pending(0);
}

#[test]
fn an_asker_that_is_killed_leaves_nothing_behind() {
    let room = Room::new();
    let _host = room.host();
    let mut ask = room.command(ASKGATE).args(YESNO).spawn().unwrap();
    room.wait_for_pending(1);
    ask.kill().unwrap();
    ask.wait().unwrap();
    room.wait_for_pending(0);
}

#[test]
fn losing_the_host_is_a_lost_surface() {
    let room = Room::new();
    let host = room.host();
    let ask = room.command("setsid").args(["-w", ASKGATE]).args(YESNO).spawn().unwrap();
    room.wait_for_pending(1);
    host.signal("-KILL");
    let output = ask.wait_with_output().unwrap();
    assert_eq!((code(&output), output.stdout.len()), (4, 0));
}

#[test]
fn a_host_asks_in_its_own_terminal() {
    let room = Room::new();
    let mut terminal = room.on_terminal(&["serve"]);
    terminal.see("listening at", 1);
    let ask = |args: &[&str]| room.command("setsid").args(["-w", ASKGATE]).args(args).spawn().unwrap();
    let first = ask(&YESNO);
    terminal.ready(1);
    let second = ask(&[&CHOICE[..], &["--agent-id", "claude:1"]].concat());
    room.wait_for_pending(2);
    terminal.type_keys("yes\n");
    let output = first.wait_with_output().unwrap();
    assert_eq!((code(&output), text(&output.stdout)), (0, "yes\n".into()));
    // The next one appears by itself, and goes when it is answered elsewhere.
    terminal.see("from claude:1", 1);
    terminal.see("req:2", 1);
    assert_eq!(code(&room.run(&["answer", "req:2", "main"])), 0);
    terminal.see("Answered elsewhere: main", 1);
    assert_eq!(text(&second.wait_with_output().unwrap().stdout), "main\n");
    let third = ask(&[&TEXT[..], &["--timeout", "200"]].concat());
    terminal.see("Timed out.", 1);
    assert_eq!(code(&third.wait_with_output().unwrap()), 2);
    // Both wait, which is said; Ctrl+C ends the host and with it both.
    let more = [ask(&YESNO), ask(&YESNO), ask(&YESNO)];
    room.wait_for_pending(3);
    sleep(Duration::from_millis(300));
    terminal.type_keys("no\n");
    terminal.see("1 more waits", 1);
    sleep(Duration::from_millis(300));
    terminal.type_keys("\u{3}");
    assert_eq!(terminal.end().0, 0);
    let codes = more.map(|ask| code(&ask.wait_with_output().unwrap()));
    assert_eq!(codes.iter().filter(|code| **code == 0).count(), 1, "{codes:?}");
    assert_eq!(codes.iter().filter(|code| **code == 3).count(), 2, "{codes:?}");
    assert!(!room.socket().exists());
}

#[test]
fn a_host_whose_terminal_ends_has_lost_its_surface() {
    let room = Room::new();
    let mut terminal = room.on_terminal(&["serve"]);
    terminal.see("listening at", 1);
    let ask = room.command("setsid").args(["-w", ASKGATE]).args(YESNO).spawn().unwrap();
    terminal.ready(1);
    terminal.type_keys("\u{4}");
    assert_eq!(terminal.end().0, 4);
    let output = ask.wait_with_output().unwrap();
    assert_eq!((code(&output), output.stdout.len()), (3, 0));
    assert_eq!(code(&room.run(&["serve"])), 4);
    assert!(!room.socket().exists());
}

// The socket.

#[test]
fn the_socket_is_for_its_owner_alone() {
    let room = Room::new();
    let _host = room.host();
    let mode = |path: &Path| fs::symlink_metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&room.socket()), 0o600);
    assert_eq!(mode(room.socket().parent().unwrap()), 0o700);
}

#[test]
fn a_folder_that_others_may_enter_is_refused() {
    let room = Room::new();
    let folder = room.folder.join("askgate");
    fs::create_dir(&folder).unwrap();
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(code(&room.run(&["serve", "--headless"])), 1);
}

#[test]
fn without_a_runtime_folder_the_socket_is_among_the_temporary_files() {
    let room = Room::new();
    let mut command = room.command("setsid");
    command.env_remove("XDG_RUNTIME_DIR").env("TMPDIR", &room.folder).args([ASKGATE, "serve", "--headless"]);
    let mut child = command.spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
    let _host = Host { child: Some(child) };
    let path = line.trim().split_once("listening at ").unwrap().1;
    assert!(path.starts_with(&format!("{}/askgate-", room.folder.display())), "{path}");
}

#[test]
fn a_live_host_is_not_replaced() {
    let room = Room::new();
    let _host = room.host();
    let output = room.run(&["serve", "--headless"]);
    assert_eq!(code(&output), 1);
    assert!(text(&output.stderr).contains("running already"));
    room.wait_for_pending(0);
}

#[test]
fn a_stale_socket_is_replaced_and_no_id_recurs() {
    let room = Room::new();
    let host = room.host();
    let ask = room.command("setsid").args(["-w", ASKGATE]).args(YESNO).spawn().unwrap();
    let old = room.wait_for_pending(1);
    host.signal("-KILL");
    assert_eq!(code(&ask.wait_with_output().unwrap()), 4);
    assert!(room.socket().exists());
    let _host = room.host();
    let ask = room.command("setsid").args(["-w", ASKGATE]).args(YESNO).spawn().unwrap();
    let new = room.wait_for_pending(1);
    assert_ne!(old, new);
    assert_eq!(code(&room.run(&["answer", &old[0], "yes"])), 1);
    assert_eq!(code(&room.run(&["answer", &new[0], "no"])), 0);
    assert_eq!(text(&ask.wait_with_output().unwrap().stdout), "no\n");
}

#[test]
fn a_stale_socket_does_not_keep_a_question_from_the_terminal() {
    let room = Room::new();
    fs::create_dir(room.folder.join("askgate")).unwrap();
    fs::set_permissions(room.folder.join("askgate"), fs::Permissions::from_mode(0o700)).unwrap();
    drop(UnixListener::bind(room.socket()).unwrap());
    let mut terminal = room.on_terminal(&YESNO);
    terminal.ready(1);
    terminal.type_keys("yes\n");
    assert_eq!(terminal.end().0, 0);
}

#[test]
fn what_is_no_socket_is_left_alone() {
    let room = Room::new();
    let path = room.folder.join("file");
    fs::write(&path, "mine").unwrap();
    let mut command = room.command(ASKGATE);
    let output = command.env("ASKGATE_SOCKET", &path).args(["serve", "--headless"]).output().unwrap();
    assert_eq!(code(&output), 1);
    assert_eq!(fs::read_to_string(&path).unwrap(), "mine");
}

#[test]
fn each_signal_ends_every_prompt_and_delivers_the_replies() {
    for signal in ["-INT", "-TERM", "-HUP"] {
        let room = Room::new();
        let host = room.host();
        let asks: Vec<_> = (0..3)
            .map(|_| room.command("setsid").args(["-w", ASKGATE]).args(YESNO).spawn().unwrap())
            .collect();
        room.wait_for_pending(3);
        host.signal(signal);
        for ask in asks {
            let output = ask.wait_with_output().unwrap();
            assert_eq!(code(&output), 3, "{signal}");
            assert!(text(&output.stderr).contains("shutdown"));
        }
        assert_eq!(host.wait(), 0);
        assert!(!room.socket().exists());
    }
}

#[test]
fn a_client_that_never_reads_holds_nobody_up() {
    let room = Room::new();
    let host = room.host();
    let mut deaf = room.connect();
    deaf.send(r#"{"id":1,"method":"agent.ask_pending"}"#);
    let mut peer = room.connect();
    // More pushes than may wait for the one that does not read.
    let body = "x".repeat(60_000);
    for id in 1..=400 {
        peer.send(&format!(
            r#"{{"id":{id},"method":"agent.ask_user","params":{{"surface_id":"s","kind":"yesno","title":"t","body":"{body}","timeout_ms":1}}}}"#
        ));
        peer.reply(id);
    }
    assert!(resident(host.id()) < 120_000, "{} KiB", resident(host.id()));
    // It was hung up on: what it can still read ends.
    let mut rest = Vec::new();
    deaf.reader.read_to_end(&mut rest).unwrap_or_default();
    assert!(rest.len() < 400 * 60_000);
}

#[test]
fn a_client_that_asks_without_reading_is_not_read() {
    let room = Room::new();
    let host = room.host();
    let mut asker = room.connect();
    let body = "x".repeat(60_000);
    asker.send(&format!(
        r#"{{"id":1,"method":"agent.ask_user","params":{{"surface_id":"s","kind":"yesno","title":"t","body":"{body}"}}}}"#
    ));
    room.wait_for_pending(1);
    let deaf = room.connect();
    deaf.writer.set_write_timeout(Some(Duration::from_millis(300))).unwrap();
    let mut writer = &deaf.writer;
    let line = b"{\"id\":2,\"method\":\"agent.ask_pending\"}\n";
    let sent = (0..200_000).take_while(|_| writer.write_all(line).is_ok()).count();
    assert!(sent < 200_000, "the host reads on");
    assert!(resident(host.id()) < 60_000, "{} KiB", resident(host.id()));
    assert_eq!(room.wait_for_pending(1).len(), 1);
}

/// What a process holds in memory, in KiB.
fn resident(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").trim().parse().unwrap()
}

// Over stdin and stdout.

fn stdio(room: &Room, flags: &[&str], input: &[u8]) -> (i32, Vec<String>) {
    let mut command = room.command("setsid");
    let mut child =
        command.args(["-w", ASKGATE, "serve", "--stdio"]).args(flags).stdin(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || {
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    (code(&output), text(&output.stdout).lines().map(String::from).collect())
}

#[test]
fn stdio_replies_line_for_line() {
    let room = Room::new();
    let input = concat!(
        r#"{"id":1,"method":"agent.ask_user","params":{"surface_id":"s","kind":"yesno","title":"t"}}"#,
        "\ngarbage\n\n[]\n",
        r#"{"id":2,"method":"agent.ask_answer","params":{"request_id":"req:1","value":"yes"}}"#,
        "\r\n",
        r#"{"jsonrpc":"2.0","id":"x","method":"agent.nothing"}"#,
        "\n",
        r#"{"id":3,"method":"agent.create"}"#,
        "\n",
        r#"{"id":4,"method":"agent.ask_user","params":{"surface_id":"s","kind":"text","title":"t"}}"#,
        "\n",
        r#"{"id":5,"method":"agent.count"}"#,
    );
    let (code, lines) = stdio(&room, &[], input.as_bytes());
    let starts = [
        r#"{"id":null,"error":"parse_error: "#,
        r#"{"id":null,"error":"parse_error: "#,
        r#"{"id":null,"error":"invalid_request: "#,
        r#"{"id":2,"result":{"resolved":true}}"#,
        r#"{"id":1,"result":{"request_id":"req:1","action":"ok","value":"yes"}}"#,
        r#"{"jsonrpc":"2.0","id":"x","error":{"code":-32601,"#,
        r#"{"id":3,"error":"pane_failed: "#,
        r#"{"id":5,"result":0}"#,
        r#"{"id":4,"result":{"request_id":"req:2","action":"cancel","reason":"shutdown"}}"#,
    ];
    assert_eq!((code, lines.len()), (0, starts.len()), "{lines:#?}");
    for (line, start) in lines.iter().zip(starts) {
        assert!(line.starts_with(start), "{line} {start}");
    }
}

#[test]
fn stdio_skips_a_line_that_is_too_long_and_goes_on() {
    let room = Room::new();
    let mut input = vec![b'x'; 40 << 20];
    input.push(b'\n');
    input.extend_from_slice(b"\xff\xfe\n{\"id\":1,\"method\":\"agent.count\"}\n");
    let (code, lines) = stdio(&room, &[], &input);
    assert_eq!(code, 0);
    assert!(lines[0].starts_with(r#"{"id":null,"error":"too_long: "#), "{lines:?}");
    assert!(lines[1].starts_with(r#"{"id":null,"error":"parse_error: "#), "{lines:?}");
    assert_eq!(lines[2..], [r#"{"id":1,"result":0}"#]);
}

#[test]
fn stdio_gives_the_authority_that_its_flags_say() {
    let room = Room::new();
    let ask = concat!(
        r#"{"id":1,"method":"agent.ask_user","params":{"surface_id":"s","kind":"yesno","title":"t"}}"#,
        "\n",
        r#"{"id":2,"method":"agent.ask_answer","params":{"request_id":"req:1","value":"yes"}}"#,
        "\n",
    );
    let (_, lines) = stdio(&room, &["--observer"], ask.as_bytes());
    assert!(
        lines[0].starts_with(r#"{"method":"askUserEvent","params":{"kind":"shown","seq":1,"#),
        "{lines:?}"
    );
    assert_eq!(lines.len(), 4);
    let (_, lines) = stdio(&room, &["--no-answer"], ask.as_bytes());
    assert!(lines[0].starts_with(r#"{"id":2,"error":"forbidden: "#), "{lines:?}");
    assert_eq!(code(&room.run(&["serve", "--observer"])), 1);
}

// Under load.

#[test]
fn ten_thousand_prompts_are_answered_once_each_and_leave_nothing() {
    let room = Room::new();
    let host = room.host();
    // The first rounds grow the buffers to their size.
    load(&room);
    load(&room);
    let before = resident(host.id());
    load(&room);
    load(&room);
    let after = resident(host.id());
    assert!(room.wait_for_pending(0).is_empty());
    // 20,000 prompts later: not 300 bytes of each are left.
    assert!(after < before + 6_000, "{before} KiB, then {after} KiB");
}

const CLIENTS: u64 = 50;
const EACH: u64 = 200;

/// Each of 50 clients asks 200 questions on a surface of its own, and answers those that the client half way round asked,
/// newest first.
fn load(room: &Room) {
    let surfaces: Vec<_> = (0..CLIENTS).map(|n| format!("surface:{n}")).collect();
    let started = Arc::new(std::sync::Barrier::new(usize::try_from(CLIENTS).unwrap()));
    let threads: Vec<_> = (0..CLIENTS)
        .map(|n| {
            let (own, other) =
                (surfaces[n as usize].clone(), surfaces[((n + CLIENTS / 2) % CLIENTS) as usize].clone());
            let peer = room.connect();
            let started = Arc::clone(&started);
            std::thread::spawn(move || client(peer, &own, &other, &started))
        })
        .collect();
    let mut ended = BTreeMap::new();
    for thread in threads {
        for (prompt, count) in thread.join().unwrap() {
            *ended.entry(prompt).or_insert(0) += count;
        }
    }
    assert_eq!(ended.len() as u64, CLIENTS * EACH);
    assert!(ended.values().all(|count| *count == 1));
}

/// Gives how often each prompt that was asked here was replied to.
fn client(peer: Peer, own: &str, other: &str, started: &std::sync::Barrier) -> BTreeMap<String, u32> {
    let Peer { mut reader, mut writer } = peer;
    let shown = format!("\"surface_id\":\"{other}\"");
    started.wait();
    for id in 0..EACH {
        let ask = format!(
            "{{\"id\":{id},\"method\":\"agent.ask_user\",\"params\":{{\"surface_id\":\"{own}\",\"kind\":\"yesno\",\"title\":\"t\"}}}}\n"
        );
        writer.write_all(ask.as_bytes()).unwrap();
    }
    let mut to_answer = Vec::new();
    let mut ended = BTreeMap::new();
    let (mut answered, mut replied) = (0, 0);
    while answered < EACH || replied < EACH {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        if line.contains("\"kind\":\"shown\"") && line.contains(&shown) {
            to_answer.push(until_quote(line.split("\"request_id\":\"").nth(1).unwrap()));
            if to_answer.len() as u64 == EACH {
                for (n, prompt) in to_answer.iter().rev().enumerate() {
                    let answer = format!(
                        "{{\"id\":\"a{n}\",\"method\":\"agent.ask_answer\",\"params\":{{\"request_id\":\"{prompt}\",\"value\":\"yes\"}}}}\n"
                    );
                    writer.write_all(answer.as_bytes()).unwrap();
                }
            }
        } else if line.starts_with("{\"id\":\"a") {
            assert!(line.contains("\"resolved\":true"), "{line}");
            answered += 1;
        } else if line.starts_with("{\"id\":") {
            assert!(line.contains("\"action\":\"ok\",\"value\":\"yes\""), "{line}");
            *ended.entry(until_quote(line.split("\"request_id\":\"").nth(1).unwrap())).or_insert(0) += 1;
            replied += 1;
        }
    }
    ended
}
