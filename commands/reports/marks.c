/* marks.c - series into marks. Pure geometry. */
#include "commands/reports/marks.h"

#include <math.h>
#include <stdlib.h>

#include "commands/reports/roof.h"
#include "core/evidence.h"
#include "core/stats/stats.h"

static void line(struct aisp_plot *canvas, enum aisp_mark mark, const char *tone, double x1, double y1, double x2, double y2)
{
    const struct aisp_spot ends[] = { { x1, y1 }, { x2, y2 } };

    canvas->put(canvas, mark, tone, ends, 2);
}

static void dot(struct aisp_plot *canvas, enum aisp_mark mark, const char *tone, double x, double y)
{
    const struct aisp_spot at = { x, y };

    canvas->put(canvas, mark, tone, &at, 1);
}

static double x_of(const struct aisp_axis *axis, double x)
{
    return 1000 * aisp_axis_at(axis, x);
}

/* ---- histogram ---- */

enum { BINS = 120 };

/* The outline of the counts, as an area standing at y = 74. */
static void put_area(struct aisp_plot *canvas, const size_t count[BINS], const char *tone)
{
    const double foot = 74, height = 70;
    struct aisp_spot spot[2 * BINS + 3];
    double before = foot;
    size_t most = 1, n = 0;

    for (int i = 0; i < BINS; i++)
        most = count[i] > most ? count[i] : most;
    spot[n++] = (struct aisp_spot){ 0, foot };
    for (int i = 0; i < BINS; i++) {
        const double top = foot - height * (double)count[i] / (double)most;

        if (fabs(top - before) > 0.01) {
            spot[n++] = (struct aisp_spot){ 1000.0 * i / BINS, before };
            spot[n++] = (struct aisp_spot){ 1000.0 * i / BINS, top };
            before = top;
        }
    }
    spot[n++] = (struct aisp_spot){ 1000, before };
    spot[n++] = (struct aisp_spot){ 1000, foot };
    canvas->put(canvas, AISP_MARK_AREA, tone, spot, n);
}

void aisp_marks_histogram(struct aisp_plot *canvas, const struct aisp_axis *axis, const struct aisp_report_series *series,
                          const char *tone)
{
    size_t count[BINS] = { 0 };
    struct aisp_quantiles q;

    if (!series->n || aisp_quantiles_of(series->ns, series->n, &q, NULL))
        return;
    for (size_t i = 0; i < series->n; i++) {
        const double at = aisp_axis_at(axis, series->ns[i]);

        if (series->ns[i] >= axis->lo && series->ns[i] <= axis->hi)
            count[at < 1 ? (int)(at * BINS) : BINS - 1]++;
    }
    put_area(canvas, count, tone);
    line(canvas, AISP_MARK_LINE, tone, x_of(axis, q.p50), 2, x_of(axis, q.p50), 96);
    line(canvas, AISP_MARK_LINE, tone, x_of(axis, q.p5), 88, x_of(axis, q.p95), 88);
    if (q.p99 <= axis->hi)
        dot(canvas, AISP_MARK_DOT, tone, x_of(axis, q.p99), 88);
}

/* ---- drift ---- */

/* Consecutive windows in at most 72 groups; each as its distance from the median of all. */
enum { MAX_GROUPS = 72 };
struct groups {
    int n;
    double low[MAX_GROUPS], mid[MAX_GROUPS], high[MAX_GROUPS];
};

static void groups_of(const struct aisp_report_series *s, struct groups *g)
{
    double centre;

    g->n = s->n < MAX_GROUPS ? (int)s->n : MAX_GROUPS;
    if (!s->n || aisp_median(s->ns, s->n, &centre, NULL)) {
        g->n = 0;
        return;
    }
    for (int i = 0; i < g->n; i++) {
        const size_t from = s->n * (size_t)i / (size_t)g->n, to = s->n * ((size_t)i + 1) / (size_t)g->n;
        double *sorted = aisp_sorted_of(s->ns + from, to - from);

        g->low[i] = aisp_quantile_sorted(sorted, to - from, 0.1) / centre - 1;
        g->mid[i] = aisp_quantile_sorted(sorted, to - from, 0.5) / centre - 1;
        g->high[i] = aisp_quantile_sorted(sorted, to - from, 0.9) / centre - 1;
        free(sorted);
    }
}

double aisp_drift_span(const struct aisp_report_row *row)
{
    static const double spans[] = { 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1 };
    double far[4 * MAX_GROUPS], *sorted, reach;
    struct groups g;
    size_t n = 0, i = 0;

    for (int side = AISP_A; side <= AISP_B; side++) {
        groups_of(&row->side[side], &g);
        for (int j = 0; j < g.n; j++) {
            far[n++] = fabs(g.low[j]);
            far[n++] = fabs(g.high[j]);
        }
    }
    if (!n)
        return spans[0];
    sorted = aisp_sorted_of(far, n);
    reach = aisp_quantile_sorted(sorted, n, 0.95);
    free(sorted);
    while (i < sizeof spans / sizeof *spans - 1 && spans[i] < reach)
        i++;
    return spans[i];
}

static struct aisp_spot spot_of(const struct groups *g, int i, double value, double span)
{
    const double y = 50 - 46 * value / span;

    return (struct aisp_spot){ 1000 * (i + 0.5) / g->n, fmin(98, fmax(2, y)) };
}

void aisp_marks_drift(struct aisp_plot *canvas, const struct aisp_report_series *series, double span, const char *tone)
{
    struct aisp_spot spot[2 * MAX_GROUPS];
    struct groups g;
    size_t n = 0;

    groups_of(series, &g);
    line(canvas, AISP_MARK_RULE, "", 0, 50, 1000, 50);
    if (!g.n)
        return;
    for (int i = 0; i < g.n; i++)
        spot[n++] = spot_of(&g, i, g.high[i], span);
    for (int i = g.n - 1; i >= 0; i--)
        spot[n++] = spot_of(&g, i, g.low[i], span);
    canvas->put(canvas, AISP_MARK_BAND, tone, spot, n);
    for (int i = 0; i < g.n; i++)
        spot[i] = spot_of(&g, i, g.mid[i], span);
    canvas->put(canvas, AISP_MARK_LINE, tone, spot, (size_t)g.n);
}

/* ---- ratios ---- */

static void put_one(struct aisp_plot *canvas, const struct aisp_axis *axis)
{
    if (axis->lo < 1 && axis->hi > 1)
        line(canvas, AISP_MARK_ONE, "", x_of(axis, 1), 0, x_of(axis, 1), 100);
}

void aisp_marks_pairs(struct aisp_plot *canvas, const struct aisp_axis *axis, const struct aisp_report_row *row)
{
    const double ratio = aisp_report_number(row->result, "ratio"), lo = aisp_report_number(row->result, "lo95");
    const double hi = aisp_report_number(row->result, "hi95");
    struct aisp_spot *spot = aisp_xcalloc(row->n_pairs + 1, sizeof *spot);

    if (isfinite(lo) && isfinite(hi)) {
        const double from = x_of(axis, lo), to = fmax(from + 1, x_of(axis, hi));
        const struct aisp_spot corner[] = { { from, 0 }, { to, 0 }, { to, 100 }, { from, 100 } };

        canvas->put(canvas, AISP_MARK_BAND, "b", corner, 4);
    }
    put_one(canvas, axis);
    if (isfinite(ratio))
        line(canvas, AISP_MARK_LINE, "b", x_of(axis, ratio), 0, x_of(axis, ratio), 100);
    for (size_t i = 0; i < row->n_pairs; i++)
        spot[i] = (struct aisp_spot){ x_of(axis, row->pair_ratio[i]), 4 + 92 * ((double)i + 0.5) / (double)row->n_pairs };
    canvas->put(canvas, AISP_MARK_DOTS, "", spot, row->n_pairs);
    free(spot);
}

void aisp_marks_interval(struct aisp_plot *canvas, const struct aisp_axis *axis, const json_t *result, const char *tone)
{
    const double ratio = aisp_report_number(result, "ratio"), lo = aisp_report_number(result, "lo95");
    const double hi = aisp_report_number(result, "hi95");

    put_one(canvas, axis);
    if (isfinite(lo) && isfinite(hi))
        line(canvas, AISP_MARK_LINE, tone, x_of(axis, lo), 50, x_of(axis, hi), 50);
    if (isfinite(ratio))
        dot(canvas, AISP_MARK_DOT, tone, x_of(axis, ratio), 50);
    if (isfinite(ratio) && aisp_report_is(result, "verdict", "UNSURE"))
        dot(canvas, AISP_MARK_HOLE, tone, x_of(axis, ratio), 50);
}

/* ---- roofline ---- */

static const char *const tones[] = { "a", "b" };

static void put_bandwidths(struct aisp_plot *canvas, const struct aisp_report_roof *roof)
{
    struct aisp_axis x, y;

    aisp_report_roof_axes(roof, &x, &y);
    for (int i = 0; i < 4; i++)
        if (roof->level_gbps[i] > 0)
            line(canvas, roof->level_gbps[i] == roof->gbps ? AISP_MARK_LINE : AISP_MARK_ONE, "plain",
                 x_of(&x, roof->level_gbps[i]), 0, x_of(&x, roof->level_gbps[i]), 100);
    for (int side = AISP_A; side <= AISP_B; side++)
        if (roof->rate[side] > 0)
            dot(canvas, AISP_MARK_DOT, tones[side], x_of(&x, roof->rate[side]), side == AISP_A ? 33 : 66);
}

/* A slope of memory up to where arithmetic ends it, and the flat part behind it. */
static void put_slope(struct aisp_plot *canvas, const struct aisp_report_roof *roof, double gbps, const struct aisp_axis *x,
                      const struct aisp_axis *y)
{
    const double from = fmax(x->lo, y->lo / gbps), ridge = roof->peak_gflops / gbps;
    const struct aisp_spot spot[] = {
        { x_of(x, from), 100 - 100 * aisp_axis_at(y, from * gbps) },
        { x_of(x, ridge), 100 - 100 * aisp_axis_at(y, roof->peak_gflops) },
        { 1000, 100 - 100 * aisp_axis_at(y, roof->peak_gflops) },
    };

    canvas->put(canvas, gbps == roof->gbps ? AISP_MARK_LINE : AISP_MARK_ONE, "plain", spot, 3);
}

void aisp_marks_roofline(struct aisp_plot *canvas, const struct aisp_report_roof *roof)
{
    struct aisp_axis x, y;

    if (!aisp_report_roof_is_measured(roof))
        return;
    if (!(roof->flops_per_byte > 0)) {
        put_bandwidths(canvas, roof);
        return;
    }
    aisp_report_roof_axes(roof, &x, &y);
    for (int i = 0; i < 4; i++)
        if (roof->level_gbps[i] > 0)
            put_slope(canvas, roof, roof->level_gbps[i], &x, &y);
    for (int side = AISP_A; side <= AISP_B; side++)
        if (roof->rate[side] > 0)
            dot(canvas, AISP_MARK_DOT, tones[side], x_of(&x, roof->flops_per_byte),
                100 - 100 * aisp_axis_at(&y, roof->rate[side]));
}
