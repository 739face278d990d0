/* optimized_vectors - tiles of 64x64 in accesses of 16 bytes everywhere: blocks of 4x4 are turned in registers, and
 * vectors of four lie swizzled in shared memory.
 * Expected: four loads under way a thread and 256 bytes in a row on both sides, for a quarter of the instructions; memory
 * finds longer runs: 1.1x to 1.3x over optimized_padded.
 * Costs: rows and columns that are multiples of four; other sizes take the way of optimized_padded. */
#include "padded.cuh"

enum { LANES = 4, SIDE = 64, GROUPS = SIDE / LANES, THREADS = 256, PASSES = SIDE / GROUPS };

/* Where group g of four neighbours of row c of the turned tile lies. Eight threads, which shared memory serves at a time, have
 * either neighbouring c / 4 or neighbouring g: both go to eight different groups of banks. */
__device__ static int swizzled(int c, int g)
{
    return c * GROUPS + (g ^ (c / LANES % GROUPS));
}

/* v[i] has columns c..c+3 of row i; out come columns as vectors, to rows c..c+3 of the turned tile. */
__device__ static void put_turned(float4 *tile, int c, int g, const float4 v[LANES])
{
    tile[swizzled(c, g)] = make_float4(v[0].x, v[1].x, v[2].x, v[3].x);
    tile[swizzled(c + 1, g)] = make_float4(v[0].y, v[1].y, v[2].y, v[3].y);
    tile[swizzled(c + 2, g)] = make_float4(v[0].z, v[1].z, v[2].z, v[3].z);
    tile[swizzled(c + 3, g)] = make_float4(v[0].w, v[1].w, v[2].w, v[3].w);
}

/* transpose_vectors - y[c][r] = x[r][c].
 * x (rows, cols)  y (cols, rows): f32, row-major, device, 16-byte aligned, no overlap; rows, cols >= 4, multiples of 4,
 * fewer than 2^31 tiles.
 * Launch: block 256, one block for each tile, numbered along rows of x, 16 KiB static shared memory, the call's stream.
 * Cost: 8*rows*cols bytes of global memory in accesses of 16 bytes. Error: none. */
__global__ static void __launch_bounds__(THREADS) transpose_vectors(const float *x, float *y, int64_t rows, int64_t cols)
{
    __shared__ float4 tile[SIDE * GROUPS];
    const unsigned across = (unsigned)((cols + SIDE - 1) / SIDE);
    const int64_t r0 = (int64_t)(blockIdx.x / across) * SIDE, c0 = (int64_t)(blockIdx.x % across) * SIDE;
    const int group = threadIdx.x % GROUPS, line = threadIdx.x / GROUPS; /* both 0 .. 15 */
    const int64_t r = r0 + line * LANES, c = c0 + group * LANES;         /* may overhang, whole vectors at a time */

    if (r < rows && c < cols) {
        float4 v[LANES];

        for (int i = 0; i < LANES; i++)
            v[i] = __ldcs((const float4 *)(x + (r + i) * cols + c));
        put_turned(tile, group * LANES, line, v);
    }
    __syncthreads();
    for (int pass = 0; pass < PASSES; pass++) {
        const int k = pass * GROUPS + line; /* 0 .. 63, column of x, row of y */

        if (c0 + k < cols && r0 + group * LANES < rows)
            __stcs((float4 *)(y + (c0 + k) * rows + r0 + group * LANES), tile[swizzled(k, group)]);
    }
}

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t rows = call->param[ROWS], cols = call->param[COLS];

    if (rows % LANES || cols % LANES)
        transpose_padded_launch(call);
    else
        transpose_vectors<<<aisp_blocks(rows, SIDE) * aisp_blocks(cols, SIDE), THREADS, 0, aisp_stream(call)>>>(
            (const float *)call->tensor[X], (float *)call->tensor[Y], rows, cols);
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

AISP_DECLARE("idea: 64x64 tiles in accesses of 16 bytes, turned in registers, swizzled in shared memory\n"
             "expect: instructions / 3");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = NULL, .setup = NULL, .run = run, .teardown = NULL };
