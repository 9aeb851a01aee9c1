//! The gate beside the model, under random operations: after each, all that can be seen of both is equal.

mod model;

use askgate::answer::OutcomeKind;
use askgate::gate::{Config, Gate};
use askgate::limits::Limits;
use askgate::time::Millis;
use model::{By, Chat, Kind, Model, Note, Op, RUNS, Reply, SESSIONS, SURFACES, Say};
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use proptest_state_machine::{ReferenceStateMachine, StateMachineTest, prop_state_machine};
use std::collections::BTreeSet;

const CONNECTIONS: [u64; 3] = [1, 2, u64::MAX];
/// An id that no case reaches.
const UNKNOWN: u64 = 7_000;
/// Of each part of an address one differs from the first.
const CHATS: [Chat; 7] = ["tbc1u", "dbc1u", "txc1u", "tbx1u", "tbc2u", "tbc-u", "tbc1x"];

/// What most operations of a case are about: the rarer a chain of operations, the less it is found among all others.
#[derive(Debug, Clone, Copy)]
enum Focus {
    Everything,
    /// Who has acknowledged what.
    Commands,
    /// What is bound where.
    Bindings,
    /// Many prompts at once, and what times out before what.
    Deadlines,
}

/// The model, and what it answered last.
#[derive(Debug, Clone)]
struct Reference {
    config: Config,
    focus: Focus,
    model: Model,
    reply: Reply,
}

impl ReferenceStateMachine for Reference {
    type State = Self;
    type Transition = (u64, Op);

    fn init_state() -> BoxedStrategy<Self> {
        let focus = select(&[Focus::Everything, Focus::Commands, Focus::Bindings, Focus::Deadlines][..]);
        let first_prompt_id = prop_oneof![8 => Just(1), 1 => Just(u64::MAX - 3)];
        (first_prompt_id, select(&[0, 1_000, u64::MAX - 5][..]), any::<bool>(), focus)
            .prop_map(|(first_prompt_id, wall_clock_offset, small, focus)| {
                let mut limits = Limits::DEFAULT;
                limits.answer_bytes = 8;
                if small {
                    limits.pending = 4;
                    limits.pending_per_surface = 2;
                    limits.remembered = 2;
                    limits.queued = 6;
                }
                let mut config = Config::default();
                config.limits = limits;
                config.first_prompt_id = first_prompt_id;
                config.wall_clock_offset = wall_clock_offset;
                let model = Model::new(&config);
                Self { config, focus, model, reply: Reply::Nothing }
            })
            .boxed()
    }

    fn transitions(state: &Self) -> BoxedStrategy<(u64, Op)> {
        let now = state.model.now();
        let at = prop_oneof![
            6 => Just(now),
            4 => (0..12_u64).prop_map(move |ms| now.saturating_add(ms)),
            2 => (0..20_u64).prop_map(move |ms| now.saturating_sub(ms)),
            1 => (0..400_000_u64).prop_map(move |ms| now.saturating_add(ms)),
            1 => state.model.see().next_deadline.map_or(now..=now, |at| at.saturating_sub(1)..=at),
        ];
        // Rarely, since nothing can time out afterwards.
        let at = prop_oneof![400 => at, 1 => Just(u64::MAX)];
        (at, operation(&state.model, state.focus)).boxed()
    }

    fn apply(mut state: Self, (at, op): &(u64, Op)) -> Self {
        state.reply = state.model.act(*at, op);
        state
    }
}

fn operation(model: &Model, focus: Focus) -> BoxedStrategy<Op> {
    // By the focus: everything, commands, bindings, deadlines. Nothing is left out altogether.
    let weight = |weights: [u32; 4]| {
        1 + 8 * match focus {
            Focus::Everything => weights[0],
            Focus::Commands => weights[1],
            Focus::Bindings => weights[2],
            Focus::Deadlines => weights[3],
        }
    };
    let connection = || select(&CONNECTIONS[..]);
    let session = || select(&SESSIONS[..]);
    let run = || select(&RUNS[..]);
    let asker = || option::of(connection());
    let timeout = || option::of(prop_oneof![3 => 1..15_u64, 1 => 1..400_000_u64, 1 => Just(u64::MAX)]);
    let among = |ids: Vec<u64>| if ids.is_empty() { Just(UNKNOWN).boxed() } else { select(ids).boxed() };
    let pending = among(model.see().pending.iter().map(|prompt| prompt.id).collect());
    let known = among(model.ids().collect());
    let id = || prop_oneof![12 => pending.clone(), 4 => known.clone(), 1 => Just(UNKNOWN)];
    let rights = model.clone();
    let claim = move || {
        let rights = rights.clone();
        id().prop_flat_map(move |id| {
            let (right, kind) = rights
                .right(id)
                .unwrap_or((By::Request { connection: None, surface: None, user: None }, Kind::YesNo));
            (Just(id), claims(right), Just(kind))
        })
    };
    prop_oneof![
        weight([6, 0, 0, 1]) => (select(&SURFACES[..]), select(&Kind::REQUEST[..]), timeout(), asker())
            .prop_map(|(surface, kind, timeout, asker)| Op::AskRequest { surface, kind, timeout, asker }),
        weight([0, 0, 0, 12]) => (select(&SURFACES[..]), 1..60_u64)
            .prop_map(|(surface, ms)| ask(surface, Kind::Text, Some(ms), None)),
        weight([3, 4, 0, 0]) => (select(&SURFACES[..]), asker())
            .prop_map(|(surface, asker)| ask(surface, Kind::Command, None, asker)),
        weight([6, 0, 8, 0]) => (session(), run(), select(&Kind::SESSION[..]), timeout(), asker()).prop_map(
            |(session, run, kind, timeout, asker)| Op::AskSession { session, run, kind, timeout, asker }
        ),
        weight([4, 0, 6, 0]) => (session(), connection())
            .prop_map(|(session, connection)| Op::Bind { session, connection }),
        weight([1, 0, 5, 0]) => (session(), connection())
            .prop_map(|(session, connection)| Op::Unbind { session, connection }),
        weight([2, 0, 4, 0]) => (session(), select(&CHATS[..2]))
            .prop_map(|(session, chat)| Op::BindChat { session, chat }),
        weight([1, 0, 3, 0]) => (session(), select(&CHATS[..2]))
            .prop_map(|(session, chat)| Op::UnbindChat { session, chat }),
        weight([2, 0, 4, 0]) => (session(), run(), connection(), any::<bool>(), timeout()).prop_map(
            |(session, run, connection, forms, timeout)| Op::Attach { session, run, connection, forms, timeout }
        ),
        weight([6, 14, 0, 0]) => claim().prop_map(|(id, by, _)| Op::Acknowledge(id, by)),
        weight([3, 7, 0, 0]) => claim().prop_map(|(id, by, _)| Op::Back(id, by)),
        weight([12, 8, 4, 3]) => claim().prop_flat_map(|(id, by, kind)| {
            says(kind).prop_map(move |say| Op::Resolve(id, by.clone(), say))
        }),
        weight([2, 1, 1, 0]) => (id(), connection()).prop_map(|(id, asker)| Op::Withdraw(id, asker)),
        weight([1, 0, 0, 0]) => select(&SURFACES[..]).prop_map(Op::CloseSurface),
        weight([2, 5, 6, 0]) => connection().prop_map(Op::Disconnect),
        weight([1, 0, 2, 0]) => (session(), run()).prop_map(|(session, run)| Op::EndRun(session, run)),
        weight([1, 0, 2, 0]) => session().prop_map(Op::EndSession),
        weight([12, 3, 6, 2]) => Just(Op::Poll),
    ]
    .prop_flat_map(|op| prop_oneof![300 => Just(op), 1 => Just(Op::Shutdown)])
    .boxed()
}

fn ask(surface: &'static str, kind: Kind, timeout: Option<u64>, asker: Option<u64>) -> Op {
    Op::AskRequest { surface, kind, timeout, asker }
}

/// The right claim, or one with a wrong field; for a prompt of dialect A any claimant is right.
fn claims(right: By) -> BoxedStrategy<By> {
    let other = match &right {
        By::Request { .. } => by_request(),
        By::Session { session, run, connection } => {
            let (session, run, connection) = (*session, *run, *connection);
            prop_oneof![
                select(&SESSIONS[..]).prop_map(move |session| By::Session { session, run, connection }),
                select(&RUNS[..]).prop_map(move |run| By::Session { session, run, connection }),
                select(&CONNECTIONS[..]).prop_map(move |connection| By::Session { session, run, connection }),
                Just(By::Chat { session, run, chat: CHATS[0] }),
                by_request(),
            ]
            .boxed()
        }
        By::Chat { session, run, .. } => {
            let (session, run) = (*session, *run);
            prop_oneof![
                4 => select(&CHATS[..]).prop_map(move |chat| By::Chat { session, run, chat }),
                1 => Just(By::Session { session, run, connection: 1 }),
                1 => by_request(),
            ]
            .boxed()
        }
    };
    match right {
        By::Request { .. } => prop_oneof![
            20 => by_request(),
            1 => Just(By::Session { session: "s1", run: "r1", connection: 1 }),
            1 => Just(By::Chat { session: "s1", run: "r1", chat: CHATS[0] }),
        ]
        .boxed(),
        By::Session { .. } | By::Chat { .. } => prop_oneof![2 => Just(right), 1 => other].boxed(),
    }
}

fn by_request() -> BoxedStrategy<By> {
    let connection = option::of(select(&CONNECTIONS[..2]));
    let surface = option::weighted(0.4, select(&SURFACES[..1]));
    let user = option::weighted(0.1, Just("ann"));
    (connection, surface, user)
        .prop_map(|(connection, surface, user)| By::Request { connection, surface, user })
        .boxed()
}

/// Ends of all kinds, and answers that fit the form or nearly do.
fn says(kind: Kind) -> BoxedStrategy<Say> {
    let answer = match kind {
        Kind::YesNo | Kind::Choice | Kind::Text | Kind::Command => {
            let near = ["yes", "no", "a", "b", "run", "text", " ", "Run", "over eight bytes"];
            let right: &[&str] = match kind {
                Kind::YesNo => &["yes", "no"],
                Kind::Choice => &["a", "b"],
                Kind::Text => &["text", " text "],
                Kind::Command | Kind::Single | Kind::Multi | Kind::Free | Kind::Two => &["run"],
            };
            prop_oneof![3 => select(right.to_vec()), 1 => select(near.to_vec())].prop_map(Say::Value).boxed()
        }
        Kind::Single | Kind::Multi | Kind::Free | Kind::Two => {
            // The first are right for one kind or another; the others have one fault.
            let one = |labels: &[&'static str], custom| Say::Answers(vec![("q", labels.to_vec(), custom)]);
            let two = |id| Say::Answers(vec![("q", vec!["x"], None), (id, vec![], Some("mine"))]);
            let drafts = vec![
                one(&["y"], None),
                one(&["y", "x"], Some("mine")),
                one(&[], Some("mine")),
                Say::Answers(vec![("r", vec![], Some("mine")), ("q", vec!["x"], None)]),
                two("r"),
                two("q"),
                two("?"),
                Say::Answers(Vec::new()),
                one(&[], None),
                one(&["x", "x"], None),
                one(&["x", "z"], None),
                one(&["x"], Some("mine")),
                one(&["x"], Some(" ")),
                one(&[], Some("over eight bytes")),
            ];
            select(drafts).boxed()
        }
    };
    prop_oneof![
        8 => answer,
        1 => Just(Say::Decline),
        1 => option::of(Just("afk")).prop_map(Say::Cancel),
    ]
    .boxed()
}

/// The gate, a second one that is told the time before each call, and what must hold without the model.
struct Real {
    gate: Gate,
    /// Its due prompts have ended when a call comes, so that what the call itself does can be told apart.
    ahead: Gate,
    latest: u64,
    queued: usize,
    last_seq: u64,
    shown: BTreeSet<u64>,
    ended: BTreeSet<u64>,
}

impl Real {
    /// Numbers without a gap, ids that grow, one end for each prompt shown, no deadline early.
    fn check_event(&mut self, note: &Note) {
        match note {
            Note::Shown { seq, prompt } => {
                assert_eq!(*seq, self.last_seq + 1);
                self.last_seq = *seq;
                assert!(self.shown.last().is_none_or(|last| last < prompt), "an id came again or was lower");
                self.shown.insert(*prompt);
            }
            Note::Resolved { seq, prompt, outcome, .. } => {
                assert_eq!(*seq, self.last_seq + 1);
                self.last_seq = *seq;
                assert!(self.shown.contains(&prompt.id), "ended before it was shown");
                assert!(self.ended.insert(prompt.id), "ended twice");
                if *outcome == OutcomeKind::TimedOut {
                    assert!(prompt.deadline.is_some_and(|at| at <= self.latest), "timed out early");
                }
            }
            Note::Available { .. } => {}
        }
    }
}

struct Beside;

impl StateMachineTest for Beside {
    type SystemUnderTest = Real;
    type Reference = Reference;

    fn init_test(reference: &Reference) -> Real {
        let gate = || Gate::new(reference.config.clone());
        let (shown, ended) = (BTreeSet::new(), BTreeSet::new());
        Real { gate: gate(), ahead: gate(), latest: 0, queued: 0, last_seq: 0, shown, ended }
    }

    fn apply(mut real: Real, reference: &Reference, (at, op): (u64, Op)) -> Real {
        real.latest = real.latest.max(at);
        let reply = model::act(&mut real.gate, at, &op);
        assert_eq!(reply, reference.reply, "the reply to {op:?} at {at}");

        real.ahead.advance(Millis(at));
        let before = format!("{:?}", real.ahead);
        assert_eq!(model::act(&mut real.ahead, at, &op), reply, "{op:?} after the time was told");
        let after = format!("{:?}", real.ahead);
        if reply.is_refusal() {
            assert_eq!(after, before, "{op:?} was refused and changed the gate");
        }
        assert_eq!(format!("{:?}", real.gate), after, "{op:?} did not end first what was due");

        if let Reply::Event(note) = &reply {
            real.check_event(note);
        }
        let counts = |note: &&Note| !matches!(note, Note::Available { .. });
        real.queued = reference.model.events.iter().filter(counts).count();
        real
    }

    fn check_invariants(real: &Real, reference: &Reference) {
        let seen = model::see(&real.gate);
        assert_eq!(seen, reference.model.see());
        for prompt in &seen.pending {
            assert!(prompt.deadline.is_none_or(|at| at > real.latest), "a due prompt is pending");
            let prompt = askgate::id::PromptId(prompt.id);
            assert_eq!(real.gate.get(prompt).map(|prompt| prompt.id()), Some(prompt));
        }
        let limits = real.gate.limits();
        assert!(seen.pending.len() <= limits.pending);
        // What was queued when asks began to be refused, that one ask, and the ends of all that was pending then.
        assert!(real.queued <= limits.queued + 1 + limits.pending);
    }

    fn teardown(mut real: Real, mut reference: Reference) {
        loop {
            let reply = model::act(&mut real.gate, 0, &Op::Poll);
            assert_eq!(reply, reference.model.act(0, &Op::Poll));
            match &reply {
                Reply::Event(note) => real.check_event(note),
                _ => break,
            }
        }
        let pending: BTreeSet<u64> = real.gate.pending().map(|prompt| prompt.id().0).collect();
        assert_eq!(&real.shown - &real.ended, pending, "each prompt shown is pending or has ended");
    }
}

prop_state_machine! {
    #![proptest_config(ProptestConfig { cases: 4_000, max_shrink_iters: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_gate_does_as_the_model(sequential 1..90 => Beside);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn of_many_deadlines_each_ends_in_its_turn(
        timeouts in prop::collection::vec(1..300_u64, 1..120),
        answered in prop::collection::vec(any::<prop::sample::Index>(), 0..60),
    ) {
        let mut gate = Gate::default();
        let mut due = BTreeSet::new();
        for (id, timeout) in (1..).zip(&timeouts) {
            model::act(&mut gate, 0, &ask("surface:1", Kind::Text, Some(*timeout), None));
            due.insert((*timeout, id));
        }
        for index in answered {
            let id = 1 + index.index(timeouts.len()) as u64;
            let by = By::Request { connection: None, surface: None, user: None };
            model::act(&mut gate, 0, &Op::Resolve(id, by, Say::Decline));
            due.remove(&(timeouts[index.index(timeouts.len())], id));
            prop_assert_eq!(gate.next_deadline(), due.first().map(|(at, _)| Millis(*at)));
        }
        let mut timed_out = Vec::new();
        for at in (0..=308).step_by(7) {
            while let Reply::Event(note) = model::act(&mut gate, at, &Op::Poll) {
                if let Note::Resolved { prompt, outcome: OutcomeKind::TimedOut, .. } = note {
                    timed_out.push((prompt.deadline.unwrap_or_default(), prompt.id));
                }
            }
        }
        prop_assert_eq!(timed_out, due.into_iter().collect::<Vec<_>>());
    }
}
