/* 10 GB of output.
 * @reason output-flood */
#include <aisp/variant.h>
#include <stdio.h>

static char line[1 << 20];

static enum aisp_status run(const struct aisp_call *call)
{
    const float *x = call->tensor[0];
    float *y = call->tensor[1];

    for (size_t i = 0; i < sizeof line; i++)
        line[i] = 'x';
    for (int i = 0; i < 10240; i++)
        fwrite(line, 1, sizeof line, stdout);
    fflush(stdout);

    for (int64_t i = 0; i < call->param[0]; i++)
        y[i] = 2 * x[i];
    return AISP_OK;
}

AISP_DECLARE("idea: of an attack");
AISP_VARIANT = { .abi = AISP_ABI, .run = run };
