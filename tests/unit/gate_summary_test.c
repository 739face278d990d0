/* gate_summary_test.c - sums over a run, what to look at first, and JUnit XML. */
#include "core/json.h"
#include "tests/unit/gate_figures.h"

#include "analysis/summary.h"
#include "analysis/triage.h"
#include "commands/gate/junit.h"

/* ---- summary ---- */

struct run { json_t *results, *figures; };

static struct run new_run(void)
{
    return (struct run){ json_array(), json_array() };
}

static void release(struct run *run)
{
    json_decref(run->results);
    json_decref(run->figures);
}

/* The result, to be changed before its figure is made. */
static json_t *add(struct run *run, const char *target, const char *variant, double ratio)
{
    json_t *result = made_result(target, variant, ratio, 0.001);

    json_array_append_new(run->results, result);
    return result;
}

static void set(json_t *result, const char *name, const char *text)
{
    json_object_set_new(result, name, json_string(text));
}

/* quarantined: index of who is in, or -1 */
static void make_figures(struct run *run, int quarantined)
{
    json_t *evidence = made_evidence();
    const json_t *result;
    size_t i;

    json_array_foreach(run->results, i, result)
        json_array_append_new(run->figures, aisp_figure_new(result, evidence, "amd-epyc-2c-vm",
                                                            (int)i == quarantined ? "in quarantine since" : NULL));
    json_decref(evidence);
}

static json_int_t count_at(const json_t *object, const char *name, const char *word)
{
    return json_integer_value(json_object_get(json_object_get(object, name), word));
}

/* Speeds 2 and 8 have the geometric mean 4; the memory ratio of 100, the invalid one and who is in quarantine are not in it. */
static void means_are_of_one_goal_and_of_valid_rows(void **state)
{
    struct run run = new_run();
    json_t *summary, *speed, *memory, *latency;

    (void)state;
    add(&run, "ch01:a", "optimized_x", 2);
    add(&run, "ch02:b", "optimized_x", 8);
    set(add(&run, "ch02:b", "optimized_m", 100), "goal", "memory");
    set(add(&run, "ch02:b", "optimized_bad", 50), "grade", "invalid");
    add(&run, "ch02:b", "optimized_in", 60);
    set(add(&run, "labs/l:c", "optimized_l", 3), "goal", "latency");
    json_object_set_new(json_array_get(run.results, 3), "ratio", json_null());
    json_object_set_new(json_array_get(run.results, 5), "ratio", json_null());
    set(json_array_get(run.results, 3), "verdict", "INVALID");
    set(json_array_get(run.results, 5), "verdict", "VERIFIED");
    make_figures(&run, 4);
    summary = aisp_summary_new(run.results, run.figures);
    assert_int_equal(json_integer_value(json_object_get(summary, "n_results")), 6);
    assert_int_equal(json_integer_value(json_object_get(summary, "n_quarantined")), 1);
    assert_int_equal(count_at(summary, "verdicts", "FASTER"), 3);
    assert_int_equal(count_at(summary, "verdicts", "INVALID"), 1);
    assert_int_equal(count_at(summary, "verdicts", "VERIFIED"), 1);
    assert_int_equal(count_at(summary, "grades", "development"), 5);
    assert_int_equal(json_array_size(json_object_get(summary, "chapters")), 3);
    assert_string_equal(aisp_json_text(json_array_get(json_object_get(summary, "chapters"), 2), "chapter"), "labs/l");
    assert_int_equal(count_at(json_array_get(json_object_get(summary, "chapters"), 1), "verdicts", "FASTER"), 2);
    speed = json_array_get(json_object_get(summary, "goals"), 0);
    memory = json_array_get(json_object_get(summary, "goals"), 1);
    latency = json_array_get(json_object_get(summary, "goals"), 2);
    assert_string_equal(aisp_json_text(speed, "goal"), "speed");
    assert_int_equal(json_integer_value(json_object_get(speed, "n")), 4);
    assert_int_equal(json_integer_value(json_object_get(speed, "n_valid")), 2);
    assert_near(aisp_json_number(speed, "geomean"), 4, 1e-12);
    assert_near(aisp_json_number(memory, "geomean"), 100, 1e-9);
    assert_true(json_is_null(json_object_get(latency, "geomean")));
    json_decref(summary);
    release(&run);
}

static void an_empty_run_has_an_empty_summary(void **state)
{
    struct run run = new_run();
    json_t *summary = aisp_summary_new(run.results, run.figures);

    (void)state;
    assert_int_equal(json_integer_value(json_object_get(summary, "n_results")), 0);
    assert_int_equal(json_array_size(json_object_get(summary, "goals")), 0);
    json_decref(summary);
    release(&run);
}

/* ---- triage ---- */

static json_t *changed(const char *variant, const char *verdict, double percent)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:{s:f}, s:{s:f}, s:{s:f, s:f, s:f}}", "target", "ch07:t", "variant",
                     variant, "device", "cpu", "size", "default", "verdict", verdict, "reason", "", "run",
                     "20261101T000000Z-aaaaaa", "before", "ratio", 2.0, "after", "ratio", 2.0 * (1 + percent / 100), "change",
                     "percent", percent, "lo95_percent", percent - 1, "hi95_percent", percent + 1);
}

static void assert_item(const json_t *items, size_t at, const char *kind, const char *text, const char *next)
{
    const json_t *item = json_array_get(items, at);

    assert_string_equal(aisp_json_text(item, "kind"), kind);
    if (!strstr(aisp_json_text(item, "text"), text))
        fail_msg("\"%s\" is not in \"%s\"", text, aisp_json_text(item, "text"));
    assert_string_equal(aisp_json_text(item, "next"), next);
}

static json_t *unsure(struct run *run, const char *variant, const char *reason, int n_pairs, int wanted)
{
    json_t *result = add(run, "ch07:t", variant, 1.002);

    set(result, "verdict", "UNSURE");
    set(result, "reason", reason);
    json_object_set_new(result, "n_pairs", json_integer(n_pairs));
    json_object_set_new(result, "pairs_wanted", json_integer(wanted));
    return result;
}

/* The items; what is left out is asked of one test. */
static json_t *triage(const struct aisp_triage_spec *spec)
{
    json_t *found = aisp_triage(spec), *items = json_incref(json_object_get(found, "items"));

    json_decref(found);
    return items;
}

static void the_worst_comes_first_and_each_says_what_to_type(void **state)
{
    struct run run = new_run();
    json_t *changes = json_array(), *items, *invalid;

    (void)state;
    add(&run, "ch07:t", "optimized_slow", 0.5);
    add(&run, "ch07:t", "optimized_slower", 0.25);
    invalid = add(&run, "ch07:t", "optimized_wrong", 2);
    set(invalid, "grade", "invalid");
    json_object_set_new(invalid, "reasons", json_pack("[s]", "output differs"));
    json_object_set_new(
        invalid, "findings",
        json_pack("[{s:s, s:s, s:s}]", "severity", "violation", "check", "approximation-drift", "text", "output differs"));
    add(&run, "ch07:t", "optimized_good", 3);
    json_array_append_new(changes, changed("optimized_good", "FASTER", 3));
    json_array_append_new(changes, changed("optimized_slow", "SLOWER", -7));
    json_array_append_new(changes, changed("optimized_slower", "UNSURE", -4));
    make_figures(&run, -1);
    items = triage(&(struct aisp_triage_spec){ .run = "20261128T000000Z-bbbbbb", .results = run.results, .figures = run.figures,
                                                    .changes = changes, .n_most = 1, .options = " --artifacts-dir a" });
    assert_int_equal(json_array_size(items), 5);
    assert_item(items, 0, "invalid", "approximation-drift: output differs", "aisp bench verify -t ch07:t --artifacts-dir a");
    assert_item(items, 1, "regression", "-7.0 % [-8.0, -6.0] against run 20261101",
                "aisp bench compare-runs 20261101T000000Z-aaaaaa 20261128T000000Z-bbbbbb --artifacts-dir a");
    assert_item(items, 2, "slower", "ratio 0.250",
                "aisp bench run -t ch07:t --variant optimized_slower --placement-audit --artifacts-dir a");
    assert_item(items, 3, "slower", "ratio 0.500",
                "aisp bench run -t ch07:t --variant optimized_slow --placement-audit --artifacts-dir a");
    assert_item(items, 4, "change", "-4.0 %",
                "aisp bench compare-runs 20261101T000000Z-aaaaaa 20261128T000000Z-bbbbbb --artifacts-dir a");
    json_decref(items);
    json_decref(changes);
    release(&run);
}

/* 12 pairs took 2.5 s; 48 take 10 s, and a fifth more to be safe. */
static void unsure_says_what_it_would_take(void **state)
{
    struct run run = new_run();
    json_t *changes = json_array(), *items, *custom;

    (void)state;
    unsure(&run, "optimized_a", aisp_reason_text(AISP_REASON_WIDE), 12, 48);
    unsure(&run, "optimized_b", aisp_reason_text(AISP_REASON_WIDE), 90, 400);
    custom = unsure(&run, "optimized_c", aisp_reason_text(AISP_REASON_CONTROL), 90, 0);
    set(custom, "size", "custom");
    set(custom, "reference", "peer_x");
    make_figures(&run, -1);
    items = triage(&(struct aisp_triage_spec){ .run = "r", .results = run.results, .figures = run.figures, .changes = changes,
                                                    .n_most = 5, .options = "" });
    assert_int_equal(json_array_size(items), 3);
    assert_item(items, 0, "unsure", "more pairs are not what is missing",
                "aisp bench compare ch07:t/peer_x ch07:t/optimized_c --set n=4096");
    assert_item(items, 1, "unsure", "about 48 pairs would decide it, there were 12",
                "aisp bench run -t ch07:t --variant optimized_a --time-limit 12s");
    assert_item(items, 2, "unsure", "no run takes more than 90", "aisp bench run -t ch07:t --variant optimized_b --band 0.4");
    json_decref(items);
    json_decref(changes);
    release(&run);
}

/* What else an elapsed time holds (verifying, filling) is not cut by a limit on pairs. */
static void a_known_time_limit_is_what_is_scaled(void **state)
{
    struct run run = new_run();
    json_t *changes = json_array(), *items;

    (void)state;
    unsure(&run, "optimized_a", aisp_reason_text(AISP_REASON_TOO_FEW_PAIRS), 3, 12);
    make_figures(&run, -1);
    items = triage(&(struct aisp_triage_spec){ .run = "r", .results = run.results, .figures = run.figures, .changes = changes,
                                               .n_most = 5, .time_limit_s = 0.5, .options = "" });
    assert_item(items, 0, "unsure", "about 12 pairs would decide it, there were 3",
                "aisp bench run -t ch07:t --variant optimized_a --time-limit 3s");
    json_decref(items);
    json_decref(changes);
    release(&run);
}

static void what_is_left_out_is_counted(void **state)
{
    struct run run = new_run();
    json_t *changes = json_array(), *found;

    (void)state;
    for (int i = 0; i < 5; i++)
        unsure(&run, "optimized_a", aisp_reason_text(AISP_REASON_WIDE), 12, 20 + i);
    json_array_append_new(changes, changed("optimized_good", "SAME", 3));
    json_array_append_new(changes, changed("optimized_good", "SLOWER", -3));
    make_figures(&run, -1);
    found = aisp_triage(&(struct aisp_triage_spec){
        .run = "r", .results = run.results, .figures = run.figures, .changes = changes, .n_most = 0, .options = "" });
    assert_int_equal(json_array_size(json_object_get(found, "items")), 1);      /* a regression never is */
    assert_int_equal(count_at(found, "left_out", "unsure"), 5);
    assert_int_equal(count_at(found, "left_out", "change"), 1);
    json_decref(found);
    json_decref(changes);
    release(&run);
}

static void a_name_that_a_shell_would_read_is_quoted(void **state)
{
    struct run run = new_run();
    json_t *changes = json_array(), *items;

    (void)state;
    add(&run, "my:it's $HOME", "optimized_x", 0.5);
    make_figures(&run, -1);
    items = triage(&(struct aisp_triage_spec){ .run = "r", .results = run.results, .figures = run.figures, .changes = changes,
                                                    .n_most = 5, .options = "" });
    assert_item(items, 0, "slower", "ratio", "aisp bench run -t 'my:it'\\''s $HOME' --variant optimized_x --placement-audit");
    json_decref(items);
    json_decref(changes);
    release(&run);
}

/* ---- JUnit ---- */

static void assert_xml(const char *bytes, size_t n, const char *wanted)
{
    struct aisp_buf out = AISP_BUF_INIT;

    aisp_buf_puts(&out, "");
    aisp_xml_put(&out, bytes, n);
    assert_string_equal(out.s, wanted);
    aisp_buf_release(&out);
}
#define BAD "\xef\xbf\xbd"

static void xml_escapes_what_is_special_and_replaces_what_it_cannot_hold(void **state)
{
    (void)state;
    assert_xml("a<b>&\"'", 7, "a&lt;b&gt;&amp;&quot;'");
    assert_xml("a\tb\nc\rd", 7, "a&#9;b&#10;c&#13;d");
    assert_xml("\0\x01\x1b[31m", 7, BAD BAD BAD "[31m");
    assert_xml("\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80", 11, "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80");
    assert_xml("\xff\xc3", 2, BAD BAD);                             /* cut off */
    assert_xml("\xc0\xaf", 2, BAD BAD);                             /* overlong */
    assert_xml("\xed\xa0\x80", 3, BAD BAD BAD);                     /* surrogate */
    assert_xml("\xf4\x90\x80\x80", 4, BAD BAD BAD BAD);             /* beyond U+10FFFF */
    assert_xml("\xef\xbf\xbe", 3, BAD);                             /* U+FFFE is no character */
    assert_xml("\xe0\x80\xaf", 3, BAD BAD BAD);
}

/* ---- is it XML? A reader of elements, attributes, entities and text that takes nothing else. ---- */

struct reader { const char *at; bool is_broken; };

static bool take(struct reader *r, const char *text)
{
    const size_t n = strlen(text);

    if (strncmp(r->at, text, n))
        return false;
    r->at += n;
    return true;
}

static size_t name_length(const char *at)
{
    return strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
}

/* Text up to one of `end`; what would be markup there has to be an entity, and no control character is let through. */
static void read_text(struct reader *r, const char *end)
{
    static const char *const entities[] = { "&amp;", "&lt;", "&gt;", "&quot;", "&apos;", "&#9;", "&#10;", "&#13;" };

    while (*r->at && !strchr(end, *r->at) && !r->is_broken) {
        bool is_entity = false;

        for (size_t i = 0; i < sizeof entities / sizeof *entities && !is_entity; i++)
            is_entity = take(r, entities[i]);
        if (is_entity)
            continue;
        r->is_broken = *r->at == '&' || *r->at == '<' || ((unsigned char)*r->at < 0x20 && *r->at != '\n');
        r->at++;
    }
}

static void read_attributes(struct reader *r)
{
    while (take(r, " ") && !r->is_broken) {
        const size_t n = name_length(r->at);

        r->at += n;
        if (!n || !take(r, "=\"")) {
            r->is_broken = true;
            return;
        }
        read_text(r, "\"");
        r->is_broken |= !take(r, "\"");
    }
}

static void read_element(struct reader *r)
{
    const char *name = r->at + 1;
    const size_t n = name_length(name);

    r->is_broken |= !take(r, "<") || !n;
    r->at += n;
    read_attributes(r);
    if (take(r, "/>"))
        return;
    r->is_broken |= !take(r, ">");
    while (!r->is_broken && strncmp(r->at, "</", 2)) {
        read_text(r, "<");
        if (*r->at == '<' && r->at[1] != '/')
            read_element(r);
        r->is_broken |= !*r->at;
    }
    r->is_broken |= !take(r, "</") || strncmp(r->at, name, n);
    r->at += r->is_broken ? 0 : n;
    r->is_broken |= !take(r, ">");
}

static bool is_well_formed(const char *text)
{
    struct reader r = { text, false };
    json_t *utf8 = json_string(text);            /* NULL where it is none */
    const bool is_utf8 = utf8 != NULL;

    json_decref(utf8);
    take(&r, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    read_element(&r);
    r.at += strspn(r.at, "\n");
    return is_utf8 && !r.is_broken && !*r.at;
}

static void the_reader_refuses_what_is_no_xml(void **state)
{
    (void)state;
    assert_true(is_well_formed("<a><b c=\"d\"/>e &amp; f</a>"));
    assert_false(is_well_formed("<a><b></a></b>"));
    assert_false(is_well_formed("<a b=\"c\"d\"/>"));
    assert_false(is_well_formed("<a>&</a>"));
    assert_false(is_well_formed("<a>\x01</a>"));
    assert_false(is_well_formed("<a>\xff</a>"));
    assert_false(is_well_formed("<a/><b/>"));
    assert_false(is_well_formed("<a>"));
}

static json_t *one_case(const char *suite, const char *name, const char *outcome, double time_s)
{
    return json_pack("{s:s, s:s, s:s, s:f, s:s, s:s, s:s}", "suite", suite, "classname", "ch07:t", "name", name, "time_s",
                     time_s, "outcome", outcome, "type", "UNSURE", "message", "a < b & \"c\"");
}

static void junit_counts_by_suite(void **state)
{
    json_t *cases = json_array();
    struct aisp_buf out = AISP_BUF_INIT;

    (void)state;
    json_array_append_new(cases, one_case("ch07", "x", "pass", 1));
    json_array_append_new(cases, one_case("ch08", "y", "failure", 2));
    json_array_append_new(cases, one_case("ch07", "z", "error", 0.25));
    json_array_append_new(cases, one_case("ch08", "w", "skipped", 0));
    aisp_junit(cases, "n", "2026-11-28T07:05:01Z", &out);
    assert_string_equal(
        out.s,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<testsuites name=\"n\" tests=\"4\" failures=\"1\" errors=\"1\" skipped=\"1\" time=\"3.250\">\n"
        "  <testsuite name=\"ch07\" tests=\"2\" failures=\"0\" errors=\"1\" skipped=\"0\" time=\"1.250\""
        " timestamp=\"2026-11-28T07:05:01\">\n"
        "    <testcase classname=\"ch07:t\" name=\"x\" time=\"1.000\"/>\n"
        "    <testcase classname=\"ch07:t\" name=\"z\" time=\"0.250\">\n"
        "      <error message=\"a &lt; b &amp; &quot;c&quot;\" type=\"UNSURE\">a &lt; b &amp; &quot;c&quot;</error>\n"
        "    </testcase>\n"
        "  </testsuite>\n"
        "  <testsuite name=\"ch08\" tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"1\" time=\"2.000\""
        " timestamp=\"2026-11-28T07:05:01\">\n"
        "    <testcase classname=\"ch07:t\" name=\"y\" time=\"2.000\">\n"
        "      <failure message=\"a &lt; b &amp; &quot;c&quot;\" type=\"UNSURE\">a &lt; b &amp; &quot;c&quot;</failure>\n"
        "    </testcase>\n"
        "    <testcase classname=\"ch07:t\" name=\"w\" time=\"0.000\">\n"
        "      <skipped message=\"a &lt; b &amp; &quot;c&quot;\">a &lt; b &amp; &quot;c&quot;</skipped>\n"
        "    </testcase>\n"
        "  </testsuite>\n"
        "</testsuites>\n");
    aisp_buf_release(&out);
    json_decref(cases);
}

static void junit_is_well_formed_whatever_the_names_are(void **state)
{
    static const char *const nasty[] = { "<script>&\"'>", "]]>", "<!-- -->", "&#x0;", "\x01\x1b[0m\r\n\t", "\xef\xbf\xbf", "" };
    json_t *cases = json_array();
    struct aisp_buf out = AISP_BUF_INIT;

    (void)state;
    for (size_t i = 0; i < sizeof nasty / sizeof *nasty; i++)
        for (size_t k = 0; k < 2; k++)
            json_array_append_new(cases, json_pack("{s:s, s:s, s:s, s:n, s:s, s:s, s:s}", "suite", nasty[i], "classname",
                                                   nasty[i], "name", nasty[i], "time_s", "outcome", k ? "failure" : "skipped",
                                                   "type", nasty[i], "message", nasty[i]));
    aisp_junit(cases, nasty[0], nasty[1], &out);
    assert_true(is_well_formed(out.s));
    aisp_buf_release(&out);
    json_decref(cases);
}

static void junit_of_nothing_is_whole(void **state)
{
    json_t *cases = json_array();
    struct aisp_buf out = AISP_BUF_INIT;

    (void)state;
    aisp_junit(cases, "n", "", &out);
    assert_true(is_well_formed(out.s));
    assert_non_null(strstr(
        out.s, "<testsuites name=\"n\" tests=\"0\" failures=\"0\" errors=\"0\" skipped=\"0\" time=\"0.000\">\n</testsuites>"));
    aisp_buf_release(&out);
    json_decref(cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(means_are_of_one_goal_and_of_valid_rows),
        cmocka_unit_test(an_empty_run_has_an_empty_summary),
        cmocka_unit_test(the_worst_comes_first_and_each_says_what_to_type),
        cmocka_unit_test(unsure_says_what_it_would_take),
        cmocka_unit_test(a_known_time_limit_is_what_is_scaled),
        cmocka_unit_test(what_is_left_out_is_counted),
        cmocka_unit_test(a_name_that_a_shell_would_read_is_quoted),
        cmocka_unit_test(xml_escapes_what_is_special_and_replaces_what_it_cannot_hold),
        cmocka_unit_test(junit_counts_by_suite),
        cmocka_unit_test(the_reader_refuses_what_is_no_xml),
        cmocka_unit_test(junit_is_well_formed_whatever_the_names_are),
        cmocka_unit_test(junit_of_nothing_is_whole),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
