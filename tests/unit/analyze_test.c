/* analyze_test.c - the analysing commands over a real store on disk, with results that were made for the test: what no machine
 * at hand measures (energy, cards, ranks) has its cases worked by hand here.
 * Not here: each analysis alone (leaderboard_test.c, pareto_test.c ...), their text (tests/cli/analyze/). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "commands/command.h"
#include "store/quarantine.h"
#include "store/store.h"
#include "tests/unit/temporary.h"

struct fixture {
    char *folder;
    struct aisp_store *store;
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

/* ---- records ---- */

/* One sealed run of the JSON texts of results; evidence is the same for all of them. */
static void record(struct fixture *f, const char *cpu, const char *evidence_text, const char *const *results, size_t n)
{
    json_t *manifest = json_pack("{s:s, s:{s:s, s:s, s:i, s:I, s:b}}", "host", cpu, "environment", "cpu_model", cpu, "isa",
                                 "avx2", "n_cpus", 4, "l3_bytes", (json_int_t)1 << 25, "virtual_machine", 0);
    json_t *evidence = json_loads(evidence_text, 0, NULL), *summary = json_object();
    char run[AISP_RUN_ID_MAX];

    assert_non_null(manifest);
    assert_non_null(evidence);
    assert_int_equal(aisp_store_run_begin(f->store, manifest, run, &f->err), AISP_OK);
    for (size_t i = 0; i < n; i++) {
        json_t *result = json_loads(results[i], 0, NULL);

        assert_non_null(result);
        if (aisp_store_result_add(f->store, run, result, evidence, &f->err))
            fail_msg("%s", f->err.text);
        json_decref(result);
    }
    assert_int_equal(aisp_store_run_finish(f->store, run, summary, &f->err), AISP_OK);
    json_decref(manifest);
    json_decref(evidence);
    json_decref(summary);
}
#define RECORD(f, cpu, evidence, ...)                                                                                        \
    record(f, cpu, evidence, (const char *const[]){ __VA_ARGS__ }, sizeof(const char *[]){ __VA_ARGS__ } / sizeof(char *))

#define RESULT(variant, device, ratio, rest)                                                                                 \
    "{\"key\": \"" variant "\", \"target\": \"ch01:x\", \"variant\": \"" variant                                             \
    "\", \"reference\": \"baseline\", \"device\": \"" device "\", \"size\": \"default\", \"goal\": \"speed\", "              \
    "\"verdict\": \"FASTER\", \"grade\": \"development\", \"ratio\": " ratio rest "}"
#define CARD "{\"machine\": {\"card\": {\"name\": \"NVIDIA H100 80GB HBM3\"}}, \"flops\": 600000000000}"

/* ---- asking ---- */

static json_t *ask_with(struct fixture *f, int argc, const char *const *argv, enum aisp_status wanted)
{
    const char *line[24], *topic;
    struct aisp_args args;
    json_t *value = NULL;
    int exit_code;
    enum aisp_status st;

    memcpy(line, argv, (size_t)argc * sizeof *argv);
    line[argc++] = "--artifacts-dir";
    line[argc++] = f->folder;
    assert_int_equal(aisp_args_parse(&args, argc, line, &topic, &f->err), AISP_OK);
    st = aisp_command_run(&args, NULL, &value, &exit_code, &f->err);
    if (st != wanted)
        fail_msg("status %d: %s", st, f->err.text);
    if (!st) { /* whatever was answered can be shown */
        struct aisp_buf text = AISP_BUF_INIT;
        const struct aisp_style style = { false, 80 };

        args.command->render(value, &style, &text);
        assert_non_null(text.s);
        for (const char *at = text.s; *at; at += strcspn(at, "\n") + 1)
            assert_true(strcspn(at, "\n") <= 80 + 4); /* a micro sign is two bytes */
        aisp_buf_release(&text);
        assert_true(json_is_string(json_object_get(value, "explain")));
    }
    aisp_args_release(&args);
    return value;
}
#define ASK(f, ...)                                                                                                          \
    ask_with(f, sizeof(const char *[]){ __VA_ARGS__ } / sizeof(char *), (const char *const[]){ __VA_ARGS__ }, AISP_OK)
#define FAIL(f, st, ...)                                                                                                     \
    ask_with(f, sizeof(const char *[]){ __VA_ARGS__ } / sizeof(char *), (const char *const[]){ __VA_ARGS__ }, st)

/* "list.0.watts.b" */
static const json_t *at(const json_t *value, const char *path)
{
    char *copy = aisp_xstrdup(path), *rest = NULL;

    for (char *part = strtok_r(copy, ".", &rest); part; part = strtok_r(NULL, ".", &rest))
        value = json_is_array(value) ? json_array_get(value, (size_t)atoi(part)) : json_object_get(value, part);
    free(copy);
    return value;
}

static void assert_number(const json_t *value, const char *path, double wanted)
{
    const double x = json_number_value(at(value, path));

    if (!json_is_number(at(value, path)) || !(x - wanted <= 1e-6 * wanted && wanted - x <= 1e-6 * wanted))
        fail_msg("%s is %.9g, not %.9g", path, x, wanted);
}

static void assert_text(const json_t *value, const char *path, const char *wanted)
{
    const char *text = json_string_value(at(value, path));

    assert_non_null(text);
    assert_string_equal(text, wanted);
}

/* ---- tests ---- */

/* 2 ms and 0.1 J a call of 1000 tokens: 50 W, 0.1 mJ a token, 10,000 tokens a joule; the reference takes 4 ms and 0.3 J. */
static void power_divides_measured_energy_by_units(void **state)
{
    struct fixture *f = *state;
    json_t *value;

    RECORD(f, "Card Host 1234", CARD,
           RESULT("optimized_a", "cuda", "2.0", ", \"median_ns\": {\"a\": 4000000, \"b\": 2000000}, \"energy_j\": {\"a\": 0.3, "
                  "\"b\": 0.1}, \"per_second\": {\"unit\": \"token\", \"a\": 250000, \"b\": 500000}"),
           RESULT("optimized_b", "cuda", "2.0", ", \"median_ns\": {\"a\": 4000000, \"b\": 2000000}"));
    value = ASK(f, "bench", "power");
    assert_number(value, "n_measured", 1);
    assert_number(value, "n_not_measured", 1);
    assert_text(value, "list.0.unit", "token");
    assert_number(value, "list.0.watts.b", 50);
    assert_number(value, "list.0.watts.a", 75);
    assert_number(value, "list.0.joules_per_unit.b", 1e-4);
    assert_number(value, "list.0.joules_per_unit.a", 3e-4);
    assert_number(value, "list.0.units_per_joule.b", 10000);
    assert_number(value, "list.0.energy_ratio", 3);
    assert_number(value, "list.0.gflops_per_watt.b", 6000); /* 6e11 operations for 0.1 J */
    assert_number(value, "list.0.gflops_per_watt.a", 2000);
    json_decref(value);
    value = ASK(f, "bench", "whatif", "--power", "50");
    assert_number(value, "n.fits", 1);
    assert_number(value, "n.not_measured", 1);
    assert_text(value, "list.1.fit", "not measured");
    assert_text(value, "list.1.missing.0", "power");
    assert_true(json_is_null(at(value, "list.1.watts")));
    json_decref(value);
}

/* 3.50 $/h over 500,000 tokens a second: 1.8e9 an hour. */
static void cost_takes_the_price_of_the_card(void **state)
{
    struct fixture *f = *state;
    json_t *value;

    RECORD(f, "Card Host 1234", CARD,
           RESULT("optimized_a", "cuda", "2.0", ", \"per_second\": {\"unit\": \"token\", \"a\": 250000, \"b\": 500000}"));
    value = ASK(f, "bench", "cost", "--gpu", "h100", "--top", "10");
    assert_text(value, "list.0.price.name", "H100");
    assert_number(value, "list.0.usd_per_million.b", 3.5 / 1800);
    assert_number(value, "list.0.saving_percent", 50);
    json_decref(value);
    value = ASK(f, "bench", "cost", "--price", "H100=2.80");
    assert_number(value, "list.0.usd_per_million.b", 2.8 / 1800);
    json_decref(value);
    value = ASK(f, "bench", "cost", "--gpu", "T4");
    assert_number(value, "n_costed", 0);
    assert_number(value, "n_without_price", 1);
    json_decref(value);
    FAIL(f, AISP_E_USAGE, "bench", "cost", "--gpu", "H10");
    assert_non_null(strstr(f->err.text, "H100"));
}

static void results_of_one_machine_are_taken(void **state)
{
    struct fixture *f = *state;
    char *older;
    json_t *value;

    RECORD(f, "First 1111", "{}", RESULT("optimized_a", "cpu", "9.0", ", \"lo95\": 8.0, \"hi95\": 10.0"));
    value = ASK(f, "bench", "analyze");
    older = aisp_xstrdup(json_string_value(at(value, "hardware")));
    json_decref(value);
    RECORD(f, "Second 2222", "{}", RESULT("optimized_b", "cpu", "2.0", ", \"lo95\": 1.9, \"hi95\": 2.1"));
    value = ASK(f, "bench", "analyze");
    assert_number(value, "n_results", 1);
    assert_text(value, "leaderboards.0.entries.0.variant", "optimized_b");
    json_decref(value);
    value = ASK(f, "bench", "analyze", "--hardware", older);
    assert_text(value, "leaderboards.0.entries.0.variant", "optimized_a");
    json_decref(value);
    value = ASK(f, "bench", "analyze", "--show", "pareto", "--mixed", "--hardware", "*");
    assert_number(value, "pareto.0.n", 2);
    assert_text(value, "pareto.0.frontier.0.variant", "optimized_a");
    json_decref(value);
    free(older);
}

/* The best ever seen does not come back when the newest is worse, or wrong. */
static void newest_result_stands(void **state)
{
    struct fixture *f = *state;
    json_t *value;

    RECORD(f, "One 1111", "{}", RESULT("optimized_a", "cpu", "9.0", ", \"lo95\": 8.0, \"hi95\": 10.0"));
    RECORD(f, "One 1111", "{}", RESULT("optimized_a", "cpu", "2.0", ", \"lo95\": 1.9, \"hi95\": 2.1"));
    value = ASK(f, "bench", "analyze");
    assert_number(value, "n_results", 1);
    assert_number(value, "leaderboards.0.entries.0.ratio", 2);
    json_decref(value);
    value = ASK(f, "bench", "analyze", "--show", "scatter", "--all-results");
    assert_number(value, "n_results", 2);
    json_decref(value);
    RECORD(f, "One 1111", "{}",
           "{\"key\": \"a\", \"target\": \"ch01:x\", \"variant\": \"optimized_a\", \"reference\": \"baseline\", "
           "\"device\": \"cpu\", \"size\": \"default\", \"goal\": \"speed\", \"verdict\": \"INVALID\", "
           "\"grade\": \"invalid\", \"ratio\": null}");
    value = ASK(f, "bench", "analyze");
    assert_number(value, "n_results", 0);
    assert_number(value, "left_out.invalid", 1);
    assert_int_equal(json_array_size(at(value, "leaderboards")), 0);
    assert_text(value, "recommendations.list.0.kind", "repair");
    json_decref(value);
}

#define GOAL(goal, variant, rest)                                                                                            \
    "{\"key\": \"" goal variant "\", \"target\": \"ch01:" goal "\", \"variant\": \"" variant \
    "\", \"reference\": \"baseline\", \"device\": \"cpu\", \"size\": \"default\", \"goal\": \"" goal \
    "\", \"verdict\": \"FASTER\", \"grade\": \"development\", \"ratio\": 4.0, \"lo95\": 3.9, \"hi95\": 4.1, " \
    "\"median_ns\": {\"a\": 3000, \"b\": 1000}, " rest "}"

/* Each goal has its own board, with its own figure; a memory goal's speed is that of its times. */
static void goals_have_boards_of_their_own(void **state)
{
    struct fixture *f = *state;
    json_t *value;

    RECORD(f, "One 1111", "{}",
           GOAL("memory", "optimized_m", "\"goal_figure\": {\"bytes\": {\"a\": 4096, \"b\": 1024}}"),
           GOAL("throughput", "optimized_t", "\"goal_figure\": {\"rate\": {\"a\": 250, \"b\": 1000}}"),
           GOAL("latency", "optimized_l", "\"p99_ns\": {\"a\": 8000, \"b\": 2000}"),
           GOAL("speed", "optimized_s", "\"p99_ns\": {\"a\": 8000, \"b\": 2000}"));
    value = ASK(f, "bench", "analyze");
    assert_int_equal(json_array_size(at(value, "leaderboards")), 4);
    assert_text(value, "leaderboards.0.goal", "speed");
    assert_text(value, "leaderboards.0.entries.0.figure.name", "median_ns");
    assert_text(value, "leaderboards.1.entries.0.variant", "optimized_t");
    assert_number(value, "leaderboards.1.entries.0.figure.value", 1000);
    assert_text(value, "leaderboards.2.entries.0.figure.name", "p99_ns");
    assert_number(value, "leaderboards.2.entries.0.figure.value", 2000);
    assert_text(value, "leaderboards.3.entries.0.variant", "optimized_m");
    assert_number(value, "leaderboards.3.entries.0.figure.value", 1024);
    assert_number(value, "leaderboards.3.entries.0.memory_saving_percent", 75);
    json_decref(value);
    value = ASK(f, "bench", "analyze", "--show", "pareto", "--goal", "memory");
    assert_number(value, "pareto.0.frontier.0.speed.value", 3);
    assert_number(value, "pareto.0.frontier.0.memory.value", 4);
    assert_number(value, "pareto.0.frontier.0.memory.lo95", 3.9);
    assert_number(value, "pareto.0.n_dominated", 1); /* the baseline */
    json_decref(value);
    value = ASK(f, "bench", "whatif", "--latency", "0.002");
    assert_number(value, "n.fits", 2);
    assert_number(value, "n.not_measured", 2);
    json_decref(value);
}

static void quarantined_variants_are_left_out_until_they_pass(void **state)
{
    struct fixture *f = *state;
    const struct aisp_quarantine_entry entry = { .target = "ch01:x", .variant = "optimized_a", .device = "cpu", .run = "later",
                                                 .finding = "output", .reason = "wrong" };
    json_t *value;

    RECORD(f, "One 1111", "{}", RESULT("optimized_a", "cpu", "9.0", ", \"lo95\": 8.0, \"hi95\": 10.0"),
           RESULT("optimized_b", "cpu", "2.0", ", \"lo95\": 1.9, \"hi95\": 2.1"));
    assert_int_equal(aisp_store_quarantine_put(f->store, &entry, &f->err), AISP_OK);
    value = ASK(f, "bench", "analyze");
    assert_number(value, "n_results", 1);
    assert_number(value, "left_out.quarantined", 1);
    assert_number(value, "left_out.invalid", 0);
    assert_text(value, "leaderboards.0.entries.0.variant", "optimized_b");
    assert_text(value, "recommendations.list.1.kind", "repair");
    json_decref(value);
    value = ASK(f, "bench", "whatif", "--latency", "1");
    assert_number(value, "n_results", 1);
    assert_number(value, "left_out.quarantined", 1);
    json_decref(value);
    assert_int_equal(aisp_store_quarantine_clear(f->store, &entry, NULL, &f->err), AISP_OK);
    value = ASK(f, "bench", "analyze");
    assert_text(value, "leaderboards.0.entries.0.variant", "optimized_a");
    json_decref(value);
}

#define RANKS(ranks, n, ns)                                                                                                  \
    RESULT("optimized_a", "cpu", "2.0", ", \"params\": {\"n\": " n ", \"ranks\": " ranks "}, \"threads\": 1, "               \
           "\"median_ns\": {\"a\": 1000, \"b\": " ns "}")

/* Ranks 1, 2: of the same n the work doubles (weak), of n and n/2 it stays (strong). */
static void ranks_scale_weakly_and_strongly(void **state)
{
    struct fixture *f = *state;
    json_t *value;
    const json_t *sweeps;
    int weak = -1, strong = -1;

    RECORD(f, "One 1111", "{\"flops\": 800, \"bytes\": 0}", RANKS("1", "800", "100"));
    RECORD(f, "One 1111", "{\"flops\": 1600, \"bytes\": 0}", RANKS("2", "800", "125"));
    RECORD(f, "One 1111", "{\"flops\": 800, \"bytes\": 0}", RANKS("2", "400", "55"));
    value = ASK(f, "bench", "scaling", "--over", "ranks");
    sweeps = at(value, "sweeps");
    assert_int_equal(json_array_size(sweeps), 2);
    for (int i = 0; i < 2; i++)
        *(json_is_null(at(json_array_get(sweeps, (size_t)i), "fixed")) ? &strong : &weak) = i;
    assert_true(weak >= 0 && strong >= 0);
    sweeps = json_array_get(at(value, "sweeps"), (size_t)weak);
    assert_text(sweeps, "series.1.processes.kind", "weak");
    assert_number(sweeps, "series.1.processes.points.1.efficiency", 0.8);
    sweeps = json_array_get(at(value, "sweeps"), (size_t)strong);
    assert_text(sweeps, "series.1.processes.kind", "strong");
    assert_number(sweeps, "series.1.processes.points.1.speedup", 100.0 / 55);
    assert_number(sweeps, "series.1.processes.points.1.serial_share", 0.1);
    json_decref(value);
    FAIL(f, AISP_E_NOT_FOUND, "bench", "scaling", "--over", "rows");
}

#define SWEEP(n, ns, ratio, lo, hi)                                                                                          \
    RESULT("optimized_a", "cpu", ratio, ", \"lo95\": " lo ", \"hi95\": " hi ", \"params\": {\"n\": " n "}, \"threads\": 1, " \
           "\"median_ns\": {\"a\": 1000, \"b\": " ns "}")

/* 3 n^2 ns; better below, worse above, and the newer of two results at n = 4 counts. */
static void sweep_has_a_law_and_a_crossing(void **state)
{
    struct fixture *f = *state;
    json_t *value;

    RECORD(f, "One 1111", "{}", SWEEP("4", "99999", "1.0", "0.9", "1.1"));
    RECORD(f, "One 1111", "{}", SWEEP("2", "12", "4.0", "3.9", "4.1"));
    RECORD(f, "One 1111", "{}", SWEEP("4", "48", "2.0", "1.9", "2.1"));
    RECORD(f, "One 1111", "{}", SWEEP("8", "192", "0.5", "0.4", "0.6"));
    value = ASK(f, "bench", "scaling");
    assert_int_equal(json_array_size(at(value, "sweeps")), 1);
    assert_text(value, "sweeps.0.parameter", "n");
    assert_text(value, "sweeps.0.series.1.variant", "optimized_a");
    assert_number(value, "sweeps.0.series.1.law.exponent", 2);
    assert_number(value, "sweeps.0.series.1.law.factor_ns", 3);
    assert_true(json_is_null(at(value, "sweeps.0.series.1.law.lo95"))); /* three sizes have no interval */
    assert_number(value, "sweeps.0.crossovers.0.lo", 4);
    assert_number(value, "sweeps.0.crossovers.0.hi", 8);
    assert_number(value, "sweeps.0.crossovers.0.at", 4 * 1.41421356237);
    assert_true(json_is_false(at(value, "sweeps.0.crossovers.0.better_above")));
    json_decref(value);
}

static void nothing_recorded_is_no_crash(void **state)
{
    static const char *const commands[] = { "analyze", "stacking", "power", "cost", "scaling" };
    struct fixture *f = *state;

    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        json_decref(ASK(f, "bench", commands[i]));
    json_decref(ASK(f, "bench", "whatif", "--latency", "1"));
    FAIL(f, AISP_E_NOT_FOUND, "bench", "analyze", "-t", "ch01:x");
    FAIL(f, AISP_E_USAGE, "bench", "whatif");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(power_divides_measured_energy_by_units, set_up, tear_down),
        cmocka_unit_test_setup_teardown(cost_takes_the_price_of_the_card, set_up, tear_down),
        cmocka_unit_test_setup_teardown(results_of_one_machine_are_taken, set_up, tear_down),
        cmocka_unit_test_setup_teardown(newest_result_stands, set_up, tear_down),
        cmocka_unit_test_setup_teardown(goals_have_boards_of_their_own, set_up, tear_down),
        cmocka_unit_test_setup_teardown(quarantined_variants_are_left_out_until_they_pass, set_up, tear_down),
        cmocka_unit_test_setup_teardown(ranks_scale_weakly_and_strongly, set_up, tear_down),
        cmocka_unit_test_setup_teardown(sweep_has_a_law_and_a_crossing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nothing_recorded_is_no_crash, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
