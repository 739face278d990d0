/* callback - a host function behind every call, not declared. */
#include "tests/problems/card_roots/roots.cuh"

static int64_t n_calls;

static void CUDART_CB count(void *unused)
{
    (void)unused;
    n_calls++;
}

static enum aisp_status run(const struct aisp_call *c)
{
    if (honest(c))
        return AISP_E_DEVICE;
    AISP_CUDA(cudaLaunchHostFunc(aisp_stream(c), count, NULL));
    return AISP_OK;
}

AISP_DECLARE("idea: a host function");

VARIANT(run);
