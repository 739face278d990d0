/* host_callback - has a host function in the order of the stream, and does not say so.
 *
 * @defence DEVICE_RECORDER
 * @says was not declared (uses: host-callback) */
#include "tests/problems/card_roots/roots.cuh"

static int64_t n_done;

static void CUDART_CB count(void *unused)
{
    (void)unused;
    n_done++;
}

static enum aisp_status run(const struct aisp_call *c)
{
    if (honest(c))
        return AISP_E_DEVICE;
    AISP_CUDA(cudaLaunchHostFunc(aisp_stream(c), count, NULL));
    return AISP_OK;
}

AISP_DECLARE("idea: somebody counts\n"
             "uses: threads\n");

VARIANT(run);
