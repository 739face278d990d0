/* scaling_test.c - laws, crossings and efficiencies against cases worked by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/scaling.h"

static void exact_law_is_found(void **state)
{
    const double x[] = { 1, 2, 4, 8, 16 }, y[] = { 3, 12, 48, 192, 768 };
    struct aisp_power_law law;

    (void)state;
    assert_true(aisp_power_law_fit(x, y, 5, &law));
    assert_float_equal(law.exponent, 2, 1e-12);
    assert_float_equal(law.factor, 3, 1e-9);
    assert_float_equal(law.lo, 2, 1e-12);
    assert_float_equal(law.hi, 2, 1e-12);
    assert_float_equal(law.residual_max, 0, 1e-9);
}

/* The same with one size twice as slow: slopes 2 but for those of that size. */
static void one_size_that_is_off_does_not_bend_it(void **state)
{
    const double x[] = { 1, 2, 4, 8, 16, 32, 64 }, y[] = { 1, 4, 32, 64, 256, 1024, 4096 };
    struct aisp_power_law law;

    (void)state;
    assert_true(aisp_power_law_fit(x, y, 7, &law));
    assert_float_equal(law.exponent, 2, 1e-12);
    assert_float_equal(law.residual_max, 1, 1e-9); /* 100 % */
    assert_float_equal(law.residual_median, 0, 1e-9);
    assert_true(law.lo <= 2 && law.hi >= 2);
}

static void few_sizes_have_no_interval(void **state)
{
    const double x[] = { 1, 2, 4, 8 }, y[] = { 1, 2, 4, 8 }, bad[] = { 1, 0, 4, 8 }, nan[] = { 1, NAN, 4, 8 };
    struct aisp_power_law law = { .n = 99 };

    (void)state;
    assert_false(aisp_power_law_fit(x, y, 0, &law));
    assert_false(aisp_power_law_fit(x, y, 1, &law));
    assert_false(aisp_power_law_fit(x, y, 2, &law));
    assert_false(aisp_power_law_fit(x, bad, 4, &law));
    assert_false(aisp_power_law_fit(x, nan, 4, &law));
    assert_int_equal(law.n, 99);
    assert_true(aisp_power_law_fit(x, y, 4, &law));
    assert_float_equal(law.exponent, 1, 1e-12);
    assert_true(isnan(law.lo) && isnan(law.hi));
}

/* n = 5: P(0) = 1/120, P(<= 1) = 5/120. n = 6: 1, 5, 14 of 720, then 29. */
static void kendall_levels_are_exact(void **state)
{
    (void)state;
    assert_int_equal(aisp_kendall_q(0, 0.05), -1);
    assert_int_equal(aisp_kendall_q(1, 0.05), -1);
    assert_int_equal(aisp_kendall_q(4, 0.05), -1);
    assert_int_equal(aisp_kendall_q(5, 0.05), 0);
    assert_int_equal(aisp_kendall_q(5, 0.1), 1);
    assert_int_equal(aisp_kendall_q(6, 0.05), 1);
    assert_int_equal(aisp_kendall_q(6, 40.0 / 720), 2);
    assert_in_range(aisp_kendall_q(41, 0.05) - aisp_kendall_q(40, 0.05), 10, 25); /* where the normal one takes over */
}

static void crossing_lies_between_two_sure_sizes(void **state)
{
    const double x[] = { 10, 100, 1000, 10000 };
    const struct aisp_measured ratio[] = { { 0.5, 0.4, 0.6 }, { 0.8, 0.7, 1.1 }, { 1.25, 0.9, 1.3 }, { 2, 1.9, 2.1 } };
    struct aisp_crossover out[3];

    (void)state;
    assert_int_equal(aisp_crossovers(x, ratio, 4, out), 1);
    assert_float_equal(out[0].lo, 10, 0);
    assert_float_equal(out[0].hi, 10000, 0);
    assert_true(out[0].better_above);
    assert_float_equal(out[0].at, sqrt(1e5), 1e-6); /* 0.8 and 1/0.8: the middle of 100 and 1000 */
    assert_int_equal(aisp_crossovers(x, ratio, 3, out), 0); /* never surely better: no crossing was seen */
    assert_int_equal(aisp_crossovers(x, ratio, 0, out), 0);
}

static void crossing_twice_is_two_and_wavering_has_no_place(void **state)
{
    const double x[] = { 1, 2, 4, 8, 16 };
    const struct aisp_measured twice[] = { { 2, 1.9, 2.1 }, { 0.5, 0.4, 0.6 }, { 2, 1.9, 2.1 } },
                               wavering[] = { { 2, 1.9, 2.1 }, { 0.9, 0.8, 1.1 }, { 1.1, 0.9, 1.2 }, { 0.5, 0.4, 0.6 } };
    struct aisp_crossover out[4];

    (void)state;
    assert_int_equal(aisp_crossovers(x, twice, 3, out), 2);
    assert_false(out[0].better_above);
    assert_true(out[1].better_above);
    assert_int_equal(aisp_crossovers(x, wavering, 4, out), 1);
    assert_true(isnan(out[0].at));
}

/* Amdahl with a tenth that does not scale: S(2) = 1/(0.1 + 0.45), S(4) = 1/(0.1 + 0.225). */
static void strong_scaling_finds_the_serial_share(void **state)
{
    struct aisp_scaling_point p[] = { { .processes = 1, .time = 100, .work = 7 },
                                      { .processes = 2, .time = 55, .work = 7 },
                                      { .processes = 4, .time = 32.5, .work = 7 } };

    (void)state;
    assert_int_equal(aisp_scaling_over_processes(p, 3), AISP_SCALING_STRONG);
    assert_float_equal(p[0].efficiency, 1, 1e-12);
    assert_true(isnan(p[0].serial));
    assert_float_equal(p[1].speedup, 100.0 / 55, 1e-12);
    assert_float_equal(p[1].serial, 0.1, 1e-12);
    assert_float_equal(p[2].serial, 0.1, 1e-12);
    assert_float_equal(p[2].efficiency, 100 / 32.5 / 4, 1e-12);
}

static void weak_scaling_compares_the_rate_of_work(void **state)
{
    struct aisp_scaling_point p[] = { { .processes = 1, .time = 100, .work = 7 }, { .processes = 2, .time = 125, .work = 14 } },
                              other[] = { { .processes = 1, .time = 100, .work = 7 },
                                          { .processes = 2, .time = 125, .work = 20 } };

    (void)state;
    assert_int_equal(aisp_scaling_over_processes(p, 2), AISP_SCALING_WEAK);
    assert_float_equal(p[1].efficiency, 0.8, 1e-12);
    assert_true(isnan(p[1].serial));
    assert_int_equal(aisp_scaling_over_processes(other, 2), AISP_SCALING_OTHER);
    assert_int_equal(aisp_scaling_over_processes(p, 1), AISP_SCALING_OTHER);
    assert_int_equal(aisp_scaling_over_processes(p, 0), AISP_SCALING_OTHER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_law_is_found),
        cmocka_unit_test(one_size_that_is_off_does_not_bend_it),
        cmocka_unit_test(few_sizes_have_no_interval),
        cmocka_unit_test(kendall_levels_are_exact),
        cmocka_unit_test(crossing_lies_between_two_sure_sizes),
        cmocka_unit_test(crossing_twice_is_two_and_wavering_has_no_place),
        cmocka_unit_test(strong_scaling_finds_the_serial_share),
        cmocka_unit_test(weak_scaling_compares_the_rate_of_work),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
