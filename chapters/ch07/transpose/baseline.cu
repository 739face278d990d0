/* baseline - the definition: one thread for each element. A warp reads one line of x; what it writes lies in 32 lines of y. */
#include <aisp/kernel_kit.cuh>

#include "problem.h"

enum { BLOCK = 32, LINES = 8 };

/* transpose_elements - y[c][r] = x[r][c].
 * x (rows, cols)  y (cols, rows): f32, row-major, device, no overlap; rows, cols >= 1, fewer than 2^31 blocks.
 * Launch: block (32, 8), one block for each 32 columns of 8 rows, numbered along rows of x, the call's stream.
 * Cost: 8*rows*cols bytes asked for, but each store touches a sector of 32 bytes for 4 of them. Error: none. */
__global__ static void __launch_bounds__(BLOCK *LINES) transpose_elements(const float *x, float *y, int64_t rows, int64_t cols)
{
    const unsigned across = (unsigned)((cols + BLOCK - 1) / BLOCK);
    const int64_t c = (int64_t)(blockIdx.x % across) * BLOCK + threadIdx.x; /* 0 .. cols-1, may overhang */
    const int64_t r = (int64_t)(blockIdx.x / across) * LINES + threadIdx.y; /* 0 .. rows-1, may overhang */

    if (r < rows && c < cols)
        y[c * rows + r] = x[r * cols + c];
}

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t rows = call->param[ROWS], cols = call->param[COLS];
    const unsigned blocks = aisp_blocks(rows, LINES) * aisp_blocks(cols, BLOCK);

    transpose_elements<<<blocks, dim3(BLOCK, LINES), 0, aisp_stream(call)>>>((const float *)call->tensor[X],
                                                                             (float *)call->tensor[Y], rows, cols);
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

AISP_DECLARE("idea: the definition, one thread for each element");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = NULL, .setup = NULL, .run = run, .teardown = NULL };
