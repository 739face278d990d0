/* percentile_selection - quick calls, and a while of slower ones that cost less than what the others save.
 *
 * @pairs 4 */
#include "tests/problems/rsqrt/rsqrt.h"

enum { WHILE = 2048, RARELY = 10, ENOUGH = 5, TIMES = 2 };

static enum aisp_status run(const struct aisp_call *c)
{
    static int64_t n_calls;
    const int times = n_calls++ / WHILE % RARELY ? 1 : TIMES;

    for (int i = 0; i < times; i++)
        newton(c->tensor[X], c->tensor[Y], c->param[N], ENOUGH);
    return AISP_OK;
}

AISP_DECLARE("idea: five steps are enough");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
