//! `askgate pending` for people.

use crate::prompt::duration;
use crate::wire::Pending;
use askgate::form::QuestionKind;
use askgate::text::{Mode, display_safe};
use std::fmt::Write;

/// Two or three lines a prompt: what and whose it is, the title, and what the values are.
pub(crate) fn listing(pending: &[Pending], now: u64) -> String {
    let width = pending.iter().map(|prompt| prompt.id.len()).max().unwrap_or(0);
    let mut out = String::new();
    for prompt in pending {
        let line = |text: &str| display_safe(text, Mode::Line).text.into_owned();
        let Some(question) = prompt.ask.form.question(0) else { continue };
        let age = now.saturating_sub(prompt.created_at);
        let _ = write!(out, "{:<width$}  {}", prompt.id, line(&prompt.ask.surface));
        if let Some(agent) = &prompt.ask.agent {
            let _ = write!(out, "  from {}", line(agent));
        }
        let _ = write!(out, "  {} ago", duration(age));
        if let Some(timeout) = prompt.ask.timeout_ms {
            let _ = write!(out, "  {} left", duration(timeout.saturating_sub(age)));
        }
        if prompt.ask.form.is_unsafe() {
            out.push_str("  UNSAFE");
        }
        let _ = writeln!(out, "\n{:width$}  {}", "", line(question.text()));
        let values = match question.kind() {
            QuestionKind::YesNo => "yes | no".into(),
            QuestionKind::Select { .. } => {
                let options = question.options().map(|option| {
                    let (id, label) = (line(option.value()), line(option.label()));
                    if id == label { id } else { format!("{id} ({label})") }
                });
                options.collect::<Vec<_>>().join(" | ")
            }
            QuestionKind::Text => "a text".into(),
            QuestionKind::ConfirmCommand => "run".into(),
            _ => String::new(),
        };
        let _ = writeln!(out, "{:width$}  answer: {values}", "");
    }
    out
}
