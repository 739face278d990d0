/* cost.h - what a machine costs an hour, and what a unit of work costs on it: price per hour / units per hour.
 * A price has a name. It is the price of every machine whose hardware key contains the name, letters large or small; of several
 * the longest, of equally long ones the one given last. The built-in ones are of GPUs and price results of a GPU only; a price
 * that the user gives prices any device, and "cpu" every result that was measured on a CPU.
 * Not here: energy (rows.h); taxes, discounts, idle hours. */
#ifndef AISP_ANALYSIS_COST_H
#define AISP_ANALYSIS_COST_H

#include "analysis/rows.h"

struct aisp_price { char name[64]; double usd_per_hour; bool is_given; };
struct aisp_prices { struct aisp_price *price; size_t n, cap; };

/* The built-in table: B200 5.00, H100 3.50, A100 2.00, L40S 1.50, A10G 1.00, T4 0.50. */
void aisp_prices_init(struct aisp_prices *prices);
/* "H100=2.80". Errors: AISP_E_USAGE. */
enum aisp_status aisp_prices_add(struct aisp_prices *prices, const char *text, struct aisp_err *err);
/* A file with one NAME=USD a line; empty lines and those that begin with # count for nothing. Errors: AISP_E_USAGE with the
 * line, AISP_E_NOT_FOUND, AISP_E_IO. */
enum aisp_status aisp_prices_read(struct aisp_prices *prices, const char *path, struct aisp_err *err);
void aisp_prices_release(struct aisp_prices *prices);
/* The price of a row's machine; NULL if there is none. Whole words only: "T4" is no part of "T400". */
const struct aisp_price *aisp_prices_of(const struct aisp_prices *prices, const struct aisp_result_row *row);
/* By name, letters large or small; the one given last. */
const struct aisp_price *aisp_prices_find(const struct aisp_prices *prices, const char *name);

/* Dollars a million units (or calls, where the problem counts none); NaN if price or rate is not known. */
double aisp_cost_per_million(const struct aisp_result_row *row, int side, double usd_per_hour);

#endif
