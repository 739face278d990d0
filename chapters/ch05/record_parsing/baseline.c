/* baseline - byte by byte: a digit lengthens the number, anything else ends it. */
#include <aisp/variant.h>

#include "problem.h"

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t lines = call->param[LINES], width = call->param[WIDTH];
    const uint8_t *text = call->tensor[TEXT];
    int64_t *count = call->tensor[COUNT], *total = call->tensor[TOTAL];

    for (int64_t l = 0; l < lines; l++, text += width) {
        uint32_t value = 0, sum = 0;
        int64_t n = 0;
        int inside = 0;

        for (int64_t i = 0; i < width; i++) {
            if (text[i] >= '0' && text[i] <= '9') {
                value = 10 * value + (uint32_t)(text[i] - '0');
                inside = 1;
            } else if (inside) {
                sum += value;
                n++;
                value = 0;
                inside = 0;
            }
        }
        count[l] = n + inside;
        total[l] = (int64_t)(uint32_t)(sum + value);
    }
    return AISP_OK;
}

AISP_DECLARE("idea: byte by byte, a branch for each");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
