/* optimized_microbatches - a quarter of the batch at a time (GPipe's schedule).
 * Expected: the second rank begins when a quarter is done, so the pipeline takes 4 + 1 quarters instead of 8: the bubble is
 * (stages - 1) / (micro-batches + stages - 1) = 1/5, and the ratio 2 / (5/4) = 1.6.
 * Costs: a hand-over for each micro-batch; weights are read once for each, which matters where they do not stay in the cache. */
#include "stage.h"

enum { MICRO_BATCHES = 4 };

static enum aisp_status run(const struct aisp_call *call)
{
    return pipeline(call, (call->param[BATCH] + MICRO_BATCHES - 1) / MICRO_BATCHES);
}

AISP_DECLARE("idea: a quarter of the batch at a time\n"
             "expect: time / 1.6");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
