/* mean.h - one all-reduce in one shot: show, meet, add up. Rooms have two halves that take turns: who is still reading the one half
 * is not disturbed by who writes the other, so one meeting is enough. */
#ifndef GRADIENT_FUSION_MEAN_H
#define GRADIENT_FUSION_MEAN_H

#include <string.h>

#include "kit/meet.h"
#include "problem.h"

static inline bool mean_fits(const struct aisp_call *c, int64_t n)
{
    return (size_t)n * sizeof(float) <= meet_room_bytes(c) / 2;
}

/* x (n), y (n); turn: 0 or 1, another one than in the call before */
static inline void mean_over_ranks(const struct aisp_call *c, const float *x, float *y, int64_t n, int turn)
{
    const size_t half = meet_room_bytes(c) / 2 / 64 * 64 / sizeof(float) * (size_t)turn;
    const float by = 1.0f / (float)c->n_ranks;

    memcpy((float *)meet_room(c, c->rank) + half, x, (size_t)n * sizeof(float));
    meet_barrier(c);
    memcpy(y, (const float *)meet_room(c, 0) + half, (size_t)n * sizeof(float));
    for (int r = 1; r < c->n_ranks; r++) {
        const float *other = (const float *)meet_room(c, r) + half;

        for (int64_t i = 0; i < n; i++)
            y[i] += other[i];
    }
    for (int64_t i = 0; i < n; i++)
        y[i] *= by;
}

#endif
