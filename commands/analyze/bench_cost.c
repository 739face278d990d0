/* bench_cost.c - `bench cost`: what a million units of work cost on the machine where they were measured.
 * Not here: which price is whose, and the arithmetic (analysis/cost.h).
 * Why no price is guessed: a machine that is in no table has none until the user says it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands/analyze/filter.h"
#include "commands/analyze/prices.h"
#include "commands/analyze/text.h"
#include "commands/report.h"

static const char explain[] = "How: price an hour / measured units an hour (calls, where none are counted).";

struct costed {
    const struct aisp_result_row *row;
    const struct aisp_price *price;
    double usd[2];
};

static double saving(const struct costed *c)
{
    return 100 * (1 - c->usd[AISP_ROW_B] / c->usd[AISP_ROW_A]);
}

/* The largest saving first; without one last. */
static int by_saving(const void *a, const void *b)
{
    const struct costed *x = a, *y = b;
    const double sx = isfinite(saving(x)) ? saving(x) : -INFINITY, sy = isfinite(saving(y)) ? saving(y) : -INFINITY;
    int order;

    if (sx != sy)
        return sx > sy ? -1 : 1;
    order = aisp_row_group_order(x->row, y->row);
    return order ? order : strcmp(x->row->variant, y->row->variant);
}

static json_t *costed_json(struct aisp_selection *s, const struct costed *c)
{
    json_t *one = aisp_row_json(c->row);

    json_object_set_new(one, "unit", json_string(aisp_selection_unit(s, c->row)));
    json_object_set_new(one, "price", aisp_price_json(c->price));
    json_object_set_new(one, "usd_per_million",
                        json_pack("{s:o, s:o}", "a", aisp_real_or_null(c->usd[AISP_ROW_A]), "b",
                                  aisp_real_or_null(c->usd[AISP_ROW_B])));
    json_object_set_new(one, "saving_percent", aisp_real_or_null(saving(c)));
    return one;
}

static enum aisp_status find_gpu(const struct aisp_request *request, const struct aisp_prices *prices,
                                 const struct aisp_price **gpu)
{
    const char *name = aisp_args_text(request->args, "gpu"), *nearest;
    const char **known = aisp_xcalloc(prices->n + 1, sizeof *known);
    enum aisp_status st = AISP_OK;

    *gpu = name ? aisp_prices_find(prices, name) : NULL;
    for (size_t i = 0; i < prices->n; i++)
        known[i] = prices->price[i].name;
    if (name && !*gpu) {
        nearest = aisp_nearest(name, known, prices->n);
        st = aisp_fail(request->err, AISP_E_USAGE, "--gpu %s: no price of that name%s%s%s; --price %s=USD gives one", name,
                       nearest ? ", did you mean " : "", nearest ? nearest : "", nearest ? "?" : "", name);
    }
    free(known);
    return st;
}

/* Rows that have a price (and, with --gpu, that one) and a rate. */
static struct costed *cost_rows(const struct aisp_rows *rows, const struct aisp_prices *prices, const struct aisp_price *gpu,
                                size_t *n, size_t *n_without)
{
    struct costed *list = aisp_xcalloc(rows->n + 1, sizeof *list);

    *n = *n_without = 0;
    for (size_t i = 0; i < rows->n; i++) {
        struct costed c = { .row = &rows->row[i], .price = aisp_prices_of(prices, &rows->row[i]) };

        for (int side = AISP_ROW_A; side <= AISP_ROW_B; side++)
            c.usd[side] = c.price ? aisp_cost_per_million(c.row, side, c.price->usd_per_hour) : NAN;
        if (isfinite(c.usd[AISP_ROW_B]) && (!gpu || !strcmp(gpu->name, c.price->name)))
            list[(*n)++] = c;
        else
            ++*n_without;
    }
    if (*n)
        qsort(list, *n, sizeof *list, by_saving);
    return list;
}

static enum aisp_status run(const struct aisp_request *request, json_t **value, int *exit_code)
{
    const size_t top = (size_t)aisp_args_integer(request->args, "top");
    struct aisp_selection_how how = { 0 };
    struct aisp_selection s = AISP_SELECTION_INIT;
    struct aisp_prices prices = { 0 };
    const struct aisp_price *gpu = NULL;
    struct costed *list = NULL;
    json_t *json = json_array();
    size_t n, n_without;
    enum aisp_status st;

    (void)exit_code;
    AISP_TRY(aisp_prices_options(request, &prices));
    AISP_TRY(find_gpu(request, &prices, &gpu));
    AISP_TRY(aisp_selection_init(&s, request, &how));
    list = cost_rows(&s.rows, &prices, gpu, &n, &n_without);
    for (size_t i = 0; i < n && i < top; i++)
        json_array_append_new(json, costed_json(&s, &list[i]));
    *value = aisp_selection_json(&s);
    json_object_set_new(*value, "gpu", gpu ? json_string(gpu->name) : json_null());
    json_object_set_new(*value, "prices", aisp_prices_json(&prices));
    json_object_set_new(*value, "n_costed", json_integer((json_int_t)n));
    json_object_set_new(*value, "n_without_price", json_integer((json_int_t)n_without));
    json_object_set(*value, "list", json);
    json_object_set_new(*value, "explain", json_string(explain));
out:
    json_decref(json);
    free(list);
    aisp_prices_release(&prices);
    aisp_selection_release(&s);
    return st;
}

static void put_one(const json_t *one, struct aisp_buf *out)
{
    const double percent = aisp_report_number(one, "saving_percent");
    const json_t *price = json_object_get(one, "price");

    aisp_buf_puts(out, " ");
    aisp_put_who(out, one, 58);
    if (isfinite(percent))
        aisp_buf_printf(out, " saves %+.1f %%", percent);
    aisp_buf_printf(out, "\n    $%.4g a million %ss", aisp_report_side(one, "usd_per_million", "b"),
                    aisp_report_text(one, "unit"));
    if (isfinite(aisp_report_side(one, "usd_per_million", "a")))
        aisp_buf_printf(out, ", reference $%.4g", aisp_report_side(one, "usd_per_million", "a"));
    aisp_buf_printf(out, ", at $%.2f/h (%s)\n", aisp_report_number(price, "usd_per_hour"), aisp_report_text(price, "name"));
}

static void render(const json_t *value, const struct aisp_style *style, struct aisp_buf *out)
{
    const long long n = json_integer_value(json_object_get(value, "n_costed")),
                    without = json_integer_value(json_object_get(value, "n_without_price"));
    const char *gpu = aisp_report_text(value, "gpu");
    const json_t *one;
    size_t i;

    (void)style;
    aisp_put_head(out, value);
    json_array_foreach(json_object_get(value, "list"), i, one)
        put_one(one, out);
    if (n > (long long)i)
        aisp_buf_printf(out, " and %lld more: --top N\n", n - (long long)i);
    if (without && *gpu)
        aisp_buf_printf(out, "Not of a %s: %lld result%s\n", gpu, without, without == 1 ? "" : "s");
    else if (without)
        aisp_buf_printf(out, "Without a price or a rate: %lld result%s (--price NAME=USD, of a CPU cpu=USD)\n", without,
                        without == 1 ? "" : "s");
    aisp_put_explained(out, value);
}

static const struct aisp_option options[] = {
    { "gpu", 'g', AISP_OPT_TEXT, .meta = "NAME",
      .help = "Only results of this GPU: B200, H100, A100, L40S, A10G, T4, or a name with a price" },
    { "top", 'n', AISP_OPT_INTEGER, .meta = "N", .help = "Results of the list", .preset = "10", .low = 1, .high = 1000000 },
    AISP_OPTIONS_PRICE,
    AISP_OPTIONS_SAME,
    AISP_OPTIONS_FILTER,
    { 0 },
};

AISP_COMMAND(bench_cost) = {
    .path = "bench cost",
    .sentence = "List what a million units of work cost, from measured rates and a price an hour",
    .example = "aisp bench cost --gpu H100 --top 10\naisp bench cost --price cpu=0.40 -t ch09\n"
               "aisp bench cost --prices prices.txt --json",
    .option = options,
    .flags = AISP_CMD_READS_STORE,
    .run = run,
    .render = render,
};
