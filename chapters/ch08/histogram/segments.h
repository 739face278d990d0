/* segments.h - the walk over the segments of both kinds, the same for every variant. */
#ifndef HISTOGRAM_SEGMENTS_H
#define HISTOGRAM_SEGMENTS_H

#include <aisp/variant.h>

#include "problem.h"

/* Write all BINS counters of one segment. */
typedef void count_segment(const uint8_t *key, int64_t n, int32_t *count);

static inline enum aisp_status count_all(const struct aisp_call *call, count_segment *segment)
{
    const int64_t segments = call->param[SEGMENTS], n = call->param[N];
    const uint8_t *even = call->tensor[EVEN], *skewed = call->tensor[SKEWED];
    int32_t *count = call->tensor[COUNT];

    for (int64_t s = 0; s < segments; s++) {
        segment(even + s * n, n, count + s * BINS);
        segment(skewed + s * n, n, count + (segments + s) * BINS);
    }
    return AISP_OK;
}

#endif
