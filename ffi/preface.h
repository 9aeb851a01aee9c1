/* askgate @VERSION@: ask a person a structured question, and get exactly one honest end.
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
