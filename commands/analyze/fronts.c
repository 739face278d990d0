/* fronts.c - Pareto frontiers and trade-offs of `bench analyze`. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "commands/analyze/parts.h"
#include "commands/analyze/text.h"
#include "commands/report.h"

const char *const aisp_axis_names[AISP_N_AXES] = { "speed", "memory", "energy" };

struct aisp_pareto_point *aisp_points_of(const struct aisp_result_row *row, size_t n, double tolerance)
{
    struct aisp_pareto_point *point = aisp_xmalloc((n + 1) * sizeof *point);

    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < AISP_N_AXES; k++)
            point[i].axis[k] = aisp_pareto_figure(&row[i], k, 1 + tolerance);
    return point;
}

/* Measured figures, without the tolerance that was only for comparing. */
static void add_axes(json_t *entry, const struct aisp_result_row *row)
{
    const struct aisp_measured figure[] = { aisp_row_speed(row), aisp_row_memory(row), aisp_row_energy(row) };

    for (int k = 0; k < AISP_N_AXES; k++)
        json_object_set_new(entry, aisp_axis_names[k], aisp_measured_json(&figure[k]));
    json_object_set_new(entry, "memory_saving_percent", aisp_real_or_null(100 * (1 - 1 / figure[AISP_AXIS_MEMORY].value)));
}

struct front {
    const struct aisp_result_row *row;
    size_t n;
    const struct aisp_pareto_point *point;
    struct aisp_pareto_place *place;
    unsigned axes;
    size_t count[4];                         /* by status */
};

/* What was not measured is last. */
static double speed_of(const struct front *f, uint32_t i)
{
    const double speed = f->point[i].axis[AISP_AXIS_SPEED].value;

    return isfinite(speed) ? speed : 0;
}

static int by_speed(const void *a, const void *b, void *front)
{
    const struct front *f = front;
    const uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
    const double x = speed_of(f, i), y = speed_of(f, j);

    if (x != y)
        return x > y ? -1 : 1;
    return i < j ? -1 : i > j;
}

static json_t *entry_json(const struct front *f, uint32_t i)
{
    json_t *entry = aisp_row_json(&f->row[i]);

    json_object_set_new(entry, "hardware", json_string(f->row[i].hardware));
    add_axes(entry, &f->row[i]);
    if (f->place[i].by != i)
        json_object_set_new(entry, "by", json_pack("{s:s, s:s}", "target", f->row[f->place[i].by].target, "variant",
                                                   f->row[f->place[i].by].variant));
    return entry;
}

enum { FEW = 64 };

/* The `top` first of n, sorted, at the beginning. A short list is kept sorted while the others pass by. */
static size_t select_fastest(struct front *f, uint32_t *at, size_t n, size_t top)
{
    size_t kept = 0;

    if (top > FEW || n <= FEW) {
        qsort_r(at, n, sizeof *at, by_speed, f);
        return n < top ? n : top;
    }
    for (size_t i = 0; i < n; i++) {
        const uint32_t new = at[i];
        size_t k;

        if (kept == top && by_speed(&at[top - 1], &new, f) < 0)
            continue;
        for (k = kept == top ? top - 1 : kept; k && by_speed(&at[k - 1], &new, f) > 0; k--)
            at[k] = at[k - 1];
        at[k] = new;
        kept += kept < top;
    }
    return kept;
}

/* Points of one status, the fastest first, at most `top` of them. */
static json_t *entries_json(struct front *f, enum aisp_pareto_status status, size_t top)
{
    uint32_t *at = aisp_xmalloc((f->n + 1) * sizeof *at);
    json_t *entries = json_array();
    size_t n = 0;

    for (size_t i = 0; i < f->n; i++)
        if (f->place[i].status == status)
            at[n++] = (uint32_t)i;
    n = select_fastest(f, at, n, top);
    for (size_t i = 0; i < n; i++)
        json_array_append_new(entries, entry_json(f, at[i]));
    free(at);
    return entries;
}

static json_t *axes_json(const struct front *f)
{
    json_t *axes = json_array();

    for (int k = 0; k < AISP_N_AXES; k++)
        if (f->axes & 1u << k)
            json_array_append_new(axes, json_string(aisp_axis_names[k]));
    return axes;
}

static json_t *not_measured_json(const struct front *f)
{
    json_t *missing = json_object();

    for (int k = 0; k < AISP_N_AXES; k++) {
        json_int_t n = 0;

        for (size_t i = 0; i < f->n; i++)
            n += !aisp_measured_exists(&f->point[i].axis[k]);
        if (n)
            json_object_set_new(missing, aisp_axis_names[k], json_integer(n));
    }
    return missing;
}

static json_t *front_json(const struct aisp_result_row *row, size_t n, const struct aisp_parts_options *options)
{
    struct aisp_pareto_point *point = aisp_points_of(row, n, options->tolerance);
    struct front f = { .row = row, .n = n, .point = point, .place = aisp_xcalloc(n + 1, sizeof *f.place) };
    json_t *value;

    f.axes = options->axes ? options->axes : aisp_pareto_common_axes(point, n);
    aisp_pareto(point, n, f.axes, f.place);
    for (size_t i = 0; i < n; i++)
        f.count[f.place[i].status]++;
    value = json_pack("{s:s?, s:s?, s:o, s:o, s:I, s:I, s:I, s:I, s:I}", "target", options->mixed ? NULL : row->target,
                      "device", options->mixed ? NULL : row->device, "axes", axes_json(&f), "not_measured",
                      not_measured_json(&f), "n", (json_int_t)n, "n_frontier", (json_int_t)f.count[AISP_PARETO_FRONTIER],
                      "n_dominated", (json_int_t)f.count[AISP_PARETO_DOMINATED], "n_unsure",
                      (json_int_t)f.count[AISP_PARETO_UNSURE], "n_missing", (json_int_t)f.count[AISP_PARETO_MISSING]);
    json_object_set_new(value, "frontier", entries_json(&f, AISP_PARETO_FRONTIER, SIZE_MAX));
    json_object_set_new(value, "unsure", entries_json(&f, AISP_PARETO_UNSURE, options->top));
    json_object_set_new(value, "dominated", entries_json(&f, AISP_PARETO_DOMINATED, options->top));
    json_object_set_new(value, "missing", entries_json(&f, AISP_PARETO_MISSING, options->top));
    free(point);
    free(f.place);
    return value;
}

/* Those that can be a point at all, in the same order. */
static struct aisp_result_row *valid_of(const struct aisp_rows *rows, size_t *n)
{
    struct aisp_result_row *valid = aisp_xmalloc((rows->n + 1) * sizeof *valid);

    *n = 0;
    for (size_t i = 0; i < rows->n; i++)
        if (aisp_row_is_valid(&rows->row[i]))
            valid[(*n)++] = rows->row[i];
    return valid;
}

/* The reference against itself, as one of the variants that were measured against it saw it. */
static struct aisp_result_row reference_of(const struct aisp_result_row *row)
{
    struct aisp_result_row r = *row;

    r.variant = row->reference;
    r.verdict = "SAME";
    r.ratio = r.lo95 = r.hi95 = 1;
    r.b_median_ns = r.a_median_ns;
    r.b_memory_bytes = r.a_memory_bytes;
    r.b_energy_j = r.a_energy_j;
    r.b_per_second = r.a_per_second;
    return r;
}

/* The rows of one target and their reference behind them. */
static json_t *target_json(const struct aisp_result_row *row, size_t n, const struct aisp_parts_options *options)
{
    struct aisp_result_row *all = aisp_xmalloc((n + 1) * sizeof *all);
    json_t *value;

    memcpy(all, row, n * sizeof *all);
    all[n] = reference_of(row);
    value = front_json(all, n + 1, options);
    free(all);
    return value;
}

json_t *aisp_fronts_json(struct aisp_selection *selection, const struct aisp_parts_options *options)
{
    struct aisp_result_row *own = NULL;
    const struct aisp_result_row *row = selection->rows.row;
    json_t *fronts = json_array();
    size_t n = selection->rows.n, end;

    if (selection->want.invalid)
        row = own = valid_of(&selection->rows, &n);
    if (options->mixed && n)
        json_array_append_new(fronts, front_json(row, n, options));
    for (size_t first = 0; first < n && !options->mixed; first = end) {
        for (end = first; end < n && aisp_row_same_group(&row[first], &row[end]); end++)
            ;
        json_array_append_new(fronts, target_json(&row[first], end - first, options));
    }
    free(own);
    return fronts;
}

/* ---- as text ---- */

static void put_entry(const json_t *entry, bool is_mixed, const char *mark, struct aisp_buf *out)
{
    const struct aisp_measured speed = aisp_measured_from(json_object_get(entry, "speed")),
                               energy = aisp_measured_from(json_object_get(entry, "energy"));
    const double saving = aisp_report_number(entry, "memory_saving_percent");

    aisp_buf_printf(out, " %s ", mark);
    if (is_mixed)
        aisp_put_who(out, entry, 38);
    else
        aisp_buf_printf(out, "%-38.38s", aisp_report_text(entry, "variant"));
    aisp_buf_puts(out, " ");
    aisp_put_measured(out, &speed, 20);
    if (isfinite(saving))
        aisp_buf_printf(out, " %+7.1f%%", saving);
    else
        aisp_buf_puts(out, "        -");
    if (aisp_measured_exists(&energy))
        aisp_buf_printf(out, " %7.3g\n", energy.value);
    else
        aisp_buf_puts(out, "       -\n");
}

static void put_unsure(const json_t *front, bool is_mixed, struct aisp_buf *out)
{
    const json_t *entry;
    size_t i;

    json_array_foreach(json_object_get(front, "unsure"), i, entry) {
        const json_t *by = json_object_get(entry, "by");

        put_entry(entry, is_mixed, "?", out);
        aisp_buf_puts(out, "     not distinguishable from ");
        if (is_mixed)
            aisp_put_who(out, by, 0);
        else
            aisp_buf_puts(out, aisp_report_text(by, "variant"));
        aisp_buf_puts(out, "\n");
    }
}

static long long count(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

static void put_rest(const json_t *front, struct aisp_buf *out)
{
    const long long more = count(front, "n_unsure") - (long long)json_array_size(json_object_get(front, "unsure"));
    const json_t *n;
    const char *axis, *between = "   ";

    if (count(front, "n_dominated")) {
        aisp_buf_printf(out, "%s%lld dominated", between, count(front, "n_dominated"));
        between = "; ";
    }
    if (more > 0) {
        aisp_buf_printf(out, "%s%lld more not distinguishable", between, more);
        between = "; ";
    }
    if (count(front, "n_missing")) {
        aisp_buf_printf(out, "%s%lld left out", between, count(front, "n_missing"));
        between = "; ";
    }
    json_object_foreach((json_t *)json_object_get(front, "not_measured"), axis, n) {
        aisp_buf_printf(out, "%s%s not measured", between, axis);
        if (json_integer_value(n) < count(front, "n"))
            aisp_buf_printf(out, " for %lld", (long long)json_integer_value(n));
        between = "; ";
    }
    if (strcmp(between, "   "))
        aisp_buf_puts(out, "\n");
}

void aisp_fronts_render(const json_t *fronts, size_t top, const struct aisp_style *style, struct aisp_buf *out)
{
    const json_t *front, *entry;
    size_t i, k, shown = 0;

    aisp_paint(out, style, AISP_PAINT_BOLD, 0, "Pareto frontier");
    aisp_buf_printf(out, "%*s%s\n", 27, "", "speed ratio [95%]      memory  energy");
    json_array_foreach(fronts, i, front) {
        const bool is_mixed = json_is_null(json_object_get(front, "target"));

        if (shown++ >= top)
            continue;
        aisp_buf_printf(out, "%s\n", is_mixed ? "all targets together" : aisp_report_text(front, "target"));
        json_array_foreach(json_object_get(front, "frontier"), k, entry)
            if (k < top)
                put_entry(entry, is_mixed, "*", out);
        if (k > top)
            aisp_buf_printf(out, "   and %zu more on the frontier\n", k - top);
        put_unsure(front, is_mixed, out);
        put_rest(front, out);
    }
    if (shown > top)
        aisp_buf_printf(out, "and %zu more targets: --show pareto --top N\n", shown - top);
}

/* ---- trade-offs ---- */

json_t *aisp_tradeoffs_json(struct aisp_selection *selection, const struct aisp_parts_options *options)
{
    json_t *tradeoffs = json_array();

    for (size_t i = 0; i < selection->rows.n; i++) {
        const struct aisp_result_row *row = &selection->rows.row[i];
        json_t *gains = json_array(), *pays = json_array(), *entry;

        for (int k = 0; k < AISP_N_AXES && aisp_row_is_valid(row); k++) {
            const struct aisp_measured f = aisp_pareto_figure(row, k, 1 + options->tolerance);
            const int side = aisp_measured_side(&f, 1);

            if (side)
                json_array_append_new(side > 0 ? gains : pays, json_string(aisp_axis_names[k]));
        }
        if (json_array_size(gains) && json_array_size(pays)) {
            entry = aisp_row_json(row);
            add_axes(entry, row);
            json_object_set(entry, "gains", gains);
            json_object_set(entry, "pays", pays);
            json_array_append_new(tradeoffs, entry);
        }
        json_decref(gains);
        json_decref(pays);
    }
    return tradeoffs;
}

void aisp_tradeoffs_render(const json_t *tradeoffs, size_t top, const struct aisp_style *style, struct aisp_buf *out)
{
    const json_t *entry;
    size_t i;

    aisp_paint(out, style, AISP_PAINT_BOLD, 0, "Trade-offs");
    aisp_buf_puts(out, ": better than the reference in one figure, worse in another\n");
    json_array_foreach(tradeoffs, i, entry)
        if (i < top)
            put_entry(entry, true, "~", out);
    if (i > top)
        aisp_buf_printf(out, " and %zu more: --show tradeoffs --top N\n", i - top);
    if (!i)
        aisp_buf_puts(out, " none among what was measured\n");
}
