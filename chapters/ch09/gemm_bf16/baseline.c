/* baseline - row i of c is a sum of rows of b, weighted by row i of a: the loop order i, p, j, in which every access runs along
 * a row and the inner loop is a plain vector loop for any compiler. Columns go in blocks, whose sums stay in f32 until they are
 * whole: to add into c itself would round k times to bf16.
 * Contract: a (m,k)  b (k,n)  c (m,n): bf16, row-major, no overlap.
 * Cost: 2mnk flop; b is widened once for each row of a.
 * Error: u |c| for the rounding to bf16, u = 2^-8, and k 2^-24 |A||B| for the sums. Source: Higham 2002, section 3.5. */
#include <aisp/variant.h>

#include "bf16.h"
#include "problem.h"

#define BLOCK 256     /* columns: 1 KiB of sums */

static enum aisp_status run(const struct aisp_call *call)
{
    const uint16_t *restrict a = call->tensor[A], *restrict b = call->tensor[B];
    uint16_t *restrict c = call->tensor[C];
    const int64_t m = call->param[M], n = call->param[N], k = call->param[K];

    for (int64_t i = 0; i < m; i++) {
        for (int64_t from = 0; from < n; from += BLOCK) {
            const int64_t width = n - from < BLOCK ? n - from : BLOCK;
            float sum[BLOCK] = { 0 };

            for (int64_t p = 0; p < k; p++) {
                const float a_ip = bf16_to_f32(a[i * k + p]);
                const uint16_t *restrict b_p = b + p * n + from;

                for (int64_t j = 0; j < width; j++)
                    sum[j] += a_ip * bf16_to_f32(b_p[j]);
            }
            for (int64_t j = 0; j < width; j++)
                c[i * n + from + j] = bf16_from_f32(sum[j]);
        }
    }
    return AISP_OK;
}

AISP_DECLARE("idea: the definition in the loop order i, p, j, so that every access runs along a row");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
