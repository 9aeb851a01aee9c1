//! Completion scripts and manual pages, made from the command line's own definition.

use crate::args::Cli;
use crate::exit::{Exit, Failure, print};
use askgate::error::Code;
use clap::CommandFactory;
use clap_complete::Shell;

/// Prints a completion script.
pub(crate) fn completions(shell: Shell) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "askgate", &mut script);
    page(&script)
}

/// Prints the manual page of the whole or of one command.
pub(crate) fn man(command: Option<&str>) -> Result<Exit, Failure> {
    let mut root = Cli::command();
    root.build();
    let shown = match command {
        None => root,
        Some(name) => {
            let unknown = || Failure::error(Code::InvalidValue, format!("There is no command {name:?}."));
            // Its name is made of both, with a hyphen, as manual pages have it.
            root.find_subcommand(name).cloned().ok_or_else(unknown)?
        }
    };
    let mut text = Vec::new();
    clap_mangen::Man::new(shown)
        .render(&mut text)
        .map_err(|error| Failure::io("The page could not be made", &error))?;
    page(&text)
}

fn page(text: &[u8]) -> Result<Exit, Failure> {
    print(&String::from_utf8_lossy(text))?;
    Ok(Exit::Done)
}
