//! Plays the scenario files of `tests/vectors` (or of the folder that `ASKGATE_VECTORS` names); their format is described in
//! `tests/vectors/README.md`.
//!
//! An argument is a part of the paths of the files to play, or the path of one file; without any, all are played. A folder
//! without scenarios is a failure, a filter that leaves none is not, so that `cargo test NAME` reaches other tests. One line is
//! printed for each file, with steps counted from 0. Where `ASKGATE_TRANSCRIPT` names a file, all that the library gave is
//! written to it, one line each: the path, the step and the JSON text, with tabs between, so that the transcripts of two
//! bindings can be compared byte for byte.

#[path = "mod.rs"]
mod scenarios;

use scenarios::record::Record;
use std::env;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn main() -> ExitCode {
    match play_all() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Whether all that was played passed.
fn play_all() -> Result<bool, String> {
    let default = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests").join("vectors");
    let root = env::var_os("ASKGATE_VECTORS").map_or_else(default, PathBuf::from);
    let mut files = Vec::new();
    find(&root, &mut files)?;
    if files.is_empty() {
        return Err(format!("there is no scenario below {}", root.display()));
    }
    // What begins with a dash is meant for the harness that this test does without.
    let filters: Vec<String> = env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let (single, parts): (Vec<&str>, Vec<&str>) =
        filters.iter().map(String::as_str).partition(|filter| Path::new(filter).is_file());
    if !filters.is_empty() {
        files.retain(|file| parts.iter().any(|part| named(&root, file).contains(part)));
        files.extend(single.iter().map(PathBuf::from));
    }
    files.sort();

    let mut transcript = Vec::new();
    let (mut passed, mut failed) = (0_usize, 0_usize);
    let mut out = io::stdout().lock();
    for file in &files {
        let name = named(&root, file);
        let mut record = Record::default();
        let played = fs::read_to_string(file)
            .map_err(|error| error.to_string())
            .and_then(|text| scenarios::play(&text, &mut record));
        for (step, json) in record.lines {
            transcript.extend_from_slice(format!("{name}\t{step}\t{json}\n").as_bytes());
        }
        let written = match played {
            Ok(()) => {
                passed += 1;
                writeln!(out, "ok {name}")
            }
            Err(error) => {
                failed += 1;
                writeln!(out, "FAIL {name}: {error}")
            }
        };
        written.map_err(|error| error.to_string())?;
    }
    writeln!(out, "{passed} passed, {failed} failed").map_err(|error| error.to_string())?;
    if let Some(path) = env::var_os("ASKGATE_TRANSCRIPT") {
        fs::write(&path, transcript).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(failed == 0)
}

/// All scenario files below a folder.
fn find(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    let failed = |error: io::Error| format!("{}: {error}", folder.display());
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.is_dir() {
            find(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "json") {
            files.push(path);
        }
    }
    Ok(())
}

/// The path of a file from the root, with `/` on all systems.
fn named(root: &Path, file: &Path) -> String {
    let path = file.strip_prefix(root).unwrap_or(file);
    let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
    parts.join("/")
}
