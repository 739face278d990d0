/* scaling.h - how a figure grows with a parameter: the exponent of a power law, where two variants cross, and how much of p
 * processes is used.
 *
 * The law y = factor * x^exponent is fitted on logarithms by Theil and Sen: the exponent is the median of the slopes of all
 * pairs of sizes, so a single size that is off (a cache just left, a bad day) does not bend it. The 95 % interval is Sen's,
 * from Kendall's exact distribution; it needs 5 sizes. Whether one power law holds at all is said by the residuals.
 * Not here: which results are one sweep (the caller groups them), how they were measured.
 * Sources: Sen 1968; Hollander, Wolfe and Chicken, 3rd ed., section 9.3; Karp and Flatt 1990. */
#ifndef AISP_ANALYSIS_SCALING_H
#define AISP_ANALYSIS_SCALING_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/measured.h"

struct aisp_power_law {
    size_t n;                            /* sizes */
    double exponent, lo, hi;             /* lo and hi NaN below 5 sizes */
    double factor;                       /* y at x = 1 */
    double residual_median, residual_max;   /* |y / fitted - 1|, the larger of it and its inverse's: 0.02 = 2 % */
};

/* @x, @y  above 0; x all different. False, and nothing written, below 3 sizes or for what is not above 0. */
bool aisp_power_law_fit(const double *x, const double *y, size_t n, struct aisp_power_law *law);
/* Largest q with P(inversions of a random order of n <= q) <= alpha/2; -1 if there is none. */
long aisp_kendall_q(size_t n, double alpha);

/* From the last value of one decided side to the first of the other: indices. Undecided ones between them widen the bracket. */
struct aisp_side_change { size_t from, to; bool better_above; };
/* @side  1, -1, or 0 for undecided, in the order of ascending values    Returns how many; at most n - 1 are written. */
size_t aisp_side_changes(const int *side, size_t n, struct aisp_side_change *out);

/* From one size at which one side is better beyond its interval to the next at which the other is. */
struct aisp_crossover {
    double at;                           /* between them, on logarithms; NaN if the values change sign more than once there */
    double lo, hi;                       /* the two sizes */
    bool better_above;                   /* the ratio is above 1 beyond it */
};
/* @x  ascending    @ratio  at each, > 1: better    Returns how many there are; at most n - 1 are written. */
size_t aisp_crossovers(const double *x, const struct aisp_measured *ratio, size_t n, struct aisp_crossover *out);

/* ---- over ranks or threads ---- */

enum aisp_scaling_kind {
    AISP_SCALING_STRONG,                 /* the work of a call stays as it is */
    AISP_SCALING_WEAK,                   /* it grows as the processes do */
    AISP_SCALING_OTHER,
};
struct aisp_scaling_point {
    double processes, time, work;        /* in; work of the whole call, any unit */
    double speedup, efficiency;          /* of the rate of work over that of the fewest processes; efficiency 1: all of it */
    double serial;                       /* Karp and Flatt's share that does not scale; NaN for the fewest, if not strong */
};
/* @point  ascending in processes, all above 0. The work counts as unchanged, or as grown in proportion, within 2 %. */
enum aisp_scaling_kind aisp_scaling_over_processes(struct aisp_scaling_point *point, size_t n);

#endif
