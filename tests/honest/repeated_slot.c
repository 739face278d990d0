/* repeated_slot - a kernel that gains from a slot that comes again, because it is warm then; and
 * does all of its work each time.
 *
 * @pairs 12 */
#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: stay in the first cache");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
