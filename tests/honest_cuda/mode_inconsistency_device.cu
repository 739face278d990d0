/* mode_inconsistency_device - launches twice in every call, whoever looks.
 *
 * @pairs 1 */
#include "tests/problems/card_roots/roots.cuh"

static enum aisp_status run(const struct aisp_call *c)
{
    const int64_t n = c->param[N], half = n / 2;

    return honest_part(c, aisp_stream(c), 0, half) ? AISP_E_DEVICE : honest_part(c, aisp_stream(c), half, n);
}

AISP_DECLARE("idea: two halves");

VARIANT(run);
