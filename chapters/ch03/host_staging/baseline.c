/* baseline - the batch of a step is staged, then the step is computed, then the next batch is staged. The core runs ahead
 * by itself, as far as its window reaches: a few records of a copy are under way at once, and the first ones of a batch lie
 * under the end of the step before. */
#include <aisp/variant.h>

#include "problem.h"
#include "stage.h"

static enum aisp_status run(const struct aisp_call *call)
{
    const struct job job = job_of(call, 1);

    for (int64_t s = 0; s < job.steps; s++) {
        stage(&job, s, job.buffer[0]);
        learn(&job, s, job.buffer[0]);
    }
    return AISP_OK;
}

AISP_DECLARE("idea: stage a batch, compute on it, stage the next");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = one_buffer, .run = run };
