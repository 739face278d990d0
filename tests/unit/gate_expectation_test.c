/* gate_expectation_test.c - expectations: the file, whole or refused with the field that is wrong, and the gate's rules. */
#include "core/json.h"
#include "tests/unit/gate_figures.h"
#include "tests/unit/temporary.h"

#include "analysis/expectation.h"

static json_t *provenance(void)
{
    return json_pack("{s:s, s:s, s:b, s:s, s:s, s:s, s:s}", "run", "20261128T070501Z-1f3a9c", "commit", "0123456789ab", "dirty",
                     0, "date", "2026-11-28T07:05:01Z", "host", "h", "aisp", "0.1.0", "grade", "development");
}

static json_t *expected(const char *target, const char *variant, double ratio, const struct aisp_noise *noise)
{
    json_t *figure = made_figure(target, variant, ratio, 0.001), *from = provenance(), *row = NULL;
    struct aisp_err err = { AISP_OK, "" };

    if (aisp_expectation_new(figure, noise, from, &row, &err))
        fail_msg("%s", err.text);
    json_decref(figure);
    json_decref(from);
    return row;
}

/* Two rows of ch07. */
static json_t *usual_file(void)
{
    json_t *file = aisp_expectations_new("amd-epyc-2c-vm", "ch07");

    assert_null(aisp_expectations_put(file, expected("ch07:transpose", "optimized_tiled", 2, quiet())));
    assert_null(aisp_expectations_put(file, expected("ch07:gather", "optimized_simd", 3, &(struct aisp_noise){ .n_runs = 2 })));
    return file;
}

/* ---- the file ---- */

static void file_is_read_back_as_it_was_written(void **state)
{
    char *folder = temporary_folder(), *path = aisp_format("%s/expectations_amd-epyc-2c-vm.json", folder);
    json_t *file = usual_file(), *back = NULL, *rows;
    struct aisp_err err = { AISP_OK, "" };

    (void)state;
    assert_int_equal(aisp_expectations_write(path, file, &err), AISP_OK);
    if (aisp_expectations_read(path, "amd-epyc-2c-vm", "ch07", &back, &err))
        fail_msg("%s", err.text);
    rows = json_object_get(back, "rows");
    assert_int_equal(json_array_size(rows), 2);
    assert_string_equal(aisp_json_text(json_array_get(rows, 0), "target"), "ch07:gather");      /* by name */
    assert_near(aisp_json_number(json_array_get(rows, 1), "hi95"), 2 * exp(0.001), 1e-6);
    assert_true(json_is_null(json_object_get(json_array_get(rows, 0), "noise")));
    assert_near(aisp_json_number(json_object_get(json_array_get(rows, 1), "noise"), "sd_log_high"), 0.001, 1e-12);
    json_decref(file);
    json_decref(back);
    free(path);
    remove_folder(folder);
}

static void a_row_replaces_its_like_and_no_other(void **state)
{
    json_t *file = usual_file(), *was, *other = expected("ch07:transpose", "optimized_tiled", 4, quiet());

    (void)state;
    was = aisp_expectations_put(file, other);
    assert_near(aisp_json_number(was, "ratio"), 2, 1e-9);
    assert_int_equal(json_array_size(json_object_get(file, "rows")), 2);
    other = expected("ch07:transpose", "optimized_tiled", 5, quiet());
    json_object_set_new(other, "size", json_string("quick"));
    assert_null(aisp_expectations_put(file, other));
    assert_int_equal(json_array_size(json_object_get(file, "rows")), 3);
    json_decref(was);
    json_decref(file);
}

static void a_file_of_another_machine_or_chapter_is_refused(void **state)
{
    char *folder = temporary_folder(), *path = aisp_format("%s/e.json", folder);
    json_t *file = usual_file(), *back = NULL;
    struct aisp_err err = { AISP_OK, "" };

    (void)state;
    assert_int_equal(aisp_expectations_read(path, "x", "ch07", &back, &err), AISP_E_NOT_FOUND);
    assert_int_equal(aisp_expectations_write(path, file, &err), AISP_OK);
    assert_int_equal(aisp_expectations_read(path, "intel-4c", "ch07", &back, &err), AISP_E_USAGE);
    assert_non_null(strstr(err.text, "hardware says \"amd-epyc-2c-vm\""));
    assert_null(back);
    assert_int_equal(aisp_expectations_read(path, "amd-epyc-2c-vm", "ch08", &back, &err), AISP_E_USAGE);
    assert_non_null(strstr(err.text, "chapter says \"ch07\""));
    json_decref(file);
    free(path);
    remove_folder(folder);
}

static void assert_refused(json_t *file, const char *wanted)
{
    char *text = json_dumps(file, JSON_ENCODE_ANY);
    struct aisp_err err = { AISP_OK, "" };
    json_t *back = NULL;

    assert_int_equal(aisp_expectations_parse(text, strlen(text), "e.json", &back, &err), AISP_E_USAGE);
    assert_null(back);
    if (!strstr(err.text, wanted))
        fail_msg("\"%s\" is not in \"%s\"", wanted, err.text);
    free(text);
    json_decref(file);
}

/* The file with rows[1].name = value, or without it. */
static json_t *damaged(const char *inside, const char *name, json_t *value)
{
    json_t *file = usual_file(), *at = json_array_get(json_object_get(file, "rows"), 1);

    if (inside)
        at = json_object_get(at, inside);
    if (value)
        json_object_set_new(at, name, value);
    else
        json_object_del(at, name);
    return file;
}

static void a_bad_field_is_named_with_its_row(void **state)
{
    json_t *twice = usual_file();

    (void)state;
    assert_refused(damaged(NULL, "ratio", json_string("2")), "e.json: rows[1].ratio has to be a ratio");
    assert_refused(damaged(NULL, "ratio", json_real(0)), "rows[1].ratio has to be a ratio above 0");
    assert_refused(damaged(NULL, "ratio", json_real(2.5)), "rows[1].ratio is not between its lo95 and hi95");
    assert_refused(damaged(NULL, "lo95", NULL), "rows[1] has no field \"lo95\"");
    assert_refused(damaged(NULL, "ratoi", json_real(2)), "rows[1] has an unknown field \"ratoi\"");
    assert_refused(damaged(NULL, "n_pairs", json_integer(0)), "rows[1].n_pairs has to be an integer above 0");
    assert_refused(damaged(NULL, "goal", json_string("beauty")), "rows[1].goal has to be speed, memory");
    assert_refused(damaged(NULL, "problem_sha256", json_string("abc")), "rows[1].problem_sha256 has to be 64 hex digits");
    assert_refused(damaged(NULL, "hash_of", json_string("luck")), "rows[1].hash_of has to be code or file");
    assert_refused(damaged(NULL, "params", json_pack("{s:s}", "n", "4")), "rows[1].params has to be an object of integers");
    assert_refused(damaged(NULL, "target", json_string("ch08:x")),
                   "rows[1].target is \"ch08:x\", which is not of chapter ch07");
    assert_refused(damaged(NULL, "variant", json_string("")), "rows[1].variant has to be a text");
    assert_refused(damaged(NULL, "band", json_real(-1)), "rows[1].band has to be a logarithm");
    assert_refused(damaged(NULL, "noise", json_true()), "rows[1].noise has to be an object or null");
    assert_refused(damaged("noise", "n_runs", json_integer(3)), "rows[1].noise.n_runs is below 10");
    assert_refused(damaged("noise", "sd_log_high", json_real(0)), "rows[1].noise.sd_log_high is below sd_log");
    assert_refused(damaged("provenance", "dirty", json_integer(1)), "rows[1].provenance.dirty has to be true or false");
    assert_refused(damaged("provenance", "run", NULL), "rows[1].provenance has no field \"run\"");
    json_array_append(json_object_get(twice, "rows"), json_array_get(json_object_get(twice, "rows"), 0));
    assert_refused(twice, "rows[2] is of the same figure as rows[0]");
    assert_refused(json_pack("[]"), "e.json: has to be an object");
    assert_refused(json_pack("{s:i, s:s, s:s, s:[]}", "aisp_expectations", 2, "hardware", "x", "chapter", "c", "rows"),
                   "this aisp knows 1");
    assert_refused(json_pack("{s:i, s:s, s:s, s:[i]}", "aisp_expectations", 1, "hardware", "x", "chapter", "c", "rows", 5),
                   "rows[0] has to be an object");
}

static void what_is_no_json_is_named_by_its_line(void **state)
{
    static const char text[] = "{\n \"aisp_expectations\": 1,\n <<<<<<< HEAD\n}";
    struct aisp_err err = { AISP_OK, "" };
    json_t *back = NULL;

    (void)state;
    assert_int_equal(aisp_expectations_parse(text, strlen(text), "e.json", &back, &err), AISP_E_USAGE);
    assert_non_null(strstr(err.text, "e.json: line 3: "));
    assert_int_equal(aisp_expectations_parse("", 0, "e.json", &back, &err), AISP_E_USAGE);
}

static void a_record_without_hashes_is_no_expectation(void **state)
{
    json_t *result = made_result("ch07:transpose", "optimized_tiled", 2, 0.001), *row = NULL, *from = provenance();
    json_t *figure = aisp_figure_new(result, NULL, "", NULL);
    struct aisp_err err = { AISP_OK, "" };

    (void)state;
    assert_int_equal(aisp_expectation_new(figure, quiet(), from, &row, &err), AISP_E_USAGE);
    assert_null(row);
    assert_non_null(strstr(err.text, "its record.problem_sha256"));
    json_decref(figure);
    json_decref(result);
    json_decref(from);
}

/* ---- the gate ---- */

static const struct aisp_expectation_rules usual_rules = { .alpha = 0.01, .n_rows = 1, .mde = 0.05 };
static const struct aisp_noise none = { .sd_log = NAN, .sd_log_high = NAN, .n_runs = 4 };

/* figure and row are stolen */
static void assert_judged(json_t *figure, json_t *row, const struct aisp_noise *noise,
                          const struct aisp_expectation_rules *rules, const char *outcome, const char *state,
                          const char *reason)
{
    json_t *got = aisp_expectation_judge(figure, row, noise, rules);

    assert_string_equal(aisp_json_text(got, "outcome"), outcome);
    assert_string_equal(aisp_json_text(got, "state"), state);
    if (!strstr(aisp_json_text(got, "reason"), reason))
        fail_msg("\"%s\" is not in \"%s\"", reason, aisp_json_text(got, "reason"));
    json_decref(got);
    json_decref(figure);
    json_decref(row);
}

static json_t *measured(double ratio)
{
    return made_figure("ch07:transpose", "optimized_tiled", ratio, 0.001);
}

static json_t *two(const struct aisp_noise *noise)
{
    return expected("ch07:transpose", "optimized_tiled", 2, noise);
}

static void what_is_met_passes(void **state)
{
    (void)state;
    assert_judged(measured(2), two(quiet()), quiet(), &usual_rules, "PASS", "met", "");
    assert_judged(measured(1.995), two(quiet()), quiet(), &usual_rules, "PASS", "met", "");
    assert_judged(measured(2.5), two(quiet()), quiet(), &usual_rules, "PASS", "improved", "");
}

/* se 0.0005102 twice, noise 0.001 twice: sd 0.00158747, at 1 % 0.0040890. From 2 to 1.98 are 0.01005; the largest drop that is
 * none would be the floor's 0.006. */
static void a_credible_drop_fails_however_small(void **state)
{
    (void)state;
    assert_judged(measured(1.98), two(quiet()), quiet(), &usual_rules, "FAIL", "regression", "1.0 % below what is expected");
    assert_judged(measured(1.9), two(quiet()), quiet(), &usual_rules, "FAIL", "regression", "between 4.6 and 5.4 %");
}

/* The same drop of 10 % is a regression of a quiet row and nothing of a noisy one: 25 % flat would pass both. */
static void the_noise_of_the_row_decides_and_no_flat_band(void **state)
{
    const struct aisp_noise noisy = { .sd_log = 0.05, .sd_log_high = 0.06, .n_runs = 20, .is_learned = true };

    (void)state;
    assert_judged(measured(1.8), two(quiet()), quiet(), &usual_rules, "FAIL", "regression", "");
    assert_judged(measured(1.8), two(quiet()), &noisy, &usual_rules, "UNSURE", "blind", "only one of 30.1 % or more would be");
}

static void a_blind_gate_is_unsure_until_less_is_asked_of_it(void **state)
{
    const struct aisp_expectation_rules lax = { .alpha = 0.01, .n_rows = 1, .mde = 0.2 };

    (void)state;
    assert_judged(measured(2), two(&none), &none, &usual_rules, "UNSURE", "blind",
                  "not learned yet (4 of 10 runs), 2.7 % is assumed");
    assert_judged(measured(2), two(&none), &none, &lax, "PASS", "met", "");
    assert_judged(measured(1.5), two(&none), &none, &usual_rules, "FAIL", "regression", "");     /* beyond any noise seen */
}

static void noise_kept_with_the_expectation_serves_a_new_machine(void **state)
{
    json_t *row = two(quiet()), *figure = measured(2), *got = aisp_expectation_judge(figure, row, &none, &usual_rules);

    (void)state;
    assert_string_equal(aisp_json_text(got, "outcome"), "PASS");
    assert_string_equal(aisp_json_text(json_object_get(got, "noise"), "from"), "expectations");
    json_decref(got);
    json_decref(row);
    json_decref(figure);
}

static void nothing_is_passed_silently(void **state)
{
    json_t *other = two(quiet()), *goal = two(quiet()), *problem = two(quiet()), *invalid = measured(2);

    (void)state;
    json_object_set_new(other, "params", json_pack("{s:i}", "n", 1024));
    json_object_set_new(goal, "goal", json_string("latency"));
    json_object_set_new(problem, "problem_sha256", json_string(HASH_B));
    json_object_set_new(invalid, "is_invalid", json_true());
    json_object_set_new(invalid, "trouble", json_string("invalid: wrong"));
    assert_judged(measured(2), NULL, quiet(), &usual_rules, "UNSURE", "no expectation", "--update writes");
    assert_judged(NULL, two(quiet()), quiet(), &usual_rules, "UNSURE", "not measured", "no such result");
    assert_judged(measured(2), other, quiet(), &usual_rules, "UNSURE", "changed", "parameter n is 4096, was 1024");
    assert_judged(measured(2), goal, quiet(), &usual_rules, "UNSURE", "changed", "the goal is speed, was latency");
    assert_judged(measured(2), problem, quiet(), &usual_rules, "UNSURE", "changed", "the problem is another one");
    assert_judged(invalid, two(quiet()), quiet(), &usual_rules, "INVALID", "invalid", "wrong");
}

static void a_minimum_is_asked_of_the_interval(void **state)
{
    const struct aisp_expectation_rules above = { .alpha = 0.01, .n_rows = 1, .mde = 0.05, .min_speedup = 2.1 };
    const struct aisp_expectation_rules inside = { .alpha = 0.01, .n_rows = 1, .mde = 0.05, .min_speedup = 2.001 };
    const struct aisp_expectation_rules below = { .alpha = 0.01, .n_rows = 1, .mde = 0.05, .min_speedup = 1.9 };

    (void)state;
    assert_judged(measured(2), two(quiet()), quiet(), &above, "FAIL", "below minimum", "below the minimum of 2.1");
    assert_judged(measured(2), two(quiet()), quiet(), &inside, "UNSURE", "below minimum",
                  "its interval holds the minimum of 2.001");
    assert_judged(measured(2), two(quiet()), quiet(), &below, "PASS", "met", "");
    assert_judged(measured(2), NULL, quiet(), &above, "FAIL", "below minimum", "");
    assert_judged(measured(2), NULL, quiet(), &below, "UNSURE", "no expectation", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(file_is_read_back_as_it_was_written),
        cmocka_unit_test(a_row_replaces_its_like_and_no_other),
        cmocka_unit_test(a_file_of_another_machine_or_chapter_is_refused),
        cmocka_unit_test(a_bad_field_is_named_with_its_row),
        cmocka_unit_test(what_is_no_json_is_named_by_its_line),
        cmocka_unit_test(a_record_without_hashes_is_no_expectation),
        cmocka_unit_test(what_is_met_passes),
        cmocka_unit_test(a_credible_drop_fails_however_small),
        cmocka_unit_test(the_noise_of_the_row_decides_and_no_flat_band),
        cmocka_unit_test(a_blind_gate_is_unsure_until_less_is_asked_of_it),
        cmocka_unit_test(noise_kept_with_the_expectation_serves_a_new_machine),
        cmocka_unit_test(nothing_is_passed_silently),
        cmocka_unit_test(a_minimum_is_asked_of_the_interval),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
