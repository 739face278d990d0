/* outlier_injection - both sides rest now and then, as what they are made from does.
 *
 * @side both
 * @pairs 6 */
#include <time.h>

#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    const struct timespec nap = { 0, 4000000 };
    static int n_calls;

    honest(c, 0, c->param[N]);
    if (++n_calls % 2500 == 0)
        nanosleep(&nap, NULL);
    return AISP_OK;
}

AISP_DECLARE("idea: rest now and then");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
