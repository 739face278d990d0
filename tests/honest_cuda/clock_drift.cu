/* clock_drift - divides a call over three streams as well, and the given one waits for all of them.
 *
 * @pairs 4 */
#include "tests/problems/card_roots/roots.cuh"

enum { STREAMS = 3 };
static cudaStream_t own[STREAMS];
static cudaEvent_t begin, end[STREAMS];

static enum aisp_status setup(const struct aisp_setup *s)
{
    (void)s;
    AISP_CUDA(cudaEventCreateWithFlags(&begin, cudaEventDisableTiming));
    for (int i = 0; i < STREAMS; i++) {
        AISP_CUDA(cudaStreamCreateWithFlags(&own[i], cudaStreamNonBlocking));
        AISP_CUDA(cudaEventCreateWithFlags(&end[i], cudaEventDisableTiming));
    }
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    const int64_t n = c->param[N];

    AISP_CUDA(cudaEventRecord(begin, aisp_stream(c)));
    for (int i = 0; i < STREAMS; i++) {
        AISP_CUDA(cudaStreamWaitEvent(own[i], begin, 0));
        if (honest_part(c, own[i], n * i / STREAMS, n * (i + 1) / STREAMS))
            return AISP_E_DEVICE;
        AISP_CUDA(cudaEventRecord(end[i], own[i]));
        AISP_CUDA(cudaStreamWaitEvent(aisp_stream(c), end[i], 0));
    }
    return AISP_OK;
}

AISP_DECLARE("idea: three streams, all joined\n"
             "uses: streams\n");

VARIANT_WITH_SETUP(setup, run);
