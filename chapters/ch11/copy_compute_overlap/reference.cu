/* reference - the series in f64 by the definition, term by term, one thread for each point. */
#include <aisp/kernel_kit.cuh>
#include <aisp/reference.h>

#include "problem.h"

enum { THREADS = 256 };

__global__ static void series(const float *x, const float *c, int64_t n, int64_t terms, double *to)
{
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;

    if (i >= n)
        return;

    double before = 1, term = x[i], sum = c[0]; /* T_0, T_1 */

    for (int64_t k = 1; k < terms; k++) {
        const double next = 2 * (double)x[i] * term - before;

        sum += c[k] * term;
        before = term;
        term = next;
    }
    to[i] = sum;
}

static enum aisp_status rows(const struct aisp_device_view *in, int out, int64_t first, int64_t n, void *to)
{
    (void)out;
    series<<<aisp_blocks(n, THREADS), THREADS, 0, (cudaStream_t)in->stream>>>((const float *)in->tensor[X] + first,
                                                                              (const float *)in->tensor[C], n, in->param[TERMS],
                                                                              (double *)to);
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

AISP_REFERENCE = { .abi = AISP_ABI, .rows = rows };
