/* verifying.c - what fresh contents, poison and comparisons cost in wall time, on top of the
 * windows, while pairs are timed; and apart from it what a comparison spends before its first pair
 * and on starting processes. */
#include <stdio.h>

#include "tests/bench/bench.h"

static const char *const gemm_full[] = { "m=2048", "n=2048", "k=2048" }, *const gemm_quick[] = {
    "m=512", "n=512", "k=512"
};

struct probe {
    const char *what, *target, *variant;
    const char *const *set;
    int n_set;
    int64_t limit_ns;
    double goal;
    const char *goal_text;
};

static enum aisp_status run_probe(struct bench *bench, const struct probe *probe,
                                  struct aisp_err *err)
{
    const struct bench_comparison comparison = { .catalogue = &bench->targets,
                                                 .target = probe->target,
                                                 .a = probe->variant,
                                                 .b = probe->variant,
                                                 .set = probe->set,
                                                 .n_set = probe->n_set,
                                                 .time_limit_ns = probe->limit_ns };
    struct bench_answer a;
    enum aisp_status st;
    double cost;

    bench_progress(bench, "what verification costs: %s", probe->what);
    AISP_TRY(bench_compare(bench, &comparison, &a, err));
    if (!a.look.n_pairs)
        return aisp_fail(err, AISP_E_WORKER, "%s: no pair was finished", probe->target);
    cost = a.judge_s / a.windows_s;
    bench_report(bench,
                 &(struct bench_figure){ .what = probe->what,
                                         .unit = "share",
                                         .value = cost,
                                         .goal = probe->goal,
                                         .kind = BENCH_AT_MOST,
                                         .goal_text = probe->goal_text },
                 "%+.0f %% on %.2f s of windows", 100 * cost, a.windows_s);
    bench_report(bench,
                 &(struct bench_figure){ .what = "  the rest of the wall time",
                                         .unit = "s",
                                         .value = a.total_s - a.windows_s - a.judge_s },
                 "%.1f s before, %.1f s processes", a.before_s,
                 a.pairs_s - a.windows_s - a.judge_s);
out:
    return st;
}

enum aisp_status bench_verifying(struct bench *bench, struct aisp_err *err)
{
    char rows[32];
    const char *const dram = bench_dram_rows(bench, rows);
    const int64_t limit_ns = INT64_C(3000000000);
    const struct probe probes[] = {
        { "verification, harness:l2", "harness:l2", "baseline", NULL, 0, limit_ns, 0.25,
          "<= +25 %" },
        { "verification, harness:dram", "harness:dram", "baseline", &dram, dram != NULL, limit_ns,
          0.25, "<= +25 %" },
        { "verification, GEMM 2048^3", "ch09:gemm_ladder", "optimized_packed", gemm_full, 3,
          2 * limit_ns, 0.15, "<= +15 %" },
        { "verification, GEMM 512^3", "ch09:gemm_ladder", "optimized_packed", gemm_quick, 3,
          limit_ns, 0.25, "<= +25 %" },
    };
    enum aisp_status st = AISP_OK;

    bench_report_section(bench, "verification, in wall time");
    for (int i = 0; i < 4; i++)
        if (i != (bench->quick ? 2 : 3))
            AISP_TRY(run_probe(bench, &probes[i], err));
    bench_report_pressure(bench);
out:
    return st;
}
