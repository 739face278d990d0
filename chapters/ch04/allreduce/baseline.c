/* baseline - everybody sends to the root, the root adds up, everybody reads its sum. */
#include <string.h>

#include "kit/meet.h"
#include "problem.h"

static enum aisp_status run(const struct aisp_call *call)
{
    const size_t bytes = (size_t)call->param[N] * sizeof(float);
    float *root = meet_room(call, 0);

    if (bytes > meet_room_bytes(call))
        return AISP_E_NO_MEMORY;
    memcpy(meet_room(call, call->rank), call->tensor[X], bytes);
    meet_barrier(call);
    for (int r = 1; call->rank == 0 && r < call->n_ranks; r++) {
        const float *other = meet_room(call, r);

        for (int64_t i = 0; i < call->param[N]; i++)
            root[i] += other[i];
    }
    meet_barrier(call);
    memcpy(call->tensor[Y], root, bytes);
    meet_barrier(call);
    return AISP_OK;
}

AISP_DECLARE("idea: a root adds up for all");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
