/* compare_runs.h - two runs of the same targets, row by row, through the baseline that both of them measured.
 * Not here: the arithmetic (change.h), where runs and noise come from (commands/gate). */
#ifndef AISP_ANALYSIS_COMPARE_RUNS_H
#define AISP_ANALYSIS_COMPARE_RUNS_H

#include "analysis/figure.h"

/* Of one row's history; what cannot be read is noise that was not learned, with n_runs 0. */
typedef void aisp_noise_source(void *context, const json_t *figure, struct aisp_noise *out);

struct aisp_compare_spec {
    const json_t *before, *after;            /* arrays of figures (figure.h) */
    double alpha;                            /* over all rows together */
    double band;                             /* log ratio; 0: three times the bands of both runs */
    aisp_noise_source *noise;
    void *context;
};

/* [{"target", "variant", "reference", "device", "size", "goal",
 *   "verdict"       FASTER SLOWER SAME UNSURE
 *   "state"         "compared", "only before", "only after", "invalid", "other", "no figure": why there is no change
 *   "reason"        why UNSURE, else ""
 *   "before", "after"   {"ratio", "lo95", "hi95", "n_pairs", "grade", "variant_sha256"} or null
 *   "change"        {"percent", "lo95_percent", "hi95_percent", "vlo_percent", "vhi_percent", "smallest_seen_percent",
 *                    "band_percent", "floor_percent"} or null
 *   "noise"         {"sd_percent", "n_runs", "is_learned"} of one run, as used; or null
 *   "elapsed_s"}]   in the order of `after`, then those that only `before` has. New reference. */
json_t *aisp_compare_runs(const struct aisp_compare_spec *spec);

/* The objects "change" and "noise" of a row; new references. */
json_t *aisp_change_json(const struct aisp_change *change, const struct aisp_change_rules *rules);
json_t *aisp_noise_json(const struct aisp_change *change, const struct aisp_noise *noise);
/* Floor of both together: each run's own, at least AISP_CHANGE_FLOOR. */
double aisp_change_floor(const json_t *before, const json_t *after);

#endif
