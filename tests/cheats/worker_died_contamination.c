/* worker_died_contamination - writes into every output it can reach, also those of the other side's
 * calls, and falls over: nobody else may look worse for it.
 *
 * @check worker-died
 * @pairs 2
 * @spares A
 * @says SIG */
#include <stdlib.h>
#include <string.h>

#include "tests/problems/rsqrt/rsqrt.h"

enum { MOST = 512, CALLS_BEFORE = 5000 };
static void *output[MOST];
static int n_outputs;

static enum aisp_status setup(const struct aisp_setup *s)
{
    for (; n_outputs < s->n_slots && n_outputs < MOST; n_outputs++)
        output[n_outputs] = s->slot[n_outputs][Y];
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    static int n_calls;

    honest(c, 0, c->param[N]);
    if (n_calls++ < CALLS_BEFORE)
        return AISP_OK;
    for (int i = 0; i < n_outputs; i++)
        memset(output[i], 0x5a, (size_t)c->param[N] * sizeof(float));
    abort();
}

AISP_DECLARE("idea: after me the flood");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
