/* foreign_output - knows all slots from setup as well, fetches the next slot's input into the cache, and writes what it was asked.
 *
 * @pairs 2 */
#include "tests/problems/card_roots/roots.cuh"

static const float *input[MOST_SLOTS];
static int n_slots;

/* roots_ahead - roots, and one element a thread of `next` is fetched into the second cache. Launch: block 256, grid ceil(n/256). */
__global__ static void roots_ahead(const float *x, const float *next, float *y, int64_t n, int64_t steps)
{
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n)
        return;
    asm volatile("prefetch.global.L2 [%0];" ::"l"(next + i));
    y[i] = root_of(x[i], steps);
}

static enum aisp_status setup(const struct aisp_setup *s)
{
    for (; n_slots < s->n_slots && n_slots < MOST_SLOTS; n_slots++)
        input[n_slots] = (const float *)s->slot[n_slots][X];
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    roots_ahead<<<aisp_blocks(c->param[N], THREADS), THREADS, 0, aisp_stream(c)>>>(
        (const float *)c->tensor[X], input[(c->slot + 1) % n_slots], (float *)c->tensor[Y], c->param[N], c->param[STEPS]);
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

AISP_DECLARE("idea: the next call's input on its way\n"
             "uses: stable-pointers\n");

VARIANT_WITH_SETUP(setup, run);
