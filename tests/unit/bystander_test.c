/* bystander_test.c - who writes to a slot that its window does not call is seen, by side and place; nobody else is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "checks/check.h"
#include "tests/unit/run_play.h"

static void play_verified(enum aisp_fake_fault fault, uint32_t off)
{
    const struct aisp_policy policy = { off };
    struct aisp_fake_script script = scene_script(8000);
    struct aisp_plan plan = scene_plan(&scene_problem);

    script.variant[AISP_B].fault = fault;
    plan.verify_only = true;
    plan.policy = &policy;
    aisp_fake_play(&script);
    run(&plan);
}

static void an_output_that_nobody_asked_for_is_seen(void **state)
{
    const struct aisp_grading grading = { 0 };
    struct aisp_findings findings = AISP_FINDINGS_INIT;
    const struct aisp_observation *seen = NULL;

    (void)state;
    play_verified(AISP_FAKE_FOREIGN, 0);
    assert_true(scene_count(&ev, AISP_SEEN_FOREIGN_WRITE, AISP_B) > 0);
    assert_int_equal(scene_count(&ev, AISP_SEEN_FOREIGN_WRITE, AISP_A), 0);
    for (size_t i = 0; i < ev.n_observations && !seen; i++)
        seen = ev.observation[i].what == AISP_SEEN_FOREIGN_WRITE ? &ev.observation[i] : NULL;
    assert_int_equal(seen->tensor, 2);
    assert_int_equal(seen->count, 1);
    assert_int_equal(seen->element, seen->of - 1); /* the last byte of it was written */
    assert_int_equal(aisp_examine(&ev, &grading, &findings), AISP_GRADE_INVALID);
    assert_string_equal(findings.item[0].check->name, "foreign-output");
    aisp_findings_release(&findings);
}

static void what_stays_in_its_slot_is_not_accused(void **state)
{
    (void)state;
    play_verified(AISP_FAKE_NONE, 0);
    assert_int_equal(ev.n_observations, 0);
}

static void without_the_defence_it_is_not_looked_for(void **state)
{
    (void)state;
    play_verified(AISP_FAKE_FOREIGN, 1u << AISP_FOREIGN_OUTPUT);
    assert_int_equal(ev.n_observations, 0);
}

/* A window that calls all slots has no bystander: the timed ones of a quick call, mostly. */
static void pairs_see_it_in_their_controls(void **state)
{
    struct aisp_fake_script script = scene_script(8000);
    struct aisp_plan plan = scene_plan(&scene_problem);
    bool is_timed = false;

    (void)state;
    script.variant[AISP_B].fault = AISP_FAKE_FOREIGN;
    script.variant[AISP_B].when = (struct aisp_fake_when){ FIRST_PAIR, 1 };
    plan.max_pairs = 2;
    aisp_fake_play(&script);
    run(&plan);
    for (size_t i = 0; i < ev.n_observations; i++)
        is_timed |= ev.observation[i].what == AISP_SEEN_FOREIGN_WRITE &&
                    ev.observation[i].phase == AISP_PHASE_TIMED;
    assert_true(is_timed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(an_output_that_nobody_asked_for_is_seen, scene_release),
        cmocka_unit_test_teardown(what_stays_in_its_slot_is_not_accused, scene_release),
        cmocka_unit_test_teardown(without_the_defence_it_is_not_looked_for, scene_release),
        cmocka_unit_test_teardown(pairs_see_it_in_their_controls, scene_release),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
