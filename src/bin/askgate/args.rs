//! The command line as a person types it.

use askgate::dialect::elicitation::Protocol;
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use std::path::PathBuf;

const ABOUT: &str = "Ask a person a structured question, and get exactly one honest end.";

const AFTER: &str = "\
Exit codes:
  0  answered; the value is on stdout
  1  error or bad usage, or the prompt to answer or cancel is not pending
  2  timed out
  3  cancelled or declined; the reason is on stderr
  4  nobody could be asked, or there is no host

Environment:
  ASKGATE_SOCKET   the host's socket; else askgate/askgate.sock in $XDG_RUNTIME_DIR,
                   else in a private folder of yours among the temporary files
  ASKGATE_SURFACE  the surface that `ask` names
  NO_COLOR         not empty: no colour

Examples:
  askgate ask yesno --title 'Run the migration?'
  branch=$(askgate ask choice --title 'Deploy which branch?' --choices main,dev:Develop)
  askgate serve --headless & askgate pending
  askgate answer req:1 yes";

/// The whole command line.
#[derive(Debug, Parser)]
#[command(name = "askgate", version, about = ABOUT, after_help = AFTER, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// One command.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Ask(Ask),
    Serve(Serve),
    /// Serve the `ask` tool over MCP, for a client that shows forms
    #[command(long_about = format!("Serve the `ask` tool over MCP, for a client that shows forms\n\n{MCP}"), after_help = MCP_EXAMPLES)]
    Mcp,
    Pending(Pending),
    Answer(Answer),
    Cancel(Cancel),
    /// Print a completion script
    #[command(
        after_help = "Example:\n  askgate completions bash > ~/.local/share/bash-completion/completions/askgate"
    )]
    Completions {
        /// For which shell
        shell: Shell,
    },
    /// Print the manual page, of the whole or of one command
    #[command(after_help = "Example:\n  askgate man > askgate.1\n  askgate man ask | man -l -")]
    Man {
        /// The command
        command: Option<String>,
    },
}

impl Command {
    /// Whether the outcome is to be printed as JSON, whatever it is.
    pub(crate) const fn json(&self) -> bool {
        match self {
            Self::Ask(ask) => ask.json,
            Self::Pending(pending) => pending.json,
            Self::Answer(answer) => answer.json,
            Self::Cancel(cancel) => cancel.json,
            Self::Serve(_) | Self::Mcp | Self::Completions { .. } | Self::Man { .. } => false,
        }
    }
}

const ASK: &str = "\
If a host is running, the question goes to it. If not, it is asked right here, on the terminal itself, \
so that stdin and stdout may be pipes.

The question is drawn below the line that the shell is on, with its keys; one line stays when it is over. A form takes \
several questions from a file (those of the ask tool), always asks right here, and prints the tool result as JSON. \
Escape or Ctrl+C leaves, Ctrl+Z lets the shell have the terminal until fg, and Alt+Up and Alt+Down scroll a text that \
is too long. While a question is there, Shift and the mouse select text.

With --plain, TERM=dumb or ACCESSIBLE=1, an answer is one whole line:

  yesno            y, n, yes or no
  choice           its number (1 or 1.), its label or its id
  text             the text
  confirm-command  understood, then run; back undoes the first step
  any of them      cancel (or Ctrl+C) to cancel, default to take the default
  form             a number or a label, several with commas, o and your own answer, back, decline

A label or id that is a number, or one of these words, wins over the number and the word; a number with \
its dot is always the number. To give the text cancel or default, put a backslash before it.

An empty line is never an answer, and what is not accepted is asked again. The end of input (Ctrl+D) is a \
lost surface: exit code 4.";

const ASK_EXAMPLES: &str = "\
Examples:
  askgate ask yesno --title 'Run the migration?' --default no --timeout 60000
  branch=$(askgate ask choice --title 'Which branch?' --choices main,dev:Develop)
  askgate ask choice --title 'When?' --choice '9\\:30:Half past nine' --choice later
  askgate ask text --title 'Release name' --default v1.2.0
  askgate ask form deploy.json | jq .details
  askgate ask confirm-command --title 'Clean the build?' --body 'rm -rf target' --unsafe";

/// Ask a question, and print the answer
#[derive(Debug, Args)]
#[command(long_about = format!("Ask a question, and print the answer\n\n{ASK}"), after_help = ASK_EXAMPLES)]
pub(crate) struct Ask {
    /// What kind of answer is wanted
    pub(crate) kind: Kind,
    /// For form: the file with the questions, as the ask tool takes them; - is stdin
    #[arg(value_name = "FILE", required_if_eq("kind", "form"))]
    pub(crate) file: Option<PathBuf>,
    /// The question, in one line
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) title: Option<String>,
    /// More text below it; for confirm-command the command (without it, the title is the command)
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) body: Option<String>,
    /// The choices, each ID or ID:LABEL, with commas between; put \ before a comma, colon or \ that is meant
    #[arg(long, value_name = "LIST", allow_hyphen_values = true, conflicts_with = "choice")]
    pub(crate) choices: Vec<String>,
    /// One choice, ID or ID:LABEL; commas are plain here
    #[arg(long, value_name = "ID[:LABEL]", allow_hyphen_values = true)]
    pub(crate) choice: Vec<String>,
    /// What is offered first: yes or no, a choice's id, or a text. It never answers by itself
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    pub(crate) default: Option<String>,
    /// Show that saying yes is dangerous
    #[arg(long)]
    pub(crate) r#unsafe: bool,
    /// Time out after so many milliseconds (exit code 2)
    #[arg(long, value_name = "MS")]
    pub(crate) timeout: Option<u64>,
    /// Where the question comes from; else $ASKGATE_SURFACE, else cli: and the process id
    #[arg(long, value_name = "ID", allow_hyphen_values = true)]
    pub(crate) surface: Option<String>,
    /// Who asks, such as claude:1; shown with the question
    #[arg(long, value_name = "ID", allow_hyphen_values = true)]
    pub(crate) agent_id: Option<String>,
    /// Print the response object instead of the value, whatever the outcome
    #[arg(long)]
    pub(crate) json: bool,
    /// For form: have the host ask it for this session, on the surface that is bound to it; without it, it is asked right here
    #[arg(long, value_name = "KEY", allow_hyphen_values = true)]
    pub(crate) session: Option<String>,
    /// The run of the session that asks; else cli: and the process id
    #[arg(long, value_name = "ID", allow_hyphen_values = true, requires = "session")]
    pub(crate) run: Option<String>,
    /// A file with the host's token for runtimes
    #[arg(long, value_name = "FILE", requires = "session")]
    pub(crate) token: Option<PathBuf>,
    /// Plain lines: no colour, nothing redrawn (so too with TERM=dumb or ACCESSIBLE=1)
    #[arg(long)]
    pub(crate) plain: bool,
}

/// The kinds of questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// Yes or no
    Yesno,
    /// One of several choices
    Choice,
    /// A line of text
    Text,
    /// Permission to run a command, in two steps
    ConfirmCommand,
    /// Several questions, from a file
    Form,
}

impl Kind {
    /// The kind as it stands on the wire.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Yesno => "yesno",
            Self::Choice => "choice",
            Self::Text => "text",
            Self::ConfirmCommand => "confirm-command",
            Self::Form => "form",
        }
    }
}

const SERVE: &str = "\
Serves any number of clients on a Unix socket that is yours alone, one JSON object a line, and asks in this \
terminal: the first prompt of each surface in turn, Ctrl+N for the next surface. Each client sees every prompt and may answer it. A client whose first line is
`token TEXT` is an operator or a runtime, if the text is that of the file which --operators or --runtimes names; \
nobody else is. Escape cancels the prompt that is shown; Ctrl+C, SIGTERM and SIGHUP cancel every prompt, deliver the replies and remove the socket.

A client that does not read is served until 16 MiB wait for it, and then disconnected. While more than 8 MiB \
wait for a client, nothing is read from it.";

const SERVE_EXAMPLES: &str = "\
Examples:
  askgate serve
  askgate serve --headless &
  (umask 077; head -c 32 /dev/urandom | base64 > runtime.token) && askgate serve --runtimes runtime.token
  printf '%s\\n' '{\"id\":1,\"method\":\"agent.ask_pending\"}' | askgate serve --stdio";

/// Run the host that holds the prompts
#[derive(Debug, Args)]
#[command(long_about = format!("Run the host that holds the prompts\n\n{SERVE}"), after_help = format!("{SERVE_EXAMPLES}{TELEGRAM_EXAMPLE}"))]
pub(crate) struct Serve {
    /// Ask nothing in this terminal: leave it to the clients
    #[arg(long)]
    pub(crate) headless: bool,
    /// Serve one client over stdin and stdout instead of the socket, until stdin ends; ids start at req:1
    #[arg(long)]
    pub(crate) stdio: bool,
    /// The stdio client gets the pushes
    #[arg(long, requires = "stdio")]
    pub(crate) observer: bool,
    /// The stdio client may not answer or cancel what others asked
    #[arg(long, requires = "stdio")]
    pub(crate) no_answer: bool,
    /// The stdio client may bind sessions and resolve their prompts
    #[arg(long, requires = "stdio")]
    pub(crate) operator: bool,
    /// The stdio client may ask for the runs of sessions
    #[arg(long, requires = "stdio")]
    pub(crate) runtime: bool,
    /// A file with the token that makes a client of the socket an operator: it may bind sessions and resolve their prompts
    #[arg(long, value_name = "FILE")]
    pub(crate) operators: Option<PathBuf>,
    /// A file with the token that makes a client of the socket a runtime: it may ask for the runs of sessions
    #[arg(long, value_name = "FILE")]
    pub(crate) runtimes: Option<PathBuf>,
    /// The stdio client is the one that a run asks through, in that protocol: acp, mcp-2025-11-25 or mcp-2026-07-28; the
    /// socket is served too, for the runtime
    #[arg(long, value_name = "PROTOCOL", value_parser = protocol, requires_all = ["stdio", "session", "run"])]
    pub(crate) client: Option<Protocol>,
    /// A session whose forms are shown in this terminal (may be given several times), or the session of the client's run
    #[arg(long, value_name = "KEY", conflicts_with = "headless")]
    pub(crate) session: Vec<String>,
    /// The client's run
    #[arg(long, value_name = "ID", requires = "client")]
    pub(crate) run: Option<String>,
    /// What the client negotiated, as JSON
    #[arg(long, value_name = "JSON", requires = "client", default_value = r#"{"elicitation":{"form":{}}}"#)]
    pub(crate) capabilities: String,
    /// Ask in Telegram too, as the bot that the environment names
    #[cfg(feature = "telegram")]
    #[arg(long, conflicts_with = "stdio", long_help = TELEGRAM)]
    pub(crate) telegram: bool,
    /// Plain lines: no colour, nothing redrawn (so too with TERM=dumb or ACCESSIBLE=1)
    #[arg(long)]
    pub(crate) plain: bool,
}

#[cfg(feature = "telegram")]
const TELEGRAM: &str = "\
Ask in Telegram too, as the bot that the environment names:

  ASKGATE_TELEGRAM_TOKEN: the bot's token, as @BotFather gave it
  ASKGATE_TELEGRAM_USERS: the ids of the users who may answer, with commas between
  ASKGATE_TELEGRAM_CHAT: where the prompts of `askgate ask` go, a chat's id or CHAT:THREAD for a topic; without it they do not \
go to Telegram
  ASKGATE_TELEGRAM_API: the address of a Bot API server of one's own; else the public one

The first answer counts, wherever it is given. One of those users who writes /start or any plain message to the bot (in a \
group: one that names the bot or replies to it) binds the session telegram:CHAT:USER, in a topic \
telegram:CHAT:THREAD:USER, to that place: forms of that session are asked of that user there, who has five minutes.";

#[cfg(feature = "telegram")]
const TELEGRAM_EXAMPLE: &str = "
  read -rs ASKGATE_TELEGRAM_TOKEN && export ASKGATE_TELEGRAM_TOKEN
  ASKGATE_TELEGRAM_USERS=5 ASKGATE_TELEGRAM_CHAT=5 askgate serve --telegram";

#[cfg(not(feature = "telegram"))]
const TELEGRAM_EXAMPLE: &str = "";

fn protocol(name: &str) -> Result<Protocol, String> {
    Protocol::from_name(name).ok_or_else(|| "there are acp, mcp-2025-11-25 and mcp-2026-07-28".into())
}

const MCP: &str = "\
Serves one client over stdin and stdout, in the revisions 2025-11-25 and 2026-07-28 of the Model Context Protocol.
The one tool, `ask`, takes one to eight questions and returns what the client's person answered; it is listed for
clients that show forms (the capability `elicitation`). One question may wait at a time; another is refused as busy.
A client of 2026-07-28, which fetches the result by calling again, has five minutes where the call sets no time-out.
Nothing is kept: when stdin ends, so do the questions.";

const MCP_EXAMPLES: &str = "\
Example, as an MCP client is configured:
  { \"mcpServers\": { \"askgate\": { \"command\": \"askgate\", \"args\": [\"mcp\"] } } }";

/// List the prompts that wait at the host
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  askgate pending\n  askgate pending --surface surface:3 --json")]
pub(crate) struct Pending {
    /// Only those of this surface
    #[arg(long, value_name = "ID", allow_hyphen_values = true)]
    pub(crate) surface: Option<String>,
    /// Print the object with the list of requests
    #[arg(long)]
    pub(crate) json: bool,
}

const ANSWER_EXAMPLES: &str = "\
Examples:
  askgate answer req:1 yes
  askgate answer req:2 dev
  askgate answer req:3 -- '-v is the flag'
  askgate answer req:4 run --ack";

/// Answer a prompt that waits at the host
#[derive(Debug, Args)]
#[command(after_help = ANSWER_EXAMPLES)]
pub(crate) struct Answer {
    /// The prompt, as `askgate pending` lists it
    pub(crate) id: String,
    /// yes or no, a choice's id, the text, or run
    pub(crate) value: String,
    /// For run: you have read the command. Without it, the command is shown and the terminal asks
    #[arg(long)]
    pub(crate) ack: bool,
    /// Print the result object
    #[arg(long)]
    pub(crate) json: bool,
}

/// Cancel a prompt that waits at the host
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  askgate cancel req:1\n  askgate cancel req:1 --reason 'user is away'")]
pub(crate) struct Cancel {
    /// The prompt, as `askgate pending` lists it
    pub(crate) id: String,
    /// Why; whoever asked gets it
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) reason: Option<String>,
    /// Print the result object
    #[arg(long)]
    pub(crate) json: bool,
}
