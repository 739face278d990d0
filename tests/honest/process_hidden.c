/* process_hidden - asks whether it may be looked into, and says that it may.
 *
 * @user nobody */
#include <sys/prctl.h>

#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status setup(const struct aisp_setup *s)
{
    (void)s;
    return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) < 0 || prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) ? AISP_E_UNAVAILABLE : AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: Newton's steps");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
