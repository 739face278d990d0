/* optimized_doubling - a cache that is full becomes twice as large.
 * Expected: a token is copied less than once on the average instead of once a step, so that of two journeys over the cache
 * a step (copying and attending) one is left. The copy costs about what attention does, and more where large pieces go back
 * to the system and come again as untouched pages: 1.5 to 2.5x.
 * Costs: up to half of the memory is empty, and while it moves a cache exists one and a half times. */
#include "grow.h"

static int64_t twice(int64_t room, int64_t needed)
{
    const int64_t larger = room ? 2 * room : 16;

    return larger > needed ? larger : needed;
}

static enum aisp_status run(const struct aisp_call *call)
{
    return run_growing(call, twice);
}

AISP_DECLARE("idea: room doubles when it is full\n"
             "expect: bytes copied / 100\n"
             "uses: allocates");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
