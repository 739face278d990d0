/* planted.c - effects of known size, live: variants that do so much more work are to be found
 * SLOWER in time, never FASTER, and the interval is to hold the true ratio. */
#include <math.h>
#include <stdio.h>

#include "tests/bench/bench.h"

enum { RUNS_QUICK = 2, RUNS = 5 };

static const struct {
    const char *target, *variant, *what;
    double extra; /* this much of the work is done again */
    int64_t limit_ns;
    bool is_dram, is_in_quick;
} effects[] = {
    { "harness:work", "more_1", "0.5 % more work, 10 s", 1.0 / 200, INT64_C(10000000000), false,
      false },
    { "harness:work", "more_2", "1 % more work, 5 s", 2.0 / 200, INT64_C(5000000000), false, true },
    { "harness:work", "more_6", "3 % more work, 5 s", 6.0 / 200, INT64_C(5000000000), false, true },
    { "harness:dram", "one_percent_more", "1 % more from memory, 10 s", 0.01, INT64_C(10000000000),
      true, false },
};

struct tally {
    int n, n_found, n_same, n_opposite, n_interval, n_covered;
    struct bench_series centre, seconds;
};

static enum aisp_status run_effect(struct bench *bench, int which, struct tally *t,
                                   struct aisp_err *err)
{
    char rows[32];
    const char *const set = effects[which].is_dram ? bench_dram_rows(bench, rows) : NULL;
    const struct bench_comparison comparison = { .catalogue = &bench->own,
                                                 .target = effects[which].target,
                                                 .a = "baseline",
                                                 .b = effects[which].variant,
                                                 .set = &set,
                                                 .n_set = set != NULL,
                                                 .time_limit_ns = effects[which].limit_ns };
    const double truth = 1 / (1 + effects[which].extra);
    const int n = bench->quick ? RUNS_QUICK : RUNS;
    enum aisp_status st = AISP_OK;

    for (int i = 0; i < n; i++) {
        struct bench_answer a;

        bench_progress(bench, "%s, run %d of %d", effects[which].what, i + 1, n);
        AISP_TRY(bench_compare(bench, &comparison, &a, err));
        t->n++;
        if (!a.look.n_pairs)
            continue;
        t->n_found += a.look.verdict == AISP_SLOWER;
        t->n_same += a.look.verdict == AISP_SAME;
        t->n_opposite += a.look.verdict == AISP_FASTER;
        t->n_interval += a.look.has_interval;
        t->n_covered += a.look.has_interval && a.look.lo95 <= truth && truth <= a.look.hi95;
        bench_series_add(&t->centre, a.look.centre);
        bench_series_add(&t->seconds, a.pairs_s);
    }
out:
    return st;
}

static void report_effect(struct bench *bench, int which, const struct tally *t)
{
    const double centre = bench_series_quantile(&t->centre, 0.5);

    bench_report(bench,
                 &(struct bench_figure){ .what = effects[which].what,
                                         .unit = "share",
                                         .value = (double)t->n_found / t->n,
                                         .goal = 0.9,
                                         .kind = BENCH_AT_LEAST,
                                         .goal_text = ">= 90 % found" },
                 "found in %d of %d, %.1f s, %d SAME", t->n_found, t->n,
                 bench_series_quantile(&t->seconds, 0.5), t->n_same);
    bench_report(bench,
                 &(struct bench_figure){ .what = "  ratio, and interval holds truth",
                                         .unit = "log ratio",
                                         .value = centre },
                 "%.4f (true %.4f), %d of %d", exp(centre), 1 / (1 + effects[which].extra),
                 t->n_covered, t->n_interval);
}

enum aisp_status bench_planted(struct bench *bench, struct aisp_err *err)
{
    int n_opposite = 0, n_interval = 0, n_covered = 0;
    enum aisp_status st = AISP_OK;

    bench_report_section(bench, "planted effects, live");
    for (size_t i = 0; i < sizeof effects / sizeof *effects; i++) {
        struct tally t = { 0 };

        if (bench->quick && !effects[i].is_in_quick)
            continue;
        st = run_effect(bench, (int)i, &t, err);
        if (st == AISP_OK)
            report_effect(bench, (int)i, &t);
        n_opposite += t.n_opposite;
        n_interval += t.n_interval;
        n_covered += t.n_covered;
        bench_series_release(&t.centre);
        bench_series_release(&t.seconds);
        AISP_TRY(st);
    }
    bench_report(bench,
                 &(struct bench_figure){ .what = "opposite sign (FASTER)",
                                         .unit = "count",
                                         .value = n_opposite,
                                         .kind = BENCH_AT_MOST,
                                         .is_bound = true,
                                         .goal_text = "0" },
                 "%d", n_opposite);
    bench_report(bench,
                 &(struct bench_figure){ .what = "true ratio inside the 95 % interval",
                                         .unit = "share",
                                         .value = n_interval ? (double)n_covered / n_interval : 0,
                                         .goal = 0.9,
                                         .kind = BENCH_AT_LEAST,
                                         .goal_text = ">= 90 %" },
                 "%d of %d", n_covered, n_interval);
    bench_report_pressure(bench);
out:
    return st;
}
