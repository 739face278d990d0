/* reference.cu - the truth in f64: a row of the output is one matrix, and each of its elements a
 * dot product of one thread. Launch: block 256, a grid that covers n_rows m n elements. */
#include <aisp/kernel_kit.cuh>
#include <aisp/reference.h>

#include "problem.h"

enum { THREADS = 256 };

__global__ static void products_f64(const float *a, const float *b, double *c, int64_t count,
                                    int64_t m, int64_t n, int64_t k)
{
    const int64_t at = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    const int64_t i = at / (m * n), row = at / n % m, col = at % n;
    double sum = 0;

    if (at >= count)
        return;
    for (int64_t p = 0; p < k; p++)
        sum += (double)a[(i * m + row) * k + p] * (double)b[(i * k + p) * n + col];
    c[at] = sum;
}

static enum aisp_status rows(const struct aisp_device_view *in, int out, int64_t first,
                             int64_t n_rows, void *to)
{
    const int64_t m = in->param[M], n = in->param[N], k = in->param[K], count = n_rows * m * n;

    (void)out;
    products_f64<<<aisp_blocks(count, THREADS), THREADS, 0, (cudaStream_t)in->stream>>>(
        (const float *)in->tensor[A] + first * m * k, (const float *)in->tensor[B] + first * k * n,
        (double *)to, count, m, n, k);
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

AISP_REFERENCE = { AISP_ABI, rows };
