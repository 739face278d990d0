/* recorded_run_test.c - comparisons that ran on a card (tests/recorded/card/runs), judged again where there is none: the windows
 * are whole, the verdict follows from them, and no check accuses them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "checks/check.h"
#include "core/run/run.h"

static void read_run(const char *name, struct aisp_evidence *ev)
{
    char path[512];
    struct aisp_err err;
    json_t *json;

    snprintf(path, sizeof path, "%s/recorded/card/runs/%s.json", TESTS_DIR, name);
    json = json_load_file(path, 0, NULL);
    if (!json)
        fail_msg("%s", path);
    if (aisp_evidence_from_json(json, ev, &err))
        fail_msg("%s: %s", path, err.text);
    json_decref(json);
}

static void assert_unaccused(const struct aisp_evidence *ev)
{
    struct aisp_findings found = AISP_FINDINGS_INIT;
    const struct aisp_grading grading = { 0 };
    const enum aisp_grade grade = aisp_examine(ev, &grading, &found);

    if (grade == AISP_GRADE_INVALID)
        fail_msg("%s: %s", found.item[0].check->name, found.item[0].text);
    aisp_findings_release(&found);
}

static void assert_verdict(const char *name, enum aisp_verdict verdict, double low, double high)
{
    struct aisp_look_result look;
    struct aisp_evidence ev;
    struct aisp_err err;
    char chain[65];

    read_run(name, &ev);
    aisp_evidence_chain(&ev, chain);
    assert_string_equal(chain, ev.chain);
    if (aisp_run_verdict(&ev, &look, &err))
        fail_msg("%s", err.text);
    assert_int_equal(look.verdict, verdict);
    if (!(exp(look.centre) > low && exp(look.centre) < high))
        fail_msg("ratio %.4f", exp(look.centre));
    assert_unaccused(&ev);
    aisp_evidence_release(&ev);
}

static void a_faster_kernel_is_faster_again(void **state)
{
    (void)state;
    assert_verdict("rmsnorm_residual", AISP_FASTER, 2.80, 2.83);
}

static void identical_code_is_the_same_again(void **state)
{
    (void)state;
    assert_verdict("identical_copies", AISP_SAME, 0.998, 1.002);
}

/* A ratio that the card cannot reach is no result: the same windows, ten times as short. */
static void windows_faster_than_the_cards_memory_are_accused(void **state)
{
    struct aisp_findings found = AISP_FINDINGS_INIT;
    const struct aisp_grading grading = { 0 };
    struct aisp_evidence ev;
    bool is_named = false;

    (void)state;
    read_run("rmsnorm_residual", &ev);
    for (size_t i = 0; i < ev.n_windows; i++)
        if (ev.window[i].side == AISP_B)
            ev.window[i].window_ns /= 10;
    assert_int_equal(aisp_examine(&ev, &grading, &found), AISP_GRADE_INVALID);
    for (size_t i = 0; i < found.n; i++)
        is_named |= !strcmp(found.item[i].check->name, "roofline-floor") && found.item[i].severity == AISP_VIOLATION;
    assert_true(is_named);
    aisp_findings_release(&found);
    aisp_evidence_release(&ev);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_faster_kernel_is_faster_again),
        cmocka_unit_test(identical_code_is_the_same_again),
        cmocka_unit_test(windows_faster_than_the_cards_memory_are_accused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
