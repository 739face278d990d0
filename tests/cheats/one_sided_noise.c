/* one_sided_noise - an honest variant, beside a neighbour who takes the core from the reference alone:
 * the record of such a run is made from a quiet one.
 *
 * @pairs 2
 * @edit neighbour
 * @says noise that knows whose turn it is */
#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: Newton's steps");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
