/* budget.c - the two functions of budget.h. */
#include "commands/budget.h"

static const double BEYOND_PAIRS_S = 1;

double aisp_budget_s(size_t n_comparisons, double limit_s)
{
    return (double)n_comparisons * (limit_s + BEYOND_PAIRS_S);
}

void aisp_budget_put(struct aisp_buf *out, double s)
{
    if (s < 120)
        aisp_buf_printf(out, s < 10 ? "%.3g s" : "%.0f s", s);
    else
        aisp_buf_printf(out, s < 7200 ? "%.0f min" : "%.1f h", s < 7200 ? s / 60 : s / 3600);
}
