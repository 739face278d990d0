/* calibrate.c - `aisp calibrate`: how well does this machine measure?
 * Not here: taking it (core/run/calibrate.c), the ceilings (core/peak). */
#include <stdlib.h>

#include "commands/pick.h"
#include "commands/session.h"

static enum aisp_status run(const struct aisp_request *request, json_t **value, int *exit_code)
{
    const struct aisp_args *args = request->args;
    struct aisp_calibrate_options options =
        aisp_args_flag(args, "quick") ? aisp_calibrate_quick : aisp_calibrate_full;
    struct aisp_calibration cal;
    struct aisp_catalogue cat = { 0 };
    struct aisp_store *store = NULL;
    enum aisp_status st;

    (void)exit_code;
    if (aisp_args_given(args, "aa"))
        options.n_aa_runs = (int)aisp_args_integer(args, "aa");
    AISP_TRY(aisp_pick_catalogue(request, &cat));
    AISP_TRY(aisp_store_open(&store, request->artifacts_dir, true, request->err));
    AISP_TRY(aisp_calibration_take(request, &cat, &options, &cal));
    *value = aisp_calibration_to_json(&cal);
    AISP_TRY(aisp_store_calibration_add(store, *value, request->err));
out:
    if (st) {
        json_decref(*value);
        *value = NULL;
    }
    aisp_store_close(store);
    aisp_catalogue_release(&cat);
    return st;
}

static double at(const json_t *value, const char *key, size_t i)
{
    return json_number_value(json_array_get(json_object_get(value, key), i));
}

static double number(const json_t *value, const char *key)
{
    return json_number_value(json_object_get(value, key));
}

static void percentiles(struct aisp_buf *out, const json_t *value, const char *key,
                        const char *label)
{
    aisp_buf_printf(out, "%-34s p50 %8.0f   p95 %8.0f   p99 %8.0f ns\n", label, at(value, key, 0),
                    at(value, key, 1), at(value, key, 2));
}

/* 0 is what was not measured. */
static void percent(struct aisp_buf *out, double share)
{
    if (share > 0)
        aisp_buf_printf(out, " %16.3f %%", 100 * share);
    else
        aisp_buf_printf(out, " %18s", "-");
}

static void render(const json_t *value, const struct aisp_style *style, struct aisp_buf *out)
{
    static const char *const levels[] = { "L1", "L2", "L3", "DRAM" };

    (void)style;
    aisp_buf_printf(
        out, "clock: steps of %.0f ns, a reading costs %.0f ns; core at %.2f GHz; supervisor %s\n",
        number(value, "clock_step_ns"), number(value, "clock_cost_ns"), number(value, "clock_ghz"),
        json_is_true(json_object_get(value, "spinning")) ? "spins on a core of its own"
                                                         : "sleeps, no spare core");
    percentiles(out, value, "empty_window_ns", "window of one empty call");
    percentiles(out, value, "slack_ns", "window beyond the worker's time");
    percentiles(out, value, "gap_ns", "arm to go");
    percentiles(out, value, "wake_ns", "wake-up of a thread");
    aisp_buf_printf(
        out, "a call in the worker's loop costs %.1f ns; fill %.1f GB/s, compare %.1f GB/s\n\n",
        number(value, "call_cost_ns"), number(value, "fill_gbps"), number(value, "compare_gbps"));
    aisp_buf_printf(out, "%-8s %18s %18s %14s %14s\n", "level", "A/A bias, p95", "A/A pair spread",
                    "read GB/s", "copy GB/s");
    for (size_t i = 0; i < 4; i++) {
        aisp_buf_printf(out, "%-8s", levels[i]);
        percent(out, at(value, "aa_floor", i));
        percent(out, at(value, "aa_spread", i));
        aisp_buf_printf(out, " %14.1f %14.1f\n", at(value, "peak_read_gbps", i),
                        at(value, "peak_copy_gbps", i));
    }
    aisp_buf_printf(out,
                    "peak of one core: f32 %.1f, f64 %.1f, bf16 %.1f GFLOP/s, int8 %.1f GOP/s\n%.0f A/A runs, %.0f of them with a false "
                    "FASTER or SLOWER\n",
                    number(value, "peak_f32_gflops"), number(value, "peak_f64_gflops"),
                    number(value, "peak_bf16_gflops"), number(value, "peak_i8_gops"), number(value, "n_aa_runs"),
                    number(value, "n_aa_false"));
}

static const struct aisp_option options[] = {
    { "quick", 'q', AISP_OPT_FLAG,
      .help = "One short A/A run of each cache level, kept for a day" },
    { "aa", 0, AISP_OPT_INTEGER, .meta = "N",
      .help = "A/A runs of each cache level (default: 10, quick: 1)", .low = 1, .high = 10000 },
    { 0 },
};

AISP_COMMAND(calibrate) = {
    .path = "calibrate",
    .sentence = "Measure how well this machine measures, and its ceilings; kept for 30 days",
    .example = "aisp calibrate\naisp calibrate --quick",
    .option = options,
    .flags = AISP_CMD_RUNS_CODE | AISP_CMD_LONG | AISP_CMD_READS_STORE,
    .run = run,
    .render = render,
};
