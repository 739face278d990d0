/* warmup_bleed - its first calls are slow, since it makes a table then; all are right.
 *
 * @pairs 2 */
#include <math.h>
#include <stdlib.h>

#include "tests/problems/rsqrt/rsqrt.h"

enum { ENTRIES = 4096, SLOW_CALLS = 20 };
static float *start;

static void make_table(void)
{
    if (!start)
        start = malloc(ENTRIES * sizeof *start);
    for (int i = 0; i < ENTRIES; i++)
        start[i] = (float)(1 / sqrt(0.5 + (i + 0.5) / ENTRIES));
}

static enum aisp_status run(const struct aisp_call *c)
{
    static int n_calls;
    const float *x = c->tensor[X];
    float *y = c->tensor[Y];

    if (n_calls < SLOW_CALLS) {
        make_table();
        n_calls++;
    }
    for (int64_t i = 0; i < c->param[N]; i++) {
        float r = start[(int)((x[i] - 0.5f) * ENTRIES) & (ENTRIES - 1)];

        for (int k = 0; k < 3; k++)
            r *= 1.5f - 0.5f * x[i] * r * r;
        y[i] = r;
    }
    return AISP_OK;
}

AISP_DECLARE("idea: a table of first guesses, made in the first calls");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
