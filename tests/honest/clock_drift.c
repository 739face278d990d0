/* clock_drift - reads the clock as well, and does nothing with it.
 *
 * @pairs 4
 * @ratio 0.7 1.4 */
#include <time.h>

#include "tests/problems/rsqrt/rsqrt.h"

static int64_t longest_ns;

static int64_t now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC_RAW, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static enum aisp_status run(const struct aisp_call *c)
{
    const int64_t begin_ns = now_ns();
    int64_t took_ns;

    honest(c, 0, c->param[N]);
    took_ns = now_ns() - begin_ns;
    longest_ns = took_ns > longest_ns ? took_ns : longest_ns;
    return AISP_OK;
}

AISP_DECLARE("idea: know how long a call takes");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
