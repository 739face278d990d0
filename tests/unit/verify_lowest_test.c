/* verify_lowest_test.c - where nothing is timed, the lowest corner of the holdout range is verified too, unless it is large. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/run_play.h"

static const struct aisp_backend *fake;
static int n_lowest;

static enum aisp_status open_and_count(const struct aisp_session_spec *spec, struct aisp_session **session,
                                       struct aisp_observation *seen, struct aisp_err *err)
{
    const struct aisp_param *p = spec->inst->problem->param;

    n_lowest += spec->inst->param[0] == p[0].low && spec->inst->param[1] == p[1].low;
    return fake->open(spec, session, seen, err);
}

static int lowest_of(const struct aisp_problem *problem, bool verify_only)
{
    struct aisp_fake_script script = scene_script(8000);
    struct aisp_plan plan = scene_plan(problem);
    struct aisp_backend backend = *plan.backend;

    fake = plan.backend;
    backend.open = open_and_count;
    plan.backend = &backend;
    plan.verify_only = verify_only;
    plan.max_pairs = 1;
    n_lowest = 0;
    aisp_evidence_release(&ev);
    aisp_fake_play(&script);
    run(&plan);
    return n_lowest;
}

static void both_sides_are_verified_at_the_lowest_corner(void **state)
{
    (void)state;
    assert_int_equal(lowest_of(&scene_problem, true), 2 + lowest_of(&scene_problem, false));
    assert_int_equal(ev.verified[AISP_A].n_full, ev.verified[AISP_A].n_full_right);
}

/* 4200 rows of as many columns are two tensors of 70 MB. */
static void a_large_corner_is_left_out(void **state)
{
    static const struct aisp_param params[] = {
        { "rows", 24, 6, 0, 4200, 4400, 4 },
        { "cols", 16, 8, 0, 4200, 4400, 8 },
        { 0 },
    };
    static const struct aisp_problem problem = {
        .abi = AISP_ABI, .title = "Scale", .teaches = "nothing", .goal = AISP_SPEED,
        .param = params, .tensor = scene_tensors, .bytes = "8*rows*cols", .flops = "rows*cols",
        .tolerance = { .ulps = 2, .why = "one product" }, .reference = scene_reference,
    };

    (void)state;
    assert_int_equal(lowest_of(&problem, true), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(both_sides_are_verified_at_the_lowest_corner, scene_release),
        cmocka_unit_test_teardown(a_large_corner_is_left_out, scene_release),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
