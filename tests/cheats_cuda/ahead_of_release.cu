/* ahead_of_release - launches on a stream of its own, which waits for nothing, and lets the given one wait for that: the answer
 * is there when the given stream comes to its end, as it should be. But the work does not wait for the given stream's turn: where
 * that is held, all is done before the window begins.
 *
 * @check unsynced-streams
 * @scope kernel
 * @defence LATE_CONTENTS
 * @needs COMPARE_OUTPUTS
 * @needs FRESH_CONTENTS
 * @faster
 * @says held windows
 * @says without waiting for the given stream */
#include "tests/problems/card_roots/roots.cuh"

static cudaStream_t own;
static cudaEvent_t end;

static enum aisp_status setup(const struct aisp_setup *s)
{
    (void)s;
    AISP_CUDA(cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking));
    AISP_CUDA(cudaEventCreateWithFlags(&end, cudaEventDisableTiming));
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    if (honest_part(c, own, 0, c->param[N]))
        return AISP_E_DEVICE;
    AISP_CUDA(cudaEventRecord(end, own));
    AISP_CUDA(cudaStreamWaitEvent(aisp_stream(c), end, 0));
    return AISP_OK;
}

AISP_DECLARE("idea: a stream that waits for nothing\n"
             "uses: streams\n");

VARIANT_WITH_SETUP(setup, run);
