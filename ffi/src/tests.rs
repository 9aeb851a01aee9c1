//! The exports as a caller uses them, small enough for Miri.

use crate::chat::*;
use crate::codes::*;
use crate::endpoint::*;
use crate::gate::answering::*;
use crate::gate::asking::*;
use crate::gate::ending::*;
use crate::gate::reading::*;
use crate::gate::*;
use crate::guard;
use crate::mirror::*;
use crate::modal::input::*;
use crate::modal::view::*;
use crate::modal::*;
use crate::text::askgate_text;
use std::mem::{MaybeUninit, zeroed};
use std::{ptr, slice, str, thread};

const ASK: &str = r#"{"surface_id":"s","kind":"yesno","title":"Go?"}"#;

fn text(text: &str) -> askgate_text {
    askgate_text::of(text)
}

fn read<'a>(text: askgate_text) -> Option<&'a str> {
    (!text.data.is_null())
        .then(|| str::from_utf8(unsafe { slice::from_raw_parts(text.data.cast(), text.len) }).unwrap())
}

fn out<T>(call: impl FnOnce(*mut T) -> askgate_result) -> T {
    let mut value = MaybeUninit::uninit();
    assert_eq!(call(value.as_mut_ptr()), ASKGATE_OK);
    unsafe { value.assume_init() }
}

fn gate() -> *mut askgate_gate {
    out(|to| unsafe { askgate_gate_new(ASKGATE_ABI_VERSION, ptr::null(), to) })
}

fn ask(gate: *mut askgate_gate, request: &str) -> (askgate_result, u64) {
    let mut ask: askgate_ask = unsafe { zeroed() };
    ask.dialect = ASKGATE_DIALECT_AGENT;
    ask.request = text(request);
    let mut prompt = 0;
    (unsafe { askgate_gate_ask(gate, 0, &ask, &mut prompt) }, prompt)
}

fn resolve(gate: *mut askgate_gate, prompt: u64, value: &str) -> askgate_result {
    let mut claim: askgate_claim = unsafe { zeroed() };
    claim.kind = ASKGATE_CLAIM_REQUEST;
    claim.prompt = prompt;
    let resolution = askgate_resolution { kind: ASKGATE_RESOLVE_VALUE, text: text(value) };
    unsafe { askgate_gate_resolve(gate, 0, &claim, &resolution, ptr::null_mut()) }
}

fn free(gate: *mut askgate_gate) {
    assert_eq!(unsafe { askgate_gate_free(gate) }, ASKGATE_OK);
}

#[test]
fn a_prompt_is_asked_answered_and_reported() {
    let gate = gate();
    let (asked, prompt) = ask(gate, ASK);
    assert_eq!((asked, prompt), (ASKGATE_OK, 1));
    let about = out(|to| unsafe { askgate_gate_prompt(gate, prompt, to) });
    assert_eq!(read(about.surface), Some("s"));
    assert_eq!(read(about.agent), None);
    assert_eq!(resolve(gate, prompt, "maybe"), ASKGATE_REFUSED_INVALID_ANSWER);
    let error = out(|to| unsafe { askgate_gate_error(gate, to) });
    assert_eq!((read(error.code), read(error.path)), (Some("invalid_answer"), Some("/value")));
    assert_eq!(resolve(gate, prompt, "yes"), ASKGATE_OK);
    let shown = out(|to| unsafe { askgate_gate_poll(gate, 0, to) });
    assert_eq!((shown.kind, shown.seq, shown.prompt), (ASKGATE_EVENT_SHOWN, 1, 1));
    let resolved = out(|to| unsafe { askgate_gate_poll(gate, 0, to) });
    assert_eq!((resolved.kind, resolved.outcome), (ASKGATE_EVENT_RESOLVED, ASKGATE_OUTCOME_ANSWERED));
    assert_eq!(read(resolved.answer), Some("yes"));
    let wait = out(|to| unsafe { askgate_gate_poll(gate, 0, to) });
    assert_eq!(wait.kind, ASKGATE_EVENT_WAIT);
    free(gate);
}

#[test]
fn a_refused_ask_has_a_code_a_path_and_a_tool_result() {
    let gate = gate();
    let (asked, _) = ask(gate, r#"{"surface_id":"s","kind":"yesno","titel":"Go?"}"#);
    assert_eq!(asked, ASKGATE_REFUSED_UNKNOWN_FIELD);
    let error = out(|to| unsafe { askgate_gate_error(gate, to) });
    assert_eq!((read(error.path), read(error.tool_result)), (Some("/titel"), None));
    let mut session: askgate_ask = unsafe { zeroed() };
    session.dialect = ASKGATE_DIALECT_SESSION;
    session.session = text("s");
    session.run = text("r");
    session.request = text(r#"{"questions":[{"id":"q","question":"Why?","options":[]}]}"#);
    let mut prompt = 7;
    let asked = unsafe { askgate_gate_ask(gate, 0, &session, &mut prompt) };
    assert_eq!((asked, prompt), (ASKGATE_REFUSED_UNAVAILABLE, 7));
    let error = out(|to| unsafe { askgate_gate_error(gate, to) });
    assert!(read(error.tool_result).unwrap().contains(r#""status":"unavailable""#));
    free(gate);
}

#[test]
fn what_is_borrowed_may_be_given_to_the_call_that_ends_it() {
    let gate = gate();
    let (_, prompt) = ask(gate, ASK);
    let about = out(|to| unsafe { askgate_gate_prompt(gate, prompt, to) });
    let ended = out(|to| unsafe { askgate_gate_close_surface(gate, 0, about.surface, to) });
    assert_eq!(ended, 1);
    let bad = askgate_text { data: b"\xff".as_ptr().cast(), len: 1 };
    assert_eq!(unsafe { askgate_gate_bind(gate, 0, bad, 1) }, ASKGATE_ERROR_UTF8);
    let error = out(|to| unsafe { askgate_gate_error(gate, to) });
    assert_eq!(unsafe { askgate_gate_bind(gate, 0, error.message, 1) }, ASKGATE_OK);
    free(gate);
}

#[test]
fn text_that_is_not_utf8_is_refused_with_the_offset() {
    let gate = gate();
    let bad = askgate_text { data: b"ab\xffc".as_ptr().cast(), len: 4 };
    assert_eq!(unsafe { askgate_gate_bind(gate, 0, bad, 1) }, ASKGATE_ERROR_UTF8);
    assert_eq!(out(|to| unsafe { askgate_gate_error(gate, to) }).offset, 2);
    free(gate);
}

#[test]
fn the_interface_is_checked() {
    let mut gate = ptr::null_mut();
    unsafe {
        assert_eq!(
            askgate_gate_new(ASKGATE_ABI_VERSION + 1, ptr::null(), &mut gate),
            ASKGATE_ERROR_LIBRARY_OLDER
        );
        assert_eq!(
            askgate_gate_new(ASKGATE_ABI_VERSION_MIN - 1, ptr::null(), &mut gate),
            ASKGATE_ERROR_HEADER_OLDER
        );
    }
    assert!(gate.is_null());
}

#[test]
fn a_panic_poisons_the_handle() {
    let gate = gate();
    assert_eq!(unsafe { guard::change(gate, (), |_, _| panic!("injected")) }, ASKGATE_ERROR_PANIC);
    assert_eq!(ask(gate, ASK).0, ASKGATE_ERROR_POISONED);
    let mut error = MaybeUninit::uninit();
    assert_eq!(unsafe { askgate_gate_error(gate, error.as_mut_ptr()) }, ASKGATE_ERROR_POISONED);
    free(gate);
}

#[test]
fn a_call_within_a_call_is_refused() {
    let gate = gate();
    let outer = unsafe {
        guard::look(gate, (), |_| {
            assert_eq!(ask(gate, ASK).0, ASKGATE_ERROR_IN_USE);
            assert_eq!(askgate_gate_free(gate), ASKGATE_ERROR_IN_USE);
            Ok(())
        })
    };
    assert_eq!(outer, ASKGATE_OK);
    free(gate);
}

#[test]
fn a_router_is_refused_while_its_gate_is_in_use_and_works_after() {
    let gate = gate();
    let router: *mut askgate_router = out(|to| unsafe {
        askgate_router_new(ASKGATE_ABI_VERSION, ASKGATE_PLATFORM_TELEGRAM, text("42"), [7; 32].as_ptr(), to)
    });
    let lose = || unsafe { askgate_router_lose_chat(router, gate, 0, text("-100"), ptr::null_mut()) };
    let outer = unsafe {
        guard::look(gate, (), |_| {
            assert_eq!(lose(), ASKGATE_ERROR_IN_USE);
            Ok(())
        })
    };
    assert_eq!(outer, ASKGATE_OK);
    let error = out(|to| unsafe { askgate_router_error(router, to) });
    assert_eq!(read(error.code), Some("in_use"));
    assert_eq!(lose(), ASKGATE_OK);
    assert_eq!(unsafe { askgate_router_free(router) }, ASKGATE_OK);
    free(gate);
}

#[test]
fn two_threads_on_one_handle_get_a_code_and_no_race() {
    struct Shared(*mut askgate_gate);
    unsafe impl Sync for Shared {}
    impl Shared {
        fn ask(&self) -> askgate_result {
            ask(self.0, ASK).0
        }
    }
    let rounds = if cfg!(miri) { 20 } else { 2_000 };
    let shared = Shared(gate());
    let work = || {
        let results: Vec<_> = (0..rounds).map(|_| shared.ask()).collect();
        let known = [ASKGATE_OK, ASKGATE_ERROR_IN_USE, ASKGATE_REFUSED_AT_CAPACITY];
        assert!(results.iter().all(|result| known.contains(result)));
        results.iter().filter(|result| **result == ASKGATE_OK).count()
    };
    let accepted = thread::scope(|scope| {
        let other = scope.spawn(work);
        work() + other.join().unwrap()
    });
    let pending = out(|to| unsafe { askgate_gate_pending(shared.0, to) });
    assert_eq!(pending.len, accepted);
    free(shared.0);
}

#[test]
fn a_handle_moves_between_threads() {
    fn is_send<T: Send>() {}
    is_send::<askgate_core::gate::Gate>();
    is_send::<askgate_core::chat::Router>();
    is_send::<askgate_core::endpoint::Endpoint>();
    is_send::<askgate_core::modal::Modal>();
    is_send::<askgate_core::dialect::typed::PageMirror>();
}

#[test]
fn lines_go_through_an_endpoint() {
    let endpoint: *mut askgate_endpoint =
        out(|to| unsafe { askgate_endpoint_new(ASKGATE_ABI_VERSION, ptr::null(), to) });
    let agent = out(|to| unsafe { askgate_endpoint_connect(endpoint, 0, 0, to) });
    let page = out(|to| unsafe { askgate_endpoint_connect(endpoint, 0, ASKGATE_AUTHORITY_OBSERVER, to) });
    let line = format!(r#"{{"id":1,"method":"agent.ask_user","params":{ASK}}}"#);
    assert_eq!(unsafe { askgate_endpoint_receive(endpoint, 0, agent, text(&line)) }, ASKGATE_OK);
    assert_eq!(unsafe { askgate_endpoint_receive(endpoint, 0, 99, text(&line)) }, ASKGATE_UNKNOWN_CONNECTION);
    let output = out(|to| unsafe { askgate_endpoint_poll(endpoint, 0, to) });
    assert_eq!((output.kind, output.connection), (ASKGATE_OUTPUT_SEND, page));
    assert!(read(output.line).unwrap().starts_with(r#"{"method":"askUserEvent""#));
    assert_eq!(unsafe { askgate_endpoint_free(endpoint) }, ASKGATE_OK);
}

#[test]
fn a_mirror_follows_and_a_modal_answers() {
    let mirror: *mut askgate_mirror = out(|to| unsafe { askgate_mirror_new(ASKGATE_ABI_VERSION, to) });
    let shown = r#"{"kind":"shown","seq":1,"request":{"request_id":"req:1","surface_id":"s","kind":"text","title":"Why?","created_at":0}}"#;
    assert_eq!(unsafe { askgate_mirror_apply(mirror, text(shown)) }, ASKGATE_OK);
    let (mut has, mut prompt, mut request) = (false, 0, askgate_text::ABSENT);
    let head = unsafe { askgate_mirror_head(mirror, text("s"), &mut has, &mut prompt, &mut request) };
    assert_eq!((head, has, prompt), (ASKGATE_OK, true, 1));

    let modal: *mut askgate_modal =
        out(|to| unsafe { askgate_modal_new(ASKGATE_ABI_VERSION, 0, request, ptr::null(), to) });
    assert_eq!(unsafe { askgate_mirror_free(mirror) }, ASKGATE_OK);
    let typed = out(|to| unsafe { askgate_modal_key(modal, 500, ASKGATE_KEY_CHAR, 'é'.into(), 0, to) });
    assert_eq!(typed.kind, ASKGATE_EFFECT_REDRAW);
    let view = out(|to| unsafe { askgate_modal_view(modal, to) });
    assert_eq!((read(view.title), read(view.text_value)), (Some("Why?"), Some("é")));
    let controls = unsafe { slice::from_raw_parts(view.controls, view.control_count) };
    assert!(controls.iter().any(|control| read(control.id) == Some("cancel")));
    let sent = out(|to| unsafe { askgate_modal_key(modal, 1_000, ASKGATE_KEY_ENTER, 0, 0, to) });
    assert_eq!((sent.kind, read(sent.answer)), (ASKGATE_EFFECT_SUBMIT, Some("é")));
    assert_eq!(unsafe { askgate_modal_free(modal) }, ASKGATE_OK);
}

#[test]
fn every_result_has_a_name() {
    for result in (0..=9).chain(20..=25).chain(100..=121) {
        let name = read(crate::plain::askgate_result_name(result)).unwrap();
        assert!(!name.is_empty(), "{result}");
    }
    assert_eq!(read(crate::plain::askgate_result_name(-1)), Some(""));
}
