/* optimized_helper - two buffers and a second thread: while a batch is computed on, the helper stages the next one, asking
 * ahead as in optimized_ahead.
 * Expected: with two threads on two free cores the longer half is left, the computing with 42 ns a record, and what it costs to
 * fetch the staged lines from the other core: 2x, which is 1.5x over the best of one thread. With one thread, which is what is
 * measured where nothing else is asked for, the same in line as optimized_ahead, 1.2x.
 * It pays only with a core that has nothing else to do: where the two threads have to share theirs with others, 0.2x to 1.2x
 * were seen, for each batch is waited for until the helper gets its turn. And it has to be woken: some ten microseconds a
 * call, so that small jobs (the quick size takes one microsecond) lose by orders of magnitude.
 * Costs: a thread, a second buffer, two counters that have to be right; a whole core for 1.5x. */
#include <aisp/variant.h>

#include "helper.h"
#include "problem.h"
#include "stage.h"

static enum aisp_status run(const struct aisp_call *call)
{
    struct helper *h = call->state;
    const struct job job = job_of(call, 2);

    if (h->is_there)
        learn_helped(h, &job);
    else
        for (int64_t s = 0; s < job.steps; s++) {
            stage_asking(&job, s, job.buffer[s % 2]);
            learn(&job, s, job.buffer[s % 2]);
        }
    return AISP_OK;
}

AISP_DECLARE("idea: a helper thread stages the next batch into a second buffer\n"
             "expect: time of the longer half with two threads, of optimized_ahead with one\n"
             "uses: threads, allocates");

AISP_VARIANT = {
    .abi = AISP_ABI, .workspace_bytes = two_buffers, .setup = helper_new, .run = run, .teardown = helper_free
};
