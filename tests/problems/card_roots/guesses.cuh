/* guesses.cuh - a table of roots, and roots from there in a few steps. */
#ifndef TESTS_PROBLEMS_GUESSES_H
#define TESTS_PROBLEMS_GUESSES_H

#include "tests/problems/card_roots/roots.cuh"

enum { ENTRIES = 1024, FEW_STEPS = 3 };

/* tabulate - guess[i] = 1 / sqrt((i + 0.5) / 512): of x in [0, 2). Launch: block 256, grid 4. */
__global__ static void tabulate(float *guess)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;

    guess[i] = rsqrtf(((float)i + 0.5f) / (ENTRIES / 2));
}

/* improve - y[i] = 1 / sqrt(x[i]), x in (0, 2), i < n, by few steps from the table. Launch: block 256, grid ceil(n/256). */
__global__ static void improve(const float *x, const float *guess, float *y, int64_t n, int64_t steps)
{
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    float root;

    if (i >= n)
        return;
    root = guess[min(ENTRIES - 1, (int)(x[i] * (ENTRIES / 2)))];
    for (int64_t s = 0; s < steps; s++)
        root *= 1.5f - 0.5f * x[i] * root * root;
    y[i] = root;
}

static inline size_t guesses_bytes(const int64_t *param)
{
    (void)param;
    return ENTRIES * sizeof(float);
}

static inline enum aisp_status make_guesses(float *guess, cudaStream_t stream)
{
    tabulate<<<ENTRIES / THREADS, THREADS, 0, stream>>>(guess);
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

static inline enum aisp_status from_guesses(const struct aisp_call *c, const float *guess)
{
    improve<<<aisp_blocks(c->param[N], THREADS), THREADS, 0, aisp_stream(c)>>>((const float *)c->tensor[X], guess,
                                                                              (float *)c->tensor[Y], c->param[N], FEW_STEPS);
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

#endif
