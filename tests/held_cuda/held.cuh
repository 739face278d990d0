/* held.cuh - the sum that the device test of held windows asks for: y = x + w, f32, "n" elements (tests/fixtures/session.h). */
#ifndef TESTS_HELD_CUDA_H
#define TESTS_HELD_CUDA_H

#include <aisp/kernel_kit.cuh>

enum { X, W, Y };
enum { THREADS = 256 };

/* add_elements - y = x + w.
 * x, w, y (n): f32, device, no overlap; 1 <= n < 2^39. Launch: block 256, grid ceil(n / 256). Cost: 12n bytes. Error: one
 * rounding. */
__global__ static void __attribute__((unused)) add_elements(const float *x, const float *w, float *y, int64_t n)
{
    const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x; /* 0 .. n-1, may overhang */

    if (i < n)
        y[i] = x[i] + w[i];
}

static inline enum aisp_status add_on(const struct aisp_call *c, cudaStream_t stream)
{
    const int64_t n = c->param[0];

    add_elements<<<aisp_blocks(n, THREADS), THREADS, 0, stream>>>((const float *)c->tensor[X], (const float *)c->tensor[W],
                                                                  (float *)c->tensor[Y], n);
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

#define HELD(idea_text, setup_function)                                                                                       \
    AISP_DECLARE("idea: " idea_text);                                                                                         \
    AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = NULL, .setup = setup_function, .run = run, .teardown = NULL }

#endif
