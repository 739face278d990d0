/* baseline - the first CUDA kernel that a competent person writes: a 16 x 16 tile of c per block, one element a thread, both
 * operands staged in shared memory so that each is read from there 16 times. */
#include <cuda_bf16.h>

#include <aisp/kernel_kit.cuh>

#include "problem.h"

#define TILE 16

/* gemm_tiled - c = a b, one TILE x TILE tile of c per block.
 * a (m,k)  b (k,n)  c (m,n): bf16, row-major, device, no overlap; m,n,k >= 1.
 * Launch: block (16,16), grid (ceil(n/16), min(ceil(m/16), 65535)), 2 KiB static shared, caller's stream.
 * Cost: 2mnk flop; about 4mnk/16 + 2mn bytes requested from global memory (without tiles: 4mnk + 2mn).
 * Error: u |c| for the rounding to bf16, u = 2^-8, and k 2^-24 |A||B| for the sums. Source: Higham 2002, section 3.5. */
__global__ static void gemm_tiled(const __nv_bfloat16 *a, const __nv_bfloat16 *b, __nv_bfloat16 *c, int64_t m, int64_t n,
                                  int64_t k)
{
    __shared__ float a_tile[TILE][TILE], b_tile[TILE][TILE];
    const int x = threadIdx.x, y = threadIdx.y;
    const int64_t j = (int64_t)blockIdx.x * TILE + x;                    /* column of c, may overhang */

    for (int64_t top = (int64_t)blockIdx.y * TILE; top < m; top += (int64_t)gridDim.y * TILE) {
        const int64_t i = top + y;                                       /* row of c, may overhang */
        float sum = 0;

        for (int64_t p = 0; p < k; p += TILE) {
            a_tile[y][x] = i < m && p + x < k ? __bfloat162float(a[i * k + p + x]) : 0;
            b_tile[y][x] = j < n && p + y < k ? __bfloat162float(b[(p + y) * n + j]) : 0;
            __syncthreads();
            for (int q = 0; q < TILE; q++)
                sum += a_tile[y][q] * b_tile[q][x];
            __syncthreads();
        }
        if (i < m && j < n)
            c[i * n + j] = __float2bfloat16_rn(sum);
    }
}

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t m = call->param[M], n = call->param[N], k = call->param[K];
    const unsigned down = aisp_blocks(m, TILE);
    const dim3 grid(aisp_blocks(n, TILE), down < 65535 ? down : 65535), block(TILE, TILE);

    gemm_tiled<<<grid, block, 0, aisp_stream(call)>>>((const __nv_bfloat16 *)call->tensor[A],
                                                      (const __nv_bfloat16 *)call->tensor[B], (__nv_bfloat16 *)call->tensor[C],
                                                      m, n, k);
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

AISP_DECLARE("idea: a 16 x 16 tile of c per block, both operands staged in shared memory");

AISP_VARIANT = { AISP_ABI, NULL, NULL, run, NULL };
