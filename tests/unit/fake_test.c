/* fake_test.c - the scripted device does what its script says, and only that. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/run_scene.h"

enum { SLOTS = 3 };

static const int32_t all_slots[SLOTS] = { 0, 1, 2 };
static const struct aisp_order each_once = { all_slots, SLOTS, SLOTS };

static struct aisp_session *open_session(struct aisp_plan *plan, struct aisp_observation *seen,
                                         enum aisp_status expected)
{
    static const struct aisp_philox key = { { 1, 2 }, { 3, 4 } };
    const struct aisp_session_spec spec = { .inst = &plan->inst,
                                            .variant = { &scene_baseline, &scene_optimized },
                                            .n_slots = SLOTS,
                                            .n_threads = 1,
                                            .call_timeout_ns = 5000 };
    struct aisp_session *session = NULL;

    assert_int_equal(plan->backend->open(&spec, &session, seen, NULL), expected);
    for (int slot = 0; slot < SLOTS && expected == AISP_OK; slot++) {
        assert_int_equal(plan->backend->fill(session, slot, 0, &key, 0, 0, NULL), AISP_OK);
        assert_int_equal(plan->backend->poison(session, slot, 2, &key, NULL), AISP_OK);
    }
    return session;
}

static enum aisp_status shoot(const struct aisp_plan *plan, struct aisp_session *session,
                              enum aisp_side side, struct aisp_window *w,
                              struct aisp_observation *seen)
{
    memset(w, 0, sizeof *w);
    return plan->backend->window(session, side, &each_once, w, seen, NULL);
}

static void the_table_holds_it_and_says_that_it_proves_nothing(void **state)
{
    const struct aisp_backend *fake = aisp_backend_find("fake");

    (void)state;
    assert_non_null(fake);
    assert_true(fake->is_scripted);
    assert_null(aisp_backend_find("no such device"));
}

static void windows_last_as_scripted(void **state)
{
    struct aisp_fake_script script = {
        .variant = { { .name = "baseline", .call_ns = 1000, .slack_ns = 50 } }
    };
    struct aisp_plan plan = scene_plan(&scene_problem);
    struct aisp_observation seen = { 0 };
    struct aisp_session *session;
    struct aisp_window w;

    (void)state;
    aisp_fake_play(&script);
    session = open_session(&plan, &seen, AISP_OK);
    assert_int_equal(shoot(&plan, session, AISP_A, &w, &seen), AISP_OK);
    assert_int_equal(w.window_ns, 3 * 1000 + 50);
    assert_int_equal(w.inner_ns, 3 * 1000);
    plan.backend->close(session);
}

static void the_same_seed_gives_the_same_times(void **state)
{
    struct aisp_fake_script script = scene_script(8000);
    struct aisp_plan plan = scene_plan(&scene_problem);
    struct aisp_observation seen = { 0 };
    int64_t ns[3];

    (void)state;
    for (int i = 0; i < 3; i++) {
        struct aisp_session *session;
        struct aisp_window w;

        script.seed = i < 2 ? 5 : 6;
        aisp_fake_play(&script);
        session = open_session(&plan, &seen, AISP_OK);
        assert_int_equal(shoot(&plan, session, AISP_B, &w, &seen), AISP_OK);
        ns[i] = w.window_ns;
        plan.backend->close(session);
    }
    assert_int_equal(ns[0], ns[1]);
    assert_int_not_equal(ns[1], ns[2]);
}

static void a_right_call_leaves_the_truth_rounded(void **state)
{
    struct aisp_fake_script script = scene_script(8000);
    struct aisp_plan plan = scene_plan(&scene_problem);
    struct aisp_observation seen = { 0 };
    struct aisp_session *session;
    struct aisp_window w;
    const float *x, *weight;
    float y[4];

    (void)state;
    aisp_fake_play(&script);
    session = open_session(&plan, &seen, AISP_OK);
    assert_int_equal(shoot(&plan, session, AISP_A, &w, &seen), AISP_OK);
    assert_int_equal(plan.backend->read(session, AISP_A, 1, 2, 8, sizeof y, y, NULL), AISP_OK);
    x = plan.backend->input(session, 1, 0);
    weight = plan.backend->input(session, 1, 1);
    for (int i = 0; i < 4; i++)
        assert_float_equal(y[i], (float)((double)x[2 + i] * (double)weight[2 + i]), 0);
    assert_int_equal(plan.backend->inspect(session, AISP_A, AISP_HASH_ALL, &seen, 1), 0);
    plan.backend->close(session);
}

static void a_fault_begins_in_its_window_and_not_before(void **state)
{
    struct aisp_fake_script script = scene_script(8000);
    struct aisp_plan plan = scene_plan(&scene_problem);
    struct aisp_observation seen = { 0 };
    struct aisp_session *session;
    struct aisp_window w;

    (void)state;
    script.variant[1].fault = AISP_FAKE_HANG;
    script.variant[1].when = (struct aisp_fake_when){ 1, 2 };
    aisp_fake_play(&script);
    session = open_session(&plan, &seen, AISP_OK);
    assert_int_equal(shoot(&plan, session, AISP_B, &w, &seen), AISP_OK);
    assert_int_equal(shoot(&plan, session, AISP_A, &w, &seen), AISP_OK);
    assert_int_equal(shoot(&plan, session, AISP_B, &w, &seen), AISP_E_WORKER);
    assert_int_equal(seen.what, AISP_SEEN_HANG);
    assert_float_equal(seen.seen, 5000, 0);
    plan.backend->close(session);
    session = open_session(&plan, &seen, AISP_OK); /* its second session: honest again */
    for (int i = 0; i < 4; i++)
        assert_int_equal(shoot(&plan, session, AISP_B, &w, &seen), AISP_OK);
    plan.backend->close(session);
}

static void a_failed_opening_still_gives_a_session_to_close(void **state)
{
    struct aisp_fake_script script = scene_script(8000);
    struct aisp_plan plan = scene_plan(&scene_problem);
    struct aisp_observation seen = { 0 };

    (void)state;
    script.variant[1].fault = AISP_FAKE_REFUSED;
    aisp_fake_play(&script);
    plan.backend->close(open_session(&plan, &seen, AISP_E_WORKER));
    assert_int_equal(seen.what, AISP_SEEN_REFUSED);
    assert_int_equal(seen.side, AISP_B);
    assert_int_equal(aisp_fake_seen()->n_closes, 1);
}

static void a_late_writer_changes_the_output_between_two_readings(void **state)
{
    struct aisp_fake_script script = scene_script(8000);
    struct aisp_plan plan = scene_plan(&scene_problem);
    struct aisp_observation seen = { 0 };
    struct aisp_session *session;
    const size_t bytes = plan.inst.extent[2].bytes;
    char *first = malloc(bytes), *second = malloc(bytes);
    struct aisp_window w;

    (void)state;
    script.variant[0].fault = AISP_FAKE_LATE;
    aisp_fake_play(&script);
    session = open_session(&plan, &seen, AISP_OK);
    assert_int_equal(shoot(&plan, session, AISP_A, &w, &seen), AISP_OK);
    plan.backend->read(session, AISP_A, 0, 2, 0, bytes, first, NULL);
    plan.backend->read(session, AISP_A, 0, 2, 0, bytes, second, NULL);
    assert_memory_not_equal(first, second, bytes);
    plan.backend->close(session);
    free(first);
    free(second);
}

static void a_problem_without_a_reference_is_not_for_it(void **state)
{
    struct aisp_problem problem = scene_problem;
    struct aisp_fake_script script = scene_script(8000);
    struct aisp_plan plan = scene_plan(&scene_problem);
    struct aisp_observation seen = { 0 };

    (void)state;
    problem.reference = NULL;
    plan.inst.problem = &problem;
    aisp_fake_play(&script);
    open_session(&plan, &seen, AISP_E_UNAVAILABLE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_holds_it_and_says_that_it_proves_nothing),
        cmocka_unit_test(windows_last_as_scripted),
        cmocka_unit_test(the_same_seed_gives_the_same_times),
        cmocka_unit_test(a_right_call_leaves_the_truth_rounded),
        cmocka_unit_test(a_fault_begins_in_its_window_and_not_before),
        cmocka_unit_test(a_failed_opening_still_gives_a_session_to_close),
        cmocka_unit_test(a_late_writer_changes_the_output_between_two_readings),
        cmocka_unit_test(a_problem_without_a_reference_is_not_for_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
