/* holdout_test.c - which secret points are worth looking at more than once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/run/rig.h"

static const struct aisp_param params[] = { { "n", 1 << 12, 1 << 10, 0, 1, 1 << 28, 1 }, { 0 } };
static const struct aisp_tensor tensors[] = {
    { .name = "x", .role = AISP_IN, .dtype = AISP_F32, .dims = "n", .fill = { AISP_NORMAL, 0, 1 } },
    { .name = "y", .role = AISP_OUT, .dtype = AISP_F32, .dims = "1" },
    { 0 },
};
static const struct aisp_problem problem = {
    .abi = AISP_ABI, .title = "t", .teaches = "t", .param = params, .tensor = tensors, .bytes = "4*n", .flops = "0",
};

/* Is a point far from an asked size, on a machine with an L3 of 32 MiB? */
static bool is_far(const char *asked, const char *point)
{
    struct aisp_evidence ev = AISP_EVIDENCE_INIT;
    struct aisp_plan plan = { .problem = &problem };
    struct aisp_course course = { .plan = &plan, .ev = &ev };
    struct aisp_instance there;

    ev.before.l1d_bytes = 32 << 10;
    ev.before.l2_bytes = 512 << 10;
    ev.before.l3_bytes = 32 << 20;
    assert_int_equal(aisp_instance_init(&plan.inst, &problem, AISP_SIZE_DEFAULT, &asked, 1, NULL), AISP_OK);
    assert_int_equal(aisp_instance_init(&there, &problem, AISP_SIZE_DEFAULT, &point, 1, NULL), AISP_OK);
    return aisp_holdout_is_far(&course, &there);
}

static void a_large_point_in_another_level_is_far(void **unused)
{
    (void)unused;
    assert_true(is_far("n=1024", "n=100000000"));
}

static void a_large_point_is_near_where_the_asked_size_is_as_large(void **unused)
{
    (void)unused;
    assert_false(is_far("n=90000000", "n=100000000"));
}

static void a_small_point_is_near_whatever_its_level(void **unused)
{
    (void)unused;
    assert_false(is_far("n=1024", "n=1000000"));
    assert_false(is_far("n=90000000", "n=1024"));
}

/* The range is 1 000 to 3 000 about a default of 2 000. */
static void what_is_timed_at_an_own_size_is_timed_again_about_it(void **unused)
{
    static const struct aisp_param narrow[] = { { "n", 2000, 1000, 0, 1000, 3000, 1 }, { 0 } };
    struct aisp_problem p = problem;
    struct aisp_evidence ev = AISP_EVIDENCE_INIT;
    struct aisp_plan plan = { .problem = &p, .size = "custom" };
    struct aisp_course course = { .plan = &plan, .ev = &ev };
    struct aisp_instance there;
    const char *asked = "n=64";

    (void)unused;
    p.param = narrow;
    assert_int_equal(aisp_instance_init(&plan.inst, &p, AISP_SIZE_DEFAULT, &asked, 1, NULL), AISP_OK);
    for (int point = 0; point < AISP_HOLDOUT_POINTS; point++) {
        assert_true(aisp_holdout_draw_timed(&course, point, &there));
        assert_in_range(there.param[0], 32, 97);
        assert_true(aisp_holdout_draw(&course, point, &there)); /* outputs are compared in the declared range all the same */
        assert_in_range(there.param[0], 1000, 3000);
    }
    plan.size = "default";
    assert_true(aisp_holdout_draw_timed(&course, 0, &there));
    assert_in_range(there.param[0], 1000, 3000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_timed_at_an_own_size_is_timed_again_about_it),
        cmocka_unit_test(a_large_point_in_another_level_is_far),
        cmocka_unit_test(a_large_point_is_near_where_the_asked_size_is_as_large),
        cmocka_unit_test(a_small_point_is_near_whatever_its_level),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
