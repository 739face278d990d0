/* stats.h - from samples to a verdict: pure functions of arrays of double; no I/O, clock or state.
 * Not here: how windows are taken (core/run/), what counts as the same answer (core/judge/), which
 * findings follow (checks/).
 * Why it is this way: two processes that run identical code differ by where their memory and code
 * happen to lie, far more than by the noise of a clock. So the unit of inference is the pair of
 * processes, never the window or the block; every estimate is a median, for single windows have
 * tails of +100 % and more; and the data are looked at only where that was planned before, because
 * a look after every pair made 8 % of false verdicts out of a promised 1 %.
 *
 * The way of the data: windows -> aisp_pair_estimate (one number a pair) -> aisp_verdict_look at
 * each planned look.
 *
 * Units: ratio = time of A (baseline) / time of B (optimized); > 1 means that B is faster.
 * Everything called centre, estimate, floor, band, slack or half_width is a natural logarithm of
 * such a ratio: 0.003 is 0.3 %.
 * Errors, of every function with an err: AISP_E_USAGE for a number that cannot be a measurement
 * (NaN, infinite; for a time also zero or negative; the text names the index) or an empty array;
 * AISP_E_NO_MEMORY. The result is untouched then. */
#ifndef AISP_CORE_STATS_H
#define AISP_CORE_STATS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/err.h"

/* ---- describing samples ---- */

/* Where it does not exist (too few data for that level) lo is -inf and hi is +inf: true, and
 * useless for any claim. */
struct aisp_interval {
    bool exists;
    double lo, hi;
};

struct aisp_quantiles {
    size_t n;
    double p5, p50, p95, p99;
};

/**
 * The quantile of an ascending array: linear between order statistics (Hyndman and Fan 1996).
 * @n  >= 1            @p  0 to 1; outside it, or NaN, is our own bug: aborts
 */
double aisp_quantile_sorted(const double *sorted, size_t n, double p);

/**
 * Describe a variant's times. Copies, sorts the copy; nothing is ever thrown out as an outlier.
 * @samples  times of one unit, each > 0
 */
enum aisp_status aisp_quantiles_of(const double *samples, size_t n, struct aisp_quantiles *out,
                                   struct aisp_err *err);

/* Median of any finite numbers, in any order; of an even n the mean of the middle two. */
enum aisp_status aisp_median(const double *x, size_t n, double *median, struct aisp_err *err);

/* Median absolute deviation from the median, as it is: not scaled to a standard deviation
 * (times 1.4826 for that). */
enum aisp_status aisp_mad(const double *x, size_t n, double *mad, struct aisp_err *err);

/**
 * Interval of a quantile from order statistics: free of any distribution, for independent samples
 * of one process or service. It is no comparison: a p99 of two variants is compared by pairs, like
 * any other figure.
 * @p  inside 0 to 1    @alpha  1 - confidence, inside 0 to 1, half of it on each side
 * @out  does not exist if n is too small (p99 at 95 %: n < 368)
 * Source: David and Nagaraja, Order Statistics, 3rd ed., section 7.1.
 */
enum aisp_status aisp_quantile_interval(const double *samples, size_t n, double p, double alpha,
                                        struct aisp_interval *out, struct aisp_err *err);

/* ---- one pair of processes ---- */

/* One block: the four windows of A B B A or B A A B, in ns per call, equal calls in each. */
struct aisp_block {
    double a1_ns, a2_ns, b1_ns, b2_ns;
};

/**
 * One pair's log ratio: the median over blocks of log((a1 + a2) / (b1 + b2)).
 * @blocks  in any order, warm-up left out; 8 to 12 are meant, 1 is the least
 * @estimate  > 0 when B took less time
 */
enum aisp_status aisp_pair_estimate(const struct aisp_block *blocks, size_t n, double *estimate,
                                    struct aisp_err *err);

/* ---- many pairs ---- */

/* Beyond this n the normal approximation stands in for the exact distribution. */
#define AISP_WILCOXON_EXACT_MAX 120

/**
 * Largest q with P(T+ <= q) <= alpha/2 for Wilcoxon's signed rank statistic of n numbers; -1 if
 * there is none. The least n that has one: 6 at alpha 0.05, 8 at 0.01, 11 at 0.01/6.
 * Source: Wilcoxon 1945; the counts by the generating function prod(1 + x^i).
 */
long aisp_wilcoxon_q(size_t n, double alpha);

/* Centre and intervals of pair estimates. No verdict: this may be shown at any time, it decides
 * nothing. */
struct aisp_estimate {
    size_t n;
    double centre;             /* Hodges-Lehmann: median of all (m[i] + m[j]) / 2, i <= j */
    struct aisp_interval ci95; /* from n = 6 */
    struct aisp_interval ci;   /* at the level 1 - alpha */
};

/**
 * @m  n pair estimates, log ratios    @alpha  inside 0 to 1
 * The interval runs from the Walsh average number q to number M - 1 - q of M = n (n + 1) / 2,
 * counted from 0 in ascending order. Memory: 4 n (n + 1) bytes while it runs; n up to 50,000.
 * Source: Hodges and Lehmann 1963; Hollander, Wolfe and Chicken, 3rd ed., section 3.3.
 */
enum aisp_status aisp_estimate_pairs(const double *m, size_t n, double alpha,
                                     struct aisp_estimate *out, struct aisp_err *err);

/* Two-sided p of Mann and Whitney's U between x and y, normal with corrections for ties and
 * continuity (above the exact p in the far tails, so an alarm built on it is rather late than
 * loud). 1 if all values are equal. Numbers must be finite. */
double aisp_mann_whitney_p(const double *x, size_t n_x, const double *y, size_t n_y);

/**
 * Fisher's exact test, one-sided: how probable it is that of all that are marked so many or more
 * lie in the first group, if marks fall on both groups alike.
 * @k_x of @n_x and @k_y of @n_y are marked, 0 <= k <= n    Returns p; 1 where a group is empty.
 * Source: Fisher 1935; the hypergeometric distribution's upper tail.
 */
double aisp_fisher_p(size_t k_x, size_t n_x, size_t k_y, size_t n_y);

/* How probable @k or more successes are in @n independent trials of probability @p each, inside 0 to 1. With p = 1/2 the sign test. */
double aisp_binomial_tail(size_t n, size_t k, double p);

/* ---- the verdict ---- */

enum aisp_verdict {
    AISP_UNDECIDED = 0, /* no answer yet: take pairs until the next planned look */
    AISP_FASTER,        /* B is faster than A */
    AISP_SLOWER,
    AISP_SAME,          /* the difference is inside the band */
    AISP_UNSURE,        /* the last look is over and nothing can be said; the reason says why */
    AISP_N_VERDICT
};

/* Why a look did not answer. */
enum aisp_reason {
    AISP_REASON_NONE = 0,      /* it did */
    AISP_REASON_TOO_FEW_PAIRS, /* fewer than the first planned look */
    AISP_REASON_WIDE,          /* the interval holds 1 and reaches out of the band */
    AISP_REASON_BELOW_FLOOR,   /* clear of 1, but not by more than this machine's bias can be */
    AISP_REASON_SLACK,         /* clear of 1, but not in the worst case of the clocks' slack */
    AISP_REASON_CONTROL,       /* the baseline against itself came out clear of 1 */
    AISP_REASON_MODES,         /* processes fall into modes */
    AISP_REASON_HALVES,        /* the first half of the pairs disagrees with the second */
    AISP_REASON_PLACEMENT,     /* another code placement turns the sign */
    AISP_REASON_UNPROVEN,      /* a memory figure that did not hold as a limit */
    AISP_N_REASON
};

#define AISP_MAX_LOOKS 6

/* Fixed before a run. Log ratios; see aisp_verdict_rules_default. */
struct aisp_verdict_rules {
    double floor;              /* the least effect that may be called FASTER or SLOWER */
    double band;               /* SAME = inside +-band; must exceed the floor */
    double alpha;              /* the rate of false FASTER or SLOWER, over all looks together */
    int n_looks;
    int looks[AISP_MAX_LOOKS]; /* ascending pair counts */
    size_t control_min;        /* fewer control pairs cannot raise the alarm; >= 6 */
    double modes_share;        /* alarm when a larger share of the pairs than this ... */
    double modes_mads;         /* ... lies further from the centre than so many MAD */
    double halves_alpha;       /* alarm when the halves of the run differ at this level */
};

/**
 * The rules in force: looks at 12, 18, 27, 40, 60 and 90 pairs, alpha 1 % over all of them (each
 * look at 1 %/6), floor 0.3 % or what calibration found if that is more, band 0.5 %, or 1 % for
 * kernels that live in DRAM.
 * @calibrated_floor  95th percentile of |centre| of A/A runs of this kernel class on this machine,
 *                    0 if never calibrated
 * A floor at or above the band is left for aisp_verdict_look to refuse: on such a machine a wider
 * band must be asked for.
 */
struct aisp_verdict_rules aisp_verdict_rules_default(bool is_dram, double calibrated_floor);

/* What is known at a look. Arrays are in the order in which the pairs ran. */
struct aisp_look_input {
    const double *pairs;       /* pair estimates of A against B */
    size_t n_pairs;
    const double *control;     /* pair estimates of the baseline against itself; NULL with 0 */
    size_t n_control;
    bool is_last;              /* no pair will follow: time or pair limit */
    bool placement_flips;      /* the placement audit found the opposite sign under a padding */
    double slack;              /* >= 0: how far the truth may lie off the estimates, either way: 0
                                  where windows are the headline, log(window / inner) where inner
                                  times refine it */
};

/* Read `decided` first. Ratios and log ratios are told apart by their names: ratio, lo95, hi95,
 * vlo, vhi are ratios (1.02 = B is 2 % faster), centre and half_width are logarithms. An interval
 * that does not exist reads [0, +inf]. */
struct aisp_look_result {
    enum aisp_verdict verdict; /* UNDECIDED exactly if !decided */
    bool decided;              /* the run may stop: an answer, or UNSURE at the last look */
    enum aisp_reason reason;   /* NONE exactly if FASTER, SLOWER or SAME */
    double ratio;              /* exp(centre) */
    bool has_interval;         /* lo95 and hi95 exist: 6 pairs or more */
    double lo95, hi95;         /* to be printed; without slack, and as if for this look alone */
    bool has_verdict_interval; /* vlo and vhi exist: 11 pairs or more under the default rules */
    double vlo, vhi;           /* the verdict's: level 1 - alpha/n_looks, widened by the slack */
    double centre;             /* Hodges-Lehmann centre of the pair estimates */
    double half_width;         /* of the verdict's interval, without slack; +inf if there is none */
    size_t n_pairs, n_control;
    size_t pairs_wanted;       /* about how many would decide it: n (half_width / wanted)^2;
                                  0 when answered, and when more pairs are not what is missing */
};

/**
 * One planned look.
 *   FASTER, SLOWER  the interval is clear of 1 and |centre| above the floor, both of them also in
 *                   the worst case of the slack
 *   SAME            the interval, widened by the slack, lies inside the band
 * An alarm (control, modes, halves, placement) holds any of these back: more pairs may clear it, at
 * the last look it is UNSURE.
 * The 95 % interval is that of a single look. Where runs stopped at a verdict it held the truth in
 * 94 to 97 % of replayed comparisons; at worst 91 %, for an effect between a DRAM floor and band.
 * Errors: AISP_E_USAGE also for rules that contradict themselves, and for a count of pairs that is
 * no planned look although is_last is false: peeking is refused, not corrected for.
 */
enum aisp_status aisp_verdict_look(const struct aisp_verdict_rules *rules,
                                   const struct aisp_look_input *in, struct aisp_look_result *out,
                                   struct aisp_err *err);

/* "FASTER"; and a clause to print behind "UNSURE: ", "" for NONE. "?" for what is none of them. */
const char *aisp_verdict_name(enum aisp_verdict verdict);
const char *aisp_reason_text(enum aisp_reason reason);

#endif
