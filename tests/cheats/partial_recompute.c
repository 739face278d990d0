/* partial_recompute - keeps each row's answer with the row's first and last element, and computes only rows in which one of them
 * has changed. Every output is right: only a secret part of so large an input is new before a window.
 *
 * @problem rowroots
 * @calibration peaks
 * @pairs 12
 * @defence FRESH_CONTENTS
 * @needs POISON_OUTPUTS
 * @needs COMPARE_OUTPUTS
 * @also cold-start
 * @faster
 * @says where a part of its input is new
 * @says what has not changed is not computed */
#include "tests/problems/rowroots/rowroots.h"

enum { SLOTS = 64, MOST_ROWS = 2100 };
static struct {
    float first, last, sum;
} known[SLOTS][MOST_ROWS];

static enum aisp_status run(const struct aisp_call *c)
{
    const int64_t rows = c->param[ROWS], cols = c->param[COLS];
    const float *x = c->tensor[X];
    float *y = c->tensor[Y];

    for (int64_t r = 0; r < rows; r++) {
        const float *row = x + r * cols;

        if (known[c->slot][r].first != row[0] || known[c->slot][r].last != row[cols - 1]) {
            known[c->slot][r].first = row[0];
            known[c->slot][r].last = row[cols - 1];
            known[c->slot][r].sum = row_sum(row, cols);
        }
        y[r] = known[c->slot][r].sum;
    }
    return AISP_OK;
}

AISP_DECLARE("idea: what has not changed need not be computed");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
