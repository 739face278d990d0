/* Sixteen million statements out of three lines.
 * @reason compile-memory */
#include <aisp/variant.h>

#define A(x) x x x x x x x x
#define B(x) A(A(A(A(x))))
int explode(int y);
int explode(int y)
{
    B(B(y++;))
    return y;
}

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
