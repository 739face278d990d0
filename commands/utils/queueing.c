/* queueing.c - the formulas of queueing.h. */
#include "commands/utils/queueing.h"

#include <math.h>

double aisp_erlang_c(int64_t servers, double load)
{
    const double c = (double)servers;
    double b = 1;

    if (load >= c)
        return 1;
    for (int64_t n = 1; n <= servers; n++)
        b = load * b / ((double)n + load * b);
    return b / (1 - load / c * (1 - b));
}

double aisp_wait_quantile(int64_t servers, double load, double service_s, double p)
{
    const double c = (double)servers;
    double waits;

    if (load >= c)
        return INFINITY;
    waits = aisp_erlang_c(servers, load);
    return waits <= 1 - p ? 0 : service_s * log(waits / (1 - p)) / (c - load);
}

double aisp_traffic_service_s(const struct aisp_traffic *t)
{
    return (double)t->concurrency * t->units_per_request / t->throughput;
}

double aisp_traffic_cards(const struct aisp_traffic *t)
{
    return t->requests_per_second * t->units_per_request / t->throughput;
}

double aisp_traffic_wait(const struct aisp_traffic *t, int64_t cards, double p)
{
    const double service_s = aisp_traffic_service_s(t);

    return aisp_wait_quantile(cards * t->concurrency, t->requests_per_second * service_s, service_s, p);
}

int64_t aisp_traffic_cards_for(const struct aisp_traffic *t, double slo_s, double p)
{
    int64_t low = (int64_t)floor(aisp_traffic_cards(t)), high; /* low is not enough */

    if (!isfinite(slo_s))
        return low + 1;
    for (high = low + 1; aisp_traffic_wait(t, high, p) > slo_s; high += high - low)
        ;
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;

        if (aisp_traffic_wait(t, middle, p) > slo_s)
            low = middle;
        else
            high = middle;
    }
    return high;
}
