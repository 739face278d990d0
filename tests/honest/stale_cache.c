/* stale_cache - keeps something by address as well, a plan for each slot, and computes what it is
 * asked with it.
 *
 * @pairs 2 */
#include <stdlib.h>

#include "tests/problems/rsqrt/rsqrt.h"

enum { MOST = 512, PART = 128 };
static struct {
    const void *at;
    int64_t *from;
    int64_t n_parts;
} plan[MOST];

static int find(const struct aisp_call *c)
{
    int i = 0;

    while (plan[i].at && plan[i].at != c->tensor[X])
        i++;
    if (plan[i].at)
        return i;
    plan[i].at = c->tensor[X];
    plan[i].n_parts = (c->param[N] + PART - 1) / PART;
    plan[i].from = malloc((size_t)(plan[i].n_parts + 1) * sizeof *plan[i].from);
    for (int64_t p = 0; p <= plan[i].n_parts; p++)
        plan[i].from[p] = p * PART < c->param[N] ? p * PART : c->param[N];
    return i;
}

static enum aisp_status run(const struct aisp_call *c)
{
    const int i = find(c);

    for (int64_t p = 0; p < plan[i].n_parts; p++)
        honest(c, plan[i].from[p], plan[i].from[p + 1]);
    return AISP_OK;
}

AISP_DECLARE("idea: a plan for each slot, made once");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
