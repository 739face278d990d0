/* bench_whatif.c - `bench whatif`: which measured variants would fit a machine or an objective.
 * Not here: the comparison with the limits (analysis/whatif.h), prices (analysis/cost.h). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/whatif.h"
#include "commands/analyze/filter.h"
#include "commands/analyze/prices.h"
#include "commands/analyze/text.h"
#include "commands/report.h"

/* In the order of the limits; `unit` of the option, in what the row counts. */
static const struct {
    const char *option, *name;
    double unit;
} limits[AISP_N_LIMITS] = {
    { "vram", "memory_bytes", 1024.0 * 1024 * 1024 }, { "latency", "p99_ns", 1e6 }, { "throughput", "per_second", 1 },
    { "power", "watts", 1 },                          { "cost", "usd_per_million", 1 },
};
static const char *const fits[] = { "fits", "does not fit", "not measured" };

static const char explain[] = "How: newest valid results as measured; what was not measured never fits.";

struct found {
    const struct aisp_result_row *row;
    struct aisp_whatif_answer answer;
    const struct aisp_price *price;
};

/* What fits first, then what is missing a measurement; in each the larger ratio first. */
static int order(const void *a, const void *b)
{
    static const int place[] = { [AISP_FIT_YES] = 0, [AISP_FIT_MISSING] = 1, [AISP_FIT_NO] = 2 };
    const struct found *x = a, *y = b;
    int by;

    if (x->answer.fit != y->answer.fit)
        return place[x->answer.fit] - place[y->answer.fit];
    if (x->row->ratio != y->row->ratio)
        return x->row->ratio > y->row->ratio ? -1 : 1;
    by = aisp_row_group_order(x->row, y->row);
    return by ? by : strcmp(x->row->variant, y->row->variant);
}

static json_t *names_json(unsigned bits)
{
    json_t *names = json_array();

    for (int i = 0; i < AISP_N_LIMITS; i++)
        if (bits & 1u << i)
            json_array_append_new(names, json_string(limits[i].option));
    return names;
}

static json_t *found_json(struct aisp_selection *s, const struct found *f)
{
    json_t *one = aisp_row_json(f->row);

    json_object_set_new(one, "fit", json_string(fits[f->answer.fit]));
    json_object_set_new(one, "missed", names_json(f->answer.missed));
    json_object_set_new(one, "missing", names_json(f->answer.missing));
    for (int i = 0; i < AISP_N_LIMITS; i++)
        json_object_set_new(one, limits[i].name, aisp_real_or_null(f->answer.figure[i]));
    json_object_set_new(one, "unit", json_string(aisp_selection_unit(s, f->row)));
    json_object_set_new(one, "price", aisp_price_json(f->price));
    return one;
}

static enum aisp_status read_limits(const struct aisp_request *request, struct aisp_whatif *asked, json_t **json)
{
    bool any = false;

    *json = json_object();
    for (int i = 0; i < AISP_N_LIMITS; i++) {
        const bool given = aisp_args_given(request->args, limits[i].option);
        const double value = given ? aisp_args_real(request->args, limits[i].option) : NAN;

        asked->limit[i] = value * limits[i].unit;
        if (given)
            json_object_set_new(*json, limits[i].option, json_real(value));
        any |= given;
    }
    if (any)
        return AISP_OK;
    return aisp_fail(request->err, AISP_E_USAGE,
                     "what if what? Give a limit: --vram, --latency, --throughput, --power or --cost");
}

static json_t *answers(struct aisp_selection *s, const struct aisp_whatif *asked, const struct aisp_prices *prices, size_t top,
                       json_t *counts)
{
    struct found *found = aisp_xcalloc(s->rows.n + 1, sizeof *found);
    json_t *list = json_array();
    size_t n[3] = { 0 };

    for (size_t i = 0; i < s->rows.n; i++) {
        struct found *f = &found[i];

        f->row = &s->rows.row[i];
        f->price = aisp_prices_of(prices, f->row);
        f->answer = aisp_whatif_answer(asked, f->row, f->price ? f->price->usd_per_hour : NAN);
        n[f->answer.fit]++;
    }
    qsort(found, s->rows.n, sizeof *found, order);
    for (size_t i = 0, shown[3] = { 0 }; i < s->rows.n; i++)
        if (found[i].answer.fit != AISP_FIT_NO && shown[found[i].answer.fit]++ < top)
            json_array_append_new(list, found_json(s, &found[i]));
    json_object_set_new(counts, "fits", json_integer((json_int_t)n[AISP_FIT_YES]));
    json_object_set_new(counts, "not_measured", json_integer((json_int_t)n[AISP_FIT_MISSING]));
    json_object_set_new(counts, "does_not_fit", json_integer((json_int_t)n[AISP_FIT_NO]));
    free(found);
    return list;
}

static enum aisp_status run(const struct aisp_request *request, json_t **value, int *exit_code)
{
    const struct aisp_selection_how how = { 0 };
    struct aisp_selection s = AISP_SELECTION_INIT;
    struct aisp_prices prices = { 0 };
    struct aisp_whatif asked;
    json_t *asked_json = NULL, *counts = json_object();
    enum aisp_status st;

    (void)exit_code;
    AISP_TRY(read_limits(request, &asked, &asked_json));
    AISP_TRY(aisp_prices_options(request, &prices));
    AISP_TRY(aisp_selection_init(&s, request, &how));
    *value = aisp_selection_json(&s);
    json_object_set(*value, "limits", asked_json);
    json_object_set_new(*value, "list", answers(&s, &asked, &prices, (size_t)aisp_args_integer(request->args, "top"), counts));
    json_object_set(*value, "n", counts);
    json_object_set_new(*value, "explain", json_string(explain));
out:
    json_decref(asked_json);
    json_decref(counts);
    aisp_prices_release(&prices);
    aisp_selection_release(&s);
    return st;
}

/* "not measured: power" */
static void put_missing(const json_t *one, struct aisp_buf *out)
{
    const json_t *name;
    size_t i;

    json_array_foreach(json_object_get(one, "missing"), i, name) {
        const bool no_price = !strcmp(json_string_value(name), "cost") && json_is_null(json_object_get(one, "price"));

        aisp_buf_printf(out, "%s%s%s", i ? ", " : "    not measured: ", json_string_value(name),
                        no_price ? " (the machine has no price: --price)" : "");
    }
    if (i)
        aisp_buf_puts(out, "\n");
}

/* What was measured, asked for or not. */
static void put_one(const json_t *one, struct aisp_buf *out)
{
    const double p99 = aisp_report_number(one, "p99_ns"), bytes = aisp_report_number(one, "memory_bytes"),
                 rate = aisp_report_number(one, "per_second"), watts = aisp_report_number(one, "watts"),
                 usd = aisp_report_number(one, "usd_per_million");
    struct aisp_buf line = AISP_BUF_INIT;

    aisp_buf_puts(out, " ");
    aisp_put_who(out, one, 56);
    aisp_buf_printf(out, " ratio %.3f\n", aisp_report_number(one, "ratio"));
    if (isfinite(p99)) {
        aisp_buf_puts(&line, ", p99 ");
        aisp_put_time(&line, p99, 0);
    }
    if (isfinite(bytes)) {
        aisp_buf_puts(&line, ", memory ");
        aisp_put_bytes(&line, bytes, 0);
    }
    if (isfinite(rate)) {
        aisp_buf_puts(&line, ", ");
        aisp_put_number(&line, rate, 0);
        aisp_buf_printf(&line, " %ss/s", aisp_report_text(one, "unit"));
    }
    if (isfinite(watts))
        aisp_buf_printf(&line, ", %.1f W", watts);
    if (isfinite(usd))
        aisp_buf_printf(&line, ", $%.4g a million", usd);
    if (line.s)
        aisp_put_wrapped(out, 4, 4, line.s + 2);
    aisp_buf_release(&line);
    put_missing(one, out);
}

static void put_list(const json_t *value, const char *fit, const char *title, long long n, const struct aisp_style *style,
                     struct aisp_buf *out)
{
    const json_t *one;
    long long shown = 0;
    size_t i;

    if (!n)
        return;
    aisp_paint(out, style, AISP_PAINT_BOLD, 0, title);
    aisp_buf_printf(out, ": %lld\n", n);
    json_array_foreach(json_object_get(value, "list"), i, one)
        if (aisp_report_is(one, "fit", fit)) {
            put_one(one, out);
            shown++;
        }
    if (shown < n)
        aisp_buf_printf(out, " and %lld more: --top N\n", n - shown);
}

static void render(const json_t *value, const struct aisp_style *style, struct aisp_buf *out)
{
    const json_t *n = json_object_get(value, "n");
    const long long fit = json_integer_value(json_object_get(n, "fits"));

    aisp_put_head(out, value);
    put_list(value, fits[AISP_FIT_YES], "Fit", fit, style, out);
    if (!fit)
        aisp_buf_puts(out, "Nothing that was measured fits.\n");
    put_list(value, fits[AISP_FIT_MISSING], "Cannot be said, for want of a measurement",
             json_integer_value(json_object_get(n, "not_measured")), style, out);
    aisp_buf_printf(out, "Do not fit: %lld\n", (long long)json_integer_value(json_object_get(n, "does_not_fit")));
    aisp_put_explained(out, value);
}

static const struct aisp_option options[] = {
    { "vram", 0, AISP_OPT_REAL, .meta = "GIB",
      .help = "At most so much memory at the peak (of the process where there is no card)" },
    { "latency", 0, AISP_OPT_REAL, .meta = "MS", .help = "At most so many milliseconds, 99th percentile of calls; of a server, of its figure" },
    { "throughput", 0, AISP_OPT_REAL, .meta = "N", .help = "At least so many units (else calls) a second" },
    { "power", 0, AISP_OPT_REAL, .meta = "W", .help = "At most so many watts, mean over a call" },
    { "cost", 0, AISP_OPT_REAL, .meta = "USD", .help = "At most so many dollars a million units; see --price" },
    { "top", 'n', AISP_OPT_INTEGER, .meta = "N", .help = "Results of a list", .preset = "10", .low = 1, .high = 1000000 },
    AISP_OPTIONS_PRICE,
    AISP_OPTIONS_SAME,
    AISP_OPTIONS_FILTER,
    { 0 },
};

AISP_COMMAND(bench_whatif) = {
    .path = "bench whatif",
    .sentence = "List variants whose measurements fit limits on memory, latency, power, cost",
    .example = "aisp bench whatif --vram 24 --latency 100\naisp bench whatif --throughput 1e9 -t ch07:transpose\n"
               "aisp bench whatif --cost 0.02 --price cpu=0.40 --goal throughput",
    .option = options,
    .flags = AISP_CMD_READS_STORE,
    .run = run,
    .render = render,
};
