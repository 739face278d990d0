/* prices.c - the price table as the options make it. */
#include "commands/analyze/prices.h"

enum aisp_status aisp_prices_options(const struct aisp_request *request, struct aisp_prices *prices)
{
    const char *file = aisp_args_text(request->args, "prices");
    enum aisp_status st = AISP_OK;
    const char *const *given;
    size_t n;

    aisp_prices_init(prices);
    if (file)
        AISP_TRY(aisp_prices_read(prices, file, request->err));
    given = aisp_args_list(request->args, "price", &n);
    for (size_t i = 0; i < n; i++)
        AISP_TRY(aisp_prices_add(prices, given[i], request->err));
out:
    return st;
}

json_t *aisp_price_json(const struct aisp_price *price)
{
    if (!price)
        return json_null();
    return json_pack("{s:s, s:f, s:b}", "name", price->name, "usd_per_hour", price->usd_per_hour, "given", price->is_given);
}

json_t *aisp_prices_json(const struct aisp_prices *prices)
{
    json_t *list = json_array();

    for (size_t i = 0; i < prices->n; i++)
        json_array_append_new(list, aisp_price_json(&prices->price[i]));
    return list;
}
