/* bench_power.c - `bench power`: energy of a unit of work, of reference and variant.
 * From the energy that was measured over the windows and nothing else: no machine's rated power, no estimate. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands/analyze/filter.h"
#include "commands/analyze/text.h"
#include "commands/report.h"

static const char explain[] = "How: energy a call by sensor / its units (a call, where none are counted).";

/* Without a reading of the reference there is no ratio, and the row comes last. */
static double energy_ratio(const struct aisp_result_row *row)
{
    const struct aisp_measured ratio = aisp_row_energy(row);

    return aisp_measured_exists(&ratio) ? ratio.value : 0;
}

static int by_energy(const void *a, const void *b)
{
    const struct aisp_result_row *x = *(const struct aisp_result_row *const *)a, *y = *(const struct aisp_result_row *const *)b;
    int order;

    if (energy_ratio(x) != energy_ratio(y))
        return energy_ratio(x) > energy_ratio(y) ? -1 : 1;
    order = aisp_row_group_order(x, y);
    return order ? order : strcmp(x->variant, y->variant);
}

static json_t *both(double (*of)(const struct aisp_result_row *, int), const struct aisp_result_row *row,
                    double (*then)(double))
{
    return json_pack("{s:o, s:o}", "a", aisp_real_or_null(then(of(row, AISP_ROW_A))), "b",
                     aisp_real_or_null(then(of(row, AISP_ROW_B))));
}

static double as_it_is(double x)
{
    return x;
}

static double inverse(double x)
{
    return 1 / x;
}

/* Declared operations of a call over its energy: operations a second and watt, in units of 10^9. Only few rows are shown, so
 * their evidence is read. */
static json_t *gflops_per_watt(struct aisp_selection *s, const struct aisp_result_row *row)
{
    json_t *evidence = NULL;
    double flops = NAN;

    if (!aisp_store_evidence_load(s->store, row->run, row->key, &evidence, NULL))
        flops = aisp_report_number(evidence, "flops");
    json_decref(evidence);
    if (!(flops > 0))
        flops = NAN;
    return json_pack("{s:o, s:o}", "a", aisp_real_or_null(1e-9 * flops / row->a_energy_j), "b",
                     aisp_real_or_null(1e-9 * flops / row->b_energy_j));
}

static json_t *row_json(struct aisp_selection *s, const struct aisp_result_row *row)
{
    const struct aisp_measured ratio = aisp_row_energy(row);
    json_t *one = aisp_row_json(row);

    json_object_set_new(one, "unit", json_string(aisp_selection_unit(s, row)));
    json_object_set_new(one, "joules_per_unit", both(aisp_row_joules, row, as_it_is));
    json_object_set_new(one, "units_per_joule", both(aisp_row_joules, row, inverse));
    json_object_set_new(one, "watts", both(aisp_row_watts, row, as_it_is));
    json_object_set_new(one, "gflops_per_watt", gflops_per_watt(s, row));
    json_object_set_new(one, "energy_ratio", aisp_real_or_null(ratio.value));
    return one;
}

static enum aisp_status run(const struct aisp_request *request, json_t **value, int *exit_code)
{
    const size_t top = (size_t)aisp_args_integer(request->args, "top");
    const struct aisp_selection_how how = { 0 };
    struct aisp_selection s = AISP_SELECTION_INIT;
    const struct aisp_result_row **measured = NULL;
    json_t *list = json_array();
    size_t n = 0;
    enum aisp_status st;

    (void)exit_code;
    AISP_TRY(aisp_selection_init(&s, request, &how));
    measured = aisp_xcalloc(s.rows.n + 1, sizeof *measured);
    for (size_t i = 0; i < s.rows.n; i++)
        if (isfinite(aisp_row_joules(&s.rows.row[i], AISP_ROW_B)))
            measured[n++] = &s.rows.row[i];
    qsort(measured, n, sizeof *measured, by_energy);
    for (size_t i = 0; i < n && i < top; i++)
        json_array_append_new(list, row_json(&s, measured[i]));
    *value = aisp_selection_json(&s);
    json_object_set_new(*value, "n_measured", json_integer((json_int_t)n));
    json_object_set_new(*value, "n_not_measured", json_integer((json_int_t)(s.rows.n - n)));
    json_object_set(*value, "list", list);
    json_object_set_new(*value, "explain", json_string(explain));
out:
    json_decref(list);
    free(measured);
    aisp_selection_release(&s);
    return st;
}

static void put_side(const json_t *one, const char *key, const char *side, const char *unit, struct aisp_buf *out)
{
    const double x = aisp_report_side(one, key, side);

    aisp_put_number(out, x, 0);
    if (isfinite(x))
        aisp_buf_printf(out, "%s%s", isdigit((unsigned char)out->s[out->len - 1]) ? " " : "", unit);
}

/* "1.23 mJ, 45.0 W, 12.3 GFLOP/s a watt" */
static void put_sides(const json_t *one, const char *side, struct aisp_buf *out)
{
    put_side(one, "joules_per_unit", side, "J", out);
    aisp_buf_puts(out, ", ");
    put_side(one, "watts", side, "W", out);
    if (isfinite(aisp_report_side(one, "gflops_per_watt", side)))
        aisp_buf_printf(out, ", %.3g GFLOP/s a watt", aisp_report_side(one, "gflops_per_watt", side));
    aisp_buf_puts(out, "\n");
}

static void render(const json_t *value, const struct aisp_style *style, struct aisp_buf *out)
{
    const long long n = json_integer_value(json_object_get(value, "n_measured")),
                    without = json_integer_value(json_object_get(value, "n_not_measured"));
    const json_t *one;
    size_t i;

    (void)style;
    aisp_put_head(out, value);
    json_array_foreach(json_object_get(value, "list"), i, one) {
        const double ratio = aisp_report_number(one, "energy_ratio");
        const char *unit = aisp_report_text(one, "unit");

        aisp_buf_puts(out, " ");
        aisp_put_who(out, one, 56);
        if (isfinite(ratio))
            aisp_buf_printf(out, " energy %.3f", ratio);
        aisp_buf_printf(out, "\n    per %-9.9s ", unit);
        put_sides(one, "b", out);
        aisp_buf_puts(out, "    reference     ");
        put_sides(one, "a", out);
    }
    if (n > (long long)i)
        aisp_buf_printf(out, " and %lld more: --top N\n", n - (long long)i);
    if (without)
        aisp_buf_printf(out, "Energy not measured: %lld result%s (the machine had no sensor, or it was not read)\n", without,
                        without == 1 ? "" : "s");
    aisp_put_explained(out, value);
}

static const struct aisp_option options[] = {
    { "top", 'n', AISP_OPT_INTEGER, .meta = "N", .help = "Results of the list", .preset = "10", .low = 1, .high = 1000000 },
    AISP_OPTIONS_SAME,
    AISP_OPTIONS_FILTER,
    { 0 },
};

AISP_COMMAND(bench_power) = {
    .path = "bench power",
    .sentence = "List energy of a unit of work and mean power, where a sensor measured them",
    .example = "aisp bench power\naisp bench power -t ch09 --device cuda --top 20",
    .option = options,
    .flags = AISP_CMD_READS_STORE,
    .run = run,
    .render = render,
};
