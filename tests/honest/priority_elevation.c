/* priority_elevation - asks how it is preferred, and leaves it so. */
#include <sched.h>
#include <sys/resource.h>

#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status setup(const struct aisp_setup *s)
{
    (void)s;
    return getpriority(PRIO_PROCESS, 0) > 19 || sched_getscheduler(0) < 0 ? AISP_E_UNAVAILABLE
                                                                          : AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: know one's place");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
