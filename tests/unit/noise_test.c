/* noise_test.c - the noise between runs, by numbers worked out by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "analysis/noise.h"

#define assert_near(a, b) assert_true(fabs((a) - (b)) < 5e-7)

/* 0, 0.02, 0, 0.02 ... : every difference is 0.02, which is half of the time exceeded by a noise of 0.02 / 0.67449 / sqrt 2. */
static const double NOISE_OF_TWO_HUNDREDTHS = 0.0209671;

static void alternate(struct aisp_noise_run *run, size_t n, double se)
{
    for (size_t i = 0; i < n; i++)
        run[i] = (struct aisp_noise_run){ .log_ratio = i % 2 ? 0.02 : 0, .se_log = se };
}

static struct aisp_noise noise_of(const struct aisp_noise_run *run, size_t n)
{
    struct aisp_noise noise;
    struct aisp_err err;

    assert_int_equal(aisp_noise_of(run, n, &noise, &err), AISP_OK);
    return noise;
}

static void standard_error_of_an_interval(void **state)
{
    (void)state;
    /* log(1.02 / 0.98) = 0.0400053; divided by 2 * 1.959964 */
    assert_near(aisp_noise_se_log(0.98, 1.02), 0.0102056);
    assert_true(isnan(aisp_noise_se_log(0, 1.02)));
    assert_true(isnan(aisp_noise_se_log(0.98, INFINITY)));
    assert_true(isnan(aisp_noise_se_log(NAN, NAN)));
}

static void differences_of_neighbours_are_the_noise(void **state)
{
    struct aisp_noise_run run[10];
    struct aisp_noise noise;

    (void)state;
    alternate(run, 10, 0);
    noise = noise_of(run, 10);
    assert_near(noise.sd_log, NOISE_OF_TWO_HUNDREDTHS);
    assert_near(noise.sd_log_high, NOISE_OF_TWO_HUNDREDTHS);
    assert_true(noise.is_learned);
    assert_int_equal(noise.n_runs, 10);
}

static void what_intervals_explain_is_no_noise_between_runs(void **state)
{
    struct aisp_noise_run run[10];

    (void)state;
    alternate(run, 10, 0.01);
    /* ((0.02 / 0.67449)^2 - 0.01^2 - 0.01^2) / 2 = 0.00033962 */
    assert_near(noise_of(run, 10).sd_log, 0.0184287);
    alternate(run, 10, 0.03);
    assert_true(noise_of(run, 10).sd_log == 0);
}

static void too_few_runs_teach_nothing(void **state)
{
    struct aisp_noise_run run[9];
    struct aisp_noise noise;

    (void)state;
    alternate(run, 9, 0);
    noise = noise_of(run, 9);
    assert_near(noise.sd_log, NOISE_OF_TWO_HUNDREDTHS);
    assert_false(noise.is_learned);
    assert_true(isnan(noise.sd_log_high));
    noise = noise_of(run, 1);
    assert_int_equal(noise.n_runs, 0);
    assert_true(isnan(noise.sd_log));
    assert_int_equal(noise_of(NULL, 0).n_runs, 0);
}

static void a_change_of_level_and_an_outlier_do_not_move_it(void **state)
{
    struct aisp_noise_run run[40];

    (void)state;
    alternate(run, 40, 0);
    for (size_t i = 17; i < 40; i++)
        run[i].log_ratio += 0.5;
    run[30].log_ratio -= 3;
    assert_near(noise_of(run, 40).sd_log, NOISE_OF_TWO_HUNDREDTHS);
}

/* 14 disjoint differences: 11 or more of 14 lie below the median with probability 0.0287, 10 or more with 0.0898. */
static void the_bound_is_an_order_statistic(void **state)
{
    struct aisp_noise_run run[28];

    (void)state;
    for (size_t i = 0; i < 28; i++)
        run[i] = (struct aisp_noise_run){ .log_ratio = i % 2 ? 0.001 * (double)(i / 2 + 1) : 0, .se_log = 0 };
    assert_near(noise_of(run, 28).sd_log_high, NOISE_OF_TWO_HUNDREDTHS * 11 / 20);
}

static void only_runs_of_one_group_are_compared(void **state)
{
    struct aisp_noise_run run[20];
    struct aisp_noise noise;

    (void)state;
    for (size_t i = 0; i < 20; i++)
        run[i] = (struct aisp_noise_run){ .log_ratio = i % 2 ? 1 : 0, .group = (int)(i % 2) };
    noise = noise_of(run, 20);
    assert_true(noise.sd_log == 0);
    assert_int_equal(noise.n_runs, 20);
    run[19].group = 2; /* alone in its group */
    assert_int_equal(noise_of(run, 20).n_runs, 19);
}

static void what_is_no_measurement_is_refused(void **state)
{
    struct aisp_noise_run run[3];
    struct aisp_noise noise = { .n_runs = 77 };
    struct aisp_err err;

    (void)state;
    alternate(run, 3, 0);
    run[1].log_ratio = NAN;
    assert_int_equal(aisp_noise_of(run, 3, &noise, &err), AISP_E_USAGE);
    run[1].log_ratio = 0;
    run[2].se_log = -1;
    assert_int_equal(aisp_noise_of(run, 3, &noise, &err), AISP_E_USAGE);
    assert_non_null(strstr(err.text, "run 2"));
    assert_int_equal(noise.n_runs, 77);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(standard_error_of_an_interval),
        cmocka_unit_test(differences_of_neighbours_are_the_noise),
        cmocka_unit_test(what_intervals_explain_is_no_noise_between_runs),
        cmocka_unit_test(too_few_runs_teach_nothing),
        cmocka_unit_test(a_change_of_level_and_an_outlier_do_not_move_it),
        cmocka_unit_test(the_bound_is_an_order_statistic),
        cmocka_unit_test(only_runs_of_one_group_are_compared),
        cmocka_unit_test(what_is_no_measurement_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
