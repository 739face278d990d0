/* baseline - the checkpoint is turned into bf16 when it is loaded, which is exact; a call is the dot products of its rows. */
#include "bf16_copy.h"

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t rows = call->param[ROWS], cols = call->param[COLS];
    const uint16_t *w = call->state;
    const float *x = call->tensor[X];
    float *y = call->tensor[Y];

    for (int64_t r = 0; r < rows; r++, w += cols) {
        float sum = 0;

        for (int64_t c = 0; c < cols; c++)
            sum += float_of_bf16(w[c]) * x[c];
        y[r] = sum;
    }
    return AISP_OK;
}

AISP_DECLARE("idea: the checkpoint becomes bf16 once, a call is a dot product for each row\n"
             "uses: allocates");

AISP_VARIANT = { .abi = AISP_ABI, .setup = copy_setup, .run = run, .teardown = copy_teardown };
