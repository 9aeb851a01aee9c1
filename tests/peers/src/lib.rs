//! What the tests against peers share: generated forms with an answer to each, and a host that plays one prompt at a run's
//! own client.

#[path = "../../forms/mod.rs"]
pub mod forms;
pub mod host;

pub use forms::{Asked, Choice, asked};
pub use host::Host;
