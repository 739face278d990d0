/* clock_drift - launches on a stream of its own that the given one does not wait for, and returns: the events on the given stream
 * find nothing between them. The window does not end with them but with the context, so there is no gain, and the two clocks of
 * the worker and the supervisor disagree.
 *
 * @pairs 4
 * @without DEVICE_RECORDER
 * @defence CLOCKS_AGREE
 * @ratio 0.7 1.4
 * @says clocks disagree
 * @says The printed time is the supervisor's */
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
    return honest_part(c, own, 0, c->param[N]);
}

AISP_DECLARE("idea: a stream of its own\n"
             "uses: streams\n");

VARIANT_WITH_SETUP(setup, run);
