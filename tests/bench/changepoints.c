/* changepoints.c - changes planted in histories that are resampled from recorded A/A runs: how many are found, and how many of
 * those that are found are there.
 * Why runs are drawn by chance, not in the order in which they were recorded: those lie seconds apart, and share an hour's load;
 * those of a real history lie days apart. In order, as a harder case, they are shown beside it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/changepoint.h"
#include "core/base/buf.h"
#include "tests/bench/bench.h"
#include "tests/bench/recorded.h"
#include "tests/replay/replay.h"

enum { HISTORIES_QUICK = 60, HISTORIES = 400, RUNS = 120, NEAR = 5 };

struct condition {
    double percent;
    bool in_order;
};

/* A found change is right if the one that was planted is among the runs that it names. */
struct tally {
    int n, n_planted, n_found, n_right, n_near, n_covered;
    struct bench_series width;
};

static void count(struct tally *t, const struct aisp_change_points *found, size_t planted, double size)
{
    bool is_hit = false;

    for (size_t i = 0; i < found->n; i++) {
        const struct aisp_change_point *c = &found->point[i];

        t->n_found++;
        if (!size || is_hit || planted < c->first || planted > c->last)
            continue;
        is_hit = true;
        t->n_right++;
        t->n_near += labs((long)c->at - (long)planted) <= NEAR;
        t->n_covered += c->lo95_log <= size && size <= c->hi95_log;
        bench_series_add(&t->width, (double)(c->last - c->first + 1));
    }
}

static enum aisp_status run_condition(struct bench *bench, const struct recorded_runs *runs, const struct condition *c,
                                      struct tally *t, struct aisp_err *err)
{
    const struct aisp_changepoint_rules rules = aisp_changepoint_rules_default();
    const int n = bench->quick ? HISTORIES_QUICK : HISTORIES;
    struct aisp_history_point history[RUNS];
    enum aisp_status st = AISP_OK;
    uint64_t random = 6;

    for (int h = 0; h < n && !st && !bench->stop; h++) {
        const size_t from = replay_random(&random) % runs->n;
        const size_t planted = RUNS / 4 + replay_random(&random) % (RUNS / 2);
        const double size = (replay_random(&random) & 1 ? 1 : -1) * log1p(c->percent / 100);
        struct aisp_change_points found = { 0 };

        for (size_t i = 0; i < RUNS; i++) {
            const struct recorded_run run =
                c->in_order ? recorded_runs_at(runs, from + i, &random) : recorded_runs_draw(runs, &random);

            history[i] = (struct aisp_history_point){ run.log_ratio + (i >= planted ? size : 0), run.se_log };
        }
        st = aisp_change_points_find(history, RUNS, &rules, &found, err);
        count(t, &found, planted, size);
        t->n++;
        t->n_planted += size != 0;
        aisp_change_points_release(&found);
    }
    return st;
}

static void report_null(struct bench *bench, const struct tally *t, const char *order)
{
    char what[64];

    snprintf(what, sizeof what, "no change, %s", order);
    bench_report(bench,
                 &(struct bench_figure){ .what = what,
                                         .unit = "changes a history",
                                         .value = (double)t->n_found / t->n,
                                         .goal = 0.03,
                                         .kind = BENCH_AT_MOST,
                                         .is_bound = !bench->quick,
                                         .goal_text = "<= 3 %" },
                 "%d false changes in %d histories", t->n_found, t->n);
}

static void report_planted(struct bench *bench, const struct condition *c, const struct tally *t, const char *order)
{
    const double precision = t->n_found ? (double)t->n_right / t->n_found : 1, recall = (double)t->n_right / t->n_planted;
    const bool has_goal = c->percent >= 3 && !c->in_order;
    char what[64];

    snprintf(what, sizeof what, "%.0f %%, %s: precision", c->percent, order);
    bench_report(bench,
                 &(struct bench_figure){ .what = what,
                                         .unit = "share",
                                         .value = precision,
                                         .goal = 0.95,
                                         .kind = has_goal ? BENCH_AT_LEAST : BENCH_NO_GOAL,
                                         .is_bound = true,
                                         .goal_text = has_goal ? ">= 0.95" : NULL },
                 "%.3f (%d of %d)", precision, t->n_right, t->n_found);
    snprintf(what, sizeof what, "%.0f %%, %s: recall", c->percent, order);
    bench_report(bench,
                 &(struct bench_figure){ .what = what,
                                         .unit = "share",
                                         .value = recall,
                                         .goal = 0.9,
                                         .kind = has_goal ? BENCH_AT_LEAST : BENCH_NO_GOAL,
                                         .is_bound = true,
                                         .goal_text = has_goal ? ">= 0.90" : NULL },
                 "%.3f (%d of %d)", recall, t->n_right, t->n_planted);
    snprintf(what, sizeof what, "%.0f %%, %s: within %d runs", c->percent, order, NEAR);
    bench_report(
        bench,
        &(struct bench_figure){ .what = what, .unit = "share", .value = t->n_right ? (double)t->n_near / t->n_right : 0 },
        "%d; names %.0f runs; size held %d", t->n_near, bench_series_quantile(&t->width, 0.5), t->n_covered);
}

enum aisp_status bench_changepoints(struct bench *bench, struct aisp_err *err)
{
    static const struct condition conditions[] = { { 0, false }, { 1, false }, { 3, false },
                                                   { 0, true },  { 1, true },  { 3, true } };
    struct recorded_runs runs = { 0 };
    enum aisp_status st;
    char what[64];

    bench_report_section(bench, "change points, in resampled recorded A/A runs");
    AISP_TRY(recorded_runs_read(RECORDED_DIR "/aa_runs/l2.tsv", &runs, err));
    snprintf(what, sizeof what, "recorded runs; histories of %d", RUNS);
    bench_report(bench, &(struct bench_figure){ .what = what, .unit = "count", .value = (double)runs.n },
                 "%zu; %zu without interval left out", runs.n, runs.n_without);
    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++) {
        const struct condition *c = &conditions[i];
        const char *order = c->in_order ? "as recorded" : "drawn";
        struct tally t = { 0 };

        bench_progress(bench, "histories with a change of %.0f %%, %s", c->percent, order);
        st = run_condition(bench, &runs, c, &t, err);
        if (!st && bench->stop)
            st = aisp_fail(err, AISP_E_INTERRUPTED, "interrupted");
        if (!st && c->percent > 0)
            report_planted(bench, c, &t, order);
        else if (!st)
            report_null(bench, &t, order);
        bench_series_release(&t.width);
        if (st)
            goto out;
    }
out:
    recorded_runs_release(&runs);
    return st;
}
