/* sequence_truncation - the sequence in two halves, the second one backwards.
 *
 * @problem attention
 * @pairs 2 */
#include "tests/problems/attention/attention.h"

static enum aisp_status run(const struct aisp_call *c)
{
    const int64_t seq = c->param[SEQ];

    for (int64_t s = seq - 1; s >= seq / 2; s--)
        attention(c, s, s + 1);
    attention(c, 0, seq / 2);
    return AISP_OK;
}

AISP_DECLARE("idea: two halves");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
