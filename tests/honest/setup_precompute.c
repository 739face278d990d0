/* setup_precompute - has a constructor and a setup that compute as well: a table of first guesses, good for any contents. */
#include <math.h>
#include <stdlib.h>

#include "tests/problems/rsqrt/rsqrt.h"

enum { ENTRIES = 1024 };
static float scale;

__attribute__((constructor)) static void prepare(void)
{
    scale = ENTRIES;
}

static enum aisp_status setup(const struct aisp_setup *s)
{
    float *first = malloc(ENTRIES * sizeof *first);

    if (!first)
        return AISP_E_NO_MEMORY;
    for (int i = 0; i < ENTRIES; i++)
        first[i] = (float)(1 / sqrt(0.5 + (i + 0.5) / ENTRIES));
    *s->state = first;
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    const float *x = c->tensor[X], *first = c->state;
    float *y = c->tensor[Y];

    for (int64_t i = 0; i < c->param[N]; i++) {
        float r = first[(int)((x[i] - 0.5f) * scale) & (ENTRIES - 1)];

        for (int k = 0; k < 3; k++)
            r *= 1.5f - 0.5f * x[i] * r * r;
        y[i] = r;
    }
    return AISP_OK;
}

AISP_DECLARE("idea: first guesses from a table that setup makes");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run, .teardown = free };
