/* warm_up_computation - tries two launches while it is young, as tuners do, times nothing and answers with both, and then stays
 * with one.
 *
 * @pairs 2 */
#include "tests/problems/card_roots/roots.cuh"

enum { EARLY_CALLS = 2, WIDE = 512 };

static enum aisp_status run(const struct aisp_call *c)
{
    static int n_calls;

    if (n_calls >= EARLY_CALLS)
        return honest(c);
    n_calls++;
    roots<<<aisp_blocks(c->param[N], WIDE), WIDE, 0, aisp_stream(c)>>>((const float *)c->tensor[X], (float *)c->tensor[Y],
                                                                      c->param[N], c->param[STEPS]);
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

AISP_DECLARE("idea: the second launch shape is the better one");

VARIANT(run);
