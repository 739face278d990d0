/* outlier_injection_seventh - the reference sleeps in every seventh call, and so in every window: no
 * median helps against that. So it does in the control pair, where it stands on both sides; and what
 * it declares has nothing to do with waiting.
 *
 * @check outlier-injection
 * @problem slow
 * @side A
 * @pairs 12
 * @faster
 * @needs COMPARE_OUTPUTS
 * @says the reference waits instead of working */
#include <time.h>

#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    const struct timespec nap = { 0, 300000 };
    static int n_calls;

    honest(c, 0, c->param[N]);
    if (++n_calls % 7 == 0)
        nanosleep(&nap, NULL);
    return AISP_OK;
}

AISP_DECLARE("idea: wait a little\n"
             "uses: allocates\n");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
