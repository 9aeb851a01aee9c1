//! The terminal prompt, as people use it: the real binary on a pseudo-terminal whose screen is read.

mod pictures;
mod terminal;

use insta::assert_snapshot;
use std::thread::sleep;
use std::time::Duration;
use terminal::{Room, Setup, Terminal, deploy, signal, sized};

const YESNO: [&str; 6] = ["ask", "yesno", "--title", "Run the migration?", "--body", "It takes a minute."];
const ESC: &str = "\x1b";
const CTRL_C: &str = "\x03";
const CTRL_D: &str = "\x04";
const CTRL_Z: &str = "\x1a";
const ENTER: &str = "\r";
const TAB: &str = "\t";
const UP: &str = "\x1b[A";
const DOWN: &str = "\x1b[B";
const PAGE_DOWN: &str = "\x1b[6~";

fn yesno() -> Terminal {
    let terminal = Terminal::script(
        Room::new(),
        &Setup::default(),
        "$ASKGATE ask yesno --title 'Run it?' --agent-id claude:1",
    );
    terminal.ready("Run it?");
    terminal
}

fn form(setup: &Setup) -> Terminal {
    let terminal = Terminal::script(Room::new(), setup, &format!("$ASKGATE ask form {}", deploy()));
    terminal.ready("│");
    terminal
}

// Each kind, and each way to end.

#[test]
fn a_yesno_is_answered_by_key_enter_or_space() {
    for (keys, answer) in [("y", "yes"), ("N", "no"), (ENTER, "yes"), ("\t ", "no")] {
        let mut terminal = yesno();
        terminal.type_keys(keys);
        let (code, left) = terminal.end_of_script();
        assert_eq!((code, left), (0, format!("✓ Run it? {answer}\n{answer}")));
    }
}

#[test]
fn leaving_is_no_answer() {
    for keys in [ESC, CTRL_C, "\x1b[27u", "\x1b[99;5u"] {
        let mut terminal = yesno();
        terminal.type_keys(keys);
        let (code, left) = terminal.end_of_script();
        assert_eq!((code, left), (3, "✗ Run it? cancelled\naskgate: cancelled".into()), "{keys:?}");
    }
}

#[test]
fn a_timeout_is_no_answer() {
    let script = "$ASKGATE ask yesno --title 'Run it?' --default yes --timeout 700";
    let mut terminal = Terminal::script(Room::new(), &Setup::default(), script);
    terminal.see("1 s left");
    let (code, left) = terminal.end_of_script();
    assert_eq!((code, left), (2, "✗ Run it? timed out\naskgate: timed out".into()));
}

#[test]
fn the_end_of_input_is_a_lost_surface() {
    let mut terminal = yesno();
    terminal.type_keys(CTRL_D);
    let (code, left) = terminal.end_of_script();
    assert_eq!(code, 4, "{left}");
    assert!(left.ends_with("askgate: the terminal ended before an answer"), "{left}");
}

#[test]
fn in_a_text_it_is_the_end_only_while_there_is_none() {
    let script = "$ASKGATE ask text --title Name";
    let mut terminal = Terminal::script(Room::new(), &Setup::default(), script);
    terminal.ready("Name");
    terminal.type_keys(&format!("x{CTRL_D}y"));
    terminal.see("❯ xy");
    terminal.type_keys(&format!("\x7f\x7f{CTRL_D}"));
    assert_eq!(terminal.end_of_script().0, 4);
}

#[test]
fn a_closed_terminal_is_a_lost_surface() {
    let mut terminal = Terminal::ask(Room::new(), &Setup::default(), &YESNO);
    terminal.ready("Run the migration?");
    terminal.close();
    assert_eq!(terminal.end().0, 4);
}

#[test]
fn a_closed_terminal_is_noticed_without_a_signal_too() {
    let script = "trap '' HUP; $ASKGATE ask yesno --title 'Run it?'; echo $? >code";
    let mut terminal = Terminal::script(Room::new(), &Setup::default(), script);
    terminal.ready("Run it?");
    terminal.close();
    terminal.end();
    assert_eq!(terminal.room.read("code").trim(), "4");
}

#[test]
fn signals_end_it_and_restore_the_terminal() {
    for (name, how) in [("TERM", "cancelled: aborted"), ("INT", "cancelled")] {
        let script = "$ASKGATE ask yesno --title 'Run it?' & pid=$!; echo $pid >pid; wait $pid";
        // A job in the background may not touch the terminal, so the shell is told to give it to the job.
        let script = format!("set -m; {}", script.replace(" & pid=$!; echo $pid >pid; wait $pid", ""));
        let mut terminal = Terminal::script(Room::new(), &Setup::default(), &script);
        terminal.ready("Run it?");
        signal(askgate_of(terminal.pid()), name);
        let (code, left) = terminal.end_of_script();
        assert_eq!(code, 3, "{left}");
        assert!(left.starts_with(&format!("✗ Run it? {how}")), "{left}");
    }
}

/// The process id of the prompt that a shell has started.
fn askgate_of(shell: u32) -> u32 {
    let children = std::fs::read_to_string(format!("/proc/{shell}/task/{shell}/children")).unwrap();
    children.split_whitespace().next().unwrap().parse().unwrap()
}

#[test]
fn a_choice_is_made_by_number_arrows_or_click() {
    for (how, label) in [("2", "Develop"), ("\x1b[B\x1b[B\r", "rc"), (" ", "Trunk"), ("click", "Develop")] {
        let script = "$ASKGATE ask choice --title 'Which?' --choices main:Trunk,dev:Develop,rc";
        let mut terminal = Terminal::script(Room::new(), &Setup::default(), script);
        terminal.ready("Which?");
        match how {
            "click" => terminal.click(label),
            // Space selects and stays, so that Enter is still to come.
            " " => terminal.type_keys(" \r"),
            keys => terminal.type_keys(keys),
        }
        let (code, left) = terminal.end_of_script();
        assert_eq!(code, 0, "{left}");
        assert!(left.starts_with(&format!("✓ Which? {label}\n")), "{left}");
    }
}

#[test]
fn a_default_is_where_the_cursor_starts_and_no_more() {
    let script = "$ASKGATE ask choice --title 'Which?' --choices main,dev --default dev";
    let mut terminal = Terminal::script(Room::new(), &Setup::default(), script);
    terminal.ready("❯ 2 dev");
    terminal.type_keys(&format!("{UP}{ENTER}"));
    assert_eq!(terminal.end_of_script(), (0, "✓ Which? main\nmain".into()));
}

#[test]
fn a_text_is_edited() {
    let script = "$ASKGATE ask text --title 'Release name' --default v1.2";
    let mut terminal = Terminal::script(Room::new(), &Setup::default(), script);
    terminal.ready("❯ v1.2");
    terminal.with_screen(|screen| {
        assert!(!screen.hide_cursor());
        assert_eq!(screen.cursor_position(), (3, 8), "behind the text");
    });
    // Over the start of the line, a character in the middle, and the last one away.
    terminal.type_keys("\x1b[Hx\x1b[C日\x1b[F\x7f");
    terminal.see("❯ xv日1.");
    terminal.type_keys(ENTER);
    assert_eq!(terminal.end_of_script(), (0, "✓ Release name: xv日1.\nxv日1.".into()));
}

#[test]
fn a_blank_text_is_refused() {
    let script = "$ASKGATE ask text --title Name";
    let mut terminal = Terminal::script(Room::new(), &Setup::default(), script);
    terminal.ready("Name");
    terminal.type_keys(&format!("  {ENTER}"));
    assert_snapshot!("blank_text", terminal.see("! Type something"));
    terminal.type_keys(&format!("x{ENTER}"));
    assert_eq!(terminal.end_of_script().0, 0);
}

#[test]
fn a_command_takes_two_steps_and_not_enter() {
    let script = "$ASKGATE ask confirm-command --title 'Clean up' --body \"$(printf 'rm -rf target \\\\\\n  && echo \\342\\200\\256done')\" --unsafe";
    let mut terminal = Terminal::script(Room::new(), &Setup::default(), script);
    terminal.see("❯[Cancel");
    sleep(Duration::from_millis(1_100));
    assert_snapshot!("command", terminal.screen());
    assert!(!terminal.raw().contains('\u{202e}'));
    terminal.type_keys(&format!("{TAB}{ENTER}"));
    terminal.see("! Run");
    sleep(Duration::from_millis(1_100));
    assert_snapshot!("command_understood", terminal.screen());
    terminal.type_keys(&format!("{TAB}{ENTER}"));
    assert_snapshot!("command_run", terminal.see("❯[! Run]"));
    terminal.type_keys(" ");
    let (code, left) = terminal.end_of_script();
    assert_eq!((code, left), (0, "✓ Clean up: run\nrun".into()));
}

#[test]
fn a_command_can_be_gone_back_from_and_clicked() {
    let script = "$ASKGATE ask confirm-command --title 'make clean'";
    let mut terminal = Terminal::script(Room::new(), &Setup::default(), script);
    terminal.see("I understand");
    sleep(Duration::from_millis(1_100));
    assert_snapshot!("command_of_a_title", terminal.screen());
    terminal.click("I understand");
    terminal.see("[Run]");
    sleep(Duration::from_millis(1_100));
    terminal.click("Back");
    terminal.see("I understand");
    sleep(Duration::from_millis(1_100));
    terminal.click("I understand");
    terminal.see("[Run]");
    sleep(Duration::from_millis(1_100));
    terminal.click("[Run]");
    assert_eq!(terminal.end_of_script(), (0, "✓ make clean: run\nrun".into()));
}

// Forms.

#[test]
fn a_form_is_answered_question_by_question() {
    let mut terminal = form(&Setup::default());
    assert_snapshot!("form_single", terminal.screen());
    terminal.type_keys(ENTER);
    terminal.ready("question 2 of 3");
    terminal.type_keys(ENTER);
    assert_snapshot!("form_multi_nothing_selected", terminal.see("! Select at least one"));
    terminal.type_keys(&format!(" {DOWN} "));
    assert_snapshot!("form_multi", terminal.see("2 selected"));
    terminal.type_keys(ENTER);
    terminal.ready("question 3 of 3");
    terminal.type_keys("tag \"v2\"");
    terminal.see("tag");
    // A new line by Alt+Enter, and then the end.
    terminal.type_keys("\x1b\rsecond line");
    assert_snapshot!("form_text", terminal.see("second line"));
    terminal.type_keys(ENTER);
    let (code, left) = terminal.end_of_script();
    assert_eq!(code, 0, "{left}");
    let line = "✓ Rollout: Canary · Regions: Frankfurt, Virginia · Note: \"tag \"v2\"⏎second line\"\n";
    assert!(left.starts_with(line), "{left}");
    let result = left.replace('\n', "");
    let details = r#""details":{"status":"answered","results":[{"id":"strategy","selected":["Canary"]},{"id":"regions","selected":["Frankfurt","Virginia"]},{"id":"note","selected":[],"custom":"tag \"v2\"\nsecond line"}]}"#;
    assert!(result.contains(details), "{result}");
}

#[test]
fn an_own_answer_is_typed_in_its_place() {
    let mut terminal = form(&Setup::default());
    terminal.type_keys("o");
    terminal.see("Type here");
    // Outside the list every letter is text, also those that are keys elsewhere.
    terminal.type_keys("o 1 yes");
    assert_snapshot!("form_own_answer", terminal.see("o 1 yes"));
    terminal.type_keys(ENTER);
    terminal.ready("question 2 of 3");
    terminal.type_keys("\x1b[5~");
    terminal.ready("question 1 of 3");
    assert_snapshot!("form_own_answer_taken", terminal.screen());
    terminal.type_keys(ESC);
    let (code, left) = terminal.end_of_script();
    assert_eq!(code, 3);
    assert!(left.starts_with("✗ 3 questions: declined\n"), "{left}");
    assert!(!left.contains("o 1 yes") && !left.contains("Canary"), "{left}");
}

#[test]
fn submit_shows_what_is_missing() {
    let mut terminal = form(&Setup::default());
    terminal.type_keys(PAGE_DOWN);
    terminal.ready("question 2 of 3");
    terminal.click("Submit");
    assert_snapshot!("form_unanswered", terminal.see("! Choose one"));
    terminal.type_keys(CTRL_C);
    assert_eq!(terminal.end_of_script().0, 3);
}

#[test]
fn a_form_is_answered_with_the_mouse_alone() {
    let room = Room::new();
    let path = room.file(
        "form.json",
        r#"{"questions":[{"id":"a","question":"One?","options":[{"label":"Red"},{"label":"Blue"}]},
            {"id":"b","question":"Several?","multi":true,"options":[{"label":"Here"},{"label":"There"}]}]}"#,
    );
    let mut terminal = Terminal::script(room, &Setup::default(), &format!("$ASKGATE ask form {path}"));
    terminal.ready("One?");
    terminal.click("Blue");
    terminal.ready("Several?");
    terminal.click("There");
    terminal.see("■ There");
    terminal.click("Submit");
    let (code, left) = terminal.end_of_script();
    assert_eq!(code, 0);
    assert!(left.starts_with("✓ One? Blue · Several? There\n"), "{left}");
}

#[test]
fn each_end_of_a_form_has_its_result() {
    for (how, code, status) in [
        ("esc", 3, "declined"),
        ("timeout", 2, "timed_out"),
        ("eof", 4, "unavailable"),
        ("term", 3, "cancelled"),
    ] {
        let timeout = if how == "timeout" { "--timeout 400" } else { "" };
        let script = format!("$ASKGATE ask form {} {timeout} >result", deploy());
        let mut terminal = Terminal::script(Room::new(), &Setup::default(), &script);
        terminal.ready("│");
        match how {
            "esc" => terminal.type_keys(ESC),
            "eof" => terminal.type_keys(CTRL_D),
            "term" => signal(askgate_of(terminal.pid()), "TERM"),
            _ => {}
        }
        assert_eq!(terminal.end_of_script().0, code, "{how}");
        let result = terminal.room.read("result");
        assert!(result.starts_with(r#"{"isError":true,"#), "{result}");
        assert!(result.contains(&format!(r#""details":{{"status":"{status}""#)), "{result}");
        assert!(!result.contains("Canary") && !result.contains("results"), "{result}");
    }
}

#[test]
fn a_form_may_come_from_a_pipe_and_its_faults_are_told() {
    let script = format!("cat {} | $ASKGATE ask form - | cat >result", deploy());
    let mut terminal = Terminal::script(Room::new(), &Setup::default(), &script);
    terminal.ready("Rollout");
    terminal.type_keys(ESC);
    terminal.end_of_script();
    assert!(terminal.room.read("result").contains(r#""status":"declined""#));

    let script =
        r#"echo '{"questions":[{"id":"a","question":"?","options":[],"multi":true}]}' | $ASKGATE ask form -"#;
    let mut terminal = Terminal::script(Room::new(), &Setup::default(), script);
    let (code, left) = terminal.end_of_script();
    assert_eq!(code, 1);
    assert!(
        left.contains(r#""status":"invalid_request""#) && left.contains("askgate: invalid_value"),
        "{left}"
    );
}

#[test]
fn eight_questions_are_gone_through_back_and_forth() {
    let questions: Vec<String> = (1..=8)
        .map(|n| format!(r#"{{"id":"q{n}","question":"Question number {n}?","options":[{{"label":"A{n}"}},{{"label":"B{n}"}}]}}"#))
        .collect();
    let room = Room::new();
    let path = room.file("form.json", &format!(r#"{{"questions":[{}]}}"#, questions.join(",")));
    let mut terminal =
        Terminal::script(room, &Setup::default(), &format!("$ASKGATE ask form {path} >result"));
    for n in 1..=8 {
        terminal.ready(&format!("question {n} of 8"));
        if n == 4 {
            terminal.type_keys("\x1b[5~\x1b[5~");
            terminal.see("question 2 of 8");
            terminal.see("● B2");
            terminal.type_keys(&format!("{PAGE_DOWN}{PAGE_DOWN}"));
            terminal.ready("question 4 of 8");
        }
        // A number goes on but does not submit.
        terminal.type_keys("2");
    }
    terminal.see("● B8");
    terminal.type_keys(ENTER);
    let (code, left) = terminal.end_of_script();
    assert_eq!(code, 0);
    assert_snapshot!("eight_answers", left);
    for n in 1..=8 {
        assert!(terminal.room.read("result").contains(&format!(r#"{{"id":"q{n}","selected":["B{n}"]}}"#)));
    }
}

// What is in flight.

#[test]
fn keys_typed_before_the_prompt_go_nowhere() {
    let script = "sleep 1; $ASKGATE ask yesno --title 'Run it?'";
    let mut terminal = Terminal::script(Room::new(), &Setup::default(), script);
    terminal.see("above");
    terminal.type_keys("y\ry\r\x1b");
    terminal.see("❯[Yes");
    // Nor do those that come as it appears, which also put off when it can be answered.
    for _ in 0..5 {
        terminal.type_keys("y\r");
        sleep(Duration::from_millis(60));
    }
    sleep(Duration::from_millis(400));
    terminal.see("❯[Yes");
    terminal.type_keys("n");
    assert_eq!(terminal.end_of_script().0, 0);
    assert!(terminal.screen().contains("✓ Run it? no"));
}

#[test]
fn a_paste_is_text_and_never_keys() {
    let script = "$ASKGATE ask text --title 'Paste here' >answer";
    let mut terminal = Terminal::script(Room::new(), &Setup::default(), script);
    terminal.ready("Paste here");
    let lines: Vec<String> = (0..10_000).map(|n| format!("{}", n % 1_000)).collect();
    terminal.type_keys(&format!("\x1b[200~{}\x1b[201~", lines.join("\r\n")));
    terminal.see("999");
    terminal.type_keys(ENTER);
    assert_eq!(terminal.end_of_script().0, 0);
    assert_eq!(terminal.room.read("answer"), lines.join("\n") + "\n");
}

#[test]
fn a_paste_that_is_too_long_is_refused_and_one_outside_text_does_nothing() {
    let script = "$ASKGATE ask text --title 'Paste here' --default old >answer";
    let mut terminal = Terminal::script(Room::new(), &Setup::default(), script);
    terminal.ready("Paste here");
    terminal.type_keys(&format!("\x1b[200~{}\x1b[201~", "0123456789\r".repeat(10_000)));
    terminal.see("! Give at most 65536 bytes");
    terminal.type_keys(ENTER);
    assert_eq!(terminal.end_of_script().0, 0);
    assert_eq!(terminal.room.read("answer"), "old\n");

    let mut terminal = yesno();
    terminal.type_keys("\x1b[200~y\ry\r\x1b[201~");
    sleep(Duration::from_millis(100));
    terminal.see("❯[Yes");
    terminal.type_keys("n");
    assert!(terminal.end_of_script().1.starts_with("✓ Run it? no"));
}

#[test]
fn an_arrow_in_pieces_is_no_escape() {
    let mut terminal = form(&Setup::default());
    terminal.type_keys("\x1b");
    sleep(Duration::from_millis(40));
    terminal.type_keys("[B");
    terminal.see("❯ 2");
    terminal.type_keys(ESC);
    assert_eq!(terminal.end_of_script().0, 3);
}

#[test]
fn repeats_and_releases_of_the_new_protocol_answer_nothing() {
    let mut terminal = yesno();
    // y held, y let go, Enter held, Escape let go.
    terminal.type_keys("\x1b[121;1:2u\x1b[121;1:3u\x1b[13;1:2u\x1b[27;1:3u");
    sleep(Duration::from_millis(150));
    terminal.see("❯[Yes");
    terminal.type_keys("\x1b[110;1:1u\x1b[110;1:3u");
    assert!(terminal.end_of_script().1.starts_with("✓ Run it? no"));
}

#[test]
fn a_terminal_that_tells_no_position_has_keys_all_the_same() {
    let setup = Setup { answers: false, ..Setup::default() };
    let mut terminal = form(&setup);
    terminal.click("Rolling");
    terminal.type_keys("3");
    terminal.see("question 2 of 3");
    terminal.type_keys("\x1b[5~");
    terminal.see("● All at once");
    terminal.type_keys(CTRL_C);
    assert_eq!(terminal.end_of_script().0, 3);
}

// Sizes.

#[test]
fn small_and_large_terminals_show_what_is_needed() {
    for (columns, rows) in [(40, 10), (120, 40), (20, 6)] {
        let mut terminal = form(&sized(columns, rows));
        assert_snapshot!(format!("form_{columns}x{rows}"), terminal.screen());
        terminal.type_keys(&format!("{DOWN}{ENTER}"));
        terminal.see("❯ 1 □");
        terminal.type_keys(CTRL_C);
        let (code, left) = terminal.end_of_script();
        assert_eq!(code, 3, "{left}");
    }
}

#[test]
fn a_terminal_of_three_columns_answers_nothing_but_can_be_left() {
    let terminal = Terminal::ask(Room::new(), &sized(3, 24), &YESNO);
    terminal.see("T…");
    sleep(Duration::from_millis(320));
    terminal.type_keys("y\r");
    sleep(Duration::from_millis(100));
    assert_eq!(terminal.screen().trim(), "T…");
    // Once it is wide enough it is there.
    terminal.resize(80, 24);
    terminal.see("❯[Yes");
    terminal.resize(3, 24);
    terminal.see("T…");
    let mut terminal = terminal;
    terminal.type_keys(CTRL_C);
    assert_eq!(terminal.end().0, 3);
}

#[test]
fn a_terminal_that_knows_no_size_is_taken_to_have_the_usual_one() {
    let mut terminal = Terminal::ask(Room::new(), &sized(0, 0), &YESNO);
    terminal.ready("❯[Yes");
    terminal.type_keys("n");
    assert_eq!(terminal.end().0, 0);
}

#[test]
fn every_size_shows_the_cursor_and_fits() {
    let room = Room::new();
    let path = room.file("form.json", &twenty());
    let terminal = Terminal::script(room, &sized(80, 24), &format!("$ASKGATE ask form {path}"));
    terminal.ready("Which of these?");
    for (columns, rows) in [(79, 23), (60, 12), (30, 8), (16, 4), (17, 5), (200, 60), (16, 24), (80, 4)] {
        terminal.resize(columns, rows);
        let screen = terminal.wait("one frame", |screen| {
            screen.matches('❯').count() == 1 && screen.matches("Which of").count() == 1
        });
        assert!(screen.lines().count() <= usize::from(rows), "{columns}x{rows}\n{screen}");
        sleep(Duration::from_millis(20));
        terminal.type_keys(DOWN);
        sleep(Duration::from_millis(20));
    }
}

fn twenty() -> String {
    let options: Vec<String> = (1..=20).map(|n| format!(r#"{{"label":"Option {n:02}"}}"#)).collect();
    format!(
        r#"{{"questions":[{{"id":"a","question":"Which of these?","options":[{}]}}]}}"#,
        options.join(",")
    )
}

#[test]
fn twenty_options_are_all_reached_in_a_few_rows() {
    let room = Room::new();
    let path = room.file("form.json", &twenty());
    let mut terminal = Terminal::script(room, &sized(60, 10), &format!("$ASKGATE ask form {path} >result"));
    terminal.ready("❯ 1 ○ Option 01");
    assert_snapshot!("twenty_options", terminal.screen());
    for n in 2..=20 {
        terminal.type_keys(DOWN);
        terminal.see(&format!("○ Option {n:02}"));
        terminal.wait("the cursor", |screen| {
            screen.lines().any(|line| line.contains('❯') && line.contains(&format!("Option {n:02}")))
        });
    }
    assert_snapshot!("twenty_options_end", terminal.screen());
    terminal.type_keys(ENTER);
    assert_eq!(terminal.end_of_script().0, 0);
    assert!(terminal.room.read("result").contains(r#""selected":["Option 20"]"#));
}

#[test]
fn a_storm_of_sizes_leaves_one_frame_and_what_was_above() {
    let mut terminal = form(&Setup::default());
    // What is drawn for one size and arrives at another is where no program can mend it, so the storm comes in gusts.
    for gust in 0..6_u16 {
        for n in 0..20 {
            terminal.resize(30 + n * 17 % 90, 8 + n * 5 % 30);
        }
        let columns = 40 + gust * 20;
        terminal.resize(columns, 24);
        terminal.type_keys(DOWN);
        terminal.wait("a frame of that width", |screen| {
            let narrow = columns < 80;
            screen.contains("How should version")
                && screen.contains("PageDown")
                && screen.contains("Canary (recommended)  5") != narrow
        });
        sleep(Duration::from_millis(100));
    }
    terminal.resize(80, 24);
    terminal.see("Tab other control · PageDown other question");
    sleep(Duration::from_millis(400));
    let screen = terminal.screen();
    assert_eq!(screen.matches('❯').count(), 1, "{screen}");
    assert_eq!(screen.matches("How should version").count(), 1, "{screen}");
    terminal.type_keys(CTRL_C);
    let (code, left) = terminal.end_of_script();
    assert_eq!(code, 3);
    assert_eq!(left.matches('│').count(), 0, "{left}");
}

#[test]
fn a_resize_while_text_is_typed_keeps_the_text_and_the_cursor() {
    let script = "$ASKGATE ask text --title 'Release name'";
    let mut terminal = Terminal::script(Room::new(), &Setup::default(), script);
    terminal.ready("Release name");
    terminal.type_keys("some words that are longer than a narrow terminal is wide");
    terminal.see("is wide");
    terminal.resize(30, 12);
    let screen = terminal.wait("the text in rows", |screen| {
        screen.contains("narrow") && !screen.contains("some words that are longer than")
    });
    assert_eq!(screen.matches("Release name").count(), 1, "{screen}");
    // While sizes change the cursor is out of the text; then it is back.
    terminal.type_keys("!");
    terminal.wait("the cursor in the text", |_| terminal.with_screen(|screen| !screen.hide_cursor()));
    let at = terminal.with_screen(|screen| screen.cursor_position());
    let row = terminal.screen().lines().nth(usize::from(at.0)).unwrap_or_default().to_owned();
    assert!(row.ends_with("wide!"), "{row}");
    terminal.type_keys(ENTER);
    assert_eq!(terminal.end_of_script().0, 0);
}

#[test]
fn a_long_body_is_scrolled_by_keys_and_wheel() {
    let script = "$ASKGATE ask yesno --title 'Read this' --body \"$(seq -f 'line %g.' 1 60)\"";
    let mut terminal = Terminal::script(Room::new(), &Setup::default(), script);
    terminal.ready("line 1.");
    assert_snapshot!("long_body", terminal.screen());
    terminal.type_keys("\x1b[1;3B");
    terminal.see("↑ 1 above");
    terminal.type_keys(&"\x1b[<65;5;5M".repeat(30));
    terminal.see("line 60.");
    terminal.type_keys(&"\x1b[<64;5;5M".repeat(30));
    terminal.see("line 1.");
    terminal.type_keys("y");
    assert_eq!(terminal.end_of_script().0, 0);
}

// Text of every kind.

#[test]
fn wide_joined_and_hidden_characters_keep_their_columns() {
    let room = Room::new();
    let path = room.file(
        "form.json",
        r#"{"questions":[{"id":"a","header":"見出し","question":"どれにしますか？ 👩‍👩‍👧 ⚠️","options":[
            {"label":"日本語の選択肢","description":"説明"},
            {"label":"עברית","description":"ימין לשמאל"},
            {"label":"عربي","description":"من اليمين"},
            {"label":"evil\u202eoverride\u200b","description":"tab\there\u0007"}],"recommended":1}]}"#,
    );
    let mut terminal = Terminal::script(room, &Setup::default(), &format!("$ASKGATE ask form {path}"));
    terminal.ready("日本語");
    assert_snapshot!("wide", terminal.screen());
    let raw = terminal.raw();
    for hidden in ['\u{202e}', '\u{200b}', '\u{7}'] {
        assert!(!raw.contains(hidden), "{hidden:?}");
    }
    terminal.type_keys("o日本\u{200b}語é");
    terminal.see("日本\\u{200B}語é");
    let (row, column) = terminal.with_screen(vt100::Screen::cursor_position);
    let line = terminal.with_screen(|screen| screen.contents_between(row, 0, row, column));
    assert!(line.ends_with('é') && line.contains("\\u{200B}"), "{line:?}");
    terminal.type_keys(ENTER);
    let (code, left) = terminal.end_of_script();
    assert_eq!(code, 0, "{left}");
}

// The shell around it.

#[test]
fn what_stands_before_it_on_the_line_stays() {
    let mut terminal = Terminal::script(
        Room::new(),
        &Setup::default(),
        "printf 'Deploying… '; $ASKGATE ask yesno --title 'Run it?'",
    );
    terminal.ready("❯[Yes");
    terminal.type_keys("y");
    assert_eq!(terminal.end_of_script(), (0, "Deploying…\n✓ Run it? yes\nyes".into()));
}

#[test]
fn it_is_drawn_at_the_bottom_of_a_full_screen_too() {
    let script = "seq 1 40; $ASKGATE ask yesno --title 'Run it?'";
    let mut terminal = Terminal::script(Room::new(), &Setup::default(), script);
    terminal.ready("❯[Yes");
    terminal.click("[No (n)]");
    let (code, _) = terminal.end_of_script();
    assert_eq!(code, 0);
    let screen = terminal.screen();
    assert!(screen.contains("40\n✓ Run it? no\nno\ncode=0"), "{screen}");
}

#[test]
fn stdin_and_stdout_may_be_pipes() {
    let script =
        "branch=$(echo x | $ASKGATE ask choice --title 'Which?' --choices main,dev | cat); echo got=$branch";
    let mut terminal = Terminal::script(Room::new(), &Setup::default(), script);
    terminal.ready("Which?");
    terminal.type_keys("2");
    assert_eq!(terminal.end_of_script(), (0, "✓ Which? dev\ngot=dev".into()));
}

#[test]
fn it_is_stopped_and_gone_on_with() {
    let mut command = portable_pty::CommandBuilder::new("bash");
    command.args(["--norc", "--noprofile", "-i"]);
    command.env("PS1", "$ ");
    let room = Room::new();
    // The shell's own use of the terminal is out of the way.
    command.env("INPUTRC", room.file("inputrc", "set enable-bracketed-paste off\n"));
    let mut terminal = Terminal::start(room, &Setup::default(), command);
    terminal.see("$");
    terminal.type_keys(&format!("stty -g >before; $ASKGATE ask form {} >result\r", deploy()));
    terminal.ready("question 1 of 3");
    terminal.type_keys(DOWN);
    terminal.see("❯ 2");
    terminal.type_keys(CTRL_Z);
    terminal.see("Stopped");
    terminal.is_as_before();
    assert_eq!(terminal.screen().matches('│').count(), 0, "{}", terminal.screen());
    terminal.type_keys("stty -g >stopped; echo sto'pped'\r");
    terminal.see("stopped\n$");
    assert_eq!(terminal.room.read("before"), terminal.room.read("stopped"));
    // Where the person was is still there.
    terminal.type_keys("fg\r");
    terminal.see("❯ 2 ○ Rolling");
    sleep(Duration::from_millis(100));
    terminal.type_keys(CTRL_C);
    terminal.see("declined");
    terminal.type_keys("stty -g >after; echo do'ne'; exit\r");
    terminal.see("done");
    assert_eq!(terminal.room.read("before"), terminal.room.read("after"));
    terminal.end();
}

#[test]
fn without_a_shell_to_go_on_with_it_it_does_not_stop() {
    let mut terminal = Terminal::ask(Room::new(), &Setup::default(), &YESNO);
    terminal.ready("❯[Yes");
    terminal.type_keys(CTRL_Z);
    sleep(Duration::from_millis(500));
    terminal.see("❯[Yes");
    terminal.type_keys("n");
    assert_eq!(terminal.end().0, 0);
}

// Environments.

#[test]
fn no_colour_where_none_is_wanted_and_only_the_basic_ones_else() {
    let colours = |environment: Vec<(&'static str, &'static str)>| {
        let setup = Setup { environment, ..Setup::default() };
        let script = "$ASKGATE ask confirm-command --title 'make clean' --unsafe";
        let mut terminal = Terminal::script(Room::new(), &setup, script);
        terminal.ready("❯[Cancel");
        let screen = terminal.screen();
        terminal.type_keys(CTRL_C);
        terminal.end_of_script();
        let raw = terminal.raw();
        let styles =
            raw.split("\x1b[").skip(1).filter_map(|rest| rest.split_once('m').map(|(style, _)| style));
        let numbers = styles.filter(|style| style.bytes().all(|byte| byte.is_ascii_digit() || byte == b';'));
        let mut numbers: Vec<u32> =
            numbers.flat_map(|style| style.split(';').filter_map(|number| number.parse().ok())).collect();
        numbers.sort_unstable();
        numbers.dedup();
        (screen, numbers)
    };
    let (with, numbers) = colours(vec![("NO_COLOR", "")]);
    assert!(numbers.iter().any(|number| (30..38).contains(number)), "{numbers:?}");
    assert!(numbers.iter().all(|number| *number < 38 || *number == 39), "{numbers:?}");
    let (without, numbers) = colours(vec![("NO_COLOR", "1")]);
    assert!(numbers.iter().all(|number| *number < 30), "{numbers:?}");
    // Nothing is told by colour alone.
    assert_eq!(with, without);
}

#[test]
fn lines_where_nothing_can_be_drawn_or_is_to_be_read_aloud() {
    for (term, environment, flag) in
        [("dumb", Vec::new(), ""), ("xterm", vec![("ACCESSIBLE", "1")], ""), ("xterm", Vec::new(), "--plain")]
    {
        let setup = Setup { term, environment, ..Setup::default() };
        let script = format!("$ASKGATE ask form {} {flag} >result", deploy());
        let mut terminal = Terminal::script(Room::new(), &setup, &script);
        terminal.see("\n>");
        if term == "dumb" {
            assert_snapshot!("form_in_lines", terminal.screen());
        }
        terminal.type_keys("\r");
        terminal.wait("the hint", |screen| screen.matches("or decline.").count() == 2);
        terminal.type_keys("back\r2\r");
        terminal.see("question 2 of 3");
        terminal.type_keys("1, Singapore, o the test site\r");
        terminal.see("question 3 of 3");
        terminal.type_keys("nothing\r");
        let (code, left) = terminal.end_of_script();
        assert_eq!(code, 0, "{left}");
        assert!(!terminal.raw().contains('\x1b'));
        let results = r#"[{"id":"strategy","selected":["Rolling"]},{"id":"regions","selected":["Frankfurt","Singapore"],"custom":"the test site"},{"id":"note","selected":[],"custom":"nothing"}]"#;
        assert!(terminal.room.read("result").contains(results), "{}", terminal.room.read("result"));
    }
}

// A host.

#[test]
fn a_host_shows_one_surface_after_another_and_stays_usable_with_many() {
    use std::io::{BufRead, BufReader, Write};
    let mut terminal = Terminal::script(Room::new(), &sized(100, 24), "$ASKGATE serve");
    terminal.see("Nothing is asked.");
    let socket = terminal.room.folder.join("askgate/askgate.sock");
    let mut client = std::os::unix::net::UnixStream::connect(socket).unwrap();
    client.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let mut replies = BufReader::new(client.try_clone().unwrap());
    for n in 0..500 {
        let params =
            format!(r#"{{"surface_id":"surface:{}","kind":"yesno","title":"Question {n:03}?"}}"#, n % 4);
        writeln!(client, r#"{{"id":{n},"method":"agent.ask_user","params":{params}}}"#).unwrap();
    }
    let reader = std::thread::spawn(move || {
        let mut line = String::new();
        let mut ends = Vec::new();
        while ends.len() < 500 && replies.read_line(&mut line).unwrap_or(0) > 0 {
            if line.contains(r#""result""#) {
                ends.push(line.clone());
            }
            line.clear();
        }
        ends
    });
    terminal.ready("124 more here · 375 on other surfaces: Ctrl+N");
    terminal.type_keys("y");
    terminal.ready("Question 001?");
    terminal.type_keys("\x0e");
    terminal.ready("Question 002?");
    terminal.type_keys("n");
    terminal.ready("Question 003?");
    terminal.type_keys(ESC);
    terminal.ready("Question 004?");
    assert_snapshot!("host", terminal.screen().split_once("askgate.sock\n").unwrap().1);
    // Answered by another client, shown or not.
    writeln!(
        client,
        r#"{{"id":"a","method":"agent.ask_answer","params":{{"request_id":"req:5","value":"yes"}}}}"#
    )
    .unwrap();
    terminal.see("✓ Question 004? yes (answered elsewhere)");
    writeln!(
        client,
        r#"{{"id":"b","method":"agent.ask_answer","params":{{"request_id":"req:100","value":"no"}}}}"#
    )
    .unwrap();
    terminal.see("✓ Question 099? no (answered elsewhere)");
    terminal.type_keys(CTRL_C);
    let (code, left) = terminal.end_of_script();
    assert_eq!(code, 0, "{left}");
    assert!(left.contains("cancelled: shutdown"), "{left}");
    assert_eq!(reader.join().unwrap().len(), 500);
}
