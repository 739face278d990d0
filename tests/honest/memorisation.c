/* memorisation - ships a table as well, of first guesses, and computes from them what it is asked. */
#include "tests/problems/rsqrt/rsqrt.h"

enum { ENTRIES = 8 };
static const float first[ENTRIES] = { 1.34f, 1.21f, 1.11f, 1.03f, 0.97f, 0.92f, 0.88f, 0.83f };

static enum aisp_status run(const struct aisp_call *c)
{
    const float *x = c->tensor[X];
    float *y = c->tensor[Y];

    for (int64_t i = 0; i < c->param[N]; i++) {
        float r = first[(int)((x[i] - 0.5f) * ENTRIES) & (ENTRIES - 1)];

        for (int k = 0; k < 4; k++)
            r *= 1.5f - 0.5f * x[i] * r * r;
        y[i] = r;
    }
    return AISP_OK;
}

AISP_DECLARE("idea: first guesses out of a table");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
