/* series.cuh - the kernel that both forms launch, on whatever part of the points has arrived. */
#ifndef COPY_COMPUTE_OVERLAP_SERIES_CUH
#define COPY_COMPUTE_OVERLAP_SERIES_CUH

#include <aisp/kernel_kit.cuh>

#include "problem.h"

enum { SERIES_THREADS = 256, SERIES_POINTS = 4, SERIES_SHARE = SERIES_THREADS * SERIES_POINTS, SERIES_TILE = 1024 };

/* chebyshev_series - v[i] = sum over k of c[k] T_k(v[i]), in place.
 * v (n)  c (terms): f32, device, no overlap; terms >= 1, n < 2^41.
 * Launch: block 256, grid ceil(n / 1024), 4 KiB of static shared memory, any stream.
 * Cost: 8n bytes of global memory, 2*n*terms instructions; four points a thread, so that a term is read from shared memory for
 * eight.
 * Error: see problem.c; 2x is exact, b_k takes two roundings. Source: Clenshaw 1955. */
__global__ static void __launch_bounds__(SERIES_THREADS) chebyshev_series(float *v, const float *c, int64_t n, int terms)
{
    __shared__ float tile[SERIES_TILE];
    const int64_t first = (int64_t)blockIdx.x * SERIES_SHARE + threadIdx.x;
    float x[SERIES_POINTS], b1[SERIES_POINTS] = { 0 }, b2[SERIES_POINTS] = { 0 };

    for (int p = 0; p < SERIES_POINTS; p++)
        x[p] = first + p * SERIES_THREADS < n ? 2 * v[first + p * SERIES_THREADS] : 0;
    for (int end = terms; end > 1; end -= SERIES_TILE) { /* terms [begin, end), from the last one down, but for c[0] */
        const int begin = end - SERIES_TILE > 1 ? end - SERIES_TILE : 1;

        __syncthreads();
        for (int k = begin + (int)threadIdx.x; k < end; k += SERIES_THREADS)
            tile[end - 1 - k] = c[k];
        __syncthreads();
#pragma unroll 8
        for (int k = 0; k < end - begin; k++)
            for (int p = 0; p < SERIES_POINTS; p++) {
                const float b = fmaf(x[p], b1[p], tile[k] - b2[p]);

                b2[p] = b1[p];
                b1[p] = b;
            }
    }
    for (int p = 0; p < SERIES_POINTS; p++)
        if (first + p * SERIES_THREADS < n)
            v[first + p * SERIES_THREADS] = fmaf(0.5f * x[p], b1[p], c[0] - b2[p]);
}

static inline enum aisp_status series_on(cudaStream_t stream, float *v, const struct aisp_call *call, int64_t n)
{
    chebyshev_series<<<aisp_blocks(n, SERIES_SHARE), SERIES_THREADS, 0, stream>>>(v, (const float *)call->tensor[C], n,
                                                                                 (int)call->param[TERMS]);
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

#endif
