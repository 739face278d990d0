/* bisect.c - `aisp bisect`: which commit made a variant slower, and how sure that is.
 * Not here: what is measured next and what is believed (analysis/bisection.c). */
#include "commands/history/bisect.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands/place.h"
#include "core/base/clock.h"
#include "core/stats/stats.h"

static const char DEFAULT_BUILD[] = "cmake -S . -B build -G Ninja -DAISP_TESTS=OFF && cmake --build build --target targets";

/* ---- what was asked ---- */

/* "ch07:transpose/tiled" into its parts. */
static enum aisp_status read_target(struct aisp_bisect *b, const char *spelling, struct aisp_err *err)
{
    const char *colon = spelling ? strchr(spelling, ':') : NULL, *slash = colon ? strrchr(colon, '/') : NULL;

    if (!spelling)
        return aisp_fail(err, AISP_E_USAGE, "what is slower? Name the variant by -t ch07:transpose/optimized_tiled");
    if (!slash || slash == colon + 1 || !slash[1] || strstr(spelling, ".."))
        return aisp_fail(err, AISP_E_USAGE, "-t %s: names no variant; write it as ch07:transpose/optimized_tiled", spelling);
    b->id = aisp_format("%.*s", (int)(slash - spelling), spelling);
    b->group_and_name = aisp_xstrdup(b->id);
    b->group_and_name[colon - spelling] = '/';
    b->variant = aisp_xstrdup(slash + 1);
    return AISP_OK;
}

static enum aisp_status read_options(struct aisp_bisect *b, const struct aisp_request *request,
                                     struct aisp_session_options *options)
{
    const struct aisp_args *args = request->args;
    const bool is_quick = aisp_args_flag(args, "quick");

    b->build = aisp_args_given(args, "build") ? aisp_args_text(args, "build") : DEFAULT_BUILD;
    b->built = aisp_args_text(args, "built");
    *options = (struct aisp_session_options){ .size = is_quick ? AISP_SIZE_QUICK : AISP_SIZE_DEFAULT,
                                              .size_name = is_quick ? "quick" : "default",
                                              .time_limit_ns = aisp_args_duration_ns(args, "time-limit"),
                                              .n_threads = 1 };
    options->set = aisp_args_list(args, "set", &options->n_set);
    if (options->n_set)
        options->size_name = "custom";
    if (!aisp_args_given(args, "good") || !aisp_args_given(args, "bad"))
        return aisp_fail(request->err, AISP_E_USAGE, "between which commits? Give --good COMMIT, the older, and --bad COMMIT");
    if (aisp_args_real(args, "max-error") >= 0.5)
        return aisp_fail(request->err, AISP_E_USAGE, "--max-error %s: a coin would do; must be below 0.5",
                         aisp_args_text(args, "max-error"));
    return read_target(b, aisp_args_text(args, "target"), request->err);
}

/* ---- the loop ---- */

static void show(const struct aisp_bisect *b, size_t commit, const char *what)
{
    const struct aisp_console *console = b->bench.request->console;
    size_t most = 0;
    char *line;

    if (!console || !console->progress)
        return;
    for (size_t i = 1; i <= b->bisection.n_commits; i++)
        if (b->bisection.posterior[i] > b->bisection.posterior[most])
            most = i;
    line = aisp_format("run %zu: %s %.10s; so far %s%.10s, %.0f %%", b->bisection.n_runs + 1, what,
                       b->commits.commit[commit].hash, most ? "the first slower one is " : "none is slower",
                       most ? b->commits.commit[most].hash : "", 100 * b->bisection.posterior[most]);
    console->progress(console->context, line);
    free(line);
}

static enum aisp_status step(struct aisp_bisect *b, size_t commit, struct aisp_err *err)
{
    if (!b->commit[commit].is_built) {
        show(b, commit, "building");
        return aisp_bisect_build(b, commit, err); /* it may be skipped or like another: ask again */
    }
    show(b, commit, "measuring");
    return aisp_bisect_measure(b, commit, err);
}

static enum aisp_status search(struct aisp_bisect *b, int64_t most_runs, struct aisp_bisection_step *answer,
                               struct aisp_err *err)
{
    const size_t last = b->bisection.n_commits;
    enum aisp_status st;

    AISP_TRY(aisp_bisect_build(b, 0, err));
    AISP_TRY(aisp_bisect_build(b, last, err));
    if (!b->commit[last].object) {
        st = aisp_fail(err, AISP_E_REFUSED, "the bad commit %.10s %s", b->commits.commit[last].hash, b->commit[last].why);
        goto out;
    }
    for (;;) {
        *answer = aisp_bisection_next(&b->bisection);
        if (answer->state != AISP_BISECTION_MEASURE || (int64_t)(b->bisection.n_runs + b->n_blind) >= most_runs)
            break;
        if (aisp_bench_is_stopped(&b->bench))
            return aisp_fail(err, AISP_E_INTERRUPTED, "interrupted after %zu runs of %zu builds", b->bisection.n_runs,
                             b->n_builds);
        AISP_TRY(step(b, answer->commit, err));
    }
out:
    return st;
}

/* ---- the value ---- */

static json_t *real_or_null(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

static json_t *commit_value(const struct aisp_bisect *b, size_t i)
{
    const struct aisp_bisect_commit *c = &b->commit[i];
    const struct aisp_git_commit *git = &b->commits.commit[i];
    struct aisp_estimate estimate = { .centre = NAN };
    const bool has = c->n_runs && !aisp_estimate_pairs(c->log_ratio, c->n_runs, 0.05, &estimate, NULL);
    const bool has_interval = has && estimate.ci95.exists;

    return json_pack(
        "{s:s, s:s, s:s, s:b, s:I, s:o, s:o, s:o, s:f, s:f, s:o, s:s}", "commit", git->hash, "date", git->date, "subject",
        git->subject, "built", c->object != NULL, "n_runs", (json_int_t)c->n_runs, "ratio",
        real_or_null(has ? exp(estimate.centre) : NAN), "lo95", real_or_null(has_interval ? exp(estimate.ci95.lo) : NAN),
        "hi95", real_or_null(has_interval ? exp(estimate.ci95.hi) : NAN), "first", i ? b->bisection.posterior[i] : 0.0, "slow",
        i ? aisp_bisection_slow(&b->bisection, i) : 0.0, "same_as",
        c->object && c->same_as != i ? json_string(b->commits.commit[c->same_as].hash) : json_null(), "skipped", c->why);
}

static const char *verdict_of(const struct aisp_bisection_step *answer)
{
    return answer->state == AISP_BISECTION_FOUND ? "FOUND" : answer->state == AISP_BISECTION_NONE ? "NONE" : "UNSURE";
}

static json_t *value_of(const struct aisp_bisect *b, const struct aisp_bisection_step *answer, int64_t start_ns)
{
    json_t *commits = json_array(), *candidates = json_array();

    for (size_t i = 0; i < b->commits.n; i++)
        json_array_append_new(commits, commit_value(b, i));
    for (size_t i = answer->first; answer->state == AISP_BISECTION_FOUND && i <= answer->last; i++)
        if (!b->bisection.is_excluded[i])
            json_array_append_new(candidates, json_string(b->commits.commit[i].hash));
    return json_pack(
        "{s:s, s:s, s:s, s:o, s:o, s:f, s:f, s:o, s:I, s:I, s:I, s:f, s:o}", "target", b->id, "variant", b->variant, "verdict",
        verdict_of(answer), "candidates", candidates, "probability",
        answer->state == AISP_BISECTION_FOUND || answer->state == AISP_BISECTION_NONE ? json_real(answer->probability)
                                                                                      : json_null(),
        "max_error", b->bisection.max_error, "least_percent", 100 * expm1(b->bisection.least_log), "slower_percent",
        answer->state == AISP_BISECTION_FOUND ? json_real(100 * expm1(b->bisection.size_log)) : json_null(), "n_runs",
        (json_int_t)b->bisection.n_runs, "n_blind", (json_int_t)b->n_blind, "n_builds", (json_int_t)b->n_builds, "elapsed_s",
        1e-9 * (double)(aisp_now_ns() - start_ns), "commits", commits);
}

static void release(struct aisp_bisect *b)
{
    for (size_t i = 0; b->commit && i < b->commits.n; i++)
        aisp_bisect_commit_release(&b->commit[i]);
    free(b->commit);
    aisp_git_commits_release(&b->commits);
    aisp_worktree_release(&b->worktree);
    aisp_bisection_release(&b->bisection);
    if (b->folder)
        aisp_place_remove(b->folder, NULL, NULL);
    free(b->folder);
    free(b->id);
    free(b->group_and_name);
    free(b->variant);
    if (b->bench.results)
        aisp_bench_close(&b->bench);
}

static enum aisp_status run(const struct aisp_request *request, json_t **value, int *exit_code)
{
    const struct aisp_args *args = request->args;
    const char *repository = aisp_args_text(args, "repo");
    const int64_t start_ns = aisp_now_ns();
    struct aisp_bisect b = { .longer = 1 };
    struct aisp_session_options options;
    struct aisp_bisection_step answer = { AISP_BISECTION_STUCK };
    enum aisp_status st;

    AISP_TRY(read_options(&b, request, &options));
    AISP_TRY(aisp_git_range(repository, aisp_args_text(args, "good"), aisp_args_text(args, "bad"), &b.commits, request->err));
    b.commit = aisp_xcalloc(b.commits.n, sizeof *b.commit);
    AISP_TRY(aisp_bisection_init(&b.bisection, b.commits.n - 1, aisp_args_real(args, "max-error"),
                                 log1p(aisp_args_real(args, "least") / 100), request->err));
    AISP_TRY(aisp_bench_open(&b.bench, request, &options, false));
    b.bench.n_total = 1;
    AISP_TRY(aisp_place_private(&b.folder, request->err));
    AISP_TRY(aisp_worktree_init(&b.worktree, repository, b.folder, b.commits.commit[0].hash, request->err));
    AISP_TRY(search(&b, aisp_args_integer(args, "max-runs"), &answer, request->err));
    *value = value_of(&b, &answer, start_ns);
    if (!*value)
        AISP_BUG("an answer that is no JSON");
    *exit_code = answer.state == AISP_BISECTION_FOUND || answer.state == AISP_BISECTION_NONE ? AISP_EXIT_OK : AISP_EXIT_GATE;
out:
    release(&b);
    return st;
}

static const struct aisp_option options[] = {
    { "good", 0, AISP_OPT_TEXT, .meta = "COMMIT", .help = "The last that is known to be fast" },
    { "bad", 0, AISP_OPT_TEXT, .meta = "COMMIT", .help = "The one that is slower" },
    { "target", 't', AISP_OPT_TEXT, .meta = "TARGET/VARIANT", .help = "What is slower" },
    { "build", 0, AISP_OPT_TEXT, .meta = "COMMAND",
      .help = "How a commit is built, in its own worktree (default: CMake's target `targets`)" },
    { "built", 0, AISP_OPT_PATH, .meta = "DIR", .help = "Where the built targets are then, from the top of the worktree",
      .preset = "build/targets" },
    { "repo", 0, AISP_OPT_PATH, .meta = "DIR", .help = "The repository", .preset = "." },
    { "max-error", 0, AISP_OPT_REAL, .meta = "P", .help = "Name a commit when it is wrong with at most this probability",
      .preset = "0.05" },
    { "least", 0, AISP_OPT_REAL, .meta = "PERCENT", .help = "A slowdown by less is none", .preset = "0.5" },
    { "time-limit", 0, AISP_OPT_DURATION, .meta = "TIME",
      .help = "Of one run of a commit; doubled while it is too short for an interval", .preset = "2s" },
    { "max-runs", 0, AISP_OPT_INTEGER, .meta = "N", .help = "Give up, unsure, after so many runs", .preset = "300", .low = 1,
      .high = 100000 },
    { "quick", 'q', AISP_OPT_FLAG, .help = "Measure at the quick size" },
    { "set", 0, AISP_OPT_TEXT, .repeats = true, .meta = "NAME=N", .help = "Set a parameter over its value at that size" },
    { 0 },
};

AISP_COMMAND(bisect) = {
    .path = "bisect",
    .sentence = "Find the first commit that made a variant slower, with its error rate",
    .example = "aisp bisect --good v1.2 --bad HEAD -t ch07:transpose/tiled\n"
               "aisp bisect --good HEAD~9 --bad HEAD -t my:x/fast --build make --built out",
    .option = options,
    .flags = AISP_CMD_RUNS_CODE | AISP_CMD_WRITES | AISP_CMD_LONG,
    .run = run,
    .render = aisp_bisect_render,
};
