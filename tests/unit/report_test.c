/* report_test.c - reports of records that were made through the store: what they say, what they withhold, and that no
 * stranger's text becomes markup. */
#include "tests/unit/report_scene.h"

#include "commands/report.h"

static const struct spec plain[] = {
    { "k1", "ch07:transpose", "optimized_tiled", "Tiles stay in L1", "FASTER", "publishable", NULL, 8210, 4105, false },
    { "k2", "ch01:dot", "optimized_simd", "Wide lanes", "UNSURE", "development", "a virtual machine", 901, 900, false, 0, 8000,
      16000 },
    { "k3", "ch07:transpose", "optimized_cheat", "Remember answers", "INVALID", "invalid", "call 3 returned an old answer", 8210,
      123.4, false },
};

static char *made(struct fixture *f, void (*make)(const struct aisp_report *, struct aisp_buf *))
{
    struct aisp_report report = AISP_REPORT_INIT;
    struct aisp_buf text = AISP_BUF_INIT;

    assert_int_equal(aisp_report_load(&report, f->store, f->run, &f->err), AISP_OK);
    make(&report, &text);
    aisp_report_release(&report);
    return aisp_buf_detach(&text);
}

/* ---- tests ---- */

static void markdown_has_a_row_for_each_variant_under_its_target(void **state)
{
    struct fixture *f = *state;
    char *text;

    record(f, plain, 3);
    text = made(f, aisp_report_markdown);
    assert_int_equal(count_of(text, "\n## ch07:transpose\n"), 1);
    assert_non_null(strstr(text, "| optimized_tiled | Tiles stay in L1 | 4.11 \u00b5s | 4.06 \u00b5s / 4.27 \u00b5s | "
                                 "2.000 \\[1.990, 2.010\\] | FASTER | 61% (bytes) | publishable |\n"));
    assert_non_null(strstr(text, "| UNSURE: the interval holds 1; about 77 pairs would decide it, there were 12 |"));
    assert_non_null(strstr(text, "3 comparisons: 1 FASTER, 1 UNSURE, 1 INVALID."));
    assert_non_null(strstr(text, "smallest effect that may be called | L1 0.30% |"));
    free(text);
}

static void a_report_of_one_record_is_always_the_same(void **state)
{
    struct fixture *f = *state;
    char *first, *second;

    record(f, plain, 3);
    first = made(f, aisp_report_markdown);
    second = made(f, aisp_report_markdown);
    assert_string_equal(first, second);
    free(first);
    free(second);
    first = made(f, aisp_report_html);
    second = made(f, aisp_report_html);
    assert_string_equal(first, second);
    free(first);
    free(second);
}

static void times_of_an_invalid_variant_are_withheld(void **state)
{
    struct fixture *f = *state;
    struct aisp_report report = AISP_REPORT_INIT;
    json_t *json, *series;
    char *text;

    record(f, &plain[2], 1);
    text = made(f, aisp_report_markdown);
    assert_non_null(strstr(text, "| optimized_cheat | Remember answers | - | - / - | - | INVALID: call 3 returned an old answer |"));
    free(text);
    text = made(f, aisp_report_html);
    assert_non_null(strstr(text, "times are withheld"));
    assert_null(strstr(text, "123 ns"));
    assert_int_equal(count_of(text, "class=\"area a\""), 1);
    assert_int_equal(count_of(text, "class=\"area b\""), 0);
    assert_int_equal(count_of(text, "class=\"dots\""), 0);
    free(text);
    assert_int_equal(aisp_report_load(&report, f->store, f->run, &f->err), AISP_OK);
    json = aisp_report_json(&report);
    series = json_object_get(json_object_get(json, "series"), "k3");
    assert_true(json_is_null(json_object_get(series, "b")));
    assert_true(json_is_object(json_object_get(series, "a")));
    assert_int_equal(json_array_size(json_object_get(series, "pair_ratios")), 0);
    json_decref(json);
    aisp_report_release(&report);
}

static void html_draws_every_comparison_and_needs_nothing_else(void **state)
{
    struct fixture *f = *state;
    char *text;

    record(f, plain, 2);
    text = made(f, aisp_report_html);
    assert_int_equal(count_of(text, "class=\"area a\""), 2);
    assert_int_equal(count_of(text, "class=\"area b\""), 2);
    assert_int_equal(count_of(text, "<svg class=\"row\""), 2);
    assert_int_equal(count_of(text, "<svg class=\"strip tall\""), 3);      /* pairs, and the one roofline that was measured */
    assert_int_equal(count_of(text, "h.01M"), 2 * (PAIRS - 1));
    assert_int_equal(count_of(text, "<svg"), count_of(text, "</svg>"));
    assert_int_equal(count_of(text, "<div"), count_of(text, "</div>"));
    assert_int_equal(count_of(text, "<span"), count_of(text, "</span>"));
    assert_null(strstr(text, "<script"));
    assert_null(strstr(text, "http://"));
    assert_null(strstr(text, "https://"));
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "url("));
    free(text);
}

static void a_roofline_has_the_measured_ceilings_and_both_sides(void **state)
{
    static const struct spec moves = { "k", "ch07:copy", "optimized", "Moves", "FASTER", "publishable", NULL, 400, 200, false, 0,
                                       16000, 0 };
    struct fixture *f = *state;
    struct aisp_report report = AISP_REPORT_INIT;
    json_t *json, *roofline;
    char *text;

    record(f, &plain[1], 1);
    text = made(f, aisp_report_html);
    assert_non_null(strstr(text, "Measured ceilings: L1 160, L2 80.0, L3 40.0, DRAM 20.0 GB/s; f32 80.0 GFLOP/s"));
    assert_non_null(strstr(text, "Declared work: 2 flop / byte. At most 80 GFLOP/s here."));
    assert_non_null(strstr(text, "% of roof</span>"));
    assert_int_equal(count_of(text, "<path class=\"plain\""), 1);
    free(text);
    assert_int_equal(aisp_report_load(&report, f->store, f->run, &f->err), AISP_OK);
    json = aisp_report_json(&report);
    roofline = json_object_get(json_object_get(json_object_get(json, "series"), "k2"), "roofline");
    assert_true(fabs(aisp_report_number(roofline, "b") - 16000 / (900 * 1.02)) < 0.2);
    json_decref(json);
    aisp_report_release(&report);
    record(f, &moves, 1);
    text = made(f, aisp_report_html);
    assert_non_null(strstr(text, "At most 160 GB/s here."));
    free(text);
    record(f, &plain[0], 1);
    text = made(f, aisp_report_html);
    assert_non_null(strstr(text, "Roofline: not measured"));
    free(text);
}

static void texts_of_strangers_never_become_markup(void **state)
{
    static const struct spec nasty = { "k", NASTY, NASTY, NASTY, "FASTER", "development", NASTY, 500, 400, false };
    static const struct spec worse = { "l", NASTY, NASTY, NASTY, "<script>\"'&", "<script>\"'&", NASTY, 500, 400, false };
    struct fixture *f = *state;
    const struct spec spec[] = { nasty, worse };
    char *text;

    record(f, spec, 2);
    text = made(f, aisp_report_html);
    assert_null(strstr(text, "<script"));
    assert_null(strstr(text, "alert(1)</"));
    assert_true(count_of(text, "&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;|`*") >= 10);
    free(text);
    text = made(f, aisp_report_markdown);
    assert_null(strstr(text, "<script"));
    assert_null(strstr(text, "[x]"));
    assert_null(strstr(text, "\n# h"));
    assert_true(count_of(text, "&lt;script&gt;alert(1)&lt;/script&gt;\"'&amp;\\|\\`\\*\\_\\[x\\]") >= 6);
    free(text);
}

static void windows_that_were_changed_afterwards_are_told(void **state)
{
    static const struct spec spec = { "k", "ch07:x", "optimized", "Idea", "FASTER", "publishable", NULL, 500, 400, true };
    struct fixture *f = *state;
    char *text;

    record(f, &spec, 1);
    text = made(f, aisp_report_html);
    assert_non_null(strstr(text, "do not match their hash chain"));
    free(text);
    text = made(f, aisp_report_markdown);
    assert_non_null(strstr(text, "do not match their hash chain"));
    free(text);
}

/* ---- the command ---- */

static void the_report_lies_in_the_runs_folder_and_where_asked(void **state)
{
    struct fixture *f = *state;
    char *folder, *inside, *outside;
    json_t *value = NULL;

    record(f, plain, 3);
    folder = aisp_store_run_folder(f->store, f->run);
    inside = aisp_format("%s/report.html", folder);
    outside = aisp_format("%s/mine.html", f->folder);
    const char *const argv[] = { "bench", "report", "latest", "--format", "html", "--output", outside, "--artifacts-dir", f->folder };

    assert_int_equal(command(f, argv, 9, &value), AISP_OK);
    assert_string_equal(json_string_value(json_array_get(json_object_get(value, "written"), 0)), inside);
    assert_string_equal(json_string_value(json_array_get(json_object_get(value, "written"), 1)), outside);
    assert_int_equal(access(inside, R_OK), 0);
    assert_int_equal(access(outside, R_OK), 0);
    json_decref(value);
    free(folder);
    free(inside);
    free(outside);
}

static void an_output_that_cannot_be_written_is_said_with_its_path(void **state)
{
    struct fixture *f = *state;
    char *path;
    json_t *value = NULL;

    record(f, plain, 1);
    path = aisp_format("%s/no/such/folder.md", f->folder);
    const char *const argv[] = { "bench", "report", "-o", path, "--artifacts-dir", f->folder };

    assert_int_equal(command(f, argv, 6, &value), AISP_E_IO);
    assert_null(value);
    assert_non_null(strstr(f->err.text, path));
    free(path);
}

static void a_run_that_is_not_there_is_not_found(void **state)
{
    struct fixture *f = *state;
    const char *const argv[] = { "bench", "report", "2020", "--artifacts-dir", f->folder };
    json_t *value = NULL;

    record(f, plain, 1);
    assert_int_equal(command(f, argv, 5, &value), AISP_E_NOT_FOUND);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(markdown_has_a_row_for_each_variant_under_its_target, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_report_of_one_record_is_always_the_same, set_up, tear_down),
        cmocka_unit_test_setup_teardown(times_of_an_invalid_variant_are_withheld, set_up, tear_down),
        cmocka_unit_test_setup_teardown(html_draws_every_comparison_and_needs_nothing_else, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_roofline_has_the_measured_ceilings_and_both_sides, set_up, tear_down),
        cmocka_unit_test_setup_teardown(texts_of_strangers_never_become_markup, set_up, tear_down),
        cmocka_unit_test_setup_teardown(windows_that_were_changed_afterwards_are_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_report_lies_in_the_runs_folder_and_where_asked, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_output_that_cannot_be_written_is_said_with_its_path, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_run_that_is_not_there_is_not_found, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
