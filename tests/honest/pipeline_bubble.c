/* pipeline_bubble - the first stage hands its data on as they are, too, and leaves all the work to the second: a poor pipeline, but
 * no call begins before the one before it is through.
 *
 * @problem pipeline
 * @pairs 2 */
#include <string.h>

#include "tests/problems/pipeline/pipeline.h"

static enum aisp_status run(const struct aisp_call *c)
{
    float *x = room_of(c, 0), *h = c->workspace;

    if (c->rank == 0) {
        memcpy(x, c->tensor[X], (size_t)c->param[N] * sizeof *x);
        newton(x, c->tensor[Y], 1, c->param[STEPS]);
    }
    barrier(c);
    if (c->rank == 1) {
        newton(x, h, c->param[N], c->param[STEPS]);
        newton(h, c->tensor[Y], c->param[N], c->param[STEPS]);
    }
    barrier(c);
    return AISP_OK;
}

static size_t workspace_bytes(const int64_t *param)
{
    return (size_t)param[N] * sizeof(float);
}

AISP_DECLARE("idea: one stage does it all");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = workspace_bytes, .run = run };
