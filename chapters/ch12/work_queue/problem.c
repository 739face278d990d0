/* work_queue - items of very uneven cost: item i is a number that goes rounds[i] times through x = (x ^ x >> 15) * a + c,
 * as keys are stretched and simulations are stepped. Rounds have a heavy tail (the chance of r rounds falls as 1/r): the
 * mean is 75, the longest 511, and one item in ten has half of the work.
 * Why it is interesting: a round waits for the one before it, so that speed is how many items are in flight, and that is a
 * matter of who gives work to whom. 32 lanes of a core are 32 workers here, as the lanes of a warp are: in groups that wait
 * for their longest member most of them idle; with a queue from which a free lane takes the next item hardly any. */
#include <aisp/problem.h>

#include "problem.h"

static void reference(const struct aisp_view *in, int out, int64_t first, int64_t n, void *to)
{
    const int32_t *seed = in->tensor[SEED], *rounds = in->tensor[ROUNDS];
    int64_t *hash = to;

    (void)out;
    for (int64_t i = first; i < first + n; i++) {
        uint64_t x = (uint64_t)seed[i] % ((uint64_t)1 << 32);

        for (int64_t r = rounds[i]; r > 0; r--)
            x = ((x ^ x >> 15) * ROUND_MULTIPLIER + ROUND_INCREMENT) & 0xffffffff;
        *hash++ = x < (uint64_t)1 << 31 ? (int64_t)x : (int64_t)x - ((int64_t)1 << 32);
    }
}

static const struct aisp_param params[] = {
    { "items", 16384, 137, 0, 15500, 17500, 1 },
    { 0 },
};

static const struct aisp_tensor tensors[] = {
    { "seed", AISP_IN, AISP_I32, "items", { AISP_INTEGERS, -2147483648.0, 2147483647.0 } },
    { "rounds", AISP_IN, AISP_I32, "items", { AISP_ZIPF, 1, ROUNDS_LIMIT } },
    { "hash", AISP_OUT, AISP_I32, "items", { AISP_NO_FILL, 0, 0 } },
    { 0 },
};

AISP_PROBLEM = {
    .abi = AISP_ABI,
    .title = "Items of very uneven cost",
    .teaches = "dynamic work: static groups against a queue; idle workers and the tail",
    .goal = AISP_SPEED,
    .param = params,
    .tensor = tensors,
    .bytes = "12*items",
    .flops = "0",
    .tolerance = { .ulps = 0, .why = "whole numbers" },
    .reference = reference,
};
