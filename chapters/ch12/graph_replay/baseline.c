/* baseline - an interpreter: each step is read, decided on and run, a loop over the vector for each. */
#include <aisp/variant.h>

#include "operators.h"

static void apply(int op, const float *v, float *to, int64_t n, struct step s)
{
    switch (op) {
    case SCALE:
        apply_scale(v, to, n, s);
        break;
    case SHIFT:
        apply_shift(v, to, n, s);
        break;
    case LEAKY:
        apply_leaky(v, to, n, s);
        break;
    default:
        apply_mix(v, to, n, s);
    }
}

static size_t workspace_bytes(const int64_t *param)
{
    return 2 * (size_t)(param[ROWS] * param[COLS]) * sizeof(float);
}

static enum aisp_status run(const struct aisp_call *call)
{
    const int32_t *op = call->tensor[OPERATOR], *reach = call->tensor[REACH];
    const float *amount = call->tensor[AMOUNT], *v = call->tensor[X];
    const int64_t n = call->param[ROWS] * call->param[COLS], steps = call->param[STEPS];
    float *scratch = call->workspace;

    for (int64_t s = 0; s < steps; s++) {
        float *to = s == steps - 1 ? call->tensor[Y] : scratch + s % 2 * n;

        apply(op[s], v, to, n, (struct step){ amount[s], reach[s] % n });
        v = to;
    }
    return AISP_OK;
}

AISP_DECLARE("idea: an interpreter, one operator after the other");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = workspace_bytes, .run = run };
