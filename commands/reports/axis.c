/* axis.c - axes and their ticks. */
#include "commands/reports/axis.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/sort.h"
#include "core/evidence.h"
#include "core/stats/stats.h"

double *aisp_sorted_of(const double *x, size_t n)
{
    double *sorted = aisp_xmalloc((n + 1) * sizeof *sorted);

    memcpy(sorted, x, n * sizeof *x);
    aisp_sort(sorted, n);
    return sorted;
}

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
    if (!(axis.hi - axis.lo > 1e-9 * fabs(hi))) { /* all the same */
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
        sorted = aisp_sorted_of(s->ns, s->n);
        lo = fmin(lo, aisp_quantile_sorted(sorted, s->n, 0.005));
        hi = fmax(hi, aisp_quantile_sorted(sorted, s->n, 0.99));
        free(sorted);
    }
    if (!(lo > 0) || !isfinite(hi))
        return false;
    *axis = aisp_axis_around(lo, hi);
    return true;
}

bool aisp_axis_of_pairs(const struct aisp_report_row *row, struct aisp_axis *axis)
{
    double lo = aisp_report_number(row->result, "lo95"), hi = aisp_report_number(row->result, "hi95");

    for (size_t i = 0; i < row->n_pairs; i++) {
        lo = fmin(lo, row->pair_ratio[i]);
        hi = fmax(hi, row->pair_ratio[i]);
    }
    if (!row->n_pairs)
        return false;
    *axis = aisp_axis_around(lo, hi);
    return true;
}

bool aisp_axis_of_ratios(const struct aisp_report *report, struct aisp_axis *axis)
{
    double lo = 1, hi = 1;
    size_t n = 0;

    for (size_t i = 0; i < report->n - report->n_swept; i++) {
        static const char *const ends[] = { "ratio", "lo95", "hi95" };

        for (int j = 0; j < 3; j++) {
            const double x = aisp_report_number(report->row[i].result, ends[j]);

            if (isfinite(x) && x > 0) {
                lo = fmin(lo, x);
                hi = fmax(hi, x);
                n++;
            }
        }
    }
    if (n)
        *axis = aisp_axis_around(lo, hi);
    return n > 0;
}

static int digits_of(double step)
{
    const int digits = (int)ceil(-log10(step) - 1e-9);

    return digits < 0 ? 0 : digits > 9 ? 9 : digits;
}

void aisp_axis_label(const struct aisp_axis *axis, const struct aisp_ticks *ticks, int i, bool is_time, char text[48])
{
    static const struct {
        double ns;
        const char *unit;
    } units[] = { { 1e9, "s" }, { 1e6, "ms" }, { 1e3, "\u00b5s" }, { 1, "ns" } };
    const double x = ticks->at[i];
    size_t u = 0;

    while (u < 3 && x < 0.9995 * units[u].ns)
        u++;
    if (is_time)
        snprintf(text, 48, "%.*f %s", digits_of(ticks->step / units[u].ns), x / units[u].ns, units[u].unit);
    else if (axis->is_log)
        snprintf(text, 48, "%g", x);
    else
        snprintf(text, 48, "%.*f", digits_of(ticks->step), x);
}
