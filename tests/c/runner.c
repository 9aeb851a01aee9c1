/* Plays the scenario files (tests/vectors/README.md) through the C interface.
 *
 *     runner [part of a file's name ...]
 *
 * ASKGATE_VECTORS names another folder, ASKGATE_TRANSCRIPT a file to write what the library gave. */

#include "json.h"
#include "scenario.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static jmp_buf failed;
static char why[4096];

void fail(const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(why, sizeof why, format, args);
    va_end(args);
    longjmp(failed, 1);
}

/* What the library gave: lines of "file, step, JSON". */
static FILE *transcript;
static const char *playing;
static size_t step_number;

void record(const char *json) {
    if (transcript != NULL) fprintf(transcript, "%s\t%zu\t%s\n", playing, step_number, json);
}

void record_json(json_t *value) {
    record(canonical(value));
}

void each_step(json_t *steps, void (*play)(void *, json_t *), void *host) {
    if (!json_is_array(steps)) fail("no steps");
    for (step_number = 0; step_number < json_array_size(steps); step_number++) {
        json_t *step = json_array_get(steps, step_number);
        if (!json_is_object(step)) fail("a step that is no object");
        play(host, step);
        done(step);
    }
}

static const struct {
    const char *kind;
    void (*play)(json_t *);
} kinds[] = {
    {"chat", play_chat},     {"elicitation", play_elicitation}, {"endpoint", play_endpoint}, {"gate", play_gate},
    {"mirror", play_mirror}, {"modal", play_modal},             {"text", play_text},
};

static void play(const char *path) {
    json_error_t error;
    json_t *file = hold(json_load_file(path, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &error));
    if (file == NULL) fail("line %d: %s", error.line, error.text);
    need_text(file, "name");
    const char *kind = need_text(file, "kind");
    for (size_t n = 0; n < sizeof kinds / sizeof *kinds; n++)
        if (strcmp(kinds[n].kind, kind) == 0) {
            kinds[n].play(file);
            return;
        }
    fail("no runner knows the kind \"%s\"", kind);
}

static size_t passed, broken;

/* Plays a file, and says how that went. */
static void try(const char *path) {
    step_number = 0;
    if (setjmp(failed) != 0) {
        broken++;
        printf("FAIL %s: step %zu: %s\n", playing, step_number, why);
    } else {
        play(path);
        passed++;
        printf("ok %s\n", playing);
    }
}

static char **files;
static size_t file_count;

static void find(const char *folder) {
    DIR *open = opendir(folder);
    if (open == NULL) {
        perror(folder);
        exit(1);
    }
    for (struct dirent *entry; (entry = readdir(open)) != NULL;) {
        if (entry->d_name[0] == '.') continue;
        size_t size = strlen(folder) + strlen(entry->d_name) + 2;
        char *path = malloc(size);
        snprintf(path, size, "%s/%s", folder, entry->d_name);
        struct stat about;
        const char *end = strrchr(path, '.');
        if (stat(path, &about) == 0 && S_ISDIR(about.st_mode)) {
            find(path);
        } else if (end != NULL && strcmp(end, ".json") == 0) {
            files = realloc(files, (file_count + 1) * sizeof *files);
            files[file_count++] = path;
            continue;
        }
        free(path);
    }
    closedir(open);
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static int wanted(const char *name, int count, char **parts) {
    for (int n = 0; n < count; n++)
        if (strstr(name, parts[n]) != NULL) return 1;
    return count == 0;
}

int main(int argc, char **argv) {
    const char *root = getenv("ASKGATE_VECTORS");
    if (root == NULL) root = "tests/vectors";
    const char *to = getenv("ASKGATE_TRANSCRIPT");
    if (to != NULL && (transcript = fopen(to, "w")) == NULL) {
        perror(to);
        return 1;
    }
    find(root);
    qsort(files, file_count, sizeof *files, by_name);
    for (size_t n = 0; n < file_count; n++) {
        playing = files[n] + strlen(root);
        playing += strspn(playing, "/");
        if (wanted(playing, argc - 1, argv + 1)) {
            try(files[n]);
            let_go();
        }
        free(files[n]);
    }
    free(files);
    if (transcript != NULL) fclose(transcript);
    printf("%zu passed, %zu failed\n", passed, broken);
    if (passed + broken == 0) fprintf(stderr, "there is no scenario below %s\n", root);
    return broken > 0 || passed == 0;
}
