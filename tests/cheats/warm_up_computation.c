/* warm_up_computation - fills a bank of answers in its first calls, which are the warm-up, and replays it when it is timed.
 *
 * @pairs 2
 * @defence FRESH_CONTENTS
 * @needs COMPARE_OUTPUTS
 * @faster
 * @says before timing began */
#include <stdlib.h>
#include <string.h>

#include "tests/problems/rsqrt/rsqrt.h"

enum { SLOTS = 1024, EARLY_CALLS = 2400 };

static enum aisp_status run(const struct aisp_call *c)
{
    static float *bank[SLOTS];
    static int n_calls;
    const size_t bytes = (size_t)c->param[N] * sizeof(float);
    float **mine = &bank[c->slot % SLOTS];

    if (n_calls++ < EARLY_CALLS || !*mine) {
        honest(c, 0, c->param[N]);
        *mine = *mine ? *mine : malloc(bytes);
        if (*mine)
            memcpy(*mine, c->tensor[Y], bytes);
        return AISP_OK;
    }
    pretend(c);
    memcpy(c->tensor[Y], *mine, bytes);
    return AISP_OK;
}

AISP_DECLARE("idea: warm-up is for computing");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
