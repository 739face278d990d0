/* partial_recompute - large inputs of which only a part is new each time, all of them computed each time, with more
 * accumulators than the baseline has.
 *
 * @problem rowroots
 * @calibration memory
 * @pairs 12 */
#include "tests/problems/rowroots/rowroots.h"

static enum aisp_status run(const struct aisp_call *c)
{
    const int64_t cols = c->param[COLS];

    for (int64_t r = 0; r < c->param[ROWS]; r++) {
        const float *row = (const float *)c->tensor[X] + r * cols;
        float sum[4] = { 0 };
        int64_t i = 0;

        for (; i + 4 <= cols; i += 4)
            for (int k = 0; k < 4; k++)
                sum[k] += sqrtf(row[i + k]);
        for (; i < cols; i++)
            sum[0] += sqrtf(row[i]);
        ((float *)c->tensor[Y])[r] = sum[0] + sum[1] + sum[2] + sum[3];
    }
    return AISP_OK;
}

AISP_DECLARE("idea: four accumulators");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
