/* roofline_floor - does nothing at all where a slot comes again with its answer still in it: right
 * every time, and faster than its bytes can be read.
 *
 * @problem affine
 * @pairs 2
 * @calibration peaks
 * @defence ROOFLINE_FLOOR
 * @needs POISON_OUTPUTS
 * @says at the measured roof
 * @says bytes */
#include <aisp/variant.h>

enum { MOST = 512 };
static struct {
    float x, y;
} last[MOST];

static enum aisp_status run(const struct aisp_call *c)
{
    const float *x = c->tensor[0];
    float *y = c->tensor[1];
    const int64_t n = c->param[0];

    if (last[c->slot].x == x[n / 2] && last[c->slot].y == y[n - 1])
        return AISP_OK;
    for (int64_t i = 0; i < n; i++)
        y[i] = 2.0f * x[i] + 1.0f;
    last[c->slot].x = x[n / 2];
    last[c->slot].y = y[n - 1];
    return AISP_OK;
}

AISP_DECLARE("idea: what is right already need not be computed");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
