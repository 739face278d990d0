/* distribution.h - the samples behind one result as small series that fit a terminal or a page: counts over bins, the
 * wandering of the median, the ratio of each pair, the place under the roof.
 * Not here: how they are drawn.
 * What is withheld stays withheld: of an invalid variant nothing is taken. */
#ifndef AISP_COMMANDS_RUNS_DISTRIBUTION_H
#define AISP_COMMANDS_RUNS_DISTRIBUTION_H

#include <jansson.h>

#include "core/evidence.h"

/* {"a", "b": {"n", "p5_ns", "p50_ns", "p95_ns", "p99_ns", "counts": [...], "below", "above", "drift_ns": [...]} or null,
 *  "lo_ns", "hi_ns": edges of the bins that both sides share, "pair_ratios": [...], "trouble": "" or why not to trust it}
 * New reference. */
json_t *aisp_distribution_of(const struct aisp_evidence *ev, bool is_withheld);

/* {"flops_per_byte", "ridge", "gflops", "roof_gflops", "peak_gflops", "peak_gbps", "bound": "bytes" or "flops"} of the variant
 * against the measured ceilings; null where one of them was not measured or nothing is declared. New reference. */
json_t *aisp_roofline_of(const struct aisp_evidence *ev, bool is_withheld);

#endif
