/* baseline - every net on every state. */
#include <aisp/variant.h>

#include "look.h"

static size_t workspace_bytes(const int64_t *param)
{
    return (size_t)param[STATES];
}

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t states = call->param[STATES];
    const int8_t *nets = call->tensor[NETS], *x = call->tensor[X];
    int64_t *best = call->tensor[BEST];
    unsigned char *right = call->workspace;

    for (int64_t i = 0; i < states; i++)
        right[i] = (unsigned char)choice_of(call->tensor[MODEL], x + i * DIM);
    best[0] = best[1] = -1;
    for (int64_t a = 0; a < call->param[ARMS]; a++) {
        int64_t agree = 0;

        for (int64_t i = 0; i < states; i++)
            agree += choice_of(nets + a * NET, x + i * DIM) == right[i];
        if (agree > best[1]) {
            best[0] = a;
            best[1] = agree;
        }
    }
    return AISP_OK;
}

AISP_DECLARE("idea: every net on every state");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = workspace_bytes, .run = run };
