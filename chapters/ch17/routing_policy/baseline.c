/* baseline - round robin. */
#include "workers.h"

static enum aisp_status run(const struct aisp_call *call)
{
    struct fleet f;

    fleet_open(&f, call);
    while (f.now < call->param[REQUESTS])
        serve(&f, (int)(f.now % WORKERS));
    return AISP_OK;
}

AISP_DECLARE("idea: round robin");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = fleet_bytes, .run = run };
