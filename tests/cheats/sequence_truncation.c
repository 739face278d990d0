/* sequence_truncation - attends for the first half of the queries and repeats the last answer.
 *
 * @problem attention
 * @defence COMPARE_OUTPUTS
 * @says along seq wrong */
#include <string.h>

#include "tests/problems/attention/attention.h"

static enum aisp_status run(const struct aisp_call *c)
{
    const int64_t seq = c->param[SEQ], half = (seq + 1) / 2, dim = c->param[DIM];
    float *y = c->tensor[Y];

    attention(c, 0, half);
    for (int64_t s = half; s < seq; s++)
        memcpy(y + s * dim, y + (half - 1) * dim, (size_t)dim * sizeof *y);
    return AISP_OK;
}

AISP_DECLARE("idea: the beginning says it all");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
