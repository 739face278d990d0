/* small.h - what the memory proofs share: 1 / sqrt(x) by steps over a copy of the input, of which more or less may be held. */
#ifndef TESTS_PROBLEMS_SMALL_H
#define TESTS_PROBLEMS_SMALL_H

#include <stdlib.h>
#include <string.h>

#include "tests/problems/rsqrt/rsqrt.h"

/* Elements [from, from + n) by way of scratch that holds n. */
static inline void by_way_of(const struct aisp_call *c, float *scratch, int64_t from, int64_t n)
{
    memcpy(scratch, (const float *)c->tensor[X] + from, (size_t)n * sizeof *scratch);
    newton(scratch, (float *)c->tensor[Y] + from, n, c->param[STEPS]);
}

static inline void in_parts(const struct aisp_call *c, float *scratch, int64_t part)
{
    for (int64_t from = 0; from < c->param[N]; from += part)
        by_way_of(c, scratch, from, c->param[N] - from < part ? c->param[N] - from : part);
}

#endif
