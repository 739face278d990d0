/* baseline - a launch for each matrix, one thread an element: what a loop over a library's or
 * one's own matrix product does. The card has long computed a matrix when the next launch
 * reaches it. */
#include <aisp/kernel_kit.cuh>

#include "problem.h"

enum { SIDE = 16 };

/* product - c = a b for one matrix, a dot product a thread.
 * a (m,k)  b (k,n)  c (m,n): f32, row-major, device, no overlap; m,n,k >= 1, m <= 2^20.
 * Launch: block (16,16), grid (ceil(n/16), ceil(m/16)), caller's stream; one for each matrix.
 * Cost: 2mnk flop; 4 (mk + kn + mn) bytes of global memory, the rest from L1.
 * Error: |c - c64| <= g |a||b| elementwise, g = k u/(1 - k u), u = 2^-24. Source: Higham 2002,
 * section 3.5. */
__global__ static void product(const float *a, const float *b, float *c, int64_t m, int64_t n,
                               int64_t k)
{
    const int64_t row = (int64_t)blockIdx.y * SIDE + threadIdx.y;
    const int64_t col = (int64_t)blockIdx.x * SIDE + threadIdx.x;
    float sum = 0;

    if (row >= m || col >= n)
        return;
    for (int64_t p = 0; p < k; p++)
        sum += a[row * k + p] * b[p * n + col];
    c[row * n + col] = sum;
}

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t m = call->param[M], n = call->param[N], k = call->param[K];
    const dim3 block(SIDE, SIDE), grid(aisp_blocks(n, SIDE), aisp_blocks(m, SIDE));

    for (int64_t i = 0; i < call->param[BATCH]; i++) {
        product<<<grid, block, 0, aisp_stream(call)>>>(
            (const float *)call->tensor[A] + i * m * k, (const float *)call->tensor[B] + i * k * n,
            (float *)call->tensor[C] + i * m * n, m, n, k);
        AISP_CUDA(cudaGetLastError());
    }
    return AISP_OK;
}

AISP_DECLARE("idea: a launch for each matrix, a dot product for each thread");

AISP_VARIANT = { AISP_ABI, NULL, NULL, run, NULL };
