/* online_row.cuh - the online softmax of a row of any length, and the exponential that the rungs share.
 * 2^(x log2 e - m log2 e) is one FMA and one instruction of the special function unit. Its error is 2 ulp and that of the FMA,
 * which grows with the distance from the maximum, as the exponential falls: far less than a unit of the largest result. The
 * rounding of m log2 e is the same for all of a row and cancels in the division. */
#ifndef ONLINE_SOFTMAX_ONLINE_ROW_CUH
#define ONLINE_SOFTMAX_ONLINE_ROW_CUH

#include "kit/rows.cuh"

#define LOG2E 1.44269504f

enum { ONLINE_THREADS = 256, ONLINE_UNDER_WAY = 8 };

__device__ static inline float exp2_fast(float x)
{
    float y;

    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

/* m log2 e, rounded once for all that uses it: never part of an FMA. */
__device__ static inline float log2_scaled(float m)
{
    return __fmul_rn(m, LOG2E);
}

/* e^(x - m) for high = log2_scaled(m). */
__device__ static inline float exp_below(float x, float high)
{
    return exp2_fast(fmaf(x, LOG2E, -high));
}

/* What a thread knows of the elements it has seen: their maximum, and the sum of their exponentials below it. */
struct online { float max, sum; };

__device__ static inline void online_take(struct online *o, const float *v, int n)
{
    float max = o->max, sum = 0;

#pragma unroll
    for (int k = 0; k < n; k++)
        max = fmaxf(max, v[k]);

    const float high = log2_scaled(max);

#pragma unroll
    for (int k = 0; k < n; k++)
        sum += exp_below(v[k], high);
    o->sum = o->sum * exp2_fast(log2_scaled(o->max) - high) + sum;
    o->max = max;
}

/* softmax_online - y = exp(x - max of the row) / sum of the row, x read twice.
 * x, y (rows, cols): f32, row-major, device, no overlap; rows < 2^31, cols < 2^30.
 * Launch: block 256, grid rows, 64 bytes of static shared memory, the call's stream.
 * Cost: 12*rows*cols bytes requested; what L2 holds of a row comes from there the second time. 2 + 1/8 exponentials an element.
 * Error: as said above; 256 partial sums. Source: Milakov and Gimelshein 2018. */
__global__ static void __launch_bounds__(ONLINE_THREADS) softmax_online(const float *x, float *y, int cols)
{
    __shared__ float maxima[ONLINE_THREADS / ROW_WARP], sums[ONLINE_THREADS / ROW_WARP];
    struct online o = { 0, 0 };
    float v[ONLINE_UNDER_WAY];
    int c = threadIdx.x;

    x += (int64_t)blockIdx.x * cols;
    y += (int64_t)blockIdx.x * cols;
    o.max = x[0];
    for (; c + (ONLINE_UNDER_WAY - 1) * ONLINE_THREADS < cols; c += ONLINE_UNDER_WAY * ONLINE_THREADS) {
#pragma unroll
        for (int k = 0; k < ONLINE_UNDER_WAY; k++)
            v[k] = __ldg(x + c + k * ONLINE_THREADS);
        online_take(&o, v, ONLINE_UNDER_WAY);
    }
    for (; c < cols; c += ONLINE_THREADS)
        online_take(&o, x + c, 1);

    const float high = log2_scaled(row_block_max<ONLINE_THREADS>(o.max, maxima));
    const float factor = 1 / row_block_sum<ONLINE_THREADS>(o.sum * exp2_fast(log2_scaled(o.max) - high), sums);

    for (c = threadIdx.x; c + (ONLINE_UNDER_WAY - 1) * ONLINE_THREADS < cols; c += ONLINE_UNDER_WAY * ONLINE_THREADS) {
#pragma unroll
        for (int k = 0; k < ONLINE_UNDER_WAY; k++)
            v[k] = __ldg(x + c + k * ONLINE_THREADS);
#pragma unroll
        for (int k = 0; k < ONLINE_UNDER_WAY; k++)
            y[c + k * ONLINE_THREADS] = exp_below(v[k], high) * factor;
    }
    for (; c < cols; c += ONLINE_THREADS)
        y[c] = exp_below(x[c], high) * factor;
}

#endif
