/* clock_drift_partial - divides a call over three streams and waits for two of them, so that most of the work is between the events
 * and the time looks plausible. What the third stream is behind with has to be over when the window is.
 *
 * @check clock-drift
 * @pairs 4
 * @without DEVICE_RECORDER
 * @defence CLOCKS_AGREE
 * @says clocks disagree */
#include "tests/problems/card_roots/roots.cuh"

enum { STREAMS = 3, LATE = 2 };
static cudaStream_t own[STREAMS];
static cudaEvent_t begin, end;

static enum aisp_status setup(const struct aisp_setup *s)
{
    (void)s;
    for (int i = 0; i < STREAMS; i++)
        AISP_CUDA(cudaStreamCreateWithFlags(&own[i], cudaStreamNonBlocking));
    AISP_CUDA(cudaEventCreateWithFlags(&begin, cudaEventDisableTiming));
    AISP_CUDA(cudaEventCreateWithFlags(&end, cudaEventDisableTiming));
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    const int64_t n = c->param[N], at[] = { 0, n / 4, n / 2, n / 4 * 3, n };
    static const int on[] = { 0, 1, LATE, LATE };

    AISP_CUDA(cudaEventRecord(begin, aisp_stream(c)));
    for (int i = 0; i < STREAMS; i++)
        AISP_CUDA(cudaStreamWaitEvent(own[i], begin, 0));
    for (int i = 0; i < 4; i++)
        if (honest_part(c, own[on[i]], at[i], at[i + 1]))
            return AISP_E_DEVICE;
    for (int i = 0; i < LATE; i++) {
        AISP_CUDA(cudaEventRecord(end, own[i]));
        AISP_CUDA(cudaStreamWaitEvent(aisp_stream(c), end, 0));
    }
    return AISP_OK;
}

AISP_DECLARE("idea: three streams, two of them joined\n"
             "uses: streams\n");

VARIANT_WITH_SETUP(setup, run);
