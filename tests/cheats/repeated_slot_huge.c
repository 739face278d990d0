/* repeated_slot_huge - does only half of the work where a slot comes again, and has asked for outputs on
 * huge pages, which are its own memory.
 *
 * @check repeated-slot
 * @pairs 12
 * @defence SLOT_SECRECY
 * @needs POISON_OUTPUTS
 * @needs COMPARE_OUTPUTS
 * @says was overwritten while the window ran
 * @says left it so */
#include <string.h>

#include "tests/problems/rsqrt/rsqrt.h"

enum { MOST = 512 };
static struct {
    float x[2], y[2];
} last[MOST];

static enum aisp_status run(const struct aisp_call *c)
{
    const float *x = c->tensor[X], *y = c->tensor[Y];
    const int64_t n = c->param[N];
    const float x_now[] = { x[0], x[n / 2] }, y_now[] = { y[0], y[n - 1] };

    if (!memcmp(last[c->slot].x, x_now, sizeof x_now) &&
        !memcmp(last[c->slot].y, y_now, sizeof y_now)) {
        honest(c, 0, n / 2);
        return AISP_OK;
    }
    honest(c, 0, n);
    last[c->slot].x[0] = x[0];
    last[c->slot].x[1] = x[n / 2];
    last[c->slot].y[0] = y[0];
    last[c->slot].y[1] = y[n - 1];
    return AISP_OK;
}

AISP_DECLARE("idea: what is right already need not be computed\n"
             "place: y=huge");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
