/* A form in a Telegram chat, in one file and without a network: whoever writes to the bot is asked two questions there.
 *
 *     cc chat.c $(pkg-config --cflags --libs askgate) -o chat
 *     ./chat
 *     {"update_id":1,"message":{"message_id":7,"date":1,"text":"Ship it","chat":{"id":9,"type":"private"},"from":{"id":9}}}
 *     {"update_id":2,"message":{"message_id":20,"date":2,"text":"Staging","chat":{"id":9,"type":"private"},"from":{"id":9}}}
 *     {"update_id":3,"message":{"message_id":30,"date":3,"text":"It is ready","chat":{"id":9,"type":"private"},"from":{"id":9}}}
 *
 * Updates come from stdin, one a line, as Telegram's getUpdates gives them. What goes out is written to stdout, a method and
 * its body a line, and the result of the form, as an agent's tool returns it. It ends with 0 once stdin has. */

#define _POSIX_C_SOURCE 200809L
#include <askgate.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char form[] =
    "{\"questions\":["
    "{\"id\":\"where\",\"question\":\"Where to?\",\"options\":[{\"label\":\"Staging\"},{\"label\":\"Production\"}]},"
    "{\"id\":\"why\",\"question\":\"Why now?\",\"options\":[]}]}";

static askgate_gate *gate;
static askgate_router *router;
static FILE *entropy;

/* Every call is checked; what a host cannot go on from ends it. */
static void check(askgate_result result, const char *what) {
    if (result == ASKGATE_OK) return;
    askgate_error error;
    memset(&error, 0, sizeof error);
    if (router != NULL) askgate_router_error(router, &error);
    fprintf(stderr, "%s: %.*s: %.*s\n", what, ASKGATE_PRINT(askgate_result_name(result)), ASKGATE_PRINT(error.message));
    exit(1);
}

static uint64_t milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static void draw_random(uint8_t *bytes, size_t count) {
    if (fread(bytes, 1, count, entropy) == count) return;
    fputs("no random bytes\n", stderr);
    exit(1);
}

/* Does what the router wants, and tells it what Telegram answered. A real host posts the body to
 * https://api.telegram.org/bot<token>/<path> here, and gives the status and the body that come back; where none come, an
 * absent text. This one makes the answer up. */
static void carry_out(const askgate_chat_effect *effect, uint64_t now) {
    static int last_message = 10;
    char answer[64] = "{\"ok\":true,\"result\":true}";
    uint64_t id = effect->id;
    printf("%.*s %.*s\n", ASKGATE_PRINT(effect->path), ASKGATE_PRINT(effect->body));
    if (effect->kind == ASKGATE_CHAT_SEND)
        snprintf(answer, sizeof answer, "{\"ok\":true,\"result\":{\"message_id\":%d}}", ++last_message);
    check(askgate_router_report(router, gate, now, id, 200, askgate_str(answer), NULL), "report");
}

/* Tells the router what happened to a prompt. */
static void tell(const askgate_event *event, uint64_t now) {
    uint64_t prompt = event->prompt;
    uint8_t handle[16];
    if (event->kind == ASKGATE_EVENT_SHOWN) {
        draw_random(handle, sizeof handle);
        check(askgate_router_show(router, gate, now, prompt, handle, NULL, 0, NULL), "show");
    } else if (event->kind == ASKGATE_EVENT_RESOLVED) {
        printf("result %.*s\n", ASKGATE_PRINT(event->tool_result));
        check(askgate_router_resolved(router, gate, now, prompt), "resolved");
    }
}

/* Does all that there is to do; gives how long there will be nothing more, in milliseconds, or -1 for ever. */
static int work(uint64_t now) {
    askgate_event event;
    askgate_chat_effect effect;
    for (;;) {
        check(askgate_gate_poll(gate, now, &event), "poll the gate");
        if (event.kind != ASKGATE_EVENT_WAIT) {
            tell(&event, now);
            continue;
        }
        check(askgate_router_poll(router, now, &effect), "poll the router");
        if (effect.kind == ASKGATE_CHAT_WAIT) break;
        carry_out(&effect, now);
    }
    fflush(stdout);
    uint64_t first = event.has_deadline ? event.deadline : UINT64_MAX;
    if (effect.has_deadline && effect.deadline < first) first = effect.deadline;
    if (first == UINT64_MAX) return -1;
    return first <= now ? 0 : first - now < 60000 ? (int)(first - now) : 60000;
}

/* A message that answers nothing starts a run, which asks its sender. */
static void start_run(askgate_text update, uint64_t now) {
    bool has_address;
    askgate_address address;
    char session[128];
    askgate_ask ask;
    uint64_t prompt;
    check(askgate_router_address_of(router, update, &has_address, &address), "address");
    if (!has_address) return;
    snprintf(session, sizeof session, "%.*s:%.*s", ASKGATE_PRINT(address.chat), ASKGATE_PRINT(address.user));
    check(askgate_router_bind_chat(router, gate, now, askgate_str(session), &address), "bind");
    memset(&ask, 0, sizeof ask);
    ask.dialect = ASKGATE_DIALECT_SESSION;
    ask.request = askgate_str(form);
    ask.session = askgate_str(session);
    ask.run = askgate_str("run");
    askgate_result result = askgate_gate_ask(gate, now, &ask, &prompt);
    /* A session asks one form at a time. */
    if (result != ASKGATE_REFUSED_BUSY) check(result, "ask");
}

static void handle(askgate_text update, uint64_t now) {
    askgate_handled handled;
    askgate_result result = askgate_router_handle(router, gate, now, update, &handled);
    if (result == ASKGATE_REFUSED_PARSE_ERROR) {
        fputs("An update is one line of JSON.\n", stderr);
        return;
    }
    check(result, "handle");
    if (handled.kind == ASKGATE_HANDLED_NOT_CAPTURED) start_run(update, now);
}

int main(void) {
    static char line[65536];
    uint8_t key[32];
    if ((entropy = fopen("/dev/urandom", "rb")) == NULL) return 1;
    draw_random(key, sizeof key);
    check(askgate_gate_new(ASKGATE_ABI_VERSION, NULL, &gate), "gate");
    check(askgate_router_new(ASKGATE_ABI_VERSION, ASKGATE_PLATFORM_TELEGRAM, askgate_str("42"), key, &router), "router");
    /* Unbuffered, so that what is left to read is what poll sees. */
    setvbuf(stdin, NULL, _IONBF, 0);
    for (;;) {
        struct pollfd input = {0, POLLIN, 0};
        if (poll(&input, 1, work(milliseconds())) <= 0) continue;
        if (fgets(line, sizeof line, stdin) == NULL) break;
        handle(askgate_str(line), milliseconds());
    }
    check(askgate_gate_shutdown(gate, milliseconds(), NULL), "shutdown");
    /* Edits that were held back still go out. */
    for (int wait; (wait = work(milliseconds())) >= 0;) poll(NULL, 0, wait);
    askgate_router_free(router);
    askgate_gate_free(gate);
    fclose(entropy);
    return 0;
}
