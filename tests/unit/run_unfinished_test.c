/* run_unfinished_test.c - what fails after the pairs have answered takes nothing of their answer; on the scripted device. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/run_play.h"

static struct aisp_fake_script script;

/* The same run again, failing when nine tenths of its fillings are done: at the secret points, for the pairs take six of them. */
static enum aisp_status fail_late(struct aisp_err *err)
{
    const struct aisp_plan plan = scene_plan(&scene_problem);

    script = scene_script(8000);
    play(&script);
    assert_int_equal(ev.n_points, 3);
    script.fill_fails_at = aisp_fake_seen()->n_fills / 10 * 9;
    aisp_evidence_release(&ev);
    aisp_fake_play(&script);
    return aisp_run(&plan, &ev, err);
}

/* The audit of the reference is over, and what follows fails. */
static void fail_from_here(struct aisp_device_trace *trace, bool is_audit)
{
    (void)trace;
    if (!is_audit)
        return;
    script.fill_fails_at = 1;
    aisp_fake_play(&script);
}

static void secret_points_that_fail_leave_the_answer_of_the_pairs(void **state)
{
    struct aisp_err err = { 0 };
    int n;

    (void)state;
    assert_int_equal(fail_late(&err), AISP_OK);
    assert_false(ev.incomplete);
    assert_int_equal(verdict().verdict, AISP_FASTER);
    assert_true(aisp_run_lacks_points(&ev, &n) || ev.n_points == 3);
    assert_non_null(strstr(ev.machine.claim.unfinished, "secret points: "));
    assert_non_null(strstr(ev.machine.claim.unfinished, "as scripted"));
    assert_string_equal(ev.machine.claim.verdict, "FASTER");
    assert_int_equal(aisp_fake_seen()->n_opens, aisp_fake_seen()->n_closes);
}

static void an_audit_that_fails_leaves_the_answer_of_the_pairs(void **state)
{
    struct aisp_plan plan = scene_plan(&scene_problem);
    struct aisp_err err = { 0 };

    (void)state;
    plan.backend = aisp_backend_find("fakegpu");
    script = scene_script(8000);
    script.variant[0].device = fail_from_here;
    aisp_fake_play(&script);
    assert_int_equal(aisp_run(&plan, &ev, &err), AISP_OK);
    assert_false(ev.incomplete);
    assert_int_equal(verdict().verdict, AISP_FASTER);
    assert_non_null(strstr(ev.machine.claim.unfinished, "the device's audit: "));
}

static void what_is_unfinished_survives_json(void **state)
{
    struct aisp_claim claim = { .verdict = "FASTER", .unfinished = "energy: x" }, back = { 0 };
    json_t *json = aisp_claim_to_json(&claim);

    (void)state;
    assert_int_equal(aisp_claim_from_json(json, &back, NULL), AISP_OK);
    assert_string_equal(back.unfinished, "energy: x");
    json_decref(json);
    claim.unfinished[0] = 0;
    json = aisp_claim_to_json(&claim);
    assert_null(json_object_get(json, "unfinished"));
    json_decref(json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(secret_points_that_fail_leave_the_answer_of_the_pairs, scene_release),
        cmocka_unit_test_teardown(an_audit_that_fails_leaves_the_answer_of_the_pairs, scene_release),
        cmocka_unit_test(what_is_unfinished_survives_json),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
