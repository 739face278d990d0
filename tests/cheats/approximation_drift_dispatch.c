/* approximation_drift_dispatch - looks at two numbers and takes the short way if they are large, as if all rows then were alike.
 *
 * @check approximation-drift
 * @problem spread
 * @defence PLANTED_CONTENTS
 * @needs COMPARE_OUTPUTS */
#include <math.h>

#include "tests/problems/spread/spread.h"

static enum aisp_status run(const struct aisp_call *c)
{
    const int64_t cols = c->param[COLS];
    const float *x = c->tensor[X];

    for (int64_t r = 0; r < c->param[ROWS]; r++) {
        const float *row = x + r * cols;
        const int64_t n = fabsf(row[0]) > 100 && fabsf(row[1]) > 100 ? cols / 4 : cols;

        ((float *)c->tensor[Y])[r] = two_passes(row, n);
    }
    return AISP_OK;
}

AISP_DECLARE("idea: the general way only where it is needed");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
