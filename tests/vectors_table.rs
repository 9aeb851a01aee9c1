//! The table in `tests/vectors/README.md` that says where each rule is tested names files that exist, and every scenario file.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The folders whose files the table must name.
const FOLDERS: [&str; 7] = ["chat", "elicitation", "endpoint", "gate", "mirror", "modal", "text"];

struct Row {
    line: String,
    /// Paths below the folder of scenarios; one `*` in a path stands for anything.
    files: Vec<String>,
}

fn rows() -> Vec<Row> {
    let readme = include_str!("vectors/README.md");
    let (_, section) = readme.split_once("\n## Where each rule is tested\n").expect("the table's section");
    let section = section.split("\n## ").next().unwrap_or_default();
    let lines = section.lines().filter(|line| line.starts_with('|'));
    // The heading, and the line below it.
    let rows = lines.skip(2).map(|line| {
        let line = line.replace("\\|", "/");
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        assert_eq!(cells.len(), 3, "three columns: {line}");
        assert!(cells.iter().all(|cell| !cell.is_empty()), "no empty cell: {line}");
        let files = cells[2].split('`').skip(1).step_by(2).map(String::from).collect();
        Row { files, line }
    });
    rows.collect()
}

fn scenarios() -> BTreeSet<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors");
    let mut found = BTreeSet::new();
    for folder in FOLDERS {
        find(&root.join(folder), folder, &mut found);
    }
    found
}

fn find(folder: &Path, name: &str, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("a folder of scenarios") {
        let entry = entry.expect("an entry of the folder");
        let name = format!("{name}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            find(&entry.path(), &name, found);
        } else if name.ends_with(".json") {
            found.insert(name);
        }
    }
}

fn covers(pattern: &str, file: &str) -> bool {
    match pattern.split_once('*') {
        Some((start, end)) => {
            file.len() >= start.len() + end.len() && file.starts_with(start) && file.ends_with(end)
        }
        None => file == pattern,
    }
}

#[test]
fn each_row_names_files_that_exist() {
    let scenarios = scenarios();
    let rows = rows();
    assert!(!rows.is_empty(), "the table has no rows");
    for Row { line, files } in rows {
        assert!(!files.is_empty(), "a row without a file: {line}");
        for pattern in files {
            assert!(scenarios.iter().any(|file| covers(&pattern, file)), "no such file: {pattern} in {line}");
        }
    }
}

#[test]
fn each_scenario_is_named() {
    let named: Vec<String> = rows().into_iter().flat_map(|row| row.files).collect();
    let unnamed: Vec<String> =
        scenarios().into_iter().filter(|file| !named.iter().any(|pattern| covers(pattern, file))).collect();
    assert!(unnamed.is_empty(), "{} files are in no row: {unnamed:#?}", unnamed.len());
}
