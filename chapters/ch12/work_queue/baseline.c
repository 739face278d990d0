/* baseline - a loop over the items, and in it a loop over the rounds of each. */
#include <aisp/variant.h>

#include "problem.h"

static enum aisp_status run(const struct aisp_call *call)
{
    const int32_t *seed = call->tensor[SEED], *rounds = call->tensor[ROUNDS];
    int32_t *hash = call->tensor[HASH];

    for (int64_t i = 0; i < call->param[ITEMS]; i++) {
        uint32_t x = (uint32_t)seed[i];

        for (int32_t r = 0; r < rounds[i]; r++)
            x = (x ^ x >> 15) * ROUND_MULTIPLIER + ROUND_INCREMENT;
        hash[i] = (int32_t)x;
    }
    return AISP_OK;
}

AISP_DECLARE("idea: one item after another");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
