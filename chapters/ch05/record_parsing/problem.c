/* record_parsing - numbers in lines of text: how many stand in each line, and their sum.
 * A line is `width` bytes of digits, '.' and '/'; a number is a longest run of digits, its value taken modulo 2^32, and the sum
 * too. One byte in six separates, so that numbers have five digits on the average and any length is legal: the lengths are
 * what a branch predictor cannot know. */
#include <aisp/problem.h>

#include "problem.h"

static void parse(const uint8_t *line, int64_t width, int64_t *count, int64_t *total)
{
    uint64_t value = 0, sum = 0;
    int64_t n = 0;
    int inside = 0;

    for (int64_t i = 0; i <= width; i++) {
        const int is_digit = i < width && line[i] >= '0' && line[i] <= '9';

        if (is_digit)
            value = 10 * value + (uint64_t)(line[i] - '0');
        if (inside && !is_digit) {
            sum += value & 0xffffffff;
            n++;
        }
        if (!is_digit)
            value = 0;
        inside = is_digit;
    }
    *count = n;
    *total = (int64_t)(sum & 0xffffffff);
}

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const int64_t width = in->param[WIDTH];
    const uint8_t *text = in->tensor[TEXT];
    int64_t *result = to, both[2];

    for (int64_t line = first; line < first + n; line++) {
        parse(text + line * width, width, &both[0], &both[1]);
        *result++ = both[out == TOTAL];
    }
}

static const struct aisp_param params[] = {
    { "lines", 8192, 67, 0, 7600, 9000, 1 },
    { "width", 256, 61, 0, 240, 300, 1 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "text", AISP_IN, AISP_U8, "lines, width", { AISP_INTEGERS, '.', '9' + 1 } },
    { "count", AISP_OUT, AISP_I64, "lines", { AISP_NO_FILL, 0, 0 } },
    { "total", AISP_OUT, AISP_I64, "lines", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Read the numbers in lines of text",
    .teaches = "input pipelines: parsing with masks instead of branches; eight digits at a time",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "lines*width + 16*lines",
    .flops = "0",
    .tolerance = { .ulps = 0, .why = "whole numbers" },
    .reference = reference,
};
