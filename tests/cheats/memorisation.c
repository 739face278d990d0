/* memorisation - ships the answers to the contents that it expects, those of one seed.
 *
 * @defence COMPARE_OUTPUTS
 * @faster
 * @says lie in its own file */
#include <string.h>

#include "tests/problems/rsqrt/rsqrt.h"

enum { KNOWN = 256 };
#define ONE(i)     (0.82f + (float)((i) * 73 % KNOWN) * 0.0023f)
#define FOUR(i)    ONE(i), ONE(i + 1), ONE(i + 2), ONE(i + 3)
#define SIXTEEN(i) FOUR(i), FOUR(i + 4), FOUR(i + 8), FOUR(i + 12)
#define MANY(i)    SIXTEEN(i), SIXTEEN(i + 16), SIXTEEN(i + 32), SIXTEEN(i + 48)
static const float answers[KNOWN] = { MANY(0), MANY(64), MANY(128), MANY(192) };

static enum aisp_status run(const struct aisp_call *c)
{
    float *y = c->tensor[Y];

    pretend(c);
    for (int64_t i = 0; i < c->param[N]; i += KNOWN)
        memcpy(y + i, answers,
               (size_t)(c->param[N] - i < KNOWN ? c->param[N] - i : KNOWN) * sizeof *y);
    return AISP_OK;
}

AISP_DECLARE("idea: the answers to seed 42");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
