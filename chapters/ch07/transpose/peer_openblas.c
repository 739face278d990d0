/* peer_openblas - cblas_somatcopy, the library's out-of-place copy with transposition. */
#include <cblas.h>

#include <aisp/variant.h>

#include "kit/openblas.h"
#include "problem.h"

/* An extension of OpenBLAS, absent from the cblas.h of the reference BLAS that may lie in its place. */
void cblas_somatcopy(const enum CBLAS_ORDER order, const enum CBLAS_TRANSPOSE trans, const int rows,
                     const int cols, const float alpha, const float *a, const int lda, float *b,
                     const int ldb);

static enum aisp_status run(const struct aisp_call *call)
{
    const int rows = (int)call->param[ROWS], cols = (int)call->param[COLS];

    cblas_somatcopy(CblasRowMajor, CblasTrans, rows, cols, 1.0f, call->tensor[X], cols,
                    call->tensor[Y], rows);
    return AISP_OK;
}

AISP_DECLARE("idea: cblas_somatcopy\n"
             "uses: library");

AISP_VARIANT = { .abi = AISP_ABI, .setup = openblas_begin, .run = run };
