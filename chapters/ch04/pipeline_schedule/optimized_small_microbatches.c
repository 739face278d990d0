/* optimized_small_microbatches - four rows at a time: sixteen micro-batches of the default batch.
 * Expected: the bubble is 1/17, the ratio 2 / (17/16) = 1.88. It would go on like this, but a hand-over costs a microsecond or two, a
 * sixteenth of the batch some 70: the best size lies where the bubble that is saved equals the hand-overs that are added.
 * Costs: a hand-over every four rows. */
#include "stage.h"

enum { ROWS = 4 };

static enum aisp_status run(const struct aisp_call *call)
{
    return pipeline(call, ROWS);
}

AISP_DECLARE("idea: four rows at a time\n"
             "expect: time / 1.88");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
