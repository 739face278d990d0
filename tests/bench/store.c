/* store.c - a store of a million results over 40 kinds of machines: how long the questions take that people wait for, and how
 * fast runs of others come in. Through the product's own calls: an export is written for each machine and imported.
 * The results are synthetic (synthetic.h). Only when asked for (--only store): it takes some minutes, 8 GB of disk meanwhile.
 * Each part is a process of its own, so that its memory is its own. */
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analysis/pareto.h"
#include "core/base/clock.h"
#include "store/exchange.h"
#include "tests/bench/bench.h"
#include "tests/bench/synthetic.h"

enum { MACHINES = 40, RUNS = 500, QUICK_MACHINES = 4, REPEATS = 9, POINTS_MAX = 200000 };
enum { SPACE_GB = 10 };

/* What the children say; shared memory. */
struct said {
    struct aisp_err err;
    double ms[REPEATS], seconds;
    int64_t n;
};

struct store_bench {
    struct bench *bench;
    char folder[PATH_MAX];
    int n_machines;
    struct said *said;
};

static int remove_one(const char *path, const struct stat *info, int type, struct FTW *at)
{
    (void)info;
    (void)type;
    (void)at;
    return remove(path);
}

/* Run `work` in a child; its peak memory in MiB. */
static enum aisp_status in_child(struct store_bench *b, enum aisp_status (*work)(struct store_bench *, struct aisp_err *),
                                 double *peak_mib, struct aisp_err *err)
{
    struct rusage usage;
    int status;
    pid_t pid;

    memset(b->said, 0, sizeof *b->said);
    fflush(NULL);
    pid = fork();
    if (pid < 0)
        return aisp_fail_errno(err, AISP_E_UNAVAILABLE, "fork");
    if (pid == 0)
        _exit(work(b, &b->said->err) ? 1 : 0);
    if (wait4(pid, &status, 0, &usage) != pid)
        return aisp_fail_errno(err, AISP_E_UNAVAILABLE, "wait4");
    *peak_mib = (double)usage.ru_maxrss / 1024;
    if (!WIFEXITED(status) || WEXITSTATUS(status))
        return aisp_fail(err, AISP_E_WORKER, "a part of the store's figures failed: %s", b->said->err.text);
    return AISP_OK;
}

/* ---- coming in ---- */

/* Only the imports count, not the writing of what is imported. */
static enum aisp_status import_all(struct store_bench *b, struct aisp_err *err)
{
    char *artifacts = aisp_format("%s/artifacts", b->folder), *path = aisp_format("%s/machine.jsonl", b->folder);
    struct aisp_store *store = NULL;
    enum aisp_status st;

    AISP_TRY(aisp_store_open(&store, artifacts, true, err));
    for (int i = 0; i < b->n_machines; i++) {
        const struct synthetic machine = { .seed = 1, .machine = i, .n_runs = RUNS };
        struct aisp_intake_counts counts;
        int64_t start_ns;

        bench_progress(b->bench, "store: machine %d of %d", i + 1, b->n_machines);
        AISP_TRY(synthetic_export(path, &machine, NULL, err));
        start_ns = aisp_now_ns();
        AISP_TRY(aisp_store_import_runs(store, path, NULL, &counts, err));
        b->said->seconds += 1e-9 * (double)(aisp_now_ns() - start_ns);
        b->said->n += counts.results;
        if (b->bench->stop)
            st = aisp_fail(err, AISP_E_INTERRUPTED, "interrupted");
        if (st)
            break;
    }
out:
    aisp_store_close(store);
    unlink(path);
    free(artifacts);
    free(path);
    return st;
}

/* ---- questions ---- */

static enum aisp_status ask_count(struct aisp_store *store, int64_t *n, struct aisp_err *err)
{
    struct aisp_store_counts counts;
    const enum aisp_status st = aisp_store_count(store, &counts, err);

    *n = st ? 0 : counts.results;
    return st;
}

static bool count_row(const struct aisp_result_row *row, void *context)
{
    *(int64_t *)context += row->ratio > 0;
    return true;
}

static enum aisp_status ask_rows(struct aisp_store *store, const struct aisp_filter *filter, int64_t *n, struct aisp_err *err)
{
    *n = 0;
    return aisp_store_each_result(store, filter, count_row, n, err);
}

static enum aisp_status ask_leaders(struct aisp_store *store, int64_t *n, struct aisp_err *err)
{
    return ask_rows(store, &(struct aisp_filter){ .latest = true, .any_order = true }, n, err);
}

static enum aisp_status ask_leaders_here(struct aisp_store *store, int64_t *n, struct aisp_err *err)
{
    return ask_rows(store, &(struct aisp_filter){ .latest = true, .hardware = "synthetic-7000-2c" }, n, err);
}

static enum aisp_status ask_history(struct aisp_store *store, int64_t *n, struct aisp_err *err)
{
    return ask_rows(store, &(struct aisp_filter){ .target = "ch07:synthetic_a", .complete = true }, n, err);
}

static enum aisp_status ask_run(struct aisp_store *store, int64_t *n, struct aisp_err *err)
{
    json_t *run = NULL;
    const enum aisp_status st = aisp_store_run_load(store, "latest", &run, err);

    *n = (int64_t)json_array_size(json_object_get(run, "results"));
    json_decref(run);
    return st;
}

struct points { struct aisp_pareto_point *point; size_t n; };

static bool add_point(const struct aisp_result_row *row, void *context)
{
    struct points *points = context;

    for (int axis = 0; axis < AISP_N_AXES; axis++)
        points->point[points->n].axis[axis] = aisp_pareto_figure(row, axis, 1.01);
    return ++points->n < POINTS_MAX;
}

/* One variant over half of the chapters: a tenth of all results. */
static enum aisp_status ask_pareto(struct aisp_store *store, int64_t *n, struct aisp_err *err)
{
    const struct aisp_filter filter = { .chapter = "ch1?", .variant = "optimized_tiled", .complete = true, .any_order = true,
                                         .figures_only = true };
    struct points points = { aisp_xmalloc(POINTS_MAX * sizeof *points.point), 0 };
    struct aisp_pareto_place *place = aisp_xmalloc(POINTS_MAX * sizeof *place);
    const enum aisp_status st = aisp_store_each_result(store, &filter, add_point, &points, err);

    if (!st)
        aisp_pareto(points.point, points.n, 1u << AISP_AXIS_SPEED | 1u << AISP_AXIS_MEMORY | 1u << AISP_AXIS_ENERGY, place);
    *n = (int64_t)points.n;
    free(points.point);
    free(place);
    return st;
}

struct question {
    const char *what;
    enum aisp_status (*ask)(struct aisp_store *, int64_t *, struct aisp_err *);
    double goal_ms;
    const char *goal_text;
};
static const struct question *asked;

/* As a command does it: open, ask, close. */
static enum aisp_status ask_again(struct store_bench *b, struct aisp_err *err)
{
    char *artifacts = aisp_format("%s/artifacts", b->folder);
    struct aisp_store *store = NULL;
    enum aisp_status st;

    for (int i = 0; i < REPEATS; i++) {
        const int64_t start_ns = aisp_now_ns();

        AISP_TRY(aisp_store_open(&store, artifacts, false, err));
        AISP_TRY(asked->ask(store, &b->said->n, err));
        aisp_store_close(store);
        store = NULL;
        b->said->ms[i] = 1e-6 * (double)(aisp_now_ns() - start_ns);
    }
out:
    aisp_store_close(store);
    free(artifacts);
    return st;
}

static enum aisp_status report_question(struct store_bench *b, const struct question *q, double *peak_mib, struct aisp_err *err)
{
    struct bench_series ms = { 0 };
    enum aisp_status st;
    double mib = 0;

    asked = q;
    AISP_TRY(in_child(b, ask_again, &mib, err));
    *peak_mib = mib > *peak_mib ? mib : *peak_mib;
    for (int i = 0; i < REPEATS; i++)
        bench_series_add(&ms, b->said->ms[i]);
    bench_report(b->bench,
                 &(struct bench_figure){ .what = q->what,
                                         .unit = "ms",
                                         .value = bench_series_quantile(&ms, 0.5),
                                         .goal = q->goal_ms,
                                         .kind = BENCH_AT_MOST,
                                         .goal_text = q->goal_text },
                 "%.1f ms, least %.1f (%lld)", bench_series_quantile(&ms, 0.5), bench_series_quantile(&ms, 0),
                 (long long)b->said->n);
out:
    bench_series_release(&ms);
    return st;
}

static void report_memory(struct store_bench *b, const char *what, double mib)
{
    bench_report(b->bench,
                 &(struct bench_figure){ .what = what, .unit = "MiB", .value = mib, .goal = 64, .kind = BENCH_AT_MOST,
                                         .goal_text = "<= 64 MiB" },
                 "peak resident %.1f MiB", mib);
}

static enum aisp_status measure(struct store_bench *b, struct aisp_err *err)
{
    static const struct question questions[] = {
        { "overview", ask_count, 50, "<= 50 ms" },
        { "leaderboards of one machine", ask_leaders_here, 50, "<= 50 ms" },
        { "leaderboards of all machines", ask_leaders, 50, "<= 50 ms" },
        { "history of one target", ask_history, 50, "<= 50 ms" },
        { "run in detail", ask_run, 5, "<= 5 ms" },
        { "Pareto over a tenth of all", ask_pareto, 100, "<= 100 ms" },
    };
    double mib = 0, peak = 0;
    enum aisp_status st;

    AISP_TRY(in_child(b, import_all, &mib, err));
    bench_report(b->bench,
                 &(struct bench_figure){ .what = "import",
                                         .unit = "results/s",
                                         .value = (double)b->said->n / b->said->seconds,
                                         .goal = 20000,
                                         .kind = BENCH_AT_LEAST,
                                         .goal_text = ">= 20,000/s" },
                 "%.0f results/s (%lld in %.1f s)", (double)b->said->n / b->said->seconds, (long long)b->said->n,
                 b->said->seconds);
    report_memory(b, "memory: import", mib);
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++)
        AISP_TRY(report_question(b, &questions[i], &peak, err));
    report_memory(b, "memory: the largest of these", peak);
out:
    return st;
}

enum aisp_status bench_store(struct bench *bench, struct aisp_err *err)
{
    struct store_bench b = { .bench = bench, .n_machines = bench->quick ? QUICK_MACHINES : MACHINES };
    const char *base = getenv("TMPDIR");
    struct statvfs disk;
    enum aisp_status st;

    unsetenv("AISP_STORE");
    snprintf(b.folder, sizeof b.folder, "%s/aisp-bench-store-XXXXXX", base && *base ? base : "/tmp");
    b.said = mmap(NULL, sizeof *b.said, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (b.said == MAP_FAILED || !mkdtemp(b.folder) || statvfs(b.folder, &disk))
        return aisp_fail_errno(err, AISP_E_UNAVAILABLE, "%s", b.folder);
    bench_report_section(bench, bench->quick ? "a store of 100,000 results" : "a store of a million results");
    if ((double)disk.f_bavail * (double)disk.f_frsize < SPACE_GB * 1e9)
        st = aisp_fail(err, AISP_E_UNAVAILABLE, "%s: less than %d GB free; TMPDIR names another place", b.folder, SPACE_GB);
    else
        st = measure(&b, err);
    if (!st)
        bench_report_pressure(bench);
    nftw(b.folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    munmap(b.said, sizeof *b.said);
    return st;
}
