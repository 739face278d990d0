/* hash_share_test.c - which windows have contents made again and compared: what can be afforded in each, slots and weights each at
 * what they cost. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/run_play.h"

static const struct aisp_backend *fake;
static int n_looks, n_inputs, n_weights;

static int inspect_and_count(struct aisp_session *s, enum aisp_side side, enum aisp_hash hash, struct aisp_observation *seen, int max)
{
    n_looks++;
    n_inputs += (hash & AISP_HASH_INPUTS) != 0;
    n_weights += (hash & AISP_HASH_WEIGHTS) != 0;
    return fake->inspect(s, side, hash, seen, max);
}

static void count(const struct aisp_problem *problem)
{
    struct aisp_fake_script script = scene_script(8000);
    struct aisp_plan plan = scene_plan(problem);
    struct aisp_backend backend = *plan.backend;

    fake = plan.backend;
    backend.inspect = inspect_and_count;
    plan.backend = &backend;
    plan.max_pairs = 4;
    n_looks = n_inputs = n_weights = 0;
    aisp_evidence_release(&ev);
    aisp_fake_play(&script);
    run(&plan);
    assert_true(n_looks > 100);
}

static void small_slots_and_weights_are_hashed_after_nearly_every_window(void **state)
{
    (void)state;
    count(&scene_problem);
    assert_in_range(n_inputs, n_looks / 2, n_looks);
    assert_in_range(n_weights, n_looks / 2, n_looks);
}

/* Of 32 MiB, which no window of 2 ms can afford. */
static void large_weights_are_hashed_after_a_share_of_the_windows_and_the_slots_as_before(void **state)
{
    static const struct aisp_tensor tensors[] = {
        { "x", AISP_IN, AISP_F32, "rows, cols", { AISP_UNIFORM, 0.5, 1.5 } },
        { "w", AISP_WEIGHT, AISP_F32, "cols, 524288", { AISP_UNIFORM, 0.5, 1.5 } },
        { "y", AISP_OUT, AISP_F32, "rows, cols", { AISP_NO_FILL, 0, 0 } },
        { 0 },
    };
    static const struct aisp_problem problem = SCENE_PROBLEM(tensors, scene_reference);

    (void)state;
    count(&problem);
    assert_in_range(n_inputs, 2 * n_weights, n_looks);
    assert_in_range(n_weights, 4, n_looks / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(small_slots_and_weights_are_hashed_after_nearly_every_window, scene_release),
        cmocka_unit_test_teardown(large_weights_are_hashed_after_a_share_of_the_windows_and_the_slots_as_before, scene_release),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
