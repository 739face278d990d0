/* To stay when the supervisor goes.
 * @reason forbidden-call */
#include <aisp/variant.h>
#include <signal.h>
#include <sys/prctl.h>

static enum aisp_status run(const struct aisp_call *call)
{
    const float *x = call->tensor[0];
    float *y = call->tensor[1];

    prctl(PR_SET_PDEATHSIG, 0);

    for (int64_t i = 0; i < call->param[0]; i++)
        y[i] = 2 * x[i];
    return AISP_OK;
}

AISP_DECLARE("idea: of an attack");
AISP_VARIANT = { .abi = AISP_ABI, .run = run };
