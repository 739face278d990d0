/* baseline - computes on the card and copies to the host, in order. */
#include "tests/problems/card_roots/aside.cuh"

static enum aisp_status run(const struct aisp_call *c)
{
    if (compute_aside(c))
        return AISP_E_DEVICE;
    AISP_CUDA(cudaMemcpyAsync(c->tensor[Y], answer, bytes_of(c), cudaMemcpyDefault, aisp_stream(c)));
    return AISP_OK;
}

AISP_DECLARE("idea: Newton's steps, then a copy\n"
             "place: y=pinned\n");

VARIANT_WITH_SETUP(open_aside, run);
