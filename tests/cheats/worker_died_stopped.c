/* worker_died_stopped - stops itself, so that whoever waits for it waits for ever.
 *
 * @check worker-died
 * @says no answer in */
#include <signal.h>

#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    raise(SIGSTOP);
    return AISP_OK;
}

AISP_DECLARE("idea: time stands still");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
