/* profiler_overhead_injection - an honest variant, with a library that CUDA loads into everything.
 *
 * @check profiler-overhead
 * @env CUDA_INJECTION64_PATH=/opt/profiler/libtrace.so
 * @says CUDA_INJECTION64_PATH is set */
#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: Newton's steps");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
