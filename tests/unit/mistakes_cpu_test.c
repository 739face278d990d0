/* mistakes_cpu_test.c - mistakes that only real windows can show: work of the harness inside of a window, and a wait in every
 * call. Real workers on the CPU; the least of many windows is looked at, for what other processes take only adds. */
#include <stdlib.h>

#include "core/base/clock.h"
#include "tests/fixtures/session.h"

enum { BIG = 2 << 20, SMALL = 64, TRIES = 40 }; /* elements: 8 MiB and 256 bytes a tensor */

static int64_t least_window_ns(struct session_rig *r, int64_t calls)
{
    int64_t least = INT64_MAX;

    for (uint32_t i = 0; i < TRIES; i++) {
        struct aisp_window w;

        if (r->inst.param[0] == SMALL)
            session_fill(r, i);
        assert_int_equal(session_window(r, AISP_A, calls, &w), AISP_OK);
        least = w.window_ns < least ? w.window_ns : least;
    }
    return least;
}

static int64_t least_copy_ns(size_t bytes)
{
    char *from = aisp_xcalloc(1, bytes), *to = aisp_xmalloc(bytes);
    int64_t least = INT64_MAX;

    memset(from, 1, bytes);
    memset(to, 2, bytes);
    for (int i = 0; i < TRIES; i++) {
        const int64_t start = aisp_now_ns();
        int64_t ns;

        memcpy(to, from, bytes);
        __asm__ volatile("" : : "r"(to) : "memory");
        ns = aisp_now_ns() - start;
        least = ns < least ? ns : least;
    }
    free(from);
    free(to);
    return least;
}

/* An empty call on outputs of 8 MiB: a clone, a poison, a hash or a flush inside of its window would show. */
static void no_clone_and_no_flush_happens_inside_a_window(void **state)
{
    const int64_t copy_ns = least_copy_ns((size_t)BIG * 4);
    struct session_rig r;

    (void)state;
    session_prepare(&r, "nothing", NULL, BIG);
    r.spec.memory_limit_bytes = (int64_t)1 << 30;
    r.spec.n_slots = 2;
    if (session_open(&r))
        fail_msg("%s", r.err.text);
    assert_true(least_window_ns(&r, 2) < copy_ns / 8);
    session_close(&r);
}

/* An empty call costs what calling a function costs: no wait, no system call in between. */
static void no_wait_and_no_system_call_lies_between_calls(void **state)
{
    enum { MANY = 20000 };
    struct session_rig r;
    double call_ns;

    (void)state;
    session_prepare(&r, "nothing", NULL, SMALL);
    assert_int_equal(session_open(&r), AISP_OK);
    call_ns = (double)(least_window_ns(&r, MANY) - least_window_ns(&r, 1)) / (MANY - 1);
    session_close(&r);
    assert_true(call_ns < 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_clone_and_no_flush_happens_inside_a_window),
        cmocka_unit_test(no_wait_and_no_system_call_lies_between_calls),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
