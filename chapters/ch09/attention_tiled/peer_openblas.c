/* peer_openblas - what a user without a library for attention would write: both products by cblas_sgemm of OpenBLAS, the
 * softmax of the full score matrix between them by hand. */
#include <math.h>

#include <aisp/variant.h>

#include "kit/openblas.h"
#include "problem.h"

/* Declared here, because <cblas.h> may be another library's on a machine that has several. */
enum { ROW_MAJOR = 101, NO_TRANSPOSE = 111, TRANSPOSE = 112 };
void cblas_sgemm(int order, int trans_a, int trans_b, int m, int n, int k, float alpha, const float *a, int lda, const float *b,
                 int ldb, float beta, float *c, int ldc);

static void softmax_of_rows(float *s, int64_t seq)
{
    for (int64_t i = 0; i < seq; i++, s += seq) {
        float max = s[0], sum = 0;

        for (int64_t j = 1; j < seq; j++)
            max = s[j] > max ? s[j] : max;
        for (int64_t j = 0; j < seq; j++) {
            s[j] = expf(s[j] - max);
            sum += s[j];
        }
        for (int64_t j = 0; j < seq; j++)
            s[j] /= sum;
    }
}

static size_t workspace_bytes(const int64_t *param)
{
    return (size_t)(param[SEQ] * param[SEQ]) * sizeof(float);
}

static enum aisp_status run(const struct aisp_call *call)
{
    const int seq = (int)call->param[SEQ], dim = (int)call->param[DIM];
    float *scores = call->workspace;

    cblas_sgemm(ROW_MAJOR, NO_TRANSPOSE, TRANSPOSE, seq, seq, dim, 1 / sqrtf((float)dim), call->tensor[Q], dim, call->tensor[K],
                dim, 0, scores, seq);
    softmax_of_rows(scores, seq);
    cblas_sgemm(ROW_MAJOR, NO_TRANSPOSE, NO_TRANSPOSE, seq, dim, seq, 1, scores, seq, call->tensor[V], dim, 0, call->tensor[O],
                dim);
    return AISP_OK;
}

AISP_DECLARE("idea: both products by cblas_sgemm of OpenBLAS, the full score matrix between them\n"
             "uses: library, threads, allocates");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = workspace_bytes, .setup = openblas_begin, .run = run };
