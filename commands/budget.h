/* budget.h - how long a run may take, so that it can be said before it is begun.
 * Not here: what it did take (the summary of measure.c). */
#ifndef AISP_COMMANDS_BUDGET_H
#define AISP_COMMANDS_BUDGET_H

#include <stddef.h>

#include "core/base/buf.h"

/* Of comparisons that use all of their time limit; with what each costs beyond its timed pairs: starting workers, verifying both
 * sides, the trial, the secret points. Of quick sizes that is a second; of larger ones the judge's work may cost more. */
double aisp_budget_s(size_t n_comparisons, double limit_s);
/* "2.5 s", "48 s", "4 min", "2.1 h" */
void aisp_budget_put(struct aisp_buf *out, double s);

#endif
