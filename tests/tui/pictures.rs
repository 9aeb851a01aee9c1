//! The pictures of the README: real screens as SVG, in the colours of a light or a dark page.
//!
//! The test fails where a picture is not what the prompt looks like; with `ASKGATE_PICTURES=write` it draws them anew.

use crate::terminal::{Room, Setup, Terminal, deploy};
use std::fmt::Write;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

/// The size of a cell, and the margin around all.
const CELL: (f32, f32) = (8.4, 19.0);
const MARGIN: f32 = 16.0;

const STYLE: &str = "\
text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;white-space:pre;fill:#24292f}\
.b{font-weight:700}.d{opacity:.6}.c6{fill:#0b7285}.c1{fill:#c92a2a}.i{fill:#fff}\
.page{fill:#fff;stroke:#d0d7de}.inverse{fill:#24292f}\
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.c6{fill:#4fd1e0}.c1{fill:#ff7b72}.i{fill:#0d1117}\
.page{fill:#0d1117;stroke:#30363d}.inverse{fill:#e6edf3}}";

/// How a run of cells looks.
#[derive(Clone, PartialEq, Eq)]
struct Look {
    class: String,
    inverse: bool,
}

fn look(cell: &vt100::Cell) -> Look {
    let mut classes = Vec::new();
    if cell.bold() {
        classes.push("b".to_owned());
    }
    if cell.dim() {
        classes.push("d".to_owned());
    }
    if cell.inverse() {
        classes.push("i".to_owned());
    } else if let vt100::Color::Idx(colour) = cell.fgcolor() {
        classes.push(format!("c{colour}"));
    }
    Look { class: classes.join(" "), inverse: cell.inverse() }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

/// The screen as it is, down to its last row that has something in it.
fn picture(screen: &vt100::Screen, title: &str) -> String {
    let columns = screen.size().1.get();
    let rows = screen.contents().trim_end().lines().count();
    let height = f32::from(u16::try_from(rows).unwrap()) * CELL.1 + 2.0 * MARGIN;
    let width = f32::from(columns) * CELL.0 + 2.0 * MARGIN;
    let mut body = String::new();
    for row in 0..u16::try_from(rows).unwrap() {
        let mut column = 0;
        while column < columns {
            let first = column;
            let Some(cell) = screen.cell(row, column) else { break };
            let run = look(cell);
            let mut text = String::new();
            while let Some(cell) = screen.cell(row, column).filter(|cell| look(cell) == run) {
                // The second half of a wide character is in the first.
                if !cell.is_wide_continuation() {
                    text.push_str(if cell.has_contents() { cell.contents() } else { " " });
                }
                column += 1;
            }
            draw(&mut body, (row, first, column), &run, &text);
        }
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
         height=\"{height:.0}\" role=\"img\"><title>{}</title><style>{STYLE}</style>\n\
         <rect class=\"page\" x=\".5\" y=\".5\" width=\"{:.0}\" height=\"{:.0}\" rx=\"8\"/>\n{body}</svg>\n",
        escaped(title),
        width - 1.0,
        height - 1.0
    )
}

fn draw(body: &mut String, (row, first, end): (u16, u16, u16), look: &Look, text: &str) {
    let (x, y) = (MARGIN + f32::from(first) * CELL.0, MARGIN + f32::from(row) * CELL.1);
    let wide = f32::from(end - first) * CELL.0;
    if look.inverse {
        let _ = writeln!(
            body,
            r#"<rect class="inverse" x="{x:.1}" y="{y:.1}" width="{wide:.1}" height="{:.1}"/>"#,
            CELL.1
        );
    }
    let shown = text.trim_end();
    if shown.is_empty() {
        return;
    }
    // Blanks at the start are left out, for not every renderer keeps them.
    let start = shown.trim_start();
    let blank = u16::try_from(shown.len() - start.len()).unwrap();
    let used = f32::from(end - first - blank) - f32::from(u16::try_from(text.len() - shown.len()).unwrap());
    let x = x + f32::from(blank) * CELL.0;
    let class = if look.class.is_empty() { String::new() } else { format!(r#" class="{}""#, look.class) };
    let _ = writeln!(
        body,
        r#"<text x="{x:.1}" y="{:.1}" textLength="{:.1}"{class}>{}</text>"#,
        y + 14.0,
        used * CELL.0,
        escaped(start)
    );
}

fn keep(name: &str, terminal: &Terminal, title: &str) {
    let drawn = terminal.with_screen(|screen| picture(screen, title));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/pictures").join(name);
    if std::env::var("ASKGATE_PICTURES").is_ok_and(|mode| mode == "write") {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &drawn).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == drawn, "{name} is not what the prompt looks like; draw it anew with docs/pictures/make");
}

fn settled(terminal: &Terminal, text: &str, guard: Duration) {
    terminal.see(text);
    // Until the buttons are not dimmed any more.
    sleep(guard + Duration::from_millis(150));
}

#[test]
fn the_pictures_are_what_the_prompt_looks_like() {
    let setup = Setup { columns: 82, rows: 18, ..Setup::default() };
    let shell = |shown: &str, run: &str| format!("clear; printf '$ %s\\n' '{shown}'; {run}");

    let script = shell("askgate ask form deploy.json", &format!("$ASKGATE ask form {}", deploy()));
    let terminal = Terminal::script(Room::new(), &setup, &script);
    settled(&terminal, "question 1 of 3", Duration::from_millis(250));
    keep("form.svg", &terminal, "A form of three questions in a terminal, at its first one");

    terminal.type_keys("1");
    settled(&terminal, "question 2 of 3", Duration::from_millis(250));
    terminal.type_keys(" \x1b[B ");
    terminal.see("2 selected");
    keep("multi.svg", &terminal, "The second question of the form, with two answers selected");

    let ask = "ask confirm-command --unsafe --agent-id claude:1 --title \"Clean the build?\" --body";
    let script = shell(
        "askgate ask confirm-command --unsafe ...",
        &format!("$ASKGATE {ask} \"$(printf 'rm -rf target \\342\\200\\256tsid')\""),
    );
    let terminal = Terminal::script(Room::new(), &setup, &script);
    settled(&terminal, "I understand", Duration::from_millis(1_000));
    keep(
        "command.svg",
        &terminal,
        "A dangerous command that hides a character, to be confirmed in a terminal",
    );
}
