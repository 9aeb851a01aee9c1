/* "kind": "gate" */

#include "json.h"
#include "scenario.h"

#include <string.h>

struct host {
    askgate_gate *gate;
    uint64_t now;
    /* A label's connection is its place in this list. */
    askgate_text labels[64];
    size_t count;
};

static void free_gate(void *gate) {
    askgate_gate_free(gate);
}

askgate_gate *new_gate(const askgate_config *config) {
    askgate_gate *gate;
    ok(askgate_gate_new(ASKGATE_ABI_VERSION, config, &gate));
    free_later(gate, free_gate);
    return gate;
}

int32_t protocol_of(const char *name);

static uint64_t connection_of(struct host *host, askgate_text label) {
    size_t n = 0;
    while (n < host->count && (host->labels[n].len != label.len || memcmp(host->labels[n].data, label.data, label.len) != 0)) n++;
    if (n == sizeof host->labels / sizeof *host->labels) fail("too many connections");
    if (n == host->count) host->labels[host->count++] = label;
    return n;
}

json_t *refused(askgate_gate *gate, askgate_result result, int is_ask) {
    askgate_error error;
    if (result < ASKGATE_REFUSED) ok(result);
    ok(askgate_gate_error(gate, &error));
    if (error.result != result) fail("askgate_gate_error gives %d for %d", (int)error.result, (int)result);
    json_t *said = hold(json_pack("{s:o}", "error", string(error.code)));
    if (is_ask) return said;
    if (error.field.data != NULL) json_object_set_new(said, "field", string(error.field));
    if (error.outcome != ASKGATE_OUTCOME_NONE) json_object_set_new(said, "outcome", string(askgate_outcome_name(error.outcome)));
    if (result == ASKGATE_REFUSED_INVALID_ANSWER) json_object_set_new(said, "path", string(error.path));
    return said;
}

static askgate_address read_address(json_t *given) {
    askgate_address address;
    address.platform = need_string(given, "platform");
    address.bot = need_string(given, "bot");
    address.chat = need_string(given, "chat");
    address.thread = take_string(given, "thread");
    address.user = need_string(given, "user");
    done(given);
    return address;
}

static askgate_claim read_claim(struct host *host, json_t *given) {
    askgate_claim claim;
    memset(&claim, 0, sizeof claim);
    const char *kind = need_text(given, "kind");
    claim.prompt = need_number(given, "prompt");
    if (strcmp(kind, "request") == 0) {
        claim.kind = ASKGATE_CLAIM_REQUEST;
        claim.surface = take_string(given, "surface");
        claim.user = take_string(given, "user");
    } else {
        claim.session = need_string(given, "session");
        claim.run = need_string(given, "run");
        claim.kind = strcmp(kind, "session") == 0 ? ASKGATE_CLAIM_SESSION : ASKGATE_CLAIM_CHAT;
        if (claim.kind == ASKGATE_CLAIM_CHAT) claim.address = read_address(need_object(given, "address"));
    }
    askgate_text connection = take_string(given, "connection");
    if (connection.data != NULL) {
        claim.has_connection = 1;
        claim.connection = connection_of(host, connection);
    }
    done(given);
    return claim;
}

static askgate_resolution read_resolution(json_t *with) {
    askgate_resolution resolution = {0, {NULL, 0}};
    json_t *value;
    if (json_is_string(with)) {
        const char *word = json_string_value(with);
        if (strcmp(word, "decline") == 0) resolution.kind = ASKGATE_RESOLVE_DECLINE;
        else if (strcmp(word, "cancel") == 0) resolution.kind = ASKGATE_RESOLVE_CANCEL;
        else fail("nothing is resolved with \"%s\"", word);
        return resolution;
    }
    if ((value = take(with, "value")) != NULL) {
        resolution.kind = ASKGATE_RESOLVE_VALUE;
        resolution.text = string_of(value);
    } else if ((value = take(with, "cancel")) != NULL) {
        resolution.kind = ASKGATE_RESOLVE_CANCEL;
        resolution.text = string_of(value);
    } else {
        resolution.kind = ASKGATE_RESOLVE_ANSWERS;
        resolution.text = compact(need(with, "answers"));
    }
    done(with);
    return resolution;
}

json_t *make_ask(askgate_gate *gate, uint64_t now, json_t *given, const uint64_t *asker) {
    askgate_ask ask;
    memset(&ask, 0, sizeof ask);
    ask.request = compact(need(given, "request"));
    const char *dialect = need_text(given, "dialect");
    if (strcmp(dialect, "session") == 0) {
        ask.dialect = ASKGATE_DIALECT_SESSION;
        ask.session = need_string(given, "session");
        ask.run = need_string(given, "run");
    } else if (strcmp(dialect, "agent") == 0) {
        ask.dialect = ASKGATE_DIALECT_AGENT;
    } else {
        fail("no dialect is \"%s\"", dialect);
    }
    done(given);
    if (asker != NULL) {
        ask.has_asker = 1;
        ask.asker = *asker;
    }
    uint64_t prompt;
    askgate_result result = askgate_gate_ask(gate, now, &ask, &prompt);
    if (result != ASKGATE_OK) return refused(gate, result, 1);
    askgate_prompt about;
    ok(askgate_gate_prompt(gate, prompt, &about));
    if (about.prompt != prompt || about.dialect != ask.dialect || about.has_asker != (asker != NULL))
        fail("askgate_gate_prompt tells of another prompt");
    parsed(about.json);
    return hold(json_pack("{s:I}", "prompt", (json_int_t)prompt));
}

static json_t *ask(struct host *host, json_t *given) {
    askgate_text label = take_string(given, "asker");
    uint64_t asker = label.data == NULL ? 0 : connection_of(host, label);
    return make_ask(host->gate, host->now, given, label.data == NULL ? NULL : &asker);
}

static json_t *ids(askgate_ids prompts) {
    json_t *list = hold(json_array());
    for (size_t n = 0; n < prompts.len; n++) json_array_append_new(list, json_integer((json_int_t)prompts.data[n]));
    return list;
}

static json_t *number(uint64_t number) {
    return hold(json_integer((json_int_t)number));
}

static json_t *bind(struct host *host, const char *action, json_t *given) {
    askgate_text session = need_string(given, "session");
    bool was = true;
    if (strcmp(action, "bind_chat") == 0) {
        askgate_address address = read_address(need_object(given, "address"));
        ok(askgate_gate_bind_chat(host->gate, host->now, session, &address));
    } else {
        uint64_t connection = connection_of(host, need_string(given, "connection"));
        if (strcmp(action, "bind") == 0) ok(askgate_gate_bind(host->gate, host->now, session, connection));
        else ok(askgate_gate_unbind(host->gate, host->now, session, connection, &was));
    }
    done(given);
    return json_boolean(was);
}

static json_t *with_claim(struct host *host, const char *action, json_t *given, json_t *step) {
    askgate_claim claim = read_claim(host, given);
    askgate_result result;
    if (strcmp(action, "resolve") == 0) {
        askgate_resolution resolution = read_resolution(filled(need(step, "with")));
        int32_t outcome;
        result = askgate_gate_resolve(host->gate, host->now, &claim, &resolution, &outcome);
        return result == ASKGATE_OK ? hold(string(askgate_outcome_name(outcome))) : refused(host->gate, result, 0);
    }
    bool armed;
    if (strcmp(action, "acknowledge") == 0) result = askgate_gate_acknowledge(host->gate, host->now, &claim, &armed);
    else result = askgate_gate_back(host->gate, host->now, &claim, &armed);
    return result == ASKGATE_OK ? json_boolean(armed) : refused(host->gate, result, 0);
}

static json_t *look(struct host *host, const char *action, json_t *value, json_t *step) {
    askgate_gate *gate = host->gate;
    askgate_ids prompts;
    if (strcmp(action, "next_deadline") == 0) {
        bool has;
        uint64_t at;
        ok(askgate_gate_next_deadline(gate, &has, &at));
        json_t *next = has ? number(at) : json_null();
        compare(value, next);
        return next;
    }
    if (strcmp(action, "can_ask") == 0) {
        bool can;
        ok(askgate_gate_can_ask(gate, string_of(item(value, 2, 0)), string_of(item(value, 2, 1)), &can));
        compare(need(step, "is"), json_boolean(can));
        return json_boolean(can);
    }
    if (strcmp(action, "snapshot") == 0) {
        uint64_t seq;
        just_true(value);
        ok(askgate_gate_snapshot(gate, &seq, &prompts));
        return hold(json_pack("{s:I, s:O}", "seq", (json_int_t)seq, "pending", ids(prompts)));
    }
    if (json_is_true(value)) {
        ok(askgate_gate_pending(gate, &prompts));
        return ids(prompts);
    }
    askgate_text surface = take_string(value, "surface");
    if (surface.data != NULL) ok(askgate_gate_pending_on(gate, surface, &prompts));
    else ok(askgate_gate_pending_of(gate, need_string(value, "session"), &prompts));
    done(value);
    return ids(prompts);
}

static json_t *act(struct host *host, const char *action, json_t *value, json_t *step) {
    askgate_gate *gate = host->gate;
    uint64_t now = host->now;
    size_t ended;
    bool is;
    if (strcmp(action, "ask") == 0) return ask(host, value);
    if (strstr(action, "bind") != NULL) return bind(host, action, value);
    if (strcmp(action, "attach_client") == 0) {
        askgate_text session = need_string(value, "session"), run = need_string(value, "run");
        uint64_t connection = connection_of(host, need_string(value, "connection"));
        int32_t protocol = protocol_of(need_text(value, "protocol"));
        askgate_text capabilities = compact(need(value, "capabilities"));
        done(value);
        ok(askgate_gate_attach_client(gate, now, session, run, connection, protocol, capabilities, &is));
        return json_boolean(is);
    }
    if (strcmp(action, "acknowledge") == 0 || strcmp(action, "back") == 0 || strcmp(action, "resolve") == 0)
        return with_claim(host, action, value, step);
    if (strcmp(action, "withdraw") == 0) {
        uint64_t prompt = need_number(value, "prompt"), asker = connection_of(host, need_string(value, "asker"));
        done(value);
        ok(askgate_gate_withdraw(gate, now, prompt, asker, &is));
        return json_boolean(is);
    }
    if (strcmp(action, "poll") == 0) {
        just_true(value);
        return json_null();
    }
    if (strcmp(action, "close_surface") == 0) {
        ok(askgate_gate_close_surface(gate, now, string_of(value), &ended));
    } else if (strcmp(action, "disconnect") == 0) {
        ok(askgate_gate_disconnect(gate, now, connection_of(host, string_of(value)), &ended));
    } else if (strcmp(action, "end_run") == 0) {
        ok(askgate_gate_end_run(gate, now, string_of(item(value, 2, 0)), string_of(item(value, 2, 1)), &ended));
    } else if (strcmp(action, "end_session") == 0) {
        ok(askgate_gate_end_session(gate, now, string_of(value), &ended));
    } else if (strcmp(action, "shutdown") == 0) {
        just_true(value);
        ok(askgate_gate_shutdown(gate, now, &ended));
    } else {
        return look(host, action, value, step);
    }
    return number(ended);
}

json_t *next_event(askgate_gate *gate, uint64_t now, askgate_event *event) {
    ok(askgate_gate_poll(gate, now, event));
    if (event->kind == ASKGATE_EVENT_WAIT) return NULL;
    json_t *value = parsed(event->json);
    record_json(value);
    /* What the members say is what the JSON says. */
    json_t *resolved = json_object_get(value, "resolved"), *shown = json_object_get(value, "shown");
    json_t *about = resolved != NULL ? resolved : shown;
    if (about != NULL && (json_integer_value(json_object_get(about, "seq")) != (json_int_t)event->seq ||
                          json_integer_value(json_object_get(about, "prompt")) != (json_int_t)event->prompt))
        fail("an event's members are not what its JSON says");
    if (resolved != NULL) {
        json_t *answers = json_object_get(resolved, "answers");
        json_t *outcome = hold(string(askgate_outcome_name(event->outcome)));
        if (!json_equal(outcome, json_object_get(resolved, "outcome"))) fail("an event's outcome is not what its JSON says");
        if ((answers != NULL) != (event->answer.data != NULL)) fail("an event's answer is not what its JSON says");
        if (answers != NULL && !json_equal(answers, json_is_string(answers) ? hold(string(event->answer)) : parsed(event->answer)))
            fail("an event's answer is not what its JSON says");
        if (event->tool_result.data != NULL) parsed(event->tool_result);
    }
    return value;
}

static void play_step(void *of, json_t *step) {
    static const char *const actions[] = {
        "ask", "bind", "unbind", "bind_chat", "attach_client", "acknowledge", "back", "resolve", "withdraw", "close_surface",
        "disconnect", "end_run", "end_session", "shutdown", "poll", "next_deadline", "can_ask", "pending", "snapshot",
    };
    struct host *host = of;
    json_t *value = NULL, *result = NULL;
    take_number(step, "at", &host->now);
    for (size_t n = 0; n < sizeof actions / sizeof *actions && value == NULL; n++)
        if ((value = take(step, actions[n])) != NULL) result = act(host, actions[n], filled(value), step);
    if (value == NULL) fail("no action that is known: %s", canonical(step));
    record_json(result);
    json_t *wanted = take(step, "result"), *expected = take(step, "expect"), *events = hold(json_array());
    askgate_event about;
    for (json_t *event; (event = next_event(host->gate, host->now, &about)) != NULL;) json_array_append(events, event);
    if (wanted != NULL) compare(wanted, result);
    compare(expected == NULL ? hold(json_array()) : expected, events);
}

void play_gate(json_t *file) {
    struct host host = {0};
    json_t *given = take(file, "config");
    askgate_config config = read_config(given);
    done(given);
    json_t *steps = need(file, "steps");
    done(file);
    host.gate = new_gate(&config);
    each_step(steps, play_step, &host);
}

/* "kind": "elicitation" */

struct client {
    int32_t protocol;
    askgate_text capabilities;
    askgate_ask ask;
};

/* Makes a fresh gate with a prompt for its run's client: false if the client cannot be asked. */
static bool asked(const struct client *client, askgate_gate **fresh, uint64_t *prompt) {
    bool able;
    askgate_gate *gate = *fresh = new_gate(NULL);
    ok(askgate_gate_attach_client(gate, 0, client->ask.session, client->ask.run, 1, client->protocol, client->capabilities, &able));
    askgate_result result = askgate_gate_ask(gate, 0, &client->ask, prompt);
    if (result == ASKGATE_REFUSED_UNAVAILABLE && !able) return false;
    ok(result);
    return true;
}

static void respond(void *of, json_t *step) {
    const struct client *client = of;
    int32_t outcome;
    askgate_event event;
    askgate_claim claim;
    memset(&claim, 0, sizeof claim);
    askgate_gate *gate;
    json_t *give = filled(need(step, "give")), *result = need(step, "result");
    if (!asked(client, &gate, &claim.prompt)) {
        askgate_error error;
        ok(askgate_gate_error(gate, &error));
        json_t *refused = parsed(error.tool_result);
        record_json(refused);
        compare(result, refused);
        return;
    }
    if (client->protocol == ASKGATE_PROTOCOL_MCP_2026_07_28 && json_object_get(give, "inputResponses") == NULL)
        give = hold(json_pack("{s:{s:O}}", "inputResponses", "ask", give));
    claim.kind = ASKGATE_CLAIM_SESSION;
    claim.session = client->ask.session;
    claim.run = client->ask.run;
    claim.has_connection = 1;
    claim.connection = 1;
    ok(askgate_gate_respond(gate, 0, &claim, client->protocol, compact(give), &outcome));
    do ok(askgate_gate_poll(gate, 0, &event));
    while (event.kind != ASKGATE_EVENT_RESOLVED && event.kind != ASKGATE_EVENT_WAIT);
    if (event.kind == ASKGATE_EVENT_WAIT || event.outcome != outcome) fail("the response ended nothing");
    json_t *got = parsed(event.tool_result);
    record_json(got);
    compare(result, got);
}

static askgate_scope read_scope(json_t *given) {
    askgate_scope scope;
    memset(&scope, 0, sizeof scope);
    scope.kind = ASKGATE_SCOPE_SESSION;
    scope.session_id = askgate_str("s");
    if (given == NULL) return scope;
    json_t *request_id = take_either(given, "requestId", "request_id"), *session, *call;
    if (json_is_integer(request_id)) {
        scope.kind = ASKGATE_SCOPE_REQUEST_NUMBER;
        scope.request_number = json_integer_value(request_id);
    } else if (request_id != NULL) {
        scope.kind = ASKGATE_SCOPE_REQUEST;
        scope.request_id = string_of(request_id);
    } else {
        if ((session = take_either(given, "sessionId", "session_id")) == NULL) fail("the scope has no session");
        scope.session_id = string_of(session);
        if ((call = take_either(given, "toolCallId", "tool_call_id")) != NULL) scope.tool_call_id = string_of(call);
    }
    done(given);
    return scope;
}

void play_elicitation(json_t *file) {
    struct client client;
    memset(&client, 0, sizeof client);
    client.protocol = protocol_of(need_text(file, "protocol"));
    json_t *request = hold(json_pack("{s:O}", "questions", need(file, "questions")));
    json_t *timeout = take(file, "timeout_ms"), *capabilities = take(file, "capabilities"), *expected = take(file, "request");
    if (timeout != NULL) json_object_set(request, "timeout_ms", timeout);
    askgate_scope scope = read_scope(take(file, "scope"));
    json_t *responses = take(file, "responses");
    done(file);
    client.capabilities = capabilities == NULL ? askgate_str("{\"elicitation\":{\"form\":{}}}") : compact(capabilities);
    client.ask.dialect = ASKGATE_DIALECT_SESSION;
    client.ask.request = compact(request);
    client.ask.session = askgate_str("s");
    client.ask.run = askgate_str("r");
    uint64_t prompt;
    askgate_text json;
    json_t *sent = json_null();
    askgate_gate *gate;
    if (asked(&client, &gate, &prompt)) {
        ok(askgate_gate_elicitation(gate, prompt, client.protocol, &scope, &json));
        sent = parsed(json);
    }
    record_json(sent);
    /* What an endpoint puts around the request is not compared. */
    if (json_is_object(expected)) take(expected, "jsonrpc"), take(expected, "id");
    if (expected != NULL) compare(expected, sent);
    if (responses != NULL) each_step(responses, respond, &client);
}
