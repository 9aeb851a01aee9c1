//! `include/askgate.h` is made from the comments of the exports. This test fails if the file differs from what is made;
//! with `ASKGATE_BLESS=1` it writes the file.

use std::path::Path;
use std::{env, fs};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn made() -> String {
    let mut config = cbindgen::Config::from_file(root().join("cbindgen.toml")).expect("the configuration");
    config.header = Some(fs::read_to_string(root().join("preface.h")).expect("the preface"));
    config.after_includes = Some(fs::read_to_string(root().join("helpers.h")).expect("the helpers"));
    let bindings = cbindgen::Builder::new()
        .with_config(config)
        .with_src(root().join("src/lib.rs"))
        .generate()
        .expect("bindings");
    let mut header = Vec::new();
    bindings.write(&mut header);
    // What cbindgen calls a trailer comes after the include guard.
    let guard = "#endif  /* ASKGATE_H */";
    let trailer = fs::read_to_string(root().join("trailer.h")).expect("the trailer");
    let header = String::from_utf8(header).expect("UTF-8").replace(guard, &format!("{trailer}\n{guard}"));
    tidy(&header)
}

/// Makes comments as people write them, and banners of the section marks.
fn tidy(header: &str) -> String {
    let mut out = String::new();
    let mut lines = header.lines();
    while let Some(line) = lines.next() {
        let indent = &line[..line.len() - line.trim_start().len()];
        if line.trim() != "/*" {
            // Each type has a name of its own, which C++ and C alike take alone.
            let is_definition = line.starts_with("typedef");
            out += &if is_definition { line.into() } else { line.replace("struct askgate_", "askgate_") };
            out.truncate(out.trim_end_matches(' ').len());
            out.push('\n');
            continue;
        }
        let mut comment: Vec<&str> = lines.by_ref().map(str::trim).take_while(|line| *line != "*/").collect();
        if let Some(title) = comment.first().and_then(|line| line.strip_prefix("== ")) {
            let rule = "=".repeat(94);
            out += &format!("/* {rule} *\n * {}\n * {rule} */\n\n", title.trim_end_matches(" =="));
            comment.remove(0);
            comment.remove(0);
        }
        match comment.as_slice() {
            [line] => out += &format!("{indent}/* {line} */\n"),
            [first, rest @ ..] => {
                out += &format!("{indent}/* {first}\n");
                for line in rest {
                    out += format!("{indent} * {line}").trim_end();
                    out.push('\n');
                }
                out.truncate(out.trim_end().len());
                out += " */\n";
            }
            [] => {}
        }
    }
    // A value and its comment stand together; a call and the next are apart.
    out.replace("@VERSION@", env!("CARGO_PKG_VERSION")).replace("\n\n\n", "\n\n")
}

#[test]
fn the_header_is_what_is_made() {
    let path = root().join("../include/askgate.h");
    let made = made();
    if env::var_os("ASKGATE_BLESS").is_some() {
        fs::write(&path, &made).expect("the header written");
    }
    let is = fs::read_to_string(&path).expect("include/askgate.h");
    for (number, (is, made)) in is.lines().zip(made.lines()).enumerate() {
        assert_eq!(
            is,
            made,
            "line {}: make it by ASKGATE_BLESS=1 cargo test -p askgate-ffi --test header",
            number + 1
        );
    }
    assert!(is == made, "the header's end differs");
}
