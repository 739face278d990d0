/* clock_setting - asks the kernel how fine its clocks are. */
#include <time.h>

#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status setup(const struct aisp_setup *s)
{
    struct timespec step;

    (void)s;
    clock_getres(CLOCK_REALTIME, &step);
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: know how fine a clock is");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
