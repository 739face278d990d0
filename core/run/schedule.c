/* schedule.c - when requests come. The mean rate is the same whatever the process. */
#include <math.h>

#include "core/run/serve.h"

/* Mean size of a burst; the power of the long tail, and the longest gap in mean ones. */
static const double BURST = 8, TAIL = 1.5, LONGEST = 100;

/* 0 < u <= 1 */
static double uniform(struct aisp_dice *dice)
{
    return ((double)aisp_dice_u32(dice) + 1) * 0x1p-32;
}

/* The gap before the next request, in mean ones. */
static double gap(enum aisp_process process, struct aisp_dice *dice)
{
    switch (process) {
    case AISP_POISSON:
        return -log(uniform(dice));
    case AISP_BURSTY: /* each request begins a new burst by a chance of one in BURST */
        return uniform(dice) * BURST > 1 ? 0 : -log(uniform(dice)) * BURST;
    case AISP_LONG_TAIL:
        return fmin(LONGEST, (TAIL - 1) / TAIL * pow(uniform(dice), -1 / TAIL));
    }
    AISP_BUG("process %d", (int)process);
}

void aisp_serve_schedule(enum aisp_process process, int64_t per_second, struct aisp_dice *dice,
                         int64_t *due_ns, int64_t n)
{
    double at_ns = 0;

    for (int64_t i = 0; i < n; i++) {
        at_ns += gap(process, dice) * 1e9 / (double)per_second;
        due_ns[i] = (int64_t)at_ns;
    }
}
