/* optimized_branchless - every element is written where the next kept one belongs, and only if it is kept the place moves on.
 * Expected: the baseline guesses a quarter of its branches wrong, at 15 to 20 cycles each: 4 to 5 cycles an element are gone.
 * What is left is a load, a store and an addition for each, between 1 and 1.5 cycles: 3x to 5x.
 * Costs: a store for every element, also for those that are dropped; on rows that keep nothing or everything, which
 * predictors like, nothing is gained. */
#include "keep.h"

static enum aisp_status run(const struct aisp_call *call)
{
    return keep_all(call, keep_branchless);
}

AISP_DECLARE("idea: always store, and move on by the outcome of the comparison\n"
             "expect: branch misses / 50");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
