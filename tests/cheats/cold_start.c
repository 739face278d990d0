/* cold_start - the reference takes three times as long while its process is young, and that is
 * longer than any warm-up lasts.
 *
 * @side A
 * @pairs 8
 * @says was not warm when it was timed */
#include <sys/resource.h>

#include "tests/problems/rsqrt/rsqrt.h"

enum { COLD_WINDOWS = 14 };

/* A worker sleeps once between two windows. */
static int is_cold(void)
{
    static long at_first = -1;
    struct rusage u;

    getrusage(RUSAGE_THREAD, &u);
    at_first = at_first < 0 ? u.ru_nvcsw : at_first;
    return u.ru_nvcsw - at_first < COLD_WINDOWS;
}

static enum aisp_status run(const struct aisp_call *c)
{
    const int n = is_cold() ? 3 : 1;

    for (int i = 0; i < n; i++)
        honest(c, 0, c->param[N]);
    return AISP_OK;
}

AISP_DECLARE("idea: get up slowly");

AISP_VARIANT = { .abi = AISP_ABI, .run = run };
