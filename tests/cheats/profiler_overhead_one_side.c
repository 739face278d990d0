/* profiler_overhead_one_side - a tracer that is attached to the baseline's worker alone.
 *
 * @check profiler-overhead
 * @root traced-worker
 * @says a tracer (process 99) was attached to its worker */
#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: Newton's steps");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
