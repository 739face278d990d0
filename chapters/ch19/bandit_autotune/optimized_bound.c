/* optimized_bound - a net that cannot overtake the best so far, even if it agreed on every state that is left, is looked at
 * no more.
 * Expected: the same winner, with certainty. A net that agrees on the share p is given up after (1 - best) / (1 - p) of its
 * looks; the best of 64 agrees on about half of the states, the others on a quarter: 0.61 of all looks on average (of 60
 * draws), 1.3 to 1.9x.
 * Costs: a comparison a look. How much is saved depends on the order in which the nets come. */
#include <aisp/variant.h>

#include "look.h"

static size_t workspace_bytes(const int64_t *param)
{
    return (size_t)param[STATES];
}

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t states = call->param[STATES];
    const int8_t *nets = call->tensor[NETS], *x = call->tensor[X];
    int64_t *best = call->tensor[BEST];
    unsigned char *right = call->workspace;

    for (int64_t i = 0; i < states; i++)
        right[i] = (unsigned char)choice_of(call->tensor[MODEL], x + i * DIM);
    best[0] = best[1] = -1;
    for (int64_t a = 0; a < call->param[ARMS]; a++) {
        int64_t agree = 0;

        for (int64_t i = 0; i < states && agree + states - i > best[1]; i++)
            agree += choice_of(nets + a * NET, x + i * DIM) == right[i];
        if (agree > best[1]) {
            best[0] = a;
            best[1] = agree;
        }
    }
    return AISP_OK;
}

AISP_DECLARE("idea: a net that cannot win any more is looked at no more\n"
             "expect: instructions / 1.6");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = workspace_bytes, .run = run };
