/* peer_openblas - one cblas_sgemm per matrix: what a user writes who has the library at hand.
 * Not a batched call: OpenBLAS of this age has none. */
#include <cblas.h>

#include <aisp/variant.h>

#include "kit/openblas.h"
#include "problem.h"

static enum aisp_status run(const struct aisp_call *call)
{
    const int m = (int)call->param[M], n = (int)call->param[N], k = (int)call->param[K];

    for (int64_t i = 0; i < call->param[BATCH]; i++)
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1.0f,
                    (const float *)call->tensor[A] + i * m * k, k,
                    (const float *)call->tensor[B] + i * k * n, n, 0.0f,
                    (float *)call->tensor[C] + i * m * n, n);
    return AISP_OK;
}

AISP_DECLARE("idea: cblas_sgemm once per matrix\n"
             "uses: library");

AISP_VARIANT = { .abi = AISP_ABI, .setup = openblas_begin, .run = run };
