/* optimized_fused - one loop does all four steps on an element while it is in a register.
 * Expected: memory moves what it moves with row blocks, 16 bytes an element; the three loads and three stores of y between
 * the steps disappear, which is most of the instructions. That would be nothing if one core waited for memory alone, but its
 * passes over the first-level cache take as long as memory does and hide only in part: 1.2 to 1.8x over the row blocks.
 * Costs: one loop for each combination of operators: that is what fusing compilers are for. The bits are those of the
 * baseline. */
#include <aisp/variant.h>

#include "problem.h"

static enum aisp_status run(const struct aisp_call *call)
{
    const float *restrict x = call->tensor[X], *restrict r = call->tensor[R];
    const float *restrict scale = call->tensor[SCALE], *restrict bias = call->tensor[BIAS];
    const int64_t rows = call->param[ROWS], cols = call->param[COLS];
    float *restrict y = call->tensor[Y];

    for (int64_t i = 0; i < rows; i++)
        for (int64_t c = 0; c < cols; c++) {
            const float t = x[i * cols + c] * scale[c] + bias[c] + r[i * cols + c];
            const float low = t * 0.125f;

            y[i * cols + c] = t > low ? t : low;
        }
    return AISP_OK;
}

AISP_DECLARE("idea: one pass that keeps each element in a register through all four steps\n"
             "expect: instructions / 2");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
