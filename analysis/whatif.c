/* whatif.c - a row against limits. */
#include "analysis/whatif.h"

#include <math.h>

#include "analysis/cost.h"

static double positive(double x)
{
    return isfinite(x) && x > 0 ? x : NAN;
}

struct aisp_whatif_answer aisp_whatif_answer(const struct aisp_whatif *asked, const struct aisp_result_row *row,
                                             double usd_per_hour)
{
    struct aisp_whatif_answer answer = { 0 };

    answer.figure[AISP_LIMIT_MEMORY] = positive(row->b_memory_bytes);
    answer.figure[AISP_LIMIT_LATENCY] = positive(row->b_p99_ns);
    answer.figure[AISP_LIMIT_THROUGHPUT] = aisp_row_rate(row, AISP_ROW_B);
    answer.figure[AISP_LIMIT_POWER] = aisp_row_watts(row, AISP_ROW_B);
    answer.figure[AISP_LIMIT_COST] = aisp_cost_per_million(row, AISP_ROW_B, usd_per_hour);
    for (int i = 0; i < AISP_N_LIMITS; i++) {
        const double limit = asked->limit[i], figure = answer.figure[i];

        if (isnan(limit))
            continue;
        if (isnan(figure))
            answer.missing |= 1u << i;
        else if (i == AISP_LIMIT_THROUGHPUT ? figure < limit : figure > limit)
            answer.missed |= 1u << i;
    }
    answer.fit = answer.missed ? AISP_FIT_NO : answer.missing ? AISP_FIT_MISSING : AISP_FIT_YES;
    return answer;
}
