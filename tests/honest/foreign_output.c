/* foreign_output - keeps the addresses of all slots as well, and brings those of the next one into
 * the cache; a call writes its own output.
 *
 * @pairs 2 */
#include "tests/problems/rsqrt/rsqrt.h"

enum { MOST = 512 };
static const float *x[MOST];
static float *y[MOST];
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
    const int next = (c->slot + 1) % n_slots;

    for (int64_t i = 0; i < c->param[N]; i += 16) {
        __builtin_prefetch(x[next] + i);
        __builtin_prefetch(y[next] + i, 1);
    }
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: the next slot is brought into the cache beside the work on this one\n"
             "uses: stable-pointers\n");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
