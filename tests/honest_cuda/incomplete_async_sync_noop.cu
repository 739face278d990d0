/* incomplete_async_sync_noop - finds the driver's waits as well, and calls them: all that a call has queued is over when it returns.
 *
 * @check incomplete-async-device
 * @pairs 8 */
#include <dlfcn.h>

#include "tests/problems/card_roots/roots.cuh"

static int (*wait_for_stream)(void *stream), (*wait_for_context)(void);

static enum aisp_status setup(const struct aisp_setup *s)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW);

    (void)s;
    if (!library)
        return AISP_E_UNAVAILABLE;
    wait_for_stream = (int (*)(void *))dlsym(library, "cuStreamSynchronize");
    wait_for_context = (int (*)(void))dlsym(library, "cuCtxSynchronize");
    return wait_for_stream && wait_for_context ? AISP_OK : AISP_E_UNAVAILABLE;
}

static enum aisp_status run(const struct aisp_call *c)
{
    const enum aisp_status st = honest(c);

    return st || wait_for_stream(c->stream) || wait_for_context() ? AISP_E_DEVICE : AISP_OK;
}

AISP_DECLARE("idea: who waits need not be waited for\n"
             "uses: synchronises\n");

VARIANT_WITH_SETUP(setup, run);
