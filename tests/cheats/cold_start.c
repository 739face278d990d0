/* cold_start - the reference takes three times as long while its process is young, and that is
 * longer than any warm-up lasts.
 *
 * @side A
 * @pairs 8
 * @says was not warm when it was timed */
#include <time.h>

#include "tests/problems/rsqrt/rsqrt.h"

enum { COLD_WINDOWS = 12, BETWEEN_WINDOWS_NS = 50000 };

static int64_t now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

/* Calls of a window follow each other at once; before the next window there are words to be exchanged. */
static int n_windows(int64_t last_ns)
{
    static int n;

    n += now_ns() - last_ns > BETWEEN_WINDOWS_NS;
    return n;
}

static enum aisp_status run(const struct aisp_call *c)
{
    static int64_t last_ns;
    const int n = n_windows(last_ns) <= COLD_WINDOWS ? 3 : 1;

    for (int i = 0; i < n; i++)
        honest(c, 0, c->param[N]);
    last_ns = now_ns();
    return AISP_OK;
}

AISP_DECLARE("idea: get up slowly");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
