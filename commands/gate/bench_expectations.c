/* bench_expectations.c - `bench expectations [RUN]`: does a run meet what is expected of it? And writing what is expected.
 * Not here: the rules (analysis/expectation.h), the files (expectations.h), its text (bench_expectations_text.c). */
#include "commands/gate/bench_expectations.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/json.h"
#include "store/query.h"

struct gate {
    const struct aisp_request *request;
    struct aisp_gate_noise noise;
    struct aisp_gate_run run;
    struct aisp_expectation_files files;
    const char *hardware;            /* NULL: all that the run has */
    struct aisp_expectation_rules rules;
    json_t *rows, *measured;         /* measured: figures of that hardware */
    json_int_t n_not_asked;
};

static bool take_run(const struct aisp_result_row *row, void *context)
{
    *(char **)context = aisp_xstrdup(row->run);
    return false;
}

/* The run that was named; else the newest, of the hardware that was. */
static enum aisp_status load_run(struct gate *g)
{
    const struct aisp_args *args = g->request->args;
    const char *name = args->n_operands ? args->operand[0] : "latest";
    char *newest = NULL;
    enum aisp_status st;

    if (g->hardware && !strcmp(name, "latest")) {
        AISP_TRY(aisp_store_each_result(g->noise.store,
                                        &(struct aisp_filter){ .hardware = g->hardware, .complete = true, .limit = 1 },
                                        take_run, &newest, g->request->err));
        if (!newest) {
            st = aisp_fail(g->request->err, AISP_E_NOT_FOUND, "no complete run on %s is recorded in %s", g->hardware,
                           g->request->artifacts_dir);
            goto out;
        }
    }
    AISP_TRY(aisp_gate_run_load(&g->run, g->noise.store, newest ? newest : name, true, g->request->err));
    g->noise.before = g->run.id;
out:
    free(newest);
    return st;
}

static enum aisp_status pick_measured(struct gate *g)
{
    const json_t *figure;
    const char *other = "";
    size_t i;

    json_array_foreach(g->run.figures, i, figure) {
        const char *on = aisp_json_text(figure, "hardware");

        if (!g->hardware || !strcmp(on, g->hardware))
            json_array_append(g->measured, (json_t *)figure);
        else
            other = on;
    }
    if (!json_array_size(g->measured) && *other)
        return aisp_fail(g->request->err, AISP_E_USAGE, "run %s has nothing of the hardware %s; it ran on %s", g->run.id,
                         g->hardware, other);
    return AISP_OK;
}

static enum aisp_status expected_of(struct gate *g, const json_t *figure, const json_t **row)
{
    char *chapter = aisp_figure_chapter(aisp_json_text(figure, "target"));
    json_t *file = NULL;
    enum aisp_status st = AISP_OK;

    *row = NULL;
    if (*aisp_json_text(figure, "hardware"))
        st = aisp_expectation_files_get(&g->files, chapter, aisp_json_text(figure, "hardware"), &file, g->request->err);
    if (!st && file)
        *row = aisp_figure_find(json_object_get(file, "rows"), figure);
    free(chapter);
    return st;
}

static enum aisp_status judge_measured(struct gate *g)
{
    const json_t *figure, *row;
    enum aisp_status st = AISP_OK;
    size_t i;

    json_array_foreach(g->measured, i, figure) {
        AISP_TRY(expected_of(g, figure, &row));
        g->rules.n_rows += aisp_expectation_is_judged(figure, row);
    }
    json_array_foreach(g->measured, i, figure) {
        struct aisp_noise noise;

        AISP_TRY(expected_of(g, figure, &row));
        aisp_gate_noise(&g->noise, figure, &noise);
        json_array_append_new(g->rows, aisp_expectation_judge(figure, row, &noise, &g->rules));
    }
    if (g->noise.status)
        st = aisp_fail(g->request->err, g->noise.status, "%s", g->noise.err.text);
out:
    return st;
}

/* What is expected on this hardware, was asked for and has no result. */
static void judge_missing(struct gate *g, const json_t *file)
{
    const json_t *manifest = json_object_get(g->run.record, "manifest"), *row;
    size_t i;

    json_array_foreach(json_object_get(file, "rows"), i, row) {
        if (aisp_figure_find(g->measured, row))
            continue;
        if (aisp_expectation_was_asked(manifest, row))
            json_array_append_new(g->rows, aisp_expectation_judge(NULL, row, &(struct aisp_noise){ 0 }, &g->rules));
        else
            g->n_not_asked++;
    }
}

static enum aisp_status judge_all(struct gate *g)
{
    const json_t *figure, *file;
    const char *path;
    enum aisp_status st;
    size_t i;

    AISP_TRY(judge_measured(g));
    json_array_foreach(g->measured, i, figure)
        if (*aisp_json_text(figure, "hardware"))
            AISP_TRY(aisp_expectation_files_load_all(&g->files, aisp_json_text(figure, "hardware"), g->request->err));
    json_object_foreach(g->files.loaded, path, file)
        judge_missing(g, file);
out:
    return st;
}

static int exit_of(const json_t *rows)
{
    if (!json_array_size(rows))
        return AISP_EXIT_NOTHING;
    if (aisp_gate_count(rows, "outcome", "INVALID"))
        return AISP_EXIT_INVALID;
    return aisp_gate_count(rows, "outcome", "FAIL") || aisp_gate_count(rows, "outcome", "UNSURE") ? AISP_EXIT_GATE
                                                                                                  : AISP_EXIT_OK;
}

static json_t *answer(const struct gate *g)
{
    json_t *keys = json_object(), *paths = json_array();
    const json_t *figure, *file;
    const char *path;
    size_t i;

    json_array_foreach(g->measured, i, figure)
        json_object_set_new(keys, aisp_json_text(figure, "hardware"), json_true());
    json_object_foreach(g->files.loaded, path, file)
        if (json_is_object(file))
            json_array_append_new(paths, json_string(path));
    file = json_pack("{s:s, s:s, s:s, s:b, s:s, s:o, s:o, s:o, s:f, s:f, s:I, s:I, s:O}", "format",
                     aisp_args_text(g->request->args, "format"), "run", g->run.id, "started", g->run.started, "updated", 0,
                     "chapters_dir", g->files.chapters_dir, "hardware", keys, "files", paths, "min_speedup",
                     aisp_figure_json(g->rules.min_speedup > 0 ? g->rules.min_speedup : NAN), "mde_percent",
                     -aisp_change_percent(-g->rules.mde), "alpha", g->rules.alpha, "n_judged", (json_int_t)g->rules.n_rows,
                     "n_not_asked", g->n_not_asked, "rows", g->rows);
    if (!file)
        AISP_BUG("an answer that is no JSON");
    return (json_t *)file;
}

static enum aisp_status judge(struct gate *g, json_t **value, int *exit_code)
{
    const struct aisp_args *args = g->request->args;
    const double mde = aisp_args_real(args, "mde");
    enum aisp_status st;

    if (mde >= 100)
        return aisp_fail(g->request->err, AISP_E_USAGE, "--mde %g: a drop is below 100 percent", mde);
    g->rules = (struct aisp_expectation_rules){ .alpha = AISP_CHANGE_ALPHA, .mde = -log1p(-mde / 100),
                                                .min_speedup = aisp_args_real(args, "min-speedup") };
    AISP_TRY(pick_measured(g));
    AISP_TRY(aisp_expectation_files_init(&g->files, aisp_args_text(args, "chapters-dir"), g->request->err));
    AISP_TRY(judge_all(g));
    *value = answer(g);
    *exit_code = exit_of(g->rows);
out:
    return st;
}

static enum aisp_status update(struct gate *g, json_t **value, int *exit_code)
{
    const struct aisp_args *args = g->request->args;
    const json_t *row;
    enum aisp_status st;
    size_t i;

    if (aisp_args_given(args, "min-speedup"))
        return aisp_fail(g->request->err, AISP_E_USAGE, "--update writes, --min-speedup judges: one of them");
    if (!json_is_true(json_object_get(g->run.record, "complete")))
        return aisp_fail(g->request->err, AISP_E_USAGE,
                         "run %s is incomplete, nothing is expected of what it did not finish; \"aisp bench run --resume\" "
                         "finishes it", g->run.id);
    AISP_TRY(pick_measured(g));
    AISP_TRY(aisp_expectations_update(g->noise.store, &g->run, g->hardware, aisp_args_text(args, "chapters-dir"), value,
                                      g->request->err));
    json_object_set_new(*value, "format", json_string(aisp_args_text(args, "format")));
    *exit_code = AISP_EXIT_OK;
    json_array_foreach(json_object_get(*value, "rows"), i, row)
        if (json_is_true(json_object_get(row, "is_invalid")))
            *exit_code = AISP_EXIT_INVALID;
out:
    return st;
}

static enum aisp_status run(const struct aisp_request *request, json_t **value, int *exit_code)
{
    struct gate g = { .request = request, .hardware = aisp_args_text(request->args, "hardware"), .rows = json_array(),
                      .measured = json_array() };
    enum aisp_status st;

    AISP_TRY(aisp_store_open(&g.noise.store, request->artifacts_dir, false, request->err));
    AISP_TRY(load_run(&g));
    st = aisp_args_flag(request->args, "update") ? update(&g, value, exit_code) : judge(&g, value, exit_code);
out:
    json_decref(g.rows);
    json_decref(g.measured);
    aisp_expectation_files_release(&g.files);
    aisp_gate_run_release(&g.run);
    aisp_store_close(g.noise.store);
    return st;
}

static const struct aisp_operand operands[] = {
    { "RUN", "A run's id, the beginning of one, or latest (default)", .optional = true },
    { 0 },
};

static const struct aisp_option options[] = {
    { "hardware", 0, AISP_OPT_TEXT, .meta = "KEY", .help = "Only what ran on this hardware (default: all that the run has)" },
    { "min-speedup", 0, AISP_OPT_REAL, .meta = "RATIO", .help = "Every ratio has to reach this, too" },
    { "mde", 0, AISP_OPT_REAL, .meta = "PERCENT",
      .help = "Minimum detectable effect: a drop that the gate must be able to see, else it is unsure", .preset = "5" },
    { "update", 0, AISP_OPT_FLAG, .help = "Write what this run found as what is expected from now on",
      .writes = true },
    { "chapters-dir", 0, AISP_OPT_PATH, .meta = "DIR", .help = "Source folder of the chapters; their expectations lie in it",
      .preset = "chapters" },
    AISP_OPTION_FORMAT,
    { 0 },
};

AISP_COMMAND(bench_expectations) = {
    .path = "bench expectations",
    .sentence = "Hold a recorded run against what is expected of it, or write that down",
    .example = "aisp bench expectations\naisp bench expectations latest --min-speedup 1.2 --format junit\n"
               "aisp bench expectations latest --update",
    .operand = operands,
    .option = options,
    .flags = AISP_CMD_READS_STORE,
    .run = run,
    .render = aisp_bench_expectations_render,
};
