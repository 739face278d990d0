/* baseline - the definition: row after row in the order of the keys. */
#include <aisp/variant.h>

#include "problem.h"
#include "rows.h"

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t entries = call->param[ENTRIES], bags = call->param[BAGS], members = call->param[MEMBERS];
    const float *table = call->tensor[TABLE];
    const int32_t *key = call->tensor[KEY];
    float *y = call->tensor[Y];

    for (int64_t b = 0; b < bags; b++, y += WIDTH) {
        row_clear(y);
        for (int64_t m = 0; m < members; m++)
            row_add(y, table + row_of(*key++, entries) * WIDTH);
    }
    return AISP_OK;
}

AISP_DECLARE("idea: the definition, in the order of the keys");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
