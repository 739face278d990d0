/* optimized_batched - the same dot products in one launch: the grid runs over the elements of all
 * matrices.
 * Expected: launches / batch, and with them nearly all of the time: a launch that follows another
 * takes about two microseconds, a matrix of 16x16x16 keeps one SM busy for less than that and the
 * other 131 not at all. Two orders of magnitude at a batch of some thousands.
 * Costs: nothing but divisions that find an element's matrix. */
#include <aisp/kernel_kit.cuh>

#include "problem.h"

enum { THREADS = 256 };

/* products - c[i] = a[i] b[i], an element a thread, neighbours along a row.
 * a (batch,m,k)  b (batch,k,n)  c (batch,m,n): f32, row-major, device, no overlap; batch m n <
 * 2^39.
 * Launch: block 256, grid ceil(batch m n / 256), caller's stream.
 * Cost: 2 batch mnk flop; 4 batch (mk + kn + mn) bytes of global memory, the rest from L1.
 * Error: |c - c64| <= g |a||b| elementwise, g = k u/(1 - k u), u = 2^-24. Source: Higham 2002,
 * section 3.5. */
__global__ static void products(const float *a, const float *b, float *c, int64_t count, int64_t m,
                                int64_t n, int64_t k)
{
    const int64_t at = (int64_t)blockIdx.x * THREADS + threadIdx.x;
    const int64_t row = at / n, col = at % n, i = row / m; /* row: of all matrices */
    float sum = 0;

    if (at >= count)
        return;
    for (int64_t p = 0; p < k; p++)
        sum += a[row * k + p] * b[(i * k + p) * n + col];
    c[at] = sum;
}

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t m = call->param[M], n = call->param[N], k = call->param[K];
    const int64_t count = call->param[BATCH] * m * n;

    products<<<aisp_blocks(count, THREADS), THREADS, 0, aisp_stream(call)>>>(
        (const float *)call->tensor[A], (const float *)call->tensor[B], (float *)call->tensor[C],
        count, m, n, k);
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

AISP_DECLARE("idea: one launch for all matrices instead of one for each\n"
             "expect: launches / batch");

AISP_VARIANT = { AISP_ABI, NULL, NULL, run, NULL };
