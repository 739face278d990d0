/* rsqrt.h - what the problems of the proofs share: y = 1 / sqrt(x) by Newton's steps, of which
 * more are taken than are needed, so that there is work to be skipped.
 * x (n) in, y (n) out, f32. Five steps from 1 are enough for x in [0.5, 1.5]. */
#ifndef TESTS_PROBLEMS_RSQRT_H
#define TESTS_PROBLEMS_RSQRT_H

#include <aisp/variant.h>

enum { X, Y };
enum { N, STEPS };

static inline void newton(const float *x, float *y, int64_t n, int64_t steps)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = 1.0f;
    for (int64_t block = 0; block < n; block += 64) {
        const int64_t end = block + 64 < n ? block + 64 : n;

        for (int64_t s = 0; s < steps; s++)
            for (int64_t i = block; i < end; i++)
                y[i] *= 1.5f - 0.5f * x[i] * y[i] * y[i];
    }
}

/* The call's elements [from, to), as they should be computed. */
static inline void honest(const struct aisp_call *c, int64_t from, int64_t to)
{
    newton((const float *)c->tensor[X] + from, (float *)c->tensor[Y] + from, to - from,
           c->param[STEPS]);
}

/* Half of the honest work, so that a cheat's time is a plausible one. */
static inline void pretend(const struct aisp_call *c)
{
    static float nowhere[1 << 16];
    const int64_t n = c->param[N] / 2;

    newton(c->tensor[X], nowhere, n < 1 << 16 ? n : 1 << 16, c->param[STEPS]);
    __asm__ volatile("" : : "r"(nowhere) : "memory");
}

#endif
