/* stale_cache_at_go - looks at its inputs before it says that it is ready, as who wants them near would, and keeps a copy of each.
 * Its calls compare them with what is there, and compute from that.
 *
 * @check stale-cache
 * @pairs 12 */
#include <linux/futex.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/problems/imports.h"
#include "tests/problems/rsqrt/rsqrt.h"

enum { MOST = 512 };
static struct seen {
    const float *x;
    float *copy;
} seen[MOST];
static int n_seen, next;
static int64_t n;
static volatile int n_changed;

static long between(long number, long a, long b, long c, long d, long e, long f)
{
    const long is = syscall(number, a, b, c, d, e, f);

    if (number == SYS_futex && b == FUTEX_WAIT && n_seen) {
        next = (next + 1) % n_seen;
        memcpy(seen[next].copy, seen[next].x, (size_t)n * sizeof(float));
    }
    return is;
}

static enum aisp_status setup(const struct aisp_setup *s)
{
    n = s->param[N];
    for (; n_seen < s->n_slots && n_seen < MOST; n_seen++) {
        seen[n_seen].x = s->slot[n_seen][X];
        seen[n_seen].copy = calloc((size_t)n, sizeof(float));
    }
    replace_import("syscall", (uintptr_t)between);
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_call *c)
{
    n_changed += memcmp(seen[c->slot].copy, seen[c->slot].x, (size_t)n * sizeof(float)) != 0;
    honest(c, 0, n);
    return AISP_OK;
}

AISP_DECLARE("idea: a copy of its inputs, from before go");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
