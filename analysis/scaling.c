/* scaling.c - power laws, crossovers, efficiencies. */
#include "analysis/scaling.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/base/sort.h"

enum { EXACT_MAX = 40, SIZES_MIN = 3 };

static double median_sorted(const double *x, size_t n)
{
    return n % 2 ? x[n / 2] : (x[n / 2 - 1] + x[n / 2]) / 2;
}

/* P(inversions = i), by convolution: the k-th element adds 0 .. k-1 of them, equally likely. */
static long exact_q(size_t n, double alpha)
{
    const size_t m = n * (n - 1) / 2;
    double *p = aisp_xcalloc(m + 1, sizeof *p), *next = aisp_xcalloc(m + 1, sizeof *p), sum = 0, *swap;
    long q = -1;

    p[0] = 1;
    for (size_t k = 2; k <= n; k++) {
        for (size_t i = 0; i <= m; i++) {
            sum += p[i] - (i >= k ? p[i - k] : 0);
            next[i] = sum / (double)k;
        }
        sum = 0;
        swap = p;
        p = next;
        next = swap;
    }
    for (size_t i = 0; i <= m && (sum += p[i]) <= alpha / 2; i++)
        q = (long)i;
    free(p);
    free(next);
    return q;
}

/* z of the two levels that are used is not worth a function: bisect erfc. */
static double normal_quantile(double tail)
{
    double lo = 0, hi = 40;

    for (int i = 0; i < 100; i++) {
        const double mid = (lo + hi) / 2;

        if (erfc(mid / sqrt(2)) / 2 > tail)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

long aisp_kendall_q(size_t n, double alpha)
{
    const double m = (double)n * ((double)n - 1) / 4,
                 sd = sqrt((double)n * ((double)n - 1) * (2 * (double)n + 5) / 72);

    if (n < 2)
        return -1;
    return n <= EXACT_MAX ? exact_q(n, alpha) : (long)floor(m - normal_quantile(alpha / 2) * sd - 0.5);
}

static void set_residuals(const double *x, const double *y, size_t n, struct aisp_power_law *law)
{
    double *off = aisp_xmalloc(n * sizeof *off);

    for (size_t i = 0; i < n; i++)
        off[i] = expm1(fabs(log(y[i]) - log(law->factor) - law->exponent * log(x[i])));
    aisp_sort(off, n);
    law->residual_median = median_sorted(off, n);
    law->residual_max = off[n - 1];
    free(off);
}

bool aisp_power_law_fit(const double *x, const double *y, size_t n, struct aisp_power_law *law)
{
    const size_t m = n * (n - 1) / 2;
    double *slope, *level;
    size_t at = 0;
    long q;

    if (n < SIZES_MIN)
        return false;
    for (size_t i = 0; i < n; i++)
        if (!(x[i] > 0) || !(y[i] > 0) || !isfinite(x[i]) || !isfinite(y[i]))
            return false;
    slope = aisp_xmalloc(m * sizeof *slope);
    level = aisp_xmalloc(n * sizeof *level);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            slope[at++] = (log(y[i]) - log(y[j])) / (log(x[i]) - log(x[j]));
    aisp_sort(slope, m);
    *law = (struct aisp_power_law){ .n = n, .exponent = median_sorted(slope, m), .lo = NAN, .hi = NAN };
    q = aisp_kendall_q(n, 0.05);
    if (q >= 0) {
        law->lo = slope[q];
        law->hi = slope[m - 1 - (size_t)q];
    }
    for (size_t i = 0; i < n; i++)
        level[i] = log(y[i]) - law->exponent * log(x[i]);
    aisp_sort(level, n);
    law->factor = exp(median_sorted(level, n));
    set_residuals(x, y, n, law);
    free(slope);
    free(level);
    return true;
}

/* Where the line between two sizes is 1. */
static double zero_between(const double *x, const struct aisp_measured *ratio, size_t i)
{
    const double a = log(ratio[i].value), b = log(ratio[i + 1].value);

    return exp(log(x[i]) + (log(x[i + 1]) - log(x[i])) * a / (a - b));
}

size_t aisp_side_changes(const int *side, size_t n, struct aisp_side_change *out)
{
    size_t n_out = 0, from = 0;
    int before = 0;

    for (size_t i = 0; i < n; i++) {
        if (side[i] && before && side[i] != before)
            out[n_out++] = (struct aisp_side_change){ from, i, side[i] > 0 };
        if (side[i]) {
            before = side[i];
            from = i;
        }
    }
    return n_out;
}

size_t aisp_crossovers(const double *x, const struct aisp_measured *ratio, size_t n, struct aisp_crossover *out)
{
    struct aisp_side_change *change = aisp_xmalloc((n + 1) * sizeof *change);
    int *side = aisp_xmalloc((n + 1) * sizeof *side);
    size_t n_out;

    for (size_t i = 0; i < n; i++)
        side[i] = aisp_measured_side(&ratio[i], 1);
    n_out = aisp_side_changes(side, n, change);
    for (size_t i = 0; i < n_out; i++) {
        int crossings = 0;

        out[i] = (struct aisp_crossover){ NAN, x[change[i].from], x[change[i].to], change[i].better_above };
        for (size_t k = change[i].from; k < change[i].to; k++)
            if ((ratio[k].value > 1) != (ratio[k + 1].value > 1)) {
                out[i].at = zero_between(x, ratio, k);
                crossings++;
            }
        if (crossings != 1)
            out[i].at = NAN;
    }
    free(change);
    free(side);
    return n_out;
}

static bool is_near(double a, double b)
{
    return fabs(a / b - 1) <= 0.02;
}

enum aisp_scaling_kind aisp_scaling_over_processes(struct aisp_scaling_point *point, size_t n)
{
    bool strong = true, weak = true;

    for (size_t i = 0; i < n; i++) {
        struct aisp_scaling_point *p = &point[i];
        const double more = p->processes / point[0].processes;

        p->speedup = (p->work / p->time) / (point[0].work / point[0].time);
        p->efficiency = p->speedup / more;
        strong &= is_near(p->work, point[0].work);
        weak &= is_near(p->work, point[0].work * more);
        p->serial = i ? (1 / p->speedup - 1 / more) / (1 - 1 / more) : NAN;
    }
    if (!strong || n < 2)
        for (size_t i = 0; i < n; i++)
            point[i].serial = NAN;
    return n < 2 ? AISP_SCALING_OTHER : strong ? AISP_SCALING_STRONG : weak ? AISP_SCALING_WEAK : AISP_SCALING_OTHER;
}
