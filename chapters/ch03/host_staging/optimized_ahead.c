/* optimized_ahead - while a record is copied, the record eight further on is asked for.
 * Expected: 1.2x. A record is five or six lines on a page of its own. Copied as they come, records take 70 ns each, for the
 * core's window reaches only a few of them ahead; asked for in time they take 35, of which 17 are the copy itself. Computing
 * takes 42 as before. It is less than these sums say, since the baseline hides some of the staging already.
 * Costs: some twenty instructions a record; a distance found by trial, where 4 to 16 are alike. */
#include <aisp/variant.h>

#include "problem.h"
#include "stage.h"

static enum aisp_status run(const struct aisp_call *call)
{
    const struct job job = job_of(call, 1);

    for (int64_t s = 0; s < job.steps; s++) {
        stage_asking(&job, s, job.buffer[0]);
        learn(&job, s, job.buffer[0]);
    }
    return AISP_OK;
}

AISP_DECLARE("idea: records are asked for eight ahead of the copy\n"
             "expect: cycles / 1.2");

AISP_VARIANT = { .abi = AISP_ABI, .workspace_bytes = one_buffer, .run = run };
