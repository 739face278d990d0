/* shape_mismatch - stores four elements at once, and what is left of them one by one: up to the last element and no further.
 *
 * @pairs 2 */
#include "tests/problems/card_roots/roots.cuh"

/* roots4 - y[i] = 1 / sqrt(x[i]), i < n, four elements a thread; x, y 16-byte aligned. Launch: block 256, grid ceil(n/1024). */
__global__ static void roots4(const float *x, float *y, int64_t n, int64_t steps)
{
    const int64_t i = 4 * ((int64_t)blockIdx.x * blockDim.x + threadIdx.x);

    if (i + 4 <= n) {
        const float4 in = *(const float4 *)(x + i);

        *(float4 *)(y + i) = make_float4(root_of(in.x, steps), root_of(in.y, steps), root_of(in.z, steps), root_of(in.w, steps));
    } else {
        for (int64_t k = i; k < n; k++)
            y[k] = root_of(x[k], steps);
    }
}

static enum aisp_status run(const struct aisp_call *c)
{
    roots4<<<aisp_blocks(c->param[N], 4 * THREADS), THREADS, 0, aisp_stream(c)>>>((const float *)c->tensor[X],
                                                                                 (float *)c->tensor[Y], c->param[N],
                                                                                 c->param[STEPS]);
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

AISP_DECLARE("idea: four elements a thread");

VARIANT(run);
