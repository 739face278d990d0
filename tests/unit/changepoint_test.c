/* changepoint_test.c - histories whose changes are known. How often changes are found and made up in real noise is measured by
 * `aisp-bench --only changepoints`. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "analysis/changepoint.h"

#define assert_near(a, b) assert_true(fabs((a) - (b)) < 1e-9)

/* Levels that differ by 0.001 from run to run, to one side and the other in an order without a pattern. */
static void wobble(struct aisp_history_point *run, size_t n)
{
    static const int sign[] = { 1, -1, -1, 1, -1, 1, 1, -1, 1, 1, -1, -1, 1, -1 };

    for (size_t i = 0; i < n; i++)
        run[i] = (struct aisp_history_point){ .log_ratio = 0.001 * sign[i % 14], .se_log = 0.0005 };
}

static void shift(struct aisp_history_point *run, size_t from, size_t to, double size)
{
    for (size_t i = from; i < to; i++)
        run[i].log_ratio += size;
}

static struct aisp_change_points find(const struct aisp_history_point *run, size_t n)
{
    const struct aisp_changepoint_rules rules = aisp_changepoint_rules_default();
    struct aisp_change_points points = { 0 };
    struct aisp_err err;

    assert_int_equal(aisp_change_points_find(run, n, &rules, &points, &err), AISP_OK);
    return points;
}

static void a_history_without_a_change_has_none(void **state)
{
    struct aisp_history_point run[80];
    struct aisp_change_points points;

    (void)state;
    wobble(run, 80);
    points = find(run, 80);
    assert_int_equal(points.n, 0);
    aisp_change_points_release(&points);
    for (size_t i = 0; i < 80; i++)
        run[i] = (struct aisp_history_point){ .log_ratio = 0.7, .se_log = 0 }; /* all alike to the last digit */
    points = find(run, 80);
    assert_int_equal(points.n, 0);
    aisp_change_points_release(&points);
}

static void a_change_is_found_where_it_is(void **state)
{
    struct aisp_history_point run[40];
    struct aisp_change_points points;

    (void)state;
    wobble(run, 40);
    shift(run, 25, 40, -0.03);
    points = find(run, 40);
    assert_int_equal(points.n, 1);
    assert_int_equal(points.point[0].at, 25);
    assert_true(points.point[0].first <= 25 && points.point[0].last >= 25);
    assert_near(points.point[0].size_log, -0.03);
    assert_near(points.point[0].p, 0.001);
    aisp_change_points_release(&points);
}

/* 5 against 5 runs: the differences are 0.1 + (j - i) / 1000. Moses' interval leaves out 2 of 25 at each end:
 * 25 / 2 - 1.96 sqrt(25 * 11 / 12) = 3.1, and the third of them is 0.097. */
static void its_size_has_moses_interval(void **state)
{
    static const int order[] = { 2, 0, 4, 1, 3 };
    struct aisp_history_point run[10];
    struct aisp_change_points points;

    (void)state;
    for (size_t i = 0; i < 10; i++)
        run[i] = (struct aisp_history_point){ .log_ratio = 0.001 * order[i % 5] + (i < 5 ? 0 : 0.1), .se_log = 0.001 };
    points = find(run, 10);
    assert_int_equal(points.n, 1);
    assert_int_equal(points.point[0].at, 5);
    assert_near(points.point[0].size_log, 0.1);
    assert_near(points.point[0].lo95_log, 0.097);
    assert_near(points.point[0].hi95_log, 0.103);
    aisp_change_points_release(&points);
}

static void a_level_that_comes_back_is_two_changes(void **state)
{
    struct aisp_history_point run[90];
    struct aisp_change_points points;

    (void)state;
    wobble(run, 90);
    shift(run, 30, 55, 0.02);
    points = find(run, 90);
    assert_int_equal(points.n, 2);
    assert_int_equal(points.point[0].at, 30);
    assert_int_equal(points.point[1].at, 55);
    assert_near(points.point[0].size_log, 0.02);
    assert_near(points.point[1].size_log, -0.02);
    aisp_change_points_release(&points);
}

static void two_runs_far_off_are_no_change_and_hide_none(void **state)
{
    struct aisp_history_point run[60];
    struct aisp_change_points points;

    (void)state;
    wobble(run, 60);
    shift(run, 20, 22, 0.5);
    points = find(run, 60);
    assert_int_equal(points.n, 0);
    aisp_change_points_release(&points);
    shift(run, 35, 60, 0.03);
    points = find(run, 60);
    assert_int_equal(points.n, 1);
    assert_int_equal(points.point[0].at, 35);
    assert_near(points.point[0].size_log, 0.03);
    aisp_change_points_release(&points);
}

/* An hour in which every run is 30 times as noisy, and says so. */
static void a_noisy_stretch_is_no_change(void **state)
{
    struct aisp_history_point run[60];
    struct aisp_change_points points;

    (void)state;
    wobble(run, 60);
    for (size_t i = 20; i < 35; i++) {
        run[i].log_ratio *= 30;
        run[i].se_log *= 30;
    }
    points = find(run, 60);
    assert_int_equal(points.n, 0);
    aisp_change_points_release(&points);
}

static void too_few_runs_hold_no_change(void **state)
{
    struct aisp_history_point run[9];
    struct aisp_change_points points;

    (void)state;
    wobble(run, 9);
    shift(run, 4, 9, 1);
    points = find(run, 9);
    assert_int_equal(points.n, 0);
    points = find(NULL, 0);
    assert_int_equal(points.n, 0);
}

static void the_same_history_gives_the_same_answer(void **state)
{
    struct aisp_history_point run[50];
    struct aisp_change_points a, b;

    (void)state;
    wobble(run, 50);
    shift(run, 20, 50, 0.0015);
    a = find(run, 50);
    b = find(run, 50);
    assert_int_equal(a.n, b.n);
    assert_int_equal(a.n, 1);
    assert_memory_equal(a.point, b.point, a.n * sizeof *a.point);
    aisp_change_points_release(&a);
    aisp_change_points_release(&b);
}

static void what_is_no_measurement_is_refused(void **state)
{
    struct aisp_changepoint_rules rules = aisp_changepoint_rules_default();
    struct aisp_history_point run[20];
    struct aisp_change_points points = { 0 };
    struct aisp_err err;

    (void)state;
    wobble(run, 20);
    run[7].log_ratio = INFINITY;
    assert_int_equal(aisp_change_points_find(run, 20, &rules, &points, &err), AISP_E_USAGE);
    assert_non_null(strstr(err.text, "run 7"));
    wobble(run, 20);
    rules.n_draws = 50; /* the least p is 1/51, never below 1 % */
    assert_int_equal(aisp_change_points_find(run, 20, &rules, &points, &err), AISP_E_USAGE);
    assert_int_equal(points.n, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_history_without_a_change_has_none),
        cmocka_unit_test(a_change_is_found_where_it_is),
        cmocka_unit_test(its_size_has_moses_interval),
        cmocka_unit_test(a_level_that_comes_back_is_two_changes),
        cmocka_unit_test(two_runs_far_off_are_no_change_and_hide_none),
        cmocka_unit_test(a_noisy_stretch_is_no_change),
        cmocka_unit_test(too_few_runs_hold_no_change),
        cmocka_unit_test(the_same_history_gives_the_same_answer),
        cmocka_unit_test(what_is_no_measurement_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
