//! The `config` of a scenario.

use super::fields::{Fields, number};
use askgate::gate::Config;

/// The configuration, and the fields of it that only one kind knows.
pub(crate) fn read(file: &mut Fields) -> Result<(Config, Fields), String> {
    let mut fields = match file.object("config")? {
        Some(fields) => fields,
        None => Fields::of("config", serde_json::json!({}))?,
    };
    let mut config = Config::default();
    if let Some(first) = fields.number("first_prompt_id")? {
        config.first_prompt_id = first;
    }
    if let Some(offset) = fields.number("wall_clock_offset")? {
        config.wall_clock_offset = offset;
    }
    if let Some(limits) = fields.object("limits")? {
        for (name, value) in limits.rest() {
            let most = usize::try_from(number("limits", &value)?).map_err(|error| error.to_string())?;
            *config.limits.by_name(&name).ok_or_else(|| format!("no limit is {name:?}"))? = most;
        }
    }
    Ok((config, fields))
}
