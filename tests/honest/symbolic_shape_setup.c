/* symbolic_shape_setup - takes its time to set up, at every size, and is as much faster at all of them.
 *
 * @check symbolic-shape
 * @pairs 12 */
#include <time.h>

#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status setup(const struct aisp_setup *s)
{
    const struct timespec nap = { 0, 100000000 };

    (void)s;
    nanosleep(&nap, NULL);
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    newton(c->tensor[X], c->tensor[Y], c->param[N], 12);
    return AISP_OK;
}

AISP_DECLARE("idea: fewer steps");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
