/* queueing.h - how long requests wait, and how many cards keep the wait short: the M/M/c queue.
 *
 *   offered load        a = rate x service time (Erlang); utilisation a / c of c servers, stable below 1
 *   Erlang B            B(0) = 1, B(n) = a B(n-1) / (n + a B(n-1))
 *   Erlang C            P(a request has to wait) = B / (1 - (a / c)(1 - B))
 *   tail                P(wait > t) = C exp(-(c - a) t / service time)
 *   quantile p          0 where C <= 1 - p, else service time ln(C / (1 - p)) / (c - a)
 *
 * It assumes Poisson arrivals, exponential service times, one queue served in order, and nobody who leaves it.
 * Source: A. K. Erlang 1917; L. Kleinrock, Queueing Systems, vol. 1, 1975, sections 3.5 and 5.6. Pure functions. */
#ifndef AISP_COMMANDS_UTILS_QUEUEING_H
#define AISP_COMMANDS_UTILS_QUEUEING_H

#include <stdint.h>

/* P(wait > 0); 1 where the queue is not stable. servers >= 1, load > 0. */
double aisp_erlang_c(int64_t servers, double load);
/* Seconds that a share p of requests waits at most; infinite where the queue is not stable. */
double aisp_wait_quantile(int64_t servers, double load, double service_s, double p);

/* A card serves `concurrency` requests at once and makes `throughput` units a second then, so that each of them takes
 * concurrency x units / throughput. */
struct aisp_traffic {
    double requests_per_second, units_per_request;
    double throughput;                 /* of a card, measured at that concurrency */
    int64_t concurrency;
};
double aisp_traffic_service_s(const struct aisp_traffic *traffic);
/* Cards' worth of work that arrives: below the number of cards, the queue is stable. */
double aisp_traffic_cards(const struct aisp_traffic *traffic);
double aisp_traffic_wait(const struct aisp_traffic *traffic, int64_t cards, double p);
/* The fewest cards of which a share p of requests waits at most slo_s; without slo (infinite) the fewest that are stable. */
int64_t aisp_traffic_cards_for(const struct aisp_traffic *traffic, double slo_s, double p);

#endif
