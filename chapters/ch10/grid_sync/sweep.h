/* sweep.h - one sweep over n cells, of which the first and the last may be ends of the line. */
#ifndef GRID_SYNC_SWEEP_H
#define GRID_SYNC_SWEEP_H

#include <stdint.h>

struct ends { int left, right; };

/* from[-1] and from[n] are read where the piece has no end there. */
__attribute__((always_inline)) static inline void sweep_body(const float *restrict from, float *restrict to, int64_t n,
                                                             struct ends is_end)
{
    const int64_t end = is_end.right ? n - 1 : n;

    if (is_end.left)
        to[0] = from[0];
    if (is_end.right)
        to[n - 1] = from[n - 1];
    for (int64_t i = is_end.left ? 1 : 0; i < end; i++)
        to[i] = 0.25f * (from[i - 1] + from[i + 1]) + 0.5f * from[i];
}

static inline void sweep(const float *from, float *to, int64_t n, struct ends is_end)
{
    sweep_body(from, to, n, is_end);
}

__attribute__((target("avx2"))) static inline void sweep_avx2(const float *from, float *to, int64_t n, struct ends is_end)
{
    sweep_body(from, to, n, is_end);
}

#endif
