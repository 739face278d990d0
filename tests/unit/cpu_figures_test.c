/* cpu_figures_test.c - how well the CPU device measures here: printed, and held to bounds that
 * even a busy machine keeps in its better half. The bounds are loose on purpose: `aisp
 * calibrate` takes the real figures. */
#include <stdlib.h>

#include "core/base/clock.h"
#include "tests/fixtures/session.h"

enum { N_WINDOWS = 400 };

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double quantile(const double *sorted, double q)
{
    return sorted[(size_t)(q * (N_WINDOWS - 1))];
}

static double print(const char *what, double *v)
{
    qsort(v, N_WINDOWS, sizeof *v, by_value);
    print_message("%-34s p50 %9.3f us  p95 %9.3f us  p99 %9.3f us\n", what, quantile(v, 0.5) / 1e3,
                  quantile(v, 0.95) / 1e3, quantile(v, 0.99) / 1e3);
    return quantile(v, 0.5);
}

struct medians {
    double window_ns, slack_ns, gap_ns;
};

static struct medians take(const char *variant, int64_t n, int64_t calls, bool spin)
{
    static double window[N_WINDOWS], slack[N_WINDOWS], gap[N_WINDOWS];
    struct session_rig r;
    struct aisp_window w;
    struct medians m;

    session_prepare(&r, variant, NULL, n);
    r.spec.spin = spin;
    assert_int_equal(session_open(&r), AISP_OK);
    for (int i = 0; i < N_WINDOWS; i++) {
        assert_int_equal(session_window(&r, AISP_A, calls, &w), AISP_OK);
        window[i] = (double)w.window_ns;
        slack[i] = (double)(w.window_ns - w.inner_ns);
        gap[i] = (double)w.gap_ns;
    }
    session_close(&r);
    print_message("%s, %lld elements, %lld calls a window, supervisor %s\n", variant, (long long)n,
                  (long long)calls, spin ? "spins" : "sleeps");
    m.window_ns = print("  window", window);
    m.slack_ns = print("  slack (window - inner)", slack);
    m.gap_ns = print("  gap (arm to go)", gap);
    return m;
}

static void an_empty_window_is_short_and_its_slack_shorter(void **state)
{
    struct medians m;

    (void)state;
    m = take("nothing", 64, 1, true);
    assert_true(m.window_ns > 0 && m.window_ns < 20000);
    assert_true(m.slack_ns > 0 && m.slack_ns <= m.window_ns);
    m = take("nothing", 64, 1, false);
    assert_true(m.window_ns < 2000000);
}

static void the_loop_adds_little_to_a_call(void **state)
{
    struct medians few, many;

    (void)state;
    few = take("nothing", 64, 1000, true);
    many = take("nothing", 64, 101000, true);
    print_message("a call of an empty run() costs %.2f ns\n",
                  (many.window_ns - few.window_ns) / 100000);
    assert_true((many.window_ns - few.window_ns) / 100000 < 20);
}

static void a_pair_starts_quickly(void **state)
{
    static double open_ns[N_WINDOWS], load_ns[N_WINDOWS], close_ns[N_WINDOWS];
    struct session_rig r;
    struct aisp_account a;
    int64_t begin;

    (void)state;
    for (int i = 0; i < N_WINDOWS; i++) {
        if (i >= 40) { /* quantiles are over N_WINDOWS values: the 40 again and again */
            open_ns[i] = open_ns[i % 40];
            load_ns[i] = load_ns[i % 40];
            close_ns[i] = close_ns[i % 40];
            continue;
        }
        session_prepare(&r, "honest", "honest", 4000);
        begin = aisp_now_ns();
        assert_int_equal(session_open(&r), AISP_OK);
        open_ns[i] = (double)(aisp_now_ns() - begin);
        r.cpu->account(r.session, AISP_A, &a);
        load_ns[i] = (double)a.load_ns;
        begin = aisp_now_ns();
        session_close(&r);
        close_ns[i] = (double)(aisp_now_ns() - begin);
    }
    print("  one worker: start to loaded", load_ns);
    assert_true(print("  a pair: open", open_ns) < 200e6);
    print("  a pair: close", close_ns);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_window_is_short_and_its_slack_shorter),
        cmocka_unit_test(the_loop_adds_little_to_a_call),
        cmocka_unit_test(a_pair_starts_quickly),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
