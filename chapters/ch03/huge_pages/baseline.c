/* baseline - the walks one after the other, the table on the pages that the system gives by
 * itself: 4 KiB. */
#include <aisp/variant.h>

#include "problem.h"
#include "walk.h"

static enum aisp_status run(const struct aisp_call *call)
{
    walk_all(call);
    return AISP_OK;
}

AISP_DECLARE("idea: the walks one after the other, the table on ordinary pages");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
