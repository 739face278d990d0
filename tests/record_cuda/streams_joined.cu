/* streams_joined - half of a call on a stream of its own, which waits for the call's stream and which that waits for. */
#include "tests/problems/card_roots/roots.cuh"

static cudaStream_t own;
static cudaEvent_t begun, ended;

static enum aisp_status setup(const struct aisp_setup *s)
{
    (void)s;
    AISP_CUDA(cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking));
    AISP_CUDA(cudaEventCreateWithFlags(&begun, cudaEventDisableTiming));
    AISP_CUDA(cudaEventCreateWithFlags(&ended, cudaEventDisableTiming));
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    const int64_t half = c->param[N] / 2;

    AISP_CUDA(cudaEventRecord(begun, aisp_stream(c)));
    AISP_CUDA(cudaStreamWaitEvent(own, begun, 0));
    if (honest_part(c, own, 0, half) || honest_part(c, aisp_stream(c), half, c->param[N]))
        return AISP_E_DEVICE;
    AISP_CUDA(cudaEventRecord(ended, own));
    AISP_CUDA(cudaStreamWaitEvent(aisp_stream(c), ended, 0));
    return AISP_OK;
}

AISP_DECLARE("idea: two streams\n"
             "uses: streams\n");

VARIANT_WITH_SETUP(setup, run);
