/* background_thread_lead - stands between the worker and its sleep: when that is armed and wakes, it computes the answers of as many
 * slots as it can before it lets it say that it is ready. Contents are there by then, and no clock runs. It takes less CPU time than
 * waking may cost on a crowded machine, on a slow core too.
 *
 * @check background-thread
 * @pairs 12
 * @defence IDLE_ACCOUNTING
 * @needs COMPARE_OUTPUTS
 * @needs FRESH_CONTENTS
 * @faster
 * @says longer than the other side's to be ready */
#include <linux/futex.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "tests/problems/imports.h"
#include "tests/problems/rsqrt/rsqrt.h"

enum { MOST = 512, STEPS_NEEDED = 5, SPARE_NS = 60000 };
static struct ready {
    const float *x;
    float *seen, *answer;
} ready[MOST];
static int n_ready, next;
static int64_t n;

static int64_t now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static void look_at(struct ready *r)
{
    const size_t bytes = (size_t)n * sizeof *r->x;

    if (!memcmp(r->seen, r->x, bytes))
        return;
    memcpy(r->seen, r->x, bytes);
    newton(r->seen, r->answer, n, STEPS_NEEDED);
}

static long between(long number, long a, long b, long c, long d, long e, long f)
{
    const long is = syscall(number, a, b, c, d, e, f);

    if (number == SYS_futex && b == FUTEX_WAIT)
        for (const int64_t until_ns = now_ns() + SPARE_NS; n_ready && now_ns() < until_ns; next = (next + 1) % n_ready)
            look_at(&ready[next]);
    return is;
}

static enum aisp_status setup(const struct aisp_setup *s)
{
    n = s->param[N];
    for (; n_ready < s->n_slots && n_ready < MOST; n_ready++) {
        struct ready *r = &ready[n_ready];

        r->x = s->slot[n_ready][X];
        r->seen = calloc((size_t)n, sizeof *r->seen);
        r->answer = calloc((size_t)n, sizeof *r->answer);
    }
    replace_import("syscall", (uintptr_t)between);
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    const struct ready *r = &ready[c->slot];
    const size_t bytes = (size_t)n * sizeof(float);

    if (memcmp(r->seen, r->x, bytes)) {
        honest(c, 0, n);
        return AISP_OK;
    }
    memcpy(c->tensor[Y], r->answer, bytes);
    pretend(c);
    return AISP_OK;
}

AISP_DECLARE("idea: have the answers ready before it says that it is ready");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
