/* "kind": "modal" */

#include "json.h"
#include "scenario.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct host {
    askgate_modal *modal;
    uint64_t now;
    int is_session;
};

static void free_modal(void *modal) {
    askgate_modal_free(modal);
}

static const char *after(const char *prefix, const char *text) {
    size_t length = strlen(prefix);
    return strncmp(prefix, text, length) == 0 ? text + length : NULL;
}

/* The scalar value of a text of one character. */
static uint32_t scalar(const char *text) {
    const unsigned char *byte = (const unsigned char *)text;
    if (byte[0] < 0x80) return byte[0];
    int more = byte[0] < 0xe0 ? 1 : byte[0] < 0xf0 ? 2 : 3;
    uint32_t value = byte[0] & (0x3fu >> more);
    while (more-- > 0) value = value << 6 | (*++byte & 0x3fu);
    return value;
}

static askgate_effect key(struct host *host, const char *name, json_t *step) {
    static const char *const names[] = {"",     "Enter", "Esc",    "Tab",      "Up",    "Down",      "Left",  "Right",
                                        "Home", "End",   "PageUp", "PageDown", "Space", "Backspace", "Delete"};
    static const struct {
        const char *name;
        uint32_t mod;
    } mods[] = {{"Ctrl+", ASKGATE_MOD_CTRL}, {"Alt+", ASKGATE_MOD_ALT}, {"Shift+", ASKGATE_MOD_SHIFT}, {"Meta+", ASKGATE_MOD_META}};
    uint32_t held = 0;
    int32_t code = ASKGATE_KEY_CHAR;
    for (size_t n = 0; n < 4; n++) {
        const char *rest = after(mods[n].name, name);
        if (rest == NULL || *rest == 0) continue;
        held |= mods[n].mod;
        name = rest;
        n = (size_t)-1;
    }
    for (int32_t n = 1; n < 15; n++)
        if (strcmp(names[n], name) == 0) code = n;
    if (take_flag(step, "repeat", 0)) held |= ASKGATE_MOD_REPEAT;
    if (take_flag(step, "composing", 0)) held |= ASKGATE_MOD_COMPOSING;
    askgate_effect effect;
    ok(askgate_modal_key(host->modal, host->now, code, scalar(name), held, &effect));
    return effect;
}

static askgate_effect act(struct host *host, json_t *step) {
    askgate_modal *modal = host->modal;
    uint64_t now = host->now;
    askgate_effect effect;
    json_t *value;
    if ((value = take(step, "key")) != NULL) return key(host, string_of(value).data, step);
    if ((value = take(step, "paste")) != NULL) {
        ok(askgate_modal_paste(modal, now, string_of(value), &effect));
    } else if ((value = take(step, "activate")) != NULL) {
        ok(askgate_modal_activate(modal, now, string_of(value), &effect));
    } else if ((value = take(step, "focus")) != NULL) {
        ok(askgate_modal_focus(modal, now, string_of(value), &effect));
    } else if ((value = take(step, "set_text")) != NULL) {
        ok(askgate_modal_set_text(modal, now, string_of(value), &effect));
    } else if ((value = take(step, "resize")) != NULL) {
        ok(askgate_modal_resize(modal, now, (size_t)number_of(value), &effect));
    } else if ((value = take(step, "acknowledged")) != NULL) {
        just_true(value);
        ok(askgate_modal_acknowledged(modal, now, &effect));
    } else if ((value = take(step, "reject")) != NULL) {
        askgate_text code = need_string(value, "code"), path = need_string(value, "path");
        askgate_text message = need_string(value, "message");
        done(value);
        ok(askgate_modal_reject(modal, now, code, path, message, &effect));
    } else if ((value = take(step, "close")) != NULL) {
        int32_t outcome = ASKGATE_OUTCOME_ANSWERED;
        askgate_text name = string_of(value), known = askgate_outcome_name(outcome);
        while (known.len > 0 && (known.len != name.len || memcmp(known.data, name.data, name.len) != 0))
            known = askgate_outcome_name(++outcome);
        ok(askgate_modal_close(modal, now, outcome, &effect));
    } else {
        host->now = now += number_of(need(step, "wait"));
        ok(askgate_modal_tick(modal, now, &effect));
    }
    return effect;
}

static json_t *effect_json(struct host *host, const askgate_effect *effect) {
    static const char *const names[] = {"none", "redraw", "", "decline", "cancel", "acknowledge", "back"};
    if (effect->kind == ASKGATE_EFFECT_SUBMIT) {
        json_t *answer = host->is_session ? json_incref(parsed(effect->answer)) : string(effect->answer);
        return hold(json_pack("{s:o}", "submit", answer));
    }
    if (effect->kind < 0 || effect->kind > ASKGATE_EFFECT_BACK) fail("no effect is %d", (int)effect->kind);
    return hold(json_string(names[effect->kind]));
}

static int same(json_t *json, askgate_text text) {
    if (json_is_null(json)) return text.data == NULL;
    return json_string_length(json) == text.len && memcmp(json_string_value(json), text.data, text.len) == 0;
}

/* What the members of a view say is what its JSON says. */
static void check_members(const askgate_view *view, json_t *json) {
    json_t *controls = json_object_get(json, "controls"), *text = json_object_get(json, "text");
    json_t *error = json_object_get(json, "error"), *command = json_object_get(json, "command");
    json_t *window = json_object_get(json, "window"), *page = json_object_get(json, "page");
    if (!same(json_object_get(json, "title"), view->title) || !same(json_object_get(json, "surface"), view->surface) ||
        !same(json_object_get(json, "attribution"), view->attribution) || !same(json_object_get(json, "header"), view->header) ||
        !same(json_object_get(json, "body"), view->body) || !same(json_object_get(json, "help"), view->help))
        fail("a text of the view is not what its JSON says");
    if (json_is_null(command) ? view->command.data != NULL : !same(json_object_get(command, "text"), view->command))
        fail("the command is not what the JSON says");
    if (json_is_null(error) ? view->error_code.data != NULL
                            : !same(json_object_get(error, "code"), view->error_code) ||
                                  !same(json_object_get(error, "message"), view->error_message) ||
                                  !same(json_object_get(error, "control"), view->error_control))
        fail("the error is not what the JSON says");
    if (json_is_null(text) ? view->has_text
                           : !view->has_text || !same(json_object_get(text, "value"), view->text_value) ||
                                 json_integer_value(json_object_get(text, "cursor")) != (json_int_t)view->text_cursor)
        fail("the text field is not what the JSON says");
    if (json_is_true(json_object_get(json, "armed")) != view->armed || json_is_true(json_object_get(json, "unsafe")) != view->is_unsafe ||
        json_integer_value(json_object_get(page, "index")) != (json_int_t)view->page_index ||
        json_integer_value(json_object_get(page, "count")) != (json_int_t)view->page_count ||
        json_integer_value(json_object_get(window, "first")) != (json_int_t)view->window_first ||
        json_integer_value(json_object_get(window, "count")) != (json_int_t)view->window_count)
        fail("the view is not what its JSON says");
    if (json_array_size(controls) != view->control_count) fail("the number of controls is not what the JSON says");
    for (size_t n = 0; n < view->control_count; n++) {
        const askgate_control *control = &view->controls[n];
        json_t *its = json_array_get(controls, n), *checked = json_object_get(its, "checked");
        if (!same(json_object_get(its, "id"), control->id) || !same(json_object_get(its, "label"), control->label) ||
            !same(json_object_get(its, "description"), control->description) || json_is_null(checked) == control->can_check ||
            json_is_true(checked) != control->checked || json_is_true(json_object_get(its, "focused")) != control->focused ||
            json_is_true(json_object_get(its, "enabled")) != control->enabled ||
            json_is_null(json_object_get(its, "hotkey")) != (control->hotkey == 0))
            fail("a control is not what its JSON says");
    }
}

/* Compares what the file names of the view: objects on the keys given, lists element by element. */
static void compare_part(json_t *part, json_t *got, const char *place) {
    const char *name;
    json_t *value;
    size_t index;
    if (json_is_object(part) && json_is_object(got)) {
        json_object_foreach(part, name, value) {
            json_t *other = json_object_get(got, name);
            if (other == NULL && json_is_null(value) && strcmp(place, "controls") == 0) continue;
            if (other == NULL) fail("the view has no \"%s\" in %s", name, place);
            compare_part(value, other, name);
        }
    } else if (json_is_array(part) && json_is_array(got) && json_array_size(part) == json_array_size(got)) {
        json_array_foreach(part, index, value) compare_part(value, json_array_get(got, index), place);
    } else {
        compare(part, got);
    }
}

static void play_step(void *of, json_t *step) {
    struct host *host = of;
    take_number(step, "at", &host->now);
    askgate_effect effect = act(host, step);
    json_t *is = effect_json(host, &effect), *expected = need(step, "effect"), *part = take(step, "view");
    record(compact(is).data);
    askgate_view view;
    ok(askgate_modal_view(host->modal, &view));
    json_t *json = parsed(view.json);
    char *text = hold_text(malloc(view.json.len + 1));
    memcpy(text, view.json.data, view.json.len);
    text[view.json.len] = 0;
    record(text);
    check_members(&view, json);
    bool has;
    uint64_t at;
    ok(askgate_modal_next_deadline(host->modal, &has, &at));
    /* Drawing again is never wrong, so a file need not say that it does not happen. */
    if (effect.kind != ASKGATE_EFFECT_REDRAW || !json_is_string(expected) || strcmp(json_string_value(expected), "none") != 0)
        compare(expected, is);
    json_t *controls = json_object_get(json, "controls"), *by_id = json_object(), *control;
    size_t index;
    json_array_foreach(controls, index, control) json_object_set(by_id, json_string_value(json_object_get(control, "id")), control);
    json_object_set_new(json, "controls", by_id);
    if (part != NULL) compare_part(part, json, "the view");
}

void play_modal(json_t *file) {
    struct host host = {0};
    askgate_modal_options options;
    ok(askgate_modal_options_init(&options));
    options.has_guard = 1;
    host.is_session = strcmp(need_text(file, "dialect"), "session") == 0;
    json_t *request = need(file, "request"), *given = take(file, "options"), *steps = need(file, "steps");
    uint64_t rows;
    if (take_number(given, "rows", &rows)) options.rows = (size_t)rows;
    take_number(given, "guard_ms", &options.guard_ms);
    take_number(given, "confirm_ms", &options.confirm_ms);
    options.terminal = take_flag(given, "terminal", 1) != 0;
    done(given);
    done(file);
    ok(askgate_modal_new(ASKGATE_ABI_VERSION, 0, compact(request), &options, &host.modal));
    free_later(host.modal, free_modal);
    each_step(steps, play_step, &host);
}
