/* show_run.c - `bench show-run RUN`: one recorded run, or with --result the samples behind one of its comparisons.
 * Not here: files made of it (bench_report.c). Nothing is measured or judged again.
 * Why the samples are asked for one by one: a run's evidence is a hundred times its results. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands/command.h"
#include "commands/quarantine.h"
#include "commands/report.h"
#include "commands/result.h"
#include "commands/runs/distribution.h"
#include "commands/sweep/map.h"
#include "store/store.h"

/* Found wrong since: shown, but marked. */
static void mark_quarantined(struct aisp_store *store, json_t *results)
{
    json_t *list = NULL, *row;
    size_t i;

    if (aisp_store_quarantine_list(store, &list, NULL))
        list = json_array();
    json_array_foreach(results, i, row) json_object_set_new(
        row, "quarantined",
        json_boolean(aisp_quarantine_find(list, aisp_report_text(row, "target"), aisp_report_text(row, "variant"),
                                          aisp_report_text(row, "device"))));
    json_decref(list);
}

static enum aisp_status find_result(const json_t *record, const char *key, json_t **result, struct aisp_err *err)
{
    const json_t *results = json_object_get(record, "results");
    const char **known = aisp_xcalloc(json_array_size(results) + 1, sizeof *known), *nearest;
    enum aisp_status st = AISP_OK;
    json_t *row;
    size_t i;

    *result = NULL;
    json_array_foreach(results, i, row) {
        known[i] = aisp_report_text(row, "key");
        if (!strcmp(known[i], key))
            *result = row;
    }
    nearest = aisp_nearest(key, known, json_array_size(results));
    if (!*result)
        st = aisp_fail(err, AISP_E_NOT_FOUND,
                       "run %s has no result \"%s\"%s%s%s; \"aisp bench show-run %s --json\" names their keys",
                       aisp_report_text(record, "run"), key, nearest ? ": did you mean " : "", nearest ? nearest : "",
                       nearest ? "?" : "", aisp_report_text(record, "run"));
    free(known);
    return st;
}

static json_t *samples_of(const json_t *result, const json_t *evidence)
{
    const bool is_withheld = aisp_result_is_invalid(result);
    struct aisp_evidence ev = AISP_EVIDENCE_INIT;
    struct aisp_err why = { AISP_OK, "" };
    json_t *value;

    if (!json_object_size(evidence))         /* refused before a worker was started */
        return json_pack("{s:n, s:n, s:s}", "distribution", "roofline", "trouble", "nothing was timed");
    if (aisp_evidence_from_json(evidence, &ev, &why))
        return json_pack("{s:n, s:n, s:s}", "distribution", "roofline", "trouble", why.text);
    value = json_pack("{s:o, s:o, s:s}", "distribution", aisp_distribution_of(&ev, is_withheld), "roofline",
                      aisp_roofline_of(&ev, is_withheld), "trouble", "");
    aisp_evidence_release(&ev);
    return value;
}

static enum aisp_status one_result(struct aisp_store *store, const json_t *record, const char *key, json_t **value,
                                   struct aisp_err *err)
{
    struct aisp_err why = { AISP_OK, "" };
    json_t *result, *evidence = NULL;
    enum aisp_status st = find_result(record, key, &result, err);

    if (st)
        return st;
    if (aisp_store_evidence_load(store, aisp_report_text(record, "run"), key, &evidence, &why))
        *value = json_pack("{s:n, s:n, s:s}", "distribution", "roofline", "trouble", why.text);
    else
        *value = samples_of(result, evidence);
    json_decref(evidence);
    if (!*value)                             /* what is wrong with it is no text either */
        *value = json_pack("{s:n, s:n, s:s}", "distribution", "roofline", "trouble", "the evidence cannot be read");
    json_object_set(*value, "run", json_object_get(record, "run"));
    json_object_set(*value, "result", result);
    return AISP_OK;
}

static enum aisp_status run(const struct aisp_request *request, json_t **value, int *exit_code)
{
    const struct aisp_args *args = request->args;
    const char *key = aisp_args_text(args, "result");
    struct aisp_store *store = NULL;
    json_t *record = NULL;
    enum aisp_status st;

    (void)exit_code;
    AISP_TRY(aisp_store_open(&store, request->artifacts_dir, false, request->err));
    AISP_TRY(aisp_store_run_load(store, args->n_operands ? args->operand[0] : "latest", &record, request->err));
    mark_quarantined(store, json_object_get(record, "results"));
    if (key)
        AISP_TRY(one_result(store, record, key, value, request->err));
    else
        *value = json_incref(record);
    if (!key)
        json_object_set_new(*value, "sweeps", aisp_maps_of(aisp_sweeps_of(json_object_get(record, "manifest")),
                                                           json_object_get(record, "results")));
out:
    json_decref(record);
    aisp_store_close(store);
    return st;
}

/* ---- text ---- */

static void render_side(const json_t *value, const char *side, const char *name, const struct aisp_style *style,
                        struct aisp_buf *out)
{
    static const char *const key[] = { "p5_ns", "p50_ns", "p95_ns", "p99_ns" };
    const json_t *s = json_object_get(json_object_get(value, "distribution"), side);

    if (!json_is_object(s))
        return;
    aisp_buf_printf(out, "%-26.26s %8lld", name, (long long)json_integer_value(json_object_get(s, "n")));
    for (int i = 0; i < 4; i++) {
        struct aisp_buf time = AISP_BUF_INIT;

        aisp_report_put_time(&time, aisp_report_number(s, key[i]));
        aisp_buf_puts(out, " ");
        aisp_paint(out, style, NULL, -10, time.s);
        aisp_buf_release(&time);
    }
    aisp_buf_puts(out, "\n");
}

static void render_roofline(const json_t *roof, struct aisp_buf *out)
{
    if (!json_is_object(roof)) {
        aisp_buf_puts(out, "roofline: not measured\n");
        return;
    }
    aisp_buf_printf(out, "roofline: %.3g flop/byte (ridge %.3g), %.3g of %.3g GFLOP/s, bound by %s\n",
                    aisp_report_number(roof, "flops_per_byte"), aisp_report_number(roof, "ridge"),
                    aisp_report_number(roof, "gflops"), aisp_report_number(roof, "roof_gflops"),
                    aisp_report_text(roof, "bound"));
}

static void render_samples(const json_t *value, const struct aisp_style *style, struct aisp_buf *out)
{
    const json_t *result = json_object_get(value, "result"), *distribution = json_object_get(value, "distribution");
    const char *trouble = aisp_report_text(value, "trouble");

    if (json_is_object(distribution)) {
        aisp_buf_printf(out, "\n%-26s %8s %10s %10s %10s %10s\n", "time of a call", "windows", "p5", "median", "p95", "p99");
        render_side(value, "a", aisp_report_text(result, "reference"), style, out);
        render_side(value, "b", aisp_report_text(result, "variant"), style, out);
        trouble = aisp_report_text(distribution, "trouble");
    }
    render_roofline(json_object_get(value, "roofline"), out);
    if (*trouble)
        aisp_buf_printf(out, "samples: %s\n", trouble);
}

static void render(const json_t *value, const struct aisp_style *style, struct aisp_buf *out)
{
    const json_t *manifest = json_object_get(value, "manifest"), *result = json_object_get(value, "result");
    json_t *one;

    aisp_paint(out, style, AISP_PAINT_BOLD, 0, aisp_report_text(value, "run"));
    if (json_is_object(result)) {
        aisp_buf_printf(out, ": %s\n", aisp_report_text(result, "key"));
        one = json_pack("[O]", result);
        aisp_results_render(one, style, out);
        json_decref(one);
        render_samples(value, style, out);
        return;
    }
    aisp_buf_printf(out, ": %s, started %s%s\n", aisp_report_text(manifest, "command"), aisp_report_text(manifest, "started"),
                    json_is_true(json_object_get(value, "complete")) ? "" : ", incomplete");
    aisp_results_render_maps(json_object_get(value, "results"), json_object_get(value, "sweeps"), style, out);
}

static const struct aisp_operand operands[] = {
    { "RUN", "A run's id, the beginning of one, or latest (default)", .optional = true },
    { 0 },
};

static const struct aisp_option options[] = {
    { "result", 0, AISP_OPT_TEXT, .meta = "KEY", .help = "The samples behind this one: distributions, pairs, roofline" },
    { 0 },
};

AISP_COMMAND(bench_show_run) = {
    .path = "bench show-run",
    .sentence = "Show a recorded run, or the samples behind one of its results",
    .example = "aisp bench show-run latest\naisp bench show-run latest --result ch07.transpose.optimized_tiled",
    .operand = operands,
    .option = options,
    .flags = AISP_CMD_READS_STORE,
    .run = run,
    .render = render,
};
