/* cold_start - its first fifty calls take much longer, as those of an interpreter do: they are not
 * timed.
 *
 * @pairs 5
 * @ratio 0.7 1.4 */
#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    static int n_calls;

    honest(c, 0, c->param[N]);
    if (n_calls++ < 50)
        for (int i = 0; i < 20; i++)
            honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: find out on the way what is best");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
