/* baseline - each prompt is prefilled; then the request asks for a place, and is refused or decoded. */
#include "model.h"

static enum aisp_status run(const struct aisp_call *call)
{
    struct server s;

    server_open(&s, call);
    for (int64_t i = 0; i < call->param[REQUESTS]; i++) {
        prefill(&s, s.ask[i].request);
        if (takes_place(&s, &s.ask[i]))
            decode(&s, s.ask[i].request);
        else
            refuse(&s, s.ask[i].request);
    }
    return AISP_OK;
}

AISP_DECLARE("idea: prefill first, then ask the decode side for a place");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = server_bytes, .run = run };
