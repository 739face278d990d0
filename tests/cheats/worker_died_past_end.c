/* worker_died_past_end - writes a page past the end of its output, where the guard is.
 *
 * @check worker-died
 * @defence GUARDS
 * @says past the end of y of slot */
#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    ((volatile float *)c->tensor[Y])[c->param[N] + 1024] = 1.0f;
    return AISP_OK;
}

AISP_DECLARE("idea: room for more");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
