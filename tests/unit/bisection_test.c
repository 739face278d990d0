/* bisection_test.c - the posterior over commits. How often it names the right one in real noise is measured by
 * `aisp-bench --only bisection`; a real repository is bisected by tests/cli/study/bisect.sh. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "analysis/bisection.h"

#define assert_near(a, b) assert_true(fabs((a) - (b)) < 1e-9)

static struct aisp_bisection start(size_t n_commits)
{
    struct aisp_bisection b;
    struct aisp_err err;

    assert_int_equal(aisp_bisection_init(&b, n_commits, 0.05, 0.005, &err), AISP_OK);
    return b;
}

static void add(struct aisp_bisection *b, size_t commit, double log_ratio, double se)
{
    struct aisp_err err;

    assert_int_equal(aisp_bisection_add(b, &(struct aisp_bisection_run){ commit, log_ratio, se }, &err), AISP_OK);
}

static void before_any_run_all_commits_share_one_half(void **state)
{
    struct aisp_bisection b = start(4);
    const struct aisp_bisection_step step = aisp_bisection_next(&b);

    (void)state;
    assert_near(b.posterior[0], 0.5);
    for (size_t i = 1; i <= 4; i++)
        assert_near(b.posterior[i], 0.125);
    assert_near(aisp_bisection_slow(&b, 3), 0.375);
    assert_int_equal(step.state, AISP_BISECTION_MEASURE);
    assert_int_equal(step.commit, 4); /* is it slower at all? */
    aisp_bisection_release(&b);
}

static void builds_that_are_the_same_exclude_what_is_between(void **state)
{
    struct aisp_bisection b = start(4);
    struct aisp_err err;
    struct aisp_bisection_step step;

    (void)state;
    assert_int_equal(aisp_bisection_same(&b, 0, 2, &err), AISP_OK);
    aisp_bisection_next(&b);
    assert_near(b.posterior[1], 0);
    assert_near(b.posterior[2], 0);
    assert_near(b.posterior[3], 0.25);
    assert_int_equal(aisp_bisection_same(&b, 2, 4, &err), AISP_OK);
    step = aisp_bisection_next(&b); /* the bad one is the good one */
    assert_int_equal(step.state, AISP_BISECTION_NONE);
    assert_near(step.probability, 1);
    aisp_bisection_release(&b);
}

/* (1 + 16 / 4)^2.5 = 55.9: a run 40 standard errors off says no more than one 4 off. */
static void one_run_alone_outweighs_at_most_56_to_1(void **state)
{
    struct aisp_bisection b = start(1);

    (void)state;
    add(&b, 1, -0.04, 0.001);
    aisp_bisection_next(&b);
    assert_true(b.posterior[0] > 1.0 / 57);
    assert_true(b.posterior[0] < 0.5); /* of the sizes that are tried few fit it */
    aisp_bisection_release(&b);
}

/* A machine that is off by a standard error or so, to both sides, and at every seventh run by ten of them. */
static double off(size_t k)
{
    static const double z[] = { 0.4, -1.1, 0.7, -0.2, 1.3, -0.8, 10, -0.5, 0.9, -1.4, 0.1, 0.6, -0.3, -10 };

    return z[k % 14];
}

static struct aisp_bisection_step search(struct aisp_bisection *b, size_t planted, double slowdown, double se)
{
    struct aisp_bisection_step step;

    while ((step = aisp_bisection_next(b)).state == AISP_BISECTION_MEASURE && b->n_runs < 500)
        add(b, step.commit, se * off(b->n_runs) - (step.commit >= planted ? slowdown : 0), se);
    return step;
}

static void the_first_slow_commit_is_named(void **state)
{
    static const size_t planted[] = { 1, 2, 33, 40, 64 };

    (void)state;
    for (size_t i = 0; i < sizeof planted / sizeof *planted; i++) {
        struct aisp_bisection b = start(64);
        const struct aisp_bisection_step step = search(&b, planted[i], 0.02, 0.005);
        double sum = 0;

        assert_int_equal(step.state, AISP_BISECTION_FOUND);
        assert_int_equal(step.first, planted[i]);
        assert_int_equal(step.last, planted[i]);
        assert_true(step.probability >= 0.95);
        assert_true(b.n_runs < 60);
        assert_true(fabs(b.size_log - 0.02) < 0.006);
        for (size_t k = 0; k <= 64; k++)
            sum += b.posterior[k];
        assert_near(sum, 1);
        aisp_bisection_release(&b);
    }
}

static void where_nothing_is_slower_none_is_named(void **state)
{
    struct aisp_bisection b = start(64);
    const struct aisp_bisection_step step = search(&b, 65, 0.02, 0.002);

    (void)state;
    assert_int_equal(step.state, AISP_BISECTION_NONE);
    assert_true(step.probability >= 0.95);
    aisp_bisection_release(&b);
}

static void what_is_faster_is_not_slower(void **state)
{
    struct aisp_bisection b = start(8);
    const struct aisp_bisection_step step = search(&b, 3, -0.02, 0.002);

    (void)state;
    assert_int_equal(step.state, AISP_BISECTION_NONE);
    aisp_bisection_release(&b);
}

static void commits_that_cannot_be_measured_stay_together(void **state)
{
    struct aisp_bisection b = start(16);
    struct aisp_err err;
    struct aisp_bisection_step step;

    (void)state;
    assert_int_equal(aisp_bisection_skip(&b, 9, &err), AISP_OK);
    assert_int_equal(aisp_bisection_skip(&b, 10, &err), AISP_OK);
    step = search(&b, 10, 0.05, 0.005);
    assert_int_equal(step.state, AISP_BISECTION_FOUND);
    assert_int_equal(step.first, 9);
    assert_int_equal(step.last, 11);
    for (size_t i = 0; i < b.n_runs; i++)
        assert_true(b.run[i].commit != 9 && b.run[i].commit != 10);
    aisp_bisection_release(&b);
}

static void a_smaller_error_takes_more_runs(void **state)
{
    struct aisp_bisection sure, surer;
    struct aisp_err err;

    (void)state;
    assert_int_equal(aisp_bisection_init(&sure, 64, 0.2, 0.005, &err), AISP_OK);
    assert_int_equal(aisp_bisection_init(&surer, 64, 0.001, 0.005, &err), AISP_OK);
    assert_int_equal(search(&sure, 20, 0.02, 0.01).first, 20);
    assert_int_equal(search(&surer, 20, 0.02, 0.01).first, 20);
    assert_true(sure.n_runs < surer.n_runs);
    aisp_bisection_release(&sure);
    aisp_bisection_release(&surer);
}

static void what_makes_no_sense_is_refused(void **state)
{
    struct aisp_bisection b = start(4), none;
    struct aisp_err err;

    (void)state;
    assert_int_equal(aisp_bisection_init(&none, 0, 0.05, 0.005, &err), AISP_E_USAGE);
    assert_int_equal(aisp_bisection_init(&none, 4, 1, 0.005, &err), AISP_E_USAGE);
    assert_int_equal(aisp_bisection_init(&none, 4, 0.05, 0, &err), AISP_E_USAGE);
    assert_int_equal(aisp_bisection_add(&b, &(struct aisp_bisection_run){ 0, 0, 0.1 }, &err), AISP_E_USAGE);
    assert_int_equal(aisp_bisection_add(&b, &(struct aisp_bisection_run){ 5, 0, 0.1 }, &err), AISP_E_USAGE);
    assert_int_equal(aisp_bisection_add(&b, &(struct aisp_bisection_run){ 2, NAN, 0.1 }, &err), AISP_E_USAGE);
    assert_int_equal(aisp_bisection_add(&b, &(struct aisp_bisection_run){ 2, 0, 0 }, &err), AISP_E_USAGE);
    assert_int_equal(aisp_bisection_skip(&b, 5, &err), AISP_E_USAGE);
    assert_int_equal(aisp_bisection_same(&b, 3, 3, &err), AISP_E_USAGE);
    aisp_bisection_release(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(before_any_run_all_commits_share_one_half),
        cmocka_unit_test(builds_that_are_the_same_exclude_what_is_between),
        cmocka_unit_test(one_run_alone_outweighs_at_most_56_to_1),
        cmocka_unit_test(the_first_slow_commit_is_named),
        cmocka_unit_test(where_nothing_is_slower_none_is_named),
        cmocka_unit_test(what_is_faster_is_not_slower),
        cmocka_unit_test(commits_that_cannot_be_measured_stay_together),
        cmocka_unit_test(a_smaller_error_takes_more_runs),
        cmocka_unit_test(what_makes_no_sense_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
