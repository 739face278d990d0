/* reference.cu - the truth in f64: one thread a row's element, products of two f32 exact, summed
 * along k.
 * Rows (n_rows,n) of c from `first` on. Launch: block (32,8), grid (ceil(n/32), ceil(n_rows/8)
 * folded). */
#include <aisp/kernel_kit.cuh>
#include <aisp/reference.h>

#include "problem.h"

enum { COLS = 32, ROWS = 8 };
static const unsigned max_grid_y = 65535;

__global__ static void gemm_f64(const float *a, const float *b, double *c, int64_t n_rows,
                                int64_t n, int64_t k)
{
    const int64_t col = (int64_t)blockIdx.x * COLS + threadIdx.x;
    int64_t row = (int64_t)blockIdx.y * ROWS + threadIdx.y;

    if (col >= n)
        return;
    for (; row < n_rows; row += (int64_t)gridDim.y * ROWS) {
        double sum = 0;

        for (int64_t p = 0; p < k; p++)
            sum += (double)a[row * k + p] * (double)b[p * n + col];
        c[row * n + col] = sum;
    }
}

static enum aisp_status rows(const struct aisp_device_view *in, int out, int64_t first,
                             int64_t n_rows, void *to)
{
    const int64_t n = in->param[N], k = in->param[K];
    const unsigned high = aisp_blocks(n_rows, ROWS);
    const dim3 block(COLS, ROWS), grid(aisp_blocks(n, COLS), high < max_grid_y ? high : max_grid_y);

    (void)out;
    gemm_f64<<<grid, block, 0, (cudaStream_t)in->stream>>>((const float *)in->tensor[A] + first * k,
                                                           (const float *)in->tensor[B],
                                                           (double *)to, n_rows, n, k);
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

AISP_REFERENCE = { AISP_ABI, rows };
