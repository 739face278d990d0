/* incomplete_async_device - answers where it should, and leaves a kernel in a second context that runs on after done.
 *
 * @defence DEVICE_RECORDER
 * @says before its device was */
#include "tests/problems/card_roots/second_context.cuh"

enum { ON_NS = 2000000 };

static enum aisp_status run(const struct aisp_call *c)
{
    if (honest(c) || enter_second())
        return AISP_E_DEVICE;
    linger<<<1, 1, 0, second.stream>>>(ON_NS);
    return leave_second();
}

AISP_DECLARE("idea: what is left is nobody's\n"
             "uses: contexts, streams\n");

VARIANT_WITH_SETUP(open_second, run);
