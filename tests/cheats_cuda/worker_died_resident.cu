/* worker_died_resident - keeps a kernel on the card that polls a flag in host memory, so that a call only has to raise it. The wait for
 * the context is one for that kernel too.
 *
 * @check worker-died
 * @says no answer in */
#include "tests/problems/card_roots/resident.cuh"

static enum aisp_status run(const struct aisp_call *c)
{
    static cudaStream_t own;

    if (!own) {
        AISP_CUDA(cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking));
        if (start_resident(own))
            return AISP_E_DEVICE;
    }
    return ask_resident(c);
}

AISP_DECLARE("idea: a kernel that is there already\n"
             "uses: persistent, streams\n");

VARIANT(run);
