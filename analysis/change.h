/* change.h - has a figure changed between two runs? Pure arithmetic.
 * Times of different runs are never set side by side: each run measured the variant against the same baseline in the same
 * pairs, and what is compared is the ratio of the two ratios. Its uncertainty has three parts: what either run's own interval
 * says, and how far the same code's ratio moves from run to run (noise.h), which no single run can see and which enters twice.
 * Not here: which results may be compared at all (compare_runs.h), what a team expects (expectation.h).
 * Why no calibration kernel beside the baseline: peaks are measured once in a calibration's life and not in every run, so they
 * say nothing about the day on which a run was taken; the baseline was timed in the same second.
 *
 * Unless named a ratio or a percentage, every figure is a natural logarithm: 0.003 is 0.3 %. Above 0 is better. */
#ifndef AISP_ANALYSIS_CHANGE_H
#define AISP_ANALYSIS_CHANGE_H

#include "analysis/noise.h"
#include "core/stats/stats.h"

/* What is assumed of the between-run noise while it is not learned: the largest spread of a single pair's log ratio that was
 * measured for any class of kernel (8 MiB copies inside an H100's L2, own buffers, 2.7 %; on the CPU 0.7 to 1.6 %: the list in
 * docs/guide/gates.md). A run's ratio is the centre of a dozen pairs or more that were placed anew each time, so that two runs
 * of the same code lie closer together than two pairs do. */
#define AISP_CHANGE_UNLEARNED_SD 0.027
/* A gate's rate of false FASTER and SLOWER, over all of its rows together: that of a single verdict. */
#define AISP_CHANGE_ALPHA 0.01
/* Least floor of one run's ratio: systematic bias that no interval shows (core/stats/verdict.c). */
#define AISP_CHANGE_FLOOR 0.003

/* One run's figure, as it was printed: reference / variant. All > 0. */
struct aisp_ratio { double ratio, lo95, hi95; };

struct aisp_change_rules {
    double alpha;        /* over all rows together */
    size_t n_rows;       /* that are judged at once, >= 1 */
    double floor;        /* of both runs together: less is never FASTER or SLOWER */
    double band;         /* SAME = inside +-band */
};

enum aisp_change_reason {
    AISP_CHANGE_CLEAR = 0,         /* there is an answer */
    AISP_CHANGE_NO_INTERVAL,       /* one of the figures has none */
    AISP_CHANGE_NOT_LEARNED,       /* too few runs yet, and the change is not beyond what is assumed instead */
    AISP_CHANGE_WIDE,              /* the interval holds 0 and reaches out of the band */
    AISP_CHANGE_BELOW_FLOOR,       /* clear of 0, but by less than the floor */
};

struct aisp_change {
    enum aisp_verdict verdict;     /* FASTER, SLOWER, SAME or UNSURE */
    enum aisp_change_reason reason;
    double change;                 /* log(after / before) */
    double lo95, hi95;             /* to be printed: as if this row were alone */
    double vlo, vhi;               /* of FASTER and SLOWER: 1 - alpha / n_rows */
    double sd;                     /* of the change: both runs and the noise */
    double noise_sd;               /* of one run, as used: the upper bound that was learned, or what is assumed */
    double smallest_seen;          /* a drop of this size would be called SLOWER in 95 of 100 comparisons like this one */
    double band_wanted;            /* with this band and no other change it would be SAME; 0 if it is not UNSURE */
};

/**
 * Compare two figures.
 * @noise  of the row, learned or not
 * Without learned noise it is never SAME, and FASTER or SLOWER only where the change is clear with the assumed noise as well.
 * A figure without an interval, or that is no ratio, makes it UNSURE; all other figures are NaN then.
 */
void aisp_change_of(const struct aisp_ratio *before, const struct aisp_ratio *after, const struct aisp_noise *noise,
                    const struct aisp_change_rules *rules, struct aisp_change *out);

/* How many standard deviations of a normal hold all but `alpha`, both tails together. 0 < alpha < 1. */
double aisp_normal_two_sided(double alpha);

/* 2.4 for 0.0237: what a log ratio is in percent of what was before. */
double aisp_change_percent(double log_change);

#endif
