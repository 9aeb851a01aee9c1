/* "kind": "chat" */

#include "json.h"
#include "scenario.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The bot account, and the application at Discord. */
#define BOT "1"
/* The id of the first message that the bot sends, as a number and as text. */
#define FIRST_MESSAGE 1001
#define FIRST_MESSAGE_ID "1001"

/* A host of one router, and the platform that it talks to. */
struct host {
    int32_t platform;
    askgate_gate *gate;
    askgate_router *router;
    uint64_t now;
    /* Where the next prompt of dialect A is to be shown, and who may answer there. */
    askgate_audience audiences[8];
    size_t audience_count;
    askgate_text users[8][8];
    /* The numbers of all effects, in order. */
    json_t *effects;
    /* The messages sent: {"id", "path", "bodies": from the first to the last}. */
    json_t *messages;
    /* The tokens of the text fields opened. */
    json_t *fields;
    /* The message that was pressed last. */
    askgate_text pressed;
    unsigned char shown;
    uint64_t events;
};

static void free_router(void *router) {
    askgate_router_free(router);
}

static void start(struct host *host, const askgate_config *config, int key_byte) {
    unsigned char key[32];
    memset(key, key_byte, sizeof key);
    host->gate = new_gate(config);
    ok(askgate_router_new(ASKGATE_ABI_VERSION, host->platform, askgate_str(BOT), key, &host->router));
    free_later(host->router, free_router);
}

static int is_telegram(const struct host *host) {
    return host->platform == ASKGATE_PLATFORM_TELEGRAM;
}

static int equals(json_t *value, askgate_text text) {
    return json_is_string(value) && json_string_length(value) == text.len &&
           memcmp(json_string_value(value), text.data, text.len) == 0;
}

static askgate_text or_else(askgate_text text, askgate_text otherwise) {
    return text.data == NULL ? otherwise : text;
}

static askgate_text decimal(uint64_t number) {
    char *text = hold_text(malloc(24));
    snprintf(text, 24, "%llu", (unsigned long long)number);
    return askgate_str(text);
}

/* An id as the platform sends it: Telegram's are numbers. */
static json_t *platform_id(askgate_text text) {
    char *end;
    errno = 0;
    long long number = strtoll(text.data, &end, 10);
    return text.len > 0 && *end == 0 && errno == 0 ? json_integer(number) : string(text);
}

/* The text of an id that the platform sends as a number or as text. */
static askgate_text id_text(json_t *id) {
    return json_is_string(id) ? string_of(id) : compact(id);
}

static json_t *message_of(const struct host *host, askgate_text id) {
    size_t n;
    json_t *message;
    json_array_foreach(host->messages, n, message) if (equals(json_object_get(message, "id"), id)) return message;
    return NULL;
}

/* The body that a message was sent with, or NULL. */
static json_t *sent(const struct host *host, askgate_text id) {
    return json_array_get(json_object_get(message_of(host, id), "bodies"), 0);
}

/* The chat that a message was sent to; all of Discord's messages in a scenario go to one. */
static askgate_text chat_of(const struct host *host, askgate_text id) {
    if (is_telegram(host)) {
        json_t *body = sent(host, id);
        return body == NULL ? askgate_str("-100") : id_text(json_object_get(body, "chat_id"));
    }
    const char *path = json_string_value(json_object_get(json_array_get(host->messages, 0), "path"));
    if (path == NULL || strncmp(path, "/channels/", 10) != 0) return askgate_str("100");
    askgate_text chat = {path + 10, strcspn(path + 10, "/")};
    return chat;
}

static askgate_text thread_of(const struct host *host, askgate_text id) {
    json_t *thread = json_object_get(sent(host, id), "message_thread_id");
    askgate_text absent = {NULL, 0};
    return thread == NULL ? absent : id_text(thread);
}

/* The token of a button of a message's body, found by its label or as `menu:N`; NULL where there is none. */
static json_t *token_in(const struct host *host, json_t *body, askgate_text button) {
    static const char menu[] = "menu:";
    int by_label = is_telegram(host) || strncmp(button.data, menu, sizeof menu - 1) != 0;
    unsigned long menus = by_label ? 0 : strtoul(button.data + sizeof menu - 1, NULL, 10);
    json_t *keyboard = json_object_get(json_object_get(body, "reply_markup"), "inline_keyboard"), *row, *part;
    size_t m, n;
    json_array_foreach(is_telegram(host) ? keyboard : json_object_get(body, "components"), m, row) {
        json_array_foreach(is_telegram(host) ? row : json_object_get(row, "components"), n, part) {
            int is_it = equals(json_object_get(part, is_telegram(host) ? "text" : "label"), button);
            if (!by_label) is_it = json_integer_value(json_object_get(part, "type")) == 3 && menus-- == 0;
            if (is_it) return json_object_get(part, is_telegram(host) ? "callback_data" : "custom_id");
        }
    }
    return NULL;
}

/* The token of a button on the message of that id, or on the last message that has it; writes which message that is. */
static askgate_text token_of(const struct host *host, askgate_text button, askgate_text *id) {
    /* A button that a message had once can still be pressed, late. */
    for (int late = 0; late < 2; late++) {
        for (size_t n = json_array_size(host->messages); n-- > 0;) {
            json_t *message = json_array_get(host->messages, n), *own = json_object_get(message, "id");
            json_t *bodies = json_object_get(message, "bodies");
            if (id->data != NULL && !equals(own, *id)) continue;
            size_t most = json_array_size(bodies), least = late ? 0 : most - 1;
            for (size_t at = most; at-- > least;) {
                json_t *token = token_in(host, json_array_get(bodies, at), button);
                if (token == NULL) continue;
                *id = string_of(own);
                return string_of(token);
            }
        }
    }
    fail("no message has the button \"%.*s\"", ASKGATE_PRINT(button));
}

/* The token that is pressed, cut and changed as the file says. */
static char *pressed_token(struct host *host, json_t *press, askgate_text *message) {
    askgate_text token = take_string(press, "token"), button = take_string(press, "button");
    uint64_t at;
    if (token.data == NULL && button.data != NULL) {
        token = token_of(host, button, message);
    } else {
        size_t fields = json_array_size(host->fields);
        if (token.data == NULL && fields == 0) fail("no text field");
        if (token.data == NULL) token = string_of(json_array_get(host->fields, fields - 1));
        *message = or_else(*message, askgate_str(FIRST_MESSAGE_ID));
    }
    char *copy = hold_text(malloc(token.len + 1));
    memcpy(copy, token.data, token.len);
    copy[token.len] = 0;
    if (take_number(press, "cut", &at)) {
        if (at > token.len) fail("the token has %zu characters", token.len);
        copy[at] = 0;
    }
    if (take_number(press, "tamper", &at)) {
        if (at >= strlen(copy)) fail("the token has %zu characters", strlen(copy));
        copy[at] = copy[at] == 'A' ? 'B' : 'A';
    }
    return copy;
}

static json_t *telegram_press(struct host *host, json_t *query, askgate_text message, askgate_text chat,
                              askgate_text thread, int without_message, int inaccessible) {
    if (without_message) {
        json_object_set_new(query, "inline_message_id", json_string("i"));
    } else {
        json_t *shown = json_pack("{s:o, s:i, s:{s:o, s:s}}", "message_id", platform_id(message), "date", inaccessible ? 0 : 1,
                                  "chat", "id", platform_id(chat), "type", "group");
        if (!inaccessible && thread.data != NULL) {
            json_object_set_new(shown, "message_thread_id", platform_id(thread));
            json_object_set_new(shown, "is_topic_message", json_true());
        }
        json_object_set_new(query, "message", shown);
    }
    return json_pack("{s:I, s:o}", "update_id", (json_int_t)host->events, "callback_query", query);
}

/* The update that a press makes. */
static json_t *press_update(struct host *host, json_t *press) {
    askgate_text by = need_string(press, "by"), message = take_string(press, "message"), typed = take_string(press, "text");
    const char *token = pressed_token(host, press, &message);
    host->events++;
    askgate_text event = or_else(take_string(press, "event"), decimal(5000 + host->events));
    askgate_text chat = or_else(take_string(press, "chat"), chat_of(host, message));
    askgate_text thread = or_else(take_string(press, "thread"), thread_of(host, message));
    int without_message = take_flag(press, "without_message", 0), inaccessible = take_flag(press, "inaccessible", 0);
    json_t *values = take(press, "values");
    done(press);
    host->pressed = message;
    if (is_telegram(host)) {
        json_t *query = json_pack("{s:o, s:{s:o, s:b, s:s}, s:s, s:s}", "id", string(event), "from", "id", platform_id(by), "is_bot",
                                  0, "first_name", "x", "chat_instance", "1", "data", token);
        return hold(telegram_press(host, query, message, chat, thread, without_message, inaccessible));
    }
    json_t *data;
    if (typed.data != NULL) {
        data = json_pack("{s:s, s:[{s:i, s:i, s:{s:i, s:i, s:s, s:o}}]}", "custom_id", token, "components", "type", 18, "id", 1,
                         "component", "type", 4, "id", 2, "custom_id", "text", "value", string(typed));
    } else {
        data = json_pack("{s:s, s:i}", "custom_id", token, "component_type", values == NULL ? 2 : 3);
        if (values != NULL) json_object_set(data, "values", values);
    }
    json_t *interaction = json_pack("{s:o, s:s, s:i, s:s, s:i, s:o, s:{s:{s:o}}, s:o}", "id", string(event), "application_id", BOT,
                                    "type", typed.data == NULL ? 3 : 5, "token", "interaction", "version", 1, "channel_id",
                                    string(chat), "member", "user", "id", string(by), "data", data);
    if (!without_message) json_object_set_new(interaction, "message", json_pack("{s:o}", "id", string(message)));
    return hold(json_pack("{s:s, s:o}", "t", "INTERACTION_CREATE", "d", interaction));
}

static json_t *telegram_message(askgate_text id, askgate_text by, askgate_text chat, askgate_text thread,
                                askgate_text reply_to, askgate_text words) {
    json_t *message = json_pack("{s:o, s:i, s:{s:o, s:s}, s:{s:o, s:b, s:s}}", "message_id", platform_id(id), "date", 1, "chat", "id",
                                platform_id(chat), "type", "group", "from", "id", platform_id(by), "is_bot", 0, "first_name", "x");
    if (thread.data != NULL) {
        json_object_set_new(message, "message_thread_id", platform_id(thread));
        json_object_set_new(message, "is_topic_message", json_true());
    }
    if (reply_to.data != NULL)
        json_object_set_new(message, "reply_to_message",
                            json_pack("{s:o, s:i, s:{s:o}}", "message_id", platform_id(reply_to), "date", 1, "chat", "id",
                                      platform_id(chat)));
    if (words.data != NULL) json_object_set_new(message, "text", string(words));
    return message;
}

static json_t *discord_message(askgate_text id, askgate_text by, askgate_text chat, askgate_text reply_to, askgate_text words) {
    json_t *message = json_pack("{s:o, s:o, s:i, s:{s:o}, s:o, s:[]}", "id", string(id), "channel_id", string(chat), "type",
                                reply_to.data == NULL ? 0 : 19, "author", "id", string(by), "content",
                                string(or_else(words, askgate_str(""))), "attachments");
    if (reply_to.data != NULL)
        json_object_set_new(message, "message_reference",
                            json_pack("{s:i, s:o, s:o}", "type", 0, "message_id", string(reply_to), "channel_id", string(chat)));
    return message;
}

/* The update that a message makes. */
static json_t *say_update(struct host *host, json_t *say) {
    host->events++;
    askgate_text words = take_string(say, "text"), by = need_string(say, "by");
    askgate_text id = or_else(take_string(say, "id"), decimal(9000 + host->events));
    askgate_text chat = or_else(take_string(say, "chat"), chat_of(host, askgate_str(FIRST_MESSAGE_ID)));
    askgate_text thread = take_string(say, "thread"), reply_to = take_string(say, "reply_to");
    int edited = take_flag(say, "edited", 0);
    json_t *more = take(say, "more");
    done(say);
    json_t *message = is_telegram(host) ? telegram_message(id, by, chat, thread, reply_to, words)
                                        : discord_message(id, by, chat, reply_to, words);
    if (more != NULL && json_object_update(message, more) != 0) fail("\"more\" is no object");
    if (is_telegram(host))
        return hold(json_pack("{s:I, s:o}", "update_id", (json_int_t)host->events, edited ? "edited_message" : "message", message));
    return hold(json_pack("{s:s, s:o}", "t", edited ? "MESSAGE_UPDATE" : "MESSAGE_CREATE", "d", message));
}

/* Gives an update to the router, and says what became of it. */
static json_t *handle(struct host *host, json_t *update) {
    static const char *const names[] = {"",          "taken",    "expired", "not_for_you",  "refused", "duplicate",
                                        "captured", "hint",     "not_captured", "lost",    "ignored"};
    askgate_handled handled;
    ok(askgate_router_handle(host->router, host->gate, host->now, compact(update), &handled));
    if (handled.kind < ASKGATE_HANDLED_TAKEN || handled.kind > ASKGATE_HANDLED_IGNORED)
        fail("nothing becomes %d of an update", (int)handled.kind);
    int has_reason = handled.kind == ASKGATE_HANDLED_REFUSED || handled.kind == ASKGATE_HANDLED_HINT;
    if (has_reason != (handled.reason.data != NULL)) fail("the reason does not go with what became of it");
    if (has_reason) return hold(json_pack("{s:o}", names[handled.kind], string(handled.reason)));
    return hold(json_string(names[handled.kind]));
}

static askgate_report report_answer(struct host *host, uint64_t effect, uint16_t status, askgate_text answer) {
    askgate_report report;
    ok(askgate_router_report(host->router, host->gate, host->now, effect, status, answer, &report));
    if (report.has_after ? report.kind != ASKGATE_REPORT_RETRY : report.after_ms != 0)
        fail("what a report says to wait does not go with its kind");
    return report;
}

static json_t *report(struct host *host, json_t *given) {
    static const char *const names[] = {"done", "Benign", "Retry { after_ms: None }", "Gone", "Lost", "Rejected"};
    uint64_t number = need_number(given, "effect"), status = 0;
    int has_status = take_number(given, "status", &status);
    askgate_text answer = compact(need(given, "answer"));
    done(given);
    if (number == 0 || number > json_array_size(host->effects)) fail("no such effect");
    if (!has_status && !is_telegram(host)) fail("no status");
    if (status > UINT16_MAX) fail("no status is %llu", (unsigned long long)status);
    uint64_t effect = number_of(json_array_get(host->effects, number - 1));
    askgate_report report = report_answer(host, effect, (uint16_t)status, answer);
    if (report.kind < ASKGATE_REPORT_DONE || report.kind > ASKGATE_REPORT_REJECTED) fail("no report is %d", (int)report.kind);
    if (!report.has_after) return hold(json_string(names[report.kind]));
    return hold(json_sprintf("Retry { after_ms: Some(%llu) }", (unsigned long long)report.after_ms));
}

/* The body with which the platform says that it did as it was told. */
static askgate_text done_answer(const struct host *host, askgate_text message) {
    json_t *answer = is_telegram(host) ? json_pack("{s:b, s:{s:o}}", "ok", 1, "result", "message_id", platform_id(message))
                                       : json_pack("{s:o}", "id", string(message));
    return compact(hold(answer));
}

/* The id of the message that an edit is about. */
static askgate_text edited_id(const struct host *host, json_t *body, const char *path) {
    if (is_telegram(host)) return id_text(json_object_get(body, "message_id"));
    const char *last = strrchr(path, '/');
    return askgate_str(last == NULL ? path : last + 1);
}

static void add_body(json_t *message, json_t *body) {
    json_array_append(json_object_get(message, "bodies"), body);
}

/* What an acknowledgement does on Discord: opens a text field, or changes the message that was pressed. */
static void acknowledge(struct host *host, json_t *body) {
    json_t *data = json_object_get(body, "data"), *pressed = message_of(host, host->pressed);
    json_int_t type = json_integer_value(json_object_get(body, "type"));
    if (type == 9) json_array_append(host->fields, json_object_get(data, "custom_id"));
    if (type == 7 && pressed != NULL) add_body(pressed, data);
}

/* Does what a platform would, and gives the effect as the files write it. */
static json_t *carry_out(struct host *host, const askgate_chat_effect *effect, int hold_reports) {
    static const char *const kinds[] = {"", "acknowledge", "send", "edit", "notice"};
    if (effect->kind < ASKGATE_CHAT_ACKNOWLEDGE || effect->kind > ASKGATE_CHAT_NOTICE) fail("no effect is %d", (int)effect->kind);
    json_t *body = parsed(effect->body), *path = hold(string(effect->path));
    json_t *call = is_telegram(host) ? json_incref(path) : json_sprintf("%.*s %.*s", ASKGATE_PRINT(effect->method), ASKGATE_PRINT(effect->path));
    json_t *written = hold(json_pack("{s:O, s:o}", kinds[effect->kind], body, "path", call));
    askgate_text message = {NULL, 0};
    uint64_t id = effect->id;
    record_json(written);
    json_array_append_new(host->effects, json_integer((json_int_t)id));
    if (effect->kind == ASKGATE_CHAT_SEND) {
        message = decimal(FIRST_MESSAGE + json_array_size(host->messages));
        json_array_append_new(host->messages, json_pack("{s:o, s:O, s:[O]}", "id", string(message), "path", path, "bodies", body));
    } else if (effect->kind == ASKGATE_CHAT_EDIT) {
        message = edited_id(host, body, json_string_value(path));
        json_t *edited = message_of(host, message);
        if (edited == NULL) fail("no message %.*s to edit", ASKGATE_PRINT(message));
        add_body(edited, body);
    } else if (effect->kind == ASKGATE_CHAT_ACKNOWLEDGE) {
        acknowledge(host, body);
    }
    if (!hold_reports && message.data != NULL &&
        report_answer(host, id, 200, done_answer(host, message)).kind != ASKGATE_REPORT_DONE)
        fail("a report of success is not understood");
    return written;
}

static askgate_result show(struct host *host, uint64_t prompt, unsigned char handle_byte, size_t *chats) {
    unsigned char handle[16];
    memset(handle, handle_byte, sizeof handle);
    return askgate_router_show(host->router, host->gate, host->now, prompt, handle, host->audiences, host->audience_count, chats);
}

/* Everything that comes of a step, in order; writes when the router wants to be polled again. */
static json_t *drain(struct host *host, int hold_reports, json_t **waits) {
    json_t *outputs = hold(json_array()), *value;
    askgate_chat_effect effect;
    askgate_event event;
    for (;;) {
        for (;;) {
            ok(askgate_router_poll(host->router, host->now, &effect));
            if (effect.kind == ASKGATE_CHAT_WAIT) break;
            json_array_append(outputs, carry_out(host, &effect, hold_reports));
        }
        *waits = effect.has_deadline ? hold(json_integer((json_int_t)effect.deadline)) : json_null();
        if ((value = next_event(host->gate, host->now, &event)) == NULL) return outputs;
        json_array_append(outputs, value);
        if (event.kind == ASKGATE_EVENT_SHOWN) ok(show(host, event.prompt, ++host->shown, NULL));
        if (event.kind == ASKGATE_EVENT_RESOLVED) ok(askgate_router_resolved(host->router, host->gate, host->now, event.prompt));
    }
}

static void read_audiences(struct host *host, json_t *list) {
    size_t n;
    json_t *given;
    host->audience_count = json_array_size(list);
    if (host->audience_count > 8) fail("too many audiences");
    json_array_foreach(list, n, given) {
        askgate_audience *audience = &host->audiences[n];
        audience->chat = need_string(given, "chat");
        audience->thread = take_string(given, "thread");
        json_t *users = need(given, "users");
        done(given);
        audience->users = host->users[n];
        audience->user_count = json_array_size(users);
        if (audience->user_count > 8) fail("too many users");
        for (size_t m = 0; m < audience->user_count; m++) host->users[n][m] = string_of(json_array_get(users, m));
    }
}

/* The name of a refusal of the router, as a result of a step. */
static json_t *router_refused(struct host *host, askgate_result result) {
    askgate_error error;
    if (result < ASKGATE_REFUSED) ok(result);
    ok(askgate_router_error(host->router, &error));
    if (error.result != result) fail("askgate_router_error gives %d for %d", (int)error.result, (int)result);
    return hold(json_pack("{s:o}", "error", string(error.code)));
}

static json_t *bind(struct host *host, json_t *given) {
    askgate_text session = need_string(given, "session");
    askgate_address address;
    address.platform = or_else(take_string(given, "platform"), askgate_str(is_telegram(host) ? "telegram" : "discord"));
    address.bot = or_else(take_string(given, "bot"), askgate_str(BOT));
    address.chat = need_string(given, "chat");
    address.thread = take_string(given, "thread");
    address.user = need_string(given, "user");
    done(given);
    askgate_result result = askgate_router_bind_chat(host->router, host->gate, host->now, session, &address);
    return result == ASKGATE_OK ? json_true() : router_refused(host, result);
}

static json_t *address_of(struct host *host, json_t *given) {
    bool has;
    askgate_address address;
    ok(askgate_router_address_of(host->router, compact(say_update(host, given)), &has, &address));
    if (!has) return json_null();
    return hold(json_pack("{s:o, s:o, s:o, s:o, s:o}", "platform", string(address.platform), "bot", string(address.bot), "chat",
                          string(address.chat), "thread", string(address.thread), "user", string(address.user)));
}

static json_t *ask(struct host *host, json_t *given, json_t *step) {
    uint64_t asker;
    int has_asker = take_number(given, "asker", &asker);
    read_audiences(host, take(step, "audiences"));
    return make_ask(host->gate, host->now, given, has_asker ? &asker : NULL);
}

static json_t *answer_elsewhere(struct host *host, json_t *given) {
    askgate_claim claim;
    askgate_resolution resolution = {ASKGATE_RESOLVE_VALUE, {NULL, 0}};
    int32_t outcome;
    memset(&claim, 0, sizeof claim);
    claim.kind = ASKGATE_CLAIM_REQUEST;
    claim.prompt = need_number(given, "prompt");
    resolution.text = need_string(given, "value");
    done(given);
    askgate_result result = askgate_gate_resolve(host->gate, host->now, &claim, &resolution, &outcome);
    return result == ASKGATE_OK ? hold(string(askgate_outcome_name(outcome))) : refused(host->gate, result, 0);
}

static json_t *show_again(struct host *host, json_t *given) {
    uint64_t prompt = need_number(given, "prompt"), handle_byte = need_number(given, "handle");
    size_t chats;
    done(given);
    askgate_result result = show(host, prompt, (unsigned char)handle_byte, &chats);
    /* The names of the Rust interface. */
    if (result == ASKGATE_REFUSED_NOT_FOUND) return hold(json_pack("{s:s}", "error", "NotPending"));
    if (result == ASKGATE_HANDLE_IN_USE) return hold(json_pack("{s:s}", "error", "HandleInUse"));
    ok(result);
    return hold(json_integer((json_int_t)chats));
}

static json_t *restart(struct host *host) {
    askgate_config config;
    ok(askgate_config_init(&config));
    config.first_prompt_id = 1000;
    start(host, &config, 2);
    return json_null();
}

static json_t *act(struct host *host, const char *action, json_t *value, json_t *step) {
    askgate_gate *gate = host->gate;
    uint64_t now = host->now;
    size_t count;
    bool is;
    if (strcmp(action, "bind") == 0) return bind(host, value);
    if (strcmp(action, "ask") == 0) return ask(host, value, step);
    if (strcmp(action, "press") == 0) return handle(host, press_update(host, value));
    if (strcmp(action, "say") == 0) return handle(host, say_update(host, value));
    if (strcmp(action, "update") == 0) return handle(host, value);
    if (strcmp(action, "report") == 0) return report(host, value);
    if (strcmp(action, "answer_elsewhere") == 0) return answer_elsewhere(host, value);
    if (strcmp(action, "show_again") == 0) return show_again(host, value);
    if (strcmp(action, "address_of") == 0) return address_of(host, value);
    if (strcmp(action, "poll") == 0) return just_true(value), json_null();
    if (strcmp(action, "restart") == 0) return just_true(value), restart(host);
    if (strcmp(action, "can_ask") == 0) {
        ok(askgate_gate_can_ask(gate, string_of(item(value, 2, 0)), string_of(item(value, 2, 1)), &is));
        compare(need(step, "is"), json_boolean(is));
        return json_boolean(is);
    }
    if (strcmp(action, "withdraw") == 0) {
        uint64_t prompt = need_number(value, "prompt"), asker = need_number(value, "asker");
        done(value);
        ok(askgate_gate_withdraw(gate, now, prompt, asker, &is));
        return json_boolean(is);
    }
    if (strcmp(action, "end_run") == 0) {
        askgate_text session = string_of(item(value, 2, 0)), run = string_of(item(value, 2, 1));
        ok(askgate_router_end_run(host->router, gate, now, session, run, &count));
    } else if (strcmp(action, "end_session") == 0) {
        ok(askgate_gate_end_session(gate, now, string_of(value), &count));
    } else if (strcmp(action, "lose_chat") == 0) {
        ok(askgate_router_lose_chat(host->router, gate, now, string_of(value), &count));
    } else {
        just_true(value);
        ok(askgate_gate_shutdown(gate, now, &count));
    }
    return hold(json_integer((json_int_t)count));
}

static void play_step(void *of, json_t *step) {
    static const char *const actions[] = {
        "bind",    "ask",         "press",    "say",       "update",  "report",  "poll",       "answer_elsewhere", "withdraw",
        "end_run", "end_session", "shutdown", "lose_chat", "restart", "can_ask", "show_again", "address_of",
    };
    struct host *host = of;
    json_t *value = NULL, *result = NULL, *waits;
    take_number(step, "at", &host->now);
    int hold_reports = take_flag(step, "hold", 0);
    for (size_t n = 0; n < sizeof actions / sizeof *actions && value == NULL; n++)
        if ((value = take(step, actions[n])) != NULL) result = act(host, actions[n], filled(value), step);
    if (value == NULL) fail("no action that is known: %s", canonical(step));
    record_json(result);
    json_t *wanted = take(step, "result"), *expected = take(step, "expect"), *wakes = take(step, "wakes");
    json_t *outputs = drain(host, hold_reports, &waits);
    if (wanted != NULL) compare(wanted, result);
    if (wakes != NULL) compare(wakes, waits);
    compare(expected == NULL ? hold(json_array()) : expected, outputs);
}

void play_chat(json_t *file) {
    struct host host;
    memset(&host, 0, sizeof host);
    host.effects = hold(json_array());
    host.messages = hold(json_array());
    host.fields = hold(json_array());
    json_t *given = take(file, "config");
    askgate_config config = read_config(given);
    done(given);
    const char *platform = need_text(file, "platform");
    if (strcmp(platform, "telegram") == 0) host.platform = ASKGATE_PLATFORM_TELEGRAM;
    else if (strcmp(platform, "discord") == 0) host.platform = ASKGATE_PLATFORM_DISCORD;
    else fail("no platform is \"%s\"", platform);
    json_t *steps = need(file, "steps");
    done(file);
    start(&host, &config, 1);
    each_step(steps, play_step, &host);
}
