/* autotune_variance - tries two algorithms in setup as well, takes the better one, and that is the same in every process.
 *
 * @root bare-metal
 * @pairs 12 */
#include "tests/problems/rsqrt/rsqrt.h"

enum { ENOUGH = 8, TRIED = 64 };

static int64_t work_of(int64_t steps)
{
    static float x[TRIED], y[TRIED];

    for (int i = 0; i < TRIED; i++)
        x[i] = 1;
    newton(x, y, TRIED, steps);
    __asm__ volatile("" : : "r"(y) : "memory");
    return steps * TRIED;
}

static enum aisp_status setup(const struct aisp_setup *s)
{
    static int64_t chosen;

    chosen = work_of(ENOUGH) < work_of(s->param[STEPS]) ? ENOUGH : s->param[STEPS];
    *s->state = &chosen;
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    newton(c->tensor[X], c->tensor[Y], c->param[N], *(const int64_t *)c->state);
    return AISP_OK;
}

AISP_DECLARE("idea: tuned in setup, by counting");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
