/* identical.c - kernels against byte-identical copies of themselves, live: every FASTER or SLOWER
 * is a lie. */
#include <math.h>
#include <stdio.h>

#include "tests/bench/bench.h"

enum { RUNS_QUICK = 4, RUNS = 20 };
static const int64_t LIMIT_NS = 2000000000;
/* Of a judge who lies in one comparison of a hundred: how unlikely must a count be to be held
 * against the harness? In 300 comparisons this allows 6, in 60 it allows 2. */
static const double LYING = 0.01, UNLIKELY = 0.035;

static const struct {
    const char *target, *name;
    bool is_dram;
    double range_goal;
    const char *range_text;
} classes[] = {
    { "harness:tiny", "tiny", false, 0.003, "0.3 % at 5 s" },
    { "harness:l2", "l2", false, 0.003, "0.3 % at 5 s" },
    { "harness:dram", "dram", true, 0.005, "0.5 % at 10 s" },
};
enum { N_CLASSES = sizeof classes / sizeof *classes };

/* What came of the runs of one class. */
struct tally {
    struct bench_series centre, pairs;
    int n, n_false, n_same, n_interval, n_covered;
};

static enum aisp_status run_class(struct bench *bench, int which, struct tally *t,
                                  struct aisp_err *err)
{
    char rows[32];
    const char *const set = classes[which].is_dram ? bench_dram_rows(bench, rows) : NULL;
    const struct bench_comparison comparison = { .catalogue = &bench->own,
                                                 .target = classes[which].target,
                                                 .a = "baseline",
                                                 .b = "copy",
                                                 .set = &set,
                                                 .n_set = set != NULL,
                                                 .time_limit_ns = LIMIT_NS,
                                                 .is_sample = !classes[which].is_dram };
    const int n = bench->quick ? RUNS_QUICK : RUNS;
    enum aisp_status st = AISP_OK;

    for (int i = 0; i < n; i++) {
        struct bench_answer a;

        bench_progress(bench, "%s against its copy, %d of %d", classes[which].target, i + 1, n);
        AISP_TRY(bench_compare(bench, &comparison, &a, err));
        t->n++;
        bench_series_add(&t->pairs, (double)a.look.n_pairs);
        if (!a.look.n_pairs)
            continue;
        bench_series_add(&t->centre, a.look.centre);
        t->n_false += a.look.verdict == AISP_FASTER || a.look.verdict == AISP_SLOWER;
        t->n_same += a.look.verdict == AISP_SAME;
        t->n_interval += a.look.has_interval;
        t->n_covered += a.look.has_interval && a.look.lo95 <= 1 && a.look.hi95 >= 1;
    }
out:
    return st;
}

static void report_class(struct bench *bench, int which, const struct tally *t)
{
    const double low = bench_series_quantile(&t->centre, 0.025),
                 high = bench_series_quantile(&t->centre, 0.975);
    char line[64];

    snprintf(line, sizeof line, "%s: 95 %% of %zu ratios at 2 s", classes[which].name, t->centre.n);
    bench_report(bench,
                 &(struct bench_figure){ .what = line,
                                         .unit = "log ratio",
                                         .value = fmax(fabs(low), fabs(high)),
                                         .goal = classes[which].range_goal,
                                         .kind = BENCH_AT_MOST,
                                         .goal_text = classes[which].range_text },
                 "%+.2f to %+.2f %%, %.0f pairs a run", 100 * low, 100 * high,
                 bench_series_quantile(&t->pairs, 0.5));
    snprintf(line, sizeof line, "%s: verdicts", classes[which].name);
    bench_report(
        bench, &(struct bench_figure){ .what = line, .unit = "count", .value = t->n_false },
        "%d false, %d SAME, %d UNSURE", t->n_false, t->n_same, t->n - t->n_false - t->n_same);
}

static void report_median(struct bench *bench, const char *what, const struct bench_series *centre,
                          double goal, const char *goal_text)
{
    const double median = bench_series_quantile(centre, 0.5);

    bench_report(bench,
                 &(struct bench_figure){ .what = what,
                                         .unit = "log ratio",
                                         .value = fabs(median),
                                         .goal = goal,
                                         .kind = BENCH_AT_MOST,
                                         .goal_text = goal_text },
                 "%+.3f %% over %zu runs", 100 * median, centre->n);
}

/* P(X > count) for X of a binomial distribution. */
static double chance_of_more(int n, double p, int count)
{
    double term = pow(1 - p, n), sum = term;

    for (int k = 1; k <= count; k++)
        sum += term *= (double)(n - k + 1) / k * p / (1 - p);
    return 1 - sum;
}

int bench_false_allowed(int n)
{
    int allowed = 0;

    while (chance_of_more(n, LYING, allowed) > UNLIKELY)
        allowed++;
    return allowed;
}

static void report_all(struct bench *bench, const struct tally *all)
{
    const int allowed = bench_false_allowed(all->n);
    char goal[32];

    snprintf(goal, sizeof goal, "<= %d of %d", allowed, all->n);
    bench_report(bench,
                 &(struct bench_figure){ .what = "false FASTER or SLOWER, live",
                                         .unit = "count",
                                         .value = all->n_false,
                                         .goal = allowed,
                                         .kind = BENCH_AT_MOST,
                                         .is_bound = true,
                                         .goal_text = goal },
                 "%d of %d", all->n_false, all->n);
    bench_report(bench,
                 &(struct bench_figure){
                     .what = "95 % interval holds 1",
                     .unit = "share",
                     .value = all->n_interval ? (double)all->n_covered / all->n_interval : 0 },
                 "%d of %d", all->n_covered, all->n_interval);
}

static void report_windows(struct bench *bench)
{
    const double slack[] = { bench_series_quantile(&bench->slack, 0.5),
                             bench_series_quantile(&bench->slack, 0.99) };
    const double gap[] = { bench_series_quantile(&bench->gap_ns, 0.5),
                           bench_series_quantile(&bench->gap_ns, 0.99) };
    const double share[] = { bench_series_quantile(&bench->gap, 0.5),
                             bench_series_quantile(&bench->gap, 0.99) };
    const size_t n = bench->slack.n;

    bench_report(bench,
                 &(struct bench_figure){ .what = "slack, median of windows",
                                         .unit = "share",
                                         .value = slack[0],
                                         .goal = 0.0005,
                                         .kind = BENCH_AT_MOST,
                                         .goal_text = "<= 0.05 %" },
                 "%.3f %% (%zu windows, 2 ms)", 100 * slack[0], n);
    bench_report(bench,
                 &(struct bench_figure){ .what = "slack, p99 of windows",
                                         .unit = "share",
                                         .value = slack[1],
                                         .goal = 0.005,
                                         .kind = BENCH_AT_MOST,
                                         .goal_text = "<= 0.5 %" },
                 "%.3f %%", 100 * slack[1]);
    bench_report(bench,
                 &(struct bench_figure){ .what = "slack, median of the worst process",
                                         .unit = "ns",
                                         .value = bench_series_largest(&bench->process_slack_ns) },
                 "%.0f ns; undisturbed windows %.0f",
                 bench_series_largest(&bench->process_slack_ns),
                 bench_series_largest(&bench->undisturbed_slack_ns));
    bench_report(bench,
                 &(struct bench_figure){ .what = "arm to go", .unit = "ns", .value = gap[0] },
                 "p50 %.1f us (%.2f %%), p99 %.1f (%.2f)", 1e-3 * gap[0], 100 * share[0],
                 1e-3 * gap[1], 100 * share[1]);
}

static void merge(struct tally *into, const struct tally *t)
{
    for (size_t i = 0; i < t->centre.n; i++)
        bench_series_add(&into->centre, t->centre.x[i]);
    into->n += t->n;
    into->n_false += t->n_false;
    into->n_same += t->n_same;
    into->n_interval += t->n_interval;
    into->n_covered += t->n_covered;
}

enum aisp_status bench_identical(struct bench *bench, struct aisp_err *err)
{
    struct tally class[N_CLASSES] = { 0 }, cached = { 0 }, all = { 0 };
    enum aisp_status st = AISP_OK;

    bench_report_section(bench, "identical code, live");
    for (int i = 0; i < N_CLASSES; i++) {
        AISP_TRY(run_class(bench, i, &class[i], err));
        report_class(bench, i, &class[i]);
        merge(classes[i].is_dram ? &all : &cached, &class[i]);
    }
    report_median(bench, "cached: median ratio", &cached.centre, 0.0005, "+-0.05 %");
    report_median(bench, "dram: median ratio", &all.centre, 0.0015, "+-0.15 %");
    merge(&all, &cached);
    report_all(bench, &all);
    report_windows(bench);
    bench_report_pressure(bench);
out:
    for (int i = 0; i < N_CLASSES; i++) {
        bench_series_release(&class[i].centre);
        bench_series_release(&class[i].pairs);
    }
    bench_series_release(&cached.centre);
    bench_series_release(&all.centre);
    return st;
}
