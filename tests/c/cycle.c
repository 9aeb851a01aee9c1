/* What the interface costs: the same lines through it and, in the same run, without it.
 *
 *     cycle MOST   fails if the interface takes more than MOST times as long */

#define _POSIX_C_SOURCE 200809L
#include <askgate.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Not in the header: the library built to be measured has it. */
uint64_t askgate_test_cycles(const askgate_text *lines, size_t count);

enum { cycles = 2000, rounds = 200 };

static askgate_text lines[2 * cycles];

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static uint64_t through_the_interface(void) {
    askgate_endpoint *endpoint;
    uint64_t connections[2], bytes = 0;
    if (askgate_endpoint_new(ASKGATE_ABI_VERSION, NULL, &endpoint) != ASKGATE_OK) return 0;
    askgate_endpoint_connect(endpoint, 0, ASKGATE_AUTHORITY_ANSWER, &connections[0]);
    askgate_endpoint_connect(endpoint, 0, ASKGATE_AUTHORITY_ANSWER | ASKGATE_AUTHORITY_OBSERVER, &connections[1]);
    for (size_t n = 0; n < 2 * cycles; n++) {
        askgate_output output;
        if (askgate_endpoint_receive(endpoint, n, connections[n % 2], lines[n]) != ASKGATE_OK) break;
        while (askgate_endpoint_poll(endpoint, n, &output) == ASKGATE_OK && output.kind != ASKGATE_OUTPUT_WAIT)
            if (output.kind == ASKGATE_OUTPUT_SEND) bytes += output.line.len;
    }
    askgate_endpoint_free(endpoint);
    return bytes;
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv) {
    double most = argc > 1 ? strtod(argv[1], NULL) : 1.15, with[rounds], without[rounds];
    for (size_t n = 0; n < cycles; n++) {
        char *ask = malloc(512), *answer = malloc(256);
        snprintf(ask, 512,
                 "{\"id\":\"%zu\",\"method\":\"agent.ask_user\",\"params\":{\"surface_id\":\"surface:3\",\"kind\":\"choice\",\"title\":"
                 "\"Where to?\",\"body\":\"The build is green.\",\"agent_id\":\"claude:1\",\"choices\":[{\"id\":\"dev\",\"label\":"
                 "\"Develop\"},{\"id\":\"prod\",\"label\":\"Production\"}],\"timeout_ms\":60000}}",
                 n);
        snprintf(answer, 256,
                 "{\"id\":\"%zu\",\"method\":\"agent.ask_answer\",\"params\":{\"request_id\":\"req:%zu\",\"value\":\"dev\"}}", n,
                 n + 1);
        lines[2 * n] = askgate_str(ask);
        lines[2 * n + 1] = askgate_str(answer);
    }
    /* By turns, so that what else the machine does hits both alike. */
    for (int n = 0; n < rounds; n++) {
        double start = seconds();
        uint64_t one = through_the_interface();
        double middle = seconds();
        uint64_t other = askgate_test_cycles(lines, 2 * cycles);
        without[n] = seconds() - middle;
        with[n] = middle - start;
        if (one == 0 || one != other) {
            printf("not the same work: %llu and %llu bytes\n", (unsigned long long)one, (unsigned long long)other);
            return 1;
        }
    }
    qsort(with, rounds, sizeof *with, by_size);
    qsort(without, rounds, sizeof *without, by_size);
    double c = with[rounds / 4] / cycles * 1e9, rust = without[rounds / 4] / cycles * 1e9;
    printf("one JSON cycle: %.0f ns through C, %.0f ns in Rust, ratio %.3f (at most %.2f)\n", c, rust, c / rust, most);
    for (size_t n = 0; n < 2 * cycles; n++) free((void *)lines[n].data);
    return c / rust > most;
}
