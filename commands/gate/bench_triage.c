/* bench_triage.c - `bench triage [RUN]`: what to look at first, and what to type next.
 * Not here: the order (analysis/triage.h). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/triage.h"
#include "commands/gate/gate.h"
#include "core/json.h"
#include "store/query.h"

/* ---- the run before ---- */

struct search { const json_t *figure; const char *run; char found[AISP_RUN_ID_MAX]; };

static bool take_before(const struct aisp_result_row *row, void *context)
{
    struct search *search = context;

    if (strcmp(row->run, search->run) >= 0 || strcmp(row->reference, aisp_json_text(search->figure, "reference")) ||
        strcmp(row->size, aisp_json_text(search->figure, "size")) || !(row->ratio > 0) ||
        !isfinite(row->lo95))                    /* without an interval nothing can be compared with it */
        return true;
    snprintf(search->found, sizeof search->found, "%s", row->run);
    return false;
}

/* Runs that were loaded, by id. */
struct befores { struct aisp_gate_run *run; size_t n, cap; };

static enum aisp_status load_before(struct befores *all, struct aisp_store *store, const char *id, const json_t **figures,
                                    struct aisp_err *err)
{
    struct aisp_gate_run run = AISP_GATE_RUN_INIT;
    enum aisp_status st;

    for (size_t i = 0; i < all->n; i++)
        if (!strcmp(all->run[i].id, id)) {
            *figures = all->run[i].figures;
            return AISP_OK;
        }
    st = aisp_gate_run_load(&run, store, id, true, err);
    if (st) {
        aisp_gate_run_release(&run);
        return st;
    }
    *figures = run.figures;
    *(struct aisp_gate_run *)aisp_grow(&all->run, &all->n, &all->cap, sizeof *all->run) = run;
    return AISP_OK;
}

static void release(struct befores *all)
{
    for (size_t i = 0; i < all->n; i++)
        aisp_gate_run_release(&all->run[i]);
    free(all->run);
}

/* Each row against the newest earlier run of the same hardware that has a figure of it. All rows share the rate of false
 * alarms. */
static enum aisp_status compare(const struct aisp_gate_run *run, struct aisp_gate_noise *noise, json_t *changes,
                                struct aisp_err *err)
{
    struct befores all = { 0 };
    enum aisp_status st = AISP_OK;
    const json_t *figure;
    size_t i;

    json_array_foreach(run->figures, i, figure) {
        struct search search = { figure, run->id, "" };
        const json_t *earlier;
        json_t *before, *after, *rows, *row;
        size_t j;

        AISP_TRY(aisp_store_each_result(noise->store,
                                        &(struct aisp_filter){ .hardware = aisp_json_text(figure, "hardware"),
                                                               .target = aisp_json_text(figure, "target"),
                                                               .variant = aisp_json_text(figure, "variant"),
                                                               .device = aisp_json_text(figure, "device"), .complete = true },
                                        take_before, &search, err));
        if (!*search.found)
            continue;
        AISP_TRY(load_before(&all, noise->store, search.found, &earlier, err));
        before = json_pack("[O]", aisp_figure_find(earlier, figure));
        after = json_pack("[O]", figure);
        rows =
            aisp_compare_runs(&(struct aisp_compare_spec){ .before = before,
                                                           .after = after,
                                                           .alpha = AISP_CHANGE_ALPHA / (double)json_array_size(run->figures),
                                                           .noise = aisp_gate_noise,
                                                           .context = noise });
        json_array_foreach(rows, j, row)
            json_object_set_new(row, "run", json_string(search.found));
        json_array_extend(changes, rows);
        json_decref(rows);
        json_decref(before);
        json_decref(after);
    }
    if (noise->status)
        st = aisp_fail(err, noise->status, "%s", noise->err.text);
out:
    release(&all);
    return st;
}

/* What has to stand behind each command line so that it asks the same folders. */
static char *options_of(const struct aisp_args *args)
{
    static const char *const names[] = { "artifacts-dir", "bench-root" };
    struct aisp_buf out = AISP_BUF_INIT;

    aisp_buf_puts(&out, "");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (aisp_args_given(args, names[i])) {
            aisp_buf_printf(&out, " --%s ", names[i]);
            aisp_triage_put_word(&out, aisp_args_text(args, names[i]));
        }
    return aisp_buf_detach(&out);
}

static double time_limit_of(const json_t *record)
{
    const json_t *options = json_object_get(json_object_get(record, "manifest"), "options");

    return (double)json_integer_value(json_object_get(options, "time_limit_ns")) * 1e-9;
}

static enum aisp_status run(const struct aisp_request *request, json_t **value, int *exit_code)
{
    const struct aisp_args *args = request->args;
    struct aisp_gate_run loaded = AISP_GATE_RUN_INIT;
    struct aisp_gate_noise noise = { 0 };
    json_t *changes = json_array(), *found = NULL;
    char *options = options_of(args);
    enum aisp_status st;

    (void)exit_code;
    AISP_TRY(aisp_store_open(&noise.store, request->artifacts_dir, false, request->err));
    AISP_TRY(aisp_gate_run_load(&loaded, noise.store, args->n_operands ? args->operand[0] : "latest", true, request->err));
    noise.before = loaded.id;
    AISP_TRY(compare(&loaded, &noise, changes, request->err));
    found = aisp_triage(&(struct aisp_triage_spec){ .run = loaded.id, .results = json_object_get(loaded.record, "results"),
                                                    .figures = loaded.figures, .changes = changes, .options = options,
                                                    .time_limit_s = time_limit_of(loaded.record),
                                                    .n_most = (size_t)aisp_args_integer(args, "top") });
    *value = json_pack("{s:s, s:s, s:I, s:I, s:O, s:O}", "run", loaded.id, "started", loaded.started, "n_results",
                       (json_int_t)json_array_size(loaded.figures), "n_compared", (json_int_t)json_array_size(changes), "items",
                       json_object_get(found, "items"), "left_out", json_object_get(found, "left_out"));
    if (!*value)
        AISP_BUG("an answer that is no JSON");
out:
    free(options);
    json_decref(found);
    json_decref(changes);
    aisp_gate_run_release(&loaded);
    aisp_store_close(noise.store);
    return st;
}

static const char *heading_of(const char *kind)
{
    static const char *const headings[][2] = {
        { "invalid", "invalid: the speedup is withheld" },
        { "regression", "slower than in the run before" },
        { "slower", "slower than what it is compared with" },
        { "unsure", "unsure, and what it would take" },
        { "improvement", "changed since the run before" },
        { "change", "changed since the run before" },
    };

    for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
        if (!strcmp(kind, headings[i][0]))
            return headings[i][1];
    return kind;
}

static void put_left_out(const json_t *value, struct aisp_buf *out)
{
    const json_t *left = json_object_get(value, "left_out");
    const long long unsure = json_integer_value(json_object_get(left, "unsure"));
    const long long change = json_integer_value(json_object_get(left, "change"));

    if (unsure || change)
        aisp_buf_printf(out, "%s%lld more unsure and %lld smaller changes: --top shows more\n",
                        json_array_size(json_object_get(value, "items")) ? "\n" : "", unsure, change);
}

static void render(const json_t *value, const struct aisp_style *style, struct aisp_buf *out)
{
    const json_t *items = json_object_get(value, "items"), *item;
    const char *above = "";
    size_t i;

    json_array_foreach(items, i, item) {
        const char *heading = heading_of(aisp_json_text(item, "kind"));

        if (strcmp(heading, above)) {
            aisp_buf_puts(out, *above ? "\n" : "");
            aisp_paint(out, style, AISP_PAINT_BOLD, 0, heading);
            aisp_buf_puts(out, "\n");
        }
        above = heading;
        aisp_buf_printf(out, " %s %s  %s\n", aisp_json_text(item, "target"), aisp_json_text(item, "variant"),
                        aisp_json_text(item, "size"));
        aisp_gate_wrap(out, "   ", aisp_json_text(item, "text"));
        aisp_buf_printf(out, "   $ %s\n", aisp_json_text(item, "next"));
    }
    put_left_out(value, out);
    aisp_buf_printf(out, "%s%lld comparison%s in run %s, %lld of them compared with an earlier run\n",
                    json_array_size(items) ? "\n" : "nothing to look at: ",
                    (long long)json_integer_value(json_object_get(value, "n_results")),
                    json_integer_value(json_object_get(value, "n_results")) == 1 ? "" : "s", aisp_json_text(value, "run"),
                    (long long)json_integer_value(json_object_get(value, "n_compared")));
}

static const struct aisp_operand operands[] = {
    { "RUN", "A run's id, the beginning of one, or latest (default)", .optional = true },
    { 0 },
};

static const struct aisp_option options[] = {
    { "top", 'n', AISP_OPT_INTEGER, .meta = "N", .help = "Of unsure rows, and of changes that are no regressions, so many",
      .preset = "10", .low = 0, .high = 10000 },
    { 0 },
};

AISP_COMMAND(bench_triage) = {
    .path = "bench triage",
    .sentence = "Say what to look at first in a recorded run, and what to type next",
    .example = "aisp bench triage\naisp bench triage latest --top 10",
    .operand = operands,
    .option = options,
    .flags = AISP_CMD_READS_STORE,
    .run = run,
    .render = render,
};
