/* buckets.h - the sum over ranks of x, sent in buckets over the wires. x (n) in, y (n) out, f32, on each rank. */
#ifndef TESTS_PROBLEMS_BUCKETS_H
#define TESTS_PROBLEMS_BUCKETS_H

#include <string.h>
#include <unistd.h>

#include "tests/problems/meet.h"

enum { BUCKETS, BUCKET };

/* One bucket to every other rank, and theirs added. */
static inline int add_bucket(const struct aisp_call *c, const float *x, float *y, float *theirs)
{
    const size_t bytes = (size_t)c->param[BUCKET] * sizeof *x;

    memcpy(y, x, bytes);
    for (int r = 0; r < c->n_ranks; r++)
        if (r != c->rank && write(c->wire[r], x, bytes) != (ssize_t)bytes)
            return 0;
    for (int r = 0; r < c->n_ranks; r++) {
        if (r == c->rank)
            continue;
        if (read(c->wire[r], theirs, bytes) != (ssize_t)bytes)
            return 0;
        for (int64_t i = 0; i < c->param[BUCKET]; i++)
            y[i] += theirs[i];
    }
    return 1;
}

#endif
