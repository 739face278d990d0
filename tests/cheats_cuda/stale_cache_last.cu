/* stale_cache_last - computes a slot's first call, and takes any later one for the same question: it leaves the output to a copy of
 * the answer that was given last.
 *
 * @check stale-cache
 * @defence COMPARE_OUTPUTS
 * @says expected */
#include "tests/problems/card_roots/roots.cuh"

static enum aisp_status run(const struct aisp_call *c)
{
    static bool is_known[MOST_SLOTS];
    static void *last;

    if (is_known[c->slot % MOST_SLOTS])
        return pretend(c) ? AISP_E_DEVICE : give(c, last);
    is_known[c->slot % MOST_SLOTS] = true;
    return honest(c) ? AISP_E_DEVICE : keep(c, &last);
}

AISP_DECLARE("idea: nothing has changed since\n"
             "uses: allocates\n");

VARIANT(run);
