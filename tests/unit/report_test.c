/* report_test.c - reports of records that were made through the store: what they say, what they withhold, and that no
 * stranger's text becomes markup. */
#include <math.h>

#include "tests/unit/temporary.h"

#include "commands/command.h"
#include "commands/report.h"
#include "core/base/rng.h"
#include "core/evidence.h"
#include "core/stats/stats.h"

#define SCRIPT "<script>alert(1)</script>"
#define NASTY SCRIPT "\"'&|`*_[x](javascript:y)\n# h"

struct fixture {
    char *folder;
    struct aisp_store *store;
    char run[AISP_RUN_ID_MAX];
    struct aisp_err err;
};

static int set_up(void **state)
{
    struct fixture *f = aisp_xcalloc(1, sizeof *f);

    f->folder = temporary_folder();
    assert_int_equal(aisp_store_open(&f->store, f->folder, true, &f->err), AISP_OK);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    aisp_store_close(f->store);
    remove_folder(f->folder);
    free(f);
    return 0;
}

/* ---- a record ---- */

struct spec {
    const char *key, *target, *variant, *idea, *verdict, *grade, *finding;
    double a_ns, b_ns;               /* of a call */
    bool tampered;
};

enum { PAIRS = 12, BLOCKS = 8 };

static void add_window(struct aisp_evidence *ev, int pair, int block, int side, int64_t ns)
{
    struct aisp_window *w = aisp_grow(&ev->window, &ev->n_windows, &ev->cap_windows, sizeof *w);

    *w = (struct aisp_window){ .pair = pair, .block = block, .index = block * 4, .side = (int8_t)side,
                               .kind = AISP_WINDOW_TIMED, .calls = 10, .start_ns = (int64_t)ev->n_windows * 1000000,
                               .window_ns = ns, .inner_ns = ns - 50, .gap_ns = 100 };
}

/* Windows of 10 calls around the two times, up to 4 % slower. */
static void fill(struct aisp_evidence *ev, const struct spec *s)
{
    uint64_t x = 7;

    *ev = (struct aisp_evidence)AISP_EVIDENCE_INIT;
    snprintf(ev->target, sizeof ev->target, "%s", s->target);
    strcpy(ev->device, "cpu");
    strcpy(ev->size, "quick");
    strcpy(ev->variant[AISP_A].name, "baseline");
    snprintf(ev->variant[AISP_B].name, sizeof ev->variant[AISP_B].name, "%s", s->variant);
    ev->calls_per_window = 10;
    ev->calibration.taken_at = 1764000000;
    ev->calibration.expires_at = 1764600000;
    ev->calibration.clock_step_ns = 10;
    ev->calibration.aa_floor[0] = 0.003;
    for (int pair = 0; pair < PAIRS; pair++) {
        struct aisp_pair *p = aisp_grow(&ev->pair, &ev->n_pairs, &ev->cap_pairs, sizeof *p);

        p->pair = pair;
        p->complete = true;
        for (int i = 0; i < BLOCKS * 4; i++) {
            const int side = i % 4 == 0 || i % 4 == 3 ? AISP_A : AISP_B;

            x = x * 6364136223846793005u + 1442695040888963407u;
            add_window(ev, pair, i / 4, side,
                       (int64_t)((side == AISP_A ? s->a_ns : s->b_ns) * 10 * (1 + 0.04 * (double)(x >> 40) / (1 << 24))));
        }
    }
    aisp_evidence_chain(ev, ev->chain);
    if (s->tampered)
        ev->window[3].window_ns /= 2;
}

static json_t *both(double a, double b)
{
    return json_pack("{s:o, s:o}", "a", json_real(a), "b", isfinite(b) ? json_real(b) : json_null());
}

static json_t *result_of(const struct spec *s)
{
    const bool is_invalid = !strcmp(s->grade, "invalid");
    const double b = is_invalid ? NAN : s->b_ns;
    json_t *findings = json_array(), *reasons = json_array();

    if (s->finding) {
        json_array_append_new(findings, json_pack("{s:s, s:i, s:s, s:s, s:s}", "check", "stale-cache", "issue", 9, "severity",
                                                  is_invalid ? "violation" : "development", "side", "b", "text", s->finding));
        json_array_append_new(reasons, json_string(s->finding));
    }
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:{s:i}, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:s, s:i, s:i, s:s, s:o, s:o, "
                     "s:{s:f, s:n, s:s}}",
                     "key", s->key, "target", s->target, "variant", s->variant, "reference", "baseline", "device", "cpu", "size",
                     "quick", "params", "rows", 64, "idea", s->idea, "verdict", s->verdict, "ratio",
                     is_invalid ? json_null() : json_real(s->a_ns / b), "lo95",
                     is_invalid ? json_null() : json_real(s->a_ns / b - 0.01), "hi95",
                     is_invalid ? json_null() : json_real(s->a_ns / b + 0.01), "median_ns", both(s->a_ns, b), "p5_ns",
                     both(s->a_ns * 0.99, b * 0.99), "p95_ns", both(s->a_ns * 1.04, b * 1.04), "reason",
                     strcmp(s->verdict, "UNSURE") ? "" : "the interval holds 1", "n_pairs", PAIRS, "pairs_wanted",
                     strcmp(s->verdict, "UNSURE") ? 0 : 77, "grade", s->grade, "reasons", reasons, "findings", findings,
                     "roof_percent", "bytes", 61.2, "flops", "bound", "bytes");
}

static void record(struct fixture *f, const struct spec *spec, size_t n)
{
    json_t *manifest = json_pack("{s:s, s:s, s:s, s:{s:s, s:I, s:b}}", "host", "abc", "command", "bench run", "started",
                                 "2026-11-28T07:00:00Z", "environment", "cpu_model", "CPU " NASTY, "n_cpus", (json_int_t)2,
                                 "virtual_machine", false);
    json_t *summary = json_pack("{s:i}", "n_results", (int)n);

    assert_int_equal(aisp_store_run_begin(f->store, manifest, f->run, &f->err), AISP_OK);
    for (size_t i = 0; i < n; i++) {
        struct aisp_evidence ev;
        json_t *result = result_of(&spec[i]), *evidence;

        fill(&ev, &spec[i]);
        evidence = aisp_evidence_to_json(&ev);
        assert_int_equal(aisp_store_result_add(f->store, f->run, result, evidence, &f->err), AISP_OK);
        json_decref(result);
        json_decref(evidence);
        aisp_evidence_release(&ev);
    }
    assert_int_equal(aisp_store_run_finish(f->store, f->run, summary, &f->err), AISP_OK);
    json_decref(manifest);
    json_decref(summary);
}

static const struct spec plain[] = {
    { "k1", "ch07:transpose", "optimized_tiled", "Tiles stay in L1", "FASTER", "publishable", NULL, 8210, 4105, false },
    { "k2", "ch01:dot", "optimized_simd", "Wide lanes", "UNSURE", "development", "a virtual machine", 901, 900, false },
    { "k3", "ch07:transpose", "optimized_cheat", "Remember answers", "INVALID", "invalid", "call 3 returned an old answer", 8210,
      123.4, false },
};

static char *made(struct fixture *f, void (*make)(const struct aisp_report *, struct aisp_buf *))
{
    struct aisp_report report = AISP_REPORT_INIT;
    struct aisp_buf text = AISP_BUF_INIT;

    assert_int_equal(aisp_report_load(&report, f->store, "latest", &f->err), AISP_OK);
    make(&report, &text);
    aisp_report_release(&report);
    return aisp_buf_detach(&text);
}

static size_t count_of(const char *text, const char *what)
{
    size_t n = 0;

    for (const char *at = text; (at = strstr(at, what)); at += strlen(what))
        n++;
    return n;
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
    assert_int_equal(aisp_report_load(&report, f->store, "latest", &f->err), AISP_OK);
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
    assert_int_equal(count_of(text, "<svg class=\"strip tall\""), 2);
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

static void texts_of_strangers_never_become_markup(void **state)
{
    static const struct spec nasty = { "k", NASTY, NASTY, NASTY, "FASTER", "development", NASTY, 500, 400, false };
    static const struct spec worse = { "l", NASTY, NASTY, NASTY, NASTY, NASTY, NASTY, 500, 400, false };
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
    assert_true(count_of(text, "&lt;script&gt;alert(1)&lt;/script&gt;\"'&amp;\\|\\`\\*\\_\\[x\\]") >= 8);
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

static enum aisp_status command(struct fixture *f, const char *const *argv, int argc, json_t **value)
{
    struct aisp_args args;
    const char *topic;
    int exit_code;
    enum aisp_status st;

    st = aisp_args_parse(&args, argc, argv, &topic, &f->err);
    if (!st)
        st = aisp_command_run(&args, NULL, value, &exit_code, &f->err);
    aisp_args_release(&args);
    return st;
}

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
        cmocka_unit_test_setup_teardown(texts_of_strangers_never_become_markup, set_up, tear_down),
        cmocka_unit_test_setup_teardown(windows_that_were_changed_afterwards_are_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_report_lies_in_the_runs_folder_and_where_asked, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_output_that_cannot_be_written_is_said_with_its_path, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_run_that_is_not_there_is_not_found, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
