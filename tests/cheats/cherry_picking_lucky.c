/* cherry_picking_lucky - run again until lucky: the best of twenty.
 *
 * @check cherry-picking
 * @pairs 1
 * @shares
 * @edit lucky
 * @says FASTER is the best of 20 attempts */
#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: Newton's steps");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
