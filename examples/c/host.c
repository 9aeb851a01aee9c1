/* A terminal host in one file: it asks, shows the modal's view, takes keys, and prints the answer.
 *
 *     cc host.c $(pkg-config --cflags --libs askgate) -o host
 *     ./host '{"surface_id":"tty","kind":"choice","title":"Where to?","choices":[{"id":"dev"},{"id":"prod"}]}'
 *     ./host '{"questions":[{"id":"why","question":"Why?","options":[]}]}'
 *
 * The view goes to stderr and the answer to stdout. Keys come from stdin: a terminal, or a file of keys for tests. It ends
 * with 0 if the person answered, 2 after a time-out, 3 if they declined or cancelled, and 1 for anything else. */

#define _POSIX_C_SOURCE 200809L
#include <askgate.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static askgate_gate *gate;
static askgate_modal *modal;
static askgate_claim claim;
static struct termios saved;

static void restore(void) {
    tcsetattr(STDIN_FILENO, TCSANOW, &saved);
}

/* Every call is checked; what a host cannot go on from ends it. */
static void check(askgate_result result, const char *what) {
    if (result == ASKGATE_OK) return;
    askgate_error error;
    memset(&error, 0, sizeof error);
    if (gate != NULL) askgate_gate_error(gate, &error);
    fprintf(stderr, "%s: %.*s: %.*s %.*s\n", what, ASKGATE_PRINT(askgate_result_name(result)), ASKGATE_PRINT(error.path),
            ASKGATE_PRINT(error.message));
    exit(1);
}

static uint64_t milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static void draw(void) {
    askgate_view view;
    check(askgate_modal_view(modal, &view), "view");
    if (isatty(STDERR_FILENO)) fputs("\033[H\033[J", stderr);
    if (view.is_unsafe) fputs("!! this may do damage\n", stderr);
    fprintf(stderr, "%.*s\n", ASKGATE_PRINT(view.title));
    if (view.body.data != NULL) fprintf(stderr, "%.*s\n", ASKGATE_PRINT(view.body));
    if (view.command.data != NULL) fprintf(stderr, "$ %.*s\n", ASKGATE_PRINT(view.command));
    if (view.has_text) fprintf(stderr, "[%.*s]\n", ASKGATE_PRINT(view.text_value));
    for (size_t n = 0; n < view.control_count; n++) {
        const askgate_control *control = &view.controls[n];
        if (control->role == ASKGATE_ROLE_TEXTBOX) continue;
        fprintf(stderr, "%s %s %.*s%s\n", control->focused ? ">" : " ", !control->can_check ? "   " : control->checked ? "[x]" : "[ ]",
                ASKGATE_PRINT(control->label), control->enabled ? "" : " (not now)");
    }
    if (view.error_message.data != NULL) fprintf(stderr, "%.*s\n", ASKGATE_PRINT(view.error_message));
    fprintf(stderr, "%.*s\n", ASKGATE_PRINT(view.help));
}

/* Does what the modal says, and reports what came of it. */
static void act(const askgate_effect *asked, uint64_t now) {
    askgate_effect effect = *asked;
    askgate_resolution resolution;
    askgate_result result = ASKGATE_OK;
    memset(&resolution, 0, sizeof resolution);
    switch (effect.kind) {
    case ASKGATE_EFFECT_NONE:
        return;
    case ASKGATE_EFFECT_SUBMIT:
        resolution.kind = claim.kind == ASKGATE_CLAIM_SESSION ? ASKGATE_RESOLVE_ANSWERS : ASKGATE_RESOLVE_VALUE;
        resolution.text = effect.answer;
        break;
    case ASKGATE_EFFECT_DECLINE:
        resolution.kind = ASKGATE_RESOLVE_DECLINE;
        break;
    case ASKGATE_EFFECT_CANCEL:
        resolution.kind = ASKGATE_RESOLVE_CANCEL;
        break;
    case ASKGATE_EFFECT_ACKNOWLEDGE:
        result = askgate_gate_acknowledge(gate, now, &claim, NULL);
        if (result == ASKGATE_OK) check(askgate_modal_acknowledged(modal, now, &effect), "acknowledged");
        break;
    case ASKGATE_EFFECT_BACK:
        result = askgate_gate_back(gate, now, &claim, NULL);
        break;
    default:
        break;
    }
    if (resolution.kind != 0) result = askgate_gate_resolve(gate, now, &claim, &resolution, NULL);
    /* A prompt that has ended is told of by the next event. */
    if (result >= ASKGATE_REFUSED && result != ASKGATE_REFUSED_ALREADY_RESOLVED) {
        askgate_error error;
        check(askgate_gate_error(gate, &error), "error");
        check(askgate_modal_reject(modal, now, error.code, error.path, error.message, &effect), "reject");
    } else if (result < ASKGATE_REFUSED) {
        check(result, "resolve");
    }
    draw();
}

/* The events since the last call: gives the exit status once the prompt has ended, else -1. */
static int ended(uint64_t now) {
    askgate_event event;
    for (;;) {
        check(askgate_gate_poll(gate, now, &event), "poll");
        if (event.kind == ASKGATE_EVENT_WAIT) return -1;
        if (event.kind != ASKGATE_EVENT_RESOLVED) continue;
        askgate_effect effect;
        check(askgate_modal_close(modal, now, event.outcome, &effect), "close");
        if (event.outcome == ASKGATE_OUTCOME_ANSWERED) {
            printf("%.*s\n", ASKGATE_PRINT(event.answer));
            return 0;
        }
        fprintf(stderr, "%.*s %.*s\n", ASKGATE_PRINT(askgate_outcome_name(event.outcome)), ASKGATE_PRINT(event.reason));
        if (event.outcome == ASKGATE_OUTCOME_TIMED_OUT) return 2;
        return event.outcome == ASKGATE_OUTCOME_DECLINED || event.outcome == ASKGATE_OUTCOME_CANCELLED ? 3 : 1;
    }
}

/* One key out of the bytes that a terminal sends; gives how many bytes it took. */
static size_t read_key(const unsigned char *bytes, size_t count, int32_t *key, uint32_t *character, uint32_t *mods) {
    static const char *const codes[] = {"\033[A", "\033[B", "\033[D", "\033[C", "\033[H", "\033[F", "\033[5~", "\033[6~", "\033[3~", "\033[Z"};
    static const int32_t keys[] = {ASKGATE_KEY_UP,  ASKGATE_KEY_DOWN,    ASKGATE_KEY_LEFT,      ASKGATE_KEY_RIGHT,  ASKGATE_KEY_HOME,
                                   ASKGATE_KEY_END, ASKGATE_KEY_PAGE_UP, ASKGATE_KEY_PAGE_DOWN, ASKGATE_KEY_DELETE, ASKGATE_KEY_TAB};
    *mods = 0;
    *character = bytes[0];
    *key = ASKGATE_KEY_CHAR;
    for (size_t n = 0; n < sizeof keys / sizeof *keys; n++) {
        size_t length = strlen(codes[n]);
        if (count < length || memcmp(bytes, codes[n], length) != 0) continue;
        *key = keys[n];
        if (*key == ASKGATE_KEY_TAB) *mods = ASKGATE_MOD_SHIFT;
        return length;
    }
    switch (bytes[0]) {
    case '\r':
    case '\n': *key = ASKGATE_KEY_ENTER; return 1;
    case '\t': *key = ASKGATE_KEY_TAB; return 1;
    case '\033': *key = ASKGATE_KEY_ESC; return 1;
    case '\b':
    case 0x7f: *key = ASKGATE_KEY_BACKSPACE; return 1;
    default: break;
    }
    if (bytes[0] < 0x20) {
        *character = bytes[0] + 'a' - 1u;
        *mods = ASKGATE_MOD_CTRL;
        return 1;
    }
    if (bytes[0] < 0x80) return 1;
    size_t more = bytes[0] < 0xe0 ? 1 : bytes[0] < 0xf0 ? 2 : 3;
    *character = bytes[0] & (0x3fu >> more);
    for (size_t n = 1; n <= more && n < count; n++) *character = *character << 6 | (bytes[n] & 0x3fu);
    return more < count ? more + 1 : count;
}

static void press(const unsigned char *bytes, size_t count, uint64_t now) {
    while (count > 0) {
        int32_t key;
        uint32_t character, mods;
        askgate_effect effect;
        size_t taken = read_key(bytes, count, &key, &character, &mods);
        if (askgate_modal_key(modal, now, key, character, mods, &effect) == ASKGATE_OK) act(&effect, now);
        bytes += taken;
        count -= taken;
    }
}

/* How long nothing will happen, in milliseconds; -1 for ever. */
static int patience(uint64_t now) {
    bool has[2];
    uint64_t at[2], first = UINT64_MAX;
    check(askgate_gate_next_deadline(gate, &has[0], &at[0]), "next deadline");
    check(askgate_modal_next_deadline(modal, &has[1], &at[1]), "next deadline");
    for (int n = 0; n < 2; n++)
        if (has[n] && at[n] < first) first = at[n];
    if (first == UINT64_MAX) return -1;
    if (first <= now) return 0;
    return first - now < 60000 ? (int)(first - now) : 60000;
}

int main(int argc, char **argv) {
    const char *request = argc > 1 ? argv[1] : "{\"surface_id\":\"tty\",\"kind\":\"yesno\",\"title\":\"Deploy?\"}";
    uint64_t now = milliseconds();
    check(askgate_gate_new(ASKGATE_ABI_VERSION, NULL, &gate), "gate");

    askgate_ask ask;
    memset(&ask, 0, sizeof ask);
    ask.request = askgate_str(request);
    if (strstr(request, "\"questions\"") != NULL) {
        ask.dialect = ASKGATE_DIALECT_SESSION;
        ask.session = askgate_str("tty");
        ask.run = askgate_str("host");
        check(askgate_gate_bind(gate, now, ask.session, 1), "bind");
        claim.kind = ASKGATE_CLAIM_SESSION;
        claim.session = ask.session;
        claim.run = ask.run;
        claim.has_connection = 1;
        claim.connection = 1;
    } else {
        ask.dialect = ASKGATE_DIALECT_AGENT;
        claim.kind = ASKGATE_CLAIM_REQUEST;
    }
    check(askgate_gate_ask(gate, now, &ask, &claim.prompt), "ask");

    askgate_prompt prompt;
    askgate_modal_options options;
    check(askgate_gate_prompt(gate, claim.prompt, &prompt), "prompt");
    check(askgate_modal_options_init(&options), "options");
    /* The guard is against keys that were meant for something else; a file of keys has none. */
    if (!isatty(STDIN_FILENO)) options.has_guard = 1;
    check(askgate_modal_new(ASKGATE_ABI_VERSION, now, prompt.json, &options, &modal), "modal");

    if (tcgetattr(STDIN_FILENO, &saved) == 0) {
        struct termios raw = saved;
        raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ISIG);
        tcsetattr(STDIN_FILENO, TCSANOW, &raw);
        atexit(restore);
    }
    draw();
    int status;
    while ((status = ended(now)) < 0) {
        struct pollfd input = {STDIN_FILENO, POLLIN, 0};
        int ready = poll(&input, 1, patience(now));
        now = milliseconds();
        askgate_effect effect;
        check(askgate_modal_tick(modal, now, &effect), "tick");
        act(&effect, now);
        if (ready <= 0) continue;
        unsigned char bytes[256];
        ssize_t count = read(STDIN_FILENO, bytes, sizeof bytes);
        if (count > 0) press(bytes, (size_t)count, now);
        else check(askgate_gate_shutdown(gate, now, NULL), "shutdown");
    }
    askgate_modal_free(modal);
    askgate_gate_free(gate);
    return status;
}
