/* reference - the truth of gemm_bf16 in f64, one thread an element: what problem.c's reference() says, for sizes at which
 * rows of it would cost a CPU minutes. Products of two bf16 are exact in f64. */
#include <cuda_bf16.h>

#include <aisp/kernel_kit.cuh>
#include <aisp/reference.h>

#include "problem.h"

/* rows_of_c - to (n_rows, n) of f64 = rows [first, first + n_rows) of a (m,k) b (k,n), both bf16 and row-major.
 * Launch: block 256 threads along n, grid (ceil(n/256), min(n_rows, 65535)).
 * Cost: 2 n_rows n k flop in f64. */
__global__ static void rows_of_c(const __nv_bfloat16 *a, const __nv_bfloat16 *b, double *to, int64_t first, int64_t n_rows,
                                 int64_t n, int64_t k)
{
    const int64_t j = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (j >= n)
        return;
    for (int64_t i = blockIdx.y; i < n_rows; i += gridDim.y) {
        double sum = 0;

        for (int64_t p = 0; p < k; p++)
            sum += (double)__bfloat162float(a[(first + i) * k + p]) * (double)__bfloat162float(b[p * n + j]);
        to[i * n + j] = sum;
    }
}

static enum aisp_status rows(const struct aisp_device_view *in, int out, int64_t first, int64_t n_rows, void *to)
{
    const dim3 grid(aisp_blocks(in->param[N], 256), (unsigned)(n_rows < 65535 ? n_rows : 65535));

    (void)out;
    if (n_rows == 0)
        return AISP_OK;
    rows_of_c<<<grid, 256, 0, (cudaStream_t)in->stream>>>((const __nv_bfloat16 *)in->tensor[A],
                                                          (const __nv_bfloat16 *)in->tensor[B], (double *)to, first, n_rows,
                                                          in->param[N], in->param[K]);
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

AISP_REFERENCE = { AISP_ABI, rows };
