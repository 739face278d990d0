/* shifted.c - the same source with its code moved by 8 to 56 bytes, against itself unmoved: what
 * the alignment flags leave of the effect of placement. */
#include <math.h>
#include <stdio.h>

#include "tests/bench/bench.h"

static const int64_t LIMIT_NS = 3000000000;
static const char *const targets[] = { "harness:tiny", "harness:l2" };

static enum aisp_status run_shifts(struct bench *bench, const char *target, struct aisp_err *err)
{
    const int step = bench->quick ? 24 : 8;
    struct bench_series centre = { 0 };
    enum aisp_status st = AISP_OK;
    int n = 0, n_different = 0;
    double widest = 0, most;
    char line[64];

    for (int bytes = 8; bytes <= 56; bytes += step) {
        char name[24];
        const struct bench_comparison comparison = { .catalogue = &bench->own,
                                                     .target = target,
                                                     .a = "baseline",
                                                     .b = name,
                                                     .time_limit_ns = LIMIT_NS };
        struct bench_answer a;

        snprintf(name, sizeof name, "shift_%d", bytes);
        bench_progress(bench, "%s moved by %d bytes", target, bytes);
        AISP_TRY(bench_compare(bench, &comparison, &a, err));
        n++;
        n_different += a.look.verdict == AISP_FASTER || a.look.verdict == AISP_SLOWER;
        bench_series_add(&centre, a.look.centre);
        if (a.look.has_interval)
            widest = fmax(widest, 0.5 * log(a.look.hi95 / a.look.lo95));
    }
    most = bench_series_largest(&centre);
    snprintf(line, sizeof line, "%s, moved 8 to 56 bytes", target);
    bench_report(bench,
                 &(struct bench_figure){ .what = line,
                                         .unit = "log ratio",
                                         .value = fabs(most),
                                         .goal = 0.005,
                                         .kind = BENCH_AT_MOST,
                                         .goal_text = "+-0.5 %" },
                 "most %+.2f %% (+-%.2f), %d of %d differ", 100 * most, 100 * widest, n_different,
                 n);
out:
    bench_series_release(&centre);
    return st;
}

enum aisp_status bench_shifted(struct bench *bench, struct aisp_err *err)
{
    enum aisp_status st = AISP_OK;

    bench_report_section(bench, "placement of code");
    for (size_t i = 0; i < sizeof targets / sizeof *targets && (i == 0 || !bench->quick); i++)
        AISP_TRY(run_shifts(bench, targets[i], err));
    bench_report_pressure(bench);
out:
    return st;
}
