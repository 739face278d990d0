/* clock_drift - computes as the baseline does, and makes the worker's clock run at half speed by
 * replacing clock_gettime in the import table of the program that loaded it.
 *
 * @pairs 4
 * @defence CLOCKS_AGREE
 * @ratio 0.7 1.4
 * @says clocks disagree
 * @says The printed time is the supervisor's */
#include <time.h>

#include "tests/problems/imports.h"
#include "tests/problems/rsqrt/rsqrt.h"

static int64_t begin_ns;

static int64_t to_ns(const struct timespec *t)
{
    return (int64_t)t->tv_sec * 1000000000 + t->tv_nsec;
}

static int half_speed(clockid_t clock, struct timespec *t)
{
    const int failed = clock_gettime(clock, t);
    int64_t now_ns;

    if (failed || clock != CLOCK_MONOTONIC_RAW)
        return failed;
    now_ns = begin_ns + (to_ns(t) - begin_ns) / 2;
    t->tv_sec = now_ns / 1000000000;
    t->tv_nsec = now_ns % 1000000000;
    return 0;
}

static enum aisp_status setup(const struct aisp_setup *s)
{
    struct timespec t;

    (void)s;
    clock_gettime(CLOCK_MONOTONIC_RAW, &t);
    begin_ns = to_ns(&t);
    replace_import("clock_gettime", (uintptr_t)half_speed);
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: a slower clock makes faster code");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
