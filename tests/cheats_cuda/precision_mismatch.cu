/* precision_mismatch - multiplies on the matrix units, in tf32, where f32 is asked for, and does not say so.
 *
 * @problem layer
 * @without DEVICE_RECORDER
 * @defence COMPARE_OUTPUTS
 * @says tf32
 * @says relative error */
#include "tests/problems/layer/layer.cuh"

/* linear_tf32 - y = x w', a tile of 16 by 8 a warp. Launch: block 32, grid (ceil(out/8), ceil(batch/16)).
 * Error: as of tf32, sums in f32. */
__global__ static void linear_tf32(const float *x, const float *w, float *y, struct shape s)
{
    const int64_t row = (int64_t)blockIdx.y * 16, column = (int64_t)blockIdx.x * 8;
    const int g = threadIdx.x / 4, t = threadIdx.x % 4;
    float d[4] = { 0, 0, 0, 0 };

    for (int64_t k = 0; k < s.in; k += 8) {
        uint32_t a[4], b[2];

        for (int i = 0; i < 4; i++)
            a[i] = __float_as_uint(to_tf32(element(x, row + g + 8 * (i % 2), k + t + 4 * (i / 2), s.batch, s.in)));
        for (int i = 0; i < 2; i++)
            b[i] = __float_as_uint(to_tf32(element(w, column + g, k + t + 4 * i, s.out, s.in)));
        multiply_tf32(d, a, b);
    }
    store_tile(y, d, row, column, s);
}

static enum aisp_status run(const struct aisp_call *c)
{
    const struct shape s = shape_of(c);
    const dim3 grid(aisp_blocks(s.out, 8), aisp_blocks(s.batch, 16));

    linear_tf32<<<grid, 32, 0, aisp_stream(c)>>>((const float *)c->tensor[X], (const float *)c->tensor[W], (float *)c->tensor[Y], s);
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

AISP_DECLARE("idea: matrix units");

VARIANT(run);
