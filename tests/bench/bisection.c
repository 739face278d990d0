/* bisection.c - which commit was it, asked of an oracle that answers with recorded A/A noise.
 * Nothing is measured here: a run of a commit is a recorded A/A run drawn by chance, plus the planted slowdown if the commit is
 * behind it. What is judged is the decision alone; building and measuring are tested by tests/cli/slow/bisect.sh. */
#include <math.h>
#include <stdio.h>

#include "analysis/bisection.h"
#include "tests/bench/bench.h"
#include "tests/bench/recorded.h"
#include "tests/replay/replay.h"

enum { TRIALS_QUICK = 10, TRIALS = 40, COMMITS = 64, MOST_RUNS = 400 };
static const double MAX_ERROR = 0.05, LEAST_PERCENT = 0.5;

struct tally {
    int n, n_right, n_wrong, n_none, n_unsure;
    struct bench_series runs;
};

/* A run of this commit as a machine with this noise would have made it. */
static struct aisp_bisection_run resampled_recorded_run(const struct recorded_runs *runs, size_t commit, size_t planted,
                                                        double slowdown, uint64_t *random)
{
    const struct recorded_run run = recorded_runs_draw(runs, random);

    return (struct aisp_bisection_run){ .commit = commit,
                                        .log_ratio = run.log_ratio - (commit >= planted ? slowdown : 0),
                                        .se_log = run.se_log };
}

static enum aisp_status run_trial(const struct recorded_runs *runs, double slowdown, uint64_t *random, struct tally *t,
                                  struct aisp_err *err)
{
    const size_t planted = 1 + replay_random(random) % COMMITS;
    struct aisp_bisection b = { 0 };
    struct aisp_bisection_step step;
    enum aisp_status st;

    AISP_TRY(aisp_bisection_init(&b, COMMITS, MAX_ERROR, log1p(LEAST_PERCENT / 100), err));
    while ((step = aisp_bisection_next(&b)).state == AISP_BISECTION_MEASURE && b.n_runs < MOST_RUNS) {
        const struct aisp_bisection_run run = resampled_recorded_run(runs, step.commit, planted, slowdown, random);

        AISP_TRY(aisp_bisection_add(&b, &run, err));
    }
    t->n++;
    t->n_right += step.state == AISP_BISECTION_FOUND && step.first == planted && step.last == planted;
    t->n_wrong += step.state == AISP_BISECTION_FOUND && (step.first != planted || step.last != planted);
    t->n_none += step.state == AISP_BISECTION_NONE;
    t->n_unsure += step.state == AISP_BISECTION_MEASURE || step.state == AISP_BISECTION_STUCK;
    bench_series_add(&t->runs, (double)b.n_runs);
out:
    aisp_bisection_release(&b);
    return st;
}

static void report(struct bench *bench, double percent, const struct tally *t)
{
    const int n_good = percent > 0 ? t->n_right : t->n_none;
    const double share = (double)n_good / t->n;
    char what[64];

    if (percent > 0)
        snprintf(what, sizeof what, "%.0f %% slower: the right commit", percent);
    else
        snprintf(what, sizeof what, "none is slower: none is named");
    bench_report(bench,
                 &(struct bench_figure){ .what = what,
                                         .unit = "share",
                                         .value = share,
                                         .goal = 0.95,
                                         .kind = BENCH_AT_LEAST,
                                         .is_bound = !bench->quick,
                                         .goal_text = ">= 95 %" },
                 "%d of %d; %d wrong, %d unsure", n_good, t->n, t->n_wrong + (percent > 0 ? t->n_none : 0), t->n_unsure);
    bench_report(bench,
                 &(struct bench_figure){
                     .what = "  runs until it was sure", .unit = "count", .value = bench_series_quantile(&t->runs, 0.5) },
                 "%.0f, at most %.0f", bench_series_quantile(&t->runs, 0.5), bench_series_largest(&t->runs));
}

enum aisp_status bench_bisection(struct bench *bench, struct aisp_err *err)
{
    static const double percents[] = { 2, 5, 0 };
    const int n = bench->quick ? TRIALS_QUICK : TRIALS;
    struct recorded_runs runs = { 0 };
    enum aisp_status st;

    bench_report_section(bench, "bisection, by an oracle of recorded noise");
    AISP_TRY(recorded_runs_read(RECORDED_DIR "/aa_runs/l2.tsv", &runs, err));
    bench_report(
        bench,
        &(struct bench_figure){ .what = "oracle: recorded A/A runs, resampled", .value = (double)runs.n, .unit = "count" },
        "%zu runs, %d commits", runs.n, COMMITS);
    for (size_t i = 0; i < sizeof percents / sizeof *percents; i++) {
        struct tally t = { 0 };
        uint64_t random = 64;

        for (int k = 0; k < n && !st; k++) {
            bench_progress(bench, "a bisection by the oracle, %.0f %% slower, %d of %d", percents[i], k + 1, n);
            st = bench->stop ? aisp_fail(err, AISP_E_INTERRUPTED, "interrupted")
                             : run_trial(&runs, log1p(percents[i] / 100), &random, &t, err);
        }
        if (!st)
            report(bench, percents[i], &t);
        bench_series_release(&t.runs);
        if (st)
            goto out;
    }
out:
    recorded_runs_release(&runs);
    return st;
}
