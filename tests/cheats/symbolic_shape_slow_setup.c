/* symbolic_shape_slow_setup - quick at the one size that everybody measures, and so slow to set up at any other that hardly a pair
 * comes about there. That is no violation, and no result that may be published.
 *
 * @check symbolic-shape
 * @pairs 12
 * @brief
 * @publish
 * @root bare-metal
 * @says secret points */
#include <time.h>

#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status setup(const struct aisp_setup *s)
{
    const struct timespec nap = { 0, 700000000 };

    if (s->param[N] != 512)
        nanosleep(&nap, NULL);
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    const int64_t n = c->param[N];

    if (n == 512)
        newton(c->tensor[X], c->tensor[Y], n, 12);
    else
        honest(c, 0, n);
    return AISP_OK;
}

AISP_DECLARE("idea: for the size that is measured");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
