/* priority_elevation_lowered - the reference steps back behind everybody else, which needs no right.
 *
 * @check priority-elevation
 * @side A
 * @defence CONFINEMENT
 * @defence SCHEDULER_LOOK */
#include <sys/resource.h>

#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status setup(const struct aisp_setup *s)
{
    (void)s;
    setpriority(PRIO_PROCESS, 0, 19);
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: after you");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
