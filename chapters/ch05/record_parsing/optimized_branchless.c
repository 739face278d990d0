/* optimized_branchless - the same loop without a branch on the byte: where a number ends it is added, everywhere else zero is.
 * Expected: one byte in six separates, and a predictor misses about every second of their borders, at some 15 cycles each; without
 * them each byte costs the chain multiply, add, select, about 5 cycles: 1.3 to 2x.
 * Costs: the chain is what is left, and nothing overlaps it. */
#include <aisp/variant.h>

#include "problem.h"

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t lines = call->param[LINES], width = call->param[WIDTH];
    const uint8_t *text = call->tensor[TEXT];
    int64_t *count = call->tensor[COUNT], *total = call->tensor[TOTAL];

    for (int64_t l = 0; l < lines; l++, text += width) {
        uint32_t value = 0, sum = 0, n = 0, inside = 0;

        for (int64_t i = 0; i < width; i++) {
            const uint32_t digit = (uint32_t)text[i] - '0', is_digit = digit <= 9, keep = 0 - is_digit;

            sum += value & ~keep;
            n += inside & ~is_digit;
            value = (10 * value + digit) & keep;
            inside = is_digit;
        }
        count[l] = n + inside;
        total[l] = (int64_t)(uint32_t)(sum + value);
    }
    return AISP_OK;
}

AISP_DECLARE("idea: no branch depends on a byte\n"
             "expect: branch misses / 10");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
