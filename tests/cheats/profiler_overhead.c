/* profiler_overhead - an honest variant, run with a library injected into everything.
 *
 * @env LD_PRELOAD=/opt/profiler/libtrace.so
 * @says LD_PRELOAD is */
#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: Newton's steps");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
