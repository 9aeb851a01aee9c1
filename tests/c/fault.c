/* Deliberate faults, each of which a sanitizer must catch: the test fails if this program ends well.
 *
 *     fault overflow   past the end of memory: shows that AddressSanitizer is linked
 *     fault undefined  a sum that does not fit: shows that UndefinedBehaviorSanitizer is linked
 *     fault borrowed   a borrowed text, kept over the next call
 *     fault error      the text of an error, kept over the next call
 *     fault freed      a borrowed text, kept over its handle
 *     fault leak       handles that nobody frees: many, since a stale register or stack slot may still point to the last */

#include <askgate.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned sum(askgate_text text) {
    unsigned total = 0;
    for (size_t n = 0; n < text.len; n++) total += (unsigned char)text.data[n];
    return total;
}

int main(int argc, char **argv) {
    const char *fault = argc > 1 ? argv[1] : "";
    static const char line[] = "{\"id\":1,\"method\":\"agent.count\"}";
    if (strcmp(fault, "overflow") == 0) {
        volatile char *bytes = malloc(4);
        bytes[argc + 2] = 1;
        char past = bytes[argc + 3];
        free((void *)bytes);
        return past == 1;
    }
    if (strcmp(fault, "undefined") == 0) {
        volatile int most = INT_MAX;
        most = most + argc;
        return 0;
    }
    askgate_endpoint *endpoint;
    askgate_output output;
    uint64_t connection;
    if (askgate_endpoint_new(ASKGATE_ABI_VERSION, NULL, &endpoint) != ASKGATE_OK) return 0;
    askgate_endpoint_connect(endpoint, 0, ASKGATE_AUTHORITY_OBSERVER, &connection);
    askgate_endpoint_receive(endpoint, 0, connection, askgate_str(line));
    askgate_endpoint_poll(endpoint, 0, &output);
    if (strcmp(fault, "borrowed") == 0) {
        askgate_endpoint_receive(endpoint, 0, connection, askgate_str(line));
        printf("%u\n", sum(output.line));
    } else if (strcmp(fault, "error") == 0) {
        askgate_error error;
        askgate_text bad = {"\xff", 1};
        askgate_endpoint_close_surface(endpoint, 0, bad, NULL);
        askgate_endpoint_error(endpoint, &error);
        askgate_endpoint_receive(endpoint, 0, connection, askgate_str(line));
        printf("%u\n", sum(error.message));
    } else if (strcmp(fault, "freed") == 0) {
        askgate_endpoint_free(endpoint);
        printf("%u\n", sum(output.line));
        return 0;
    } else if (strcmp(fault, "leak") == 0) {
        for (int n = 0; n < 16; n++) askgate_endpoint_new(ASKGATE_ABI_VERSION, NULL, &endpoint);
        endpoint = NULL;
    }
    askgate_endpoint_free(endpoint);
    return 0;
}
