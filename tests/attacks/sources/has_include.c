/* Probing for files tells nothing: none of them is there.
 * @reason none */
#include <aisp/variant.h>

#if __has_include("/etc/passwd") || __has_include("@TARGET@/problem.c") || __has_include("/proc/self/maps") || \
    __has_include("/usr/share/doc") || __has_include("/etc/hostname")
#error seen
#endif

static enum aisp_status run(const struct aisp_call *call)
{
    const float *x = call->tensor[0];
    float *y = call->tensor[1];

    for (int64_t i = 0; i < call->param[0]; i++)
        y[i] = 2 * x[i];
    return AISP_OK;
}

AISP_DECLARE("idea: of an attack");
AISP_VARIANT = { .abi = AISP_ABI, .run = run };
