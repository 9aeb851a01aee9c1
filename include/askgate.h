/* askgate 0.1.0: ask a person a structured question, and get exactly one honest end.
 *
 * A program needs an answer from a person: yes or no, one of a list, a text, leave to run a command, or a form of up to
 * eight questions. The person answers on a surface: a terminal, a webview, an editor, a chat. Each prompt ends exactly
 * once: answered, declined, cancelled, timed out, unavailable, or invalid. Nothing but what the person chose or typed is
 * ever an answer.
 *
 * The library has no I/O, no clock, no thread and no callback: you give it time and input, and poll what there is to do.
 *
 *     askgate_endpoint   the protocol server: lines of JSON in, lines of JSON out, any number of connections
 *     askgate_gate       the engine behind it, with typed calls, for a host that has its own wire
 *     askgate_router     the prompts of a gate in chats of Telegram or Discord
 *     askgate_modal      what one person sees and does: keys in, a view and the answer out
 *     askgate_mirror     a page's copy of what is pending
 *
 * AN EXAMPLE
 *
 * A whole host. Compile it with: cc host.c $(pkg-config --cflags --libs askgate)
 *
 * #include <askgate.h>
 * #include <stdio.h>
 *
 * int main(void) {
 *     askgate_gate *gate = NULL;
 *     if (askgate_gate_new(ASKGATE_ABI_VERSION, NULL, &gate) != ASKGATE_OK) return 1;
 *
 *     askgate_ask ask = {0};
 *     ask.dialect = ASKGATE_DIALECT_AGENT;
 *     ask.request = askgate_str("{\"surface_id\":\"tty\",\"kind\":\"yesno\",\"title\":\"Deploy?\"}");
 *     askgate_claim claim = {0};
 *     claim.kind = ASKGATE_CLAIM_REQUEST;
 *     if (askgate_gate_ask(gate, 0, &ask, &claim.prompt) != ASKGATE_OK) return 1;
 *
 *     char line[16] = "";
 *     printf("Deploy? (yes or no) ");
 *     askgate_resolution answer = {ASKGATE_RESOLVE_CANCEL, {NULL, 0}};
 *     if (scanf("%15s", line) == 1) answer.kind = ASKGATE_RESOLVE_VALUE, answer.text = askgate_str(line);
 *     if (askgate_gate_resolve(gate, 0, &claim, &answer, NULL) != ASKGATE_OK) puts("That is no answer.");
 *
 *     askgate_event event;
 *     while (askgate_gate_poll(gate, 0, &event) == ASKGATE_OK && event.kind != ASKGATE_EVENT_WAIT)
 *         if (event.kind == ASKGATE_EVENT_RESOLVED) printf("%.*s\n", ASKGATE_PRINT(event.json));
 *     askgate_gate_free(gate);
 *     return 0;
 * }
 *
 * RULES
 *
 * Handles. `askgate_x_new` gives one, `askgate_x_free` takes it, once; NULL is fine. Any other pointer to a handle must be
 * one that was given and not yet taken.
 *
 * Results. Every call that can fail returns an `askgate_result`. Anything but `ASKGATE_OK` means that the call did nothing and
 * wrote nothing, unless it says otherwise; `askgate_x_error` says more. Numbers never change their meaning.
 *
 * Text in. A pointer and a length, UTF-8, any character allowed, NUL too, read during the call and never kept.
 * `askgate_str("...")` makes one of a C string.
 *
 * Borrowed text. Text and arrays that a call writes belong to the handle. They are valid until the next call that takes the
 * same handle without `const`, `askgate_x_free` included. That call itself may be given them, but for the `line` of an
 * output; copy what you need for longer. They end in no NUL: print them by `printf("%.*s", ASKGATE_PRINT(text))`.
 *
 * Pointers for results must point to memory of that type, which need not be initialised. Pointers to structs are read
 * during the call. Struct members that a kind does not need are not read, so set a struct to zero before you fill it.
 *
 * Time. `now` is milliseconds from any origin of yours, the same for all calls on a handle. A value lower than one given
 * before counts as the highest given. At `now == deadline` a deadline has passed. Every call that takes `now` first ends the
 * prompts that are due, so nothing depends on a timely poll.
 *
 * Threads. A handle may move between threads, and different handles may be used at once. One handle is used by one thread at
 * a time: a second call meanwhile gives `ASKGATE_ERROR_IN_USE` and does nothing.
 *
 * Faults. If the library itself is at fault, the call gives `ASKGATE_ERROR_PANIC` and the handle `ASKGATE_ERROR_POISONED` from
 * then on; nothing unwinds into the caller. Where memory runs out, the process ends.
 *
 * Interfaces. This header is for C99, C11, C17 and C++11 or later. It may be older than the library, down to the library's
 * `ASKGATE_ABI_VERSION_MIN`, never newer: `askgate_x_new` checks it.
 */

#ifndef ASKGATE_H
#define ASKGATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The version that this header came with. */
#define ASKGATE_VERSION "0.1.0"

/* ============================================================================================== *
 * Interfaces
 * ============================================================================================== */

/* The interface that this header describes. Give it to every `askgate_..._new`. */
#define ASKGATE_ABI_VERSION 1

/* The oldest interface that this version of the library still serves. */
#define ASKGATE_ABI_VERSION_MIN 1

/* ============================================================================================== *
 * Results
 * ============================================================================================== */

/* It is done. */
#define ASKGATE_OK 0

/* Misuse: a pointer is NULL that must not be. */
#define ASKGATE_ERROR_NULL 1

/* Misuse: a text is not UTF-8. `askgate_..._error` tells the offset of the first byte at fault. */
#define ASKGATE_ERROR_UTF8 2

/* Misuse: a length that no object in memory has (over `PTRDIFF_MAX`). */
#define ASKGATE_ERROR_LENGTH 3

/* Misuse: a number that is none of those listed for its parameter. */
#define ASKGATE_ERROR_ENUM 4

/* The program was compiled for a newer interface than the library has: update the library. */
#define ASKGATE_ERROR_LIBRARY_OLDER 5

/* The program was compiled for an interface that the library no longer serves: compile it with the library's header. */
#define ASKGATE_ERROR_HEADER_OLDER 6

/* Misuse: another call on this handle is running, in another thread. */
#define ASKGATE_ERROR_IN_USE 7

/* An earlier call on this handle gave `ASKGATE_ERROR_PANIC`: all that is left is to free it. */
#define ASKGATE_ERROR_POISONED 8

/* A fault in the library. The handle is poisoned from now on. */
#define ASKGATE_ERROR_PANIC 9

/* The buffer given is too small; the length that is needed was written. */
#define ASKGATE_TOO_SMALL 20

/* Too many outputs wait: poll them, then give the same line again. */
#define ASKGATE_FULL 21

/* No connection of that number is open. */
#define ASKGATE_UNKNOWN_CONNECTION 22

/* No pane is being opened under that number, or none has that agent. */
#define ASKGATE_UNKNOWN_PANE 23

/* Another pane has that agent or surface. */
#define ASKGATE_PANE_IN_USE 24

/* The handle names another prompt that is shown in chats. */
#define ASKGATE_HANDLE_IN_USE 25

/* Refused for a reason that has no number of its own; its name is in `askgate_error.code`. */
#define ASKGATE_REFUSED 100

/* `parse_error`: the text is not JSON. */
#define ASKGATE_REFUSED_PARSE_ERROR 101

/* `invalid_request`: the text is not what it must be. */
#define ASKGATE_REFUSED_INVALID_REQUEST 102

/* `unknown_method`: no method has that name. */
#define ASKGATE_REFUSED_UNKNOWN_METHOD 103

/* `unknown_field`: a field that is not known. */
#define ASKGATE_REFUSED_UNKNOWN_FIELD 104

/* `missing_field`: a required field is absent. */
#define ASKGATE_REFUSED_MISSING_FIELD 105

/* `wrong_type`: a value of another JSON type. */
#define ASKGATE_REFUSED_WRONG_TYPE 106

/* `invalid_value`: the right type with a wrong value. */
#define ASKGATE_REFUSED_INVALID_VALUE 107

/* `duplicate_key`: an object names a key twice. */
#define ASKGATE_REFUSED_DUPLICATE_KEY 108

/* `duplicate`: two things that must differ are equal. */
#define ASKGATE_REFUSED_DUPLICATE 109

/* `too_long`: a text over its limit. */
#define ASKGATE_REFUSED_TOO_LONG 110

/* `too_many`: a list over its limit. */
#define ASKGATE_REFUSED_TOO_MANY 111

/* `forbidden`: the authority for the call is missing. */
#define ASKGATE_REFUSED_FORBIDDEN 112

/* `not_found`: no such prompt, or the claim does not match it; `askgate_error.field` names the first field that differs. */
#define ASKGATE_REFUSED_NOT_FOUND 113

/* `already_resolved`: the prompt has ended; `askgate_error.outcome` says how. */
#define ASKGATE_REFUSED_ALREADY_RESOLVED 114

/* `busy`: the session has a pending prompt. */
#define ASKGATE_REFUSED_BUSY 115

/* `at_capacity`: as many as the limits allow. */
#define ASKGATE_REFUSED_AT_CAPACITY 116

/* `unavailable`: nobody can be asked. */
#define ASKGATE_REFUSED_UNAVAILABLE 117

/* `not_acknowledged`: a command must be acknowledged by the same claimant before it may run. */
#define ASKGATE_REFUSED_NOT_ACKNOWLEDGED 118

/* `invalid_answer`: the answer does not fit; `askgate_error.path` says where. */
#define ASKGATE_REFUSED_INVALID_ANSWER 119

/* `id_in_use`: the id of a message still waits. */
#define ASKGATE_REFUSED_ID_IN_USE 120

/* `pane_failed`: the host could not open the pane. */
#define ASKGATE_REFUSED_PANE_FAILED 121

/* ============================================================================================== *
 * Dialects
 * ============================================================================================== */

/* Dialect A: one question, shown on a surface, answered by one value. */
#define ASKGATE_DIALECT_AGENT 1

/* Dialect B: a form of 1 to 8 questions, asked for a run of a session. */
#define ASKGATE_DIALECT_SESSION 2

/* ============================================================================================== *
 * Outcomes: how a prompt ended
 * ============================================================================================== */

/* No outcome. */
#define ASKGATE_OUTCOME_NONE 0

/* `answered`: the person answered. */
#define ASKGATE_OUTCOME_ANSWERED 1

/* `declined`: the person said no to being asked. */
#define ASKGATE_OUTCOME_DECLINED 2

/* `cancelled`: it was dismissed, or whoever asked no longer wants it. */
#define ASKGATE_OUTCOME_CANCELLED 3

/* `timed_out`: its deadline passed. */
#define ASKGATE_OUTCOME_TIMED_OUT 4

/* `unavailable`: its surface was lost. */
#define ASKGATE_OUTCOME_UNAVAILABLE 5

/* `invalid_answer`: a surface that can answer only once sent what is no answer. */
#define ASKGATE_OUTCOME_INVALID_ANSWER 6

/* ============================================================================================== *
 * Protocols of elicitation clients
 * ============================================================================================== */

/* The Agent Client Protocol, version 1. */
#define ASKGATE_PROTOCOL_ACP 1

/* The Model Context Protocol as of 2025-11-25. */
#define ASKGATE_PROTOCOL_MCP_2025_11_25 2

/* The Model Context Protocol as of 2026-07-28. */
#define ASKGATE_PROTOCOL_MCP_2026_07_28 3

/* ============================================================================================== *
 * Kinds of text, for askgate_display_safe
 * ============================================================================================== */

/* Text of one line, such as a title or a label. */
#define ASKGATE_TEXT_LINE 1

/* Text that may have several lines. */
#define ASKGATE_TEXT_BODY 2

/* A command, in which every invisible character is shown. */
#define ASKGATE_TEXT_COMMAND 3

/* ============================================================================================== *
 * Units, for askgate_cut
 * ============================================================================================== */

/* Grapheme clusters: what a person takes for characters. */
#define ASKGATE_UNIT_GRAPHEMES 1

/* Unicode scalar values. */
#define ASKGATE_UNIT_SCALARS 2

/* UTF-16 code units. */
#define ASKGATE_UNIT_UTF16 3

/* Bytes of UTF-8. */
#define ASKGATE_UNIT_BYTES 4

/* ============================================================================================== *
 * Kinds of claims
 * ============================================================================================== */

/* A claim on a prompt of dialect A: `prompt`, and of the claimant what is known: `connection`, `surface`, `user`. */
#define ASKGATE_CLAIM_REQUEST 1

/* A claim on a prompt of dialect B on a live connection: `prompt`, `session`, `run` and `connection`, all equal. */
#define ASKGATE_CLAIM_SESSION 2

/* A claim on a prompt of dialect B in a chat: `prompt`, `session`, `run` and `address`, all equal. */
#define ASKGATE_CLAIM_CHAT 3

/* ============================================================================================== *
 * Kinds of resolutions
 * ============================================================================================== */

/* The answer to a prompt of dialect A: `text` is `yes` or `no`, a choice's id, the text, or `run`. */
#define ASKGATE_RESOLVE_VALUE 1

/* The answers to a prompt of dialect B: `text` is JSON, `[{"id", "selected"?: [labels], "custom"?}]`. */
#define ASKGATE_RESOLVE_ANSWERS 2

/* The person says no to being asked; `text` is not read. */
#define ASKGATE_RESOLVE_DECLINE 3

/* The prompt is dismissed; `text` is the reason, or absent. */
#define ASKGATE_RESOLVE_CANCEL 4

/* ============================================================================================== *
 * What a form over ACP is about
 * ============================================================================================== */

/* A session, and perhaps a tool call in it: `session_id` and `tool_call_id`. */
#define ASKGATE_SCOPE_SESSION 1

/* A request of the client's with an id that is a string: `request_id`. */
#define ASKGATE_SCOPE_REQUEST 2

/* A request of the client's with an id that is a number: `request_number`. */
#define ASKGATE_SCOPE_REQUEST_NUMBER 3

/* ============================================================================================== *
 * Where a prompt is shown
 * ============================================================================================== */

/* It is shown on no connection that the gate knows: a prompt of dialect A. */
#define ASKGATE_TARGET_SURFACE 1

/* It is shown on a live connection that was bound to the session. */
#define ASKGATE_TARGET_CONNECTION 2

/* It is shown by the run's own elicitation client, which can answer only once. */
#define ASKGATE_TARGET_CLIENT 3

/* It is shown in a chat. */
#define ASKGATE_TARGET_CHAT 4

/* ============================================================================================== *
 * Events of a gate
 * ============================================================================================== */

/* Nothing more: call again at `deadline` at the latest, if `has_deadline`, or after another call. */
#define ASKGATE_EVENT_WAIT 0

/* A prompt waits for an answer: `askgate_gate_prompt` tells what to show, and where. */
#define ASKGATE_EVENT_SHOWN 1

/* A prompt has ended. */
#define ASKGATE_EVENT_RESOLVED 2

/* Whether somebody can be asked has changed, for `session`, or for one `run` of it with a client of its own. */
#define ASKGATE_EVENT_AVAILABILITY 3

/* ============================================================================================== *
 * Chat platforms
 * ============================================================================================== */

/* The Telegram Bot API. */
#define ASKGATE_PLATFORM_TELEGRAM 1

/* Discord's HTTP API and gateway. */
#define ASKGATE_PLATFORM_DISCORD 2

/* ============================================================================================== *
 * What a router made of an update
 * ============================================================================================== */

/* A press was taken. */
#define ASKGATE_HANDLED_TAKEN 1

/* A press came after its question, its prompt or its key was over, or its token was never made here. */
#define ASKGATE_HANDLED_EXPIRED 2

/* A press by somebody else. */
#define ASKGATE_HANDLED_NOT_FOR_YOU 3

/* A press that does nothing now; `reason` says why. */
#define ASKGATE_HANDLED_REFUSED 4

/* A press or a message that was delivered before; it has no effect at all. */
#define ASKGATE_HANDLED_DUPLICATE 5

/* A message was taken, and must not start a run. */
#define ASKGATE_HANDLED_CAPTURED 6

/* A message is no answer, though a question waits for one; it must not start a run. The sender is told `reason`. */
#define ASKGATE_HANDLED_HINT 7

/* A message has nothing to do with a question: the one kind that may start a run. */
#define ASKGATE_HANDLED_NOT_CAPTURED 8

/* A chat was lost, as by `askgate_router_lose_chat`. */
#define ASKGATE_HANDLED_LOST 9

/* The update is none of a router's business. */
#define ASKGATE_HANDLED_IGNORED 10

/* ============================================================================================== *
 * What a router wants done
 * ============================================================================================== */

/* Nothing more: poll again at `deadline` at the latest, if `has_deadline`, or after another call. */
#define ASKGATE_CHAT_WAIT 0

/* Tell the platform that a press was taken or refused: exactly one for each press, before all else that it caused. */
#define ASKGATE_CHAT_ACKNOWLEDGE 1

/* Send a message. It must be reported. */
#define ASKGATE_CHAT_SEND 2

/* Edit a message. It must be reported. */
#define ASKGATE_CHAT_EDIT 3

/* Tell one person something. It may fail without harm. */
#define ASKGATE_CHAT_NOTICE 4

/* ============================================================================================== *
 * What an answer of the platform says
 * ============================================================================================== */

/* It was carried out. */
#define ASKGATE_REPORT_DONE 0

/* Nothing was left to do: the message already shows it, or the press can no longer be acknowledged. */
#define ASKGATE_REPORT_BENIGN 1

/* The router tries it again after a while, `after_ms` if the platform says so. */
#define ASKGATE_REPORT_RETRY 2

/* The message is no longer there. */
#define ASKGATE_REPORT_GONE 3

/* The chat takes nothing from the bot any more; the router acts as by `askgate_router_lose_chat`. */
#define ASKGATE_REPORT_LOST 4

/* The platform will never take it. */
#define ASKGATE_REPORT_REJECTED 5

/* ============================================================================================== *
 * What a connection may do
 * ============================================================================================== */

/* The connection gets dialect A's pushes, and dialect B's too if it is also an operator. */
#define ASKGATE_AUTHORITY_OBSERVER 1

/* The connection may answer and cancel dialect A's prompts. */
#define ASKGATE_AUTHORITY_ANSWER 2

/* The connection may bind sessions and resolve dialect B's prompts. */
#define ASKGATE_AUTHORITY_OPERATOR 4

/* The connection may ask for runs of dialect B, and end them. */
#define ASKGATE_AUTHORITY_RUNTIME 8

/* ============================================================================================== *
 * Outputs of an endpoint
 * ============================================================================================== */

/* Nothing more: call again at `deadline` at the latest, if `has_deadline`, or after another call. */
#define ASKGATE_OUTPUT_WAIT 0

/* Send `line` to `connection`; the line end is yours to add. If the connection is gone, there is nothing to do. */
#define ASKGATE_OUTPUT_SEND 1

/* Open a pane at `placement`, then report it under `request` by `askgate_endpoint_pane_opened` or `..._pane_failed`. */
#define ASKGATE_OUTPUT_OPEN_PANE 2

/* Close the pane of `agent`, then report it by `askgate_endpoint_pane_closed`. */
#define ASKGATE_OUTPUT_CLOSE_PANE 3

/* Whether somebody can be asked has changed, for `session`, or for one `run` of it with a client of its own. */
#define ASKGATE_OUTPUT_AVAILABILITY 4

/* ============================================================================================== *
 * Where a pane goes
 * ============================================================================================== */

/* A workspace of its own. */
#define ASKGATE_PLACEMENT_WORKSPACE 1

/* A split to the right. */
#define ASKGATE_PLACEMENT_RIGHT 2

/* A split below. */
#define ASKGATE_PLACEMENT_DOWN 3

/* ============================================================================================== *
 * Keys
 * ============================================================================================== */

/* A key that makes the character given, as it comes out with Shift and the like applied. */
#define ASKGATE_KEY_CHAR 0

/* Enter or Return. */
#define ASKGATE_KEY_ENTER 1

/* Escape. */
#define ASKGATE_KEY_ESC 2

/* Tab; the back-tab of terminals is Tab with Shift. */
#define ASKGATE_KEY_TAB 3

/* The arrow up. */
#define ASKGATE_KEY_UP 4

/* The arrow down. */
#define ASKGATE_KEY_DOWN 5

/* The arrow to the left. */
#define ASKGATE_KEY_LEFT 6

/* The arrow to the right. */
#define ASKGATE_KEY_RIGHT 7

/* Home. */
#define ASKGATE_KEY_HOME 8

/* End. */
#define ASKGATE_KEY_END 9

/* Page up. */
#define ASKGATE_KEY_PAGE_UP 10

/* Page down. */
#define ASKGATE_KEY_PAGE_DOWN 11

/* The space bar; `ASKGATE_KEY_CHAR` with a space is the same. */
#define ASKGATE_KEY_SPACE 12

/* Backspace. */
#define ASKGATE_KEY_BACKSPACE 13

/* Delete. */
#define ASKGATE_KEY_DELETE 14

/* Control was held. */
#define ASKGATE_MOD_CTRL 1

/* Alt, or Option, was held. */
#define ASKGATE_MOD_ALT 2

/* Shift was held. */
#define ASKGATE_MOD_SHIFT 4

/* Command, Windows or Super was held. */
#define ASKGATE_MOD_META 8

/* The key is held and repeats by itself. */
#define ASKGATE_MOD_REPEAT 16

/* An input method is composing; its text arrives by `askgate_modal_set_text` or `askgate_modal_paste`. */
#define ASKGATE_MOD_COMPOSING 32

/* ============================================================================================== *
 * Effects of a modal
 * ============================================================================================== */

/* Nothing. */
#define ASKGATE_EFFECT_NONE 0

/* Draw the view again. So it is after each of the effects below. */
#define ASKGATE_EFFECT_REDRAW 1

/* Send the answer. */
#define ASKGATE_EFFECT_SUBMIT 2

/* Send that the form is declined (dialect B). */
#define ASKGATE_EFFECT_DECLINE 3

/* Send that the prompt is cancelled (dialect A). */
#define ASKGATE_EFFECT_CANCEL 4

/* Send that the command is acknowledged. */
#define ASKGATE_EFFECT_ACKNOWLEDGE 5

/* Send that the acknowledgement is undone. */
#define ASKGATE_EFFECT_BACK 6

/* ============================================================================================== *
 * Parts of a view
 * ============================================================================================== */

/* The person works on it. */
#define ASKGATE_PHASE_EDITING 1

/* Something was sent and is not confirmed yet. */
#define ASKGATE_PHASE_SENT 2

/* The prompt has ended. */
#define ASKGATE_PHASE_CLOSED 3

/* The control acts when pressed. */
#define ASKGATE_ROLE_BUTTON 1

/* The control is one of a list, of which one is selected. */
#define ASKGATE_ROLE_RADIO 2

/* The control is one of a list, of which several may be selected. */
#define ASKGATE_ROLE_CHECKBOX 3

/* The control is the text field. */
#define ASKGATE_ROLE_TEXTBOX 4

/* The protocol server without its I/O. Made by `askgate_endpoint_new`. */
typedef struct askgate_endpoint askgate_endpoint;

/* The engine: it holds prompts and lets each end exactly once. Made by `askgate_gate_new`. */
typedef struct askgate_gate askgate_gate;

/* A copy of what is pending, kept from pushes and snapshots. Made by `askgate_mirror_new`. */
typedef struct askgate_mirror askgate_mirror;

/* One prompt on one surface. Made by `askgate_modal_new`. */
typedef struct askgate_modal askgate_modal;

/* Shows prompts of a gate in the chats of one bot account. Made by `askgate_router_new`. */
typedef struct askgate_router askgate_router;

/* UTF-8 text with its length in bytes. It may hold any character, NUL too, and need not end in one.
 *
 * Given to a call, it is read during the call and never kept; `data` of NULL with `len` of 0 is an absent text, which
 * only optional parameters may be. Got from a call, it is borrowed from the handle: see "Borrowed text" above. An absent
 * text is `{NULL, 0}` then too; an empty one has a `data`. */
typedef struct askgate_text {
    /* The first byte, or NULL for an absent text. */
    const char *data;
    /* How many bytes. */
    size_t len;
} askgate_text;

/* What a call came to: `ASKGATE_OK`, or why it did nothing.
 *
 * Whatever is not `ASKGATE_OK` changed nothing and wrote to none of the pointers given for results, except where a call
 * says otherwise. Time counts all the same: a call that was refused may have ended the prompts that were due. */
typedef int32_t askgate_result;

/* What a host fixes before it asks anything. Fill it by `askgate_config_init`, then change what you like. */
typedef struct askgate_config {
    /* The first prompt's number. A host that restarts gives one that it never used, so that ids never recur. By
     * default 1. */
    uint64_t first_prompt_id;
    /* What to add to `now` to get milliseconds since 1970-01-01T00:00Z, for `created_at`. By default 0. */
    uint64_t wall_clock_offset;
    /* Bounds to change, as JSON: an object with any of `line_bytes`, `title_bytes`, `body_bytes`, `id_bytes`,
     * `label_bytes`, `description_bytes`, `question_bytes`, `choices`, `answer_bytes`, `reason_bytes`, `pending`,
     * `pending_per_surface`, `connections`, `remembered` and `queued`. Absent by default: the bounds documented. */
    askgate_text limits;
} askgate_config;

/* Why the last call on a handle was refused, in detail. */
typedef struct askgate_error {
    /* The result of the call; `ASKGATE_OK`, with all else absent, if it was not refused. */
    askgate_result result;
    /* The name of the result, such as `invalid_answer`. */
    askgate_text code;
    /* One sentence, in English, that says what to do. */
    askgate_text message;
    /* A JSON pointer (RFC 6901) into the JSON given, to what is at fault; empty for the whole, absent where there was none. */
    askgate_text path;
    /* For a claim that does not match: the first field that differs, one of `kind`, `session`, `run`, `connection`,
     * `platform`, `bot`, `chat`, `thread`, `user`. Never tell it to a peer. */
    askgate_text field;
    /* For a prompt that has ended: how. */
    int32_t outcome;
    /* For a prompt that was cancelled: why, if there is a reason. */
    askgate_text reason;
    /* For text that is not UTF-8: the offset of the first byte at fault. */
    size_t offset;
    /* For an ask of dialect B: what the `ask` tool returns, as JSON. */
    askgate_text tool_result;
} askgate_error;

/* A request for a prompt. Set it to zero first, then fill in what the dialect needs. */
typedef struct askgate_ask {
    /* `ASKGATE_DIALECT_AGENT` or `ASKGATE_DIALECT_SESSION`. */
    int32_t dialect;
    /* What is asked, as JSON. Agent: the params of `agent.ask_user`. Session: an object with `questions` and perhaps
     * `timeout_ms`. */
    askgate_text request;
    /* Session: the session that asks. */
    askgate_text session;
    /* Session: the run that asks. */
    askgate_text run;
    /* 1 if `asker` is given: the connection that waits for the end, so that the prompt ends when it is gone. */
    uint8_t has_asker;
    /* See `has_asker`. */
    uint64_t asker;
} askgate_ask;

/* A place in a chat, and the one person there who may answer. */
typedef struct askgate_address {
    /* The platform, such as `telegram`. */
    askgate_text platform;
    /* The bot account. */
    askgate_text bot;
    /* The chat or channel. */
    askgate_text chat;
    /* The topic or thread; absent where there is none. */
    askgate_text thread;
    /* The person whose message started the run. */
    askgate_text user;
} askgate_address;

/* What a caller brings to act on a prompt. Set it to zero first, then fill in what its kind needs. Nothing in it may come
 * from a peer's message but `prompt`, `session` and `run`: the connection is the one that the message came on. */
typedef struct askgate_claim {
    /* One of `ASKGATE_CLAIM_...`. */
    int32_t kind;
    /* The prompt. */
    uint64_t prompt;
    /* The session that asked. */
    askgate_text session;
    /* The run that asked. */
    askgate_text run;
    /* 1 if `connection` is given. */
    uint8_t has_connection;
    /* The connection that the call came on. */
    uint64_t connection;
    /* The surface that it was made on, or absent. */
    askgate_text surface;
    /* The person who made it, or absent. */
    askgate_text user;
    /* The place in the chat. */
    askgate_address address;
} askgate_claim;

/* What a claimant does to a prompt. */
typedef struct askgate_resolution {
    /* One of `ASKGATE_RESOLVE_...`. */
    int32_t kind;
    /* See the kind. */
    askgate_text text;
} askgate_resolution;

/* What an ACP form is about. Set it to zero first, then fill in what its kind needs. */
typedef struct askgate_scope {
    /* One of `ASKGATE_SCOPE_...`. */
    int32_t kind;
    /* The session. */
    askgate_text session_id;
    /* The tool call in it, or absent. */
    askgate_text tool_call_id;
    /* The id of a request. */
    askgate_text request_id;
    /* The id of a request, where it is a number. */
    int64_t request_number;
} askgate_scope;

/* Something that happened. */
typedef struct askgate_event {
    /* One of `ASKGATE_EVENT_...`. */
    int32_t kind;
    /* Shown and resolved: the event's number, from 1, without gaps. */
    uint64_t seq;
    /* Shown and resolved: the prompt. */
    uint64_t prompt;
    /* Resolved: how it ended, one of `ASKGATE_OUTCOME_...`. */
    int32_t outcome;
    /* Resolved as answered. Agent: the value, as `ASKGATE_RESOLVE_VALUE` takes it. Session: JSON, `[{"id", "selected":
     * [labels], "custom"?}]` in question order. Absent for every other end: there is no answer, and none may be made up. */
    askgate_text answer;
    /* Resolved as cancelled: why, or absent. */
    askgate_text reason;
    /* Resolved, for dialect B: what the `ask` tool returns, as JSON. */
    askgate_text tool_result;
    /* Resolved: whether somebody waits for it. */
    bool has_asker;
    /* Resolved: the connection that does; else 0. */
    uint64_t asker;
    /* Availability, and resolved for dialect B: the session. */
    askgate_text session;
    /* Availability, and resolved for dialect B: the run, or absent. */
    askgate_text run;
    /* Availability: somebody can be asked now. */
    bool available;
    /* Wait: some prompt times out. */
    bool has_deadline;
    /* Wait: when the first does, in milliseconds; else 0. */
    uint64_t deadline;
    /* The event as JSON, for logs and tests: `{"shown": {"seq", "prompt"}}`, `{"resolved": {"seq", "prompt", "outcome",
     * "answers"?, "reason"?}}` or `{"available": [session, run or null], "is"}`. Absent for wait. */
    askgate_text json;
} askgate_event;

/* Numbers of prompts, borrowed from the handle as text is. */
typedef struct askgate_ids {
    /* The first number; not to be read where there is none. */
    const uint64_t *data;
    /* How many. */
    size_t len;
} askgate_ids;

/* A pending prompt. */
typedef struct askgate_prompt {
    /* Its number. */
    uint64_t prompt;
    /* `ASKGATE_DIALECT_AGENT` or `ASKGATE_DIALECT_SESSION`. */
    int32_t dialect;
    /* Where it is shown: one of `ASKGATE_TARGET_...`. */
    int32_t target;
    /* Agent: the surface. */
    askgate_text surface;
    /* Agent: who asks, or absent. */
    askgate_text agent;
    /* Session: the session that asks. */
    askgate_text session;
    /* Session: the run that asks. */
    askgate_text run;
    /* For the targets connection and client: which; else 0. */
    uint64_t connection;
    /* For the target chat: where. */
    askgate_address address;
    /* Somebody waits for the end. */
    bool has_asker;
    /* The connection that does; else 0. */
    uint64_t asker;
    /* It times out. */
    bool has_deadline;
    /* When, in milliseconds; else 0. */
    uint64_t deadline;
    /* When it was asked, in milliseconds since 1970 if `wall_clock_offset` was given. */
    uint64_t created_at;
    /* What to show, as JSON. Agent: the `AskUserRequest`. Session: the params of `session.prompt.requested` without `seq`. */
    askgate_text json;
} askgate_prompt;

/* A chat that a prompt of dialect A is shown in, and who may answer it there. */
typedef struct askgate_audience {
    /* The chat, or Discord's channel. */
    askgate_text chat;
    /* The topic within it; absent where there is none. */
    askgate_text thread;
    /* The users who may answer; the first answer counts. */
    const askgate_text *users;
    /* How many. */
    size_t user_count;
} askgate_audience;

/* What became of an update. */
typedef struct askgate_handled {
    /* One of `ASKGATE_HANDLED_...`. */
    int32_t kind;
    /* Refused and hint: one sentence that says why; else absent. It lives as long as the program. */
    askgate_text reason;
} askgate_handled;

/* How an answer of the platform was understood, for logs: the router has acted on it. */
typedef struct askgate_report {
    /* One of `ASKGATE_REPORT_...`. */
    int32_t kind;
    /* Retry: the platform said how long to wait. */
    bool has_after;
    /* How long, in milliseconds; else 0. */
    uint64_t after_ms;
} askgate_report;

/* One call of the platform's HTTP API. */
typedef struct askgate_chat_effect {
    /* One of `ASKGATE_CHAT_...`. */
    int32_t kind;
    /* For `askgate_router_report`; 0 for wait. */
    uint64_t id;
    /* The HTTP method, such as `POST`. */
    askgate_text method;
    /* What follows the base address: of Telegram the method's name, below `/bot<token>/`; of Discord a path such as
     * `/channels/1/messages`, below the versioned API. */
    askgate_text path;
    /* The JSON body, to be sent as it is. */
    askgate_text body;
    /* Wait: an edit that is held back may go out later. */
    bool has_deadline;
    /* When, in milliseconds; else 0. */
    uint64_t deadline;
} askgate_chat_effect;

/* What the host is to do. */
typedef struct askgate_output {
    /* One of `ASKGATE_OUTPUT_...`. */
    int32_t kind;
    /* Send: to whom. */
    uint64_t connection;
    /* Send: one JSON object, without a line end. */
    askgate_text line;
    /* Open pane: the number to report it by. */
    uint64_t request;
    /* Open pane: one of `ASKGATE_PLACEMENT_...`. */
    int32_t placement;
    /* Close pane: the agent in it. */
    askgate_text agent;
    /* Availability: the session. */
    askgate_text session;
    /* Availability: the run, or absent. */
    askgate_text run;
    /* Availability: somebody can be asked now. */
    bool available;
    /* Wait: some prompt times out. */
    bool has_deadline;
    /* Wait: when the first does, in milliseconds; else 0. */
    uint64_t deadline;
} askgate_output;

/* How a modal behaves on its surface. Fill it by `askgate_modal_options_init`, then change what you like. */
typedef struct askgate_modal_options {
    /* How many rows of the list the surface has room for. By default all. */
    size_t rows;
    /* 1 if `guard_ms` is given. */
    uint8_t has_guard;
    /* How long what could answer does nothing after something new appears, in milliseconds, so that keys and clicks
     * meant for something else do not answer; 0 turns that off. By default 250, and 1,000 for a command. */
    uint64_t guard_ms;
    /* How long to wait for what was sent to be confirmed, in milliseconds, before it can be sent again. By default 5,000. */
    uint64_t confirm_ms;
    /* 1 on a terminal, where Ctrl+C leaves, which is the default; 0 elsewhere, where it is copy. */
    uint8_t terminal;
    /* 1 if `deadline` is given. */
    uint8_t has_deadline;
    /* When the prompt times out, to be shown. By default `now` and the prompt's `timeout_ms`. */
    uint64_t deadline;
    /* The bounds that the prompt was accepted with, if others than the defaults: as in `askgate_config`. */
    askgate_text limits;
} askgate_modal_options;

/* What the host is to do. */
typedef struct askgate_effect {
    /* One of `ASKGATE_EFFECT_...`. */
    int32_t kind;
    /* Submit: the answer, as `ASKGATE_RESOLVE_VALUE` (agent) or `ASKGATE_RESOLVE_ANSWERS` (session) takes it. */
    askgate_text answer;
} askgate_effect;

/* Something that can be focused. */
typedef struct askgate_control {
    /* What `askgate_modal_activate` and `askgate_modal_focus` name it by: `yes`, `no`, `ack`, `run`, `back`, `option:N`,
     * `custom`, `text`, `prev`, `next`, `submit`, `cancel` or `decline`. */
    askgate_text id;
    /* What to write on it. */
    askgate_text label;
    /* What it means, or absent. */
    askgate_text description;
    /* One of `ASKGATE_ROLE_...`. */
    int32_t role;
    /* It can be selected. */
    bool can_check;
    /* It is selected. */
    bool checked;
    /* It has the focus. One control does. */
    bool focused;
    /* It does something. */
    bool enabled;
    /* Show it as what may do damage. */
    bool danger;
    /* The asker recommends it. A mark and nothing more. */
    bool recommended;
    /* The character that activates it outside text entry; 0 for none. */
    uint32_t hotkey;
} askgate_control;

/* What there is to draw. All text is safe to show, but `text_value`, which is the draft as it is. */
typedef struct askgate_view {
    /* Agent: the surface that it belongs to. */
    askgate_text surface;
    /* Agent: who asks, or absent. */
    askgate_text attribution;
    /* It is an `alertdialog` to assistive technology, not a `dialog`. */
    bool is_alert;
    /* One of `ASKGATE_PHASE_...`. */
    int32_t phase;
    /* Which question is shown, from 0. */
    size_t page_index;
    /* How many there are. */
    size_t page_count;
    /* The heading above the question, or absent. */
    askgate_text header;
    /* The title, or the question. */
    askgate_text title;
    /* The text below the title, or absent. */
    askgate_text body;
    /* The command to confirm, or absent. */
    askgate_text command;
    /* The command holds characters that are shown as escapes: warn of them. */
    bool command_has_hidden;
    /* Saying yes is dangerous: show a banner. */
    bool is_unsafe;
    /* The prompt times out. */
    bool has_deadline;
    /* When, in milliseconds; else 0. Call `askgate_modal_close` then. */
    uint64_t deadline;
    /* The guard has ended: buttons do what they say. Dim them while it is false. */
    bool armed;
    /* How the prompt ended: one of `ASKGATE_OUTCOME_...`. */
    int32_t outcome;
    /* The first row of the list to show, from 0: one for each option, then one for `custom`. */
    size_t window_first;
    /* How many rows to show; 0 where there is no list. */
    size_t window_count;
    /* The controls, in the order in which Tab goes round them. */
    const askgate_control *controls;
    /* How many. */
    size_t control_count;
    /* There is a text field. */
    bool has_text;
    /* What is typed in it, raw. */
    askgate_text text_value;
    /* The cursor's place in it, in grapheme clusters. */
    size_t text_cursor;
    /* What was refused: a code, or absent. */
    askgate_text error_code;
    /* One sentence for the person, or absent. */
    askgate_text error_message;
    /* The control that needs attention, or absent. */
    askgate_text error_control;
    /* The keys that would do something now; empty while none would. */
    askgate_text help;
    /* All of this as one JSON object, for a page. */
    askgate_text json;
} askgate_view;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/* ============================================================================================== *
 * Calls without a handle
 * ============================================================================================== */

/* The interface of the library that runs, to be compared with `ASKGATE_ABI_VERSION`. Every `askgate_..._new` compares them
 * itself. */
uint32_t askgate_abi_version(void);

/* The version of the library that runs, such as `"0.1.0"`, ending in NUL. It lives as long as the program. */
const char *askgate_version(void);

/* The name of a result, such as `invalid_answer`; empty for a number that is none. It lives as long as the program. */
askgate_text askgate_result_name(askgate_result result);

/* The name of an outcome, such as `timed_out`; empty for a number that is none. It lives as long as the program. */
askgate_text askgate_outcome_name(int32_t outcome);

/* The definition of the `ask` tool, as JSON, to give to a model while somebody can be asked. It lives as long as the
 * program. */
askgate_text askgate_ask_tool(void);

/* Makes text safe to show: what is invisible or would reorder the line becomes a visible escape such as `\u{202E}`.
 * `mode` is one of `ASKGATE_TEXT_...`. Writes the text into `buffer`, its length in bytes, and whether anything was
 * hidden in it (`has_hidden` may be NULL). `ASKGATE_TOO_SMALL` if `capacity` is too small: then the length needed is
 * written and nothing else. No NUL is added. */
askgate_result askgate_display_safe(askgate_text text,
                                    int32_t mode,
                                    char *buffer,
                                    size_t capacity,
                                    size_t *length,
                                    bool *has_hidden);

/* Cuts text to at most `limit` units, one of `ASKGATE_UNIT_...`, on a grapheme, with `…` at the end if anything was cut.
 * Writes as `askgate_display_safe` does. */
askgate_result askgate_cut(askgate_text text,
                           int32_t unit,
                           size_t limit,
                           char *buffer,
                           size_t capacity,
                           size_t *length);

/* Fills a configuration with the defaults. */
askgate_result askgate_config_init(askgate_config *config);

/* ============================================================================================== *
 * The gate: making it
 * ============================================================================================== */

/* Makes a gate. `abi` is `ASKGATE_ABI_VERSION`; `config` may be NULL for the defaults. Writes the gate, which is the
 * caller's to free. */
askgate_result askgate_gate_new(uint32_t abi,
                                const askgate_config *config,
                                askgate_gate **gate);

/* Frees a gate, with all that was borrowed from it. NULL is fine. `ASKGATE_ERROR_IN_USE`, and nothing is freed, while a
 * call on it runs in another thread. */
askgate_result askgate_gate_free(askgate_gate *gate);

/* Tells why the last call that takes the gate without `const` was refused. */
askgate_result askgate_gate_error(const askgate_gate *gate, askgate_error *error);

/* ============================================================================================== *
 * The gate: asking
 * ============================================================================================== */

/* Accepts a prompt and writes its number, from which its wire id is made: `req:N` (agent) or `prompt:N` (session). The
 * event `ASKGATE_EVENT_SHOWN` follows. Refused with the code of the first fault in the request, or with `busy`,
 * `unavailable` or `at_capacity`; then nothing was created. */
askgate_result askgate_gate_ask(askgate_gate *gate,
                                uint64_t now,
                                const askgate_ask *ask,
                                uint64_t *prompt);

/* Ends a prompt at the wish of whoever asked it: cancelled, `aborted`. Writes whether it was pending and theirs;
 * `ended` may be NULL. */
askgate_result askgate_gate_withdraw(askgate_gate *gate,
                                     uint64_t now,
                                     uint64_t prompt,
                                     uint64_t asker,
                                     bool *ended);

/* ============================================================================================== *
 * The gate: who can be asked
 * ============================================================================================== */

/* Binds a live connection as the surface of a session, for later asks; a prompt that waits stays where it was shown. */
askgate_result askgate_gate_bind(askgate_gate *gate,
                                 uint64_t now,
                                 askgate_text session,
                                 uint64_t connection);

/* Ends the session's prompt as unavailable if it is shown on that connection, and removes the binding if it is that
 * connection's. Writes whether there was such a binding; `was_bound` may be NULL. */
askgate_result askgate_gate_unbind(askgate_gate *gate,
                                   uint64_t now,
                                   askgate_text session,
                                   uint64_t connection,
                                   bool *was_bound);

/* Binds a chat, and the one person in it who may answer, as the surface of a session. Prompts there wait 300,000 ms at most. */
askgate_result askgate_gate_bind_chat(askgate_gate *gate,
                                      uint64_t now,
                                      askgate_text session,
                                      const askgate_address *address);

/* Undoes `askgate_gate_bind_chat`, as `askgate_gate_unbind` undoes `askgate_gate_bind`. */
askgate_result askgate_gate_unbind_chat(askgate_gate *gate,
                                        uint64_t now,
                                        askgate_text session,
                                        const askgate_address *address,
                                        bool *was_bound);

/* Attaches a connection as a run's own elicitation client. `protocol` is one of `ASKGATE_PROTOCOL_...`; `capabilities` is
 * the whole object that the client negotiated, as JSON. If they include forms, the run asks through that client and
 * needs no bound surface: show its prompts by `askgate_gate_elicitation`. Writes whether it can be asked; `able` may be
 * NULL. */
askgate_result askgate_gate_attach_client(askgate_gate *gate,
                                          uint64_t now,
                                          askgate_text session,
                                          askgate_text run,
                                          uint64_t connection,
                                          int32_t protocol,
                                          askgate_text capabilities,
                                          bool *able);

/* Writes whether a prompt of that run could be shown now. Advertise the `ask` tool by it. */
askgate_result askgate_gate_can_ask(const askgate_gate *gate,
                                    askgate_text session,
                                    askgate_text run,
                                    bool *can);

/* ============================================================================================== *
 * The gate: answering
 * ============================================================================================== */

/* Takes the first step of a confirm-command for the claimant. Writes the state after the call, true; `armed` may be
 * NULL. Refused with `invalid_value` for any other kind of prompt. */
askgate_result askgate_gate_acknowledge(askgate_gate *gate,
                                        uint64_t now,
                                        const askgate_claim *claim,
                                        bool *armed);

/* Undoes the first step for the claimant. Writes the state after the call, false; `armed` may be NULL. */
askgate_result askgate_gate_back(askgate_gate *gate,
                                 uint64_t now,
                                 const askgate_claim *claim,
                                 bool *armed);

/* Ends a prompt as the claimant says, and writes its outcome, which may be NULL. In this order: what is due ends, the
 * prompt is found, the identity compared, then the phase, the answer and the acknowledgement. Refused with `not_found`,
 * `already_resolved`, `invalid_answer`, `too_long` or `not_acknowledged`; then the prompt is as it was. */
askgate_result askgate_gate_resolve(askgate_gate *gate,
                                    uint64_t now,
                                    const askgate_claim *claim,
                                    const askgate_resolution *resolution,
                                    int32_t *outcome);

/* The surface that shows a prompt is lost, or could not show it: the prompt ends as unavailable. */
askgate_result askgate_gate_lose(askgate_gate *gate,
                                 uint64_t now,
                                 const askgate_claim *claim);

/* Writes what to send to a run's elicitation client to show a prompt, as JSON: `{"method", "params"}`, or for
 * `ASKGATE_PROTOCOL_MCP_2026_07_28` the `input_required` result. The scope is for ACP, where it must be given; it may be
 * NULL for the others, which know none. */
askgate_result askgate_gate_elicitation(askgate_gate *gate,
                                        uint64_t prompt,
                                        int32_t protocol,
                                        const askgate_scope *scope,
                                        askgate_text *json);

/* Ends a prompt as its run's elicitation client responded, and writes its outcome, which may be NULL. `response` is the
 * client's JSON: `{"action", "content"?}`, or for `ASKGATE_PROTOCOL_MCP_2026_07_28` the object with `inputResponses`. What
 * does not fit the form ends the prompt as `ASKGATE_OUTCOME_INVALID_ANSWER`, since the client has nothing more to say. */
askgate_result askgate_gate_respond(askgate_gate *gate,
                                    uint64_t now,
                                    const askgate_claim *claim,
                                    int32_t protocol,
                                    askgate_text response,
                                    int32_t *outcome);

/* ============================================================================================== *
 * The gate: what goes away
 * ============================================================================================== */

/* A surface of dialect A is gone: its prompts are cancelled. Writes how many ended; `ended` may be NULL, as in the calls
 * below. */
askgate_result askgate_gate_close_surface(askgate_gate *gate,
                                          uint64_t now,
                                          askgate_text surface,
                                          size_t *ended);

/* A connection is gone: prompts shown on it are unavailable, prompts asked by it cancelled, its bindings and
 * acknowledgements removed. */
askgate_result askgate_gate_disconnect(askgate_gate *gate,
                                       uint64_t now,
                                       uint64_t connection,
                                       size_t *ended);

/* A run has ended: its prompt is cancelled; bindings stay. */
askgate_result askgate_gate_end_run(askgate_gate *gate,
                                    uint64_t now,
                                    askgate_text session,
                                    askgate_text run,
                                    size_t *ended);

/* A session has ended: its prompt is cancelled; bindings stay. */
askgate_result askgate_gate_end_session(askgate_gate *gate,
                                        uint64_t now,
                                        askgate_text session,
                                        size_t *ended);

/* Everything is cancelled, and later asks are refused with `unavailable`. */
askgate_result askgate_gate_shutdown(askgate_gate *gate, uint64_t now, size_t *ended);

/* ============================================================================================== *
 * The gate: what happened, and what is pending
 * ============================================================================================== */

/* Writes the next event, or `ASKGATE_EVENT_WAIT` and until when. Early, late or twice is harmless. */
askgate_result askgate_gate_poll(askgate_gate *gate,
                                 uint64_t now,
                                 askgate_event *event);

/* Writes whether any prompt times out, and when the first does, in milliseconds (else 0). */
askgate_result askgate_gate_next_deadline(const askgate_gate *gate,
                                          bool *has_deadline,
                                          uint64_t *deadline);

/* Writes the numbers of all pending prompts, in ask order. */
askgate_result askgate_gate_pending(askgate_gate *gate, askgate_ids *prompts);

/* Writes the numbers of the pending prompts of a surface of dialect A, in ask order. The first is the one to show. */
askgate_result askgate_gate_pending_on(askgate_gate *gate,
                                       askgate_text surface,
                                       askgate_ids *prompts);

/* Writes the number of the pending prompt of a session of dialect B: none or one. */
askgate_result askgate_gate_pending_of(askgate_gate *gate,
                                       askgate_text session,
                                       askgate_ids *prompts);

/* Writes what there is to know of a pending prompt. Refused with `not_found` if it is not pending. */
askgate_result askgate_gate_prompt(askgate_gate *gate,
                                   uint64_t prompt,
                                   askgate_prompt *about);

/* Writes which connection asked a prompt that is pending or remembered. `has_asker` is false, and `asker` 0, where none
 * did or the prompt is not known. */
askgate_result askgate_gate_asker(const askgate_gate *gate,
                                  uint64_t prompt,
                                  bool *has_asker,
                                  uint64_t *asker);

/* Writes the number of the last event, and the prompts that are pending after it, in ask order: what a copy starts from. */
askgate_result askgate_gate_snapshot(askgate_gate *gate,
                                     uint64_t *seq,
                                     askgate_ids *prompts);

/* ============================================================================================== *
 * The chat router
 * ============================================================================================== */

/* A router turns the prompts of a gate into messages with buttons, and what people do in the chat into calls on the
 * gate, which alone decides. There must be one router a bot account. It works on one gate: give the same to every call.
 * A call that takes both handles is refused while either is in use, ends what is borrowed from both, and poisons both by a
 * panic; `askgate_router_error` tells why it was refused. A host drives it so:
 *
 * 1. `askgate_router_address_of` reads whom the message that starts a run comes from, and `askgate_router_bind_chat` binds
 * that place and person to the session, before the run is started.
 * 2. After each call, `askgate_gate_poll` until it says to wait: for `ASKGATE_EVENT_SHOWN` call `askgate_router_show` with a
 * fresh random handle, for `ASKGATE_EVENT_RESOLVED` call `askgate_router_resolved`, before the next poll of the gate.
 * 3. Each update of the platform goes to `askgate_router_handle`. Only a message that is
 * `ASKGATE_HANDLED_NOT_CAPTURED` may start a run.
 * 4. `askgate_router_poll` until it says to wait: carry out each effect in order, and give the platform's answer to a send,
 * an edit or an acknowledgement to `askgate_router_report`; then go on with 2.
 * 5. `askgate_router_end_run` when a run is over, `askgate_router_lose_chat` when the bot was blocked or removed.
 *
 * `examples/c/chat.c` is such a host.
 *
 * Makes a router. `abi` is `ASKGATE_ABI_VERSION`; `platform` one of `ASKGATE_PLATFORM_...`; `bot` the account. `key` points to 32
 * random bytes, new for each start of the host, so that buttons of an earlier one expire; it is copied, and no call ever
 * gives it back. Writes the router, which is the caller's to free. */
askgate_result askgate_router_new(uint32_t abi,
                                  int32_t platform,
                                  askgate_text bot,
                                  const uint8_t *key,
                                  askgate_router **router);

/* Frees a router, with all that was borrowed from it; its gate stays. NULL is fine. `ASKGATE_ERROR_IN_USE`, and nothing is
 * freed, while a call on it runs in another thread. */
askgate_result askgate_router_free(askgate_router *router);

/* Tells why the last call that takes the router without `const` was refused. */
askgate_result askgate_router_error(const askgate_router *router,
                                    askgate_error *error);

/* Reads the address that a message comes from, to bind the run that it starts. `update` is JSON as the platform sends it.
 * Where no person wrote a message, `has_address` is false and nothing is written to `address`. */
askgate_result askgate_router_address_of(askgate_router *router,
                                         askgate_text update,
                                         bool *has_address,
                                         askgate_address *address);

/* Binds a chat, and the one person in it who may answer, as the surface of a session: before the run that the person's
 * message starts is submitted. Refused with `invalid_value` for an address of another platform or bot, or one that the
 * platform does not have. */
askgate_result askgate_router_bind_chat(askgate_router *router,
                                        askgate_gate *gate,
                                        uint64_t now,
                                        askgate_text session,
                                        const askgate_address *address);

/* Shows a pending prompt: one of dialect B in its chat, if that is one of this bot; one of dialect A in each chat of
 * `audiences`, which may be NULL where `audience_count` is 0. `handle` points to 16 random bytes, drawn anew for each prompt.
 * Writes in how many chats it is shown; `chats` may be NULL. Showing it twice is showing it once. A prompt of dialect B that
 * the platform cannot show is unavailable. Refused with `not_found` if the prompt is not pending, and with
 * `ASKGATE_HANDLE_IN_USE`. */
askgate_result askgate_router_show(askgate_router *router,
                                   askgate_gate *gate,
                                   uint64_t now,
                                   uint64_t prompt,
                                   const uint8_t *handle,
                                   const askgate_audience *audiences,
                                   size_t audience_count,
                                   size_t *chats);

/* Tells the router of the `ASKGATE_EVENT_RESOLVED` that the gate's last poll gave: the prompt's messages get their last
 * form, without buttons. A time-out, and the end of the run or of the session, also unbind the chat. Give every such event
 * to every router of the gate. `prompt` is the event's; refused with `not_found` if the last poll gave another event, so
 * that no end can be told of with another's outcome. */
askgate_result askgate_router_resolved(askgate_router *router,
                                       askgate_gate *gate,
                                       uint64_t now,
                                       uint64_t prompt);

/* A run is over, or was cancelled: its prompt is cancelled and its chat unbound. Writes how many prompts ended; `ended` may be
 * NULL. */
askgate_result askgate_router_end_run(askgate_router *router,
                                      askgate_gate *gate,
                                      uint64_t now,
                                      askgate_text session,
                                      askgate_text run,
                                      size_t *ended);

/* The chat takes nothing from the bot any more, because it was blocked or removed or the chat became another one: its
 * prompts of dialect B are unavailable, its sessions unbound, and nothing more is sent there. Writes how many sessions were
 * unbound; `sessions` may be NULL. */
askgate_result askgate_router_lose_chat(askgate_router *router,
                                        askgate_gate *gate,
                                        uint64_t now,
                                        askgate_text chat,
                                        size_t *sessions);

/* Takes an update of the platform, as JSON as it sends it: of Telegram an `Update`; of Discord a gateway event with `t` and
 * `d`, or an interaction. Writes what became of it. Refused if it is not JSON. */
askgate_result askgate_router_handle(askgate_router *router,
                                     askgate_gate *gate,
                                     uint64_t now,
                                     askgate_text update,
                                     askgate_handled *handled);

/* Tells what became of an effect. `status` is the HTTP status and `answer` the body of the platform's answer; where there
 * came none, `answer` is absent, `status` is not read, and the effect is tried again. Writes how the answer was understood;
 * `report` may be NULL. Reports that nothing waits for are ignored. */
askgate_result askgate_router_report(askgate_router *router,
                                     askgate_gate *gate,
                                     uint64_t now,
                                     uint64_t effect,
                                     uint16_t status,
                                     askgate_text answer,
                                     askgate_report *report);

/* Writes the next effect, or `ASKGATE_CHAT_WAIT` and until when. Early, late or twice is harmless. */
askgate_result askgate_router_poll(askgate_router *router,
                                   uint64_t now,
                                   askgate_chat_effect *effect);

/* ============================================================================================== *
 * The endpoint: making it
 * ============================================================================================== */

/* Makes an endpoint. `abi` is `ASKGATE_ABI_VERSION`; `config` may be NULL for the defaults. Writes the endpoint, which
 * is the caller's to free. */
askgate_result askgate_endpoint_new(uint32_t abi,
                                    const askgate_config *config,
                                    askgate_endpoint **endpoint);

/* Frees an endpoint, with all that was borrowed from it. NULL is fine. `ASKGATE_ERROR_IN_USE`, and nothing is freed,
 * while a call on it runs in another thread. */
askgate_result askgate_endpoint_free(askgate_endpoint *endpoint);

/* Tells why the last call that takes the endpoint without `const` was refused. */
askgate_result askgate_endpoint_error(const askgate_endpoint *endpoint,
                                      askgate_error *error);

/* ============================================================================================== *
 * The endpoint: connections and lines
 * ============================================================================================== */

/* Opens a connection that may do what `authority` says, any of `ASKGATE_AUTHORITY_...` added up, and writes its number.
 * Refused with `at_capacity` over the limit. */
askgate_result askgate_endpoint_connect(askgate_endpoint *endpoint,
                                        uint64_t now,
                                        uint32_t authority,
                                        uint64_t *connection);

/* Attaches an open connection as a run's own elicitation client. `protocol` is one of `ASKGATE_PROTOCOL_...`;
 * `capabilities` is the whole object that the client negotiated, as JSON. If they include forms, the run asks through that
 * client and needs no bound surface. Writes whether it can be asked; `able` may be NULL. */
askgate_result askgate_endpoint_attach_client(askgate_endpoint *endpoint,
                                              uint64_t now,
                                              uint64_t connection,
                                              askgate_text session,
                                              askgate_text run,
                                              int32_t protocol,
                                              askgate_text capabilities,
                                              bool *able);

/* Takes one line from a connection, without its line end. It may be any bytes: what is wrong with it is told to the
 * peer. `ASKGATE_FULL`: poll the outputs, then give the same line again. `ASKGATE_UNKNOWN_CONNECTION` if it is not open. */
askgate_result askgate_endpoint_receive(askgate_endpoint *endpoint,
                                        uint64_t now,
                                        uint64_t connection,
                                        askgate_text line);

/* Writes the next output, or `ASKGATE_OUTPUT_WAIT` and until when. Early, late or twice is harmless. */
askgate_result askgate_endpoint_poll(askgate_endpoint *endpoint,
                                     uint64_t now,
                                     askgate_output *output);

/* Writes whether any prompt times out, and when the first does, in milliseconds (else 0). */
askgate_result askgate_endpoint_next_deadline(const askgate_endpoint *endpoint,
                                              bool *has_deadline,
                                              uint64_t *deadline);

/* ============================================================================================== *
 * The endpoint: what goes away
 * ============================================================================================== */

/* A connection is gone: prompts shown on it become unavailable, prompts that it asked are cancelled, and nothing is
 * addressed to it any more. Writes how many ended; `ended` may be NULL, as in the calls below. */
askgate_result askgate_endpoint_disconnect(askgate_endpoint *endpoint,
                                           uint64_t now,
                                           uint64_t connection,
                                           size_t *ended);

/* A surface of dialect A is gone: its prompts are cancelled. */
askgate_result askgate_endpoint_close_surface(askgate_endpoint *endpoint,
                                              uint64_t now,
                                              askgate_text surface,
                                              size_t *ended);

/* A run has ended: its prompt is cancelled; bindings stay. */
askgate_result askgate_endpoint_end_run(askgate_endpoint *endpoint,
                                        uint64_t now,
                                        askgate_text session,
                                        askgate_text run,
                                        size_t *ended);

/* A session has ended: its prompt is cancelled; bindings stay. */
askgate_result askgate_endpoint_end_session(askgate_endpoint *endpoint,
                                            uint64_t now,
                                            askgate_text session,
                                            size_t *ended);

/* Everything is cancelled, and later asks are refused as unavailable. Poll the last outputs, then free the endpoint. */
askgate_result askgate_endpoint_shutdown(askgate_endpoint *endpoint,
                                         uint64_t now,
                                         size_t *ended);

/* ============================================================================================== *
 * The endpoint: what is pending
 * ============================================================================================== */

/* Writes whether a prompt of that run could be shown now. Advertise the `ask` tool by it. */
askgate_result askgate_endpoint_can_ask(const askgate_endpoint *endpoint,
                                        askgate_text session,
                                        askgate_text run,
                                        bool *can);

/* Writes the number of the last event, and the prompts that are pending after it, in ask order. */
askgate_result askgate_endpoint_snapshot(askgate_endpoint *endpoint,
                                         uint64_t *seq,
                                         askgate_ids *prompts);

/* Writes what there is to know of a pending prompt. Refused with `not_found` if it is not pending. */
askgate_result askgate_endpoint_prompt(askgate_endpoint *endpoint,
                                       uint64_t prompt,
                                       askgate_prompt *about);

/* ============================================================================================== *
 * The endpoint: panes
 * ============================================================================================== */

/* The pane that `ASKGATE_OUTPUT_OPEN_PANE` asked for is open, with that agent and surface. `ASKGATE_UNKNOWN_PANE` if none
 * is being opened under that number; `ASKGATE_PANE_IN_USE` if another pane has one of the ids, and then the pane is still
 * being opened. */
askgate_result askgate_endpoint_pane_opened(askgate_endpoint *endpoint,
                                            uint64_t now,
                                            uint64_t request,
                                            askgate_text agent,
                                            askgate_text surface);

/* The pane could not be opened, and why, in one sentence for whoever asked for it. */
askgate_result askgate_endpoint_pane_failed(askgate_endpoint *endpoint,
                                            uint64_t now,
                                            uint64_t request,
                                            askgate_text why);

/* The pane is gone, whether or not somebody asked for it: its surface closes. Writes how many prompts ended; `ended` may
 * be NULL. */
askgate_result askgate_endpoint_pane_closed(askgate_endpoint *endpoint,
                                            uint64_t now,
                                            askgate_text agent,
                                            size_t *ended);

/* ============================================================================================== *
 * The mirror
 * ============================================================================================== */

/* Makes an empty mirror. `abi` is `ASKGATE_ABI_VERSION`. Writes the mirror, which is the caller's to free. */
askgate_result askgate_mirror_new(uint32_t abi,
                                  askgate_mirror **mirror);

/* Frees a mirror, with all that was borrowed from it. NULL is fine. `ASKGATE_ERROR_IN_USE`, and nothing is freed, while a
 * call on it runs in another thread. */
askgate_result askgate_mirror_free(askgate_mirror *mirror);

/* Tells why the last call that takes the mirror without `const` was refused. */
askgate_result askgate_mirror_error(const askgate_mirror *mirror,
                                    askgate_error *error);

/* Takes the params of an `askUserEvent`, as JSON, of kind `shown`, `resolved` or `snapshot`. They may come in any order
 * on one connection, and twice: nothing that has ended comes back. */
askgate_result askgate_mirror_apply(askgate_mirror *mirror,
                                    askgate_text params);

/* Forgets everything. For a new connection: reset, then ask for a snapshot. */
askgate_result askgate_mirror_reset(askgate_mirror *mirror);

/* Writes the prompt of a surface that is to be shown now, the first that was asked, and its `AskUserRequest` as JSON.
 * Where there is none, `has_head` is false, `prompt` 0 and `request` absent. */
askgate_result askgate_mirror_head(askgate_mirror *mirror,
                                   askgate_text surface,
                                   bool *has_head,
                                   uint64_t *prompt,
                                   askgate_text *request);

/* Writes how many prompts of a surface are pending. */
askgate_result askgate_mirror_count(const askgate_mirror *mirror,
                                    askgate_text surface,
                                    size_t *count);

/* Writes the numbers of all pending prompts, in ask order. */
askgate_result askgate_mirror_pending(askgate_mirror *mirror, askgate_ids *prompts);

/* Writes the surface of a pending prompt, and its `AskUserRequest` as JSON. Refused with `not_found` if it is not
 * pending. */
askgate_result askgate_mirror_request(askgate_mirror *mirror,
                                      uint64_t prompt,
                                      askgate_text *surface,
                                      askgate_text *request);

/* ============================================================================================== *
 * The modal: making it
 * ============================================================================================== */

/* Fills options with the defaults. */
askgate_result askgate_modal_options_init(askgate_modal_options *options);

/* Shows a prompt. `abi` is `ASKGATE_ABI_VERSION`. `prompt` is JSON as `askgate_prompt.json`, a mirror's request or a push has
 * it: the `AskUserRequest`, or the params of `session.prompt.requested`; ids and times may be left out. `options` may be
 * NULL for the defaults. Writes the modal, which is the caller's to free.
 *
 * Then: call `askgate_modal_view` and draw; give it all that the person does, and draw again on any effect but
 * `ASKGATE_EFFECT_NONE`; send what the other effects say, and report what came of it by `askgate_modal_acknowledged`,
 * `askgate_modal_reject` or `askgate_modal_close`; call `askgate_modal_tick` at the next deadline. */
askgate_result askgate_modal_new(uint32_t abi,
                                 uint64_t now,
                                 askgate_text prompt,
                                 const askgate_modal_options *options,
                                 askgate_modal **modal);

/* Frees a modal, with all that was borrowed from it. NULL is fine. `ASKGATE_ERROR_IN_USE`, and nothing is freed, while a
 * call on it runs in another thread. */
askgate_result askgate_modal_free(askgate_modal *modal);

/* Tells why the last call that takes the modal without `const` was refused. */
askgate_result askgate_modal_error(const askgate_modal *modal, askgate_error *error);

/* ============================================================================================== *
 * The modal: what the person does
 * ============================================================================================== */

/* A key was pressed: one of `ASKGATE_KEY_...`, for `ASKGATE_KEY_CHAR` with its `character` (a Unicode scalar value; not read
 * for others), and any of `ASKGATE_MOD_...` added up. Writes the effect, as the calls below do. */
askgate_result askgate_modal_key(askgate_modal *modal,
                                 uint64_t now,
                                 int32_t key,
                                 uint32_t character,
                                 uint32_t mods,
                                 askgate_effect *effect);

/* Text was pasted. */
askgate_result askgate_modal_paste(askgate_modal *modal,
                                   uint64_t now,
                                   askgate_text text,
                                   askgate_effect *effect);

/* The text field, which the surface edits by itself, now holds this text. */
askgate_result askgate_modal_set_text(askgate_modal *modal,
                                      uint64_t now,
                                      askgate_text text,
                                      askgate_effect *effect);

/* A control was clicked or tapped, by its id. An unknown one does nothing. */
askgate_result askgate_modal_activate(askgate_modal *modal,
                                      uint64_t now,
                                      askgate_text control,
                                      askgate_effect *effect);

/* The focus was moved to a control, by its id. An unknown one does nothing. */
askgate_result askgate_modal_focus(askgate_modal *modal,
                                   uint64_t now,
                                   askgate_text control,
                                   askgate_effect *effect);

/* The surface has room for so many rows of the list. */
askgate_result askgate_modal_resize(askgate_modal *modal,
                                    uint64_t now,
                                    size_t rows,
                                    askgate_effect *effect);

/* ============================================================================================== *
 * The modal: what became of it
 * ============================================================================================== */

/* Time passes. Call it at `askgate_modal_next_deadline`; early, late or twice is harmless. */
askgate_result askgate_modal_tick(askgate_modal *modal,
                                  uint64_t now,
                                  askgate_effect *effect);

/* The gate has taken the acknowledgement: shows the second step of a command. */
askgate_result askgate_modal_acknowledged(askgate_modal *modal,
                                          uint64_t now,
                                          askgate_effect *effect);

/* What was sent was refused and can be tried again, so: the code, path and message of the gate's `askgate_error`. The path may be
 * absent. For `already_resolved` and `not_found` call `askgate_modal_close` instead. */
askgate_result askgate_modal_reject(askgate_modal *modal,
                                    uint64_t now,
                                    askgate_text code,
                                    askgate_text path,
                                    askgate_text message,
                                    askgate_effect *effect);

/* The prompt has ended, so: one of `ASKGATE_OUTCOME_...` but none. Nothing changes afterwards. */
askgate_result askgate_modal_close(askgate_modal *modal,
                                   uint64_t now,
                                   int32_t outcome,
                                   askgate_effect *effect);

/* Writes whether time alone will change the view, and when, in milliseconds (else 0). It may change with every call. */
askgate_result askgate_modal_next_deadline(const askgate_modal *modal,
                                           bool *has_deadline,
                                           uint64_t *deadline);

/* ============================================================================================== *
 * The modal: what to draw
 * ============================================================================================== */

/* Writes what there is to draw. */
askgate_result askgate_modal_view(askgate_modal *modal, askgate_view *view);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

/* ============================================================================================== *
 * Helpers
 * ============================================================================================== */

/* The two arguments that "%.*s" takes. */
#define ASKGATE_PRINT(text) (int)(text).len, (text).data == NULL ? "" : (text).data

/* The text of a C string; absent for NULL. It is not copied. */
static inline askgate_text askgate_str(const char *string) {
    askgate_text text;
    text.data = string;
    text.len = string == NULL ? 0 : strlen(string);
    return text;
}

#ifdef ASKGATE_NO_STD
/* ============================================================================================== *
 * Without std: what you define
 *
 * The library built with `--no-default-features` needs no operating system. It calls these three, which you define. A fault
 * in it is not turned into ASKGATE_ERROR_PANIC then: it ends in askgate_hook_abort.
 * ============================================================================================== */
#ifdef __cplusplus
extern "C" {
#endif

/* Gives `size` bytes (never 0) aligned to `align` (a power of two), or NULL, after which askgate_hook_abort is called. It may
 * be called by each thread that uses a handle. */
void *askgate_hook_alloc(size_t size, size_t align);

/* Takes back memory from askgate_hook_alloc, with the size and alignment that it was asked for. */
void askgate_hook_free(void *memory, size_t size, size_t align);

/* Ends the program, or this task of it. It must not return. */
void askgate_hook_abort(void);

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif /* ASKGATE_NO_STD */

#endif  /* ASKGATE_H */
