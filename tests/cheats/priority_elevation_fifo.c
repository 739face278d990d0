/* priority_elevation_fifo - the contender asks never to be put aside.
 *
 * @check priority-elevation
 * @defence CONFINEMENT
 * @says called sched_setscheduler */
#include <sched.h>

#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status setup(const struct aisp_setup *s)
{
    const struct sched_param p = { .sched_priority = 1 };

    (void)s;
    sched_setscheduler(0, SCHED_FIFO, &p);
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: never wait");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
