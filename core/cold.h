/* cold.h - was what a window reads in the device's cache already? Where the slots are meant to lie in its memory, its cache is
 * emptied before each window, and before a secret share of them lines of the inputs are read against the clock: counts, no opinion.
 * Not here: when it is looked (core/run/cold.c), how (backends/cuda/cold.c), what is too many (checks/memory_device.c). */
#ifndef AISP_CORE_COLD_H
#define AISP_CORE_COLD_H

#include <jansson.h>
#include <stdint.h>

#include "core/base/err.h"

struct aisp_cold_look {
    int64_t n_looks, n_lines, n_hot; /* of each look's hottest slot. Hot: as quick as what the cache is known to hold */
};

struct aisp_cold_facts {
    int64_t swept_bytes;                /* memory read before each window; 0: inputs may lie in the cache */
    int64_t n_swept_out, n_swept_out_hot, n_just_read, n_just_read_hot; /* of which it was known: can the two be told apart? */
    struct aisp_cold_look alone[2];     /* before windows of a side that was alone on the device */
    struct aisp_cold_look shared;       /* before windows of a pair, whose inputs are the same */
};

json_t *aisp_cold_to_json(const struct aisp_cold_facts *facts);
enum aisp_status aisp_cold_from_json(const json_t *json, struct aisp_cold_facts *facts, struct aisp_err *err);

#endif
