/* baseline - one thread for each element of c, neighbours in a warp along a row; each element of
 * a and b is widened to f32 where it is used and multiplied by the scalar FMA unit. */
#include <aisp/kernel_kit.cuh>

#include "problem.h"

enum { COLS = 32, ROWS = 8 };

__device__ static float widen(uint16_t bits)
{
    return __uint_as_float((unsigned)bits << 16);
}

/* gemm_naive - C = A B, a dot product a thread.
 * a (m,k)  b (k,n): bf16, c (m,n): f32, row-major, device, no overlap; m,n,k >= 1, m <= 2^19.
 * Launch: block (32,8), grid (ceil(n/32), ceil(m/8)), caller's stream.
 * Cost: 2mnk flop; two load instructions for each multiply-add, from L1 and L2.
 * Error: |c - c64| <= g |A||B| elementwise, g = k u/(1 - k u), u = 2^-24. Source: Higham 2002,
 * section 3.5. */
__global__ static void gemm_naive(const uint16_t *a, const uint16_t *b, float *c, int64_t m,
                                  int64_t n, int64_t k)
{
    const int64_t col = (int64_t)blockIdx.x * COLS + threadIdx.x;
    const int64_t row = (int64_t)blockIdx.y * ROWS + threadIdx.y;
    float sum = 0;

    if (row >= m || col >= n)
        return;
    for (int64_t p = 0; p < k; p++)
        sum += widen(a[row * k + p]) * widen(b[p * n + col]);
    c[row * n + col] = sum;
}

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t m = call->param[M], n = call->param[N], k = call->param[K];
    const dim3 block(COLS, ROWS), grid(aisp_blocks(n, COLS), aisp_blocks(m, ROWS));

    gemm_naive<<<grid, block, 0, aisp_stream(call)>>>((const uint16_t *)call->tensor[A],
                                                      (const uint16_t *)call->tensor[B],
                                                      (float *)call->tensor[C], m, n, k);
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

AISP_DECLARE("idea: one thread for each element of c, bf16 widened where it is used");

AISP_VARIANT = { AISP_ABI, NULL, NULL, run, NULL };
