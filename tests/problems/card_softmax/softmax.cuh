/* softmax.cuh - what the variants share: x, y (rows, cols), f32, a row a warp. */
#ifndef TESTS_PROBLEMS_CARD_SOFTMAX_H
#define TESTS_PROBLEMS_CARD_SOFTMAX_H

#include <aisp/kernel_kit.cuh>

enum { X, Y };
enum { ROWS, COLS };
enum { LANES = 32 };

__device__ static inline float warp_sum(float value)
{
    for (int half = LANES / 2; half > 0; half /= 2)
        value += __shfl_xor_sync(~0u, value, half);
    return value;
}

__device__ static inline float warp_max(float value)
{
    for (int half = LANES / 2; half > 0; half /= 2)
        value = fmaxf(value, __shfl_xor_sync(~0u, value, half));
    return value;
}

/* softmax_above - y = exp(x - above) / sum of it, a row. */
__device__ static inline void softmax_above(const float *x, float *y, int64_t cols, float above)
{
    float sum = 0;

    for (int64_t c = threadIdx.x; c < cols; c += LANES)
        sum += expf(x[c] - above);
    sum = warp_sum(sum);
    for (int64_t c = threadIdx.x; c < cols; c += LANES)
        y[c] = expf(x[c] - above) / sum;
}

#define LAUNCH_ROWS(kernel, c)                                                                                                       \
    kernel<<<(unsigned)(c)->param[ROWS], LANES, 0, aisp_stream(c)>>>((const float *)(c)->tensor[X], (float *)(c)->tensor[Y],         \
                                                                     (c)->param[COLS]);                                              \
    AISP_CUDA(cudaGetLastError())

#define VARIANT(f) AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = NULL, .setup = NULL, .run = f, .teardown = NULL }

#endif
