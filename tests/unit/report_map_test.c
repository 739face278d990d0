/* report_map_test.c - reports of runs with a sweep: the map stands for the rows of its points, in each form. */
#include "tests/unit/report_scene.h"

#include "commands/report.h"
#include "commands/reports/crossing.h"
#include "commands/reports/pdf_sheet.h"

/* A point of ch01:gemm: its value of n and m (0: no second parameter), its verdict, its ratio. */
struct measured { const char *variant; int m, n; const char *verdict, *grade; double ratio; };

static void add_point(struct fixture *f, const struct measured *p)
{
    char key[80], point[40];
    const struct spec s = { key, "ch01:gemm", p->variant, "An idea", p->verdict, p->grade, NULL, 1000, 1000 / p->ratio, false };
    struct aisp_evidence ev;
    json_t *result, *evidence;

    if (p->m)
        snprintf(point, sizeof point, "m=%d n=%d", p->m, p->n);
    else
        snprintf(point, sizeof point, "n=%d", p->n);
    snprintf(key, sizeof key, "%s.%d.%d", p->variant, p->m, p->n);
    result = result_of(&s);
    json_object_set_new(result, "size", json_string("custom"));
    json_object_set_new(result, "point", json_string(point));
    json_object_set_new(result, "params", json_pack("{s:i, s:i, s:i}", "n", p->n, "m", p->m ? p->m : 1, "k", 7));
    fill(&ev, &s);
    evidence = aisp_evidence_to_json(&ev);
    assert_int_equal(aisp_store_result_add(f->store, f->run, result, evidence, &f->err), AISP_OK);
    json_decref(result);
    json_decref(evidence);
    aisp_evidence_release(&ev);
}

static void record_sweep(struct fixture *f, json_t *over, const struct measured *p, size_t n)
{
    json_t *manifest = json_pack("{s:s, s:s, s:s, s:{s:[{s:s, s:o}]}}", "host", "abc", "command", "bench run", "started",
                                 "2026-11-28T07:00:00Z", "options", "sweeps", "target", "ch01:gemm", "over", over);
    json_t *summary = json_pack("{s:i}", "n_results", (int)n);

    assert_int_equal(aisp_store_run_begin(f->store, manifest, f->run, &f->err), AISP_OK);
    for (size_t i = 0; i < n; i++)
        add_point(f, &p[i]);
    assert_int_equal(aisp_store_run_finish(f->store, f->run, summary, &f->err), AISP_OK);
    json_decref(manifest);
    json_decref(summary);
}

static const struct measured line[] = {
    { "optimized_a", 0, 64, "SLOWER", "publishable", 0.5 },    { "optimized_b", 0, 64, "SLOWER", "publishable", 0.8 },
    { "optimized_a", 0, 128, "SLOWER", "publishable", 0.8 },   { "optimized_b", 0, 128, "FASTER", "publishable", 1.2 },
    { "optimized_a", 0, 256, "UNSURE", "development", 1.005 }, { "optimized_b", 0, 256, "FASTER", "publishable", 1.3 },
    { "optimized_a", 0, 512, "FASTER", "publishable", 2.5 },   { "optimized_b", 0, 512, "FASTER", "publishable", 1.4 },
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

static void markdown_says_where_the_winner_changes(void **state)
{
    struct fixture *f = *state;
    char *text;

    record_sweep(f, json_pack("[s]", "n=64:512:x2"), line, 8);
    text = made(f, aisp_report_markdown);
    assert_non_null(strstr(text, "## ch01:gemm: where the winner changes\n\nn=64 to 512; 4 points; m=1 k=7\n"));
    assert_non_null(strstr(text, "- **optimized_a**: crossover between n=128 and n=512 (undecided at 256): FASTER above\n"));
    assert_non_null(strstr(text, "- **optimized_b**: crossover between n=64 and n=128: FASTER above\n"));
    assert_non_null(strstr(text, "- winner: baseline at n=64; optimized_b at n=128 to 256; optimized_a at n=512\n"));
    assert_non_null(strstr(text, "| optimized_a | n=128 | 1.00 \u00b5s | 1.25 \u00b5s | 0.800 \\[0.790, 0.810\\] | SLOWER | "
                                 "publishable |\n"));
    assert_non_null(strstr(text, "| UNSURE: the interval holds 1;"));
    assert_int_equal(count_of(text, "\n## ch01:gemm\n"), 0); /* its points have no tables of their own */
    assert_non_null(strstr(text, "8 comparisons: 4 FASTER, 3 SLOWER, 1 UNSURE"));
    free(text);
}

static void html_draws_one_map_a_variant(void **state)
{
    struct fixture *f = *state;
    char *text;

    record_sweep(f, json_pack("[s]", "n=64:512:x2"), line, 8);
    text = made(f, aisp_report_html);
    assert_int_equal(count_of(text, "<svg class=\"strip tall\""), 2);
    assert_int_equal(count_of(text, "class=\"dot good\""), 4);
    assert_int_equal(count_of(text, "class=\"dot bad\""), 3);
    assert_int_equal(count_of(text, "class=\"dot unsure\""), 1);
    assert_int_equal(count_of(text, "class=\"dot hole\""), 1);
    assert_int_equal(count_of(text, "class=\"band unsure\""), 2);
    assert_int_equal(count_of(text, "class=\"one\""), 2);
    assert_int_equal(count_of(text, "<path class=\"plain\""), 2 * 3);
    assert_int_equal(count_of(text, "<path class=\"b\""), 3); /* bars of winners: b twice, a once */
    assert_int_equal(count_of(text, "<path class=\"a\""), 2); /* the baseline at 64, in both */
    assert_int_equal(count_of(text, "class=\"forest\""), 0);
    assert_int_equal(count_of(text, "class=\"card\""), 0);
    assert_int_equal(count_of(text, ">64</span>"), 2);
    assert_int_equal(count_of(text, "<div"), count_of(text, "</div>"));
    assert_int_equal(count_of(text, "<span"), count_of(text, "</span>"));
    assert_null(strstr(text, "nan"));
    free(text);
}

static const struct measured grid[] = {
    { "optimized_a", 1, 8, "SLOWER", "publishable", 0.4 },    { "optimized_a", 1, 16, "UNSURE", "development", 0.99 },
    { "optimized_a", 2, 8, "UNSURE", "development", 1.01 }, { "optimized_a", 2, 16, "FASTER", "publishable", 3 },
    { "optimized_a", 4, 8, "INVALID", "invalid", 9 },
};

static void two_parameters_are_a_heat_map(void **state)
{
    struct fixture *f = *state;
    char *text;

    record_sweep(f, json_pack("[s, s]", "m=1,2,4", "n=8,16"), grid, 5);
    text = made(f, aisp_report_html);
    assert_int_equal(count_of(text, "<svg class=\"heat\""), 1);
    assert_int_equal(count_of(text, "class=\"cell "), 4); /* what is withheld, and what was not measured, is empty */
    assert_int_equal(count_of(text, "class=\"cell bad s4\""), 1);
    assert_int_equal(count_of(text, "class=\"cell bad s1\""), 1);
    assert_int_equal(count_of(text, "class=\"cell good s1\""), 1);
    assert_int_equal(count_of(text, "class=\"cell good s4\""), 1);
    assert_int_equal(count_of(text, "<path class=\"unsure\""), 2 * 8); /* hatched */
    assert_int_equal(count_of(text, ">not measured</td>"), 1);
    assert_null(strstr(text, "9.000"));
    free(text);
}

static void a_list_is_drawn_evenly_and_factors_on_logarithms(void **state)
{
    json_t *list = json_pack("{s:[{s:s, s:[i, i, i], s:b}], s:[{s:[{s:f}]}]}", "axes", "name", "n", "values", 100, 200, 1000,
                             "is_geometric", 0, "series", "points", "ratio", 2.0);
    json_t *axis = json_array_get(json_object_get(list, "axes"), 0);
    struct aisp_axis x, y;

    (void)state;
    assert_true(aisp_crossing_axes(list, &x, &y));
    assert_false(x.is_log);
    assert_true(fabs(aisp_axis_at(&x, 550) - 0.5) < 1e-9);
    json_object_set_new(axis, "is_geometric", json_true());
    assert_true(aisp_crossing_axes(list, &x, &y));
    assert_true(x.is_log);
    assert_true(fabs(aisp_axis_at(&x, sqrt(100.0 * 1000)) - 0.5) < 1e-9);
    json_decref(list);
}

static void values_are_labelled_shortly(void **state)
{
    char text[32];

    (void)state;
    aisp_crossing_label(4096, text);
    assert_string_equal(text, "4096");
    aisp_crossing_label(65536, text);
    assert_string_equal(text, "64Ki");
    aisp_crossing_label(16777216, text);
    assert_string_equal(text, "16Mi");
    aisp_crossing_label(1000000, text);
    assert_string_equal(text, "1000000");
}

static void a_pdf_has_the_map_with_its_points(void **state)
{
    struct fixture *f = *state;
    static const char crossover[] = "(crossover between n=128 and n=512 \\050undecided at 256\\051: FASTER above)";
    struct aisp_report report = AISP_REPORT_INIT;
    struct aisp_buf pdf = AISP_BUF_INIT;
    enum aisp_status st;

    record_sweep(f, json_pack("[s]", "n=64:512:x2"), line, 8);
    assert_int_equal(aisp_report_load(&report, f->store, f->run, &f->err), AISP_OK);
    st = aisp_report_pdf(&report, false, &pdf, &f->err);
    if (st == AISP_E_UNAVAILABLE) { /* built without libharu */
        aisp_report_release(&report);
        skip();
    }
    assert_int_equal(st, AISP_OK);
    assert_non_null(memmem(pdf.s, pdf.len, crossover, strlen(crossover)));
    assert_non_null(memmem(pdf.s, pdf.len, "(optimized_b)", 13));
    assert_non_null(memmem(pdf.s, pdf.len, "(512)", 5));
    aisp_buf_release(&pdf);
    aisp_report_release(&report);
}

/* Prometheus refuses two samples of one name with the same labels. */
static void points_of_a_sweep_are_series_of_their_own(void **state)
{
    struct fixture *f = *state;
    const char *const argv[] = { "bench", "export", "latest", "--format", "openmetrics", "--artifacts-dir", f->folder };
    json_t *value = NULL;
    const char *text;

    record_sweep(f, json_pack("[s]", "n=64:512:x2"), line, 8);
    assert_int_equal(command(f, argv, 7, &value), AISP_OK);
    text = json_string_value(json_object_get(value, "text"));
    assert_non_null(text);
    assert_int_equal(count_of(text, "\naisp_speedup_ratio{"), 8);
    for (size_t i = 0; i < 8; i++) {
        char *key = aisp_format("aisp_speedup_ratio{hardware=\"\",target=\"ch01:gemm\",variant=\"%s\",reference=\"baseline\","
                                "device=\"cpu\",size=\"custom\",key=\"%s.%d.%d\"}",
                                line[i].variant, line[i].variant, line[i].m, line[i].n);

        if (count_of(text, key) != 1)
            fail_msg("%s\n%s", key, text);
        free(key);
    }
    json_decref(value);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(markdown_says_where_the_winner_changes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(html_draws_one_map_a_variant, set_up, tear_down),
        cmocka_unit_test_setup_teardown(two_parameters_are_a_heat_map, set_up, tear_down),
        cmocka_unit_test(a_list_is_drawn_evenly_and_factors_on_logarithms),
        cmocka_unit_test(values_are_labelled_shortly),
        cmocka_unit_test_setup_teardown(points_of_a_sweep_are_series_of_their_own, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_pdf_has_the_map_with_its_points, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
