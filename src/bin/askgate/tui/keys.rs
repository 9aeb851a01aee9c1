//! The help line, word by word.

use std::borrow::Cow;

/// The keys of a help line and what they do.
pub(super) fn entries(help: &str) -> impl Iterator<Item = (&str, &str)> {
    help.split(" · ").filter_map(|entry| entry.split_once(' '))
}

pub(super) fn is_enter(keys: &str) -> bool {
    keys.split('/').any(|key| key == "Enter")
}

/// The keys of an entry that are worth a mention: of those that do alike the best known, with arrows as arrows and digits
/// as a range.
pub(super) fn short(keys: &str) -> String {
    let has = |name| keys.split('/').any(|key| key == name);
    let told = |key: &str| match key {
        "Up" | "Down" | "Left" | "Right" if has("Tab") => false,
        "Left" | "Right" if has("Up") || has("Down") => false,
        "Home" | "End" => !["Up", "Down", "Left", "Right"].into_iter().any(has),
        "Shift+Tab" => !has("Tab"),
        _ => true,
    };
    let digits: Vec<&str> = keys.split('/').filter(|key| is_digit(key)).collect();
    let mut out: Vec<Cow<'_, str>> = Vec::new();
    for key in keys.split('/').filter(|key| told(key)) {
        out.push(match (key, digits.as_slice()) {
            ("Up", _) => "↑".into(),
            ("Down", _) => "↓".into(),
            ("Left", _) => "←".into(),
            ("Right", _) => "→".into(),
            (digit, [first, .., last]) if digit == *first => format!("{first}-{last}").into(),
            (digit, [_, .., _]) if is_digit(digit) => continue,
            (key, _) => key.into(),
        });
    }
    out.join("/")
}

fn is_digit(key: &str) -> bool {
    key.len() == 1 && key.bytes().all(|byte| byte.is_ascii_digit())
}

/// The time that is left, calmly: it changes by the minute while there is much of it.
pub(super) fn time_left(ms: u64) -> String {
    match ms.div_ceil(1_000) {
        seconds @ 0..60 => format!("{seconds} s left"),
        seconds @ 60..120 => format!("1:{:02} left", seconds - 60),
        seconds @ 120..7_200 => format!("{} min left", seconds / 60),
        seconds => format!("{} h left", seconds / 3_600),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_that_do_alike_are_told_once() {
        for (keys, told) in [
            ("Up/Down/Left/Right/Home/End", "↑/↓"),
            ("Tab/Shift+Tab/Down/Right/Up/Left", "Tab"),
            ("Left/Home", "←"),
            ("1/2/3", "1-3"),
            ("1", "1"),
            ("Esc/Ctrl+C", "Esc/Ctrl+C"),
        ] {
            assert_eq!(short(keys), told);
        }
    }

    #[test]
    fn time_is_told_by_the_minute_and_then_by_the_second() {
        for (ms, told) in [
            (0, "0 s left"),
            (1, "1 s left"),
            (59_001, "1:00 left"),
            (61_000, "1:01 left"),
            (120_000, "2 min left"),
            (7_200_000, "2 h left"),
        ] {
            assert_eq!(time_left(ms), told);
        }
    }
}
