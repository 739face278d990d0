/* optimized_queue - one counter for all: a lane that is free takes the next item, whichever that is.
 * Expected: nobody idles before the queue is empty, and then for one item at most: 2 % of the time instead of 14 %. 1.1 to
 * 1.2x of slices, and the less the items are alike, or the fewer they are, the more.
 * Costs: a counter that all share. Here it is a variable of one thread; between threads it would be an atomic addition, for
 * a whole run of items at a time so that its line is not what all wait for. */
#include "lanes.h"

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t items = call->param[ITEMS];
    const int32_t *seed = call->tensor[SEED], *rounds = call->tensor[ROUNDS];
    const int fast = __builtin_cpu_supports("avx2");
    uint32_t is_free = UINT32_MAX;
    int64_t next = 0, n_done = 0;
    struct lanes l;

    lanes_init(&l);
    while (n_done < items) {
        for (uint32_t todo = is_free; todo; todo &= todo - 1) {
            const int i = __builtin_ctz(todo);

            n_done += l.item[i] != NO_ITEM;
            lane_put(&l, i, call->tensor[HASH]);
            if (next < items)
                lane_take(&l, i, next++, seed, rounds);
        }
        is_free = lanes_go(&l, fast);
    }
    return AISP_OK;
}

AISP_DECLARE("idea: a free lane takes the next item of a common queue\n"
             "expect: instructions / 1.1 of optimized_slices");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
