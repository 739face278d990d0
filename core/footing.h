/* footing.h - how the workers of one side stood on the machine, read from outside: whom the
 * scheduler prefers, who traces them, on which node their memory lies, how much they claimed and
 * how much they touched.
 * Not here: counters of a window (evidence.h), what they mapped (process_facts.h), what a fact
 * means (checks/).
 * Kept is the worst of all workers of the side. Everything is read below a root that tests can
 * replace ("/" in the product); what cannot be read stays unknown. */
#ifndef AISP_CORE_FOOTING_H
#define AISP_CORE_FOOTING_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"

enum { AISP_FOOTING_NODES = 8 };

struct aisp_footing {
    int32_t n_looks; /* workers that were looked at; 0: nothing below is known */
    int32_t tracer_pid;
    int32_t nice_low, nice_high, nice_given; /* given: what the supervisor started it with */
    int32_t policy, realtime;                /* highest of any thread; 0: the usual ones */
    int32_t io_class;                        /* 0: none was set */
    int64_t data_bytes, resident_bytes; /* of the worker that claimed most: private writable address
                                           space without the stacks of its threads, which nobody
                                           fills, and how much of it there really is */
    int64_t returned_bytes;             /* largest address space once had less that at the end */
    int64_t peak_bytes;                 /* largest resident size of any of them */
    int32_t node;                       /* of the measuring cores; -1: more than one, or unknown */
    int64_t node_bytes[AISP_FOOTING_NODES];         /* of its own memory */
    int64_t harness_node_bytes[AISP_FOOTING_NODES]; /* of what the harness laid out for it, wherever that put it */
};

/* Look at one more worker of the side. With `priorities` off the scheduler's part is left out. */
void aisp_footing_look(struct aisp_footing *footing, const char *root, int pid, bool priorities);

/* NULL if nobody looked. */
json_t *aisp_footing_to_json(const struct aisp_footing *footing);
/* `json` NULL: nobody did. */
enum aisp_status aisp_footing_from_json(const json_t *json, struct aisp_footing *footing,
                                        struct aisp_err *err);

#endif
