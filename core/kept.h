/* kept.h - a few outputs as they were at the stop, kept with what it takes to make their inputs again from the pair's secret, so
 * that they can be judged again later and elsewhere. Part of the evidence.
 * Why few: an output is large, and what was said of all of them is in the counts; these are for whoever does not believe it.
 * Not here: taking and judging them (core/run/kept.h). */
#ifndef AISP_CORE_KEPT_H
#define AISP_CORE_KEPT_H

#include <jansson.h>
#include <stdint.h>

#include "core/base/err.h"

enum {
    AISP_KEPT_ROW_BYTES = 4096, /* of one output at most */
    AISP_KEPT_BYTES = 32 << 10, /* of one comparison */
    AISP_KEPT_MADE = 256,       /* numbers of one `made` */
};

struct aisp_kept_output {
    int32_t pair;
    int32_t side;
    int32_t slot, tensor;
    int64_t first_row, n_rows;
    char *bytes; /* the rows, as they lay in memory, in hex */
    int64_t *
        made; /* which contents its inputs had: for each filled tensor in order the elements of a chunk, */
    int64_t n_made; /* the number of chunks, and their epochs */
};

struct aisp_kept {
    struct aisp_kept_output *output;
    size_t n, cap;
    int64_t n_bytes;
};

void aisp_kept_release(struct aisp_kept *kept);
json_t *aisp_kept_to_json(const struct aisp_kept *kept);
/* An old record has none: json NULL is nothing kept. Errors: AISP_E_IO. */
enum aisp_status aisp_kept_from_json(const json_t *json, struct aisp_kept *kept,
                                     struct aisp_err *err);

#endif
