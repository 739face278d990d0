/* optimized_simd - token by token; matrices copied in setup so that a step takes sixteen rows, two numbers of each.
 * Expected: the compiler's vectors hold eight weights and add to one sum; here they hold sixteen, stream in order and on
 * lines, and no lanes are added up: half the instructions. But 6.7 MB of weights come from the third level at some 20 to 26
 * bytes a cycle: 1.3 to 1.7x, and from then on a token costs the reading of the weights.
 * Costs: AVX2; a second copy of the weights. */
#include "several.h"

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t layers = call->param[LAYERS];
    int32_t *token = call->tensor[TOKEN], last = 0;
    const int32_t *s = call->tensor[STATE];
    struct several m;

    several_open(&m, call, call->workspace);
    for (int64_t t = 0; t < call->param[TOKENS]; t++, s = m.s) {
        embed(call, last, t, m.x);
        through_layers(&m, s, 0, layers, 1);
        choose(&m, &last, 1);
        token[t] = last;
    }
    return AISP_OK;
}

AISP_DECLARE("idea: sixteen rows at a time, two numbers of each, from copied matrices\n"
             "expect: instructions / 2\n"
             "uses: allocates");

AISP_VARIANT = {
    .abi = AISP_ABI, .workspace_bytes = several_bytes, .setup = several_setup, .run = run, .teardown = several_teardown,
};
