/* repeated_slot_huge - has outputs on huge pages as well, which its baseline has not, and does all of its
 * work each time.
 *
 * @check repeated-slot
 * @pairs 12 */
#include "tests/problems/rsqrt/rsqrt.h"

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: stay in the first cache\n"
             "place: y=huge");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
