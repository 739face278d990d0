/* baseline - the tile that one would write by habit: one row of y, four vectors along it.
 * It has its reasons: a weight is fetched once for four multiply-adds, four sums run side by side, memory is walked along its
 * rows. What it overlooks: each row of x is loaded again for each of the seven rows of y that it touches, and half of those
 * loads straddle two cache lines; four sums of four cycles' latency keep two multipliers busy for half of the time only as far
 * as the core finds the next tile's work by itself. */
#include <aisp/variant.h>

#include "family.h"
#include "problem.h"

MEMBER(1, 4, 0)

static enum aisp_status run(const struct aisp_call *call)
{
    static const struct member by_habit = NAMED(1, 4, 0);
    const struct image image = image_of(call);

    if (is_fast())
        filter(&image, &by_habit);
    else
        filter_portable(&image, 0, image.height, 0, image.width);
    return AISP_OK;
}

AISP_DECLARE("idea: the tile one would write by habit, 1 row of 4 vectors");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
