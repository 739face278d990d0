/* peer_openblas - one cblas_sgemm per matrix: what a user writes who has the library at hand.
 * Not a batched call: OpenBLAS of this age has none. */
#include <cblas.h>

#include <aisp/variant.h>

#include "problem.h"

/* In OpenBLAS's own cblas.h, but not in the one of the reference BLAS that may lie in its place. */
void openblas_set_num_threads(int n);

static enum aisp_status setup(const struct aisp_setup *setup)
{
    openblas_set_num_threads(setup->n_threads > 0 ? setup->n_threads : 1);
    return AISP_OK;
}

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

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
