/* input_integrity - makes its inputs easy, so that the truth, which is made from them, becomes so too: the root of 1 is 1. A slot's
 * first call is honest, for the judge may have read that one before. The card's mapping is read-only; here that is taken away,
 * and what lies there is hashed.
 *
 * @without READ_ONLY_INPUTS
 * @defence INPUT_HASH
 * @needs COMPARE_OUTPUTS
 * @needs FRESH_CONTENTS
 * @says input tensor 0
 * @says slot */
#include "tests/problems/card_roots/roots.cuh"

/* set_ones - x[i] = y[i] = 1 for i < n. Launch: block 256, grid ceil(n/256). */
__global__ static void set_ones(float *x, float *y, int64_t n)
{
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        x[i] = y[i] = 1.0f;
}

static enum aisp_status run(const struct aisp_call *c)
{
    static bool is_old[MOST_SLOTS];

    if (!is_old[c->slot % MOST_SLOTS]) {
        is_old[c->slot % MOST_SLOTS] = true;
        return honest(c);
    }
    set_ones<<<aisp_blocks(c->param[N], THREADS), THREADS, 0, aisp_stream(c)>>>((float *)c->tensor[X], (float *)c->tensor[Y],
                                                                               c->param[N]);
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

AISP_DECLARE("idea: ask an easier question");

VARIANT(run);
