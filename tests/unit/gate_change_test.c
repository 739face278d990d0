/* gate_change_test.c - changes between two runs: the arithmetic against numbers worked out apart (a table of the normal
 * distribution, logarithms), and what may be compared at all. */
#include "core/json.h"
#include "tests/unit/gate_figures.h"

#include "analysis/compare_runs.h"
#include "core/evidence.h"

#define CLOSE 1e-9

static struct aisp_change change_of(struct aisp_ratio before, struct aisp_ratio after, struct aisp_noise noise, double band)
{
    const struct aisp_change_rules rules = { .alpha = 0.01, .n_rows = 1, .floor = 0.006, .band = band };
    struct aisp_change c;

    aisp_change_of(&before, &after, &noise, &rules, &c);
    return c;
}

static void normal_quantiles_are_those_of_the_tables(void **state)
{
    (void)state;
    assert_near(aisp_normal_two_sided(0.05), 1.959963984540054, 1e-12);
    assert_near(aisp_normal_two_sided(0.01), 2.575829303548901, 1e-12);
    assert_near(aisp_normal_two_sided(1e-4), 3.890591886413124, 1e-10);
}

/* se of either run: (log 2.02 - log 1.98) / (2 * 1.96) = 0.0051021; noise 0.005 twice; together 0.0101028. */
static void change_has_the_intervals_of_both_runs_and_the_noise_twice(void **state)
{
    const struct aisp_noise noise = { .sd_log = 0.004, .sd_log_high = 0.005, .n_runs = 30, .is_learned = true };
    const struct aisp_change c =
        change_of((struct aisp_ratio){ 2, 1.98, 2.02 }, (struct aisp_ratio){ 1.8, 1.782, 1.818 }, noise, 0.01);

    (void)state;
    assert_near(c.change, -0.10536051565782628, CLOSE);
    assert_near(c.sd, 0.010102822649890843, CLOSE);
    assert_near(c.lo95, -0.12516168419380785, CLOSE);
    assert_near(c.vlo, -0.13138366228797266, CLOSE);
    assert_near(c.vhi, -0.07933736902767990, CLOSE);
    assert_near(c.smallest_seen, 0.04264081110826681, CLOSE);
    assert_int_equal(c.verdict, AISP_SLOWER);
    assert_int_equal(c.reason, AISP_CHANGE_CLEAR);
}

/* 1 % over 100 rows is 1e-4 for each: 3.8906 standard deviations. */
static void many_rows_share_the_rate_of_false_alarms(void **state)
{
    const struct aisp_noise noise = { .sd_log_high = 0.005, .n_runs = 30, .is_learned = true };
    const struct aisp_ratio before = { 2, 1.98, 2.02 }, after = { 1.8, 1.782, 1.818 };
    const struct aisp_change_rules rules = { .alpha = 0.01, .n_rows = 100, .floor = 0.006, .band = 0.01 };
    struct aisp_change c;

    (void)state;
    aisp_change_of(&before, &after, &noise, &rules, &c);
    assert_near(c.vlo, -0.1446664754893623, CLOSE);
    assert_near(c.vhi, -0.06605455582629027, CLOSE);
    assert_near(c.lo95, -0.12516168419380785, CLOSE);
}

static void same_needs_the_whole_interval_inside_the_band(void **state)
{
    const struct aisp_noise noise = { .sd_log_high = 0.001, .n_runs = 30, .is_learned = true };
    const struct aisp_ratio before = { 2, 1.99, 2.01 }, after = { 2.002, 1.992, 2.012 };
    struct aisp_change c = change_of(before, after, noise, 0.011);

    (void)state;
    assert_int_equal(c.verdict, AISP_SAME);
    c = change_of(before, after, noise, 0.0109);
    assert_int_equal(c.verdict, AISP_UNSURE);
    assert_int_equal(c.reason, AISP_CHANGE_WIDE);
    assert_near(c.band_wanted, 0.010976678033960643, CLOSE);
}

/* A 5 % drop with tight intervals: clear for who takes each run at its word, not with 2.7 % of noise. */
static void without_a_history_only_large_changes_have_a_verdict(void **state)
{
    const struct aisp_noise none = { .sd_log = NAN, .sd_log_high = NAN, .n_runs = 3 };
    struct aisp_change c = change_of((struct aisp_ratio){ 2, 1.99, 2.01 }, (struct aisp_ratio){ 1.9, 1.89, 1.91 }, none, 0.01);

    (void)state;
    assert_int_equal(c.verdict, AISP_UNSURE);
    assert_int_equal(c.reason, AISP_CHANGE_NOT_LEARNED);
    assert_near(c.noise_sd, 0.027, CLOSE);
    assert_near(c.vhi, 0.04752322623433945, CLOSE);
    c = change_of((struct aisp_ratio){ 2, 1.99, 2.01 }, (struct aisp_ratio){ 1.6, 1.59, 1.61 }, none, 0.01);
    assert_int_equal(c.verdict, AISP_SLOWER);
    assert_near(c.vhi, -0.12422778267381737, CLOSE);
    c = change_of((struct aisp_ratio){ 2, 1.999, 2.001 }, (struct aisp_ratio){ 2, 1.999, 2.001 }, none, 1);
    assert_int_equal(c.verdict, AISP_UNSURE);      /* never SAME, however wide the band */
}

/* Few runs that already differ by more than what is assumed are believed. */
static void what_few_runs_show_is_not_assumed_smaller(void **state)
{
    const struct aisp_noise wild = { .sd_log = 0.09, .sd_log_high = NAN, .n_runs = 4 };
    const struct aisp_change c =
        change_of((struct aisp_ratio){ 2, 1.99, 2.01 }, (struct aisp_ratio){ 1.6, 1.59, 1.61 }, wild, 0.01);

    (void)state;
    assert_near(c.noise_sd, 0.09, CLOSE);
    assert_int_equal(c.verdict, AISP_UNSURE);
}

static void what_bias_can_make_is_no_change(void **state)
{
    const struct aisp_noise noise = { .sd_log_high = 0.0001, .n_runs = 30, .is_learned = true };
    struct aisp_change c =
        change_of((struct aisp_ratio){ 2, 1.999, 2.001 }, (struct aisp_ratio){ 2.008, 2.007, 2.009 }, noise, 0.002);

    (void)state;
    assert_true(c.vlo > 0);                        /* clear of 0, by 0.4 %, which is below 0.6 % */
    assert_int_equal(c.verdict, AISP_UNSURE);
    assert_int_equal(c.reason, AISP_CHANGE_BELOW_FLOOR);
    c = change_of((struct aisp_ratio){ 2, 1.999, 2.001 }, (struct aisp_ratio){ 2.008, 2.007, 2.009 }, noise, 0.01);
    assert_int_equal(c.verdict, AISP_SAME);
}

static void a_figure_without_an_interval_gives_nothing(void **state)
{
    const struct aisp_ratio bad[] = { { NAN, NAN, NAN }, { 2, NAN, 2.1 }, { 2, 0, 2.1 },
                                      { 2, 2.1, 1.9 },   { -2, 1, 2 },    { 2, 1.9, INFINITY } };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct aisp_change c = change_of(bad[i], (struct aisp_ratio){ 2, 1.9, 2.1 }, *quiet(), 0.01);

        assert_int_equal(c.verdict, AISP_UNSURE);
        assert_int_equal(c.reason, AISP_CHANGE_NO_INTERVAL);
        assert_true(isnan(c.change));
        c = change_of((struct aisp_ratio){ 2, 1.9, 2.1 }, bad[i], *quiet(), 0.01);
        assert_int_equal(c.reason, AISP_CHANGE_NO_INTERVAL);
    }
}

/* ---- the rate of false alarms, as promised ---- */

static uint64_t seed = 88172645463325252u;

static double uniform(void)
{
    seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
    return ((double)(seed >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(void)
{
    return sqrt(-2 * log(uniform())) * cos(2 * 3.14159265358979323846 * uniform());
}

static struct aisp_ratio drawn(double truth, double noise, double se)
{
    const double centre = truth + noise * normal() + se * normal();

    return (struct aisp_ratio){ exp(centre), exp(centre - 1.959964 * se), exp(centre + 1.959964 * se) };
}

/* 40 rows of the same code, 500 times: alarms in 1 % of the gates are 5; 15 or more have a chance below 1e-4. Without the noise
 * between runs (0.6 % where a run knows itself to 0.2 %) most of the gates would ring. */
static void a_gate_rings_falsely_as_rarely_as_promised(void **state)
{
    const struct aisp_noise known = { .sd_log = 0.006, .sd_log_high = 0.006, .n_runs = 50, .is_learned = true };
    const struct aisp_noise ignored = { .sd_log = 0, .sd_log_high = 0, .n_runs = 50, .is_learned = true };
    const struct aisp_change_rules rules = { .alpha = 0.01, .n_rows = 40, .floor = 0.006, .band = 0.01 };
    int n_known = 0, n_ignored = 0, n_seen = 0;

    (void)state;
    for (int gate = 0; gate < 500; gate++) {
        bool rings[2] = { false, false };

        for (int row = 0; row < 40; row++) {
            const struct aisp_ratio a = drawn(0.7, 0.006, 0.002), b = drawn(0.7, 0.006, 0.002);
            struct aisp_change c;

            aisp_change_of(&a, &b, &known, &rules, &c);
            rings[0] |= c.verdict == AISP_SLOWER || c.verdict == AISP_FASTER;
            aisp_change_of(&a, &b, &ignored, &rules, &c);
            rings[1] |= c.verdict == AISP_SLOWER || c.verdict == AISP_FASTER;
        }
        n_known += rings[0];
        n_ignored += rings[1];
    }
    print_message("false alarms in 500 gates of 40 rows: %d, without the noise between runs %d\n", n_known, n_ignored);
    assert_true(n_known < 15);
    assert_true(n_ignored > 400);

    /* And a drop of the size that it says it sees is found in 95 of 100. */
    for (int i = 0; i < 4000; i++) {
        struct aisp_ratio a = drawn(0.7, 0.006, 0.002), b;
        struct aisp_change c;

        aisp_change_of(&a, &a, &known, &rules, &c);
        b = drawn(0.7 - c.smallest_seen, 0.006, 0.002);
        aisp_change_of(&a, &b, &known, &rules, &c);
        n_seen += c.verdict == AISP_SLOWER;
    }
    print_message("drops of that size found: %d of 4000\n", n_seen);
    assert_in_range(n_seen, 3740, 3860);
}

/* The noise as it is really known: learned from a row's history. 20 rows, 400 times; 15 or more gates that ring falsely have a
 * chance below 1e-4 at the promised 1 %. */
static void a_gate_that_learned_its_noise_keeps_its_promise(void **state)
{
    static const int lengths[] = { AISP_NOISE_MIN_RUNS, 20, 60 };
    const struct aisp_change_rules rules = { .alpha = 0.01, .n_rows = 20, .floor = 0.006, .band = 0.01 };

    (void)state;
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        double seen = 0;
        int n_false = 0;

        for (int gate = 0; gate < 400; gate++) {
            bool rings = false;

            for (int row = 0; row < 20; row++) {
                struct aisp_noise_run history[60];
                struct aisp_ratio a = drawn(0.7, 0.006, 0.002), b = drawn(0.7, 0.006, 0.002);
                struct aisp_noise noise;
                struct aisp_change c;

                for (int i = 0; i < lengths[k]; i++)
                    history[i] =
                        (struct aisp_noise_run){ .log_ratio = 0.7 + 0.006 * normal() + 0.002 * normal(), .se_log = 0.002 };
                assert_int_equal(aisp_noise_of(history, (size_t)lengths[k], &noise, NULL), AISP_OK);
                assert_true(noise.is_learned);
                aisp_change_of(&a, &b, &noise, &rules, &c);
                rings |= c.verdict == AISP_SLOWER || c.verdict == AISP_FASTER;
                seen += c.smallest_seen / (400 * 20);
            }
            n_false += rings;
        }
        print_message("noise learned from %d runs: %d false alarms in 400 gates of 20 rows; sees drops of %.1f %%\n",
                      lengths[k], n_false, -aisp_change_percent(-seen));
        assert_true(n_false < 15);
    }
}

/* ---- what may be compared ---- */

static void quiet_source(void *context, const json_t *figure, struct aisp_noise *out)
{
    (void)context;
    (void)figure;
    *out = *quiet();
}

static json_t *compare(json_t *before, json_t *after)
{
    json_t *a = json_pack("[o*]", before), *b = json_pack("[o*]", after), *rows;

    rows = aisp_compare_runs(&(struct aisp_compare_spec){ .before = a, .after = b, .alpha = 0.01, .noise = quiet_source });
    json_decref(a);
    json_decref(b);
    return rows;
}

static void assert_row(json_t *rows, const char *verdict, const char *state, const char *reason)
{
    const json_t *row = json_array_get(rows, 0);

    assert_int_equal(json_array_size(rows), 1);
    assert_string_equal(aisp_json_text(row, "verdict"), verdict);
    assert_string_equal(aisp_json_text(row, "state"), state);
    if (!strstr(aisp_json_text(row, "reason"), reason))
        fail_msg("\"%s\" in \"%s\"", reason, aisp_json_text(row, "reason"));
    json_decref(rows);
}

static json_t *with(json_t *figure, const char *name, json_t *value)
{
    json_object_set_new(figure, name, value);
    return figure;
}

static json_t *usual(double ratio)
{
    return made_figure("ch07:transpose", "optimized_tiled", ratio, 0.001);
}

static void rows_that_share_the_baseline_are_compared(void **state)
{
    (void)state;
    assert_row(compare(usual(2), usual(1.9)), "SLOWER", "compared", "");
    assert_row(compare(usual(2), usual(2.1)), "FASTER", "compared", "");
    assert_row(compare(usual(2), usual(2.001)), "SAME", "compared", "");
}

static void what_is_not_shared_is_named(void **state)
{
    (void)state;
    assert_row(compare(usual(2), with(usual(2), "reference_sha256", json_string(HASH_P))), "UNSURE", "other",
               "the baseline is another one (hash cccccccc, was aaaaaaaa)");
    assert_row(compare(usual(2), with(usual(2), "problem_sha256", json_string(HASH_A))), "UNSURE", "other",
               "the problem is another one");
    assert_row(compare(usual(2), with(usual(2), "problem_sha256", json_null())), "UNSURE", "other",
               "not known whether the problem");
    assert_row(compare(usual(2), with(usual(2), "params", json_pack("{s:i}", "n", 2048))), "UNSURE", "other",
               "parameter n is 2048, was 4096");
    assert_row(compare(usual(2), with(usual(2), "params", json_pack("{s:i, s:i}", "n", 4096, "m", 1))), "UNSURE", "other",
               "parameter m is new");
    assert_row(compare(usual(2), with(usual(2), "params", json_object())), "UNSURE", "other", "parameter n is gone");
    assert_row(compare(usual(2), with(usual(2), "goal", json_string("latency"))), "UNSURE", "other",
               "the goal is latency, was speed");
    assert_row(compare(usual(2), with(usual(2), "threads", json_integer(8))), "UNSURE", "other", "ran with 8 threads");
    assert_row(compare(usual(2), with(usual(2), "hardware", json_string("intel-4c"))), "UNSURE", "other",
               "a ratio moves with the machine");
}

static void another_variant_alone_is_what_is_compared(void **state)
{
    (void)state;
    assert_row(compare(usual(2), with(usual(1.8), "variant_sha256", json_string(HASH_A))), "SLOWER", "compared", "");
}

static void rows_of_one_run_only_are_named(void **state)
{
    (void)state;
    assert_row(compare(NULL, usual(2)), "UNSURE", "only after", "the run before has no such row");
    assert_row(compare(usual(2), NULL), "UNSURE", "only before", "the run after has no such row");
}

static json_t *spoiled(const char *name, json_t *value, const char *second, json_t *other)
{
    json_t *result = made_result("ch07:transpose", "optimized_tiled", 2, 0.001);

    json_object_set_new(result, name, value);
    if (second)
        json_object_set_new(result, second, other);
    return figure_of(result);
}

/* Before and after are of one device in two scopes: two rows, and neither has its other half. */
static void rows_of_two_scopes_are_not_compared(void **state)
{
    json_t *rows = compare(spoiled("device", json_string("cuda"), "scope", json_string("call")),
                           spoiled("device", json_string("cuda"), "scope", json_string("kernel")));

    (void)state;
    assert_int_equal(json_array_size(rows), 2);
    json_decref(rows);
    assert_row(compare(spoiled("device", json_string("cuda"), "scope", json_string("kernel")),
                       spoiled("device", json_string("cuda"), "scope", json_string("kernel"))),
               "SAME", "compared", "");
    assert_row(compare(spoiled("device", json_string("cuda"), NULL, NULL), /* from before there were scopes */
                       spoiled("device", json_string("cuda"), "scope", json_string("call"))),
               "SAME", "compared", "");
}

static void what_is_withheld_has_no_change(void **state)
{
    (void)state;
    assert_row(compare(usual(2), spoiled("grade", json_string("invalid"), "reasons", json_pack("[s]", "wrong at element 3"))),
               "UNSURE", "invalid", "invalid: wrong at element 3");
    assert_row(compare(spoiled("grade", json_string("invalid"), NULL, NULL), usual(2)), "UNSURE", "no figure",
               "before: invalid");
    assert_row(compare(usual(2), spoiled("verdict", json_string("VERIFIED"), NULL, NULL)), "UNSURE", "no figure",
               "only its outputs");
    assert_row(compare(usual(2), spoiled("lo95", json_null(), NULL, NULL)), "UNSURE", "no figure", "no interval");
}

/* Wide intervals are what the arithmetic is for; an alarm says that the figure itself is not to be believed. */
static void an_unsure_result_counts_unless_an_alarm_made_it(void **state)
{
    (void)state;
    assert_row(
        compare(usual(2), spoiled("verdict", json_string("UNSURE"), "reason", json_string(aisp_reason_text(AISP_REASON_WIDE)))),
        "SAME", "compared", "");
    assert_row(compare(usual(2),
                       spoiled("verdict", json_string("UNSURE"), "reason", json_string(aisp_reason_text(AISP_REASON_CONTROL)))),
               "UNSURE", "no figure", "the baseline against itself");
}

/* As evidence is really written, and not as these tests make it up. */
static void hashes_and_floor_are_found_in_real_evidence(void **state)
{
    struct aisp_evidence ev = AISP_EVIDENCE_INIT;
    json_t *result = made_result("ch07:transpose", "optimized_tiled", 2, 0.001), *evidence, *figure;

    (void)state;
    strcpy(ev.variant[AISP_A].sha256, HASH_A);
    strcpy(ev.variant[AISP_B].sha256, HASH_B);
    strcpy(ev.watched[AISP_WATCHED_PROBLEM].sha256, HASH_P);
    ev.floor = 0.004;
    ev.band = 0.01;
    evidence = aisp_evidence_to_json(&ev);
    figure = aisp_figure_new(result, evidence, "", NULL);
    assert_string_equal(aisp_json_text(figure, "reference_sha256"), HASH_A);
    assert_string_equal(aisp_json_text(figure, "variant_sha256"), HASH_B);
    assert_string_equal(aisp_json_text(figure, "problem_sha256"), HASH_P);
    assert_near(aisp_json_number(figure, "floor"), 0.004, 0);
    assert_near(aisp_json_number(figure, "band"), 0.01, 0);
    json_decref(figure);
    json_decref(result);
    json_decref(evidence);
    aisp_evidence_release(&ev);
}

static json_t *with_code(const char *problem, const char *a)
{
    json_t *result = made_result("ch07:transpose", "optimized_tiled", 2, 0.001);

    json_object_set_new(result, "code", json_pack("{s:s, s:s, s:s}", "problem", problem, "a", a, "b", HASH_B));
    json_object_set_new(result, "floor", json_real(0.004));
    json_object_set_new(result, "band", json_real(0.01));
    return figure_of(result);
}

/* Where a result says what its objects load, the files do not matter: another build folder makes other files of it. */
static void the_same_code_is_the_same_wherever_it_was_built(void **state)
{
    json_t *figure = with_code(HASH_P, HASH_A);

    (void)state;
    assert_string_equal(aisp_json_text(figure, "hash_of"), "code");
    assert_near(aisp_json_number(figure, "floor"), 0.004, 0);
    json_decref(figure);
    assert_row(compare(with_code(HASH_P, HASH_A), with_code(HASH_P, HASH_A)), "SAME", "compared", "");
    assert_row(compare(with_code(HASH_P, HASH_A), with_code(HASH_B, HASH_A)), "UNSURE", "other", "the problem is another one");
    assert_row(compare(with_code(HASH_P, HASH_A), with_code(HASH_P, HASH_B)), "UNSURE", "other", "the baseline is another one");
    assert_row(compare(usual(2), with_code(HASH_P, HASH_A)), "UNSURE", "other", "one hash is of its file, one of its code");
}

static void who_is_in_quarantine_has_no_change(void **state)
{
    json_t *result = made_result("ch07:transpose", "optimized_tiled", 2, 0.001), *evidence = made_evidence();
    json_t *figure = aisp_figure_new(result, evidence, "amd-epyc-2c-vm", "in quarantine since run 2026: drift");

    (void)state;
    assert_row(compare(usual(2), figure), "UNSURE", "invalid", "in quarantine since run 2026");
    json_decref(result);
    json_decref(evidence);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(normal_quantiles_are_those_of_the_tables),
        cmocka_unit_test(change_has_the_intervals_of_both_runs_and_the_noise_twice),
        cmocka_unit_test(many_rows_share_the_rate_of_false_alarms),
        cmocka_unit_test(same_needs_the_whole_interval_inside_the_band),
        cmocka_unit_test(without_a_history_only_large_changes_have_a_verdict),
        cmocka_unit_test(what_few_runs_show_is_not_assumed_smaller),
        cmocka_unit_test(what_bias_can_make_is_no_change),
        cmocka_unit_test(a_figure_without_an_interval_gives_nothing),
        cmocka_unit_test(a_gate_rings_falsely_as_rarely_as_promised),
        cmocka_unit_test(a_gate_that_learned_its_noise_keeps_its_promise),
        cmocka_unit_test(rows_that_share_the_baseline_are_compared),
        cmocka_unit_test(what_is_not_shared_is_named),
        cmocka_unit_test(another_variant_alone_is_what_is_compared),
        cmocka_unit_test(rows_of_one_run_only_are_named),
        cmocka_unit_test(rows_of_two_scopes_are_not_compared),
        cmocka_unit_test(what_is_withheld_has_no_change),
        cmocka_unit_test(an_unsure_result_counts_unless_an_alarm_made_it),
        cmocka_unit_test(hashes_and_floor_are_found_in_real_evidence),
        cmocka_unit_test(the_same_code_is_the_same_wherever_it_was_built),
        cmocka_unit_test(who_is_in_quarantine_has_no_change),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
