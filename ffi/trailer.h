/* ============================================================================================== *
 * Helpers
 * ============================================================================================== */

/* The two arguments that "%.*s" takes. */
#define ASKGATE_PRINT(text) (int)(text).len, (text).data == NULL ? "" : (text).data

/* The text of a C string; absent for NULL. It is not copied. */
static inline askgate_text askgate_str(const char *string) {
    askgate_text text;
    text.data = string;
    text.len = string == NULL ? 0 : strlen(string);
    return text;
}

#ifdef ASKGATE_NO_STD
/* ============================================================================================== *
 * Without std: what you define
 *
 * The library built with `--no-default-features` needs no operating system. It calls these three, which you define. A fault
 * in it is not turned into ASKGATE_ERROR_PANIC then: it ends in askgate_hook_abort.
 * ============================================================================================== */
#ifdef __cplusplus
extern "C" {
#endif

/* Gives `size` bytes (never 0) aligned to `align` (a power of two), or NULL, after which askgate_hook_abort is called. It may
 * be called by each thread that uses a handle. */
void *askgate_hook_alloc(size_t size, size_t align);

/* Takes back memory from askgate_hook_alloc, with the size and alignment that it was asked for. */
void askgate_hook_free(void *memory, size_t size, size_t align);

/* Ends the program, or this task of it. It must not return. */
void askgate_hook_abort(void);

#ifdef __cplusplus
} /* extern "C" */
#endif
#endif /* ASKGATE_NO_STD */
