//! The terminal prompt: it is drawn below the line that the shell is on, and leaves one line behind.
//!
//! What a prompt does is the modal's affair ([`askgate::modal`]); here is how it looks and where keys come from. The
//! terminal is the controlling one, so stdin and stdout may be pipes.
//!
//! Keys are read from that terminal here, and only their sequences are left to a library: one that reads by itself would
//! read stdin where that is a terminal too, wait inside a sequence that breaks off, take the first piece of an arrow key for
//! Escape, and ask on stdout where the cursor is.
//!
//! | file | its job |
//! |---|---|
//! | `terminal` | the terminal's modes and size; all restored in the end, also by a panic |
//! | `decode` | bytes to events |
//! | `input` | events to what a modal takes |
//! | `render` | a view to the lines of a frame, and what a click on them hits |
//! | `layout`, `text`, `list`, `keys` | of that: who gets how many rows, the texts, the options, the help line |
//! | `flow`, `theme` | columns of text; styles and marks |
//! | `screen` | a frame on the screen, in place of the last |
//! | `summary` | the line that stays |
//! | `shown` | the prompt that is shown |
//! | `run` | the loop |

mod decode;
mod flow;
mod input;
mod keys;
mod layout;
mod list;
mod render;
mod run;
mod screen;
mod shown;
mod summary;
mod terminal;
mod text;
mod theme;

pub(crate) use run::Tui;
