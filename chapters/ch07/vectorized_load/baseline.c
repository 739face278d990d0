/* baseline - byte by byte. */
#include "search.h"

static enum aisp_status run(const struct aisp_call *call)
{
    return search_all(call, search_bytes);
}

AISP_DECLARE("idea: byte by byte");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
