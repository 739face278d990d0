/* pipeline.h - two stages. The first rank has x and computes h = 1 / sqrt(x), the second computes y = 1 / sqrt(h) of it, in
 * batches, so that both work at once but for the first and the last of them.
 * x: n on rank 0, one element (of no use) elsewhere. y: n on the last rank; one element on rank 0, which is h[0]. */
#ifndef TESTS_PROBLEMS_PIPELINE_H
#define TESTS_PROBLEMS_PIPELINE_H

#include "tests/problems/meet.h"

enum { BATCHES = 4, FILLED = 0 };

static inline int64_t batch_at(const struct aisp_call *c, int batch)
{
    return c->param[N] * batch / BATCHES;
}

/* Batches handed over so far, since the process started: a number of its own on each side. */
struct progress {
    uint32_t batches;
};

static inline enum aisp_status start_progress(const struct aisp_setup *s)
{
    static struct progress p;

    *s->state = &p;
    return AISP_OK;
}

/* One batch of the first stage, and one of the second. */
static inline void first_stage(const struct aisp_call *c, float *h, int batch, int64_t steps)
{
    const int64_t at = batch_at(c, batch);

    newton((const float *)c->tensor[X] + at, h + at, batch_at(c, batch + 1) - at, steps);
}

static inline void second_stage(const struct aisp_call *c, const float *h, int batch)
{
    const int64_t at = batch_at(c, batch);

    newton(h + at, (float *)c->tensor[Y] + at, batch_at(c, batch + 1) - at, c->param[STEPS]);
}

#endif
