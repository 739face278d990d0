/* convert.cuh - what is done with samples that have arrived on the device; the rungs differ in how they arrive. */
#ifndef MEMORY_TRANSFER_CONVERT_CUH
#define MEMORY_TRANSFER_CONVERT_CUH

#include <aisp/kernel_kit.cuh>

#include "problem.h"

enum { CONVERT_THREADS = 256, CONVERT_LANES = 4 };

/* convert_samples - y = x / 128.
 * x, y (n): i8 and f32, device, on 4 and 16 bytes, no overlap; n < 2^41.
 * Launch: block 256, grid ceil(n / 1024), any stream. Cost: 5n bytes in accesses of 4 (x) and 16 (y). Error: none. */
__global__ static void __launch_bounds__(CONVERT_THREADS) convert_samples(const int8_t *x, float *y, int64_t n)
{
    const int64_t i = ((int64_t)blockIdx.x * CONVERT_THREADS + threadIdx.x) * CONVERT_LANES;

    if (i + CONVERT_LANES <= n) {
        const char4 v = *(const char4 *)(x + i);

        __stcs((float4 *)(y + i), make_float4(v.x * STEP, v.y * STEP, v.z * STEP, v.w * STEP));
        return;
    }
    for (int64_t k = i; k < n; k++)
        y[k] = x[k] * STEP;
}

static inline enum aisp_status convert_on(cudaStream_t stream, const int8_t *x, float *y, int64_t n)
{
    convert_samples<<<aisp_blocks(n, CONVERT_THREADS * CONVERT_LANES), CONVERT_THREADS, 0, stream>>>(x, y, n);
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

/* Samples on the device before they are converted. */
static inline size_t samples_bytes(const int64_t *param)
{
    return (size_t)param[N];
}

#endif
