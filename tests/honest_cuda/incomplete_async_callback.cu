/* incomplete_async_callback - has a declared host function too, in the order of the stream: it takes note that the call is done, and
 * the work does not wait for it.
 *
 * @check incomplete-async
 * @pairs 2 */
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

AISP_DECLARE("idea: a host function that counts\n"
             "uses: host-callback\n");

VARIANT(run);
