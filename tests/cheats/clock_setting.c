/* clock_setting - asks the kernel to set the clock (to nothing, should it be allowed).
 *
 * @defence CONFINEMENT
 * @says called clock_settime */
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status setup(const struct aisp_setup *s)
{
    (void)s;
    syscall(SYS_clock_settime, CLOCK_REALTIME, NULL);
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: a day has fewer hours");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
