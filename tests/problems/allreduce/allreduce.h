/* allreduce.h - each rank has x and gets the sum over all ranks of 1 / sqrt(x), y: a step of training whose gradient is dear.
 * x (n) in, y (n) out, f32, on each rank. */
#ifndef TESTS_PROBLEMS_ALLREDUCE_H
#define TESTS_PROBLEMS_ALLREDUCE_H

#include "tests/problems/meet.h"

/* y = the sum of all rooms. */
static inline void sum_rooms(const struct aisp_call *c, float *y)
{
    for (int64_t i = 0; i < c->param[N]; i++) {
        float sum = 0;

        for (int r = 0; r < c->n_ranks; r++)
            sum += room_of(c, r)[i];
        y[i] = sum;
    }
}

/* The second barrier: nobody writes into a room that another still reads. */
static inline void reduce_step(const struct aisp_call *c)
{
    newton(c->tensor[X], room_of(c, c->rank), c->param[N], c->param[STEPS]);
    barrier(c);
    sum_rooms(c, c->tensor[Y]);
    barrier(c);
}

#endif
