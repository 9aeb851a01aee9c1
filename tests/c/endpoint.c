/* "kind": "endpoint" */

#include "json.h"
#include "scenario.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct host {
    askgate_endpoint *endpoint;
    uint64_t now;
    int availability;
    struct {
        askgate_text label;
        uint64_t id;
        /* 0: gone; 2: gone with this step, whose outputs may still be for it; 3: open, with its label connected again. */
        int open;
    } connections[64];
    size_t count;
};

static void free_endpoint(void *endpoint) {
    askgate_endpoint_free(endpoint);
}

static size_t open_connection(struct host *host, askgate_text label) {
    for (size_t n = host->count; n-- > 0;) {
        askgate_text own = host->connections[n].label;
        if (host->connections[n].open == 1 && own.len == label.len && memcmp(own.data, label.data, own.len) == 0) return n;
    }
    return SIZE_MAX;
}

static size_t need_connection(struct host *host, askgate_text label) {
    size_t n = open_connection(host, label);
    if (n == SIZE_MAX) fail("\"%.*s\" is not open", ASKGATE_PRINT(label));
    return n;
}

int32_t protocol_of(const char *name) {
    if (strcmp(name, "acp") == 0) return ASKGATE_PROTOCOL_ACP;
    if (strcmp(name, "mcp-2025-11-25") == 0) return ASKGATE_PROTOCOL_MCP_2025_11_25;
    if (strcmp(name, "mcp-2026-07-28") == 0) return ASKGATE_PROTOCOL_MCP_2026_07_28;
    fail("no protocol is \"%s\"", name);
}

static void open_one(struct host *host, askgate_text label, json_t *step) {
    uint32_t authority = 0;
    if (take_flag(step, "observer", 0)) authority |= ASKGATE_AUTHORITY_OBSERVER;
    if (take_flag(step, "answer", 1)) authority |= ASKGATE_AUTHORITY_ANSWER;
    if (take_flag(step, "operator", 0)) authority |= ASKGATE_AUTHORITY_OPERATOR;
    if (take_flag(step, "runtime", 0)) authority |= ASKGATE_AUTHORITY_RUNTIME;
    size_t before = open_connection(host, label);
    if (before != SIZE_MAX) host->connections[before].open = 3;
    if (host->count == sizeof host->connections / sizeof *host->connections) fail("too many connections");
    size_t n = host->count++;
    host->connections[n].label = label;
    host->connections[n].open = 1;
    ok(askgate_endpoint_connect(host->endpoint, host->now, authority, &host->connections[n].id));
    if (json_object_get(step, "client") == NULL) return;
    json_t *client = need_object(step, "client");
    int32_t protocol = protocol_of(need_text(client, "protocol"));
    askgate_text capabilities = compact(need(client, "capabilities"));
    askgate_text session = need_string(client, "session"), run = need_string(client, "run");
    done(client);
    ok(askgate_endpoint_attach_client(host->endpoint, host->now, host->connections[n].id, session, run, protocol,
                                      capabilities, NULL));
}

static askgate_text bytes_of(askgate_text hex) {
    char *bytes = hold_text(malloc(hex.len / 2 + 1));
    for (size_t n = 0; n + 1 < hex.len; n += 2) {
        char pair[3] = {hex.data[n], hex.data[n + 1], 0};
        bytes[n / 2] = (char)strtoul(pair, NULL, 16);
    }
    askgate_text text = {bytes, hex.len / 2};
    return text;
}

static void give_line(struct host *host, askgate_text label, json_t *step) {
    json_t *value;
    askgate_text line;
    if ((value = take(step, "send")) != NULL) line = compact(filled(value));
    else if ((value = take(step, "raw")) != NULL) line = string_of(value);
    else line = bytes_of(need_string(step, "raw_hex"));
    size_t n = need_connection(host, label);
    ok(askgate_endpoint_receive(host->endpoint, host->now, host->connections[n].id, line));
}

static void report(struct host *host, const char *action, json_t *value) {
    askgate_result result;
    if (strcmp(action, "pane_closed") == 0) {
        result = askgate_endpoint_pane_closed(host->endpoint, host->now, string_of(value), NULL);
    } else if (strcmp(action, "pane_opened") == 0) {
        uint64_t request = number_of(item(value, 3, 0));
        result = askgate_endpoint_pane_opened(host->endpoint, host->now, request, string_of(item(value, 3, 1)),
                                              string_of(item(value, 3, 2)));
    } else {
        uint64_t request = number_of(item(value, 2, 0));
        result = askgate_endpoint_pane_failed(host->endpoint, host->now, request, string_of(item(value, 2, 1)));
    }
    /* A report that matches nothing is refused, and the scenario says so by its outputs alone. */
    if (result > 0 && result < ASKGATE_TOO_SMALL) ok(result);
}

static void act(struct host *host, json_t *step) {
    json_t *value;
    const char *action;
    askgate_endpoint *endpoint = host->endpoint;
    uint64_t now = host->now;
    if ((value = take(step, "connect")) != NULL) {
        open_one(host, string_of(value), step);
    } else if ((value = take(step, "from")) != NULL) {
        give_line(host, string_of(value), step);
    } else if ((value = take(step, "disconnect")) != NULL) {
        size_t n = need_connection(host, string_of(value));
        host->connections[n].open = 2;
        ok(askgate_endpoint_disconnect(endpoint, now, host->connections[n].id, NULL));
    } else if ((value = take(step, "poll")) != NULL) {
        just_true(value);
    } else if ((value = take(step, "next_deadline")) != NULL) {
        bool has;
        uint64_t at;
        ok(askgate_endpoint_next_deadline(endpoint, &has, &at));
        json_t *next = has ? hold(json_integer((json_int_t)at)) : json_null();
        record_json(next);
        compare(value, next);
    } else if ((value = take(step, "close_surface")) != NULL) {
        ok(askgate_endpoint_close_surface(endpoint, now, string_of(value), NULL));
    } else if ((value = take(step, "end_run")) != NULL) {
        askgate_text session = string_of(item(value, 2, 0)), run = string_of(item(value, 2, 1));
        ok(askgate_endpoint_end_run(endpoint, now, session, run, NULL));
    } else if ((value = take(step, "end_session")) != NULL) {
        ok(askgate_endpoint_end_session(endpoint, now, string_of(value), NULL));
    } else if ((value = take(step, "shutdown")) != NULL) {
        just_true(value);
        ok(askgate_endpoint_shutdown(endpoint, now, NULL));
    } else if ((value = take(step, "can_ask")) != NULL) {
        bool can;
        ok(askgate_endpoint_can_ask(endpoint, string_of(item(value, 2, 0)), string_of(item(value, 2, 1)), &can));
        record_json(json_boolean(can));
        compare(need(step, "is"), json_boolean(can));
    } else {
        static const char *const reports[] = {"pane_opened", "pane_failed", "pane_closed"};
        for (size_t n = 0; n < 3; n++)
            if ((value = take(step, action = reports[n])) != NULL) {
                report(host, action, value);
                return;
            }
        fail("no action that is known: %s", canonical(step));
    }
}

static json_t *sent(struct host *host, const askgate_output *output) {
    for (size_t n = 0; n < host->count; n++) {
        if (host->connections[n].id != output->connection) continue;
        askgate_text label = host->connections[n].label, line = output->line;
        if (!host->connections[n].open) fail("an output to a connection that is gone: %.*s", ASKGATE_PRINT(line));
        if (memchr(line.data, '\n', line.len) != NULL || memchr(line.data, '\r', line.len) != NULL)
            fail("an output of more than one line: %.*s", ASKGATE_PRINT(line));
        json_t *name = hold(string(label));
        const char *to = canonical(name);
        size_t size = strlen(to) + line.len + 32;
        char *text = hold_text(malloc(size));
        snprintf(text, size, "{\"to\":%s,\"line\":%.*s}", to, ASKGATE_PRINT(line));
        record(text);
        return json_pack("{s:O, s:O}", "to", name, "line", parsed(line));
    }
    fail("no connection is %llu", (unsigned long long)output->connection);
}

static json_t *written(struct host *host, const askgate_output *output) {
    static const char *const placements[] = {"", "workspace", "right", "down"};
    json_t *value;
    switch (output->kind) {
    case ASKGATE_OUTPUT_SEND:
        return sent(host, output);
    case ASKGATE_OUTPUT_OPEN_PANE:
        if (output->placement < 1 || output->placement > 3) fail("no placement is %d", (int)output->placement);
        value = json_pack("{s:{s:I, s:s}}", "open_pane", "request", (json_int_t)output->request, "placement",
                          placements[output->placement]);
        break;
    case ASKGATE_OUTPUT_CLOSE_PANE:
        value = json_pack("{s:o}", "close_pane", string(output->agent));
        break;
    case ASKGATE_OUTPUT_AVAILABILITY:
        if (!host->availability) return NULL;
        value = json_pack("{s:[o, o], s:b}", "available", string(output->session), string(output->run), "is",
                          (int)output->available);
        break;
    default:
        fail("no output is of kind %d", (int)output->kind);
    }
    record_json(value);
    return value;
}

static void play_step(void *of, json_t *step) {
    struct host *host = of;
    take_number(step, "at", &host->now);
    act(host, step);
    json_t *expected = take(step, "expect"), *outputs = hold(json_array());
    for (;;) {
        askgate_output output;
        ok(askgate_endpoint_poll(host->endpoint, host->now, &output));
        if (output.kind == ASKGATE_OUTPUT_WAIT) break;
        json_t *value = written(host, &output);
        if (value != NULL) json_array_append_new(outputs, value);
    }
    for (size_t n = 0; n < host->count; n++)
        if (host->connections[n].open == 2) host->connections[n].open = 0;
    compare(expected == NULL ? hold(json_array()) : expected, outputs);
}

void play_endpoint(json_t *file) {
    struct host host = {0};
    json_t *given = take(file, "config");
    askgate_config config = read_config(given);
    host.availability = take_flag(given, "availability", 0);
    done(given);
    json_t *steps = need(file, "steps");
    done(file);
    ok(askgate_endpoint_new(ASKGATE_ABI_VERSION, &config, &host.endpoint));
    free_later(host.endpoint, free_endpoint);
    each_step(steps, play_step, &host);
}
