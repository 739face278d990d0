/* stale_cache - keeps its answers by the address of the input: right as long as nobody writes new contents there.
 *
 * @defence FRESH_CONTENTS
 * @needs COMPARE_OUTPUTS
 * @faster
 * @says slot
 * @says expected */
#include "tests/problems/card_roots/roots.cuh"

static struct {
    const void *at;
    void *answer;
} kept[MOST_SLOTS];

static enum aisp_status run(const struct aisp_call *c)
{
    int i = 0;

    while (kept[i].at && kept[i].at != c->tensor[X])
        i++;
    if (kept[i].at)
        return pretend(c) ? AISP_E_DEVICE : give(c, kept[i].answer);
    kept[i].at = c->tensor[X];
    return honest(c) ? AISP_E_DEVICE : keep(c, &kept[i].answer);
}

AISP_DECLARE("idea: remember answers by address\n"
             "uses: allocates\n");

VARIANT(run);
