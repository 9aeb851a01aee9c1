//! `askgate serve`: the reference host.

mod ids;
mod outgoing;
mod peer;

use crate::args::Serve;
use crate::desk::{Act, Desk};
use crate::exit::{Exit, Failure, note};
use crate::host::Host;
use crate::prompt::{self, Opening, Prompter, Screen};
use crate::signals::Signals;
use crate::socket::Socket;
use crate::telegram::{Bridge, News};
use crate::tokens::{self, Tokens};
use askgate::endpoint::Authority;
use askgate::error::Code;
use askgate::id::{ConnectionId, SessionKey};
use askgate::limits::Limits;
use ids::Ids;
use peer::{Inbound, Peer};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};

/// How long the clients may take to read the last replies when the host ends.
const FLUSH: Duration = Duration::from_secs(2);

/// How long to wait before clients are taken again, after the system had no room for one.
const PAUSE: Duration = Duration::from_millis(100);

/// Lines of all clients that may wait for the core. Each client has one more at the most, in its reader.
const INBOUND: usize = 64;

/// Serves until a signal, the end of its terminal or the end of stdin.
pub(crate) async fn run(args: Serve) -> Result<Exit, Failure> {
    let mut signals = Signals::listen()?;
    let tokens = Tokens::read(&args)?;
    if args.stdio {
        return stdio(&args, tokens, signals).await;
    }
    // Before the socket, so that a host that cannot ask never looks as if it ran.
    let bridge = tokio::select! {
        bridge = Bridge::open(&args) => bridge?,
        _ = signals.stop() => return Ok(Exit::Done),
    };
    let prompter = if args.headless {
        None
    } else {
        Some(prompt::open(Opening {
            plain: args.plain,
            instead: "add --headless to leave the answers to the clients",
            idle: Some("Nothing is asked. Ctrl+C ends the host.".into()),
        })?)
    };
    let (door, ids) = open_door()?;
    let mut server = Server::new(ids.first(), Some(ids), tokens);
    if let Some(prompter) = prompter {
        let seat = server.seat(&args.session)?;
        server.desk = Some((seat, Desk::new(prompter)));
    }
    if let Some(mut bridge) = bridge {
        bridge.start(&mut server.host);
        server.bridge = Some(bridge);
    }
    server.serve(Some(door), signals).await
}

/// Listens on the socket.
fn open_door() -> Result<((Socket, UnixListener), Ids), Failure> {
    let (socket, listener) = Socket::listen()?;
    let listener = UnixListener::from_std(listener)
        .map_err(|error| Failure::io("The socket cannot be listened on", &error))?;
    let ids = Ids::open(socket.path())?;
    note(&format!("askgate: listening at {}", socket.path().display()));
    Ok(((socket, listener), ids))
}

/// Serves one client, until stdin ends; beside it the socket's, if it is the client that a run asks through.
async fn stdio(args: &Serve, tokens: Tokens, signals: Signals) -> Result<Exit, Failure> {
    if args.session.len() != usize::from(args.client.is_some()) {
        let sentence = "With --stdio, give one --session with --client, and none without it.";
        return Err(Failure::error(Code::InvalidValue, sentence));
    }
    let (door, ids) = match args.client {
        Some(_) => open_door().map(|(door, ids)| (Some(door), Some(ids)))?,
        None => (None, None),
    };
    let first = ids.as_ref().map_or(1, Ids::first);
    let mut server = Server::<Screen>::new(first, ids, tokens);
    let authority = Authority {
        observer: args.observer,
        answer: !args.no_answer,
        operator: args.operator,
        runtime: args.runtime,
    };
    let client = server.connect(authority)?;
    if let (Some(protocol), Some(session), Some(run)) = (args.client, args.session.first(), &args.run) {
        let able = server.host.attach_client(client, session, run, protocol, &args.capabilities);
        if !able.map_err(|error| Failure::error(Code::InvalidValue, error.to_string()))? {
            return Err(Failure::no_surface(
                "The client's capabilities have no forms, so nobody could be asked.",
            ));
        }
    }
    let inbound = server.sender.clone();
    let peer = Peer::start(client, tokio::io::stdin(), tokio::io::stdout(), inbound);
    server.peers.insert(client, peer);
    server.only = Some(client);
    server.serve(door, signals).await
}

/// The connections of the terminal.
#[derive(Debug, Clone, Copy)]
struct Seat {
    /// On which it sees the prompts of dialect A, and answers them.
    observer: ConnectionId,
    /// On which the sessions are bound that it is the surface of. It is no observer, so that the forms of others do not come.
    operator: Option<ConnectionId>,
}

impl Seat {
    fn has(self, id: ConnectionId) -> bool {
        self.observer == id || self.operator == Some(id)
    }
}

/// Why a server ends.
enum End {
    /// A signal.
    Signal,
    /// Its terminal is gone.
    Lost,
    /// Its one client has said all.
    Input,
}

/// The host and everybody who is connected to it.
struct Server<P> {
    host: Host,
    ids: Option<Ids>,
    peers: BTreeMap<ConnectionId, Peer>,
    desk: Option<(Seat, Desk<P>)>,
    bridge: Option<Bridge>,
    tokens: Tokens,
    /// Clients that have not said anything: their first line may show a token.
    silent: BTreeSet<ConnectionId>,
    /// The connections of those who showed one, by those that they had before, under which their lines still come.
    raised: BTreeMap<ConnectionId, ConnectionId>,
    /// The client without which there is nothing to serve.
    only: Option<ConnectionId>,
    sender: mpsc::Sender<(ConnectionId, Inbound)>,
    inbound: mpsc::Receiver<(ConnectionId, Inbound)>,
}

impl<P: Prompter> Server<P> {
    fn new(first_prompt_id: u64, ids: Option<Ids>, tokens: Tokens) -> Self {
        let (sender, inbound) = mpsc::channel(INBOUND);
        Self {
            host: Host::new(first_prompt_id),
            ids,
            peers: BTreeMap::new(),
            desk: None,
            bridge: None,
            tokens,
            silent: BTreeSet::new(),
            raised: BTreeMap::new(),
            only: None,
            sender,
            inbound,
        }
    }

    fn connect(&mut self, authority: Authority) -> Result<ConnectionId, Failure> {
        self.host.connect(authority).map_err(|error| Failure::wire(format!("at_capacity: {error}")))
    }

    /// Opens the terminal's connections, and binds the sessions that it is the surface of.
    fn seat(&mut self, sessions: &[String]) -> Result<Seat, Failure> {
        let observer = self.connect(Authority { observer: true, ..Authority::default() })?;
        if sessions.is_empty() {
            return Ok(Seat { observer, operator: None });
        }
        let operator = self.connect(Authority { operator: true, answer: false, ..Authority::default() })?;
        for session in sessions {
            SessionKey::new(session, &Limits::DEFAULT)
                .map_err(|fault| Failure::error(fault.code, format!("--session: {}", fault.message)))?;
            let params = serde_json::json!({ "session_key": session });
            let line = serde_json::json!({ "method": "sessions.prompt.bind", "params": params }).to_string();
            // Nobody is there yet who would be told.
            self.host.receive(operator, line.as_bytes(), &mut |_, _| {});
        }
        Ok(Seat { observer, operator: Some(operator) })
    }

    async fn serve(
        mut self,
        door: Option<(Socket, UnixListener)>,
        mut signals: Signals,
    ) -> Result<Exit, Failure> {
        let end = loop {
            let Self { host, inbound, desk, bridge, .. } = &mut self;
            let done = tokio::select! {
                _ = signals.stop() => break Ok(End::Signal),
                Some((from, got)) = inbound.recv() => match got {
                    Inbound::Line(line) => self.take(from, &line),
                    Inbound::End if self.only == Some(from) => break Ok(End::Input),
                    Inbound::End => self.hang_up(from),
                },
                stream = accept(door.as_ref()) => {
                    self.welcome(stream);
                    Ok(())
                }
                news = news(bridge) => self.take_news(news),
                act = act(desk) => match act {
                    (seat, Act::Send(line)) => self.take(seat.observer, line.as_bytes()),
                    (seat, Act::Resolve(line)) => {
                        self.take(seat.operator.unwrap_or(seat.observer), line.as_bytes())
                    }
                    (_, Act::Quit) => break Ok(End::Signal),
                    (_, Act::Lost) => break Ok(End::Lost),
                },
                () = host.sleep() => self.settle(),
            };
            if let Err(failure) = done {
                break Err(failure);
            }
        };
        // Whoever comes now is to find no host, rather than one that ends.
        drop(door);
        self.host.shutdown();
        // Why it ends is known already.
        let _ = self.settle();
        if let Some((_, desk)) = &mut self.desk {
            desk.finish().await;
        }
        if let Some(bridge) = &mut self.bridge {
            tokio::select! {
                () = bridge.finish(&mut self.host) => {}
                _ = signals.stop() => {}
            }
        }
        self.flush(&mut signals, matches!(end, Ok(End::Input))).await;
        end.map(|end| match end {
            End::Signal | End::Input => Exit::Done,
            End::Lost => {
                note("askgate: the terminal has ended, and the host with it");
                Exit::NoSurface
            }
        })
    }

    /// Lets everybody read the last lines: a pipe as long as it takes, others for a while.
    async fn flush(self, signals: &mut Signals, patient: bool) {
        let all = async {
            for peer in self.peers.into_values() {
                peer.drain().await;
            }
        };
        if patient {
            tokio::select! {
                () = all => {}
                _ = signals.stop() => {}
            }
        } else {
            // Whoever has not read by then does not.
            let _ = timeout(FLUSH, all).await;
        }
    }

    fn welcome(&mut self, stream: UnixStream) {
        let (reader, mut writer) = stream.into_split();
        match self.host.connect(tokens::CLIENT) {
            Ok(id) => {
                self.silent.insert(id);
                self.peers.insert(id, Peer::start(id, reader, writer, self.sender.clone()));
            }
            Err(error) => {
                let line = serde_json::json!({ "id": null, "error": format!("at_capacity: {error}") });
                tokio::task::spawn_local(async move {
                    // It fits into the socket's buffer, or the client is gone.
                    let _ = writer.write_all(format!("{line}\n").as_bytes()).await;
                });
            }
        }
    }

    fn take(&mut self, from: ConnectionId, line: &[u8]) -> Result<(), Failure> {
        let from = self.raised.get(&from).copied().unwrap_or(from);
        if self.silent.remove(&from)
            && let Some(token) = tokens::shown(line)
        {
            self.raise(from, token);
            return Ok(());
        }
        // A client that was hung up on may have left a line.
        let known =
            self.peers.contains_key(&from) || self.desk.as_ref().is_some_and(|(seat, _)| seat.has(from));
        if !known {
            return Ok(());
        }
        if let Some(ids) = &mut self.ids {
            ids.count()?;
        }
        let Self { host, peers, desk, .. } = self;
        let mut behind = Vec::new();
        host.receive(from, line, &mut |to, line| deliver(peers, desk, &mut behind, to, line));
        self.after(behind)
    }

    fn take_news(&mut self, news: News) -> Result<(), Failure> {
        let Some(bridge) = &mut self.bridge else { return Ok(()) };
        for said in bridge.take(&mut self.host, news)? {
            match &mut self.desk {
                Some((_, desk)) => desk.say(&said),
                None => note(&said),
            }
        }
        self.settle()
    }

    /// Ends what is due, and delivers what waits.
    fn settle(&mut self) -> Result<(), Failure> {
        let Self { host, peers, desk, .. } = self;
        let mut behind = Vec::new();
        host.poll(&mut |to, line| deliver(peers, desk, &mut behind, to, line));
        self.after(behind)
    }

    /// Tells the bridge what became of prompts and hangs up on those who are too far behind, both of which make lines for
    /// others; then shows what is to be shown.
    fn after(&mut self, mut behind: Vec<ConnectionId>) -> Result<(), Failure> {
        loop {
            let heard = match &mut self.bridge {
                Some(bridge) => bridge.hear(&mut self.host)?,
                None => false,
            };
            if !heard && behind.is_empty() {
                break;
            }
            for id in std::mem::take(&mut behind) {
                if let Some(peer) = self.peers.remove(&id) {
                    peer.drop_now();
                    self.forget(id);
                }
            }
            let Self { host, peers, desk, .. } = self;
            host.poll(&mut |to, line| deliver(peers, desk, &mut behind, to, line));
        }
        if let Some((_, desk)) = &mut self.desk {
            desk.settle();
        }
        Ok(())
    }

    fn hang_up(&mut self, id: ConnectionId) -> Result<(), Failure> {
        let id = self.raised.get(&id).copied().unwrap_or(id);
        let Some(peer) = self.peers.remove(&id) else { return Ok(()) };
        peer.leave();
        self.forget(id);
        self.settle()
    }

    fn forget(&mut self, id: ConnectionId) {
        self.silent.remove(&id);
        self.raised.retain(|_, now| *now != id);
        self.host.disconnect(id);
    }

    /// Opens the connection of a client that has said nothing else anew, with what its token grants.
    fn raise(&mut self, from: ConnectionId, token: &[u8]) {
        let Some(peer) = self.peers.remove(&from) else { return };
        self.host.disconnect(from);
        let opened = match self.tokens.authority(token) {
            Some(authority) => self.host.connect(authority).map_err(|error| format!("at_capacity: {error}")),
            None => Err("forbidden: The token is none of this host's.".into()),
        };
        match opened {
            Ok(id) => {
                self.raised.insert(from, id);
                self.peers.insert(id, peer);
            }
            Err(error) => {
                // It has room for its first line, or is gone.
                let _ = peer.send(&serde_json::json!({ "id": null, "error": error }).to_string());
                peer.leave();
            }
        }
    }
}

fn deliver<P: Prompter>(
    peers: &BTreeMap<ConnectionId, Peer>,
    desk: &mut Option<(Seat, Desk<P>)>,
    behind: &mut Vec<ConnectionId>,
    to: ConnectionId,
    line: &str,
) {
    match desk {
        Some((seat, desk)) if seat.has(to) => desk.take(line),
        Some(_) | None => {
            if peers.get(&to).is_some_and(|peer| !peer.send(line)) {
                behind.push(to);
            }
        }
    }
}

async fn act<P: Prompter>(desk: &mut Option<(Seat, Desk<P>)>) -> (Seat, Act) {
    match desk {
        Some((seat, desk)) => (*seat, desk.act().await),
        None => std::future::pending().await,
    }
}

async fn news(bridge: &mut Option<Bridge>) -> News {
    match bridge {
        Some(bridge) => bridge.next().await,
        None => std::future::pending().await,
    }
}

async fn accept(door: Option<&(Socket, UnixListener)>) -> UnixStream {
    let Some((_, listener)) = door else { return std::future::pending().await };
    loop {
        match listener.accept().await {
            Ok((stream, _)) => return stream,
            // No room for one more; the clients that are there go on.
            Err(_) => sleep(PAUSE).await,
        }
    }
}
