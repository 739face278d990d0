/* Huge pages of its own, in a process that its supervisor may not look into any more.
 * @reason forbidden-call */
#include <aisp/variant.h>
#include <sys/prctl.h>

__attribute__((constructor)) static void hide(void)
{
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

static enum aisp_status run(const struct aisp_call *call)
{
    const float *x = call->tensor[0];
    float *y = call->tensor[1];

    for (int64_t i = 0; i < call->param[0]; i++)
        y[i] = 2 * x[i];
    return AISP_OK;
}

AISP_DECLARE("idea: of an attack\n"
             "place: x=huge");
AISP_VARIANT = { .abi = AISP_ABI, .run = run };
