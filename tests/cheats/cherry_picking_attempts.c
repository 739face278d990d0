/* cherry_picking_attempts - the seventh attempt, of which the ledger has lost four.
 *
 * @check cherry-picking
 * @pairs 1
 * @shares
 * @edit attempts
 * @says this is attempt 7 */
#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: Newton's steps");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
