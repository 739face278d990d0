/* profiler_overhead_nsys - an honest variant, inside a session of a profiler.
 *
 * @check profiler-overhead
 * @env NSYS_PROFILING_SESSION_ID=4711
 * @says NSYS_PROFILING_SESSION_ID is set */
#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: Newton's steps");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
