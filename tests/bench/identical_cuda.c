/* identical_cuda.c - kernels of a card against byte-identical copies of themselves.
 * A ratio is what a comparison of so many pairs of fresh processes would print. All pairs of a part are taken in one comparison:
 * verification and trial look at code that stays the same, and cost as much as ten pairs; each pair has its own processes,
 * contexts, addresses and secrets all the same, and no two ratios share one. More ratios out of one pair's windows would share
 * its contexts, between which most of the spread lies (docs/measurements/h100.md): those would be no other comparisons.
 * An interval at the verdicts' level needs eleven pairs, more than a ratio here has by default: verdicts are of twelve pairs, each
 * pair in one of them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/clock.h"
#include "tests/bench/bench.h"

enum { RATIO = 95, VERDICT_PAIRS = 12 };
static const double CALL_NS = 50000, SHARE_OF_PEAK = 0.85; /* of what memory can do, a copy gets about so much */
/* What comes after the pairs: the audit of both sides, and the empty kernel. */
static const int64_t RESERVE_NS = 40000000000;

struct kind {
    const char *title, *name, *target;
    double limit; /* of a ratio's distance from 1 */
    bool is_dram;
    const char *const *set;
    int n_set;
};

struct ratios {
    struct bench_series pair, run, beyond_ns;
    int n_inside, n_verdicts, n_false, n_same, n_covered;
};

static double sd(const struct bench_series *s)
{
    double mean = 0, sum = 0;

    for (size_t i = 0; i < s->n; i++)
        mean += s->x[i] / (double)s->n;
    for (size_t i = 0; i < s->n; i++)
        sum += (s->x[i] - mean) * (s->x[i] - mean);
    return s->n > 1 ? sqrt(sum / (double)(s->n - 1)) : NAN;
}

/* Pairs in their order, so many to a ratio; those left over at the end make none. */
static void make_ratios(struct ratios *r, const struct bench *bench, double limit)
{
    const size_t n = (size_t)bench->n_run_pairs;
    struct aisp_estimate e;

    for (size_t i = 0; i + n <= r->pair.n && r->run.n < (size_t)bench->n_runs; i += n) {
        if (aisp_estimate_pairs(r->pair.x + i, n, 0.05, &e, NULL))
            continue;
        bench_series_add(&r->run, e.centre);
        r->n_inside += fabs(exp(e.centre) - 1) <= limit;
    }
}

/* Without a calibration the floor is the least that there is: false verdicts have it easiest. */
static void make_verdicts(struct ratios *r, bool is_dram)
{
    const struct aisp_verdict_rules rules = aisp_verdict_rules_default(is_dram, 0);

    for (size_t i = 0; i + VERDICT_PAIRS <= r->pair.n; i += VERDICT_PAIRS) {
        const struct aisp_look_input in = { .pairs = r->pair.x + i, .n_pairs = VERDICT_PAIRS, .is_last = true };
        struct aisp_look_result look;

        if (aisp_verdict_look(&rules, &in, &look, NULL))
            continue;
        r->n_verdicts++;
        r->n_false += look.verdict == AISP_FASTER || look.verdict == AISP_SLOWER;
        r->n_same += look.verdict == AISP_SAME;
        r->n_covered += look.lo95 <= 1 && look.hi95 >= 1;
    }
}

static void report_ratios(struct bench *bench, const struct kind *k, const struct ratios *r)
{
    const double wanted = ceil(0.01 * RATIO * bench->n_runs); /* those that were not made are not inside */
    char what[64], goal[32];

    snprintf(what, sizeof what, "%s: ratios inside +-%.1f %%", k->name, 100 * k->limit);
    snprintf(goal, sizeof goal, ">= %.0f of %d", wanted, bench->n_runs);
    bench_report(bench,
                 &(struct bench_figure){ .what = what, .unit = "count", .value = r->n_inside, .goal = wanted,
                                         .kind = BENCH_AT_LEAST, .goal_text = goal },
                 "%d of %zu that were made", r->n_inside, r->run.n);
    if (r->run.n < 2)
        return;
    snprintf(what, sizeof what, "%s: spread", k->name);
    bench_report(bench, &(struct bench_figure){ .what = what, .unit = "log ratio", .value = sd(&r->pair) },
                 "SD %.3f %% a pair, %.3f a ratio", 100 * sd(&r->pair), 100 * sd(&r->run));
    snprintf(what, sizeof what, "%s: median, and the farthest", k->name);
    bench_report(bench, &(struct bench_figure){ .what = what, .unit = "log ratio", .value = bench_series_quantile(&r->run, 0.5) },
                 "%+.3f %%, %+.3f %%", 100 * bench_series_quantile(&r->run, 0.5), 100 * bench_series_largest(&r->run));
}

static void report_verdicts(struct bench *bench, const struct kind *k, const struct ratios *r,
                            const struct bench_answer *a)
{
    const int allowed = bench_false_allowed(r->n_verdicts);
    char what[64], goal[32];

    if (!r->n_verdicts)
        return;
    snprintf(what, sizeof what, "%s: FASTER or SLOWER", k->name);
    snprintf(goal, sizeof goal, "<= %d of %d", allowed, r->n_verdicts);
    bench_report(bench,
                 &(struct bench_figure){ .what = what, .unit = "count", .value = r->n_false, .goal = allowed,
                                         .kind = BENCH_AT_MOST, .is_bound = true, .goal_text = goal },
                 "%d of %d; %d SAME, %d UNSURE", r->n_false, r->n_verdicts, r->n_same,
                 r->n_verdicts - r->n_false - r->n_same);
    snprintf(what, sizeof what, "%s: 95 %% intervals that hold 1", k->name);
    bench_report(bench, &(struct bench_figure){ .what = what, .unit = "count", .value = r->n_covered },
                 "%d of %d, of %d pairs each", r->n_covered, r->n_verdicts, VERDICT_PAIRS);
    if (a->look.has_interval) {
        snprintf(what, sizeof what, "%s: all pairs together", k->name);
        bench_report(bench, &(struct bench_figure){ .what = what, .unit = "ratio", .value = a->look.ratio },
                     "%s %.4f [%.4f, %.4f]", aisp_verdict_name(a->look.verdict), a->look.ratio, a->look.lo95, a->look.hi95);
    }
}

static void report_cost(struct bench *bench, const struct kind *k, const struct ratios *r, const struct bench_answer *a)
{
    char what[64];

    snprintf(what, sizeof what, "%s: a call, %s scope", k->name, aisp_scope_name(bench->scope));
    bench_report(bench, &(struct bench_figure){ .what = what, .unit = "ns", .value = a->call_ns },
                 "%.2f us, %lld a window, %s", 1e-3 * a->call_ns, (long long)a->calls, a->cache_level);
    snprintf(what, sizeof what, "%s: hidden time of a window", k->name);
    bench_report(bench,
                 &(struct bench_figure){ .what = what, .unit = "ns", .value = bench_series_quantile(&r->beyond_ns, 0.95),
                                         .goal = 2000, .kind = BENCH_AT_MOST, .goal_text = "<= 2 us" },
                 "median %.2f us, p95 %.2f", 1e-3 * bench_series_quantile(&r->beyond_ns, 0.5),
                 1e-3 * bench_series_quantile(&r->beyond_ns, 0.95));
    snprintf(what, sizeof what, "%s: time", k->name);
    bench_report(bench, &(struct bench_figure){ .what = what, .unit = "s", .value = a->total_s },
                 "%.0f s, %.1f of it before the first pair", a->total_s, a->before_s);
    if (!a->n_pairs)
        return;
    snprintf(what, sizeof what, "%s: a pair", k->name);
    bench_report(bench, &(struct bench_figure){ .what = what, .unit = "s", .value = a->pairs_s / a->n_pairs },
                 "%.2f s: load %.2f, windows %.2f, judge %.2f", a->pairs_s / a->n_pairs, a->loading_s / a->n_pairs,
                 a->windows_s / a->n_pairs, a->judge_s / a->n_pairs);
}

static enum aisp_status compare(struct bench *bench, const struct kind *k, struct aisp_err *err)
{
    const int64_t left_ns = bench->deadline_ns - aisp_now_ns() - RESERVE_NS;
    struct ratios r = { 0 };
    struct bench_answer a = { 0 };
    const struct bench_comparison comparison = {
        .catalogue = &bench->own,
        .target = k->target,
        .a = "baseline",
        .b = "copy",
        .set = bench->n_set ? bench->set : k->set,
        .n_set = bench->n_set ? bench->n_set : k->n_set,
        .time_limit_ns = left_ns > 0 ? left_ns / bench->n_aa_left : 1,
        .max_pairs = bench->n_runs * bench->n_run_pairs * 7 / 8 + 1, /* and each eighth is a control */
        .device = "cuda",
        .scope = bench->scope,
        .all_pairs = true,
        .each = &r.pair,
        .beyond_ns = &r.beyond_ns,
    };
    enum aisp_status st;

    bench_report_section(bench, k->title);
    bench_progress(bench, "%s against its copy, %d pairs", k->target, comparison.max_pairs);
    AISP_TRY(bench_compare(bench, &comparison, &a, err));
    bench->n_aa_left--;
    make_ratios(&r, bench, k->limit);
    make_verdicts(&r, k->is_dram);
    report_ratios(bench, k, &r);
    report_verdicts(bench, k, &r, &a);
    report_cost(bench, k, &r, &a);
out:
    bench_series_release(&r.pair);
    bench_series_release(&r.run);
    bench_series_release(&r.beyond_ns);
    return st;
}

static enum aisp_status find_card(struct aisp_device_limits *limits, struct aisp_err *err)
{
    const struct aisp_backend *cuda = aisp_backend_find("cuda");
    enum aisp_status st;

    if (!cuda)
        return aisp_fail(err, AISP_E_UNAVAILABLE, "this program was built without the device cuda");
    AISP_TRY(cuda->probe(err));
    cuda->limits(limits);
    if (!(limits->dram_gbps > 0))
        st = aisp_fail(err, AISP_E_UNAVAILABLE, "the card does not say how fast its memory is");
out:
    return st;
}

/* A copy that takes about 50 us out of whatever memory the card has. */
enum aisp_status bench_cuda_hbm(struct bench *bench, struct aisp_err *err)
{
    struct aisp_device_limits limits = { 0 };
    char n[32];
    const char *const set[] = { n };
    const struct kind kind = { "identical code on the card, memory", "hbm", "cuda:copy", 0.003, true, set, 1 };
    enum aisp_status st;

    AISP_TRY(find_card(&limits, err));
    snprintf(n, sizeof n, "n=%.0f", CALL_NS * SHARE_OF_PEAK * limits.dram_gbps / 8);
    st = compare(bench, &kind, err);
out:
    return st;
}

/* 8 MB, copied again and again for about as long: what is measured lies in L2 but for its first pass. */
enum aisp_status bench_cuda_l2(struct bench *bench, struct aisp_err *err)
{
    const struct kind kind = { "identical code on the card, L2", "l2", "cuda:l2", 0.005, false, NULL, 0 };
    struct aisp_device_limits limits = { 0 };
    enum aisp_status st;

    AISP_TRY(find_card(&limits, err));
    st = compare(bench, &kind, err);
out:
    return st;
}
