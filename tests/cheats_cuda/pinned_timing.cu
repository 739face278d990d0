/* pinned_timing - leaves the copy to pinned host memory in flight, on a side stream.
 *
 * @problem card_pinned
 * @defence DEVICE_RECORDER
 * @says the copy to the host was left in flight */
#include "tests/problems/card_roots/aside.cuh"

static enum aisp_status run(const struct aisp_call *c)
{
    return compute_aside(c) ? AISP_E_DEVICE : copy_aside(c, c->tensor[Y]);
}

AISP_DECLARE("idea: it will arrive\n"
             "uses: streams\n"
             "place: y=pinned\n");

VARIANT_WITH_SETUP(open_aside, run);
