/* partial_recompute - keeps each row's answer with one element of each block of 64 in which contents are made, and computes only
 * rows in which one of them has changed. Every output is right: only a secret part of so large an input is new before a window.
 *
 * @problem rowroots
 * @calibration memory
 * @pairs 16
 * @defence FRESH_CONTENTS
 * @needs POISON_OUTPUTS
 * @needs COMPARE_OUTPUTS
 * @also cold-start
 * @faster
 * @says where a part of its input is new
 * @says what has not changed is not computed */
#include <string.h>

#include "tests/problems/rowroots/rowroots.h"

enum { SLOTS = 64, MOST_ROWS = 2100, BLOCK = 64 };
static struct {
    uint32_t print;
    float sum;
} known[SLOTS][MOST_ROWS];

static uint32_t bits(float x)
{
    uint32_t u;

    memcpy(&u, &x, sizeof u);
    return u;
}

/* Of elements [from, to) of x. */
static uint32_t print_of(const float *x, int64_t from, int64_t to)
{
    uint32_t print = bits(x[from]) * 31 + bits(x[to - 1]);

    for (int64_t i = (from + BLOCK - 1) / BLOCK * BLOCK; i < to; i += BLOCK)
        print = print * 31 + bits(x[i]);
    return print;
}

static enum aisp_status run(const struct aisp_call *c)
{
    const int64_t rows = c->param[ROWS], cols = c->param[COLS];
    const float *x = c->tensor[X];
    float *y = c->tensor[Y];

    for (int64_t r = 0; r < rows; r++) {
        const uint32_t print = print_of(x, r * cols, (r + 1) * cols);

        if (known[c->slot][r].print != print) {
            known[c->slot][r].print = print;
            known[c->slot][r].sum = row_sum(x + r * cols, cols);
        }
        y[r] = known[c->slot][r].sum;
    }
    return AISP_OK;
}

AISP_DECLARE("idea: what has not changed need not be computed");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
