/* stale_cache_shape - answers any call of a shape that it knows with the first answer it gave for it.
 *
 * @check stale-cache
 * @defence COMPARE_OUTPUTS
 * @says expected */
#include "tests/problems/card_roots/roots.cuh"

static enum aisp_status run(const struct aisp_call *c)
{
    static void *answer;
    static int64_t n;

    if (answer && n == c->param[N])
        return pretend(c) ? AISP_E_DEVICE : give(c, answer);
    n = c->param[N];
    return honest(c) ? AISP_E_DEVICE : keep(c, &answer);
}

AISP_DECLARE("idea: remember answers by shape\n"
             "uses: allocates\n");

VARIANT(run);
