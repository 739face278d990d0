/* peer_libc - memcpy of the C library. For sizes above its threshold (three quarters of a core's share of the last cache, at
 * start-up) glibc stores past the caches by itself, four pages at a time; below it, it does not. */
#include <string.h>

#include <aisp/variant.h>

#include "problem.h"

static enum aisp_status run(const struct aisp_call *call)
{
    memcpy(call->tensor[Y], call->tensor[X], (size_t)call->param[N] * sizeof(float));
    return AISP_OK;
}

AISP_DECLARE("idea: memcpy of the C library\n"
             "uses: library");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
