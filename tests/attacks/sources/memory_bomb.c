/* All the memory there is.
 * @reason memory */
#include <aisp/variant.h>
#include <stdlib.h>
#include <string.h>

static enum aisp_status run(const struct aisp_call *call)
{
    const float *x = call->tensor[0];
    float *y = call->tensor[1];

    for (;;) {
        char *p = malloc(1 << 20);
    
        if (!p)
            abort();
        memset(p, 1, 1 << 20);
    }

    for (int64_t i = 0; i < call->param[0]; i++)
        y[i] = 2 * x[i];
    return AISP_OK;
}

AISP_DECLARE("idea: of an attack");
AISP_VARIANT = { .abi = AISP_ABI, .run = run };
