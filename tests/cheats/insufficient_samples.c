/* insufficient_samples - an honest variant of five pairs, whose record somebody made say FASTER.
 *
 * @pairs 5
 * @shares
 * @edit faster
 * @says the record says FASTER of 5 pairs, and holds 5 */
#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: Newton's steps");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
