/* profiler_overhead_tracer - an honest variant, run under a tracer.
 *
 * @check profiler-overhead
 * @root traced
 * @says a tracer (process 4711) is attached */
#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: Newton's steps");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
