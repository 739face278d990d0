/* priority_elevation_ioprio - the reference lets everybody else to the disk first.
 *
 * @check priority-elevation
 * @side A
 * @defence CONFINEMENT
 * @defence SCHEDULER_LOOK */
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status setup(const struct aisp_setup *s)
{
    const int process = 1, idle = 3 << 13;

    (void)s;
    syscall(SYS_ioprio_set, process, 0, idle);
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: after you at the disk");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
