/* percentile_selection - quick in most windows, and in every eighth so slow that all together take longer: the median sees nothing
 * of that one. An honest variant, whose windows somebody made so in the record.
 *
 * @pairs 4
 * @shares
 * @edit tail
 * @root bare-metal
 * @publish
 * @says on average */
#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, 64);
    honest(c, 64, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: the first block apart");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
