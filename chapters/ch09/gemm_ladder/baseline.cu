/* baseline - one thread for each element of c, neighbours in a warp along a row: reads of b and
 * stores of c are coalesced, an element of a is one broadcast for the whole warp. */
#include <aisp/kernel_kit.cuh>

#include "problem.h"

enum { COLS = 32, ROWS = 8 };

/* gemm_naive - C = A B, a dot product a thread.
 * a (m,k)  b (k,n)  c (m,n): f32, row-major, device, no overlap; 1 <= m,n,k < 2^31, m <= 2^19.
 * Launch: block (32,8), grid (ceil(n/32), ceil(m/8)), caller's stream.
 * Cost: 2mnk flop; two load instructions for each multiply-add, from L1 and L2.
 * Error: |c - c64| <= g |A||B| elementwise, g = k u/(1 - k u), u = 2^-24. Source: Higham 2002,
 * section 3.5. */
__global__ static void gemm_naive(const float *a, const float *b, float *c, int64_t m, int64_t n,
                                  int64_t k)
{
    const int64_t col = (int64_t)blockIdx.x * COLS + threadIdx.x;
    const int64_t row = (int64_t)blockIdx.y * ROWS + threadIdx.y;
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
    const dim3 block(COLS, ROWS), grid(aisp_blocks(n, COLS), aisp_blocks(m, ROWS));

    gemm_naive<<<grid, block, 0, aisp_stream(call)>>>((const float *)call->tensor[A],
                                                      (const float *)call->tensor[B],
                                                      (float *)call->tensor[C], m, n, k);
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

AISP_DECLARE("idea: one thread for each element of c, coalesced along rows");

AISP_VARIANT = { AISP_ABI, NULL, NULL, run, NULL };
