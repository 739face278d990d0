/* baseline - a cache has room for what it holds: each step asks for a larger piece, copies what was there and puts the new
 * behind it, as a concatenation of tensors does. */
#include "grow.h"

static int64_t one_more(int64_t room, int64_t needed)
{
    (void)room;
    return needed;
}

static enum aisp_status run(const struct aisp_call *call)
{
    return run_growing(call, one_more);
}

AISP_DECLARE("idea: keys and values are concatenated in each step\n"
             "uses: allocates");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
