//! What a host fixes when it makes a handle.

use crate::codes::askgate_result;
use crate::fail::Fail;
use crate::guard;
use crate::pointer::{Out, read};
use crate::text::askgate_text;
use askgate_core::dialect::typed::parse_limits;
use askgate_core::gate::Config;
use askgate_core::limits::Limits;

/// What a host fixes before it asks anything. Fill it by `askgate_config_init`, then change what you like.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct askgate_config {
    /// The first prompt's number. A host that restarts gives one that it never used, so that ids never recur. By
    /// default 1.
    pub first_prompt_id: u64,
    /// What to add to `now` to get milliseconds since 1970-01-01T00:00Z, for `created_at`. By default 0.
    pub wall_clock_offset: u64,
    /// Bounds to change, as JSON: an object with any of `line_bytes`, `title_bytes`, `body_bytes`, `id_bytes`,
    /// `label_bytes`, `description_bytes`, `question_bytes`, `choices`, `answer_bytes`, `reason_bytes`, `pending`,
    /// `pending_per_surface`, `connections`, `remembered` and `queued`. Absent by default: the bounds documented.
    pub limits: askgate_text,
}

/// Fills a configuration with the defaults.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn askgate_config_init(config: *mut askgate_config) -> askgate_result {
    // SAFETY: the header says what the pointers must be; NULL is refused.
    unsafe {
        guard::plain(Out::required(config), || {
            let Config { first_prompt_id, wall_clock_offset, .. } = Config::default();
            Ok(askgate_config { first_prompt_id, wall_clock_offset, limits: askgate_text::ABSENT })
        })
    }
}

/// The configuration that a caller gave, or the default where it is NULL.
pub(crate) unsafe fn config(given: *const askgate_config) -> Result<Config, Fail> {
    let mut config = Config::default();
    if given.is_null() {
        return Ok(config);
    }
    // SAFETY: not NULL; the caller vouches for it.
    let given = unsafe { read(given) }?;
    config.first_prompt_id = given.first_prompt_id;
    config.wall_clock_offset = given.wall_clock_offset;
    // SAFETY: as above.
    config.limits = unsafe { limits(given.limits) }?;
    Ok(config)
}

/// The bounds that a caller changed, as JSON.
pub(crate) unsafe fn limits(given: askgate_text) -> Result<Limits, Fail> {
    // SAFETY: the caller vouches for the text.
    Ok(match unsafe { given.optional() }? {
        Some(json) => parse_limits(json)?,
        None => Limits::DEFAULT,
    })
}
