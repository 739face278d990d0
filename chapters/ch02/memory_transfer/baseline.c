/* baseline - one loop, on pages of 4 KiB. The compiler makes 16-byte loads and stores of it. */
#include <aisp/variant.h>

#include "convert.h"

static enum aisp_status run(const struct aisp_call *call)
{
    convert(call->tensor[X], call->tensor[Y], call->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: the definition, one loop");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
