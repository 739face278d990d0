/* shards.h - n elements, cut among the ranks by the harness: the quarter for the first of two, the rest for the second. Each
 * rank computes y = 1 / sqrt(x) of its shard, and the step is over when all have. */
#ifndef TESTS_PROBLEMS_SHARDS_H
#define TESTS_PROBLEMS_SHARDS_H

#include "tests/problems/meet.h"

static inline int64_t cut(const struct aisp_call *c, int rank)
{
    return rank * rank * c->param[N] / (c->n_ranks * c->n_ranks);
}

static inline int64_t shard_of(const struct aisp_call *c)
{
    return cut(c, c->rank + 1) - cut(c, c->rank);
}

#endif
