/* prices.h - the options by which a user gives prices. */
#ifndef AISP_COMMANDS_ANALYZE_PRICES_H
#define AISP_COMMANDS_ANALYZE_PRICES_H

#include <jansson.h>

#include "analysis/cost.h"
#include "commands/command.h"

#define AISP_OPTIONS_PRICE                                                                                                   \
    { "price", 0, AISP_OPT_TEXT, .repeats = true, .meta = "NAME=USD",                                                        \
      .help = "Dollars an hour of machines whose hardware key has this word; cpu=0.40 for results of a CPU" },               \
    { "prices", 0, AISP_OPT_PATH, .meta = "FILE", .help = "A file of prices, one NAME=USD a line; --price goes before it" }

/* The built-in table, then the file, then --price. *prices is the caller's to release also after an error. */
enum aisp_status aisp_prices_options(const struct aisp_request *request, struct aisp_prices *prices);
json_t *aisp_price_json(const struct aisp_price *price);     /* {"name", "usd_per_hour", "given"}; null if NULL */
json_t *aisp_prices_json(const struct aisp_prices *prices);

#endif
