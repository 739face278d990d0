/* percentile_selection_latency - the same where the tail of single calls is compared.
 *
 * @check percentile-selection
 * @problem latency_tail
 * @pairs 4 */
#include "tests/problems/rsqrt/rsqrt.h"

enum { RARELY = 150, ENOUGH = 5, LITTLE = 40 };

static enum aisp_status run(const struct aisp_call *c)
{
    static int n_calls;

    if (++n_calls % RARELY == 0)
        for (int i = 0; i < LITTLE; i++)
            newton(c->tensor[X], c->tensor[Y], c->param[N] / 8, ENOUGH);
    newton(c->tensor[X], c->tensor[Y], c->param[N], ENOUGH);
    return AISP_OK;
}

AISP_DECLARE("idea: five steps are enough");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
