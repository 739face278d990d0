/* outlier_injection - the reference sleeps now and then, so that an average would suffer.
 *
 * @side A
 * @pairs 8
 * @publish
 * @root bare-metal
 * @says slow outliers on one side only */
#include <time.h>

#include "tests/problems/rsqrt/rsqrt.h"

/* Of its own, so that a busy machine does not bring the naps nearer. */
static int64_t now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static enum aisp_status run(const struct aisp_call *c)
{
    const struct timespec nap = { 0, 4000000 };
    static int64_t slept_ns;
    static int n_calls;

    honest(c, 0, c->param[N]);
    if (++n_calls % 64 || now_ns() - slept_ns < 13000000)
        return AISP_OK;
    nanosleep(&nap, NULL);
    slept_ns = now_ns();
    return AISP_OK;
}

AISP_DECLARE("idea: be slow now and then");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
