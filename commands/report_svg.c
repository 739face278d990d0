/* report_svg.c - axes and the marks on them. */
#include "commands/report_svg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/evidence.h"
#include "core/stats/stats.h"

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double *sorted_of(const double *x, size_t n)
{
    double *sorted = aisp_xmalloc((n + 1) * sizeof *sorted);

    memcpy(sorted, x, n * sizeof *x);
    qsort(sorted, n, sizeof *sorted, by_value);
    return sorted;
}

/* ---- axes ---- */

struct aisp_axis aisp_axis_around(double lo, double hi)
{
    struct aisp_axis axis = { .is_log = lo > 0 && hi / lo > 2.5 };
    const double air = axis.is_log ? 0.04 * log(hi / lo) : 0.05 * (hi - lo);

    if (axis.is_log) {
        axis.lo = lo * exp(-air);
        axis.hi = hi * exp(air);
        return axis;
    }
    axis.lo = lo - air;
    axis.hi = hi + air;
    if (!(axis.hi - axis.lo > 1e-9 * fabs(hi))) {     /* all the same */
        axis.lo = lo - 0.005 * fabs(lo) - 1e-9;
        axis.hi = hi + 0.005 * fabs(hi) + 1e-9;
    }
    return axis;
}

double aisp_axis_at(const struct aisp_axis *axis, double x)
{
    double at;

    if (!axis->is_log)
        at = (x - axis->lo) / (axis->hi - axis->lo);
    else
        at = x > 0 ? log(x / axis->lo) / log(axis->hi / axis->lo) : 0;
    return fmin(1, fmax(0, at));
}

static void add_tick(struct aisp_ticks *ticks, double x)
{
    if (ticks->n && x - ticks->at[ticks->n - 1] < ticks->step)
        ticks->step = x - ticks->at[ticks->n - 1];
    ticks->at[ticks->n++] = x;
}

/* 1 2 5 of each power of ten; only 1 where that is too many, and every second or third power where that still is. */
static void log_ticks(const struct aisp_axis *axis, struct aisp_ticks *ticks)
{
    static const double of_ten[] = { 1, 2, 5 };
    const int first = (int)floor(log10(axis->lo)), last = (int)floor(log10(axis->hi));
    const bool only_powers = last - first > 2 || axis->hi / axis->lo > 60;
    const int stride = only_powers ? 1 + (last - first) / 6 : 1;

    for (int power = first; power <= last; power++)
        for (int i = 0; i < (only_powers ? 1 : 3); i++) {
            const double x = of_ten[i] * pow(10, power);

            if (x >= axis->lo && x <= axis->hi && ticks->n < AISP_MAX_TICKS && (power % stride == 0 || !only_powers))
                add_tick(ticks, x);
        }
}

void aisp_axis_ticks(const struct aisp_axis *axis, struct aisp_ticks *ticks)
{
    const double width = axis->hi - axis->lo;
    double step = pow(10, floor(log10(width / 4)));

    *ticks = (struct aisp_ticks){ .step = INFINITY };
    if (axis->is_log && axis->hi / axis->lo > 5) {
        log_ticks(axis, ticks);
        return;
    }
    step *= width / 4 / step < 1.5 ? 1 : width / 4 / step < 3.5 ? 2 : width / 4 / step < 7.5 ? 5 : 10;
    for (double i = ceil(axis->lo / step); i * step <= axis->hi && ticks->n < AISP_MAX_TICKS; i++)
        add_tick(ticks, i * step);
    ticks->step = step;
}

bool aisp_axis_of_times(const struct aisp_report_row *row, struct aisp_axis *axis)
{
    double lo = INFINITY, hi = -INFINITY;

    for (int side = AISP_A; side <= AISP_B; side++) {
        const struct aisp_report_series *s = &row->side[side];
        double *sorted;

        if (!s->n)
            continue;
        sorted = sorted_of(s->ns, s->n);
        lo = fmin(lo, aisp_quantile_sorted(sorted, s->n, 0.005));
        hi = fmax(hi, aisp_quantile_sorted(sorted, s->n, 0.99));
        free(sorted);
    }
    if (!(lo > 0) || !isfinite(hi))
        return false;
    *axis = aisp_axis_around(lo, hi);
    return true;
}

/* ---- strips ---- */

static void begin(struct aisp_buf *out, const char *kind)
{
    aisp_buf_printf(out, "<svg class=\"%s\" viewBox=\"0 0 1000 100\" preserveAspectRatio=\"none\" aria-hidden=\"true\">", kind);
}

static void end(struct aisp_buf *out)
{
    aisp_buf_puts(out, "</svg>");
}

static void line(struct aisp_buf *out, const char *tone, double x1, double y1, double x2, double y2)
{
    aisp_buf_printf(out, "<path class=\"%s\" d=\"M%.1f %.1fL%.1f %.1f\"/>", tone, x1, y1, x2, y2);
}

/* A line without length but with round ends: a circle that no stretching makes an ellipse. */
static void dot(struct aisp_buf *out, const char *tone, double x, double y)
{
    aisp_buf_printf(out, "<path class=\"dot %s\" d=\"M%.1f %.1fh.01\"/>", tone, x, y);
}

/* The outline of the counts, as an area standing at y = 74. */
static void put_area(struct aisp_buf *out, const size_t *count, int n_bins, const char *tone)
{
    const double foot = 74, height = 70;
    size_t most = 1;
    double before = foot;

    for (int i = 0; i < n_bins; i++)
        most = count[i] > most ? count[i] : most;
    aisp_buf_printf(out, "<path class=\"area %s\" d=\"M0 %.0f", tone, foot);
    for (int i = 0; i < n_bins; i++) {
        const double top = foot - height * (double)count[i] / (double)most;

        if (fabs(top - before) > 0.01)
            aisp_buf_printf(out, "H%.1fV%.1f", 1000.0 * i / n_bins, top);
        before = top;
    }
    aisp_buf_printf(out, "H1000V%.0fZ\"/>", foot);
}

void aisp_svg_histogram(struct aisp_buf *out, const struct aisp_axis *axis, const struct aisp_report_series *series,
                        const char *tone)
{
    enum { BINS = 120 };
    size_t count[BINS] = { 0 };
    struct aisp_quantiles q;

    begin(out, "strip");
    if (!series->n || aisp_quantiles_of(series->ns, series->n, &q, NULL)) {
        end(out);
        return;
    }
    for (size_t i = 0; i < series->n; i++) {
        const double at = aisp_axis_at(axis, series->ns[i]);

        if (series->ns[i] >= axis->lo && series->ns[i] <= axis->hi)
            count[at < 1 ? (int)(at * BINS) : BINS - 1]++;
    }
    put_area(out, count, BINS, tone);
    line(out, tone, 1000 * aisp_axis_at(axis, q.p50), 2, 1000 * aisp_axis_at(axis, q.p50), 96);
    line(out, tone, 1000 * aisp_axis_at(axis, q.p5), 88, 1000 * aisp_axis_at(axis, q.p95), 88);
    if (q.p99 <= axis->hi)
        dot(out, tone, 1000 * aisp_axis_at(axis, q.p99), 88);
    end(out);
}

/* ---- drift ---- */

/* Consecutive windows in at most 72 groups; each as its distance from the median of all. */
enum { MAX_GROUPS = 72 };
struct groups { int n; double low[MAX_GROUPS], mid[MAX_GROUPS], high[MAX_GROUPS]; };

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
        double *sorted = sorted_of(s->ns + from, to - from);

        g->low[i] = aisp_quantile_sorted(sorted, to - from, 0.1) / centre - 1;
        g->mid[i] = aisp_quantile_sorted(sorted, to - from, 0.5) / centre - 1;
        g->high[i] = aisp_quantile_sorted(sorted, to - from, 0.9) / centre - 1;
        free(sorted);
    }
}

double aisp_drift_span(const struct aisp_report_row *row)
{
    static const double spans[] = { 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1 };
    double far[4 * MAX_GROUPS], reach;
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
    qsort(far, n, sizeof *far, by_value);
    reach = aisp_quantile_sorted(far, n, 0.95);
    while (i < sizeof spans / sizeof *spans - 1 && spans[i] < reach)
        i++;
    return spans[i];
}

static void put_point(struct aisp_buf *out, const char *command, const struct groups *g, int i, double value, double span)
{
    const double y = 50 - 46 * value / span;

    aisp_buf_printf(out, "%s%.1f %.1f", command, 1000 * (i + 0.5) / g->n, fmin(98, fmax(2, y)));
}

void aisp_svg_drift(struct aisp_buf *out, const struct aisp_report_series *series, double span, const char *tone)
{
    struct groups g;

    begin(out, "strip");
    groups_of(series, &g);
    line(out, "rule", 0, 50, 1000, 50);
    if (g.n) {
        aisp_buf_printf(out, "<path class=\"band %s\" d=\"", tone);
        for (int i = 0; i < g.n; i++)
            put_point(out, i ? "L" : "M", &g, i, g.high[i], span);
        for (int i = g.n - 1; i >= 0; i--)
            put_point(out, "L", &g, i, g.low[i], span);
        aisp_buf_printf(out, "Z\"/><path class=\"%s\" d=\"", tone);
        for (int i = 0; i < g.n; i++)
            put_point(out, i ? "L" : "M", &g, i, g.mid[i], span);
        aisp_buf_puts(out, "\"/>");
    }
    end(out);
}

/* ---- ratios ---- */

static void put_one(struct aisp_buf *out, const struct aisp_axis *axis)
{
    if (axis->lo < 1 && axis->hi > 1)
        line(out, "one", 1000 * aisp_axis_at(axis, 1), 0, 1000 * aisp_axis_at(axis, 1), 100);
}

void aisp_svg_pairs(struct aisp_buf *out, const struct aisp_axis *axis, const struct aisp_report_row *row)
{
    const double ratio = aisp_report_number(row->result, "ratio"), lo = aisp_report_number(row->result, "lo95");
    const double hi = aisp_report_number(row->result, "hi95");

    begin(out, "strip tall");
    if (isfinite(lo) && isfinite(hi)) {
        const double from = 1000 * aisp_axis_at(axis, lo), to = 1000 * aisp_axis_at(axis, hi);

        aisp_buf_printf(out, "<rect class=\"band b\" x=\"%.1f\" y=\"0\" width=\"%.1f\" height=\"100\"/>", from, fmax(1, to - from));
    }
    put_one(out, axis);
    if (isfinite(ratio))
        line(out, "b", 1000 * aisp_axis_at(axis, ratio), 0, 1000 * aisp_axis_at(axis, ratio), 100);
    aisp_buf_puts(out, "<path class=\"dots\" d=\"");
    for (size_t i = 0; i < row->n_pairs; i++)
        aisp_buf_printf(out, "M%.1f %.1fh.01", 1000 * aisp_axis_at(axis, row->pair_ratio[i]),
                        4 + 92 * ((double)i + 0.5) / (double)row->n_pairs);
    aisp_buf_puts(out, "\"/>");
    end(out);
}

void aisp_svg_interval(struct aisp_buf *out, const struct aisp_axis *axis, const json_t *result, const char *tone)
{
    const double ratio = aisp_report_number(result, "ratio"), lo = aisp_report_number(result, "lo95");
    const double hi = aisp_report_number(result, "hi95");

    begin(out, "row");
    put_one(out, axis);
    if (isfinite(lo) && isfinite(hi))
        line(out, tone, 1000 * aisp_axis_at(axis, lo), 50, 1000 * aisp_axis_at(axis, hi), 50);
    if (isfinite(ratio))
        dot(out, tone, 1000 * aisp_axis_at(axis, ratio), 50);
    if (isfinite(ratio) && aisp_report_is(result, "verdict", "UNSURE"))
        dot(out, "hole", 1000 * aisp_axis_at(axis, ratio), 50);
    end(out);
}
