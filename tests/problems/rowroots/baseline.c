/* baseline - row after row. */
#include "tests/problems/rowroots/rowroots.h"

static enum aisp_status run(const struct aisp_call *c)
{
    const float *x = c->tensor[X];
    float *y = c->tensor[Y];

    for (int64_t r = 0; r < c->param[ROWS]; r++)
        y[r] = row_sum(x + r * c->param[COLS], c->param[COLS]);
    return AISP_OK;
}

AISP_DECLARE("idea: the definition");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
