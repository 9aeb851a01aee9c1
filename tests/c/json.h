/* Reading scenario files so that whatever is not understood is an error, and comparing with wildcards. Everything held here
 * lasts until the scenario ends. */
#ifndef JSON_H
#define JSON_H

#include <askgate.h>
#include <jansson.h>

/* Takes over a value, or memory. */
json_t *hold(json_t *value);
char *hold_text(char *text);
/* Lets go of all that is held, and forgets what was captured. */
void let_go(void);

/* Takes a field out of an object: NULL where it is absent, an error where it is of another type. */
json_t *take(json_t *object, const char *name);
json_t *need(json_t *object, const char *name);
/* The first of two that is there. */
json_t *take_either(json_t *object, const char *name, const char *other);
const char *need_text(json_t *object, const char *name);
askgate_text take_string(json_t *object, const char *name);
askgate_text need_string(json_t *object, const char *name);
int take_number(json_t *object, const char *name, uint64_t *number);
uint64_t need_number(json_t *object, const char *name);
int take_flag(json_t *object, const char *name, int otherwise);
json_t *need_object(json_t *object, const char *name);
/* Refuses an object of which something is left. */
void done(json_t *object);

/* The text of a string, the number of a number. */
askgate_text string_of(json_t *value);
uint64_t number_of(json_t *value);
/* `true`, for what has no more to say. */
void just_true(json_t *value);
/* An item of a list of exactly `size`. */
json_t *item(json_t *list, size_t size, size_t index);

/* JSON text: as it came, and with sorted keys. */
askgate_text compact(json_t *value);
const char *canonical(json_t *value);
/* What a text of JSON says, without duplicate keys. */
json_t *parsed(askgate_text text);
json_t *string(askgate_text text);

/* What is to be sent, with captured values filled in. */
json_t *filled(json_t *sent);
/* Compares with wildcards; an error names the first difference. */
void compare(json_t *expected, json_t *got);

#endif
