/* The kinds of scenarios, and what they share. */
#ifndef SCENARIO_H
#define SCENARIO_H

#include <askgate.h>
#include <jansson.h>

/* Plays the scenario that is left in the file once `name` and `kind` are taken. */
void play_chat(json_t *file);
void play_elicitation(json_t *file);
void play_endpoint(json_t *file);
void play_gate(json_t *file);
void play_mirror(json_t *file);
void play_modal(json_t *file);
void play_text(json_t *file);

/* Ends the scenario with an error. */
#if defined(__GNUC__)
__attribute__((noreturn, format(printf, 1, 2)))
#endif
void fail(const char *format, ...);

/* Plays each step, and refuses what it leaves of it. */
void each_step(json_t *steps, void (*play)(void *host, json_t *step), void *host);

/* Notes what the library gave. */
void record(const char *json);
void record_json(json_t *value);

/* The `config` of a scenario; what is left of it is refused by the caller. */
askgate_config read_config(json_t *config);

/* Frees a handle when the scenario ends, however it does. */
void free_later(void *handle, void (*free_it)(void *handle));

/* Refuses a result that is not ASKGATE_OK. */
void ok(askgate_result result);

/* For the kinds that have a gate: one that is freed when the scenario ends. `config` may be NULL. */
askgate_gate *new_gate(const askgate_config *config);
/* Asks as an `ask` of a file says, and gives the step's result. `asker` may be NULL. */
json_t *make_ask(askgate_gate *gate, uint64_t now, json_t *given, const uint64_t *asker);
/* The next event, as JSON, which is recorded: NULL if there is none. */
json_t *next_event(askgate_gate *gate, uint64_t now, askgate_event *event);
/* What a refused call on a gate says, as a scenario lists it; a misuse of the interface ends the scenario. */
json_t *refused(askgate_gate *gate, askgate_result result, int is_ask);

#endif
