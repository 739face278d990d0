/* undeclared_shortcuts - takes six steps where many are asked for: the answer is the same to the last bits, and it is this that
 * is asked for.
 *
 * @pairs 2 */
#include "tests/problems/card_roots/roots.cuh"

enum { ENOUGH = 6 };

static enum aisp_status run(const struct aisp_call *c)
{
    roots<<<aisp_blocks(c->param[N], THREADS), THREADS, 0, aisp_stream(c)>>>((const float *)c->tensor[X], (float *)c->tensor[Y],
                                                                            c->param[N], ENOUGH);
    AISP_CUDA(cudaGetLastError());
    return AISP_OK;
}

AISP_DECLARE("idea: no step that changes nothing");

VARIANT(run);
