/* setup_precompute - computes all answers in setup, out of what lies in the slots then.
 *
 * @defence FRESH_CONTENTS
 * @needs COMPARE_OUTPUTS
 * @faster
 * @says while it was loaded and set up */
#include <stdlib.h>
#include <string.h>

#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status setup(const struct aisp_setup *s)
{
    const int64_t n = s->param[N];
    float *answer = malloc((size_t)(n * s->n_slots) * sizeof *answer);

    if (!answer)
        return AISP_E_NO_MEMORY;
    for (int i = 0; i < s->n_slots; i++)
        newton(s->slot[i][X], answer + i * n, n, s->param[STEPS]);
    *s->state = answer;
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    const int64_t n = c->param[N];

    pretend(c);
    memcpy(c->tensor[Y], (const float *)c->state + c->slot * n, (size_t)n * sizeof(float));
    return AISP_OK;
}

AISP_DECLARE("idea: setup is not timed");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run, .teardown = free };
