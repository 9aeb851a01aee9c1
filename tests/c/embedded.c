/* A host without std: the three hooks, and a prompt from its asking to its end. */

#define ASKGATE_NO_STD
#include <askgate.h>
#include <stdio.h>
#include <stdlib.h>

static size_t in_use;

void *askgate_hook_alloc(size_t size, size_t align) {
    void *memory = aligned_alloc(align, (size + align - 1) / align * align);
    if (memory != NULL) in_use += size;
    return memory;
}

void askgate_hook_free(void *memory, size_t size, size_t align) {
    (void)align;
    in_use -= size;
    free(memory);
}

void askgate_hook_abort(void) {
    abort();
}

int main(void) {
    askgate_gate *gate;
    askgate_event event;
    askgate_ask ask = {0};
    askgate_claim claim = {0};
    askgate_resolution yes = {ASKGATE_RESOLVE_VALUE, askgate_str("yes")};
    if (askgate_gate_new(ASKGATE_ABI_VERSION, NULL, &gate) != ASKGATE_OK) return 1;
    ask.dialect = ASKGATE_DIALECT_AGENT;
    ask.request = askgate_str("{\"surface_id\":\"s\",\"kind\":\"yesno\",\"title\":\"Go?\",\"timeout_ms\":1e3}");
    claim.kind = ASKGATE_CLAIM_REQUEST;
    if (askgate_gate_ask(gate, 0, &ask, &claim.prompt) != ASKGATE_OK) return 2;
    if (askgate_gate_resolve(gate, 0, &claim, &yes, NULL) != ASKGATE_OK) return 3;
    do
        if (askgate_gate_poll(gate, 0, &event) != ASKGATE_OK) return 4;
    while (event.kind == ASKGATE_EVENT_SHOWN);
    printf("%.*s\n", ASKGATE_PRINT(event.json));
    if (event.outcome != ASKGATE_OUTCOME_ANSWERED || in_use == 0) return 5;
    if (askgate_gate_free(gate) != ASKGATE_OK) return 6;
    return in_use != 0;
}
