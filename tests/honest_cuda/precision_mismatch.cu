/* precision_mismatch - multiplies on the matrix units as well, and says so: each factor is a sum of two of tf32, whose three large
 * products make f32's precision; what the units sum is short, and long sums are f32's.
 *
 * @problem layer
 * @pairs 2 */
#include "tests/problems/layer/layer.cuh"

/* Two of tf32 that sum to value. */
__device__ static inline void split(float value, uint32_t *high, uint32_t *low)
{
    const float rounded = to_tf32(value);

    *high = __float_as_uint(rounded);
    *low = __float_as_uint(to_tf32(value - rounded));
}

/* linear_three - y = x w', a tile of 16 by 8 a warp, three products for each. Launch: block 32, grid (ceil(out/8), ceil(batch/16)).
 * Error: |y - y64| <= (in/8 + 8) u |x||w|, u = 2^-24: 22 bits of each factor, sums of 8 in the units, the others in f32.
 * Source: Ootomo and Yokota 2022. */
__global__ static void linear_three(const float *x, const float *w, float *y, struct shape s)
{
    const int64_t row = (int64_t)blockIdx.y * 16, column = (int64_t)blockIdx.x * 8;
    const int g = threadIdx.x / 4, t = threadIdx.x % 4;
    float sum[4] = { 0, 0, 0, 0 };

    for (int64_t k = 0; k < s.in; k += 8) {
        uint32_t a[4], a_low[4], b[2], b_low[2];
        float d[4] = { 0, 0, 0, 0 };

        for (int i = 0; i < 4; i++)
            split(element(x, row + g + 8 * (i % 2), k + t + 4 * (i / 2), s.batch, s.in), &a[i], &a_low[i]);
        for (int i = 0; i < 2; i++)
            split(element(w, column + g, k + t + 4 * i, s.out, s.in), &b[i], &b_low[i]);
        multiply_tf32(d, a_low, b);
        multiply_tf32(d, a, b_low);
        multiply_tf32(d, a, b);
        for (int i = 0; i < 4; i++)
            sum[i] += d[i];
    }
    store_tile(y, sum, row, column, s);
}

static enum aisp_status run(const struct aisp_call *c)
{
    const struct shape s = shape_of(c);
    const dim3 grid(aisp_blocks(s.out, 8), aisp_blocks(s.batch, 16));

    linear_three<<<grid, 32, 0, aisp_stream(c)>>>((const float *)c->tensor[X], (const float *)c->tensor[W], (float *)c->tensor[Y],
                                                 s);
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

#ifndef WITHOUT_DECLARATION
AISP_DECLARE("idea: matrix units, three products for one\n"
             "uses: tf32\n");
#endif

VARIANT(run);
