//! What a typed line means. Whole lines match, or nothing does: "not yes" is no yes.
//!
//! - White space at both ends is ignored, but in a text it stays.
//! - Words (`y`, `cancel`, `run` …) may be typed in either case; labels and ids are exact.
//! - A choice is its label or id, or its number in the list, as `1` or `1.`. What equals a label or an id is that choice
//!   and no number; with the dot it is always the number, unless it is a label or id itself. A label that two choices
//!   have, or that is the id of another, is told to be ambiguous.
//! - `cancel` cancels; `default` takes the default, where there is one. A choice that has that word as its label or id
//!   wins. In a text each of them loses one backslash before it: `\cancel` is the text `cancel`.
//! - A blank line is never an answer.

use super::Step;
use askgate::form::{DefaultHint, Question, QuestionKind};
use askgate::modal::Submission;
use askgate::text::is_blank;

/// What a line is.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Typed {
    /// A step.
    Step(Step),
    /// Nothing; this is what to say.
    Hint(String),
}

/// Reads a line as an answer to a question; `armed` is whether the first step of a command was taken.
pub(super) fn read(question: Question<'_>, armed: bool, line: &str) -> Typed {
    let word = line.trim();
    let hint = || Typed::Hint(accepted(question, armed));
    match question.kind() {
        QuestionKind::YesNo => match () {
            () if is(word, "y") || is(word, "yes") => answer("yes"),
            () if is(word, "n") || is(word, "no") => answer("no"),
            () => common(question, word).unwrap_or_else(hint),
        },
        QuestionKind::Select { .. } => choice(question, word).unwrap_or_else(hint),
        QuestionKind::Text => text(question, line).unwrap_or_else(hint),
        QuestionKind::ConfirmCommand => match () {
            () if !armed && is_understood(word) => Typed::Step(Step::Acknowledge),
            () if armed && is(word, "run") => answer("run"),
            () if armed && is(word, "back") => Typed::Step(Step::Back),
            () => common(question, word).unwrap_or_else(hint),
        },
        // A kind that this command cannot ask.
        _ => hint(),
    }
}

/// Whether a line takes the first step of a command.
pub(crate) fn is_understood(line: &str) -> bool {
    is(line.trim(), "understood")
}

/// What is accepted, in one sentence.
pub(super) fn accepted(question: Question<'_>, armed: bool) -> String {
    let what = match question.kind() {
        QuestionKind::YesNo => "yes or no",
        QuestionKind::Select { .. } => {
            let number =
                question.options().any(|option| is_number(option.label()) || is_number(option.value()));
            if number { "a name, or a number with its dot" } else { "a number or a name" }
        }
        QuestionKind::Text => "your text in one line",
        QuestionKind::ConfirmCommand if armed => "run to let it run, or back",
        QuestionKind::ConfirmCommand => "understood to go on",
        // A kind that this command cannot ask.
        _ => "nothing but cancel",
    };
    let default = if question.default().is_some() { "default, " } else { "" };
    format!("Type {what} (or: {default}cancel).")
}

fn is(typed: &str, word: &str) -> bool {
    typed.eq_ignore_ascii_case(word)
}

fn answer(value: &str) -> Typed {
    Typed::Step(Step::Answer(Submission::Value(value.into())))
}

/// The words that every kind takes.
fn common(question: Question<'_>, word: &str) -> Option<Typed> {
    if is(word, "cancel") {
        return Some(Typed::Step(Step::Cancel));
    }
    if !is(word, "default") {
        return None;
    }
    let value = match question.default()? {
        DefaultHint::Yes => "yes",
        DefaultHint::No => "no",
        DefaultHint::Choice(index) => question.option(index)?.value(),
        DefaultHint::Text(text) => text,
    };
    Some(answer(value))
}

fn is_number(name: &str) -> bool {
    !name.trim().is_empty() && name.trim().bytes().all(|byte| byte.is_ascii_digit())
}

fn choice(question: Question<'_>, word: &str) -> Option<Typed> {
    if word.is_empty() {
        return None;
    }
    let mut named =
        question.options().filter(|option| option.label().trim() == word || option.value().trim() == word);
    match (named.next(), named.next()) {
        (Some(option), None) => return Some(answer(option.value())),
        (Some(_), Some(_)) => {
            return Some(Typed::Hint(
                "More than one choice has that name; type its number with the dot.".into(),
            ));
        }
        (None, _) => {}
    }
    let digits = word.strip_suffix('.').unwrap_or(word);
    if !digits.starts_with('0') && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        let index = digits.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        if let Some(option) = index.and_then(|index| question.option(index)) {
            return Some(answer(option.value()));
        }
    }
    common(question, word)
}

fn text(question: Question<'_>, line: &str) -> Option<Typed> {
    if is_blank(line) {
        return None;
    }
    // The bytes of an arrow key, say, which nobody means as text.
    if line.chars().any(|c| c.is_control() && c != '\t') {
        let hint = "That line has control characters, as arrow keys leave them here; type it again.";
        return Some(Typed::Hint(hint.into()));
    }
    let word = line.trim();
    if let Some(step) = common(question, word) {
        return Some(step);
    }
    let plain = word.trim_start_matches('\\');
    let escaped = plain.len() < word.len() && (is(plain, "cancel") || is(plain, "default"));
    Some(answer(if escaped { word.get(1..).unwrap_or_default() } else { line }))
}

#[cfg(test)]
mod tests {
    use super::{Step, Submission, Typed, read};
    use askgate::dialect::agent::AskUser;
    use askgate::form::Form;
    use askgate::limits::Limits;

    fn form(rest: &str) -> Form {
        let params = format!(r#"{{"surface_id":"s","title":"t",{rest}}}"#);
        AskUser::parse(&params, &Limits::DEFAULT).unwrap().form
    }

    fn typed(form: &Form, line: &str) -> Option<Step> {
        match read(form.question(0).unwrap(), false, line) {
            Typed::Step(step) => Some(step),
            Typed::Hint(_) => None,
        }
    }

    fn answer(value: &str) -> Option<Step> {
        Some(Step::Answer(Submission::Value(value.into())))
    }

    #[test]
    fn yes_and_no_are_whole_lines() {
        let form = form(r#""kind":"yesno","default":"yes""#);
        for yes in ["y", "Y", "yes", " YES "] {
            assert_eq!(typed(&form, yes), answer("yes"), "{yes:?}");
        }
        assert_eq!(typed(&form, "n"), answer("no"));
        for other in ["", " ", "not yes", "yes please", "disallow", "ye", "1", "no, don't", "yes."] {
            assert_eq!(typed(&form, other), None, "{other:?}");
        }
        assert_eq!(typed(&form, "cancel"), Some(Step::Cancel));
        assert_eq!(typed(&form, "default"), answer("yes"));
    }

    #[test]
    fn a_choice_is_its_number_label_or_id() {
        let form = form(r#""kind":"choice","choices":[{"id":"main"},{"id":"dev","label":"Develop"}]"#);
        for (line, id) in [
            ("1", "main"),
            ("1.", "main"),
            ("2", "dev"),
            ("dev", "dev"),
            ("Develop", "dev"),
            (" main ", "main"),
        ] {
            assert_eq!(typed(&form, line), answer(id), "{line:?}");
        }
        for other in ["", "0", "3", "01", "1..", ".", "1 2", "develop", "main please", "default", "+1"] {
            assert_eq!(typed(&form, other), None, "{other:?}");
        }
    }

    #[test]
    fn a_label_that_is_a_number_wins_over_the_number() {
        let form = form(r#""kind":"choice","choices":[{"id":"2"},{"id":"1"}]"#);
        assert_eq!(typed(&form, "1"), answer("1"));
        assert_eq!(typed(&form, "1."), answer("2"));
        assert_eq!(typed(&form, "2."), answer("1"));
    }

    #[test]
    fn a_name_of_two_choices_is_no_answer() {
        let form = form(r#""kind":"choice","choices":[{"id":"a","label":"b"},{"id":"b","label":"c"}]"#);
        assert_eq!(typed(&form, "b"), None);
        assert_eq!(typed(&form, "a"), answer("a"));
        assert_eq!(typed(&form, "2."), answer("b"));
    }

    #[test]
    fn a_choice_named_like_a_word_wins() {
        let form =
            form(r#""kind":"choice","default":"x","choices":[{"id":"x"},{"id":"cancel"},{"id":"default"}]"#);
        assert_eq!(typed(&form, "cancel"), answer("cancel"));
        assert_eq!(typed(&form, "default"), answer("default"));
        assert_eq!(typed(&form, "CANCEL"), Some(Step::Cancel));
    }

    #[test]
    fn a_text_stays_as_it_is_typed() {
        let form = form(r#""kind":"text","default":"main""#);
        assert_eq!(typed(&form, "  two words "), answer("  two words "));
        assert_eq!(typed(&form, r"\\server\share"), answer(r"\\server\share"));
        assert_eq!(typed(&form, "default"), answer("main"));
        assert_eq!(typed(&form, "Cancel"), Some(Step::Cancel));
        assert_eq!(typed(&form, r"\cancel"), answer("cancel"));
        assert_eq!(typed(&form, r"\\default"), answer(r"\default"));
        assert_eq!(typed(&form, " \t"), None);
        assert_eq!(typed(&form, "\u{1b}[A"), None);
    }

    #[test]
    fn a_command_takes_two_words_in_order() {
        let form = form(r#""kind":"confirm-command","body":"ls""#);
        let question = form.question(0).unwrap();
        assert_eq!(read(question, false, "understood"), Typed::Step(Step::Acknowledge));
        for early in ["run", "back", "y", "yes", "", "understood run"] {
            assert_eq!(typed(&form, early), None, "{early:?}");
        }
        assert_eq!(read(question, true, "run"), Typed::Step(Step::Answer(Submission::Value("run".into()))));
        assert_eq!(read(question, true, "back"), Typed::Step(Step::Back));
        for late in ["understood", "yes", "", "run it"] {
            assert!(matches!(read(question, true, late), Typed::Hint(_)), "{late:?}");
        }
    }
}
