/* history_test.c - runs recorded in a real store, read as a history, shown by `bench history`. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <cmocka.h>

#include "analysis/history.h"
#include "commands/command.h"
#include "commands/history/history_text.h"
#include "tests/unit/store_scene.h"

static const int64_t FIRST = INT64_C(1790000000); /* 2026-09-21 */
static const int64_t DAY = 86400;

/* The calendar of this program, instead of libc's: runs of a month are recorded in a moment. */
static time_t today = (time_t)1790000000;

time_t time(time_t *at)
{
    if (at)
        *at = today;
    return today;
}

/* One sealed run on day `day`, of the commit aaaa..., from day 14 on bbbb... */
static void record(struct scene *s, int day, json_t *result)
{
    char run[AISP_RUN_ID_MAX];
    json_t *manifest;

    today = (time_t)(FIRST + day * DAY);
    manifest = json_pack("{s:s, s:{s:s, s:s, s:i, s:I, s:b}, s:{s:s, s:b}}", "host", "two", "environment", "cpu_model",
                         "AMD EPYC 9654", "isa", "avx2", "n_cpus", 2, "l3_bytes", (json_int_t)(32 << 20), "virtual_machine", 0,
                         "git", "commit", day < 14 ? "aaaaaaaaaaaaaaaaaaaa" : "bbbbbbbbbbbbbbbbbbbb", "dirty", day == 14);
    expect_ok(s, aisp_store_run_begin(s->store, manifest, run, &s->err));
    json_decref(manifest);
    scene_add(s, run, result);
    scene_seal(s, run);
}

static json_t *result(double ratio)
{
    json_t *r = scene_result("ch01:x", "optimized_y", ratio);

    json_object_set_new(r, "lo95", json_real(ratio * 0.995));
    json_object_set_new(r, "hi95", json_real(ratio * 1.005));
    return r;
}

/* 24 days: the ratio is 2, from day 14 on 1.9, and moves by a thousandth from day to day. */
static void record_all(struct scene *s)
{
    static const int sign[] = { 1, -1, -1, 1, -1, 1, 1, -1, 1, 1, -1, -1 };

    for (int day = 0; day < 24; day++)
        record(s, day, result((day < 14 ? 2.0 : 1.9) * (1 + 0.001 * sign[day % 12])));
}

static struct aisp_history load(struct scene *s, const struct aisp_history_spec *spec)
{
    struct aisp_history history = { 0 };

    expect_ok(s, aisp_history_load(s->store, spec, &history, &s->err));
    return history;
}

static void a_row_is_a_series_with_its_change(void **state)
{
    struct scene *s = *state;
    const struct aisp_history_spec spec = { .target = "ch01:x", .limit = 100 };
    struct aisp_history history;
    struct aisp_history_series *series;

    record_all(s);
    history = load(s, &spec);
    assert_int_equal(history.n, 1);
    series = history.series;
    assert_string_equal(series->variant, "optimized_y");
    assert_string_equal(series->hardware, "amd-epyc-9654-2c");
    assert_int_equal(series->n, 24);
    assert_true(series->run[0].started_at == FIRST && series->run[23].started_at == FIRST + 23 * DAY);
    assert_int_equal(series->changes.n, 1);
    assert_int_equal(series->changes.point[0].at, 14);
    assert_true(fabs(exp(series->changes.point[0].size_log) - 0.95) < 0.001);
    assert_true(fabs(exp(series->level_log) - 1.9) < 0.002);
    assert_true(series->noise.is_learned);
    assert_true(series->noise.sd_log < 0.0015);
    aisp_history_release(&history);
}

static void runs_without_a_ratio_stay_and_are_passed_over(void **state)
{
    struct scene *s = *state;
    const struct aisp_history_spec spec = { .target = "ch01:x", .limit = 100 };
    json_t *invalid = result(2), *verified = result(2), *custom = result(2);
    struct aisp_history history;

    json_object_set_new(invalid, "ratio", json_null());
    json_object_set_new(invalid, "verdict", json_string("INVALID"));
    json_object_set_new(verified, "ratio", json_null());
    json_object_set_new(verified, "verdict", json_string("VERIFIED"));
    json_object_set_new(custom, "size", json_string("custom"));
    record(s, -3, custom);
    record(s, -2, verified);
    record(s, -1, invalid);
    record_all(s);
    history = load(s, &spec);
    assert_int_equal(history.n, 1);
    assert_int_equal(history.n_custom, 1);
    assert_int_equal(history.series[0].n, 25);
    assert_true(isnan(history.series[0].run[0].ratio));
    assert_int_equal(history.series[0].changes.n, 1);
    assert_int_equal(history.series[0].changes.point[0].at, 15); /* of all runs, not of those with a ratio */
    aisp_history_release(&history);
}

static void what_is_compared_with_something_else_is_another_series(void **state)
{
    struct scene *s = *state;
    const struct aisp_history_spec spec = { .target = "ch01:x", .limit = 5 };
    json_t *other = result(1.1);
    struct aisp_history history;

    record_all(s);
    json_object_set_new(other, "reference", json_string("peer_libc"));
    record(s, 30, other);
    history = load(s, &spec);
    assert_int_equal(history.n, 2);
    assert_string_equal(history.series[0].reference, "peer_libc");
    assert_int_equal(history.series[0].n, 1);
    assert_false(history.series[0].noise.is_learned);
    assert_int_equal(history.series[1].n, 5);
    assert_int_equal(history.series[1].n_older, 19);
    aisp_history_release(&history);
}

/* ---- the command ---- */

static enum aisp_status command(struct scene *s, const char *operand, const char *option, const char *given, json_t **value)
{
    const char *argv[] = { "bench", "history", operand, "--artifacts-dir", s->folder, option, given };
    struct aisp_args args;
    const char *topic;
    int exit_code = 0;
    enum aisp_status st = aisp_args_parse(&args, option ? 7 : 5, argv, &topic, &s->err);

    *value = NULL;
    if (!st)
        st = aisp_command_run(&args, NULL, value, &exit_code, &s->err);
    aisp_args_release(&args);
    return st;
}

/* Columns of UTF-8 text. */
static size_t columns(const char *line, size_t n)
{
    size_t n_columns = 0;

    for (size_t i = 0; i < n; i++)
        n_columns += ((unsigned char)line[i] & 0xc0) != 0x80;
    return n_columns;
}

static void the_command_says_which_commit_changed_it(void **state)
{
    struct scene *s = *state;
    const struct aisp_style style = { .columns = 80 };
    struct aisp_buf text = AISP_BUF_INIT;
    json_t *value, *series, *change;

    record_all(s);
    expect_ok(s, command(s, "ch01:x/y", NULL, NULL, &value)); /* short for optimized_y */
    series = json_array_get(json_object_get(value, "series"), 0);
    assert_int_equal(json_array_size(json_object_get(series, "runs")), 24);
    assert_int_equal(json_array_size(json_object_get(series, "changes")), 1);
    change = json_array_get(json_object_get(series, "changes"), 0);
    assert_int_equal(json_integer_value(json_object_get(change, "index")), 14);
    assert_string_equal(json_string_value(json_object_get(json_object_get(change, "git"), "commit")), "bbbbbbbbbbbbbbbbbbbb");
    assert_true(fabs(json_number_value(json_object_get(change, "percent")) + 5) < 0.2);

    aisp_history_render(value, &style, &text);
    assert_non_null(strstr(text.s, "ch01:x/optimized_y against baseline"));
    assert_non_null(strstr(text.s, "24 runs, 2026-09-21 14:13 to 2026-10-14 14:13"));
    assert_non_null(strstr(text.s, "\n  ██████████████▁▁▁▁▁▁▁▁▁▁\n                ^\n"));
    assert_non_null(strstr(text.s, "^ 2026-10-05 14:13  -5.0"));
    assert_non_null(strstr(text.s, "commit bbbbbbbbbb+, before aaaaaaaaaa\n"));
    assert_non_null(strstr(text.s, "the newest 10 of 24 runs"));
    for (const char *line = text.s; *line; line += strcspn(line, "\n") + 1)
        assert_true(columns(line, strcspn(line, "\n")) <= 80);
    aisp_buf_release(&text);
    json_decref(value);
}

static void since_and_limit_cut_the_history(void **state)
{
    struct scene *s = *state;
    json_t *value, *series;

    record_all(s);
    expect_ok(s, command(s, "ch01:x", "--since", "2026-10-01", &value));
    series = json_array_get(json_object_get(value, "series"), 0);
    assert_int_equal(json_array_size(json_object_get(series, "runs")), 14); /* days 10 to 23 */
    json_decref(value);
    expect_ok(s, command(s, "ch01:x", "--limit", "3", &value));
    series = json_array_get(json_object_get(value, "series"), 0);
    assert_int_equal(json_array_size(json_object_get(series, "runs")), 3);
    assert_int_equal(json_integer_value(json_object_get(series, "n_older")), 21);
    json_decref(value);
    expect_ok(s, command(s, "ch01:x", "--since", "7d", &value));
    series = json_array_get(json_object_get(value, "series"), 0);
    assert_int_equal(json_array_size(json_object_get(series, "runs")), 8); /* today is day 23 */
    json_decref(value);
    assert_int_equal(command(s, "ch01:x", "--since", "yesterday", &value), AISP_E_USAGE);
    assert_non_null(strstr(s->err.text, "2026-11-01"));
}

static void what_was_never_run_is_told_with_the_nearest_name(void **state)
{
    struct scene *s = *state;
    json_t *value;

    record_all(s);
    assert_int_equal(command(s, "ch01:xx", NULL, NULL, &value), AISP_E_NOT_FOUND);
    assert_non_null(strstr(s->err.text, "did you mean ch01:x"));
    assert_int_equal(command(s, "ch01:x", "--hardware", "nothing-1c", &value), AISP_E_NOT_FOUND);
    assert_non_null(strstr(s->err.text, "on this hardware"));
}

static void a_line_of_blocks_has_gaps_and_medians(void **state)
{
    const double x[] = { 1, 2, NAN, 4, 8, 8, 8, 8 };
    struct aisp_buf line = AISP_BUF_INIT;

    (void)state;
    assert_int_equal(aisp_sparkline(x, 8, 8, &line), 8);
    assert_string_equal(line.s, "▁▂ ▄████");
    aisp_buf_release(&line);
    line = (struct aisp_buf)AISP_BUF_INIT;
    assert_int_equal(aisp_sparkline(x, 8, 4, &line), 4); /* medians 1.5, 4, 8, 8 */
    assert_string_equal(line.s, "▁▄██");
    aisp_buf_release(&line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_row_is_a_series_with_its_change, scene_open, scene_close),
        cmocka_unit_test_setup_teardown(runs_without_a_ratio_stay_and_are_passed_over, scene_open, scene_close),
        cmocka_unit_test_setup_teardown(what_is_compared_with_something_else_is_another_series, scene_open, scene_close),
        cmocka_unit_test_setup_teardown(the_command_says_which_commit_changed_it, scene_open, scene_close),
        cmocka_unit_test_setup_teardown(since_and_limit_cut_the_history, scene_open, scene_close),
        cmocka_unit_test_setup_teardown(what_was_never_run_is_told_with_the_nearest_name, scene_open, scene_close),
        cmocka_unit_test(a_line_of_blocks_has_gaps_and_medians),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
