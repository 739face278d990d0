/* background_thread_lead - has a stream of its own as well, and launches there what a call needs and
 * nothing before: the given stream waits for them, and they for it.
 *
 * @check background-thread
 * @pairs 12 */
#include "tests/problems/card_roots/roots.cuh"

static cudaStream_t own;
static cudaEvent_t begin, end;

static enum aisp_status setup(const struct aisp_setup *s)
{
    (void)s;
    AISP_CUDA(cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking));
    AISP_CUDA(cudaEventCreateWithFlags(&begin, cudaEventDisableTiming));
    AISP_CUDA(cudaEventCreateWithFlags(&end, cudaEventDisableTiming));
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    enum aisp_status st;

    AISP_CUDA(cudaEventRecord(begin, aisp_stream(c)));
    AISP_CUDA(cudaStreamWaitEvent(own, begin, 0));
    st = honest_part(c, own, 0, c->param[N]);
    if (st)
        return st;
    AISP_CUDA(cudaEventRecord(end, own));
    AISP_CUDA(cudaStreamWaitEvent(aisp_stream(c), end, 0));
    return AISP_OK;
}

AISP_DECLARE("idea: a stream of its own\n"
             "uses: streams\n");

VARIANT_WITH_SETUP(setup, run);
