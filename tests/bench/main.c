/* main.c - aisp-bench: options, and the order of the parts. */
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "tests/bench/bench.h"

static struct bench bench;
static const char *only; /* the part asked for alone, or NULL */

static const struct {
    const char *name;
    enum aisp_status (*measure)(struct bench *, struct aisp_err *);
    bool only_asked; /* not among all */
    bool is_aa;      /* shares the time limit with the others */
} parts[] = {
    /* starts come first, see start.c */
    { "start", bench_start },         { "judge", bench_judge },     { "replayed", bench_replayed },
    { "identical", bench_identical }, { "planted", bench_planted }, { "shifted", bench_shifted },
    { "verifying", bench_verifying }, { "changepoints", bench_changepoints }, { "bisection", bench_bisection },
    { "store", bench_store, .only_asked = true },
    { "cuda-hbm", bench_cuda_hbm, .only_asked = true, .is_aa = true },
    { "cuda-l2", bench_cuda_l2, .only_asked = true, .is_aa = true },
    { "cuda-empty", bench_cuda_empty, .only_asked = true },
};
enum { N_PARTS = sizeof parts / sizeof *parts };

enum { CUDA_RUNS = 60, CUDA_RUN_PAIRS = 3 };
static const int64_t CUDA_LIMIT_NS = INT64_C(480000000000);

/* "cuda" is all of "cuda-hbm", "cuda-l2" and "cuda-empty". */
static bool is_named(int part, const char *name)
{
    const size_t n = strlen(name);

    return !strncmp(parts[part].name, name, n) && (!parts[part].name[n] || parts[part].name[n] == '-');
}

static bool is_part(const char *name)
{
    for (int i = 0; i < N_PARTS; i++)
        if (is_named(i, name))
            return true;
    return false;
}

static void on_interrupt(int signal_number)
{
    (void)signal_number;
    bench.stop = 1;
}

static enum aisp_status open_catalogues(struct aisp_err *err)
{
    char path[PATH_MAX];
    const ssize_t n = readlink("/proc/self/exe", path, sizeof path - 64);
    enum aisp_status st;
    char *name;

    if (n <= 0)
        return aisp_fail_errno(err, AISP_E_UNAVAILABLE, "/proc/self/exe");
    path[n] = '\0';
    name = strrchr(path, '/') + 1;
    strcpy(name, "targets");
    AISP_TRY(aisp_catalogue_init(&bench.targets, path, err));
    strcpy(name, "bench-targets");
    st = aisp_catalogue_init(&bench.own, path, err);
out:
    return st;
}

static void report_accusations(void)
{
    const char *name;
    json_t *n;

    bench_report_section(&bench, "false accusations");
    bench_report(&bench,
                 &(struct bench_figure){ .what = "honest code called invalid, live",
                                         .unit = "count",
                                         .value = bench.n_accused,
                                         .kind = BENCH_AT_MOST,
                                         .goal_text = "0" },
                 "%d of %d comparisons", bench.n_accused, bench.n_honest);
    json_object_foreach(bench.accusations, name, n) bench_report(
        &bench,
        &(struct bench_figure){ .what = name, .unit = "count", .value = json_number_value(n) },
        "%lld findings", (long long)json_integer_value(n));
    if (*bench.accusation && !bench.json)
        printf("the first: %s\n", bench.accusation);
}

static bool is_asked(int part)
{
    return only ? is_named(part, only) : !parts[part].only_asked;
}

static enum aisp_status run_parts(struct aisp_err *err)
{
    enum aisp_status st;

    aisp_environment_probe(&bench.before, "/");
    bench_report_machine(&bench);
    bench.backend = aisp_backend_find("cpu");
    if (!bench.backend)
        return aisp_fail(err, AISP_E_UNAVAILABLE, "this program was built without the cpu device");
    AISP_TRY(bench.backend->probe(err));
    aisp_key_random(&bench.secret);
    for (int i = 0; i < N_PARTS; i++)
        bench.n_aa_left += parts[i].is_aa && is_asked(i);
    for (int i = 0; i < N_PARTS; i++) {
        if (i == 1)
            AISP_TRY(open_catalogues(err));
        if (is_asked(i))
            AISP_TRY(parts[i].measure(&bench, err));
    }
    if (bench.n_honest)
        report_accusations();
out:
    return st;
}

static int usage(FILE *to)
{
    fputs(
        "usage: aisp-bench [--quick] [--json] [--only PART] [--patience S]\n"
        "       aisp-bench --only cuda[-hbm|-l2|-empty] [--json] [--runs N] [--pairs N] [--scope call|kernel]\n"
        "                  [--set NAME=N] [--time-limit S]\n"
        "  What the harness itself costs and how well it judges, here and now, beside its goals.\n"
        "  --quick     fewer live runs: a minute or two instead of eight\n"
        "  --json      one JSON value instead of a table\n"
        "  --only      start, judge, replayed, identical, planted, shifted, verifying,\n"
        "              changepoints or bisection; or store: a million results, some minutes and\n"
        "              8 GB of disk, not among all\n"
        "  --patience  seconds, in all, to wait for a quiet machine before live runs (0)\n"
        "On a card: kernels against their own copies, and an empty one.\n"
        "  --runs      ratios of identical code of each kind (60)\n"
        "  --pairs     pairs of processes in each ratio (3)\n"
        "  --scope     of its windows (call)\n"
        "  --set       a parameter instead of the part's own: n=1500000, passes=1\n"
        "  --time-limit  seconds in all; fewer ratios are made if they do not fit, and it is said how many (480)\n"
        "Exit codes: 0 done, whatever goals were missed; 1 false verdicts beyond their bound, or a "
        "planted effect\n"
        "with the opposite sign; 2 usage; 70 it could not measure; 130 interrupted.\n",
        to);
    return to == stdout ? 0 : 2;
}

static bool read_count(const char *text, int *count)
{
    char *end;
    const long n = strtol(text, &end, 10);

    *count = (int)n;
    return *text && !*end && n >= 1 && n <= 100000;
}

/* What has a value. */
static bool read_option(const char *name, const char *value)
{
    int count = 0;

    if (!strcmp(name, "--only") && is_part(value))
        only = value;
    else if (!strcmp(name, "--patience") && read_count(value, &count))
        bench.patience_ns = count * INT64_C(1000000000);
    else if (!strcmp(name, "--time-limit") && read_count(value, &count))
        bench.deadline_ns = bench.start_ns + count * INT64_C(1000000000);
    else if (!strcmp(name, "--runs") && read_count(value, &count))
        bench.n_runs = count;
    else if (!strcmp(name, "--pairs") && read_count(value, &count))
        bench.n_run_pairs = count;
    else if (!strcmp(name, "--scope") && (!strcmp(value, "call") || !strcmp(value, "kernel")))
        bench.scope = !strcmp(value, "kernel") ? AISP_SCOPE_KERNEL : AISP_SCOPE_CALL;
    else if (!strcmp(name, "--set") && bench.n_set < (int)(sizeof bench.set / sizeof *bench.set))
        bench.set[bench.n_set++] = value;
    else
        return false;
    return true;
}

static bool read_options(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--quick"))
            bench.quick = true;
        else if (!strcmp(argv[i], "--json"))
            bench.json = true;
        else if (i + 1 == argc || !read_option(argv[i], argv[i + 1]))
            return false;
        else
            i++;
    }
    return true;
}

int main(int argc, char **argv)
{
    struct sigaction action = { .sa_handler = on_interrupt };
    struct aisp_err err = { AISP_OK, "" };
    enum aisp_status st;

    if (argc == 2 && !strcmp(argv[1], "--help"))
        return usage(stdout);
    bench.start_ns = aisp_now_ns();
    bench.deadline_ns = bench.start_ns + CUDA_LIMIT_NS;
    bench.n_runs = CUDA_RUNS;
    bench.n_run_pairs = CUDA_RUN_PAIRS;
    if (!read_options(argc, argv))
        return usage(stderr);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    bench.figures = json_array();
    bench.accusations = json_object();
    st = run_parts(&err);
    if (st == AISP_OK)
        bench_report_end(&bench);
    else
        fprintf(stderr, "aisp-bench: %s\n", err.text);
    json_decref(bench.figures);
    json_decref(bench.accusations);
    aisp_catalogue_release(&bench.targets);
    aisp_catalogue_release(&bench.own);
    bench_series_release(&bench.slack);
    bench_series_release(&bench.gap);
    bench_series_release(&bench.gap_ns);
    bench_series_release(&bench.process_slack_ns);
    bench_series_release(&bench.undisturbed_slack_ns);
    if (st)
        return st == AISP_E_INTERRUPTED ? 130 : 70;
    return bench.failed;
}
