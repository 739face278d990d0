/* pareto.h - which points are beaten by another on everything: the Pareto frontier of up to three figures, O(n log n).
 * A figure is a ratio of the reference to the variant, larger is better, with an interval.
 *   DOMINATED  another point is at least as good by every value, and better on one of them beyond both intervals
 *   UNSURE     another is at least as good by every value and better by one, but nobody beyond the intervals: the two
 *              cannot be told apart
 *   FRONTIER   nobody is
 *   MISSING    one of the figures asked for was not measured: neither on the frontier nor behind it
 * Memory and energy beside a ratio of times have no interval: they are compared in steps of a tolerance, and are surely apart
 * beyond twice as much, so that a page of memory more or less decides nothing. A ratio that has no interval for want of pairs
 * is surely apart from nothing.
 * Not here: which points may be compared at all (one target's variants, or what the user asked to mix). */
#ifndef AISP_ANALYSIS_PARETO_H
#define AISP_ANALYSIS_PARETO_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/rows.h"

enum { AISP_AXIS_SPEED, AISP_AXIS_MEMORY, AISP_AXIS_ENERGY, AISP_N_AXES };

struct aisp_pareto_point { struct aisp_measured axis[AISP_N_AXES]; };

enum aisp_pareto_status { AISP_PARETO_FRONTIER, AISP_PARETO_DOMINATED, AISP_PARETO_UNSURE, AISP_PARETO_MISSING };

/* `by`: index of one point that dominates it or cannot be told apart from it; itself on the frontier. */
struct aisp_pareto_place { enum aisp_pareto_status status; uint32_t by; };

/* An axis of a row, to be compared, not shown. @step  above 1: 1.01 = 1 % */
struct aisp_measured aisp_pareto_figure(const struct aisp_result_row *row, int axis, double step);
/* Axes (bits) that were measured for all n points, n >= 1. */
unsigned aisp_pareto_common_axes(const struct aisp_pareto_point *point, size_t n);
/* Points with an axis that is asked for but has no interval are MISSING. n < 2^31. */
void aisp_pareto(const struct aisp_pareto_point *point, size_t n, unsigned axes, struct aisp_pareto_place *place);

#endif
