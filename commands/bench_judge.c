/* bench_judge.c - `bench judge`: kernels written by strangers or models, compiled in a sandbox, run in the cage, answered in
 * one line each. Compiling may go on side by side; measuring never does.
 * Not here: reading candidates (candidate.c), building them (judge_build.c), comparing (judge_match.c), what an answer says
 * (judge_answer.c). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "commands/judge.h"
#include "commands/measure.h"
#include "commands/place.h"
#include "core/base/clock.h"
#include "store/attempt.h"

enum { BATCH_OF_A_JOB = 4, MAX_BATCH = 64, SWEEPS = 20 };
enum { LEAST_SLOTS = 2, SIDES = 2 }; /* of what is timed */

struct bench_judge {
    struct aisp_judge judge;
    struct aisp_candidates candidates;
    json_t *answers, *best;
    int jobs;
    bool resume, again, confirm, gate;
    int64_t start_ns;
};

/* ---- output ---- */

static char *line_of(const json_t *answer)
{
    char *line = json_dumps(answer, JSON_COMPACT | JSON_REAL_PRECISION(9));

    if (!line)
        AISP_BUG("an answer that is no JSON");
    return line;
}

static void say(const struct bench_judge *b, const json_t *answer)
{
    const struct aisp_console *console = b->judge.request->console;
    char *line;

    if (!console || !console->line)
        return;
    line = line_of(answer);
    console->line(console->context, line);
    free(line);
}

static void show_progress(const struct bench_judge *b, const char *what, const char *name)
{
    const struct aisp_console *console = b->judge.request->console;
    char line[160];

    if (!console || !console->progress)
        return;
    snprintf(line, sizeof line, "%s %zu/%zu: %s", what, json_array_size(b->answers) + 1,
             b->candidates.n, name);
    console->progress(console->context, line);
}

/* ---- answers ---- */

static double ratio_of(const json_t *answer)
{
    const json_t *ratio = json_object_get(answer, "ratio");

    return json_is_number(ratio) ? json_number_value(ratio) : NAN;
}

static enum aisp_status record(struct bench_judge *b, const struct aisp_candidate *c,
                               json_t *answer)
{
    const struct aisp_judge *j = &b->judge;
    const struct aisp_attempt attempt = {
        .target = j->entry.target->id,
        .family = c->family,
        .sha256 = c->sha256,
        .build = j->build,
        .run = j->bench.run,
        .rejected = aisp_answer_rejected(answer),
        .ratio = ratio_of(answer),
        .answer = answer,
    };
    enum aisp_status st;
    int64_t number;

    json_object_set_new(answer, "stored", json_false());
    AISP_TRY(aisp_store_attempt_add(j->bench.store, &attempt, &number, j->request->err));
    json_object_set_new(answer, "attempt", json_integer(number));
    json_object_set_new(answer, "run", json_string(j->bench.run));
out:
    return st;
}

static void keep(struct bench_judge *b, json_t *answer)
{
    say(b, answer);
    json_array_append_new(b->answers, answer);
}

static enum aisp_status judge_one(struct bench_judge *b, const struct aisp_candidate *c,
                                  const struct aisp_built *built)
{
    json_t *answer = NULL;
    enum aisp_status st;

    show_progress(b, "judging", c->name);
    AISP_TRY(aisp_judge_match(&b->judge, c, built, &answer));
    AISP_TRY(record(b, c, answer));
    keep(b, json_incref(answer));
out:
    json_decref(answer);
    return st;
}

static enum aisp_status answer_again(struct bench_judge *b, struct aisp_candidate *c,
                                     json_t **answer)
{
    const struct aisp_judge *j = &b->judge;
    enum aisp_status st = AISP_OK;

    *answer = NULL;
    if (!b->resume || b->again || !c->source)
        return AISP_OK;
    AISP_TRY(aisp_store_attempt_find(j->bench.store, c->sha256, j->entry.target->id, j->build,
                                     answer, j->request->err));
    if (*answer) {
        c->is_answered = true;
        json_object_set_new(*answer, "stored", json_true());
        json_object_set_new(*answer, "candidate", json_string(c->name));
    }
out:
    return st;
}

static enum aisp_status judge_batch(struct bench_judge *b, struct aisp_candidate *c, size_t n)
{
    const struct aisp_console *console = b->judge.request->console;
    struct aisp_built built[MAX_BATCH] = { 0 };
    json_t *answer[MAX_BATCH] = { NULL };
    enum aisp_status st = AISP_OK;

    for (size_t i = 0; i < n; i++)
        built[i].result.product_fd = -1;
    for (size_t i = 0; i < n; i++)
        AISP_TRY(answer_again(b, &c[i], &answer[i]));
    show_progress(b, "compiling", c->name);
    AISP_TRY(aisp_builder_run(&b->judge.builder, c, n, b->jobs, console ? console->stop : NULL,
                              built, b->judge.request->err));
    for (size_t i = 0; i < n; i++) {
        if (answer[i])
            keep(b, json_incref(answer[i]));
        else
            AISP_TRY(judge_one(b, &c[i], &built[i]));
        aisp_built_release(&built[i]);
    }
out:
    for (size_t i = 0; i < n; i++) {
        aisp_built_release(&built[i]);
        json_decref(answer[i]);
    }
    return st;
}

/* ---- the best of a family ---- */

static const struct aisp_candidate *given(const struct bench_judge *b, const char *sha256)
{
    for (size_t i = 0; i < b->candidates.n; i++)
        if (b->candidates.item[i].source && !strcmp(b->candidates.item[i].sha256, sha256))
            return &b->candidates.item[i];
    return NULL;
}

static enum aisp_status confirm(struct bench_judge *b, const json_t *best, json_t *line)
{
    const struct aisp_candidate *c = given(b, json_string_value(json_object_get(best, "sha256")));
    struct aisp_built built = { .result = { .product_fd = -1 } };
    struct aisp_candidate own;
    json_t *confirmed = NULL;
    enum aisp_status st;

    if (!c) {
        json_object_set_new(line, "confirm_why",
                            json_string("its source is not among the candidates of this call"));
        return AISP_OK;
    }
    own = *c;
    own.is_answered = false;
    AISP_TRY(aisp_builder_run(&b->judge.builder, &own, 1, 1, NULL, &built, b->judge.request->err));
    AISP_TRY(aisp_judge_confirm(&b->judge, &own, &built, &confirmed));
    if (confirmed)
        json_object_set_new(line, "confirmed", confirmed);
    else
        json_object_set_new(line, "confirm_why", json_string(b->judge.confirm_why));
out:
    aisp_built_release(&built);
    return st;
}

/* A line for people: what the figure is worth. */
static void label(json_t *line, int64_t n)
{
    const bool is_confirmed = json_is_object(json_object_get(line, "confirmed"));
    char text[200];

    snprintf(text, sizeof text,
             is_confirmed ? "best of %lld; its ratio was picked by luck too, the one to believe is "
                            "that of the fresh run"
                          : "best of %lld; its ratio was picked by luck too: confirm it on a fresh "
                            "run (--confirm)",
             (long long)n);
    json_object_set_new(line, "label", json_string(text));
}

static enum aisp_status best_of(struct bench_judge *b, const char *family)
{
    static const char *const keys[] = { "candidate", "sha256", "attempt", "verdict",
                                        "grade",     "ratio",  "lo95",    "hi95" };
    struct aisp_judge *j = &b->judge;
    json_t *best = NULL, *line = NULL;
    enum aisp_status st;
    int64_t n;

    AISP_TRY(aisp_store_attempt_best(j->bench.store, j->entry.target->id, family, j->build, &n,
                                     &best, j->request->err));
    if (!best || (n < 2 && !b->confirm))
        goto out;
    line = json_pack("{s:s, s:s, s:s, s:s, s:I, s:n, s:s}", "schema", AISP_JUDGE_SCHEMA, "kind",
                     "best", "target", j->entry.target->id, "family", family, "best_of",
                     (json_int_t)n, "confirmed", "confirm_why", "");
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        json_object_set(line, keys[i], json_object_get(best, keys[i]));
    if (b->confirm)
        AISP_TRY(confirm(b, best, line));
    label(line, n);
    say(b, line);
    json_array_append(b->best, line);
out:
    json_decref(best);
    json_decref(line);
    return st;
}

static enum aisp_status best_of_each(struct bench_judge *b)
{
    enum aisp_status st = AISP_OK;

    for (size_t i = 0; i < b->candidates.n && !st; i++) {
        bool is_first = true;

        for (size_t k = 0; k < i; k++)
            is_first &= strcmp(b->candidates.item[k].family, b->candidates.item[i].family) != 0;
        if (is_first)
            st = best_of(b, b->candidates.item[i].family);
    }
    return st;
}

/* ---- the command ---- */

/* A jail that has not noticed yet that its judge was killed may still be in there, and emptying it itself. */
static void sweep_one(void *context, const char *path)
{
    const struct timespec moment = { 0, 50000000 };

    (void)context;
    for (int i = 0; i < SWEEPS && aisp_place_remove(path, NULL, NULL) && !access(path, F_OK); i++)
        nanosleep(&moment, NULL);
}

static enum aisp_status take_candidates(struct bench_judge *b)
{
    const struct aisp_request *request = b->judge.request;
    const struct aisp_args *args = request->args;
    const char *family = aisp_args_text(args, "family");
    const bool from_stdin = aisp_args_flag(args, "stdin"), as_lines = aisp_args_flag(args, "lines");
    enum aisp_status st = AISP_OK;

    if (!from_stdin && (as_lines || !args->n_operands))
        return aisp_fail(
            request->err, AISP_E_USAGE,
            as_lines ? "--lines says how --stdin is to be read; give both"
                     : "nothing to judge: name files or folders, or give a source by --stdin");
    for (size_t i = 0; i < args->n_operands; i++)
        AISP_TRY(aisp_candidates_add_path(&b->candidates, args->operand[i], family, request->err));
    if (from_stdin)
        AISP_TRY(aisp_candidates_add_stream(&b->candidates, stdin, as_lines, family, request->err));
out:
    return st;
}

static enum aisp_jail_mode mode_asked(const struct aisp_args *args)
{
    const char *text = aisp_args_text(args, "sandbox");

    return !strcmp(text, "landlock") ? AISP_JAIL_LANDLOCK : AISP_JAIL_ANY;
}

static enum aisp_status take_target(struct bench_judge *b)
{
    struct aisp_judge *j = &b->judge;
    const struct aisp_request *request = j->request;
    const char *name = aisp_args_text(request->args, "target");
    const struct aisp_backend *backend;
    const struct aisp_target *target;
    enum aisp_status st;

    if (!name)
        return aisp_fail(request->err, AISP_E_USAGE,
                         "name the problem that the candidates solve: --target ch09:gemm_ladder");
    AISP_TRY(aisp_pick_catalogue(request, &j->cat));
    AISP_TRY(aisp_pick_target(&j->cat, name, &target, request->err));
    AISP_TRY(aisp_entry_init(&j->entry, &(struct aisp_entry_spec){ .target = target }, &j->options,
                             request->err));
    backend = aisp_backend_find(j->entry.reference->device);
    AISP_TRY(backend->probe(request->err)); /* what no candidate can change is said before the first */
    AISP_TRY(backend->fits(&j->entry.inst, LEAST_SLOTS, SIDES, request->err));
out:
    return st;
}

static enum aisp_status prepare(struct bench_judge *b)
{
    struct aisp_judge *j = &b->judge;
    const struct aisp_request *request = j->request;
    const struct aisp_args *args = request->args;
    enum aisp_status st;

    aisp_place_each_left(sweep_one, NULL); /* of judges that were killed */
    AISP_TRY(aisp_measure_options(request, &j->options));
    if (j->options.device)
        return aisp_fail(request->err, AISP_E_UNAVAILABLE, "bench judge compiles and judges C for the CPU alone");
    if (j->options.placement_audit)
        return aisp_fail(request->err, AISP_E_USAGE,
                         "--placement-audit builds again with other flags, and a candidate is "
                         "built with fixed ones");
    b->jobs = (int)aisp_args_integer(args, "jobs");
    b->resume = aisp_args_flag(args, "resume");
    b->again = aisp_args_flag(args, "again");
    b->confirm = aisp_args_flag(args, "confirm");
    b->gate = aisp_args_flag(args, "gate");
    AISP_TRY(take_candidates(b));
    AISP_TRY(take_target(b));
    AISP_TRY(aisp_builder_init(&j->builder, j->entry.target, mode_asked(args), request->err));
    if (j->builder.lacks)
        aisp_note(request, "candidates have no problem.h: %s", j->builder.lacks);
    AISP_TRY(aisp_judge_hash(j));
out:
    return st;
}

static json_t *arguments_of(const struct bench_judge *b)
{
    const struct aisp_session_options *o = &b->judge.options;

    return json_pack("{s:s, s:I, s:s, s:I, s:f, s:i, s:b, s:s, s:s}", "target",
                     b->judge.entry.target->id, "candidates", (json_int_t)b->candidates.n, "size",
                     o->size_name, "time_limit_ns", (json_int_t)o->time_limit_ns, "band", o->band,
                     "threads", o->n_threads, "publish", o->grading.publish, "sandbox",
                     aisp_sandbox_mode_name(b->judge.builder.mode), "build", b->judge.build);
}

static enum aisp_status judge_all(struct bench_judge *b)
{
    const size_t most =
        (size_t)(b->jobs * BATCH_OF_A_JOB < MAX_BATCH ? b->jobs * BATCH_OF_A_JOB : MAX_BATCH);
    struct aisp_judge *j = &b->judge;
    enum aisp_status st;

    if (!b->candidates.n) {                      /* a run of nothing would be the newest one from then on */
        aisp_note(j->request, "no candidate was found: nothing is judged, and no run recorded");
        return AISP_OK;
    }
    AISP_TRY(aisp_bench_open(&j->bench, j->request, &j->options, true));
    j->bench.catalogue = &j->cat;
    AISP_TRY(aisp_bench_calibrate(&j->bench));
    AISP_TRY(aisp_bench_begin(&j->bench, "bench judge", arguments_of(b)));
    for (size_t i = 0; i < b->candidates.n; i += most) {
        const size_t left = b->candidates.n - i;

        AISP_TRY(judge_batch(b, &b->candidates.item[i], left < most ? left : most));
    }
    AISP_TRY(best_of_each(b));
    AISP_TRY(aisp_bench_finish(&j->bench));
out:
    return st;
}

static int exit_of(const struct bench_judge *b)
{
    bool has_slow = false;
    json_t *answer;
    size_t i;

    json_array_foreach(b->answers, i, answer)
    {
        const char *verdict = json_string_value(json_object_get(answer, "verdict"));

        if (*aisp_answer_rejected(answer))
            return AISP_EXIT_INVALID;
        has_slow |= !strcmp(verdict, "SLOWER") || !strcmp(verdict, "UNSURE");
    }
    if (b->gate && has_slow)
        return AISP_EXIT_GATE;
    return json_array_size(b->answers) ? AISP_EXIT_OK : AISP_EXIT_NOTHING;
}

static enum aisp_status run(const struct aisp_request *request, json_t **value, int *exit_code)
{
    struct bench_judge b = { .judge = { .request = request },
                             .answers = json_array(),
                             .best = json_array() };
    enum aisp_status st;

    b.start_ns = aisp_now_ns();
    AISP_TRY(prepare(&b));
    AISP_TRY(judge_all(&b));
    *value = json_pack("{s:s, s:s, s:b, s:f, s:O, s:O}", "schema", AISP_JUDGE_SCHEMA, "run",
                       b.judge.bench.run, "printed", request->console && request->console->line,
                       "elapsed_s", (double)(aisp_now_ns() - b.start_ns) * 1e-9, "answers",
                       b.answers, "best", b.best);
    *exit_code = exit_of(&b);
out:
    if (b.judge.bench.results)
        aisp_bench_close(&b.judge.bench);
    aisp_builder_release(&b.judge.builder);
    aisp_entry_release(&b.judge.entry);
    aisp_catalogue_release(&b.judge.cat);
    aisp_candidates_release(&b.candidates);
    json_decref(b.answers);
    json_decref(b.best);
    return st;
}

static void render(const json_t *value, const struct aisp_style *style, struct aisp_buf *out)
{
    const char *const lists[] = { "answers", "best" };
    const json_t *answer;
    size_t i;

    (void)style;
    for (size_t k = 0; k < 2 && !json_is_true(json_object_get(value, "printed")); k++)
        json_array_foreach(json_object_get(value, lists[k]), i, answer)
        {
            char *line = line_of(answer);

            aisp_buf_printf(out, "%s\n", line);
            free(line);
        }
}

static const struct aisp_operand operands[] = {
    { "CANDIDATE", "A C source, or a folder of them", .optional = true, .repeats = true, .kind = AISP_OPERAND_PATH },
    { 0 },
};

static const struct aisp_option options[] = {
    { "target", 't', AISP_OPT_TEXT, .meta = "TARGET",
      .help = "The problem that they solve: ch09:gemm_ladder" },
    { "stdin", 0, AISP_OPT_FLAG, .help = "Read a source from standard input" },
    { "lines", 0, AISP_OPT_FLAG,
      .help = "Standard input holds JSON Lines: {\"name\", \"source\", \"family\"}" },
    { "family", 0, AISP_OPT_TEXT, .meta = "NAME",
      .help = "Attempts are counted by it (default: the file's name without its number)" },
    { "jobs", 'j', AISP_OPT_INTEGER, .meta = "N", .help = "Builds at once; measuring is one by one",
      .preset = "1", .low = 1, .high = 32 },
    { "resume", 0, AISP_OPT_FLAG,
      .help = "Answer from the store what was judged before in the same way" },
    { "again", 0, AISP_OPT_FLAG,
      .help = "With --resume: judge that anew too; it counts as another attempt" },
    { "confirm", 0, AISP_OPT_FLAG,
      .help = "Measure the best of each family again, with fresh secrets" },
    { "sandbox", 0, AISP_OPT_CHOICE, .meta = "auto|landlock",
      .help = "What holds the builds; auto: namespaces if there are any", .preset = "auto" },
    AISP_OPTIONS_SIZE,
    AISP_OPTIONS_MEASURE,
    { 0 },
};

AISP_COMMAND(bench_judge) = {
    .path = "bench judge",
    .sentence = "Judge kernels that nobody trusts, built in a sandbox: one JSON line each",
    .example = "aisp bench judge candidate.c --target ch09:gemm_ladder --quick\n"
               "aisp bench judge candidates/ -t ch09:gemm_ladder --jobs 4 --resume --confirm",
    .operand = operands,
    .option = options,
    .flags = AISP_CMD_RUNS_CODE | AISP_CMD_READS_STORE | AISP_CMD_LONG,
    .run = run,
    .render = render,
};
