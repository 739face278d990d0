/* peer_openblas - what a user would call instead: cblas_sgemm of OpenBLAS.
 * Contract: as the baseline's; the threads are the harness's choice, set once in setup. */
#include <aisp/variant.h>

#include "kit/openblas.h"
#include "problem.h"

/* Declared here, because <cblas.h> may be another library's on a machine that has several. */
enum { ROW_MAJOR = 101, NO_TRANSPOSE = 111 };
void cblas_sgemm(int order, int trans_a, int trans_b, int m, int n, int k, float alpha,
                 const float *a, int lda, const float *b, int ldb, float beta, float *c, int ldc);

static enum aisp_status run(const struct aisp_call *call)
{
    const int m = (int)call->param[M], n = (int)call->param[N], k = (int)call->param[K];

    cblas_sgemm(ROW_MAJOR, NO_TRANSPOSE, NO_TRANSPOSE, m, n, k, 1, call->tensor[A], k,
                call->tensor[B], n, 0, call->tensor[C], n);
    return AISP_OK;
}

AISP_DECLARE("idea: cblas_sgemm of OpenBLAS, with the threads that the harness gives\n"
             "uses: library, threads, allocates");

AISP_VARIANT = { .abi = AISP_ABI, .setup = openblas_begin, .run = run };
