//! The chat router, which works on a gate.

use crate::bridge::{
    counted, fail, fail_at, fail_request, give_json, give_time, millis, wipe_input, with_input,
};
use crate::gate::{GATES, Host};
use crate::objects::Objects;
use alloc::string::ToString;
use askgate::chat::typed::{EffectJson, HandledJson, ReportJson, parse_audiences};
use askgate::chat::{EffectId, Handle, Key, Platform, Report, Router, ShowError, Update};
use askgate::dialect::typed::{AddressJson, parse_address};
use askgate::error::{Code, Fault};
use askgate::gate::{Event, Poll};
use askgate::id::{PromptId, SessionKey};

/// A router, and whose updates it reads.
struct Bot {
    platform: Platform,
    router: Router,
}

static ROUTERS: Objects<Bot> = Objects::new();

/// Lends a router and a gate to a call.
fn with_both(router: usize, gate: usize, call: impl FnOnce(&mut Bot, &mut Host) -> i32) -> i32 {
    ROUTERS.with(router, |bot| GATES.with(gate, |gate| call(bot, gate)))
}

fn fail_parse(fault: &Fault) -> i32 {
    fail_at("/update", fault)
}

/// Makes a router: the texts are the key's bytes, and the bot account.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_router_new(discord: u32, key: usize, bot: usize) -> i32 {
    let platform = if discord == 0 { Platform::Telegram } else { Platform::Discord };
    let router = with_input(|input| {
        let key = Key::new(input.bytes(key).try_into().ok()?);
        Some(Router::new(platform, input.text(bot), key))
    });
    wipe_input();
    match router {
        Some(router) => ROUTERS.add(Bot { platform, router }),
        None => fail(Code::InvalidValue, "/key", "Give 32 random bytes."),
    }
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_router_free(router: usize) {
    ROUTERS.remove(router);
}

/// Gives the address that a message comes from as JSON, and 1, or 0 if no person wrote one.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_router_address_of(router: usize, update: usize) -> i32 {
    ROUTERS.with(router, |bot| {
        let address = match with_input(|input| bot.platform.parse(input.text(update))) {
            Ok(Update::Message(message)) => bot.router.address_of(&message),
            Ok(Update::Press(_) | Update::Lost { .. } | Update::Other) => None,
            Err(fault) => return fail_parse(&fault),
        };
        address.map_or(0, |address| {
            give_json(&AddressJson(&address));
            1
        })
    })
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_router_bind_chat(
    router: usize,
    gate: usize,
    now: f64,
    session: usize,
    address: usize,
) -> i32 {
    with_both(router, gate, |bot, gate| {
        with_input(|input| {
            let session = match SessionKey::new(input.text(session), gate.limits()) {
                Ok(session) => session,
                Err(fault) => return fail_at("/session", &fault),
            };
            let address = match parse_address(input.text(address)) {
                Ok(address) => address,
                Err(error) => return fail_request(&error),
            };
            match bot.router.bind_chat(millis(now), gate, session, address) {
                Ok(()) => 0,
                Err(fault) => fail_at("/address", &fault),
            }
        })
    })
}

/// Shows a prompt: the texts are the handle's 16 bytes, the prompt, and the audiences. Gives in how many chats.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_router_show(
    router: usize,
    gate: usize,
    now: f64,
    handle: usize,
    prompt: usize,
    audiences: usize,
) -> i32 {
    with_both(router, gate, |bot, gate| {
        with_input(|input| {
            let Ok(handle) = input.bytes(handle).try_into() else {
                return fail(Code::InvalidValue, "/handle", "Give 16 random bytes.");
            };
            let prompt = input.number(prompt);
            let audiences = match parse_audiences(input.text(audiences)) {
                Ok(audiences) => audiences,
                Err(error) => return fail_request(&error),
            };
            let Some(prompt) = prompt else {
                return fail(Code::NotFound, "/prompt", &ShowError::NotPending.to_string());
            };
            match bot.router.show(millis(now), gate, PromptId(prompt), Handle(handle), &audiences) {
                Ok(chats) => counted(chats),
                Err(error @ ShowError::HandleInUse) => fail(Code::IdInUse, "/handle", &error.to_string()),
                Err(error) => fail(Code::NotFound, "/prompt", &error.to_string()),
            }
        })
    })
}

/// Tells of the end that the gate's last poll gave.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_router_resolved(router: usize, gate: usize, now: f64, prompt: usize) -> i32 {
    with_both(router, gate, |bot, gate| {
        let told = with_input(|input| input.number(prompt)).map(PromptId);
        // It stays, for the other routers of this gate.
        let polled = gate.polled.take();
        let result = match &polled {
            Some(Event::Resolved { prompt: ended, outcome, .. }) if Some(ended.id()) == told => {
                bot.router.resolved(millis(now), gate, ended, outcome);
                0
            }
            Some(_) | None => {
                fail(Code::NotFound, "/prompt", "Give the prompt whose end the gate's last poll gave.")
            }
        };
        gate.polled = polled;
        result
    })
}

/// Gives how many prompts ended.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_router_end_run(
    router: usize,
    gate: usize,
    now: f64,
    session: usize,
    run: usize,
) -> i32 {
    with_both(router, gate, |bot, gate| {
        with_input(|input| {
            counted(bot.router.end_run(millis(now), gate, input.text(session), input.text(run)))
        })
    })
}

/// Gives how many sessions were unbound.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_router_lose_chat(router: usize, gate: usize, now: f64, chat: usize) -> i32 {
    with_both(router, gate, |bot, gate| {
        with_input(|input| counted(bot.router.lose_chat(millis(now), gate, input.text(chat))))
    })
}

/// Takes an update; what became of it is the JSON given.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_router_handle(router: usize, gate: usize, now: f64, update: usize) -> i32 {
    with_both(router, gate, |bot, gate| match with_input(|input| bot.platform.parse(input.text(update))) {
        Ok(update) => {
            give_json(&HandledJson(bot.router.handle(millis(now), gate, &update)));
            0
        }
        Err(fault) => {
            gate.advance(millis(now));
            fail_parse(&fault)
        }
    })
}

/// Takes what became of an effect: the texts are its id and the platform's answer, if there is one. How it was understood is
/// the JSON given.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_router_report(
    router: usize,
    gate: usize,
    now: f64,
    effect: usize,
    answer: usize,
    status: i32,
) -> i32 {
    with_both(router, gate, |bot, gate| {
        with_input(|input| {
            let effect = input.number(effect);
            // A status that there is none of stands for an answer that did not come.
            let answer = u16::try_from(status).ok().map(|status| (status, input.text(answer)));
            let read = match answer {
                Some((status, answer)) => bot.platform.parse_answer(status, Some(answer)),
                None => bot.platform.parse_answer(0, None),
            };
            let report = match &read {
                Ok(message) => Report::Done { message: message.as_deref() },
                Err(failure) => Report::Failed(*failure),
            };
            if let Some(effect) = effect {
                bot.router.report(millis(now), gate, EffectId(effect), &report);
            }
            give_json(&ReportJson(&report));
            0
        })
    })
}

/// The next effect as JSON, and 2; or 1 and when to poll again, or 0 if only after another call.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn ag_router_poll(router: usize, now: f64) -> i32 {
    ROUTERS.with(router, |bot| match bot.router.poll(millis(now)) {
        Poll::Event(effect) => {
            give_json(&EffectJson(&effect));
            2
        }
        Poll::Wait(deadline) => give_time(deadline),
    })
}
