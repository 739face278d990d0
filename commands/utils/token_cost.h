/* token_cost.h - what a token costs in energy and money.
 *
 *   energy at the device   J/token = W / (token/s)
 *   energy at the meter    J/token = W x PUE / (token/s); PUE = facility energy / equipment energy (ISO/IEC 30134-2)
 *   electricity            $/token = J/token / 3.6e6 (J/kWh) x $/kWh
 *   rental                 $/token = $/h / 3600 (s/h) / (token/s)
 *
 * NaN in, NaN out: what was not given has no cost, rather than none. Pure functions; the command is cost_per_token.c. */
#ifndef AISP_COMMANDS_UTILS_TOKEN_COST_H
#define AISP_COMMANDS_UTILS_TOKEN_COST_H

struct aisp_token_cost_spec {
    double power_w;               /* of all devices that make the throughput, averaged over the time it was measured */
    double tokens_per_second;
    double dollars_per_kwh, pue;
    double dollars_per_hour;      /* rental of the same devices */
};

struct aisp_token_cost {
    double device_j, meter_j;                  /* a token */
    double device_dollars, meter_dollars;      /* electricity, a token */
    double rental_dollars;                     /* a token */
};

struct aisp_token_cost aisp_token_cost(const struct aisp_token_cost_spec *spec);

#endif
