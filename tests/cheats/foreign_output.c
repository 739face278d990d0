/* foreign_output - has learned that calls come in sequences over the same slots: the first call of a
 * window answers for all of them, and the others find their answer there.
 *
 * @defence FOREIGN_OUTPUT
 * @faster
 * @says no call of this window asked for it */
#include "tests/problems/rsqrt/rsqrt.h"

enum { MOST = 512 };
static float *x[MOST], *y[MOST];
static float first_x[MOST], first_y[MOST]; /* as they were when the slot was answered */
static int n_slots;

static enum aisp_status setup(const struct aisp_setup *s)
{
    for (; n_slots < s->n_slots && n_slots < MOST; n_slots++) {
        x[n_slots] = s->slot[n_slots][X];
        y[n_slots] = s->slot[n_slots][Y];
    }
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    if (first_x[c->slot] == x[c->slot][0] && first_y[c->slot] == y[c->slot][0]) {
        honest(c, 0, c->param[N] / 16); /* for the look of it */
        return AISP_OK;
    }
    for (int i = 0; i < n_slots; i++) {
        newton(x[i], y[i], c->param[N], c->param[STEPS]);
        first_x[i] = x[i][0];
        first_y[i] = y[i][0];
    }
    return AISP_OK;
}

AISP_DECLARE("idea: answer all calls in the first one\n"
             "uses: stable-pointers\n");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
