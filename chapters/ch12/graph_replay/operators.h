/* operators.h - one loop for each operator. */
#ifndef GRAPH_REPLAY_OPERATORS_H
#define GRAPH_REPLAY_OPERATORS_H

#include <stdint.h>

#include "problem.h"

/* What an operator needs beside its vectors. */
struct step { float amount; int64_t reach; }; /* 0 <= reach < n */

static inline void apply_scale(const float *restrict v, float *restrict to, int64_t n, struct step s)
{
    for (int64_t i = 0; i < n; i++)
        to[i] = v[i] * s.amount;
}

static inline void apply_shift(const float *restrict v, float *restrict to, int64_t n, struct step s)
{
    for (int64_t i = 0; i < n; i++)
        to[i] = v[i] + s.amount;
}

static inline void apply_leaky(const float *restrict v, float *restrict to, int64_t n, struct step s)
{
    (void)s;
    for (int64_t i = 0; i < n; i++) {
        const float low = v[i] * LEAK;

        to[i] = v[i] > low ? v[i] : low;
    }
}

static inline void apply_mix(const float *restrict v, float *restrict to, int64_t n, struct step s)
{
    for (int64_t i = 0; i < n - s.reach; i++)
        to[i] = MIX_OWN * v[i] - MIX_NEXT * v[i + s.reach];
    for (int64_t i = n - s.reach; i < n; i++)
        to[i] = MIX_OWN * v[i] - MIX_NEXT * v[i + s.reach - n];
}

#endif
