/* missing_holdout - an honest variant, of a problem that was never tried at a secret size.
 *
 * @publish
 * @problem unheld
 * @root bare-metal
 * @says at no secret one */
#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: Newton's steps");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
