#include "json.h"
#include "scenario.h"

#include <stdlib.h>
#include <string.h>

static json_t **held;
static size_t held_count;
static char **texts;
static size_t text_count;
static struct {
    void *handle;
    void (*free_it)(void *);
} handles[64];
static size_t handle_count;
static json_t *captured;

json_t *hold(json_t *value) {
    if (value == NULL) return NULL;
    held = realloc(held, (held_count + 1) * sizeof *held);
    return held[held_count++] = value;
}

char *hold_text(char *text) {
    texts = realloc(texts, (text_count + 1) * sizeof *texts);
    return texts[text_count++] = text;
}

void free_later(void *handle, void (*free_it)(void *)) {
    if (handle_count == sizeof handles / sizeof *handles) fail("too many handles");
    handles[handle_count].handle = handle;
    handles[handle_count++].free_it = free_it;
}

void let_go(void) {
    while (handle_count > 0) {
        handle_count--;
        handles[handle_count].free_it(handles[handle_count].handle);
    }
    while (held_count > 0) json_decref(held[--held_count]);
    while (text_count > 0) free(texts[--text_count]);
    free(held);
    free(texts);
    held = NULL;
    texts = NULL;
    json_decref(captured);
    captured = NULL;
}

json_t *take(json_t *object, const char *name) {
    json_t *value = json_object_get(object, name);
    if (value == NULL) return NULL;
    hold(json_incref(value));
    json_object_del(object, name);
    return value;
}

json_t *need(json_t *object, const char *name) {
    json_t *value = take(object, name);
    if (value == NULL) fail("no \"%s\" in %s", name, canonical(object));
    return value;
}

json_t *take_either(json_t *object, const char *name, const char *other) {
    json_t *value = take(object, name);
    return value == NULL ? take(object, other) : value;
}

askgate_text string_of(json_t *value) {
    if (!json_is_string(value)) fail("not a string: %s", canonical(value));
    askgate_text text = {json_string_value(value), json_string_length(value)};
    return text;
}

uint64_t number_of(json_t *value) {
    if (!json_is_integer(value) || json_integer_value(value) < 0) fail("not a whole number: %s", canonical(value));
    return (uint64_t)json_integer_value(value);
}

askgate_text take_string(json_t *object, const char *name) {
    json_t *value = take(object, name);
    askgate_text absent = {NULL, 0};
    return value == NULL ? absent : string_of(value);
}

askgate_text need_string(json_t *object, const char *name) {
    return string_of(need(object, name));
}

const char *need_text(json_t *object, const char *name) {
    return need_string(object, name).data;
}

int take_number(json_t *object, const char *name, uint64_t *number) {
    json_t *value = take(object, name);
    if (value == NULL) return 0;
    *number = number_of(value);
    return 1;
}

uint64_t need_number(json_t *object, const char *name) {
    return number_of(need(object, name));
}

int take_flag(json_t *object, const char *name, int otherwise) {
    json_t *value = take(object, name);
    if (value == NULL) return otherwise;
    if (!json_is_boolean(value)) fail("\"%s\" is not true or false", name);
    return json_is_true(value);
}

json_t *need_object(json_t *object, const char *name) {
    json_t *value = need(object, name);
    if (!json_is_object(value)) fail("\"%s\" is no object", name);
    return value;
}

void done(json_t *object) {
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value) fail("a field that is not known: \"%s\"", key);
}

void just_true(json_t *value) {
    if (!json_is_true(value)) fail("not true: %s", canonical(value));
}

json_t *item(json_t *list, size_t size, size_t index) {
    if (json_array_size(list) != size) fail("not %zu parts: %s", size, canonical(list));
    return json_array_get(list, index);
}

askgate_text compact(json_t *value) {
    /* A real number has the fewest digits that say it, as in the file. */
    for (size_t digits = 15;; digits++) {
        char *text = hold_text(json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(digits)));
        if (text == NULL) fail("JSON that cannot be written");
        if (digits == 17 || json_equal(parsed(askgate_str(text)), value)) return askgate_str(text);
    }
}

const char *canonical(json_t *value) {
    char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_SORT_KEYS);
    return text == NULL ? "nothing" : hold_text(text);
}

json_t *parsed(askgate_text text) {
    json_error_t error;
    size_t flags = JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL | JSON_DECODE_ANY;
    json_t *value = hold(json_loadb(text.data, text.len, flags, &error));
    if (value == NULL) fail("%s in an output: %.*s", error.text, ASKGATE_PRINT(text));
    return value;
}

json_t *string(askgate_text text) {
    return text.data == NULL ? json_null() : json_stringn(text.data, text.len);
}

static const char *after(const char *prefix, const char *text) {
    size_t length = strlen(prefix);
    return strncmp(prefix, text, length) == 0 ? text + length : NULL;
}

json_t *filled(json_t *sent) {
    const char *key, *word;
    json_t *value;
    size_t index;
    if (json_is_string(sent) && (word = after("$=", json_string_value(sent))) != NULL) {
        value = json_object_get(captured, word);
        if (value == NULL) fail("nothing was captured as \"%s\"", word);
        return value;
    }
    if (json_is_array(sent)) {
        json_t *list = hold(json_array());
        json_array_foreach(sent, index, value) json_array_append(list, filled(value));
        return list;
    }
    if (json_is_object(sent)) {
        json_t *object = hold(json_object());
        json_object_foreach(sent, key, value) json_object_set(object, key, filled(value));
        return object;
    }
    return sent;
}

static void compare_at(json_t *expected, json_t *got, const char *place);

static void differ(json_t *expected, json_t *got, const char *place) {
    fail("%s: expected %s got %s", place, canonical(expected), canonical(got));
}

static void compare_string(json_t *expected, json_t *got, const char *place) {
    const char *wanted = json_string_value(expected), *rest;
    if (strcmp(wanted, "$any") == 0) return;
    if ((rest = after("$=", wanted)) != NULL) {
        json_t *before = json_object_get(captured, rest);
        if (captured == NULL) captured = json_object();
        if (before == NULL) json_object_set(captured, rest, got);
        else if (!json_equal(before, got)) differ(before, got, place);
        return;
    }
    if (!json_is_string(got)) differ(expected, got, place);
    if ((rest = after("$prefix:", wanted)) != NULL) {
        if (after(rest, json_string_value(got)) == NULL) differ(expected, got, place);
        return;
    }
    size_t skip = after("$$", wanted) != NULL ? 1 : 0;
    askgate_text text = string_of(expected), other = string_of(got);
    if (text.len - skip != other.len || memcmp(text.data + skip, other.data, other.len) != 0)
        differ(expected, got, place);
}

static void compare_in(json_t *expected, json_t *got, const char *place, const char *name) {
    size_t size = strlen(place) + strlen(name) + 2;
    char *inner = hold_text(malloc(size));
    snprintf(inner, size, "%s/%s", place, name);
    compare_at(expected, got, inner);
}

static void compare_at(json_t *expected, json_t *got, const char *place) {
    const char *key;
    json_t *value;
    size_t index;
    char number[24];
    if (json_is_string(expected)) {
        compare_string(expected, got, place);
    } else if (json_is_array(expected) && json_is_array(got)) {
        if (json_array_size(expected) != json_array_size(got)) differ(expected, got, place);
        json_array_foreach(expected, index, value) {
            snprintf(number, sizeof number, "%zu", index);
            compare_in(value, json_array_get(got, index), place, number);
        }
    } else if (json_is_object(expected) && json_is_object(got)) {
        if (json_object_size(expected) != json_object_size(got)) differ(expected, got, place);
        json_object_foreach(expected, key, value) {
            json_t *other = json_object_get(got, key);
            if (other == NULL) differ(expected, got, place);
            compare_in(value, other, place, key);
        }
    } else if (!json_equal(expected, got)) {
        differ(expected, got, place);
    }
}

void compare(json_t *expected, json_t *got) {
    compare_at(expected, got, "");
}
