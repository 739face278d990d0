/* run_cpu_test.c - the protocol end to end with real workers on this CPU: short runs, wide expectations. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/peak/peak.h"
#include "core/run/calibrate.h"

static struct aisp_catalogue catalogue;
static struct aisp_evidence ev;
static struct aisp_calibration memory;      /* nothing but how fast one core reads it */

/* `set`: NAME=N over its default size, or NULL. */
static void run(const char *id, const char *contender, const char *set, int64_t seconds)
{
    const struct aisp_target *target = NULL;
    struct aisp_loaded_problem loaded;
    struct aisp_plan plan = { .target = id,
                              .size = "default",
                              .backend = aisp_backend_find("cpu"),
                              .calibration = &memory,
                              .n_threads = 1,
                              .time_limit_ns = seconds * INT64_C(1000000000),
                              .secret = { { 9 } } };
    struct aisp_err err = { 0 };

    for (size_t i = 0; i < catalogue.n; i++)
        if (!strcmp(catalogue.target[i].id, id))
            target = &catalogue.target[i];
    assert_non_null(target);
    if (aisp_problem_load(target->problem_path, &loaded, &err))
        fail_msg("%s", err.text);
    plan.problem = loaded.problem;
    plan.variant[AISP_A] = aisp_target_variant(target, "baseline", "cpu");
    plan.variant[AISP_B] = aisp_target_variant(target, contender, "cpu");
    assert_non_null(plan.variant[AISP_B]);
    assert_int_equal(aisp_instance_init(&plan.inst, plan.problem, AISP_SIZE_DEFAULT, &set, set != NULL, &err),
                     AISP_OK);
    if (aisp_run(&plan, &ev, &err))
        fail_msg("%s", err.text);
    aisp_problem_unload(&loaded);
}

static void print_observations(void)
{
    for (size_t i = 0; i < ev.n_observations && i < 5; i++)
        print_message("%s, %s, pair %d window %d slot %d: %g (%s)\n",
                      aisp_seen_name(ev.observation[i].what),
                      aisp_phase_name(ev.observation[i].phase), ev.observation[i].pair,
                      ev.observation[i].window, ev.observation[i].slot, ev.observation[i].seen,
                      ev.observation[i].detail);
}

static void print_figures(const struct aisp_look_result *look)
{
    double *slack = calloc(ev.n_windows, sizeof *slack), *gap = calloc(ev.n_windows, sizeof *gap),
           mid[3];
    double *idle = calloc(ev.n_windows, sizeof *idle);
    struct aisp_window most = { 0 };

    for (size_t i = 0; i < ev.n_windows; i++) {
        slack[i] = (double)(ev.window[i].window_ns - ev.window[i].inner_ns);
        gap[i] = (double)ev.window[i].gap_ns;
        idle[i] = (double)ev.window[i].idle_ns;
        if (ev.window[i].idle_ns > most.idle_ns)
            most = ev.window[i];
    }
    aisp_median(slack, ev.n_windows, &mid[0], NULL);
    aisp_median(gap, ev.n_windows, &mid[1], NULL);
    aisp_median(idle, ev.n_windows, &mid[2], NULL);
    free(slack);
    free(gap);
    free(idle);
    print_message("%s %s: %s (%s) %.4f [%.4f, %.4f], %zu pairs, K %lld, S %d, %s; medians: slack %.0f "
                  "ns, gap %.0f ns, "
                  "idle %.0f ns (most %lld); "
                  "windows %.2f s, fill %.2f s, compare %.2f s, of %.2f s\n",
                  ev.target, ev.variant[AISP_B].name, aisp_verdict_name(look->verdict), aisp_reason_text(look->reason), look->ratio,
                  look->lo95, look->hi95, look->n_pairs, (long long)ev.calls_per_window, ev.n_slots,
                  ev.cache_level, mid[0], mid[1], mid[2], (long long)most.idle_ns,
                  1e-9 * (double)ev.window_total_ns, 1e-9 * (double)ev.fill_ns,
                  1e-9 * (double)ev.compare_ns, 1e-9 * (double)ev.elapsed_ns);
}

static struct aisp_look_result result(void)
{
    struct aisp_look_result look = { 0 };
    struct aisp_err err = { 0 };

    print_observations();
    assert_int_equal(ev.n_observations, 0);
    if (aisp_run_verdict(&ev, &look, &err))
        fail_msg("%s", err.text);
    print_figures(&look);
    return look;
}

static int release(void **state)
{
    (void)state;
    aisp_evidence_release(&ev);
    return 0;
}

static void a_yardstick_against_itself_is_near_one(const char *id, const char *set)
{
    struct aisp_look_result look;

    /* How near, depends on the neighbours of the machine that tests run on; what must not happen is a verdict. */
    run(id, "baseline", set, 3);
    look = result();
    assert_true(look.verdict != AISP_FASTER && look.verdict != AISP_SLOWER);
}

static void a_tiny_kernel_against_itself_is_near_one(void **state)
{
    (void)state;
    a_yardstick_against_itself_is_near_one("harness:tiny", NULL);
}

static void a_cached_kernel_against_itself_is_near_one(void **state)
{
    (void)state;
    a_yardstick_against_itself_is_near_one("harness:l2", NULL);
}

static void a_streaming_kernel_against_itself_is_near_one(void **state)
{
    struct aisp_environment env;
    char rows[32];

    (void)state;
    aisp_environment_probe(&env, "/");
    /* Its 68 MB and a second slot of them lie in some machines' last cache. */
    snprintf(rows, sizeof rows, "rows=%lld", (long long)(2 * env.l3_bytes / 8192));
    a_yardstick_against_itself_is_near_one("harness:dram", env.l3_bytes > 32 << 20 ? rows : NULL);
    assert_string_equal(ev.cache_level, "DRAM");
}

static void independent_accumulators_are_faster(void **state)
{
    struct aisp_look_result look;

    (void)state;
    run("ch01:dot_ilp", "optimized_accumulators", NULL, 6);
    look = result();
    assert_true(look.ratio > 1.2);
    if (look.n_pairs >= 12)
        assert_int_equal(look.verdict, AISP_FASTER);
    assert_true(ev.verified[AISP_B].timed_right > 0);
    assert_int_equal(ev.verified[AISP_B].timed_wrong, 0);
}

static void calibration_measures_what_it_promises(void **state)
{
    struct aisp_calibrate_spec spec = { .backend = aisp_backend_find("cpu"),
                                        .catalogue = &catalogue,
                                        .n_aa_runs = 1,
                                        .aa_time_ns = 1000000000,
                                        .secret = { { 3 } } };
    struct aisp_calibration cal = { 0 };
    struct aisp_err err = { 0 };

    (void)state;
    if (aisp_calibrate(&spec, &cal, &err))
        fail_msg("%s", err.text);
    print_message("clock %.0f ns step, %.0f ns cost; empty window %.0f %.0f %.0f; slack %.0f %.0f "
                  "%.0f, worst process %.0f; "
                  "gap %.0f %.0f %.0f; wake %.0f %.0f %.0f; call %.2f ns\n",
                  cal.clock_step_ns, cal.clock_cost_ns, cal.empty_window_ns[0],
                  cal.empty_window_ns[1], cal.empty_window_ns[2], cal.slack_ns[0], cal.slack_ns[1],
                  cal.slack_ns[2], cal.slack_median_high_ns, cal.gap_ns[0], cal.gap_ns[1],
                  cal.gap_ns[2], cal.wake_ns[0], cal.wake_ns[1], cal.wake_ns[2], cal.call_cost_ns);
    print_message("A/A floor %.4f %.4f %.4f, spread %.4f %.4f %.4f, %d of %d false; fill %.1f "
                  "GB/s, compare %.1f GB/s\n",
                  cal.aa_floor[0], cal.aa_floor[1], cal.aa_floor[3], cal.aa_spread[0],
                  cal.aa_spread[1], cal.aa_spread[3], cal.n_aa_false, cal.n_aa_runs, cal.fill_gbps,
                  cal.compare_gbps);
    assert_int_equal(cal.n_aa_runs, 3);
    assert_true(cal.clock_step_ns > 0 && cal.clock_cost_ns > 0 && cal.call_cost_ns > 0);
    assert_true(cal.empty_window_ns[0] > 0 && cal.empty_window_ns[0] <= cal.empty_window_ns[2]);
    assert_true(cal.gap_ns[0] > 0 && cal.wake_ns[0] > 0 && cal.slack_ns[0] <= cal.slack_ns[2]);
    assert_true(cal.fill_gbps > 0 && cal.compare_gbps > 0);
    /* One run a class makes no 95th percentile: the floors stay unmeasured. */
    assert_true(cal.aa_floor[0] == 0 && cal.aa_floor[1] == 0 && cal.aa_floor[3] == 0);
    assert_int_equal(strlen(cal.host), 64);
}

static void measure_memory(void)
{
    const struct aisp_peak *peak = aisp_peak_find("read_dram");
    struct aisp_peak_place place = { .duration_ns = 50000000 };
    struct aisp_peak_result result;
    struct aisp_caches caches;

    aisp_caches_read(&caches);
    place.bytes = (aisp_peak_bytes(peak, &caches) + 4095) / 4096 * 4096;
    place.buffer = aligned_alloc(4096, place.bytes);
    assert_non_null(place.buffer);
    memset(place.buffer, 0, place.bytes);
    if (aisp_peak_measure(peak, &caches, &place, &result, NULL) == AISP_OK)
        memory.peak_read_gbps[3] = result.value;
    free(place.buffer);
}

static int open_catalogue(void **state)
{
    (void)state;
    measure_memory();
    return aisp_catalogue_init(&catalogue, BUILD_DIR "/targets", NULL);
}

static int close_catalogue(void **state)
{
    (void)state;
    aisp_catalogue_release(&catalogue);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_tiny_kernel_against_itself_is_near_one, release),
        cmocka_unit_test_teardown(a_cached_kernel_against_itself_is_near_one, release),
        cmocka_unit_test_teardown(a_streaming_kernel_against_itself_is_near_one, release),
        cmocka_unit_test_teardown(independent_accumulators_are_faster, release),
        cmocka_unit_test(calibration_measures_what_it_promises),
    };

    return cmocka_run_group_tests(tests, open_catalogue, close_catalogue);
}
