/* baseline - row i of c is a sum of rows of b, weighted by row i of a, each element widened where
 * it is used: the loop order i, p, j, in which every access runs along a row.
 * Contract: a (m,k)  b (k,n): bf16, c (m,n): f32, row-major, no overlap.
 * Cost: 2mnk flop; for each multiply-add a widening, a load and a store of c.
 * Error: |c - c64| <= g |A||B| elementwise, g = k u/(1 - k u), u = 2^-24. Source: Higham 2002,
 * section 3.5. */
#include <aisp/variant.h>

#include "problem.h"

static enum aisp_status run(const struct aisp_call *call)
{
    const uint16_t *restrict a = call->tensor[A], *restrict b = call->tensor[B];
    float *restrict c = call->tensor[C];
    const int64_t m = call->param[M], n = call->param[N], k = call->param[K];

    for (int64_t i = 0; i < m; i++) {
        for (int64_t j = 0; j < n; j++)
            c[i * n + j] = 0;
        for (int64_t p = 0; p < k; p++) {
            const float a_ip = bf16_to_f32(a[i * k + p]);

            for (int64_t j = 0; j < n; j++)
                c[i * n + j] += a_ip * bf16_to_f32(b[p * n + j]);
        }
    }
    return AISP_OK;
}

AISP_DECLARE(
    "idea: the definition in the loop order i, p, j, each element widened where it is used");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
