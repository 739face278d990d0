/* priority_elevation - the contender asks to be preferred to everybody else.
 *
 * @defence CONFINEMENT
 * @says called setpriority */
#include <sys/resource.h>

#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status setup(const struct aisp_setup *s)
{
    (void)s;
    setpriority(PRIO_PROCESS, 0, -10);
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: first in the queue");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
