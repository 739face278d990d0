/* baseline - the definition, matrix after matrix: each element of c is one dot product. */
#include <aisp/variant.h>

#include "problem.h"

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t batch = call->param[BATCH];
    const int64_t m = call->param[M], n = call->param[N], k = call->param[K];

    for (int64_t i = 0; i < batch; i++) {
        const float *a = (const float *)call->tensor[A] + i * m * k;
        const float *b = (const float *)call->tensor[B] + i * k * n;
        float *c = (float *)call->tensor[C] + i * m * n;

        for (int64_t row = 0; row < m; row++)
            for (int64_t col = 0; col < n; col++) {
                float sum = 0;

                for (int64_t p = 0; p < k; p++)
                    sum += a[row * k + p] * b[p * n + col];
                c[row * n + col] = sum;
            }
    }
    return AISP_OK;
}

AISP_DECLARE("idea: the definition, a dot product for each element");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
