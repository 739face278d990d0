/* bench_run.c - `bench run`: every variant of the picked targets against its baseline.
 * Not here: how a comparison is made (core/run), kept (session.c) or shown (result_text.c), what --sweep may say and what
 * becomes of its results (commands/sweep/). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands/budget.h"
#include "commands/gate/expectations.h"
#include "commands/measure.h"
#include "commands/own_file.h"
#include "commands/sweep/grid.h"
#include "commands/sweep/map.h"

/* All that is opened for one `bench run`. */
struct bench_run {
    struct aisp_measure m;
    struct aisp_catalogue cat;
    struct aisp_picks picks;
    struct aisp_own_file own;
    struct aisp_store *store; /* holds the run that is resumed: nobody else may be at it meanwhile */
    json_t *earlier; /* the run that is resumed: its record */
    json_t *done;    /* key -> result */
    const char **set;         /* as it was then; else --set is the arguments' own */
    const char **pattern, **only;
    size_t n_patterns, n_only;
    const char *const *sweep;                /* as asked for by --sweep */
    size_t n_sweep;
    json_t *sweeps;                          /* [{"target", "over": [texts]}], for the record; none: no sweep */
    char run[AISP_RUN_ID_MAX];
};

static json_t *texts(const char *const *text, size_t n)
{
    json_t *list = json_array();

    for (size_t i = 0; i < n; i++)
        json_array_append_new(list, json_string(text[i]));
    return list;
}

static const char **borrow(const json_t *list, size_t *n)
{
    const char **text = aisp_xcalloc(json_array_size(list), sizeof *text);

    *n = json_array_size(list);
    for (size_t i = 0; i < *n; i++)
        text[i] = json_string_value(json_array_get(list, i));
    return text;
}

/* What --resume needs to ask for the same again. */
static json_t *arguments_of(const struct bench_run *r)
{
    const struct aisp_session_options *o = &r->m.options;
    const struct aisp_args *args = r->m.request->args;

    return json_pack("{s:s, s:s, s:o, s:o, s:o, s:s?, s:s, s:i, s:I, s:I, s:f, s:i, s:b, s:b, s:b, s:b, s:O}",
                     "device", o->device ? o->device : "cpu", "scope", aisp_scope_name(o->scope), "targets",
                     texts(r->pattern, r->n_patterns), "variants", texts(r->only, r->n_only), "set", texts(o->set, o->n_set),
                     "file", args->n_operands ? args->operand[0] : NULL, "size", o->size_name, "size_index", (int)o->size,
                     "time_limit_ns", (json_int_t)o->time_limit_ns, "first_look_ns", (json_int_t)o->first_look_ns, "band",
                     o->band, "threads", o->n_threads, "profile", o->profile, "publish", o->grading.publish, "gate", r->m.gate,
                     "placement_audit", o->placement_audit, "sweeps", r->sweeps);
}

/* A run that was begun before there were scopes is of the call's. */
static enum aisp_scope scope_named(const char *name)
{
    return name && !strcmp(name, aisp_scope_name(AISP_SCOPE_KERNEL)) ? AISP_SCOPE_KERNEL : AISP_SCOPE_CALL;
}

/* Only such a run says all that it takes to ask for the same again. */
static bool is_over_targets(const json_t *manifest)
{
    const char *command = json_string_value(json_object_get(manifest, "command"));

    return command && !strcmp(command, "bench run") &&
           !json_is_string(json_object_get(json_object_get(manifest, "options"), "file"));
}

/* The same targets and options as the incomplete run; what it had finished is done. */
static enum aisp_status resume(struct bench_run *r)
{
    const struct aisp_request *request = r->m.request;
    struct aisp_session_options *o = &r->m.options;
    const json_t *manifest, *options, *result;
    enum aisp_status st;
    size_t i;

    AISP_TRY(aisp_store_open(&r->store, request->artifacts_dir, true, request->err));
    AISP_TRY(aisp_store_run_incomplete(r->store, is_over_targets, r->run, request->err));
    AISP_TRY(aisp_store_run_load(r->store, r->run, &r->earlier, request->err));
    manifest = json_object_get(r->earlier, "manifest");
    options = json_object_get(manifest, "options");
    free(r->pattern);
    free(r->only);
    r->pattern = borrow(json_object_get(options, "targets"), &r->n_patterns);
    r->only = borrow(json_object_get(options, "variants"), &r->n_only);
    o->set = r->set = borrow(json_object_get(options, "set"), &o->n_set);
    o->device = json_string_value(json_object_get(options, "device"));
    o->device = o->device && strcmp(o->device, "cpu") ? o->device : NULL;
    o->scope = scope_named(json_string_value(json_object_get(options, "scope")));
    o->size_name = json_string_value(json_object_get(options, "size"));
    o->size = (enum aisp_size)json_integer_value(json_object_get(options, "size_index"));
    o->time_limit_ns = json_integer_value(json_object_get(options, "time_limit_ns"));
    o->first_look_ns = json_integer_value(json_object_get(options, "first_look_ns"));
    o->band = json_number_value(json_object_get(options, "band"));
    o->n_threads = (int)json_integer_value(json_object_get(options, "threads"));
    o->profile = json_is_true(json_object_get(options, "profile"));
    o->grading.publish = json_is_true(json_object_get(options, "publish"));
    o->placement_audit = json_is_true(json_object_get(options, "placement_audit"));
    r->m.gate = json_is_true(json_object_get(options, "gate"));
    if (aisp_sweeps_of(manifest))
        json_array_extend(r->sweeps, json_object_get(options, "sweeps"));
    r->done = json_object();
    json_array_foreach(json_object_get(r->earlier, "results"), i, result) json_object_set(
        r->done, json_string_value(json_object_get(result, "key")), (json_t *)result);
    r->m.resume = r->run;
    r->m.done = r->done;
    aisp_note(request, "resuming run %s: %zu comparisons are there already", r->run,
              json_object_size(r->done));
out:
    return st;
}

/* One target at one size: the asked one, or a sweep's point. */
struct wish {
    const struct aisp_entry_spec *spec;
    const struct aisp_session_options *options;
    const char *point;                       /* or NULL */
    bool is_alone;
};

/* A target that cannot be run is the user's mistake if it was all that was asked for, else one
 * row among others. */
static enum aisp_status add_entry(struct bench_run *r, const struct wish *wish)
{
    const struct aisp_entry_spec *spec = wish->spec;
    const bool is_alone = wish->is_alone;
    struct aisp_entry entry;
    struct aisp_err why = { AISP_OK, "" };
    const enum aisp_status st = aisp_entry_init(&entry, spec, wish->options, &why);

    if (st == AISP_E_NOT_FOUND && !is_alone) { /* of many targets only some have that variant */
        aisp_fail(r->m.request->err, st, "%s", why.text);
        return AISP_OK;
    }
    if (!is_alone && aisp_measure_skips(&r->m, st, &why)) {
        aisp_fail(r->m.request->err, st, "%s", why.text);
        return AISP_OK;
    }
    if (st && (is_alone || st == AISP_E_USAGE))
        return aisp_fail(r->m.request->err, st, "%s%s%s", wish->point ? wish->point : "", wish->point ? ": " : "", why.text);
    if (st)
        aisp_entry_refuse(&entry, spec->target, st, &why);
    else if (wish->point)
        entry.point = aisp_xstrdup(wish->point);
    *(struct aisp_entry *)aisp_grow(&r->m.entries.entry, &r->m.entries.n, &r->m.entries.cap,
                                    sizeof entry) = entry;
    return AISP_OK;
}

/* ---- sweeps ---- */

static const json_t *recorded_sweep(const struct bench_run *r, const char *target)
{
    const json_t *sweep;
    size_t i;

    json_array_foreach(r->sweeps, i, sweep) {
        const char *name = json_string_value(json_object_get(sweep, "target"));

        if (name && !strcmp(name, target))
            return json_object_get(sweep, "over");
    }
    return NULL;
}

/* What is asked for of this target; of a run that is resumed, as it was then. */
static enum aisp_status grid_of(struct bench_run *r, const struct aisp_target *target, struct aisp_grid *grid)
{
    struct aisp_err *err = r->m.request->err;
    struct aisp_loaded_problem loaded = { 0 };
    const char **recorded = NULL;
    enum aisp_status st;
    size_t n;

    *grid = (struct aisp_grid)AISP_GRID_INIT;
    AISP_TRY(aisp_problem_load(target->problem_path, &loaded, err));
    if (r->earlier) {
        recorded = borrow(recorded_sweep(r, target->id), &n);
        st = aisp_grid_init(grid, recorded, n, err);
    } else if (r->n_sweep == 1 && !strcmp(r->sweep[0], "declared")) {
        st = loaded.sweep ? aisp_grid_init_words(grid, loaded.sweep, err)
                          : aisp_fail(err, AISP_E_NOT_FOUND,
                                      "%s declares no sweep; say it, as in --sweep %s=%lld:%lld:x2", target->id,
                                      loaded.problem->param[0].name, (long long)loaded.problem->param[0].quick,
                                      (long long)loaded.problem->param[0].quick * 8);
    } else {
        st = aisp_grid_init(grid, r->sweep, r->n_sweep, err);
    }
    if (!st)
        st = aisp_grid_check(grid, loaded.problem, r->m.options.set, r->m.options.n_set, err);
out:
    if (st)
        aisp_grid_release(grid);
    free(recorded);
    aisp_problem_unload(&loaded);
    return st;
}

/* Slow pairs may take twice a limit that nobody asked for. */
static const char *limit_word(const struct aisp_session_options *o)
{
    return o->first_look_ns > o->time_limit_ns ? "about" : "at most";
}

/* What it will take is said before it is begun. */
static void say_budget(const struct bench_run *r, const struct aisp_target *target, const struct aisp_grid *grid)
{
    const struct aisp_entry *entry = &r->m.entries.entry[r->m.entries.n - 1];
    const double a_point = (double)r->m.options.time_limit_ns * 1e-9 * (double)entry->n_variants;
    struct aisp_buf line = AISP_BUF_INIT;

    aisp_buf_printf(&line, "sweep of %s over ", target->id);
    aisp_grid_put_names(grid, &line);
    aisp_buf_printf(&line, ": %zu points, %zu variant%s each; %s ", grid->n_points, entry->n_variants,
                    entry->n_variants == 1 ? "" : "s", limit_word(&r->m.options));
    aisp_budget_put(&line, a_point);
    aisp_buf_puts(&line, " of timed pairs a point, ");
    aisp_budget_put(&line, a_point * (double)grid->n_points);
    aisp_buf_puts(&line, " in all; verification comes on top");
    aisp_note(r->m.request, "%s", line.s);
    aisp_buf_release(&line);
}

static enum aisp_status add_point(struct bench_run *r, const struct wish *whole, const struct aisp_grid *grid, size_t point)
{
    struct aisp_session_options options = r->m.options;
    char **set = aisp_xcalloc(options.n_set + AISP_GRID_AXES * AISP_AXIS_PARAMS, sizeof *set);
    size_t n_set = 0;
    struct aisp_buf name = AISP_BUF_INIT;
    struct wish wish = *whole;
    enum aisp_status st;

    for (size_t i = 0; i < options.n_set; i++)
        set[n_set++] = aisp_xstrdup(options.set[i]);
    aisp_grid_add_sets(grid, point, set, &n_set);
    aisp_grid_put_point(grid, point, &name);
    options.set = (const char *const *)set;
    options.n_set = n_set;
    wish.options = &options;
    wish.point = name.s;
    st = add_entry(r, &wish);
    for (size_t i = 0; i < n_set; i++)
        free(set[i]);
    free(set);
    aisp_buf_release(&name);
    return st;
}

static void record_sweep(struct bench_run *r, const struct aisp_target *target, const struct aisp_grid *grid)
{
    json_t *over = json_array();

    for (size_t i = 0; i < grid->n_axes; i++)
        json_array_append_new(over, json_string(grid->axis[i].text));
    json_array_append_new(r->sweeps, json_pack("{s:s, s:o}", "target", target->id, "over", over));
}

/* The target at each point of its grid. What cannot be run at all is one row, or one line, and not one for each point. */
static enum aisp_status add_grid(struct bench_run *r, const struct wish *wish)
{
    const struct aisp_target *target = wish->spec->target;
    struct aisp_grid grid;
    enum aisp_status st;

    if (*target->refused)
        return add_entry(r, wish);
    if (r->earlier && !recorded_sweep(r, target->id)) /* it was left out then: it has no sweep, or came later */
        return AISP_OK;
    st = grid_of(r, target, &grid);
    if (st == AISP_E_NOT_FOUND && !wish->is_alone) {
        aisp_note(r->m.request, "skipped: %s", r->m.request->err->text);
        return AISP_OK;
    }
    if (st)
        return st;
    for (size_t i = 0; i < grid.n_points; i++) {
        const size_t n = r->m.entries.n;

        AISP_TRY(add_point(r, wish, &grid, i));
        if (r->m.entries.n == n || *r->m.entries.entry[n].refused)
            goto out;
    }
    say_budget(r, target, &grid);
    if (!r->earlier)
        record_sweep(r, target, &grid);
out:
    aisp_grid_release(&grid);
    return st;
}

static bool is_sweep(const struct bench_run *r)
{
    return r->n_sweep || json_array_size(r->sweeps);
}

static enum aisp_status add_spec(struct bench_run *r, const struct aisp_entry_spec *spec, bool is_alone)
{
    const struct wish wish = { .spec = spec, .options = &r->m.options, .is_alone = is_alone };

    return is_sweep(r) ? add_grid(r, &wish) : add_entry(r, &wish);
}

static enum aisp_status check_sweep(struct bench_run *r)
{
    const struct aisp_request *request = r->m.request;
    struct aisp_grid grid;
    enum aisp_status st;

    r->sweep = aisp_args_list(request->args, "sweep", &r->n_sweep);
    if (!r->n_sweep)
        return AISP_OK;
    if (aisp_args_flag(request->args, "update-expectations"))
        return aisp_fail(request->err, AISP_E_USAGE,
                         "--sweep and --update-expectations exclude each other: expectations are of declared sizes");
    r->m.options.size_name = "custom";
    if (r->n_sweep == 1 && !strcmp(r->sweep[0], "declared"))
        return AISP_OK;
    st = aisp_grid_init(&grid, r->sweep, r->n_sweep, request->err); /* its spelling, before anything is looked for */
    aisp_grid_release(&grid);
    return st;
}

/* ---- what is picked ---- */

static enum aisp_status add_file(struct bench_run *r, const char *path)
{
    const char *only = r->own.name;
    enum aisp_status st = aisp_own_file_init(&r->own, path, r->m.request->err);

    if (st)
        return st;
    return add_spec(
        r, &(struct aisp_entry_spec){ .target = &r->own.target, .only = &only, .n_only = 1 }, true);
}

static enum aisp_status add_targets(struct bench_run *r)
{
    const struct aisp_request *request = r->m.request;
    enum aisp_status st;

    AISP_TRY(aisp_pick_catalogue(request, &r->cat));
    AISP_TRY(aisp_pick_targets(&r->cat, r->pattern, r->n_patterns, &r->picks, request->err));
    for (size_t i = 0; i < r->picks.n; i++) {
        const struct aisp_entry_spec spec = { .target = r->picks.target[i],
                                              .only = r->only,
                                              .n_only = r->n_only };

        AISP_TRY(add_spec(r, &spec, r->picks.n == 1));
    }
    if (!r->m.entries.n)
        st = request->err->status ? request->err->status : AISP_E_NOT_FOUND; /* the line is the last target's */
out:
    return st;
}

/* ---- what is said before it is begun ---- */

/* Of a sweep each target has its own line. */
static void say_estimate(const struct bench_run *r)
{
    const double limit_s = (double)r->m.options.time_limit_ns * 1e-9;
    const size_t n_done = json_object_size(r->done);
    struct aisp_buf line = AISP_BUF_INIT;
    size_t n = 0;

    for (size_t i = 0; i < r->m.entries.n; i++)
        n += r->m.entries.entry[i].n_variants;
    n -= n_done < n ? n_done : n;
    if (is_sweep(r) || !n)
        return;
    aisp_buf_printf(&line, "%zu comparison%s: %s ", n, n == 1 ? "" : "s", limit_word(&r->m.options));
    aisp_budget_put(&line, limit_s);
    aisp_buf_printf(&line, " of timed pairs%s, about ", n == 1 ? "" : " each");
    aisp_budget_put(&line, aisp_budget_s(n, limit_s));
    aisp_buf_printf(&line, "%s with verification", n == 1 ? "" : " in all");
    aisp_note(r->m.request, "%s", line.s);
    aisp_buf_release(&line);
}

/* Workers get this one variable of the user's, and it decides how good a peer is. */
static void say_openblas(const struct bench_run *r)
{
    const char *core = getenv("OPENBLAS_CORETYPE");

    for (size_t i = 0; core && *core && i < r->m.entries.n; i++)
        for (size_t v = 0; v < r->m.entries.entry[i].n_variants; v++)
            if (strstr(r->m.entries.entry[i].variant[v]->name, "openblas")) {
                aisp_note(r->m.request, "OPENBLAS_CORETYPE=%s is set: OpenBLAS runs those kernels, not the ones that fit this core", core);
                return;
            }
}

static void copy_list(const struct aisp_args *args, const char *name, const char ***to, size_t *n)
{
    const char *const *given = aisp_args_list(args, name, n);

    *to = aisp_xcalloc(*n, sizeof **to);
    for (size_t i = 0; i < *n; i++)
        (*to)[i] = given[i];
}

static enum aisp_status prepare(struct bench_run *r)
{
    const struct aisp_request *request = r->m.request;
    const struct aisp_args *args = request->args;
    enum aisp_status st;

    copy_list(args, "targets", &r->pattern, &r->n_patterns);
    copy_list(args, "variant", &r->only, &r->n_only);
    AISP_TRY(aisp_measure_options(request, &r->m.options));
    AISP_TRY(aisp_measure_scope(request, &r->m.options));
    AISP_TRY(check_sweep(r));
    if (aisp_args_flag(args, "update-expectations"))
        AISP_TRY(aisp_expectations_check_place(request));
    r->m.gate = aisp_args_flag(args, "gate");
    if (aisp_args_flag(args, "resume")) {
        r->n_sweep = 0;
        AISP_TRY(resume(r));
        return add_targets(r);
    }
    if (args->n_operands && (r->n_patterns || r->n_only))
        return aisp_fail(request->err, AISP_E_USAGE,
                         "a file of your own and -t or --variant exclude each other");
    if (!args->n_operands && !r->n_patterns)
        return aisp_fail(request->err, AISP_E_USAGE,
                         "nothing to run: name targets by -t (all of them: -t '*') or a file");
    if (!args->n_operands)
        return add_targets(r);
    st = add_file(r, args->operand[0]);
    if (!st && aisp_catalogue_init(&r->cat, request->bench_root, NULL))
        r->cat = (struct aisp_catalogue){ 0 }; /* it is needed for the yardsticks only */
out:
    return st;
}

/* What the run found becomes what is expected from now on; the value says so under "expectations". */
static enum aisp_status update_expectations(const struct aisp_request *request, json_t **value)
{
    json_t *updated = NULL;
    const enum aisp_status st = aisp_expectations_update_run(
        request, json_string_value(json_object_get(*value, "run")), &updated);

    if (!st) {
        json_object_set_new(*value, "expectations", updated);
        return AISP_OK;
    }
    json_decref(*value);
    *value = NULL;
    return st;
}

static enum aisp_status run(const struct aisp_request *request, json_t **value, int *exit_code)
{
    struct bench_run r = { .m = { .request = request, .command = "bench run" }, .sweeps = json_array() };
    enum aisp_status st = prepare(&r);

    if (!st) {
        r.m.catalogue = &r.cat;
        r.m.is_resumable = !r.own.folder;
        r.m.arguments = arguments_of(&r);
        say_estimate(&r);
        say_openblas(&r);
        st = aisp_measure_run(&r.m, value, exit_code);
    }
    if (!st)
        json_object_set_new(*value, "sweeps", aisp_maps_of(r.sweeps, json_object_get(*value, "results")));
    if (!st && aisp_args_flag(request->args, "update-expectations"))
        st = update_expectations(request, value);
    aisp_entries_release(&r.m.entries);
    aisp_store_close(r.store);
    free(r.set);
    aisp_own_file_release(&r.own);
    aisp_picks_release(&r.picks);
    aisp_catalogue_release(&r.cat);
    json_decref(r.earlier);
    json_decref(r.done);
    json_decref(r.sweeps);
    free(r.pattern);
    free(r.only);
    return st;
}

static void render(const json_t *value, const struct aisp_style *style, struct aisp_buf *out)
{
    aisp_measure_render(value, style, out);
    if (json_object_get(value, "expectations"))
        aisp_expectations_update_render(json_object_get(value, "expectations"), style, out);
}

static const struct aisp_operand operands[] = {
    { "FILE", "A variant of your own, .c or .so; problem and baseline lie beside it",
      .optional = true, .kind = AISP_OPERAND_PATH },
    { 0 },
};

static const struct aisp_option options[] = {
    { "targets", 't', AISP_OPT_TEXT, .repeats = true, .meta = "TARGET",
      .help = "What to run: ch07, ch07:transpose, 'ch0*'" },
    { "variant", 0, AISP_OPT_TEXT, .repeats = true, .meta = "NAME", .help = "Only this variant" },
    AISP_OPTIONS_SIZE,
    { "sweep", 0, AISP_OPT_TEXT, .repeats = true, .meta = "NAME=VALUES",
      .help = "Measure at each of these: n=64:4096:x2, n=64:512:+64, n=100,200,400, m=n=k=16:512:x2; several make a grid; or "
              "\"declared\"" },
    AISP_OPTIONS_MEASURE,
    AISP_OPTION_SCOPE,
    { "resume", 0, AISP_OPT_FLAG, .help = "Finish the newest run that was interrupted" },
    { "update-expectations", 0, AISP_OPT_FLAG,
      .help = "Write what the run found as what is expected from now on", .writes = true },
    { "chapters-dir", 0, AISP_OPT_PATH, .meta = "DIR",
      .help = "Source folder of the chapters; their expectations lie in it", .preset = "chapters" },
    { 0 },
};

AISP_COMMAND(bench_run) = {
    .path = "bench run",
    .sentence = "Measure variants against their baseline, with verified outputs",
    .example = "aisp bench run -t ch07:transpose\naisp bench run -t 'ch0*' --quick\naisp bench run "
               "my/target/optimized_idea.c\naisp bench run -t ch07:copy_peak --sweep n=4096:16777216:x4\naisp bench run -t "
               "ch01:small_gemm --sweep declared --quick",
    .operand = operands,
    .option = options,
    .flags = AISP_CMD_RUNS_CODE | AISP_CMD_READS_STORE | AISP_CMD_LONG,
    .run = run,
    .render = render,
};
