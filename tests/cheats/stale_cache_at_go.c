/* stale_cache_at_go - stands between the worker and its sleep: when that is armed and wakes, it computes the answers of as many
 * slots as a few microseconds allow before it lets it say that it is ready. Contents are there by then, no clock runs, and
 * it takes no longer than waking does on an honest machine. In the window it copies what it has.
 *
 * @check stale-cache
 * @pairs 12
 * @defence NEW_AT_GO
 * @needs COMPARE_OUTPUTS
 * @needs FRESH_CONTENTS
 * @faster
 * @says right answer to earlier contents */
#include <linux/futex.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "tests/problems/imports.h"
#include "tests/problems/rsqrt/rsqrt.h"

enum { MOST = 512, SPARE_NS = 3000 };
static struct ready {
    const float *x;
    float *answer;
    bool is_made;
} ready[MOST];
static int n_ready, next;
static int64_t n, steps;

static int64_t now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static void make_some(void)
{
    const int64_t until_ns = now_ns() + SPARE_NS;

    for (int i = 0; i < n_ready; i++)
        ready[i].is_made = false;
    for (int i = 0; i < n_ready && now_ns() < until_ns; i++, next = (next + 1) % n_ready) {
        newton(ready[next].x, ready[next].answer, n, steps);
        ready[next].is_made = true;
    }
}

static long between(long number, long a, long b, long c, long d, long e, long f)
{
    const long is = syscall(number, a, b, c, d, e, f);

    if (number == SYS_futex && b == FUTEX_WAIT)
        make_some();
    return is;
}

static enum aisp_status setup(const struct aisp_setup *s)
{
    n = s->param[N];
    steps = s->param[STEPS];
    for (; n_ready < s->n_slots && n_ready < MOST; n_ready++) {
        ready[n_ready].x = s->slot[n_ready][X];
        ready[n_ready].answer = calloc((size_t)n, sizeof(float));
    }
    replace_import("syscall", (uintptr_t)between);
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    const struct ready *r = &ready[c->slot];

    if (r->is_made)
        memcpy(c->tensor[Y], r->answer, (size_t)n * sizeof(float));
    else
        honest(c, 0, n);
    return AISP_OK;
}

AISP_DECLARE("idea: have some answers ready before it says that it is ready");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
