//! The stand-in by hand: a Telegram in the terminal, to try `askgate serve --telegram` without a bot.
//!
//! It prints the environment of the host, then every message of the bot as it is sent and edited. What people do is typed:
//!
//! ```text
//! write CHAT[:THREAD] USER TEXT…     reply CHAT MESSAGE USER TEXT…     press CHAT MESSAGE USER LABEL…
//! ```

use askgate_chat_types::stand_in::{Message, StandIn, TOKEN};
use std::collections::BTreeMap;
use std::io::BufRead;
use std::thread::{scope, sleep};
use std::time::Duration;

fn main() {
    let telegram = StandIn::start();
    println!("export ASKGATE_TELEGRAM_API={} ASKGATE_TELEGRAM_TOKEN={TOKEN}", telegram.address());
    scope(|scope| {
        scope.spawn(|| show(&telegram));
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            if take(&telegram, &line).is_none() && !line.trim().is_empty() {
                eprintln!("that is none of: write, reply, press");
            }
        }
        std::process::exit(0);
    });
}

/// Does what a line says.
fn take(telegram: &StandIn, line: &str) -> Option<()> {
    let mut words = line.splitn(4, ' ');
    let (act, place) = (words.next()?, words.next()?);
    let (chat, thread) = place.split_once(':').map_or((place, None), |(chat, thread)| (chat, Some(thread)));
    let chat = chat.parse().ok()?;
    if act == "write" {
        let thread = thread.map(str::parse).transpose().ok()?;
        telegram.write(chat, thread, words.next()?.parse().ok()?, words.next()?);
        return Some(());
    }
    let id: i64 = words.next()?.parse().ok()?;
    let message = telegram.by_bot(chat).into_iter().find(|message| message.id == id)?;
    let (user, text) = words.next()?.split_once(' ')?;
    let user = user.parse().ok()?;
    match act {
        "reply" => drop(telegram.reply(&message, user, text)),
        "press" => {
            message.button(text)?;
            let query = telegram.press(&message, user, text);
            println!("     pressed by {user}: {}", telegram.notice(&query).as_deref().unwrap_or("(taken)"));
        }
        _ => return None,
    }
    Some(())
}

fn show(telegram: &StandIn) {
    let mut shown: BTreeMap<(i64, i64), (String, usize)> = BTreeMap::new();
    loop {
        for message in telegram.chats().into_iter().flat_map(|chat| telegram.by_bot(chat)) {
            let now = (message.text.clone(), message.edits);
            let before = shown.insert((message.chat, message.id), now.clone());
            if before.as_ref() != Some(&now) {
                print(&message);
            }
        }
        for fault in telegram.faults() {
            println!("!!!  {fault}");
        }
        sleep(Duration::from_millis(100));
    }
}

fn print(message: &Message) {
    let place = message.thread.map_or(String::new(), |thread| format!(":{thread}"));
    let edited = if message.edits > 0 { " (edited)" } else { "" };
    println!("--- {}{place} message {}{edited}", message.chat, message.id);
    for line in message.text.lines() {
        println!("     {line}");
    }
    for row in message.labels() {
        println!("     {}", row.iter().map(|label| format!("[{label}]")).collect::<Vec<_>>().join(" "));
    }
}
