/* approximation_drift_one_pass - the mean of squares less the square of the mean: fine round zero, noise far from it.
 *
 * @check approximation-drift
 * @problem spread
 * @defence PLANTED_CONTENTS
 * @needs COMPARE_OUTPUTS
 * @says value outside tolerance */
#include "tests/problems/spread/spread.h"

static enum aisp_status run(const struct aisp_call *c)
{
    const int64_t cols = c->param[COLS];
    const float *x = c->tensor[X];

    for (int64_t r = 0; r < c->param[ROWS]; r++, x += cols) {
        float sum = 0, squares = 0;

        for (int64_t i = 0; i < cols; i++) {
            sum += x[i];
            squares += x[i] * x[i];
        }
        ((float *)c->tensor[Y])[r] = squares / (float)cols - sum / (float)cols * (sum / (float)cols);
    }
    return AISP_OK;
}

AISP_DECLARE("idea: one pass over the row");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
