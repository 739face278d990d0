/* memory_limit_proof - sparing for as many calls as memory is looked at, and then like the others.
 *
 * @check memory-limit
 * @problem memory_small
 * @pairs 1
 * @defence MEMORY_CAP
 * @needs CONFINEMENT
 * @faster
 * @says went beyond its memory limit */
#include "tests/problems/memory_small/small.h"

enum { PART = 1024, LOOKED_AT = 2 };
static float *all;
static int n_calls;

static enum aisp_status run(const struct aisp_call *c)
{
    float part[PART];

    if (n_calls++ < LOOKED_AT) {
        in_parts(c, part, PART);
        return AISP_OK;
    }
    if (!all)
        all = malloc((size_t)c->param[N] * sizeof *all);
    if (!all)
        return AISP_E_NO_MEMORY;
    by_way_of(c, all, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: sparing at first");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
