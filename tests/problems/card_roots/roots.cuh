/* roots.cuh - what the fixtures on a card share: y = 1 / sqrt(x) by Newton's steps, of which far more are taken than are needed, so
 * that there is work to be skipped. Five steps from 1 are enough for x in [0.5, 1.5]. */
#ifndef TESTS_PROBLEMS_CARD_ROOTS_H
#define TESTS_PROBLEMS_CARD_ROOTS_H

#include <aisp/kernel_kit.cuh>

enum { X, Y };
enum { N, STEPS };
enum { THREADS = 256, MOST_SLOTS = 512 };

__device__ static inline float root_of(float x, int64_t steps)
{
    float y = 1.0f;

    for (int64_t s = 0; s < steps; s++)
        y *= 1.5f - 0.5f * x * y * y;
    return y;
}

/* roots - y[i] = 1 / sqrt(x[i]) for i < n.
 * x, y (n): f32, device, no overlap; 1 <= n < 2^31. Launch: block 256, grid ceil(n/256).
 * Cost: 4*n*steps flop, 8*n bytes. Error: 6 u |y|, u = 2^-24: four roundings of the last step, and its start. */
__global__ static void __attribute__((unused)) roots(const float *x, float *y, int64_t n, int64_t steps)
{
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        y[i] = root_of(x[i], steps);
}

/* spend - the time of `steps` steps, and no result: what it stores is below zero, which a root never is. */
__global__ static void __attribute__((unused)) spend(const float *x, float *nowhere, int64_t n, int64_t steps)
{
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    const float y = i < n ? root_of(x[i], steps) : 0;

    if (y < 0)
        nowhere[i] = y;
}

/* The call's elements [from, to) on a stream, as they should be computed. */
static inline enum aisp_status honest_part(const struct aisp_call *c, cudaStream_t stream, int64_t from, int64_t to)
{
    if (to <= from)
        return AISP_OK;
    roots<<<aisp_blocks(to - from, THREADS), THREADS, 0, stream>>>((const float *)c->tensor[X] + from,
                                                                   (float *)c->tensor[Y] + from, to - from, c->param[STEPS]);
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

static inline enum aisp_status honest(const struct aisp_call *c)
{
    return honest_part(c, aisp_stream(c), 0, c->param[N]);
}

/* Half of the honest time, so that a cheat's is a plausible one. */
static inline enum aisp_status pretend(const struct aisp_call *c)
{
    spend<<<aisp_blocks(c->param[N], THREADS), THREADS, 0, aisp_stream(c)>>>((const float *)c->tensor[X], (float *)c->tensor[Y],
                                                                             c->param[N], c->param[STEPS] / 2);
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

static inline size_t bytes_of(const struct aisp_call *c)
{
    return (size_t)c->param[N] * sizeof(float);
}

/* A stored answer, copied where it is asked for. */
static inline enum aisp_status give(const struct aisp_call *c, const void *answer)
{
    AISP_CUDA(cudaMemcpyAsync(c->tensor[Y], answer, bytes_of(c), cudaMemcpyDeviceToDevice, aisp_stream(c)));
    return AISP_OK;
}

/* The other way round: memory of its own that keeps what the call has computed. */
static inline enum aisp_status keep(const struct aisp_call *c, void **kept)
{
    if (!*kept)
        AISP_CUDA(cudaMalloc(kept, bytes_of(c)));
    AISP_CUDA(cudaMemcpyAsync(*kept, c->tensor[Y], bytes_of(c), cudaMemcpyDeviceToDevice, aisp_stream(c)));
    return AISP_OK;
}

#define VARIANT(f) AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = NULL, .setup = NULL, .run = f, .teardown = NULL }
#define VARIANT_WITH_SETUP(s, f) AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = NULL, .setup = s, .run = f, .teardown = NULL }

#endif
