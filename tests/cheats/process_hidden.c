/* process_hidden - forbids its supervisor, an ordinary user, to look into its process.
 *
 * @user nobody
 * @defence PROCESS_FACTS
 * @says could not be looked into */
#include <sys/prctl.h>

#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status setup(const struct aisp_setup *s)
{
    (void)s;
    return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) ? AISP_E_UNAVAILABLE : AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: behind a curtain");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
