/* roof.h - where the two sides of a comparison lie under the ceilings that were measured on their machine.
 * Not here: the formulas for many variants at once (commands/utils/roof.h), the drawing (marks.h). */
#ifndef AISP_COMMANDS_REPORTS_ROOF_H
#define AISP_COMMANDS_REPORTS_ROOF_H

#include "commands/reports/axis.h"
#include "core/evidence.h"

/* median_ns: NaN is not timed or withheld. What was not measured leaves *roof without `gbps`. */
void aisp_report_roof_of(const struct aisp_evidence *ev, const double median_ns[2], struct aisp_report_roof *roof);
bool aisp_report_roof_is_measured(const struct aisp_report_roof *roof);
/* What the declared work allows at most, in the unit of the rates. */
double aisp_report_roof_ceiling(const struct aisp_report_roof *roof);
/* Both axes of the chart; without arithmetic only x. */
void aisp_report_roof_axes(const struct aisp_report_roof *roof, struct aisp_axis *x, struct aisp_axis *y);

/* "3.21 GFLOP/s, 41% of roof"; nothing where the side has no rate. */
void aisp_report_roof_put_side(struct aisp_buf *out, const struct aisp_report_roof *roof, int side);
/* "L1 92.1, L2 70.4, DRAM 12.3 GB/s; 51.2 GFLOP/s" */
void aisp_report_roof_put_ceilings(struct aisp_buf *out, const struct aisp_report_roof *roof);
extern const char *const aisp_report_levels[4];                              /* "L1", "L2", "L3", "DRAM" */
/* New reference; null if it was not measured. */
json_t *aisp_report_roof_json(const struct aisp_report_roof *roof);

#endif
