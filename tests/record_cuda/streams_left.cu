/* streams_left - half of a call on a stream of its own that nothing waits for, and that it does not declare. */
#include "tests/problems/card_roots/roots.cuh"

static cudaStream_t own;

static enum aisp_status setup(const struct aisp_setup *s)
{
    (void)s;
    AISP_CUDA(cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking));
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    const int64_t half = c->param[N] / 2;

    return honest_part(c, own, 0, half) || honest_part(c, aisp_stream(c), half, c->param[N]) ? AISP_E_DEVICE : AISP_OK;
}

AISP_DECLARE("idea: two streams");

VARIANT_WITH_SETUP(setup, run);
