/* pinned_timing - copies on a side stream too, and the given one waits for it.
 *
 * @problem card_pinned */
#include "tests/problems/card_roots/aside.cuh"

static enum aisp_status run(const struct aisp_call *c)
{
    return compute_aside(c) || copy_aside(c, c->tensor[Y]) ? AISP_E_DEVICE : join_aside(c);
}

AISP_DECLARE("idea: a copy engine of its own\n"
             "uses: streams\n"
             "place: y=pinned\n");

VARIANT_WITH_SETUP(open_aside, run);
