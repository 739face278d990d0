/* whatif.h - which measured variants would fit limits on memory, latency, throughput, power and cost.
 * As measured, nothing is extrapolated: a limit whose figure was not measured makes the answer MISSING, unless another limit is
 * missed anyway.
 * Not here: prices (cost.h), the order in which answers are shown. */
#ifndef AISP_ANALYSIS_WHATIF_H
#define AISP_ANALYSIS_WHATIF_H

#include "analysis/rows.h"

enum { AISP_LIMIT_MEMORY, AISP_LIMIT_LATENCY, AISP_LIMIT_THROUGHPUT, AISP_LIMIT_POWER, AISP_LIMIT_COST, AISP_N_LIMITS };

/* NaN: not asked. Bytes at peak, ns at p99 of a call, units a second at least, watts in the mean, dollars a million units. */
struct aisp_whatif { double limit[AISP_N_LIMITS]; };

enum aisp_fit { AISP_FIT_YES, AISP_FIT_NO, AISP_FIT_MISSING };

struct aisp_whatif_answer {
    enum aisp_fit fit;
    unsigned missed, missing;                 /* bits of limits */
    double figure[AISP_N_LIMITS];             /* of the variant, NaN where not measured; asked for or not */
};

/* @usd_per_hour  of the machine, NaN if it has no price */
struct aisp_whatif_answer aisp_whatif_answer(const struct aisp_whatif *asked, const struct aisp_result_row *row,
                                             double usd_per_hour);

#endif
