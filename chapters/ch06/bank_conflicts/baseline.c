/* baseline - the definition: row after row, each the sum of sixteen rows with their weights. The compiler makes SIMD code of
 * it, four columns at a time. */
#include <aisp/variant.h>

#include "filter.h"
#include "problem.h"

static enum aisp_status run(const struct aisp_call *call)
{
    const float *x = call->tensor[X];
    float *y = call->tensor[Y];

    for (int64_t r = 0; r < call->param[ROWS]; r++)
        filter_portable(x + r * COLS, COLS, call->tensor[W], y + r * COLS, COLS);
    return AISP_OK;
}

AISP_DECLARE("idea: the definition, row after row");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
