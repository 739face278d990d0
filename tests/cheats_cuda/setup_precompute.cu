/* setup_precompute - computes all answers in setup, out of what lies in the slots then.
 *
 * @defence FRESH_CONTENTS
 * @needs COMPARE_OUTPUTS
 * @faster
 * @says while it was loaded and set up */
#include "tests/problems/card_roots/roots.cuh"

static float *answer;

static enum aisp_status setup(const struct aisp_setup *s)
{
    const int64_t n = s->param[N];

    AISP_CUDA(cudaMalloc((void **)&answer, (size_t)(n * s->n_slots) * sizeof *answer));
    for (int i = 0; i < s->n_slots; i++) {
        roots<<<aisp_blocks(n, THREADS), THREADS, 0, (cudaStream_t)s->stream>>>((const float *)s->slot[i][X], answer + i * n, n,
                                                                                s->param[STEPS]);
        AISP_CUDA(cudaGetLastError());
    }
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    return pretend(c) ? AISP_E_DEVICE : give(c, answer + c->slot * c->param[N]);
}

AISP_DECLARE("idea: setup is not timed");

VARIANT_WITH_SETUP(setup, run);
