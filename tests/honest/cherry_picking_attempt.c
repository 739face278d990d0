/* cherry_picking_attempt - the seventh attempt, and the ledger has all six before it.
 *
 * @check cherry-picking
 * @pairs 1
 * @shares
 * @edit attempt */
#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: Newton's steps");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
