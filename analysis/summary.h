/* summary.h - one run in numbers: how many of what, and the mean gain where a mean means something.
 * Not here: how it is written (commands/gate). */
#ifndef AISP_ANALYSIS_SUMMARY_H
#define AISP_ANALYSIS_SUMMARY_H

#include "analysis/figure.h"

/* Of `figures` (figure.h), in the same order as `results`:
 *   n_results, n_quarantined
 *   verdicts   {"FASTER": n, ...}: of all six words; who is in quarantine is counted there alone
 *   grades     {"publishable": n, "development": n, "invalid": n}
 *   goals      [{"goal", "n", "n_valid", "geomean"}]: the geometric mean of the ratios of one goal, over the rows whose ratio
 *              is neither withheld nor in quarantine; null where there is none
 *   chapters   [{"chapter", "n", "verdicts": {...}}]
 *   rows       [{"target", "variant", "reference", "device", "size", "goal", "verdict", "grade", "reason", "ratio", "lo95",
 *              "hi95", "n_pairs", "elapsed_s", "is_quarantined"}]
 * Goals and chapters in the order in which they first appear. New reference.
 * Why a geometric mean, and of one goal alone: ratios multiply, and a gain in bytes is no gain in time. */
json_t *aisp_summary_new(const json_t *results, const json_t *figures);

#endif
