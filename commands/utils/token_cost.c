/* token_cost.c - the formulas of token_cost.h. */
#include "commands/utils/token_cost.h"

#define J_PER_KWH  3.6e6
#define S_PER_HOUR 3600.0

struct aisp_token_cost aisp_token_cost(const struct aisp_token_cost_spec *s)
{
    struct aisp_token_cost cost = { .device_j = s->power_w / s->tokens_per_second };

    cost.meter_j = cost.device_j * s->pue;
    cost.device_dollars = cost.device_j / J_PER_KWH * s->dollars_per_kwh;
    cost.meter_dollars = cost.meter_j / J_PER_KWH * s->dollars_per_kwh;
    cost.rental_dollars = s->dollars_per_hour / S_PER_HOUR / s->tokens_per_second;
    return cost;
}
