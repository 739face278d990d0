/* optimized_lockstep - 32 items side by side in the lanes of four vectors; the next 32 follow when all of them have ended.
 * Expected: a round of one item takes the 6 cycles or so that its xor, product and sum need one after another; here 32
 * items share them and the work of four vectors fills the waiting: some 12 cycles for 32 rounds of which each may be idle.
 * A group lasts as long as its longest item, 430 rounds where the mean is 75: of 16x at best a sixth is left, 2.5 to 3.5x.
 * Costs: AVX2; four of five lanes idle. */
#include "lanes.h"

static enum aisp_status run(const struct aisp_call *call)
{
    const int64_t items = call->param[ITEMS];
    const int32_t *seed = call->tensor[SEED], *rounds = call->tensor[ROUNDS];
    const int fast = __builtin_cpu_supports("avx2");

    for (int64_t first = 0; first < items; first += LANES) {
        struct lanes l;

        lanes_init(&l);
        for (int i = 0; i < LANES && first + i < items; i++)
            lane_take(&l, i, first + i, seed, rounds);
        while (lanes_go(&l, fast) != UINT32_MAX)
            ;
        for (int i = 0; i < LANES; i++)
            lane_put(&l, i, call->tensor[HASH]);
    }
    return AISP_OK;
}

AISP_DECLARE("idea: 32 items side by side, in groups that wait for their longest\n"
             "expect: instructions / 2");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
