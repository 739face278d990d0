/* worker_died_limits - raises whatever limits and alarms it has of its own, and then takes the time that it likes.
 *
 * @check worker-died
 * @says no answer in */
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>

#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status setup(const struct aisp_setup *s)
{
    const struct rlimit none = { RLIM_INFINITY, RLIM_INFINITY };
    const struct itimerval off = { { 0, 0 }, { 0, 0 } };

    (void)s;
    setrlimit(RLIMIT_CPU, &none);
    setitimer(ITIMER_REAL, &off, NULL);
    prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0);
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    const struct timespec hour = { 3600, 0 };

    honest(c, 0, c->param[N]);
    nanosleep(&hour, NULL);
    return AISP_OK;
}

AISP_DECLARE("idea: as long as it takes");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
