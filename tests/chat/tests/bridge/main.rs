//! `askgate serve --telegram`, the real binary, in a Telegram of our own: what people see and do there, and what whoever
//! asked gets. Whatever happens, no rule of the Bot API is broken and nothing that is printed has the bot's token.

mod host;

use askgate_chat_types::stand_in::{Message, Mishap, StandIn, TOKEN};
use host::{Room, Running};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const GROUP: i64 = -100;
const TOPIC: i64 = 7;

/// A Telegram in which no rule was broken in the end.
struct Telegram(StandIn);

impl std::ops::Deref for Telegram {
    type Target = StandIn;
    fn deref(&self) -> &StandIn {
        &self.0
    }
}

impl std::ops::DerefMut for Telegram {
    fn deref_mut(&mut self) -> &mut StandIn {
        &mut self.0
    }
}

impl Drop for Telegram {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            assert_eq!(self.0.faults(), [] as [String; 0]);
        }
    }
}

fn telegram() -> Telegram {
    Telegram(StandIn::start())
}

/// Writes to the bot, and waits until it has said that the session is bound there.
fn bind(telegram: &StandIn, chat: i64, thread: Option<i64>, user: i64) -> String {
    let id = telegram.write(chat, thread, user, "@askgate_bot fix the login");
    let thread = thread.map_or_else(String::new, |thread| format!(":{thread}"));
    let session = format!("telegram:{chat}{thread}:{user}");
    let reply = telegram.see(chat, id, &session);
    assert_eq!(reply.reply_to, Some(id));
    session
}

fn one_question() -> Value {
    json!([{ "id": "how", "question": "How?", "options": [{ "label": "Small" }, { "label": "Full" }] }])
}

#[test]
fn a_form_in_a_topic_of_a_group_is_answered_by_the_user_who_was_asked() {
    let (telegram, room) = (telegram(), Room::new());
    let host = room.host(&telegram, None);
    let session = bind(&telegram, GROUP, Some(TOPIC), 5);
    let mut runtime = room.runtime();
    let questions = json!([
        { "id": "how", "question": "Which approach?", "options": [{ "label": "Small change" }, { "label": "Full refactor" }], "recommended": 1 },
        { "id": "tests", "question": "Tests?", "multi": true, "options": [{ "label": "Unit" }, { "label": "End to end" }] },
        { "id": "name", "question": "Name?", "options": [] }]);
    let call = runtime.request(&session, &questions);

    let first = telegram.see(GROUP, 0, "Question 1 of 3\nWhich approach?");
    assert_eq!(first.thread, Some(TOPIC));
    assert_eq!(first.labels(), [vec!["Small change"], vec!["Full refactor"], vec!["Decline", "Cancel"]]);
    // Neither another user's press nor another's message counts, though that user may answer other questions.
    let press = telegram.press(&first, 6, "Small change");
    assert_eq!(telegram.notice(&press).as_deref(), Some("This question is not for you."));
    telegram.write(GROUP, Some(TOPIC), 6, "mine");
    telegram.write(GROUP, Some(TOPIC + 1), 5, "in another topic");
    let press = telegram.press(&first, 5, "Full refactor");
    assert_eq!(telegram.notice(&press), None);
    let ended = telegram.becomes(&first, "Answered: Full refactor");
    assert_eq!((ended.text.as_str(), ended.buttons.len()), ("Which approach?\nAnswered: Full refactor", 0));

    let second = telegram.see(GROUP, first.id, "Tests?");
    let press = telegram.press(&second, 5, "Done selecting");
    assert_eq!(telegram.notice(&press).as_deref(), Some("Select at least one option first."));
    telegram.press(&second, 5, "☐ End to end");
    let mut shown = telegram.message(GROUP, second.id);
    let end = Instant::now() + host::PATIENCE;
    while shown.button("☑ End to end").is_none() {
        assert!(Instant::now() < end, "{shown:?}");
        shown = telegram.message(GROUP, second.id);
    }
    telegram.press(&second, 5, "Done selecting");
    // An older question's button has expired.
    let third = telegram.see(GROUP, second.id, "Name?");
    let press = telegram.press_data(&first, 5, &first.button("Small change").unwrap());
    assert_eq!(telegram.notice(&press).as_deref(), Some("This question has expired."));
    telegram.write(GROUP, Some(TOPIC), 5, "blue");

    let results = json!([
        { "id": "how", "selected": ["Full refactor"] },
        { "id": "tests", "selected": ["End to end"] },
        { "id": "name", "selected": [], "custom": "blue" }]);
    assert_eq!(runtime.details(call), json!({ "status": "answered", "results": results }));
    telegram.becomes(&third, "Name?\nAnswered: “blue”");
    host.stop();
}

#[test]
fn a_restart_lets_old_buttons_expire_and_new_ones_work() {
    let (telegram, room) = (telegram(), Room::new());
    let host = room.host(&telegram, None);
    let session = bind(&telegram, GROUP, None, 5);
    let mut runtime = room.runtime();
    runtime.request(&session, &one_question());
    let old = telegram.see(GROUP, 0, "How?");
    host.kill();

    // Pressed while nobody was there, and again after the restart.
    let missed = telegram.press(&old, 5, "Small");
    let host = room.host(&telegram, None);
    assert_eq!(telegram.notice(&missed).as_deref(), Some("This question has expired."));
    let press = telegram.press(&old, 5, "Small");
    assert_eq!(telegram.notice(&press).as_deref(), Some("This question has expired."));
    // Nothing is restored: the session is bound anew, by what its user writes.
    let mut runtime = room.runtime();
    let call = runtime.request(&session, &one_question());
    assert_eq!(runtime.details(call)["status"], "unavailable");
    let session = bind(&telegram, GROUP, None, 5);
    let call = runtime.request(&session, &one_question());
    let new = telegram.see(GROUP, old.id, "How?");
    let press = telegram.press(&old, 5, "Small");
    assert_eq!(telegram.notice(&press).as_deref(), Some("This question has expired."));
    telegram.press(&new, 5, "Full");
    assert_eq!(runtime.details(call)["results"], json!([{ "id": "how", "selected": ["Full"] }]));
    host.stop();
}

#[test]
fn prompts_of_dialect_a_are_answered_in_the_chat_of_the_host() {
    let (telegram, room) = (telegram(), Room::new());
    telegram.write(GROUP, Some(TOPIC), 5, "good morning");
    let host = room.host(&telegram, Some("-100:7"));

    let asker =
        room.ask(&["yesno", "--title", "Run install?", "--agent-id", "claude:1", "--surface", "surface:3"]);
    let shown = telegram.see(GROUP, 0, "claude:1 · surface:3\nRun install?");
    assert_eq!((shown.thread, shown.labels()), (Some(TOPIC), vec![vec!["Yes", "No"], vec!["Cancel"]]));
    // Whoever may not answer does not; whoever may does, and is not the only one.
    let press = telegram.press(&shown, 8, "Yes");
    assert_eq!(telegram.notice(&press).as_deref(), Some("This question is not for you."));
    telegram.press(&shown, 6, "No");
    assert_answer(asker, 0, "no\n");
    telegram.becomes(&shown, "Answered: No");

    let asker = room.ask(&["choice", "--title", "Which branch?", "--choices", "main,dev:Develop"]);
    let shown = telegram.see(GROUP, shown.id, "Which branch?");
    telegram.press(&shown, 5, "Develop");
    assert_answer(asker, 0, "dev\n");

    let asker = room.ask(&["text", "--title", "Release name", "--default", "v1"]);
    let shown = telegram.see(GROUP, shown.id, "Release name");
    telegram.write(GROUP, Some(TOPIC), 5, "not for the bot");
    telegram.reply(&shown, 5, "v1.2.0");
    assert_answer(asker, 0, "v1.2.0\n");

    let asker = room.ask(&["confirm-command", "--title", "Clean?", "--body", "rm -rf target", "--unsafe"]);
    let shown = telegram.see(GROUP, shown.id, "rm -rf target");
    assert!(shown.text.contains("This may be dangerous."), "{}", shown.text);
    assert_eq!(shown.labels(), [["I understand", "Cancel"]]);
    telegram.press(&shown, 5, "I understand");
    let end = Instant::now() + host::PATIENCE;
    while telegram.message(GROUP, shown.id).button("Run").is_none() {
        assert!(Instant::now() < end, "{:?}", telegram.message(GROUP, shown.id));
    }
    // The first step of the one is not that of the other.
    let press = telegram.press(&shown, 6, "Run");
    let notice = telegram.notice(&press).unwrap();
    assert!(notice.contains("I understand"), "{notice}");
    telegram.press(&shown, 5, "Run");
    assert_answer(asker, 0, "run\n");

    let asker = room.ask(&["yesno", "--title", "Once more?"]);
    let shown = telegram.see(GROUP, shown.id, "Once more?");
    telegram.press(&shown, 5, "Cancel");
    assert_answer(asker, 3, "cancel");
    telegram.becomes(&shown, "Cancelled; nothing was answered.");
    host.stop();
}

fn assert_answer(asker: Running, code: i32, text: &str) {
    let (own, said) = asker.end();
    assert_eq!(own, code, "{said}");
    assert!(said.to_lowercase().contains(text), "{text:?} in {said}");
}

#[test]
fn an_end_elsewhere_is_shown_in_the_chat() {
    let (telegram, room) = (telegram(), Room::new());
    telegram.write(5, None, 5, "hello");
    let host = room.host(&telegram, Some("5"));

    let asker = room.ask(&["yesno", "--title", "Quick?", "--timeout", "300"]);
    let shown = telegram.see(5, 0, "Quick?");
    let ended = telegram.becomes(&shown, "Timed out; nothing was answered.");
    assert!(ended.buttons.is_empty());
    assert_answer(asker, 2, "");

    let asker = room.ask(&["yesno", "--title", "Elsewhere?"]);
    let shown = telegram.see(5, shown.id, "Elsewhere?");
    assert_eq!(room.run(&["answer", "req:2", "yes"]), (0, "Answered req:2.\n".into()));
    assert_answer(asker, 0, "yes\n");
    let ended = telegram.becomes(&shown, "Answered elsewhere.");
    assert!(ended.buttons.is_empty());
    let press = telegram.press_data(&shown, 5, &shown.button("No").unwrap());
    assert_eq!(telegram.notice(&press).as_deref(), Some("This question has expired."));

    // A host that ends says so, too, and whoever asked hears of it at once.
    let asker = room.ask(&["yesno", "--title", "At the end?"]);
    let shown = telegram.see(5, shown.id, "At the end?");
    host.stop();
    let ended = telegram.message(5, shown.id);
    assert_eq!(ended.text, format!("{}\nCancelled (shutdown); nothing was answered.", shown.text));
    assert!(ended.buttons.is_empty());
    assert_answer(asker, 3, "shutdown");
}

#[test]
fn an_outage_loses_nothing_and_doubles_nothing() {
    let (mut telegram, room) = (telegram(), Room::new());
    let host = room.host(&telegram, None);
    let session = bind(&telegram, GROUP, None, 5);
    let mut runtime = room.runtime();
    let call = runtime.request(&session, &one_question());
    let shown = telegram.see(GROUP, 0, "How?");

    // By then the host knows that the question was sent.
    let press = telegram.press(&shown, 6, "Full");
    assert!(telegram.notice(&press).is_some());

    // Pressed while the host cannot reach the server, after which the server fails for a while.
    telegram.down_while(|telegram| {
        host.0.says("Telegram cannot be reached");
        telegram.press(&shown, 5, "Full");
    });
    telegram.mishap("getUpdates", Mishap::BadGateway);
    telegram.mishap("getUpdates", Mishap::Refused(500, "Internal Server Error at /botTOKEN/getUpdates"));
    telegram.mishap("getUpdates", Mishap::AnswerLost);

    telegram.becomes(&shown, "Answered: Full");
    assert_eq!(runtime.details(call)["results"], json!([{ "id": "how", "selected": ["Full"] }]));
    host.0.says("Telegram gives updates again");
    telegram.settled();
    assert_eq!(telegram.calls("answerCallbackQuery").len(), 2);
    assert_eq!(telegram.by_bot(GROUP).len(), 2);
    let said = host.stop();
    assert!(said.contains("at /bot[token]/getUpdates"), "{said}");
}

#[test]
fn what_was_dealt_with_does_not_come_to_the_next_host() {
    let (telegram, room) = (telegram(), Room::new());
    let host = room.host(&telegram, None);
    let session = bind(&telegram, GROUP, None, 5);
    let mut runtime = room.runtime();
    let call = runtime.request(&session, &one_question());
    let shown = telegram.see(GROUP, 0, "How?");

    // The call after the one that fetches the press fails, and then the host ends.
    telegram.mishap("getUpdates", Mishap::Refused(500, "Internal Server Error"));
    telegram.press(&shown, 5, "Full");
    assert_eq!(runtime.details(call)["status"], "answered");
    host.0.says("Telegram gives no updates: Internal Server Error; trying again");
    host.stop();

    assert_eq!(telegram.unconfirmed(), 0);
}

#[test]
fn more_than_a_group_takes_in_a_minute_comes_later_and_once() {
    let (telegram, room) = (telegram(), Room::new());
    telegram.write(GROUP, None, 5, "nothing for the bot");
    telegram.minute_is(Duration::from_secs(4));
    let host = room.host(&telegram, Some("-100"));
    let mut runtime = room.runtime();

    let title = |n: u64| format!("Question {n}.");
    let calls: Vec<_> = (0..25)
        .map(|n| {
            let params = json!({ "surface_id": format!("s{n}"), "kind": "yesno", "title": title(n) });
            runtime.call("agent.ask_user", &params)
        })
        .collect();
    let shown: Vec<_> = (0..25).map(|n| telegram.see(GROUP, 0, &title(n))).collect();
    // The first came at once, the last had to wait.
    for (n, call) in calls.into_iter().enumerate().step_by(24) {
        telegram.press(&shown[n], 5, "Yes");
        assert_eq!(runtime.result(call)["value"], "yes", "{n}");
        telegram.becomes(&shown[n], "Answered: Yes");
    }

    // Of each send, one was taken.
    assert_eq!(telegram.by_bot(GROUP).len(), 25);
    let (taken, refused): (Vec<_>, Vec<_>) =
        telegram.calls("sendMessage").into_iter().partition(|call| call.code == 200);
    assert_eq!(taken.len(), 25);
    assert!(!refused.is_empty() && refused.iter().all(|call| call.code == 429), "{refused:?}");
    assert!(refused.len() < 50, "{} sends were refused", refused.len());
    host.stop();
}

#[test]
fn a_send_waits_as_long_as_the_server_asks_and_is_made_once() {
    let (telegram, room) = (telegram(), Room::new());
    telegram.write(GROUP, None, 5, "nothing for the bot");
    let host = room.host(&telegram, Some("-100"));
    telegram.mishap("sendMessage", Mishap::TooMany(2));

    let began = Instant::now();
    let asker = room.ask(&["yesno", "--title", "Slowly?"]);
    let shown = telegram.see(GROUP, 1, "Slowly?");

    assert!(began.elapsed() >= Duration::from_secs(2), "{:?}", began.elapsed());
    // The edit's answer is lost: that it was made is then heard from the refusal of the next.
    telegram.mishap("editMessageText", Mishap::AnswerLost);
    telegram.press(&shown, 5, "Yes");
    assert_answer(asker, 0, "yes\n");
    telegram.called("editMessageText", 2);
    let edits: Vec<_> = telegram.calls("editMessageText").iter().map(|call| call.code).collect();
    assert_eq!((edits, telegram.message(GROUP, shown.id).edits), (vec![200, 400], 1));
    assert!(!host.stop().contains("refused"));
}

#[test]
fn a_question_whose_sending_broke_off_is_asked_again() {
    let (telegram, room) = (telegram(), Room::new());
    let host = room.host(&telegram, None);
    let session = bind(&telegram, GROUP, None, 5);
    let mut runtime = room.runtime();
    telegram.mishap("sendMessage", Mishap::AnswerLost);

    // The server has it and could not say so. The buttons of both work, once.
    let call = runtime.request(&session, &one_question());
    let first = telegram.see(GROUP, 0, "How?");
    let second = telegram.see(GROUP, first.id, "How?");
    telegram.press(&first, 5, "Full");
    assert_eq!(runtime.details(call)["results"], json!([{ "id": "how", "selected": ["Full"] }]));
    telegram.becomes(&second, "Answered: Full");
    let press = telegram.press(&first, 5, "Small");
    assert_eq!(telegram.notice(&press).as_deref(), Some("This question has expired."));
    host.stop();
}

#[test]
fn a_question_that_somebody_deleted_is_shown_again() {
    let (telegram, room) = (telegram(), Room::new());
    let host = room.host(&telegram, None);
    let session = bind(&telegram, GROUP, None, 5);
    let mut runtime = room.runtime();
    let questions =
        json!([{ "id": "a", "question": "Which?", "multi": true, "options": [{ "label": "x" }] }]);
    let call = runtime.request(&session, &questions);
    let first = telegram.see(GROUP, 0, "Which?");

    // Found out by what the next press would have changed.
    let data = first.button("☐ x").unwrap();
    telegram.delete(&first);
    telegram.press_data(&first, 5, &data);
    let second = telegram.see(GROUP, first.id, "Which?");
    assert!(second.button("☑ x").is_some(), "{second:?}");
    telegram.press(&second, 5, "Done selecting");
    assert_eq!(runtime.details(call)["results"], json!([{ "id": "a", "selected": ["x"] }]));
    host.stop();
}

#[test]
fn a_press_is_acknowledged_though_the_server_fails_for_a_moment() {
    let (telegram, room) = (telegram(), Room::new());
    let host = room.host(&telegram, None);
    let session = bind(&telegram, GROUP, None, 5);
    let mut runtime = room.runtime();
    let call = runtime.request(&session, &one_question());
    let shown = telegram.see(GROUP, 0, "How?");

    telegram.mishap("answerCallbackQuery", Mishap::BadGateway);
    let press = telegram.press(&shown, 6, "Full");
    assert_eq!(telegram.notice(&press).as_deref(), Some("This question is not for you."));
    // One that comes too late for that counts all the same, and is nothing to speak of.
    let late = "Bad Request: query is too old and response timeout expired or query ID is invalid";
    telegram.mishap("answerCallbackQuery", Mishap::Refused(400, late));
    telegram.press(&shown, 5, "Full");
    assert_eq!(runtime.details(call)["results"], json!([{ "id": "how", "selected": ["Full"] }]));
    telegram.becomes(&shown, "Answered: Full");
    assert_eq!(telegram.calls("answerCallbackQuery").len(), 3);
    assert!(!host.stop().contains("too old"));
}

#[test]
fn the_terminal_of_the_host_asks_beside_the_chat() {
    for plain in [false, true] {
        let (mut telegram, room) = (telegram(), Room::new());
        telegram.write(GROUP, None, 5, "nothing for the bot");
        let mut terminal = room.terminal(&telegram, "-100", plain);
        terminal.sees("asking in Telegram as @askgate_bot");

        // The first answer counts, wherever it is given, and the other place says that it was elsewhere.
        let asker = room.ask(&["yesno", "--title", "In the terminal?"]);
        let shown = telegram.see(GROUP, 0, "In the terminal?");
        terminal.sees("In the terminal?");
        terminal.answers(if plain { "yes\n" } else { "y" });
        assert_answer(asker, 0, "yes\n");
        telegram.becomes(&shown, "Answered elsewhere.");
        let asker = room.ask(&["yesno", "--title", "In the chat?"]);
        let shown = telegram.see(GROUP, shown.id, "In the chat?");
        terminal.sees("In the chat?");
        telegram.press(&shown, 5, "No");
        assert_answer(asker, 0, "no\n");
        terminal.sees(if plain { "Answered elsewhere: no" } else { "(answered elsewhere)" });

        // What there is to say about Telegram is said between the questions.
        telegram.down_while(|_| terminal.sees("Telegram cannot be reached"));
        terminal.ends();
    }
}

#[test]
fn what_is_delivered_twice_and_out_of_order_counts_once() {
    let (telegram, room) = (telegram(), Room::new());
    telegram.deliver_twice();
    let host = room.host(&telegram, None);
    let session = bind(&telegram, 5, None, 5);
    let mut runtime = room.runtime();
    let questions = json!([
        { "id": "a", "question": "First?", "multi": true, "options": [{ "label": "x" }, { "label": "y" }] },
        { "id": "b", "question": "Second?", "options": [] },
        { "id": "c", "question": "Third?", "options": [] }]);
    let call = runtime.request(&session, &questions);

    let first = telegram.see(5, 0, "First?");
    telegram.press(&first, 5, "☐ x");
    telegram.press(&first, 5, "☐ y");
    telegram.press(&first, 5, "Done selecting");
    let second = telegram.see(5, first.id, "Second?");
    telegram.write(5, None, 5, "two");
    let third = telegram.see(5, second.id, "Third?");
    telegram.settled();
    telegram.write(5, None, 5, "three");

    let results = json!([
        { "id": "a", "selected": ["x", "y"] },
        { "id": "b", "selected": [], "custom": "two" },
        { "id": "c", "selected": [], "custom": "three" }]);
    assert_eq!(runtime.details(call)["results"], results);
    telegram.becomes(&third, "Answered: “three”");
    // Each press was answered once, and the greeting was sent once.
    assert_eq!((telegram.calls("answerCallbackQuery").len(), telegram.by_bot(5).len()), (3, 4));
    host.stop();
}

#[test]
fn a_user_who_blocks_the_bot_has_no_question_any_more() {
    let (telegram, room) = (telegram(), Room::new());
    let host = room.host(&telegram, None);
    let session = bind(&telegram, 5, None, 5);
    let mut runtime = room.runtime();
    let call = runtime.request(&session, &one_question());
    let _shown: Message = telegram.see(5, 0, "How?");

    telegram.kick(5, 5);

    assert_eq!(runtime.details(call)["status"], "unavailable");
    host.0.says("Telegram's chat 5 is lost");
    let call = runtime.request(&session, &one_question());
    assert_eq!(runtime.details(call)["status"], "unavailable");
    host.stop();
}

#[test]
fn a_bot_that_is_blocked_without_a_word_finds_out() {
    let (telegram, room) = (telegram(), Room::new());
    let host = room.host(&telegram, None);
    let session = bind(&telegram, 5, None, 5);
    let mut runtime = room.runtime();
    telegram.mishap("sendMessage", Mishap::Refused(403, "Forbidden: bot was blocked by the user"));

    let call = runtime.request(&session, &one_question());

    assert_eq!(runtime.details(call)["status"], "unavailable");
    host.0.says("Telegram refused sendMessage in the chat 5: Forbidden: bot was blocked by the user");
    host.stop();
}

#[test]
fn the_prompts_of_a_group_follow_it_when_it_becomes_another_chat() {
    for says_so in [true, false] {
        let (telegram, room) = (telegram(), Room::new());
        let id = telegram.write(GROUP, None, 5, "hello");
        let host = room.host(&telegram, Some("-100"));

        telegram.migrate(GROUP, -1_000_000_200, says_so);
        // Nobody told the bot, which finds out by a question that it cannot show.
        let lost = (!says_so).then(|| room.ask(&["yesno", "--title", "Lost?"]));
        host.0.says("Telegram's group -100 has become -1000000200");
        drop(lost);

        let asker = room.ask(&["yesno", "--title", "Found?"]);
        let shown = telegram.see(-1_000_000_200, id, "Found?");
        telegram.press(&shown, 5, "Yes");
        assert_answer(asker, 0, "yes\n");
        host.stop();
    }
}

#[test]
fn whoever_writes_to_the_bot_is_told_how_a_run_reaches_them() {
    let (telegram, room) = (telegram(), Room::new());
    let host = room.host(&telegram, None);

    // In private anything is for the bot; the second time it need not be said again.
    let id = telegram.write(5, None, 5, "hello");
    let greeting = telegram.see(5, id, "telegram:5:5");
    telegram.write(5, None, 5, "hello again");
    let id = telegram.write(5, None, 5, "/help");
    let help = telegram.see(5, id, "/start");
    let id = telegram.write(5, None, 5, "/start");
    let again = telegram.see(5, id, "telegram:5:5");
    let own: Vec<_> = telegram.by_bot(5).iter().map(|message| message.id).collect();
    assert_eq!(own, [greeting.id, help.id, again.id]);

    // In a group only what names the bot is, and a reply to it; and strangers are heard nowhere.
    telegram.write(GROUP, None, 5, "nothing for the bot");
    telegram.write(GROUP, None, 5, "/help");
    telegram.write(GROUP, None, 5, "/start@other_bot");
    telegram.write(GROUP, None, 5, "mail me at x@askgate_bot.example");
    telegram.write(GROUP, None, 8, "@askgate_bot hello");
    telegram.write(8, None, 8, "/start");
    host.0.says("Telegram's user 8 wrote to the bot, and is none of ASKGATE_TELEGRAM_USERS");
    let id = telegram.write(GROUP, None, 5, "/start@askgate_bot");
    let first = telegram.see(GROUP, id, "telegram:-100:5");
    let id = telegram.reply(&first, 6, "me too");
    let second = telegram.see(GROUP, id, "telegram:-100:6");
    let own: Vec<_> = telegram.by_bot(GROUP).iter().map(|message| message.id).collect();
    assert_eq!((own, telegram.by_bot(8).len()), (vec![first.id, second.id], 0));
    assert_eq!(host.stop().matches("user 8").count(), 1);
}

#[test]
fn a_run_that_is_over_leaves_no_chat_bound() {
    let (telegram, room) = (telegram(), Room::new());
    let host = room.host(&telegram, None);
    let session = bind(&telegram, 5, None, 5);
    let mut runtime = room.runtime();
    let run = json!({ "session_key": session, "run_id": "r" });

    let call = runtime.request(&session, &one_question());
    let shown = telegram.see(5, 0, "How?");
    let end = runtime.call("sessions.prompt.end_run", &run);
    assert_eq!(runtime.result(end)["ended"], 1);
    assert_eq!(runtime.details(call)["reason"], "run ended");
    telegram.becomes(&shown, "Cancelled (run ended); nothing was answered.");
    let call = runtime.request(&session, &one_question());
    assert_eq!(runtime.details(call)["status"], "unavailable");

    // So too if it asked nothing.
    let id = telegram.write(5, None, 5, "once more");
    let _bound = telegram.see(5, id, &session);
    let end = runtime.call("sessions.prompt.end_run", &run);
    assert_eq!(runtime.result(end)["ended"], 0);
    let call = runtime.request(&session, &one_question());
    assert_eq!(runtime.details(call)["status"], "unavailable");
    host.stop();
}

#[test]
fn a_wrong_token_ends_the_host_with_one_sentence() {
    let (telegram, room) = (telegram(), Room::new());
    for wrong in ["42:wrong", "43:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw"] {
        let mut command = room.host_command(&telegram);
        command.env("ASKGATE_TELEGRAM_TOKEN", wrong);
        let (code, said) = Running::start(command).end();
        let sentence = "askgate: Telegram does not take the bot's token; check ASKGATE_TELEGRAM_TOKEN.\n";
        assert_eq!((code, said.as_str()), (1, sentence));
    }
    // So does one that is refused later; whoever waits is told.
    telegram.write(5, None, 5, "hello");
    let host = room.host(&telegram, Some("5"));
    let asker = room.ask(&["yesno", "--title", "Still there?"]);
    let _shown = telegram.see(5, 1, "Still there?");
    telegram.revoke();
    telegram.write(5, None, 5, "hello");
    telegram.write(5, None, 5, "hello");
    let (code, said) = host.0.end();
    assert_eq!(
        (code, said.lines().last()),
        (1, Some("askgate: Telegram does not take the bot's token; check ASKGATE_TELEGRAM_TOKEN."))
    );
    assert_answer(asker, 3, "shutdown");
}

#[test]
fn what_is_wrong_with_the_settings_is_said_without_them() {
    let (telegram, room) = (telegram(), Room::new());
    let secret = TOKEN.split_once(':').unwrap().1;
    let wrong = [
        ("TOKEN", "", "--telegram needs ASKGATE_TELEGRAM_TOKEN: the bot's token as @BotFather gave it."),
        ("TOKEN", secret, "ASKGATE_TELEGRAM_TOKEN must be the bot's token as @BotFather gave it."),
        (
            "TOKEN",
            &format!("x:{secret}"),
            "ASKGATE_TELEGRAM_TOKEN must be the bot's token as @BotFather gave it.",
        ),
        (
            "TOKEN",
            &format!("{TOKEN}/../x"),
            "ASKGATE_TELEGRAM_TOKEN must be the bot's token as @BotFather gave it.",
        ),
        (
            "USERS",
            "",
            "--telegram needs ASKGATE_TELEGRAM_USERS: the ids of the users who may answer, with commas between.",
        ),
        (
            "USERS",
            "5;6",
            "ASKGATE_TELEGRAM_USERS must be the ids of the users who may answer, with commas between.",
        ),
        (
            "USERS",
            "5,-6",
            "ASKGATE_TELEGRAM_USERS must be the ids of the users who may answer, with commas between.",
        ),
        ("CHAT", "@group", "ASKGATE_TELEGRAM_CHAT must be a chat's id, or CHAT:THREAD for a topic in it."),
        ("CHAT", "-100:x", "ASKGATE_TELEGRAM_CHAT must be a chat's id, or CHAT:THREAD for a topic in it."),
        ("API", "127.0.0.1", "ASKGATE_TELEGRAM_API must be the http or https address of a Bot API server."),
        (
            "API",
            "http://x/?a=b",
            "ASKGATE_TELEGRAM_API must be the http or https address of a Bot API server.",
        ),
    ];
    for (name, value, sentence) in wrong {
        let mut command = room.host_command(&telegram);
        command.env(format!("ASKGATE_TELEGRAM_{name}"), value);
        assert_eq!(Running::start(command).end(), (1, format!("askgate: {sentence}\n")), "{name}={value}");
    }
    assert_eq!(telegram.calls("getMe").len(), 0);
}

#[test]
fn a_server_that_cannot_be_reached_is_no_surface() {
    let (mut telegram, room) = (telegram(), Room::new());
    let refused = |command| {
        let (code, said) = Running::start(command).end();
        assert_eq!(code, 4, "{said}");
        assert!(said.starts_with("askgate: Telegram cannot be reached: "), "{said}");
        assert!(!said.contains("bot42"), "{said}");
    };
    telegram.down_while(|telegram| refused(room.host_command(telegram)));
    let mut nowhere = room.host_command(&telegram);
    nowhere.env("ASKGATE_TELEGRAM_API", "http://127.0.0.1:1");
    refused(nowhere);
}

#[test]
fn somebody_else_who_fetches_the_updates_is_told_of_and_outlasted() {
    let (telegram, room) = (telegram(), Room::new());
    let conflict = "Conflict: terminated by other getUpdates request";
    telegram.mishap("getUpdates", Mishap::Refused(409, conflict));
    let host = room.host(&telegram, None);
    bind(&telegram, 5, None, 5);
    assert!(host.stop().contains(conflict));
}
