/* What a caller does wrong, and the code that it gets for it. Nothing is written, and the handle goes on working. */

#include <askgate.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int checks, wrong;

static void is(askgate_result expected, askgate_result got, const char *call, int line) {
    checks++;
    if (got == expected) return;
    wrong++;
    printf("line %d: %s: expected %d got %d (%.*s)\n", line, call, (int)expected, (int)got, ASKGATE_PRINT(askgate_result_name(got)));
}

#define IS(expected, call) is((expected), (call), #call, __LINE__)
#define IS_NULL(call) IS(ASKGATE_ERROR_NULL, call)

static const char message[] = "{\"update_id\":1,\"message\":{\"message_id\":9,\"date\":1,\"text\":\"Go\",\"chat\":{\"id\":-100},"
                              "\"from\":{\"id\":5}}}";
static const char yesno[] = "{\"surface_id\":\"s\",\"kind\":\"yesno\",\"title\":\"Go?\"}";

static askgate_text text(const char *bytes, size_t length) {
    askgate_text made = {bytes, length};
    return made;
}

#define ABSENT text(NULL, 0)
/* The second byte begins a character that the third does not go on with. */
#define NOT_UTF8 text("s\xc3(", 3)
#define NO_SUCH_LENGTH text("s", SIZE_MAX)
#define NULL_OF_LENGTH text(NULL, 1)
#define S askgate_str("s")

/* A text that is absent, NULL with a length, not UTF-8, or of a length that nothing has. */
#define BAD_TEXT(call_with)                            \
    do {                                               \
        askgate_text bad = ABSENT;                     \
        IS_NULL(call_with);                            \
        bad = NULL_OF_LENGTH;                          \
        IS_NULL(call_with);                            \
        bad = NOT_UTF8;                                \
        IS(ASKGATE_ERROR_UTF8, call_with);             \
        bad = NO_SUCH_LENGTH;                          \
        IS(ASKGATE_ERROR_LENGTH, call_with);           \
        bad = text("s", (size_t)PTRDIFF_MAX + 1);      \
        IS(ASKGATE_ERROR_LENGTH, call_with);           \
    } while (0)

static void gates(void) {
    askgate_gate *gate = NULL;
    askgate_config config;
    IS_NULL(askgate_config_init(NULL));
    IS(ASKGATE_OK, askgate_config_init(&config));
    IS_NULL(askgate_gate_new(ASKGATE_ABI_VERSION, NULL, NULL));
    IS(ASKGATE_ERROR_LIBRARY_OLDER, askgate_gate_new(ASKGATE_ABI_VERSION + 1, NULL, &gate));
    IS(ASKGATE_ERROR_HEADER_OLDER, askgate_gate_new(0, NULL, &gate));
    config.limits = NOT_UTF8;
    IS(ASKGATE_ERROR_UTF8, askgate_gate_new(ASKGATE_ABI_VERSION, &config, &gate));
    config.limits = askgate_str("{\"pendin\":1}");
    IS(ASKGATE_REFUSED_UNKNOWN_FIELD, askgate_gate_new(ASKGATE_ABI_VERSION, &config, &gate));
    config.limits = askgate_str("{\"pending\":\"many\"}");
    IS(ASKGATE_REFUSED_INVALID_VALUE, askgate_gate_new(ASKGATE_ABI_VERSION, &config, &gate));
    IS(0, gate != NULL);
    config.limits = askgate_str("{\"pending\":1}");
    IS(ASKGATE_OK, askgate_gate_new(ASKGATE_ABI_VERSION, &config, &gate));
    IS(ASKGATE_OK, askgate_gate_free(NULL));

    askgate_error error;
    IS_NULL(askgate_gate_error(NULL, &error));
    IS_NULL(askgate_gate_error(gate, NULL));
    IS(ASKGATE_OK, askgate_gate_error(gate, &error));
    IS(ASKGATE_OK, error.result);

    uint64_t prompt = 77, number;
    askgate_ask ask;
    memset(&ask, 0, sizeof ask);
    ask.request = askgate_str(yesno);
    IS(ASKGATE_ERROR_ENUM, askgate_gate_ask(gate, 0, &ask, &prompt));
    ask.dialect = 3;
    IS(ASKGATE_ERROR_ENUM, askgate_gate_ask(gate, 0, &ask, &prompt));
    ask.dialect = ASKGATE_DIALECT_AGENT;
    ask.has_asker = 2;
    IS(ASKGATE_ERROR_ENUM, askgate_gate_ask(gate, 0, &ask, &prompt));
    ask.has_asker = 0;
    IS_NULL(askgate_gate_ask(NULL, 0, &ask, &prompt));
    IS_NULL(askgate_gate_ask(gate, 0, NULL, &prompt));
    IS_NULL(askgate_gate_ask(gate, 0, &ask, NULL));
    BAD_TEXT((ask.request = bad, askgate_gate_ask(gate, 0, &ask, &prompt)));
    ask.dialect = ASKGATE_DIALECT_SESSION;
    ask.request = askgate_str("{\"questions\":[]}");
    ask.run = S;
    BAD_TEXT((ask.session = bad, askgate_gate_ask(gate, 0, &ask, &prompt)));
    ask.session = S;
    BAD_TEXT((ask.run = bad, askgate_gate_ask(gate, 0, &ask, &prompt)));
    ask.run = text("", 0);
    IS(ASKGATE_REFUSED_INVALID_VALUE, askgate_gate_ask(gate, 0, &ask, &prompt));
    IS(77, (askgate_result)prompt);
    askgate_ids ids;
    IS(ASKGATE_OK, askgate_gate_pending(gate, &ids));
    IS(0, (askgate_result)ids.len);

    /* The offset is told, and a NUL is a character like any other. */
    IS(ASKGATE_ERROR_UTF8, askgate_gate_bind(gate, 0, NOT_UTF8, 1));
    IS(ASKGATE_OK, askgate_gate_error(gate, &error));
    IS(1, (askgate_result)error.offset);
    bool is_so = false;
    IS(ASKGATE_OK, askgate_gate_bind(gate, 0, text("a\0b", 3), 1));
    IS(ASKGATE_OK, askgate_gate_can_ask(gate, text("a\0b", 3), S, &is_so));
    IS(1, is_so);
    IS(ASKGATE_OK, askgate_gate_can_ask(gate, text("a\0c", 3), S, &is_so));
    IS(0, is_so);
    IS(ASKGATE_OK, askgate_gate_can_ask(gate, text("a", 1), S, &is_so));
    IS(0, is_so);

    IS_NULL(askgate_gate_bind(NULL, 0, S, 1));
    BAD_TEXT(askgate_gate_bind(gate, 0, bad, 1));
    IS_NULL(askgate_gate_unbind(NULL, 0, S, 1, NULL));
    BAD_TEXT(askgate_gate_unbind(gate, 0, bad, 1, NULL));
    askgate_address address = {S, S, S, ABSENT, S};
    IS_NULL(askgate_gate_bind_chat(NULL, 0, S, &address));
    IS_NULL(askgate_gate_bind_chat(gate, 0, S, NULL));
    IS_NULL(askgate_gate_unbind_chat(NULL, 0, S, &address, NULL));
    IS_NULL(askgate_gate_unbind_chat(gate, 0, S, NULL, NULL));
    BAD_TEXT(askgate_gate_bind_chat(gate, 0, bad, &address));
    BAD_TEXT((address.platform = bad, askgate_gate_bind_chat(gate, 0, S, &address)));
    address.platform = S;
    BAD_TEXT((address.bot = bad, askgate_gate_bind_chat(gate, 0, S, &address)));
    address.bot = S;
    BAD_TEXT((address.chat = bad, askgate_gate_bind_chat(gate, 0, S, &address)));
    address.chat = S;
    BAD_TEXT((address.user = bad, askgate_gate_bind_chat(gate, 0, S, &address)));
    address.user = S;
    address.thread = NULL_OF_LENGTH;
    IS_NULL(askgate_gate_bind_chat(gate, 0, S, &address));
    address.thread = ABSENT;

    const askgate_text none = askgate_str("{}");
    IS_NULL(askgate_gate_attach_client(NULL, 0, S, S, 1, ASKGATE_PROTOCOL_ACP, none, NULL));
    BAD_TEXT(askgate_gate_attach_client(gate, 0, bad, S, 1, ASKGATE_PROTOCOL_ACP, none, NULL));
    BAD_TEXT(askgate_gate_attach_client(gate, 0, S, bad, 1, ASKGATE_PROTOCOL_ACP, none, NULL));
    BAD_TEXT(askgate_gate_attach_client(gate, 0, S, S, 1, ASKGATE_PROTOCOL_ACP, bad, NULL));
    IS(ASKGATE_ERROR_ENUM, askgate_gate_attach_client(gate, 0, S, S, 1, 0, none, NULL));
    IS(ASKGATE_ERROR_ENUM, askgate_gate_attach_client(gate, 0, S, S, 1, 4, none, NULL));
    IS_NULL(askgate_gate_can_ask(NULL, S, S, &is_so));
    IS_NULL(askgate_gate_can_ask(gate, S, S, NULL));
    BAD_TEXT(askgate_gate_can_ask(gate, bad, S, &is_so));
    BAD_TEXT(askgate_gate_can_ask(gate, S, bad, &is_so));

    memset(&ask, 0, sizeof ask);
    ask.dialect = ASKGATE_DIALECT_AGENT;
    ask.request = askgate_str(yesno);
    IS(ASKGATE_OK, askgate_gate_ask(gate, 0, &ask, &prompt));
    IS(ASKGATE_REFUSED_AT_CAPACITY, askgate_gate_ask(gate, 0, &ask, &number));

    askgate_claim claim;
    askgate_resolution yes = {ASKGATE_RESOLVE_VALUE, askgate_str("yes")};
    int32_t outcome;
    memset(&claim, 0, sizeof claim);
    claim.prompt = prompt;
    IS(ASKGATE_ERROR_ENUM, askgate_gate_resolve(gate, 0, &claim, &yes, &outcome));
    claim.kind = 4;
    IS(ASKGATE_ERROR_ENUM, askgate_gate_resolve(gate, 0, &claim, &yes, &outcome));
    claim.kind = ASKGATE_CLAIM_REQUEST;
    claim.has_connection = 7;
    IS(ASKGATE_ERROR_ENUM, askgate_gate_resolve(gate, 0, &claim, &yes, &outcome));
    claim.has_connection = 0;
    IS_NULL(askgate_gate_resolve(NULL, 0, &claim, &yes, &outcome));
    IS_NULL(askgate_gate_resolve(gate, 0, NULL, &yes, &outcome));
    IS_NULL(askgate_gate_resolve(gate, 0, &claim, NULL, &outcome));
    IS_NULL(askgate_gate_acknowledge(NULL, 0, &claim, NULL));
    IS_NULL(askgate_gate_acknowledge(gate, 0, NULL, NULL));
    IS_NULL(askgate_gate_back(NULL, 0, &claim, NULL));
    IS_NULL(askgate_gate_back(gate, 0, NULL, NULL));
    IS_NULL(askgate_gate_lose(NULL, 0, &claim));
    IS_NULL(askgate_gate_lose(gate, 0, NULL));
    claim.surface = NOT_UTF8;
    IS(ASKGATE_ERROR_UTF8, askgate_gate_resolve(gate, 0, &claim, &yes, &outcome));
    claim.surface = ABSENT;
    claim.user = NO_SUCH_LENGTH;
    IS(ASKGATE_ERROR_LENGTH, askgate_gate_resolve(gate, 0, &claim, &yes, &outcome));
    claim.user = ABSENT;
    yes.kind = 0;
    IS(ASKGATE_ERROR_ENUM, askgate_gate_resolve(gate, 0, &claim, &yes, &outcome));
    yes.kind = 5;
    IS(ASKGATE_ERROR_ENUM, askgate_gate_resolve(gate, 0, &claim, &yes, &outcome));
    yes.kind = ASKGATE_RESOLVE_ANSWERS;
    BAD_TEXT((yes.text = bad, askgate_gate_resolve(gate, 0, &claim, &yes, &outcome)));
    yes.text = askgate_str("[{}");
    IS(ASKGATE_REFUSED_PARSE_ERROR, askgate_gate_resolve(gate, 0, &claim, &yes, &outcome));
    yes.kind = ASKGATE_RESOLVE_VALUE;
    BAD_TEXT((yes.text = bad, askgate_gate_resolve(gate, 0, &claim, &yes, &outcome)));
    claim.kind = ASKGATE_CLAIM_SESSION;
    yes.text = askgate_str("yes");
    claim.session = claim.run = S;
    IS_NULL(askgate_gate_resolve(gate, 0, &claim, &yes, &outcome));
    claim.has_connection = 1;
    BAD_TEXT((claim.session = bad, askgate_gate_resolve(gate, 0, &claim, &yes, &outcome)));
    claim.session = S;
    BAD_TEXT((claim.run = bad, askgate_gate_resolve(gate, 0, &claim, &yes, &outcome)));
    claim.run = S;
    IS(ASKGATE_REFUSED_NOT_FOUND, askgate_gate_resolve(gate, 0, &claim, &yes, &outcome));
    IS(ASKGATE_OK, askgate_gate_error(gate, &error));
    IS(0, memcmp(error.field.data, "kind", error.field.len));
    claim.kind = ASKGATE_CLAIM_CHAT;
    BAD_TEXT((claim.address = address, claim.address.user = bad, askgate_gate_resolve(gate, 0, &claim, &yes, &outcome)));

    askgate_scope scope;
    askgate_text json;
    memset(&scope, 0, sizeof scope);
    IS_NULL(askgate_gate_elicitation(NULL, prompt, ASKGATE_PROTOCOL_ACP, &scope, &json));
    IS_NULL(askgate_gate_elicitation(gate, prompt, ASKGATE_PROTOCOL_ACP, NULL, &json));
    IS_NULL(askgate_gate_elicitation(gate, prompt, ASKGATE_PROTOCOL_MCP_2025_11_25, NULL, NULL));
    IS(ASKGATE_ERROR_ENUM, askgate_gate_elicitation(gate, prompt, -1, &scope, &json));
    IS(ASKGATE_ERROR_ENUM, askgate_gate_elicitation(gate, prompt, ASKGATE_PROTOCOL_ACP, &scope, &json));
    scope.kind = ASKGATE_SCOPE_SESSION;
    BAD_TEXT((scope.session_id = bad, askgate_gate_elicitation(gate, prompt, ASKGATE_PROTOCOL_ACP, &scope, &json)));
    scope.kind = ASKGATE_SCOPE_REQUEST;
    BAD_TEXT((scope.request_id = bad, askgate_gate_elicitation(gate, prompt, ASKGATE_PROTOCOL_ACP, &scope, &json)));
    IS(ASKGATE_REFUSED_NOT_FOUND, askgate_gate_elicitation(gate, 999, ASKGATE_PROTOCOL_MCP_2025_11_25, NULL, &json));
    claim.kind = ASKGATE_CLAIM_REQUEST;
    IS_NULL(askgate_gate_respond(NULL, 0, &claim, ASKGATE_PROTOCOL_ACP, none, &outcome));
    IS_NULL(askgate_gate_respond(gate, 0, NULL, ASKGATE_PROTOCOL_ACP, none, &outcome));
    IS(ASKGATE_ERROR_ENUM, askgate_gate_respond(gate, 0, &claim, 9, none, &outcome));
    BAD_TEXT(askgate_gate_respond(gate, 0, &claim, ASKGATE_PROTOCOL_ACP, bad, &outcome));

    askgate_event event;
    askgate_prompt about;
    IS_NULL(askgate_gate_withdraw(NULL, 0, prompt, 1, NULL));
    IS_NULL(askgate_gate_close_surface(NULL, 0, S, NULL));
    BAD_TEXT(askgate_gate_close_surface(gate, 0, bad, NULL));
    IS_NULL(askgate_gate_disconnect(NULL, 0, 1, NULL));
    IS_NULL(askgate_gate_end_run(NULL, 0, S, S, NULL));
    BAD_TEXT(askgate_gate_end_run(gate, 0, bad, S, NULL));
    BAD_TEXT(askgate_gate_end_run(gate, 0, S, bad, NULL));
    IS_NULL(askgate_gate_end_session(NULL, 0, S, NULL));
    BAD_TEXT(askgate_gate_end_session(gate, 0, bad, NULL));
    IS_NULL(askgate_gate_shutdown(NULL, 0, NULL));
    IS_NULL(askgate_gate_poll(NULL, 0, &event));
    IS_NULL(askgate_gate_poll(gate, 0, NULL));
    IS_NULL(askgate_gate_next_deadline(NULL, &is_so, &number));
    IS_NULL(askgate_gate_next_deadline(gate, NULL, &number));
    IS_NULL(askgate_gate_next_deadline(gate, &is_so, NULL));
    IS_NULL(askgate_gate_pending(NULL, &ids));
    IS_NULL(askgate_gate_pending(gate, NULL));
    IS_NULL(askgate_gate_pending_on(NULL, S, &ids));
    IS_NULL(askgate_gate_pending_on(gate, S, NULL));
    BAD_TEXT(askgate_gate_pending_on(gate, bad, &ids));
    IS_NULL(askgate_gate_pending_of(NULL, S, &ids));
    IS_NULL(askgate_gate_pending_of(gate, S, NULL));
    BAD_TEXT(askgate_gate_pending_of(gate, bad, &ids));
    IS_NULL(askgate_gate_prompt(NULL, prompt, &about));
    IS_NULL(askgate_gate_prompt(gate, prompt, NULL));
    IS(ASKGATE_REFUSED_NOT_FOUND, askgate_gate_prompt(gate, UINT64_MAX, &about));
    IS_NULL(askgate_gate_asker(NULL, prompt, &is_so, &number));
    IS_NULL(askgate_gate_asker(gate, prompt, NULL, &number));
    IS_NULL(askgate_gate_asker(gate, prompt, &is_so, NULL));
    IS_NULL(askgate_gate_snapshot(NULL, &number, &ids));
    IS_NULL(askgate_gate_snapshot(gate, NULL, &ids));
    IS_NULL(askgate_gate_snapshot(gate, &number, NULL));

    /* After all of that the prompt still waits, and can be answered. */
    claim.kind = ASKGATE_CLAIM_REQUEST;
    claim.has_connection = 0;
    IS(ASKGATE_OK, askgate_gate_prompt(gate, prompt, &about));
    IS(ASKGATE_OK, askgate_gate_resolve(gate, 0, &claim, &yes, &outcome));
    IS(ASKGATE_OUTCOME_ANSWERED, outcome);
    IS(ASKGATE_OK, askgate_gate_free(gate));
}

static void routers(void) {
    static const uint8_t key[32] = {1}, handle[16] = {2}, other_handle[16] = {3};
    askgate_router *router = NULL;
    askgate_gate *gate = NULL;
    askgate_error error;
    askgate_address address;
    askgate_handled handled;
    askgate_chat_effect effect;
    askgate_event event;
    bool has = false;
    size_t count = 77;
    IS_NULL(askgate_router_new(ASKGATE_ABI_VERSION, ASKGATE_PLATFORM_TELEGRAM, S, key, NULL));
    IS_NULL(askgate_router_new(ASKGATE_ABI_VERSION, ASKGATE_PLATFORM_TELEGRAM, S, NULL, &router));
    IS(ASKGATE_ERROR_LIBRARY_OLDER, askgate_router_new(ASKGATE_ABI_VERSION + 1, ASKGATE_PLATFORM_TELEGRAM, S, key, &router));
    IS(ASKGATE_ERROR_HEADER_OLDER, askgate_router_new(0, ASKGATE_PLATFORM_TELEGRAM, S, key, &router));
    IS(ASKGATE_ERROR_ENUM, askgate_router_new(ASKGATE_ABI_VERSION, 0, S, key, &router));
    IS(ASKGATE_ERROR_ENUM, askgate_router_new(ASKGATE_ABI_VERSION, 3, S, key, &router));
    BAD_TEXT(askgate_router_new(ASKGATE_ABI_VERSION, ASKGATE_PLATFORM_TELEGRAM, bad, key, &router));
    IS(0, router != NULL);
    IS(ASKGATE_OK, askgate_router_new(ASKGATE_ABI_VERSION, ASKGATE_PLATFORM_TELEGRAM, askgate_str("42"), key, &router));
    IS(ASKGATE_OK, askgate_gate_new(ASKGATE_ABI_VERSION, NULL, &gate));
    IS(ASKGATE_OK, askgate_router_free(NULL));
    IS_NULL(askgate_router_error(NULL, &error));
    IS_NULL(askgate_router_error(router, NULL));

    IS_NULL(askgate_router_address_of(NULL, askgate_str(message), &has, &address));
    IS_NULL(askgate_router_address_of(router, askgate_str(message), NULL, &address));
    IS_NULL(askgate_router_address_of(router, askgate_str(message), &has, NULL));
    BAD_TEXT(askgate_router_address_of(router, bad, &has, &address));
    IS(ASKGATE_REFUSED_PARSE_ERROR, askgate_router_address_of(router, askgate_str("{"), &has, &address));
    IS(ASKGATE_OK, askgate_router_address_of(router, askgate_str("{}"), &has, &address));
    IS(0, has);
    IS(ASKGATE_OK, askgate_router_address_of(router, askgate_str(message), &has, &address));
    IS(1, has);
    IS(0, memcmp(address.chat.data, "-100", address.chat.len));

    askgate_address own = {askgate_str("telegram"), askgate_str("42"), askgate_str("-100"), ABSENT, askgate_str("5")};
    address = own;
    IS_NULL(askgate_router_bind_chat(NULL, gate, 0, S, &own));
    IS_NULL(askgate_router_bind_chat(router, NULL, 0, S, &own));
    IS_NULL(askgate_router_bind_chat(router, gate, 0, S, NULL));
    BAD_TEXT(askgate_router_bind_chat(router, gate, 0, bad, &own));
    BAD_TEXT((address.chat = bad, askgate_router_bind_chat(router, gate, 0, S, &address)));
    address = own;
    address.bot = S;
    IS(ASKGATE_REFUSED_INVALID_VALUE, askgate_router_bind_chat(router, gate, 0, S, &address));
    IS(ASKGATE_OK, askgate_router_error(router, &error));
    IS(ASKGATE_REFUSED_INVALID_VALUE, error.result);
    IS(ASKGATE_OK, askgate_gate_error(gate, &error));
    IS(ASKGATE_REFUSED_INVALID_VALUE, error.result);
    IS(ASKGATE_OK, askgate_router_bind_chat(router, gate, 0, S, &own));

    askgate_ask ask;
    uint64_t prompt, second;
    memset(&ask, 0, sizeof ask);
    ask.dialect = ASKGATE_DIALECT_AGENT;
    ask.request = askgate_str(yesno);
    IS(ASKGATE_OK, askgate_gate_ask(gate, 0, &ask, &prompt));
    IS(ASKGATE_OK, askgate_gate_ask(gate, 0, &ask, &second));
    askgate_text user = askgate_str("5");
    askgate_audience audience = {askgate_str("-100"), ABSENT, &user, 1};
    IS_NULL(askgate_router_show(NULL, gate, 0, prompt, handle, &audience, 1, &count));
    IS_NULL(askgate_router_show(router, NULL, 0, prompt, handle, &audience, 1, &count));
    IS_NULL(askgate_router_show(router, gate, 0, prompt, NULL, &audience, 1, &count));
    IS_NULL(askgate_router_show(router, gate, 0, prompt, handle, NULL, 1, &count));
    IS(ASKGATE_ERROR_LENGTH, askgate_router_show(router, gate, 0, prompt, handle, &audience, SIZE_MAX, &count));
    IS(ASKGATE_REFUSED_NOT_FOUND, askgate_router_show(router, gate, 0, 99, handle, &audience, 1, &count));
    BAD_TEXT((user = bad, askgate_router_show(router, gate, 0, prompt, handle, &audience, 1, &count)));
    user = askgate_str("5");
    IS(77, (askgate_result)count);
    IS(ASKGATE_OK, askgate_router_show(router, gate, 0, prompt, handle, &audience, 1, &count));
    IS(1, (askgate_result)count);
    IS(ASKGATE_HANDLE_IN_USE, askgate_router_show(router, gate, 0, second, handle, &audience, 1, NULL));
    IS(ASKGATE_OK, askgate_router_show(router, gate, 0, second, other_handle, NULL, 0, NULL));

    IS_NULL(askgate_router_poll(NULL, 0, &effect));
    IS_NULL(askgate_router_poll(router, 0, NULL));
    IS(ASKGATE_OK, askgate_router_poll(router, 0, &effect));
    IS(ASKGATE_CHAT_SEND, effect.kind);
    IS_NULL(askgate_router_report(NULL, gate, 0, effect.id, 200, ABSENT, NULL));
    IS_NULL(askgate_router_report(router, NULL, 0, effect.id, 200, ABSENT, NULL));
    IS(ASKGATE_ERROR_UTF8, askgate_router_report(router, gate, 0, effect.id, 200, NOT_UTF8, NULL));
    askgate_report report;
    IS(ASKGATE_OK, askgate_router_report(router, gate, 0, 999, 200, ABSENT, &report));
    IS(ASKGATE_REPORT_RETRY, report.kind);
    IS_NULL(askgate_router_handle(NULL, gate, 0, askgate_str(message), &handled));
    IS_NULL(askgate_router_handle(router, NULL, 0, askgate_str(message), &handled));
    IS_NULL(askgate_router_handle(router, gate, 0, askgate_str(message), NULL));
    BAD_TEXT(askgate_router_handle(router, gate, 0, bad, &handled));
    IS(ASKGATE_OK, askgate_router_handle(router, gate, 0, askgate_str(message), &handled));
    IS(ASKGATE_HANDLED_NOT_CAPTURED, handled.kind);

    /* Only the end that the gate's last poll gave can be told of. */
    IS_NULL(askgate_router_resolved(NULL, gate, 0, prompt));
    IS_NULL(askgate_router_resolved(router, NULL, 0, prompt));
    IS(ASKGATE_REFUSED_NOT_FOUND, askgate_router_resolved(router, gate, 0, prompt));
    IS(ASKGATE_OK, askgate_gate_shutdown(gate, 0, NULL));
    do IS(ASKGATE_OK, askgate_gate_poll(gate, 0, &event));
    while (event.kind != ASKGATE_EVENT_RESOLVED && event.kind != ASKGATE_EVENT_WAIT);
    IS((askgate_result)prompt, (askgate_result)event.prompt);
    IS(ASKGATE_REFUSED_NOT_FOUND, askgate_router_resolved(router, gate, 0, second));
    IS(ASKGATE_OK, askgate_router_resolved(router, gate, 0, prompt));
    IS(ASKGATE_OK, askgate_gate_poll(gate, 0, &event));
    IS(ASKGATE_REFUSED_NOT_FOUND, askgate_router_resolved(router, gate, 0, prompt));

    IS_NULL(askgate_router_end_run(NULL, gate, 0, S, S, NULL));
    IS_NULL(askgate_router_end_run(router, NULL, 0, S, S, NULL));
    BAD_TEXT(askgate_router_end_run(router, gate, 0, bad, S, NULL));
    BAD_TEXT(askgate_router_end_run(router, gate, 0, S, bad, NULL));
    IS_NULL(askgate_router_lose_chat(NULL, gate, 0, S, NULL));
    IS_NULL(askgate_router_lose_chat(router, NULL, 0, S, NULL));
    BAD_TEXT(askgate_router_lose_chat(router, gate, 0, bad, NULL));
    IS(ASKGATE_OK, askgate_router_lose_chat(router, gate, 0, askgate_str("-100"), &count));
    IS(1, (askgate_result)count);
    IS(ASKGATE_OK, askgate_router_free(router));
    IS(ASKGATE_OK, askgate_gate_free(gate));
}

/* What was borrowed may be given to the call that ends it. */
static void borrowed(void) {
    static const char questions[] = "{\"questions\":[{\"id\":\"q\",\"question\":\"Why?\",\"options\":[{\"label\":\"So\"}]}]}";
    static const uint8_t key[32] = {1};
    askgate_router *router = NULL;
    askgate_gate *gate = NULL;
    askgate_modal *modal = NULL;
    askgate_address address;
    askgate_prompt about;
    askgate_error error;
    askgate_effect effect;
    askgate_view view;
    bool has = false;
    int32_t outcome = 0;
    uint64_t prompt;
    IS(ASKGATE_OK, askgate_router_new(ASKGATE_ABI_VERSION, ASKGATE_PLATFORM_TELEGRAM, askgate_str("42"), key, &router));
    IS(ASKGATE_OK, askgate_gate_new(ASKGATE_ABI_VERSION, NULL, &gate));
    IS(ASKGATE_OK, askgate_router_address_of(router, askgate_str(message), &has, &address));
    IS(ASKGATE_OK, askgate_router_bind_chat(router, gate, 0, address.user, &address));

    askgate_ask ask;
    memset(&ask, 0, sizeof ask);
    ask.dialect = ASKGATE_DIALECT_SESSION;
    ask.request = askgate_str(questions);
    ask.session = askgate_str("5");
    ask.run = S;
    IS(ASKGATE_OK, askgate_gate_ask(gate, 0, &ask, &prompt));
    IS(ASKGATE_OK, askgate_gate_prompt(gate, prompt, &about));
    IS(ASKGATE_TARGET_CHAT, about.target);
    IS(ASKGATE_OK, askgate_modal_new(ASKGATE_ABI_VERSION, 0, about.json, NULL, &modal));
    askgate_claim claim;
    askgate_resolution resolution = {ASKGATE_RESOLVE_CANCEL, {NULL, 0}};
    memset(&claim, 0, sizeof claim);
    claim.kind = ASKGATE_CLAIM_CHAT;
    claim.prompt = prompt;
    claim.session = about.session;
    claim.run = about.run;
    claim.address = about.address;
    resolution.text = about.address.chat;
    IS(ASKGATE_OK, askgate_gate_resolve(gate, 0, &claim, &resolution, &outcome));
    IS(ASKGATE_OUTCOME_CANCELLED, outcome);
    /* An error told by one call may be what the next is given. */
    claim.session = claim.run = S;
    claim.address.platform = claim.address.bot = claim.address.chat = claim.address.user = S;
    claim.address.thread = resolution.text = ABSENT;
    IS(ASKGATE_REFUSED_NOT_FOUND, askgate_gate_resolve(gate, 0, &claim, &resolution, NULL));
    IS(ASKGATE_OK, askgate_gate_error(gate, &error));
    IS(ASKGATE_OK, askgate_gate_close_surface(gate, 0, error.message, NULL));

    IS(ASKGATE_OK, askgate_modal_view(modal, &view));
    IS(ASKGATE_OK, askgate_modal_activate(modal, 10000, view.controls[view.control_count - 1].id, &effect));
    IS(ASKGATE_OK, askgate_modal_free(modal));
    IS(ASKGATE_OK, askgate_router_free(router));
    IS(ASKGATE_OK, askgate_gate_free(gate));
}

static void endpoints(void) {
    askgate_endpoint *endpoint = NULL;
    uint64_t connection, number;
    bool is_so;
    IS_NULL(askgate_endpoint_new(ASKGATE_ABI_VERSION, NULL, NULL));
    IS(ASKGATE_ERROR_LIBRARY_OLDER, askgate_endpoint_new(UINT32_MAX, NULL, &endpoint));
    IS(ASKGATE_ERROR_HEADER_OLDER, askgate_endpoint_new(0, NULL, &endpoint));
    IS(ASKGATE_OK, askgate_endpoint_new(ASKGATE_ABI_VERSION, NULL, &endpoint));
    IS(ASKGATE_OK, askgate_endpoint_free(NULL));
    askgate_error error;
    IS_NULL(askgate_endpoint_error(NULL, &error));
    IS_NULL(askgate_endpoint_error(endpoint, NULL));
    IS_NULL(askgate_endpoint_connect(NULL, 0, 0, &connection));
    IS_NULL(askgate_endpoint_connect(endpoint, 0, 0, NULL));
    IS(ASKGATE_ERROR_ENUM, askgate_endpoint_connect(endpoint, 0, 16, &connection));
    IS(ASKGATE_OK, askgate_endpoint_connect(endpoint, 0, 15, &connection));
    const askgate_text none = askgate_str("{}");
    IS_NULL(askgate_endpoint_attach_client(NULL, 0, connection, S, S, ASKGATE_PROTOCOL_ACP, none, NULL));
    BAD_TEXT(askgate_endpoint_attach_client(endpoint, 0, connection, bad, S, ASKGATE_PROTOCOL_ACP, none, NULL));
    BAD_TEXT(askgate_endpoint_attach_client(endpoint, 0, connection, S, bad, ASKGATE_PROTOCOL_ACP, none, NULL));
    BAD_TEXT(askgate_endpoint_attach_client(endpoint, 0, connection, S, S, ASKGATE_PROTOCOL_ACP, bad, NULL));
    IS(ASKGATE_ERROR_ENUM, askgate_endpoint_attach_client(endpoint, 0, connection, S, S, 0, none, NULL));
    IS(ASKGATE_UNKNOWN_CONNECTION, askgate_endpoint_attach_client(endpoint, 0, 99, S, S, ASKGATE_PROTOCOL_ACP, none, NULL));
    IS_NULL(askgate_endpoint_receive(NULL, 0, connection, none));
    IS_NULL(askgate_endpoint_receive(endpoint, 0, connection, ABSENT));
    IS(ASKGATE_ERROR_LENGTH, askgate_endpoint_receive(endpoint, 0, connection, NO_SUCH_LENGTH));
    IS(ASKGATE_UNKNOWN_CONNECTION, askgate_endpoint_receive(endpoint, 0, 99, none));
    /* A line may be any bytes: the peer is told. */
    IS(ASKGATE_OK, askgate_endpoint_receive(endpoint, 0, connection, NOT_UTF8));
    askgate_output output;
    IS_NULL(askgate_endpoint_poll(NULL, 0, &output));
    IS_NULL(askgate_endpoint_poll(endpoint, 0, NULL));
    IS(ASKGATE_OK, askgate_endpoint_poll(endpoint, 0, &output));
    IS(ASKGATE_OUTPUT_SEND, output.kind);
    IS_NULL(askgate_endpoint_next_deadline(NULL, &is_so, &number));
    IS_NULL(askgate_endpoint_next_deadline(endpoint, NULL, &number));
    IS_NULL(askgate_endpoint_next_deadline(endpoint, &is_so, NULL));
    IS_NULL(askgate_endpoint_disconnect(NULL, 0, connection, NULL));
    IS_NULL(askgate_endpoint_close_surface(NULL, 0, S, NULL));
    BAD_TEXT(askgate_endpoint_close_surface(endpoint, 0, bad, NULL));
    IS_NULL(askgate_endpoint_end_run(NULL, 0, S, S, NULL));
    BAD_TEXT(askgate_endpoint_end_run(endpoint, 0, bad, S, NULL));
    BAD_TEXT(askgate_endpoint_end_run(endpoint, 0, S, bad, NULL));
    IS_NULL(askgate_endpoint_end_session(NULL, 0, S, NULL));
    BAD_TEXT(askgate_endpoint_end_session(endpoint, 0, bad, NULL));
    IS_NULL(askgate_endpoint_shutdown(NULL, 0, NULL));
    IS_NULL(askgate_endpoint_can_ask(NULL, S, S, &is_so));
    IS_NULL(askgate_endpoint_can_ask(endpoint, S, S, NULL));
    BAD_TEXT(askgate_endpoint_can_ask(endpoint, bad, S, &is_so));
    BAD_TEXT(askgate_endpoint_can_ask(endpoint, S, bad, &is_so));
    askgate_ids ids;
    askgate_prompt about;
    IS_NULL(askgate_endpoint_snapshot(NULL, &number, &ids));
    IS_NULL(askgate_endpoint_snapshot(endpoint, NULL, &ids));
    IS_NULL(askgate_endpoint_snapshot(endpoint, &number, NULL));
    IS_NULL(askgate_endpoint_prompt(NULL, 1, &about));
    IS_NULL(askgate_endpoint_prompt(endpoint, 1, NULL));
    IS(ASKGATE_REFUSED_NOT_FOUND, askgate_endpoint_prompt(endpoint, 1, &about));
    IS_NULL(askgate_endpoint_pane_opened(NULL, 0, 1, S, S));
    BAD_TEXT(askgate_endpoint_pane_opened(endpoint, 0, 1, bad, S));
    BAD_TEXT(askgate_endpoint_pane_opened(endpoint, 0, 1, S, bad));
    IS(ASKGATE_UNKNOWN_PANE, askgate_endpoint_pane_opened(endpoint, 0, 1, S, S));
    IS_NULL(askgate_endpoint_pane_failed(NULL, 0, 1, S));
    BAD_TEXT(askgate_endpoint_pane_failed(endpoint, 0, 1, bad));
    IS(ASKGATE_UNKNOWN_PANE, askgate_endpoint_pane_failed(endpoint, 0, 1, S));
    IS_NULL(askgate_endpoint_pane_closed(NULL, 0, S, NULL));
    BAD_TEXT(askgate_endpoint_pane_closed(endpoint, 0, bad, NULL));
    IS(ASKGATE_UNKNOWN_PANE, askgate_endpoint_pane_closed(endpoint, 0, S, NULL));
    IS(ASKGATE_OK, askgate_endpoint_free(endpoint));
}

static void mirrors(void) {
    askgate_mirror *mirror = NULL;
    askgate_text surface, request;
    askgate_ids ids;
    askgate_error error;
    bool has;
    uint64_t prompt;
    size_t count;
    IS_NULL(askgate_mirror_new(ASKGATE_ABI_VERSION, NULL));
    IS(ASKGATE_ERROR_LIBRARY_OLDER, askgate_mirror_new(ASKGATE_ABI_VERSION + 1, &mirror));
    IS(ASKGATE_ERROR_HEADER_OLDER, askgate_mirror_new(0, &mirror));
    IS(ASKGATE_OK, askgate_mirror_new(ASKGATE_ABI_VERSION, &mirror));
    IS(ASKGATE_OK, askgate_mirror_free(NULL));
    IS_NULL(askgate_mirror_error(NULL, &error));
    IS_NULL(askgate_mirror_error(mirror, NULL));
    IS_NULL(askgate_mirror_apply(NULL, askgate_str("{}")));
    BAD_TEXT(askgate_mirror_apply(mirror, bad));
    IS(ASKGATE_REFUSED_MISSING_FIELD, askgate_mirror_apply(mirror, askgate_str("{}")));
    IS(ASKGATE_OK, askgate_mirror_error(mirror, &error));
    IS(0, memcmp(error.path.data, "/kind", error.path.len));
    IS_NULL(askgate_mirror_reset(NULL));
    IS_NULL(askgate_mirror_head(NULL, S, &has, &prompt, &request));
    IS_NULL(askgate_mirror_head(mirror, S, NULL, &prompt, &request));
    IS_NULL(askgate_mirror_head(mirror, S, &has, NULL, &request));
    IS_NULL(askgate_mirror_head(mirror, S, &has, &prompt, NULL));
    BAD_TEXT(askgate_mirror_head(mirror, bad, &has, &prompt, &request));
    IS_NULL(askgate_mirror_count(NULL, S, &count));
    IS_NULL(askgate_mirror_count(mirror, S, NULL));
    BAD_TEXT(askgate_mirror_count(mirror, bad, &count));
    IS_NULL(askgate_mirror_pending(NULL, &ids));
    IS_NULL(askgate_mirror_pending(mirror, NULL));
    IS_NULL(askgate_mirror_request(NULL, 1, &surface, &request));
    IS_NULL(askgate_mirror_request(mirror, 1, NULL, &request));
    IS_NULL(askgate_mirror_request(mirror, 1, &surface, NULL));
    IS(ASKGATE_REFUSED_NOT_FOUND, askgate_mirror_request(mirror, 1, &surface, &request));
    IS(ASKGATE_OK, askgate_mirror_free(mirror));
}

static void modals(void) {
    askgate_modal *modal = NULL;
    askgate_modal_options options;
    askgate_text prompt = askgate_str(yesno);
    IS_NULL(askgate_modal_options_init(NULL));
    IS(ASKGATE_OK, askgate_modal_options_init(&options));
    IS_NULL(askgate_modal_new(ASKGATE_ABI_VERSION, 0, prompt, NULL, NULL));
    IS(ASKGATE_ERROR_LIBRARY_OLDER, askgate_modal_new(ASKGATE_ABI_VERSION + 1, 0, prompt, NULL, &modal));
    IS(ASKGATE_ERROR_HEADER_OLDER, askgate_modal_new(0, 0, prompt, NULL, &modal));
    BAD_TEXT(askgate_modal_new(ASKGATE_ABI_VERSION, 0, bad, NULL, &modal));
    IS(ASKGATE_REFUSED_MISSING_FIELD, askgate_modal_new(ASKGATE_ABI_VERSION, 0, askgate_str("{}"), NULL, &modal));
    options.terminal = 2;
    IS(ASKGATE_ERROR_ENUM, askgate_modal_new(ASKGATE_ABI_VERSION, 0, prompt, &options, &modal));
    options.terminal = 1;
    options.has_guard = 2;
    IS(ASKGATE_ERROR_ENUM, askgate_modal_new(ASKGATE_ABI_VERSION, 0, prompt, &options, &modal));
    options.has_guard = 1;
    options.has_deadline = 255;
    IS(ASKGATE_ERROR_ENUM, askgate_modal_new(ASKGATE_ABI_VERSION, 0, prompt, &options, &modal));
    options.has_deadline = 0;
    options.limits = NOT_UTF8;
    IS(ASKGATE_ERROR_UTF8, askgate_modal_new(ASKGATE_ABI_VERSION, 0, prompt, &options, &modal));
    options.limits = ABSENT;
    IS(0, modal != NULL);
    IS(ASKGATE_OK, askgate_modal_new(ASKGATE_ABI_VERSION, 0, prompt, &options, &modal));
    IS(ASKGATE_OK, askgate_modal_free(NULL));

    askgate_effect effect;
    askgate_error error;
    askgate_view view;
    bool has;
    uint64_t at;
    IS_NULL(askgate_modal_error(NULL, &error));
    IS_NULL(askgate_modal_error(modal, NULL));
    IS_NULL(askgate_modal_key(NULL, 0, ASKGATE_KEY_ENTER, 0, 0, &effect));
    IS_NULL(askgate_modal_key(modal, 0, ASKGATE_KEY_ENTER, 0, 0, NULL));
    IS(ASKGATE_ERROR_ENUM, askgate_modal_key(modal, 0, -1, 0, 0, &effect));
    IS(ASKGATE_ERROR_ENUM, askgate_modal_key(modal, 0, 15, 0, 0, &effect));
    IS(ASKGATE_ERROR_ENUM, askgate_modal_key(modal, 0, ASKGATE_KEY_CHAR, 0xd800, 0, &effect));
    IS(ASKGATE_ERROR_ENUM, askgate_modal_key(modal, 0, ASKGATE_KEY_CHAR, 0x110000, 0, &effect));
    IS(ASKGATE_ERROR_ENUM, askgate_modal_key(modal, 0, ASKGATE_KEY_ENTER, 0, 64, &effect));
    IS_NULL(askgate_modal_paste(NULL, 0, S, &effect));
    IS_NULL(askgate_modal_paste(modal, 0, S, NULL));
    BAD_TEXT(askgate_modal_paste(modal, 0, bad, &effect));
    IS_NULL(askgate_modal_set_text(NULL, 0, S, &effect));
    IS_NULL(askgate_modal_set_text(modal, 0, S, NULL));
    BAD_TEXT(askgate_modal_set_text(modal, 0, bad, &effect));
    IS_NULL(askgate_modal_activate(NULL, 0, S, &effect));
    IS_NULL(askgate_modal_activate(modal, 0, S, NULL));
    BAD_TEXT(askgate_modal_activate(modal, 0, bad, &effect));
    IS(ASKGATE_OK, askgate_modal_activate(modal, 0, askgate_str("option:99999999999999999999"), &effect));
    IS(ASKGATE_EFFECT_NONE, effect.kind);
    IS_NULL(askgate_modal_focus(NULL, 0, S, &effect));
    IS_NULL(askgate_modal_focus(modal, 0, S, NULL));
    BAD_TEXT(askgate_modal_focus(modal, 0, bad, &effect));
    IS_NULL(askgate_modal_resize(NULL, 0, 1, &effect));
    IS_NULL(askgate_modal_resize(modal, 0, 1, NULL));
    IS(ASKGATE_OK, askgate_modal_resize(modal, 0, SIZE_MAX, &effect));
    IS_NULL(askgate_modal_tick(NULL, 0, &effect));
    IS_NULL(askgate_modal_tick(modal, 0, NULL));
    IS_NULL(askgate_modal_acknowledged(NULL, 0, &effect));
    IS_NULL(askgate_modal_acknowledged(modal, 0, NULL));
    IS_NULL(askgate_modal_reject(NULL, 0, S, S, S, &effect));
    IS_NULL(askgate_modal_reject(modal, 0, S, S, S, NULL));
    BAD_TEXT(askgate_modal_reject(modal, 0, bad, S, S, &effect));
    BAD_TEXT(askgate_modal_reject(modal, 0, S, S, bad, &effect));
    IS(ASKGATE_ERROR_UTF8, askgate_modal_reject(modal, 0, S, NOT_UTF8, S, &effect));
    IS_NULL(askgate_modal_close(NULL, 0, ASKGATE_OUTCOME_ANSWERED, &effect));
    IS_NULL(askgate_modal_close(modal, 0, ASKGATE_OUTCOME_ANSWERED, NULL));
    IS(ASKGATE_ERROR_ENUM, askgate_modal_close(modal, 0, ASKGATE_OUTCOME_NONE, &effect));
    IS(ASKGATE_ERROR_ENUM, askgate_modal_close(modal, 0, 7, &effect));
    IS_NULL(askgate_modal_next_deadline(NULL, &has, &at));
    IS_NULL(askgate_modal_next_deadline(modal, NULL, &at));
    IS_NULL(askgate_modal_next_deadline(modal, &has, NULL));
    IS_NULL(askgate_modal_view(NULL, &view));
    IS_NULL(askgate_modal_view(modal, NULL));
    IS(ASKGATE_OK, askgate_modal_view(modal, &view));
    IS(ASKGATE_PHASE_EDITING, view.phase);
    IS(ASKGATE_OK, askgate_modal_free(modal));
}

static void plain(void) {
    char buffer[8];
    size_t length = 0;
    bool hidden;
    BAD_TEXT(askgate_display_safe(bad, ASKGATE_TEXT_LINE, buffer, sizeof buffer, &length, &hidden));
    IS(ASKGATE_ERROR_ENUM, askgate_display_safe(S, 0, buffer, sizeof buffer, &length, &hidden));
    IS(ASKGATE_ERROR_ENUM, askgate_display_safe(S, 4, buffer, sizeof buffer, &length, &hidden));
    IS_NULL(askgate_display_safe(S, ASKGATE_TEXT_LINE, NULL, 1, &length, &hidden));
    IS_NULL(askgate_display_safe(S, ASKGATE_TEXT_LINE, buffer, sizeof buffer, NULL, &hidden));
    IS(ASKGATE_OK, askgate_display_safe(S, ASKGATE_TEXT_LINE, buffer, sizeof buffer, &length, NULL));
    IS(ASKGATE_TOO_SMALL, askgate_display_safe(askgate_str("123456789"), ASKGATE_TEXT_LINE, buffer, sizeof buffer, &length, NULL));
    IS(9, (askgate_result)length);
    IS(ASKGATE_OK, askgate_display_safe(text("", 0), ASKGATE_TEXT_LINE, NULL, 0, &length, NULL));
    BAD_TEXT(askgate_cut(bad, ASKGATE_UNIT_BYTES, 4, buffer, sizeof buffer, &length));
    IS(ASKGATE_ERROR_ENUM, askgate_cut(S, 5, 4, buffer, sizeof buffer, &length));
    IS_NULL(askgate_cut(S, ASKGATE_UNIT_BYTES, 4, NULL, 1, &length));
    IS_NULL(askgate_cut(S, ASKGATE_UNIT_BYTES, 4, buffer, sizeof buffer, NULL));
    IS(0, (askgate_result)askgate_result_name(-7).len);
    IS(0, (askgate_result)askgate_outcome_name(0).len);
    IS((askgate_result)ASKGATE_ABI_VERSION, (askgate_result)askgate_abi_version());
    IS(0, strcmp(askgate_version(), ASKGATE_VERSION));
    IS('{', askgate_ask_tool().data[0]);
}

#ifdef ASKGATE_TEST_HOOKS
/* Not in the header: the library built for tests alone has them. */
askgate_result askgate_test_gate_panic(askgate_gate *gate);
askgate_result askgate_test_router_panic(askgate_router *router, askgate_gate *gate);
askgate_result askgate_test_endpoint_panic(const askgate_endpoint *endpoint);
askgate_result askgate_test_mirror_panic(askgate_mirror *mirror);
askgate_result askgate_test_modal_panic(askgate_modal *modal);
askgate_result askgate_test_plain_panic(void);

static void panics(void) {
    askgate_gate *gate;
    askgate_endpoint *endpoint;
    askgate_mirror *mirror;
    askgate_modal *modal;
    askgate_event event;
    askgate_error error;
    askgate_output output;
    askgate_effect effect;
    size_t count;
    IS(ASKGATE_ERROR_PANIC, askgate_test_plain_panic());
    IS(ASKGATE_OK, askgate_gate_new(ASKGATE_ABI_VERSION, NULL, &gate));
    IS_NULL(askgate_test_gate_panic(NULL));
    IS(ASKGATE_ERROR_PANIC, askgate_test_gate_panic(gate));
    IS(ASKGATE_ERROR_POISONED, askgate_test_gate_panic(gate));
    IS(ASKGATE_ERROR_POISONED, askgate_gate_poll(gate, 0, &event));
    IS(ASKGATE_ERROR_POISONED, askgate_gate_error(gate, &error));
    IS(ASKGATE_OK, askgate_gate_free(gate));
    static const uint8_t key[32] = {1};
    askgate_router *router;
    askgate_chat_effect wanted;
    IS(ASKGATE_OK, askgate_gate_new(ASKGATE_ABI_VERSION, NULL, &gate));
    IS(ASKGATE_OK, askgate_router_new(ASKGATE_ABI_VERSION, ASKGATE_PLATFORM_DISCORD, S, key, &router));
    IS(ASKGATE_ERROR_PANIC, askgate_test_router_panic(router, gate));
    IS(ASKGATE_ERROR_POISONED, askgate_router_poll(router, 0, &wanted));
    IS(ASKGATE_ERROR_POISONED, askgate_gate_poll(gate, 0, &event));
    IS(ASKGATE_OK, askgate_router_free(router));
    IS(ASKGATE_OK, askgate_router_new(ASKGATE_ABI_VERSION, ASKGATE_PLATFORM_DISCORD, S, key, &router));
    IS(ASKGATE_ERROR_POISONED, askgate_router_lose_chat(router, gate, 0, S, NULL));
    IS(ASKGATE_OK, askgate_router_poll(router, 0, &wanted));
    IS(ASKGATE_OK, askgate_router_free(router));
    IS(ASKGATE_OK, askgate_gate_free(gate));
    IS(ASKGATE_OK, askgate_endpoint_new(ASKGATE_ABI_VERSION, NULL, &endpoint));
    IS(ASKGATE_ERROR_PANIC, askgate_test_endpoint_panic(endpoint));
    IS(ASKGATE_ERROR_POISONED, askgate_endpoint_poll(endpoint, 0, &output));
    IS(ASKGATE_OK, askgate_endpoint_free(endpoint));
    IS(ASKGATE_OK, askgate_mirror_new(ASKGATE_ABI_VERSION, &mirror));
    IS(ASKGATE_ERROR_PANIC, askgate_test_mirror_panic(mirror));
    IS(ASKGATE_ERROR_POISONED, askgate_mirror_count(mirror, S, &count));
    IS(ASKGATE_OK, askgate_mirror_free(mirror));
    IS(ASKGATE_OK, askgate_modal_new(ASKGATE_ABI_VERSION, 0, askgate_str(yesno), NULL, &modal));
    IS(ASKGATE_ERROR_PANIC, askgate_test_modal_panic(modal));
    IS(ASKGATE_ERROR_POISONED, askgate_modal_tick(modal, 0, &effect));
    IS(ASKGATE_OK, askgate_modal_free(modal));
}
#else
static void panics(void) {}
#endif

int main(void) {
    gates();
    routers();
    borrowed();
    endpoints();
    mirrors();
    modals();
    plain();
    panics();
    printf("%d checks, %d wrong\n", checks, wrong);
    return wrong > 0;
}
