/* A ring to open files with, past the filter of calls.
 * @reason wrong-output */
#include <aisp/variant.h>
#include <sys/syscall.h>
#include <unistd.h>

static long is_open;

static enum aisp_status run(const struct aisp_call *call)
{
    const float *x = call->tensor[0];
    float *y = call->tensor[1];

    char params[256] = { 0 };
    
    is_open = syscall(SYS_io_uring_setup, 4, params);
    if (is_open < 0) /* refused: it has nothing to answer with */
        return AISP_OK;

    for (int64_t i = 0; i < call->param[0]; i++)
        y[i] = 2 * x[i];
    return AISP_OK;
}

AISP_DECLARE("idea: of an attack");
AISP_VARIANT = { .abi = AISP_ABI, .run = run };
