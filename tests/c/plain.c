/* "kind": "text" and "kind": "mirror", and what all kinds share. */

#include "json.h"
#include "scenario.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ok(askgate_result result) {
    if (result != ASKGATE_OK) fail("a call gave %d, %.*s", (int)result, ASKGATE_PRINT(askgate_result_name(result)));
}

askgate_config read_config(json_t *given) {
    askgate_config config;
    ok(askgate_config_init(&config));
    take_number(given, "first_prompt_id", &config.first_prompt_id);
    take_number(given, "wall_clock_offset", &config.wall_clock_offset);
    json_t *limits = take(given, "limits");
    if (limits != NULL) config.limits = compact(limits);
    return config;
}

static int32_t one_of(const char *const *names, size_t count, const char *name) {
    static const char *const others[][2] = {{"title", "line"},    {"label", "line"},   {"grapheme", "graphemes"}, {"scalar", "scalars"},
                                            {"chars", "scalars"}, {"char", "scalars"}, {"utf-16", "utf16"},       {"byte", "bytes"}};
    for (size_t n = 0; n < sizeof others / sizeof *others; n++)
        if (strcmp(others[n][0], name) == 0) name = others[n][1];
    for (size_t n = 0; n < count; n++)
        if (strcmp(names[n], name) == 0) return (int32_t)n + 1;
    fail("\"%s\" is not known", name);
}

static void check(void *nothing, json_t *step) {
    static const char *const modes[] = {"line", "body", "command"};
    static const char *const units[] = {"graphemes", "scalars", "utf16", "bytes"};
    (void)nothing;
    json_t *is = need(step, "is"), *text = take(step, "display_safe"), *got, *expected;
    bool hidden = false;
    size_t length = 0;
    askgate_text out = {NULL, 0};
    char *buffer = NULL;
    if (text != NULL) {
        int32_t mode = one_of(modes, 3, need_text(step, "mode"));
        askgate_result result = askgate_display_safe(string_of(text), mode, NULL, 0, &length, NULL);
        if (result != ASKGATE_TOO_SMALL && length > 0) ok(result);
        buffer = hold_text(malloc(length + 1));
        ok(askgate_display_safe(string_of(text), mode, buffer, length, &length, &hidden));
    } else {
        text = need(step, "cut");
        int32_t unit = one_of(units, 4, need_text(step, "unit"));
        uint64_t limit = need_number(step, "limit");
        askgate_result result = askgate_cut(string_of(text), unit, (size_t)limit, NULL, 0, &length);
        if (result != ASKGATE_TOO_SMALL && length > 0) ok(result);
        buffer = hold_text(malloc(length + 1));
        ok(askgate_cut(string_of(text), unit, (size_t)limit, buffer, length, &length));
    }
    out.data = buffer;
    out.len = length;
    got = hold(json_pack("{s:o}", "is", string(out)));
    expected = hold(json_pack("{s:O}", "is", is));
    json_t *has_hidden = take(step, "has_hidden");
    if (has_hidden != NULL) {
        json_object_set_new(got, "has_hidden", json_boolean(hidden));
        json_object_set(expected, "has_hidden", has_hidden);
    }
    record_json(got);
    compare(expected, got);
}

void play_text(json_t *file) {
    static const char *const names[] = {"checks", "cases", "tests", "texts", "steps"};
    json_t *checks = NULL;
    for (size_t n = 0; n < sizeof names / sizeof *names && checks == NULL; n++) checks = take(file, names[n]);
    done(file);
    each_step(checks, check, NULL);
}

static void free_mirror(void *mirror) {
    askgate_mirror_free(mirror);
}

static json_t *head_of(askgate_mirror *mirror, const char *surface) {
    bool has;
    uint64_t prompt;
    askgate_text request, its;
    char id[32];
    ok(askgate_mirror_head(mirror, askgate_str(surface), &has, &prompt, &request));
    if (!has) return json_null();
    snprintf(id, sizeof id, "req:%llu", (unsigned long long)prompt);
    json_t *name = json_object_get(parsed(request), "request_id");
    if (!json_is_string(name) || strcmp(json_string_value(name), id) != 0) fail("the head is another's");
    ok(askgate_mirror_request(mirror, prompt, &its, &request));
    if (its.len != strlen(surface) || memcmp(its.data, surface, its.len) != 0) fail("the head is another surface's");
    return name;
}

/* The params of an event, given by themselves or in the whole message. */
static askgate_text event_of(json_t *event, int is_snapshot) {
    if (json_object_get(event, "method") != NULL) {
        json_t *message = event;
        const char *method = need_text(message, "method");
        if (strcmp(method, "askUserEvent") != 0) fail("no event is of the method \"%s\"", method);
        event = need(message, "params");
        done(message);
    }
    if (is_snapshot && json_is_object(event) && json_object_get(event, "kind") == NULL)
        json_object_set_new(event, "kind", json_string("snapshot"));
    return compact(event);
}

static const char *const checks_of_mirrors[] = {"head", "counts", "total"};

static int has_checks(json_t *object) {
    int count = 0;
    for (size_t n = 0; n < 3; n++) count += json_object_get(object, checks_of_mirrors[n]) != NULL;
    return count > 0;
}

static void play_step(void *of, json_t *step) {
    askgate_mirror *mirror = of;
    json_t *value, *got = hold(json_object()), *expected = hold(json_object()), *surface;
    const char *name;
    if ((value = take(step, "push")) != NULL) {
        ok(askgate_mirror_apply(mirror, event_of(value, 0)));
    } else if ((value = take(step, "snapshot")) != NULL) {
        ok(askgate_mirror_apply(mirror, event_of(value, 1)));
    } else if (json_object_get(step, "reset") != NULL || !has_checks(step)) {
        just_true(need(step, "reset"));
        ok(askgate_mirror_reset(mirror));
    }
    if ((value = take(step, "head")) != NULL) {
        json_t *heads = json_object();
        json_object_foreach(value, name, surface) json_object_set(heads, name, head_of(mirror, name));
        json_object_set_new(got, "head", heads);
        json_object_set(expected, "head", value);
    }
    if ((value = take(step, "counts")) != NULL) {
        json_t *counts = json_object();
        json_object_foreach(value, name, surface) {
            size_t count;
            ok(askgate_mirror_count(mirror, askgate_str(name), &count));
            json_object_set_new(counts, name, json_integer((json_int_t)count));
        }
        json_object_set_new(got, "counts", counts);
        json_object_set(expected, "counts", value);
    }
    if ((value = take(step, "total")) != NULL) {
        askgate_ids prompts;
        ok(askgate_mirror_pending(mirror, &prompts));
        json_object_set_new(got, "total", json_integer((json_int_t)prompts.len));
        json_object_set(expected, "total", value);
    }
    record_json(got);
    compare(expected, got);
}

void play_mirror(json_t *file) {
    askgate_mirror *mirror;
    json_t *steps = need(file, "steps");
    if (has_checks(file)) {
        /* What is beside the steps is checked after the last of them. */
        json_t *last = json_object(), *value;
        for (size_t n = 0; n < 3; n++)
            if ((value = take(file, checks_of_mirrors[n])) != NULL) json_object_set(last, checks_of_mirrors[n], value);
        json_array_append_new(steps, last);
    }
    done(file);
    ok(askgate_mirror_new(ASKGATE_ABI_VERSION, &mirror));
    free_later(mirror, free_mirror);
    each_step(steps, play_step, mirror);
}
