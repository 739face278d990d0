/* async_memcpy - computes into memory of its own and leaves the copy to the output in flight, on a side stream.
 *
 * @defence DEVICE_RECORDER
 * @says the copy was left in flight */
#include "tests/problems/card_roots/aside.cuh"

static enum aisp_status run(const struct aisp_call *c)
{
    return compute_aside(c) ? AISP_E_DEVICE : copy_aside(c, c->tensor[Y]);
}

AISP_DECLARE("idea: the copy on its own way\n"
             "uses: streams\n");

VARIANT_WITH_SETUP(open_aside, run);
