/* baseline - Clenshaw's recurrence term by term on blocks of 256 points, which lie in the first-level cache with what they
 * need: points of a block do not wait for each other, and the compiler takes several at once. */
#include <aisp/variant.h>

#include "problem.h"

enum { BLOCK = 256 };

static void block(const float *restrict x, const float *restrict c, int64_t terms, float *restrict y, int64_t n)
{
    float b1[BLOCK] = { 0 }, b2[BLOCK] = { 0 };

    for (int64_t k = terms - 1; k > 0; k--)
        for (int64_t i = 0; i < n; i++) {
            const float b = c[k] + 2 * x[i] * b1[i] - b2[i];

            b2[i] = b1[i];
            b1[i] = b;
        }
    for (int64_t i = 0; i < n; i++)
        y[i] = c[0] + x[i] * b1[i] - b2[i];
}

static enum aisp_status run(const struct aisp_call *call)
{
    const float *x = call->tensor[X], *c = call->tensor[C];
    const int64_t n = call->param[N];
    float *y = call->tensor[Y];

    for (int64_t i = 0; i < n; i += BLOCK)
        block(x + i, c, call->param[TERMS], y + i, n - i < BLOCK ? n - i : BLOCK);
    return AISP_OK;
}

AISP_DECLARE("idea: the recurrence term by term on blocks of points in the first-level cache");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
