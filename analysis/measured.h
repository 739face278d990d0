/* measured.h - a measured value with its 95 % interval, and what products and quotients of such values are worth.
 * Not here: how an interval was measured (core/stats/). Ratios are compared and combined as logarithms, where "twice" and
 * "half" are equally far from 1.
 * Why not the sum of variances: intervals of pair estimates are not symmetric, and no variance is recorded. Each bound is
 * combined with the bounds that push the same way (method of variance estimates recovery: Zou and Donner 2008), which is the
 * usual sum where they are symmetric. The values must have been measured independently; comparisons are, each has pairs of
 * its own. */
#ifndef AISP_ANALYSIS_MEASURED_H
#define AISP_ANALYSIS_MEASURED_H

#include <stdbool.h>
#include <stddef.h>

/* lo and hi are NaN where there is no interval, value too where nothing was measured. All above 0. */
struct aisp_measured { double value, lo, hi; };

/* Out of what a record holds: NaN throughout unless value is finite and above 0; without interval unless 0 < lo <= hi < inf.
 * A value outside its interval widens it. */
struct aisp_measured aisp_measured_of(double value, double lo, double hi);
bool aisp_measured_exists(const struct aisp_measured *m);
bool aisp_measured_has_interval(const struct aisp_measured *m);
/* Without an interval if one of them has none; NaN throughout if one is. n 0: 1 [1, 1]. */
struct aisp_measured aisp_measured_product(const struct aisp_measured *m, size_t n);
struct aisp_measured aisp_measured_quotient(const struct aisp_measured *a, const struct aisp_measured *b);
/* Is a larger than b beyond both intervals? Never without intervals. */
bool aisp_measured_above(const struct aisp_measured *a, const struct aisp_measured *b);
/* Where the whole interval lies: 1 above `than`, -1 below it, 0 when it holds it or is missing. */
int aisp_measured_side(const struct aisp_measured *m, double than);

#endif
