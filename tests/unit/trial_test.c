/* trial_test.c - how long the windows are that a trial plans, and what becomes of a plan that was too short; and how many calls a
 * window has while nobody knows yet how long a call takes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "checks/check.h"
#include "core/run/rig.h"
#include "tests/unit/run_play.h"

enum { CALL_NS = 10000, USUAL_NS = 2000000, SLEEPING_NS = 10000000 };

static bool has_found(const char *check)
{
    struct aisp_findings found = AISP_FINDINGS_INIT;
    bool is_there = false;

    aisp_examine(&ev, &(struct aisp_grading){ 0 }, &found);
    for (size_t i = 0; i < found.n; i++)
        is_there |= !strcmp(found.item[i].check->name, check);
    aisp_findings_release(&found);
    return is_there;
}

static int64_t shortest_timed_ns(void)
{
    int64_t shortest_ns = INT64_MAX;

    for (size_t i = 0; i < ev.n_windows; i++)
        if (ev.window[i].kind == AISP_WINDOW_TIMED && ev.window[i].window_ns < shortest_ns)
            shortest_ns = ev.window[i].window_ns;
    return shortest_ns;
}

static void a_coarse_clock_gets_windows_of_a_thousand_of_its_steps(void **state)
{
    static const double step_ns[] = { 30, 2000, 10000, 4000000 };

    (void)state;
    for (size_t i = 0; i < sizeof step_ns / sizeof *step_ns; i++) {
        const struct aisp_calibration cal = { .clock_step_ns = step_ns[i] };
        struct aisp_fake_script script = scene_script(8000);
        struct aisp_plan plan = scene_plan(&scene_problem);
        const bool is_useless = step_ns[i] > AISP_CLOCK_COARSEST_NS; /* no window would do, so they are as they are */

        aisp_evidence_release(&ev);
        plan.calibration = &cal;
        plan.max_pairs = 1;
        aisp_fake_play(&script);
        run(&plan);
        assert_int_equal((double)shortest_timed_ns() >= AISP_CLOCK_STEPS * step_ns[i], !is_useless);
        assert_int_equal(has_found("timer-granularity"), is_useless);
        assert_true(shortest_timed_ns() < 20000000);
    }
}

/* Beside somebody who holds the core until the second pair is taken, and so for the first plan and for its warm-up. */
static void windows_of_less_than_half_of_the_plan_are_said(void **state)
{
    struct aisp_fake_script script = scene_script(8000);

    (void)state;
    for (int i = 0; i < AISP_FAKE_VARIANTS; i++) {
        script.variant[i].call_ns *= 100;
        script.variant[i].step = -log(100);
        script.variant[i].step_session = FIRST_PAIR + 1;
    }
    play(&script);
    assert_true(ev.planned_window_ns >= USUAL_NS);
    assert_true(has_found("timer-granularity"));
    aisp_evidence_release(&ev);
    script = scene_script(8000);
    play(&script);
    assert_in_range(ev.planned_window_ns, USUAL_NS, SLEEPING_NS);
    assert_false(has_found("timer-granularity"));
}

/* Three times as slow: that is less than it used to take, and still half of the windows are no windows any more. */
static void a_trial_that_was_a_little_disturbed_is_taken_again(void **state)
{
    struct aisp_fake_script script = scene_script(8000);

    (void)state;
    for (int i = 0; i < AISP_FAKE_VARIANTS; i++) {
        script.variant[i].call_ns *= 3;
        script.variant[i].step = -log(3);
        script.variant[i].step_session = FIRST_PAIR;
    }
    play(&script);
    assert_false(ev.pair[0].complete);
    assert_true(ev.pair[1].complete);
    assert_false(has_found("timer-granularity"));
}

/* The trial is slow again, and it is the last one: what is known of the warm-up before it counts. */
static void what_a_warm_up_has_shown_is_planned_from_whatever_the_trial_says(void **state)
{
    const struct aisp_plan plan = scene_plan(&scene_problem);
    struct aisp_fake_script script = scene_script(100 * CALL_NS);
    struct aisp_course course = { .plan = &plan, .ev = &ev, .spin = true, .warm_call_ns = { CALL_NS, CALL_NS } };
    bool go_on;

    (void)state;
    script.variant[0].call_ns = 100 * CALL_NS;
    aisp_fake_play(&script);
    assert_int_equal(aisp_trial(&course, &go_on, NULL), AISP_OK);
    assert_true(go_on);
    assert_int_equal(course.calls, USUAL_NS / CALL_NS);
}

enum { LIMIT_S = 10, SLOW_S = 2 };

/* Of calls of 2 s sixteen would be drawn for one window, whose limit would be 10. */
static void verification_draws_no_more_calls_than_are_sure_to_stay_below_its_limit(void **state)
{
    struct aisp_fake_script script = scene_script(SLOW_S * 1e9);
    struct aisp_plan plan = scene_plan(&scene_problem);

    (void)state;
    script.variant[0].call_ns = SLOW_S * 1e9;
    plan.verify_only = true;
    plan.call_timeout_ns = LIMIT_S * INT64_C(1000000000);
    aisp_fake_play(&script);
    run(&plan);
    assert_int_equal(ev.n_observations, 0);
    assert_in_range(aisp_fake_seen()->max_calls, 5, 4 * LIMIT_S / 2 / SLOW_S);
}

/* Four slots at the quick size: so many calls may each take their limit before it is a hang. Where calls are timed it is one. */
static void a_hang_in_verification_is_waited_for_a_call_of_each_slot(void **state)
{
    static const struct aisp_fake_when when[] = { { QUICK, 2, false }, { HOLDOUT, 1, false }, { FIRST_PAIR, 14, false } };
    static const int n_limits[] = { 4, 2, 1 };

    (void)state;
    for (size_t i = 0; i < sizeof when / sizeof *when; i++) {
        struct aisp_fake_script script = scene_script(8000);

        aisp_evidence_release(&ev);
        script.variant[1].fault = AISP_FAKE_HANG;
        script.variant[1].when = when[i];
        play(&script);
        assert_int_equal(scene_count(&ev, AISP_SEEN_HANG, AISP_B), 1);
        assert_true(ev.observation[0].seen == n_limits[i] * LIMIT_S * 1e9);
    }
}

#define T(name) cmocka_unit_test_teardown(name, scene_release)
int main(void)
{
    const struct CMUnitTest tests[] = {
        T(a_coarse_clock_gets_windows_of_a_thousand_of_its_steps),
        T(windows_of_less_than_half_of_the_plan_are_said),
        T(a_trial_that_was_a_little_disturbed_is_taken_again),
        T(what_a_warm_up_has_shown_is_planned_from_whatever_the_trial_says),
        T(verification_draws_no_more_calls_than_are_sure_to_stay_below_its_limit),
        T(a_hang_in_verification_is_waited_for_a_call_of_each_slot),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
