/* baseline - row i of c is a sum of rows of b, weighted by row i of a: the loop order i, p, j, in which every access runs along
 * a row. Factors are 16 bits wide, for which any x86-64 has a multiplication that keeps all bits.
 * Contract: a (m,k) u8  b (k,n) s8  c (m,n) s32: row-major, no overlap; sums below 2^31.
 * Cost: 2mnk operations; for each multiply-add a widening of b, a load and a store of c. Exact. */
#include <aisp/variant.h>

#include "problem.h"

static enum aisp_status run(const struct aisp_call *call)
{
    const uint8_t *restrict a = call->tensor[A];
    const int8_t *restrict b = call->tensor[B];
    int32_t *restrict c = call->tensor[C];
    const int64_t m = call->param[M], n = call->param[N], k = call->param[K];

    for (int64_t i = 0; i < m; i++) {
        for (int64_t j = 0; j < n; j++)
            c[i * n + j] = 0;
        for (int64_t p = 0; p < k; p++) {
            const int16_t a_ip = a[i * k + p];

            for (int64_t j = 0; j < n; j++)
                c[i * n + j] += a_ip * (int16_t)b[p * n + j];
        }
    }
    return AISP_OK;
}

AISP_DECLARE("idea: the definition in the loop order i, p, j, so that every access runs along a row");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
