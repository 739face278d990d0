/* bench_history.c - `bench history TARGET[/VARIANT]`: every run of a row in order, and where its level changed.
 * Not here: how changes are found (analysis/), the text (history_text.c). */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analysis/history.h"
#include "commands/command.h"
#include "commands/history/history_text.h"
#include "store/query.h"

/* ---- what was asked ---- */

/* "2026-11-01", or "30d" before now. */
static enum aisp_status read_since(const char *text, int64_t *since, struct aisp_err *err)
{
    struct tm day = { 0 };
    const char *end;
    char *rest;
    long days;

    *since = 0;
    if (!text)
        return AISP_OK;
    end = strptime(text, "%Y-%m-%d", &day);
    if (end && !*end) {
        *since = (int64_t)timegm(&day);
        return AISP_OK;
    }
    days = strtol(text, &rest, 10);
    if (days < 1 || days > 100000 || strcmp(rest, "d"))
        return aisp_fail(err, AISP_E_USAGE, "--since %s: not a date such as 2026-11-01, nor a number of days such as 30d",
                         text);
    *since = (int64_t)time(NULL) - days * INT64_C(86400);
    return AISP_OK;
}

/* "ch07:transpose/tiled" into target and variant (NULL: all); caller frees both. */
static void split(const char *operand, char **target, char **variant)
{
    const char *colon = strchr(operand, ':'), *slash = strchr(colon ? colon : operand, '/');

    *target = slash ? aisp_format("%.*s", (int)(slash - operand), operand) : aisp_xstrdup(operand);
    *variant = slash && slash[1] ? aisp_xstrdup(slash + 1) : NULL;
}

static bool take_hardware(const struct aisp_result_row *row, void *context)
{
    *(char **)context = aisp_xstrdup(row->hardware);
    return false;
}

struct names {
    const char **name;
    size_t n, cap;
};

static bool take_name(const struct aisp_result_row *row, void *context)
{
    struct names *names = context;

    for (size_t i = 0; i < names->n; i++)
        if (!strcmp(names->name[i], row->target))
            return true;
    *(const char **)aisp_grow(&names->name, &names->n, &names->cap, sizeof *names->name) = aisp_xstrdup(row->target);
    return true;
}

static enum aisp_status nothing_found(struct aisp_store *store, const struct aisp_request *request,
                                      const struct aisp_history_spec *spec)
{
    const struct aisp_filter latest = { .complete = true, .latest = true };
    struct names names = { 0 };
    enum aisp_status st = aisp_store_each_result(store, &latest, take_name, &names, request->err);
    const char *nearest = st ? NULL : aisp_nearest(spec->target, names.name, names.n);
    const bool is_known = nearest && !strcmp(nearest, spec->target);

    if (!st)
        st = aisp_fail(request->err, AISP_E_NOT_FOUND, "%s holds no timed run of %s%s%s%s%s%s", request->artifacts_dir,
                       spec->target, spec->variant ? "/" : "", spec->variant ? spec->variant : "",
                       is_known && (spec->since || spec->hardware) ? " on this hardware and in this time" : "",
                       nearest && !is_known ? "; did you mean " : "", nearest && !is_known ? nearest : "");
    for (size_t i = 0; i < names.n; i++)
        free((char *)names.name[i]);
    free(names.name);
    return st;
}

/* ---- the value ---- */

static json_t *real_or_null(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

static json_t *percent_or_null(double log_ratio)
{
    return real_or_null(100 * expm1(log_ratio));
}

static json_t *run_value(const struct aisp_history_run *run)
{
    const bool has_interval = isfinite(run->ratio) && isfinite(run->lo95) && isfinite(run->hi95);

    return json_pack("{s:s, s:I, s:o, s:o, s:o, s:s, s:s}", "run", run->run, "at", (json_int_t)run->started_at, "ratio",
                     real_or_null(run->ratio), "lo95", real_or_null(has_interval ? run->lo95 : NAN), "hi95",
                     real_or_null(has_interval ? run->hi95 : NAN), "verdict", run->verdict, "grade", run->grade);
}

/* {"commit", "dirty"} of the tree that a run came from, or null. */
static json_t *git_of(struct aisp_store *store, const char *run)
{
    json_t *record = NULL, *git;

    if (aisp_store_run_load(store, run, &record, NULL))
        return json_null();
    git = json_incref(json_object_get(json_object_get(record, "manifest"), "git"));
    json_decref(record);
    return git ? git : json_null();
}

static json_t *change_value(struct aisp_store *store, const struct aisp_history_series *s, const struct aisp_change_point *c)
{
    return json_pack("{s:I, s:s, s:I, s:s, s:s, s:o, s:o, s:o, s:f, s:o, s:o}", "index", (json_int_t)c->at, "run",
                     s->run[c->at].run, "at", (json_int_t)s->run[c->at].started_at, "first_run", s->run[c->first].run,
                     "last_run", s->run[c->last].run, "percent", percent_or_null(c->size_log), "lo95_percent",
                     percent_or_null(c->lo95_log), "hi95_percent", percent_or_null(c->hi95_log), "p", c->p, "git",
                     git_of(store, s->run[c->at].run), "git_before",
                     c->at ? git_of(store, s->run[c->at - 1].run) : json_null());
}

static json_t *series_value(struct aisp_store *store, const struct aisp_history_series *s)
{
    json_t *runs = json_array(), *changes = json_array();

    for (size_t i = 0; i < s->n; i++)
        json_array_append_new(runs, run_value(&s->run[i]));
    for (size_t i = 0; i < s->changes.n; i++)
        json_array_append_new(changes, change_value(store, s, &s->changes.point[i]));
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:I, s:{s:o, s:o, s:o}, s:{s:o, s:o, s:I, s:b}, s:o, s:o}", "target",
                     s->target, "variant", s->variant, "reference", s->reference, "device", s->device, "size", s->size, "goal",
                     s->goal, "hardware", s->hardware, "n_older", (json_int_t)s->n_older, "level", "ratio",
                     real_or_null(exp(s->level_log)), "lo95", real_or_null(exp(s->level_lo_log)), "hi95",
                     real_or_null(exp(s->level_hi_log)), "noise", "percent", percent_or_null(s->noise.sd_log), "high_percent",
                     percent_or_null(s->noise.sd_log_high), "n_runs", (json_int_t)s->noise.n_runs, "is_learned",
                     s->noise.is_learned, "changes", changes, "runs", runs);
}

static enum aisp_status load(struct aisp_store *store, struct aisp_history_spec *spec, char **variant,
                             struct aisp_history *history, struct aisp_err *err)
{
    enum aisp_status st;

    AISP_TRY(aisp_history_load(store, spec, history, err));
    if (history->n || history->n_custom || !*variant)
        goto out;
    aisp_history_release(history);
    spec->variant = aisp_format("optimized_%s", *variant); /* as everywhere: "tiled" for "optimized_tiled" */
    free(*variant);
    *variant = (char *)spec->variant;
    st = aisp_history_load(store, spec, history, err);
out:
    return st;
}

static enum aisp_status run(const struct aisp_request *request, json_t **value, int *exit_code)
{
    const struct aisp_args *args = request->args;
    struct aisp_history_spec spec = { .hardware = aisp_args_text(args, "hardware"),
                                      .device = aisp_args_text(args, "device"),
                                      .limit = (size_t)aisp_args_integer(args, "limit") };
    char *target = NULL, *variant = NULL, *hardware = NULL;
    struct aisp_history history = { 0 };
    struct aisp_store *store = NULL;
    json_t *series;
    enum aisp_status st;

    (void)exit_code;
    split(args->operand[0], &target, &variant);
    spec.target = target;
    spec.variant = variant;
    AISP_TRY(read_since(aisp_args_text(args, "since"), &spec.since, request->err));
    AISP_TRY(aisp_store_open(&store, request->artifacts_dir, false, request->err));
    if (!spec.hardware) {
        const struct aisp_filter newest = { .target = target, .complete = true, .limit = 1 };

        AISP_TRY(aisp_store_each_result(store, &newest, take_hardware, &hardware, request->err));
        spec.hardware = hardware;
    }
    AISP_TRY(load(store, &spec, &variant, &history, request->err));
    if (!history.n && !history.n_custom) {
        st = nothing_found(store, request, &spec);
        goto out;
    }
    series = json_array();
    for (size_t i = 0; i < history.n; i++)
        json_array_append_new(series, series_value(store, &history.series[i]));
    *value = json_pack("{s:s, s:s?, s:I, s:o}", "target", target, "hardware", spec.hardware, "n_custom",
                       (json_int_t)history.n_custom, "series", series);
out:
    aisp_history_release(&history);
    aisp_store_close(store);
    free(hardware);
    free(target);
    free(variant);
    return st;
}

static const struct aisp_operand operands[] = {
    { "TARGET", "ch07:transpose, or one variant of it: ch07:transpose/optimized_tiled" },
    { 0 },
};

static const struct aisp_option options[] = {
    { "hardware", 0, AISP_OPT_TEXT, .meta = "KEY",
      .help = "Runs of this hardware, '*' of all (default: that of the newest run)" },
    { "device", 0, AISP_OPT_TEXT, .meta = "DEVICE", .help = "Runs on cpu, cuda or cuda/kernel only" },
    { "since", 0, AISP_OPT_TEXT, .meta = "DATE", .help = "Runs from this day on: 2026-11-01, or 30d" },
    { "limit", 0, AISP_OPT_INTEGER, .meta = "N", .help = "The newest N runs of each row", .preset = "200", .low = 1,
      .high = 5000 },
    { 0 },
};

AISP_COMMAND(bench_history) = {
    .path = "bench history",
    .sentence = "Show the ratio of a row from run to run, and where its level changed",
    .example = "aisp bench history ch07:transpose/tiled\naisp bench history ch01:dot_ilp --since 30d --json",
    .operand = operands,
    .option = options,
    .flags = AISP_CMD_READS_STORE,
    .run = run,
    .render = aisp_history_render,
};
