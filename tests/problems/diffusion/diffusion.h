/* diffusion.h - u <- u + (left - 2 u + right) / 4, round the ring, `steps` times: what the problem and its variants share.
 * u (n) in, y (n) out, f32. */
#ifndef TESTS_PROBLEMS_DIFFUSION_H
#define TESTS_PROBLEMS_DIFFUSION_H

#include <string.h>

#include <aisp/variant.h>

enum { U, Y };
enum { N, STEPS };
enum { MOST_N = 1024 };

static inline void step(float *u, int64_t n)
{
    const float first = u[0];
    float left = u[n - 1];

    for (int64_t i = 0; i < n; i++) {
        const float right = i + 1 < n ? u[i + 1] : first, here = u[i];

        u[i] = 0.5f * here + 0.25f * (left + right);
        left = here;
    }
}

static inline void diffuse(const struct aisp_call *c, int64_t steps)
{
    memcpy(c->tensor[Y], c->tensor[U], (size_t)c->param[N] * sizeof(float));
    for (int64_t s = 0; s < steps; s++)
        step(c->tensor[Y], c->param[N]);
}

#endif
