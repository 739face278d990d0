/* contest_test.c - a target's comparisons on the scripted device, and what becomes of those that cannot be made. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "commands/contest.h"
#include "tests/unit/run_scene.h"

enum { VARIANTS = 5 };

static struct aisp_err err;
static const struct aisp_request request = { .err = &err };
static const struct aisp_target target = { .id = "scene:scale" };
static struct aisp_variant_ref variants[VARIANTS];
static const struct aisp_variant_ref *list[VARIANTS];
static struct aisp_bench bench;
static struct aisp_entry entry;

static int set_up(void **state)
{
    (void)state;
    err = (struct aisp_err){ 0 };
    bench = (struct aisp_bench){ .request = &request, .results = json_array(), .options = { .verify_only = true, .n_threads = 1 } };
    bench.options.size_name = "default";
    entry = (struct aisp_entry){ .target = &target, .reference = &scene_baseline, .variant = list, .n_variants = VARIANTS };
    entry.loaded.problem = &scene_problem;
    for (int i = 0; i < VARIANTS; i++) {
        variants[i] = scene_optimized;
        snprintf(variants[i].name, sizeof variants[i].name, "optimized_%d", i);
        list[i] = &variants[i];
    }
    return aisp_instance_init(&entry.inst, &scene_problem, AISP_SIZE_DEFAULT, NULL, 0, NULL);
}

static int tear_down(void **state)
{
    (void)state;
    json_decref(bench.results);
    return 0;
}

static const char *not_measured(size_t row)
{
    return json_string_value(json_object_get(json_array_get(bench.results, row), "not_measured"));
}

static void a_device_that_fails_once_costs_one_row(void **state)
{
    struct aisp_fake_script script = scene_script(8000);

    (void)state;
    script.fill_fails_at = 1;
    aisp_fake_play(&script);
    assert_int_equal(aisp_entry_run(&entry, &bench, NULL), AISP_OK);
    assert_int_equal(json_array_size(bench.results), VARIANTS);
    assert_string_equal(not_measured(0), "unavailable");
    for (size_t i = 1; i < VARIANTS; i++)
        assert_null(not_measured(i));
    assert_int_equal(bench.n_failed, 0);
}

static void a_device_that_is_lost_ends_the_run_after_three_rows(void **state)
{
    struct aisp_fake_script script = scene_script(8000);

    (void)state;
    script.unavailable = "fell off the bus";
    aisp_fake_play(&script);
    assert_int_equal(aisp_entry_run(&entry, &bench, NULL), AISP_E_UNAVAILABLE);
    assert_int_equal(json_array_size(bench.results), 3);
    assert_non_null(strstr(err.text, "fell off the bus"));
}

/* What was recorded before is passed over: a resumed run goes on behind it. */
static void a_resumed_run_does_not_meet_the_same_row_again(void **state)
{
    struct aisp_fake_script script = scene_script(8000);
    json_t *done = json_object();
    const json_t *row;
    size_t i;

    (void)state;
    script.unavailable = "fell off the bus";
    aisp_fake_play(&script);
    aisp_entry_run(&entry, &bench, NULL);
    json_array_foreach(bench.results, i, row)
        json_object_set_new(done, json_string_value(json_object_get(row, "key")), json_true());
    script.unavailable = NULL;
    bench.n_failed = 0;
    aisp_fake_play(&script);
    assert_int_equal(aisp_entry_run(&entry, &bench, done), AISP_OK);
    assert_int_equal(json_array_size(bench.results), VARIANTS);
    assert_null(not_measured(VARIANTS - 1));
    json_decref(done);
}

static const char *verified_in(size_t row)
{
    const json_t *verified = json_object_get(json_array_get(bench.results, row), "verified");

    assert_true(json_integer_value(json_object_get(json_object_get(verified, "a"), "elements")) > 0);
    return json_string_value(json_object_get(json_object_get(verified, "a"), "in"));
}

/* Six sessions of each variant, and of the reference in the first comparison alone. */
static void a_reference_that_was_right_is_run_once(void **state)
{
    struct aisp_fake_script script = scene_script(8000);

    (void)state;
    aisp_fake_play(&script);
    assert_int_equal(aisp_entry_run(&entry, &bench, NULL), AISP_OK);
    assert_int_equal(aisp_fake_seen()->n_opens, 6 * (1 + VARIANTS));
    assert_null(verified_in(0));
    for (size_t i = 1; i < VARIANTS; i++)
        assert_string_equal(verified_in(i), json_string_value(json_object_get(json_array_get(bench.results, 0), "key")));
}

/* What there is to say of it is said in each row. */
static void a_reference_that_was_wrong_is_run_again(void **state)
{
    struct aisp_fake_script script = scene_script(8000);

    (void)state;
    script.variant[0].fault = AISP_FAKE_VALUE;
    script.variant[0].when = (struct aisp_fake_when){ .session = 1, .window = 1, .onwards = true };
    aisp_fake_play(&script);
    assert_int_equal(aisp_entry_run(&entry, &bench, NULL), AISP_OK);
    for (size_t i = 0; i < VARIANTS; i++) {
        assert_null(verified_in(i));
        assert_string_equal(json_string_value(json_object_get(json_array_get(bench.results, i), "grade")), "invalid");
    }
}

/* What is timed is verified beside what it is timed with. */
static void a_reference_that_is_timed_is_run_in_each_comparison(void **state)
{
    struct aisp_fake_script script = scene_script(8000);

    (void)state;
    bench.options.verify_only = false;
    entry.n_variants = 2;
    aisp_fake_play(&script);
    assert_int_equal(aisp_entry_run(&entry, &bench, NULL), AISP_OK);
    for (size_t i = 0; i < 2; i++)
        assert_null(verified_in(i));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_device_that_fails_once_costs_one_row, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_device_that_is_lost_ends_the_run_after_three_rows, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_resumed_run_does_not_meet_the_same_row_again, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_reference_that_was_right_is_run_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_reference_that_was_wrong_is_run_again, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_reference_that_is_timed_is_run_in_each_comparison, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
