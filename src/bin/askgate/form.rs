//! `askgate ask form`: the questions of the `ask` tool, asked right here or by the host for a session; the result goes to
//! stdout (spec 8.1).

use crate::args::Ask as Args;
use crate::client::Client;
use crate::exit::{Exit, Failure, note, print};
use crate::prompt::{self, Ending, Opening, Prompter, Refusal, Step};
use crate::signals::{Signals, Stop};
use crate::tokens;
use askgate::answer::{Outcome, OutcomeKind, Resolution};
use askgate::dialect::session::{ToolResult, parse_questions};
use askgate::error::{Code, ResolveError};
use askgate::form::Form;
use askgate::gate::{Ask, Asking, Config, Event, Gate, Poll};
use askgate::id::{Claim, ConnectionId, PromptId, RunId, SessionKey};
use askgate::json::to_json;
use askgate::limits::Limits;
use askgate::time::Millis;
use serde::Deserialize;
use serde_json::{Value, json};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::time::Duration;
use tokio::time::{Instant, sleep, timeout};

/// The one session and run that there is.
const NAME: &str = "cli";
const PERSON: ConnectionId = ConnectionId(1);
const ASKER: ConnectionId = ConnectionId(2);

/// How long a host may take to say how a form ended that was withdrawn.
const PATIENCE: Duration = Duration::from_secs(2);

/// How long to sleep at most, so that no timer has to reach the end of time.
const LONGEST_SLEEP: Duration = Duration::from_secs(3_600);

/// Asks, and prints the tool result, however it ends.
pub(crate) async fn run(file: &Path, args: &Args) -> Result<Exit, Failure> {
    for (given, option) in [
        (args.title.is_some(), "--title"),
        (args.body.is_some(), "--body"),
        (!args.choices.is_empty(), "--choices"),
        (!args.choice.is_empty(), "--choice"),
        (args.default.is_some(), "--default"),
        (args.r#unsafe, "--unsafe"),
        (args.surface.is_some(), "--surface"),
        (args.agent_id.is_some(), "--agent-id"),
    ] {
        if given {
            return Err(Failure::error(
                Code::InvalidValue,
                format!("A form has all in its file; leave {option} out."),
            ));
        }
    }
    let signals = Signals::listen()?;
    let questions = read(file)?;
    let (form, timeout_ms) = match parse_questions(&questions, &Limits::DEFAULT) {
        Ok(parsed) => parsed,
        Err(error) => {
            print_result(&ToolResult::refused(&error))?;
            note(&format!("askgate: {error}"));
            return Ok(Exit::Error);
        }
    };
    if let Some(session) = &args.session {
        let timeout = args.timeout.or(timeout_ms);
        return through_host(session, args, &questions, timeout, signals).await;
    }
    let opening = Opening { plain: args.plain, instead: "ask where there is one", idle: None };
    let prompter = match prompt::open(opening) {
        Ok(prompter) => prompter,
        Err(failure) => {
            print_result(&ToolResult::ended(&form, &Outcome::Unavailable))?;
            return Err(failure);
        }
    };
    let outcome =
        Asked::new(prompter, form.clone(), args.timeout.or(timeout_ms))?.until_it_ends(signals).await;
    print_result(&ToolResult::ended(&form, &outcome))?;
    Ok(match outcome {
        Outcome::Answered(_) => Exit::Done,
        Outcome::TimedOut => {
            note("askgate: timed out");
            Exit::TimedOut
        }
        Outcome::Declined => {
            note("askgate: declined");
            Exit::Cancelled
        }
        Outcome::Cancelled(reason) => {
            let reason = reason.map_or_else(String::new, |reason| format!(": {}", reason.as_str()));
            note(&format!("askgate: cancelled{reason}"));
            Exit::Cancelled
        }
        Outcome::Unavailable | Outcome::Invalid => {
            note("askgate: the terminal ended before an answer");
            Exit::NoSurface
        }
    })
}

/// Has the host ask, for a run of a session, and prints the tool result. A signal withdraws the form; the host's word on how
/// it ended still counts.
async fn through_host(
    session: &str,
    args: &Args,
    questions: &str,
    timeout_ms: Option<u64>,
    mut signals: Signals,
) -> Result<Exit, Failure> {
    let mut client = Client::required().await?;
    if let Some(token) = &args.token {
        client.show_token(&tokens::read(token)?).await?;
    }
    let run = args.run.clone().unwrap_or_else(|| format!("cli:{}", std::process::id()));
    let unread = || Failure::error(Code::ParseError, "The form could not be read.");
    let Ok(Value::Object(mut params)) = serde_json::from_str(questions) else { return Err(unread()) };
    params.insert("session_key".into(), session.into());
    params.insert("run_id".into(), run.into());
    if let Some(timeout_ms) = timeout_ms {
        params.insert("timeout_ms".into(), timeout_ms.into());
    }
    let id = client.send("sessions.prompt.request", &Value::Object(params)).await?;
    let result = tokio::select! {
        reply = client.reply(id) => Some(reply?),
        _ = signals.stop() => None,
    };
    let result = match result {
        Some(result) => result,
        None => {
            client.send("$/cancel_request", &json!({ "id": id })).await?;
            let late = Failure::no_surface("The host did not say how the form ended.");
            timeout(PATIENCE, client.reply(id)).await.unwrap_or(Err(late))?
        }
    };
    print(&format!("{}\n", result.get()))?;
    let Told { content: [Text { text }], details: Details { status } } =
        serde_json::from_str(result.get()).map_err(|_| unread())?;
    Ok(match status.as_str() {
        "answered" => Exit::Done,
        status => {
            note(&format!("askgate: {text}"));
            match status {
                "timed_out" => Exit::TimedOut,
                "declined" | "cancelled" => Exit::Cancelled,
                "unavailable" | "invalid_answer" => Exit::NoSurface,
                _ => Exit::Error,
            }
        }
    })
}

/// The tool result of a host.
#[derive(Deserialize)]
struct Told {
    content: [Text; 1],
    details: Details,
}

#[derive(Deserialize)]
struct Text {
    text: String,
}

#[derive(Deserialize)]
struct Details {
    status: String,
}

/// The file, or stdin for `-`. More than a line of the protocol may hold is not read.
fn read(file: &Path) -> Result<String, Failure> {
    let most = u64::try_from(Limits::DEFAULT.line_bytes).unwrap_or(u64::MAX).saturating_add(1);
    let mut bytes = Vec::new();
    let read = match file.as_os_str() == "-" {
        true => io::stdin().take(most).read_to_end(&mut bytes),
        false => File::open(file).and_then(|file| file.take(most).read_to_end(&mut bytes)),
    };
    read.map_err(|error| Failure::io(&format!("{} could not be read", file.display()), &error))?;
    if bytes.len() > Limits::DEFAULT.line_bytes {
        return Err(Failure::error(Code::TooLong, format!("{} is too long for a form.", file.display())));
    }
    String::from_utf8(bytes)
        .map_err(|_| Failure::error(Code::ParseError, format!("{} is not UTF-8.", file.display())))
}

fn print_result(result: &ToolResult<'_>) -> Result<(), Failure> {
    print(&format!("{}\n", to_json(result)))
}

/// A form that waits at a gate of its own, and whoever shows it.
struct Asked<P> {
    gate: Gate,
    prompt: PromptId,
    prompter: P,
    /// The last step was of the person here.
    here: bool,
    start: Instant,
}

impl<P: Prompter> Asked<P> {
    fn new(mut prompter: P, form: Form, timeout_ms: Option<u64>) -> Result<Self, Failure> {
        let named = |_| Failure::error(Code::InvalidValue, "The session has no name.");
        let session = SessionKey::new(NAME, &Limits::DEFAULT).map_err(named)?;
        let run = RunId::new(NAME, &Limits::DEFAULT).map_err(named)?;
        prompter.show_form(&form, timeout_ms);
        let mut gate = Gate::new(Config::default());
        gate.bind(Millis(0), session.clone(), PERSON);
        let asking = Asking::Session { session, run };
        let prompt = gate
            .ask(Millis(0), Ask { asking, form, timeout_ms, asker: Some(ASKER) })
            .map_err(|error| Failure::wire(format!("{}: {error}", error.code())))?;
        Ok(Self { gate, prompt, prompter, here: false, start: Instant::now() })
    }

    async fn until_it_ends(mut self, mut signals: Signals) -> Outcome {
        loop {
            if let Some(outcome) = self.ended() {
                self.prompter.close(&Ending {
                    outcome: outcome.kind(),
                    value: None,
                    reason: None,
                    here: self.here,
                });
                self.prompter.finish().await;
                return outcome;
            }
            let rest = self.rest();
            tokio::select! {
                biased;
                stop = signals.stop() => {
                    let now = self.now();
                    match stop {
                        // On a terminal that is the person who answers.
                        Stop::Interrupt => self.resolve(Resolution::Decline),
                        Stop::HangUp => { self.gate.disconnect(now, PERSON); }
                        Stop::Terminate => { self.gate.withdraw(now, self.prompt, ASKER); }
                    }
                }
                step = self.prompter.next() => self.take(&step),
                () = sleep(rest) => {}
            }
        }
    }

    fn now(&self) -> Millis {
        Millis(u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX))
    }

    fn ended(&mut self) -> Option<Outcome> {
        let now = self.now();
        loop {
            match self.gate.poll(now) {
                Poll::Event(Event::Resolved { outcome, .. }) => return Some(outcome),
                Poll::Event(Event::Shown { .. } | Event::Availability { .. }) => {}
                Poll::Wait(_) => return None,
            }
        }
    }

    fn take(&mut self, step: &Step) {
        match step {
            Step::Answer(answer) => self.resolve(Resolution::Answer(answer.draft())),
            Step::Decline | Step::Cancel | Step::Quit => self.resolve(Resolution::Decline),
            Step::Lost => {
                let now = self.now();
                self.gate.disconnect(now, PERSON);
            }
            // No question of a form has a first step, and there is one surface.
            Step::Acknowledge | Step::Back | Step::NextSurface => {}
        }
    }

    fn resolve(&mut self, resolution: Resolution<'_>) {
        let now = self.now();
        let claim = Claim::Session { prompt: self.prompt, session: NAME, run: NAME, connection: PERSON };
        match self.gate.resolve(now, &claim, resolution) {
            Ok(OutcomeKind::Answered | OutcomeKind::Declined | OutcomeKind::Cancelled) => self.here = true,
            Ok(OutcomeKind::TimedOut | OutcomeKind::Unavailable | OutcomeKind::Invalid) => {}
            Err(error) => {
                let path = match &error {
                    ResolveError::InvalidAnswer(error) => error.path(),
                    _ => "".into(),
                };
                self.prompter.refused(&Refusal {
                    code: error.code().as_str(),
                    path: &path,
                    sentence: &error.to_string(),
                });
            }
        }
    }

    /// How long nothing is due.
    fn rest(&self) -> Duration {
        let at = self.gate.next_deadline().map(|at| Duration::from_millis(at.0));
        at.map_or(LONGEST_SLEEP, |at| at.saturating_sub(self.start.elapsed())).min(LONGEST_SLEEP)
    }
}
