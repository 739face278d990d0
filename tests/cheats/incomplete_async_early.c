/* incomplete_async_early - writes the worker's "done" itself in the middle of the last call, and works on: everything is right by
 * the time the worker sleeps. It takes less time than going to sleep may on a crowded machine.
 *
 * @check incomplete-async
 * @problem slow
 * @pairs 2
 * @defence LATE_LOOK
 * @says the output changed after done */
#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "core/channel.h"
#include "tests/problems/imports.h"
#include "tests/problems/rsqrt/rsqrt.h"

static struct aisp_up *up;
static const struct aisp_down *down;
static uint32_t seq;
static int64_t n_left;

/* The worker sleeps on the word of its commands, and wakes those who wait for its answer. */
static long between(long number, long word, long b, long c, long d, long e, long f)
{
    if (number == SYS_futex && b == FUTEX_WAIT && !down)
        down = (const struct aisp_down *)word;
    if (number == SYS_futex && b == FUTEX_WAKE && !up)
        up = (struct aisp_up *)(word - (long)offsetof(struct aisp_up, done_seq));
    return syscall(number, word, b, c, d, e, f);
}

static enum aisp_status setup(const struct aisp_setup *s)
{
    (void)s;
    replace_import("syscall", (uintptr_t)between);
    return AISP_OK;
}

static void say_done(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC_RAW, &t);
    up->end_ns = (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
    __atomic_store_n(&up->done_seq, seq, __ATOMIC_RELEASE);
}

static enum aisp_status run(const struct aisp_call *c)
{
    const int64_t n = c->param[N];

    if (up && down && seq != down->go_seq) {
        seq = down->go_seq;
        n_left = down->calls;
    }
    honest(c, 0, n / 2);
    if (up && down && --n_left == 0)
        say_done();
    honest(c, n / 2, n);
    return AISP_OK;
}

AISP_DECLARE("idea: done before it is");

AISP_VARIANT = { .abi = AISP_ABI, .setup = setup, .run = run };
