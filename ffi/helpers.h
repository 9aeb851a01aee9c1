
/* The version that this header came with. */
#define ASKGATE_VERSION "@VERSION@"
