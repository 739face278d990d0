/* footprint.h - how much memory a variant needs, and how that was proven.
 * The figure is the most address space that a process of it ever had, beyond what the worker had before the variant was loaded:
 * its code and libraries, static data, workspace, heap, stacks and every mapping, whether touched or not. The kernel keeps that
 * peak, so giving back before a reading changes nothing; and the same processes may not open descriptors, so nothing lies in
 * files without names or in pipes. Then fresh processes with fresh secrets must be right under that figure as a hard limit.
 * Not here: how it is taken (core/run/footprint.c). */
#ifndef AISP_CORE_FOOTPRINT_H
#define AISP_CORE_FOOTPRINT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"

enum { AISP_FOOTPRINT_REPEATS = 3, AISP_FOOTPRINT_PROOFS = 2 };

/* What the kernel says of one worker. */
struct aisp_reach {
    int64_t peak_bytes;                      /* address space at its peak, beyond the worker's own */
    int64_t loaded_bytes;                    /* of these the variant's code, libraries and static data, after loading */
    int32_t n_descriptors;                   /* open ones that the harness did not give it */
};

/* One side's. All 0: memory was not what was asked about. */
struct aisp_footprint {
    int32_t n_repeats;                       /* processes measured without the limit */
    int64_t peak_bytes[AISP_FOOTPRINT_REPEATS];
    int64_t loaded_bytes;
    int32_t n_proofs, n_proven;              /* processes under the limit, and those whose answers were right */
    int64_t cap_bytes;                       /* the limit: the largest of the peaks */
};

json_t *aisp_footprint_to_json(const struct aisp_footprint *footprint);
enum aisp_status aisp_footprint_from_json(const json_t *json, struct aisp_footprint *footprint, struct aisp_err *err);

#endif
