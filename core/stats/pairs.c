/* pairs.c - what many pair estimates say together: Hodges-Lehmann centre, Wilcoxon's exact
 * interval, Mann and Whitney's p, Fisher's p.
 * Not here: which level and when (verdict.c).
 * Why ranks: they promise their error rate for any distribution that is symmetric about its centre,
 * and a coin that decides which process starts first makes a null comparison symmetric. Selection
 * instead of sorting: a verdict needs 6 of 4,095 Walsh averages. */
#include "core/stats/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define N_PAIRS_MAX  50000   /* 10 GB of Walsh averages: a mistake, not a measurement */
#define HALF_SUM_MAX (AISP_WILCOXON_EXACT_MAX * (AISP_WILCOXON_EXACT_MAX + 1) / 4)

static void swap(double *a, double *b)
{
    const double t = *a;

    *a = *b;
    *b = t;
}

/* Hoare's selection inside x[first .. n-1]: afterwards x[k] is what it would be if sorted, smaller
 * ones before, larger behind. */
static double select_kth(double *x, size_t first, size_t n, size_t k)
{
    size_t l = first, r = n - 1;

    while (l < r) {
        const size_t mid = l + (r - l) / 2;
        size_t i = l, j = r;
        double pivot;

        if (x[mid] < x[l])
            swap(&x[mid], &x[l]);
        if (x[r] < x[l])
            swap(&x[r], &x[l]);
        if (x[r] < x[mid])
            swap(&x[r], &x[mid]);
        pivot = x[mid];
        for (;;) {
            while (x[i] < pivot)
                i++;
            while (x[j] > pivot)
                j--;
            if (i >= j)
                break;
            swap(&x[i++], &x[j--]);
        }
        /* x[l .. j] <= pivot <= x[j+1 .. r]; l <= j < r, for mid < r stopped i */
        if (k <= j)
            r = j;
        else
            l = j + 1;
    }
    return x[k];
}

/* z with P(N > z) = p, 0 < p < 1. Bisection: a hundred erfc are nothing here, and no table has to
 * be trusted. */
static double normal_upper(double p)
{
    double lo = -40, hi = 40;

    for (int i = 0; i < 100; i++) {
        const double z = lo / 2 + hi / 2;

        if (erfc(z / sqrt(2)) / 2 > p)
            lo = z;
        else
            hi = z;
    }
    return hi;
}

/* count[w] = how many of the 2^n choices of signs give T+ = w, for w up to half the range (it is
 * symmetric). */
static void wilcoxon_counts(size_t n, double *count)
{
    const size_t half = n * (n + 1) / 4;

    count[0] = 1;
    for (size_t w = 1; w <= half; w++)
        count[w] = 0;
    for (size_t i = 1; i <= n; i++) {
        const size_t top = i * (i + 1) / 2 < half ? i * (i + 1) / 2 : half;

        for (size_t w = top + 1; w-- > i;)
            count[w] += count[w - i];
    }
}

static long exact_q(size_t n, const double *count, double alpha)
{
    const double allowed = ldexp(alpha / 2, (int)n);
    const size_t half = n * (n + 1) / 4;
    double sum = 0;
    long q = -1;

    for (size_t w = 0; w <= half && (sum += count[w]) <= allowed; w++)
        q = (long)w;
    return q;
}

static long normal_q(size_t n, double alpha)
{
    const double a = (double)n, mean = a * (a + 1) / 4, sd = sqrt(a * (a + 1) * (2 * a + 1) / 24);

    return (long)floor(mean - 0.5 - normal_upper(alpha / 2) * sd);
}

/* The q of two levels out of one distribution. */
static void wilcoxon_two(size_t n, const double alpha[2], long q[2])
{
    double count[HALF_SUM_MAX + 1];

    if (n > AISP_WILCOXON_EXACT_MAX) {
        q[0] = normal_q(n, alpha[0]);
        q[1] = normal_q(n, alpha[1]);
        return;
    }
    wilcoxon_counts(n, count);
    q[0] = exact_q(n, count, alpha[0]);
    q[1] = exact_q(n, count, alpha[1]);
}

long aisp_wilcoxon_q(size_t n, double alpha)
{
    long q[2];

    if (n == 0 || !(alpha > 0 && alpha < 1))
        return -1;
    wilcoxon_two(n, (const double[2]){ alpha, alpha }, q);
    return q[0];
}

static struct aisp_interval walsh_interval(double *walsh, size_t n_walsh, long q)
{
    struct aisp_interval ci = { false, -INFINITY, INFINITY };

    if (q < 0)
        return ci;
    ci.exists = true;
    ci.lo = select_kth(walsh, 0, n_walsh, (size_t)q);
    ci.hi = select_kth(walsh, (size_t)q, n_walsh, n_walsh - 1 - (size_t)q);
    return ci;
}

enum aisp_status aisp_estimate_pairs(const double *m, size_t n, double alpha,
                                     struct aisp_estimate *out, struct aisp_err *err)
{
    const size_t n_walsh = n * (n + 1) / 2;
    size_t k = 0;
    double *walsh;
    long q[2];

    if (n == 0 || n > N_PAIRS_MAX)
        return aisp_fail(err, AISP_E_USAGE, "%zu pairs are not 1 to %d", n, N_PAIRS_MAX);
    if (!(alpha > 0 && alpha < 1))
        return aisp_fail(err, AISP_E_USAGE, "alpha %g must lie inside 0 to 1", alpha);
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(m[i]))
            return aisp_fail(err, AISP_E_USAGE, "pair %zu: an estimate of %g", i, m[i]);
    }
    walsh = malloc(n_walsh * sizeof *walsh);
    if (!walsh)
        return aisp_fail(err, AISP_E_NO_MEMORY, "no memory for the Walsh averages of %zu pairs", n);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = i; j < n; j++)
            walsh[k++] = m[i] / 2 + m[j] / 2;
    }
    wilcoxon_two(n, (const double[2]){ 0.05, alpha }, q);
    out->n = n;
    out->ci95 = walsh_interval(walsh, n_walsh, q[0]);
    out->ci = walsh_interval(walsh, n_walsh, q[1]);
    out->centre = select_kth(walsh, 0, n_walsh, n_walsh / 2);
    if (n_walsh % 2 == 0)
        out->centre = out->centre / 2 + select_kth(walsh, 0, n_walsh / 2, n_walsh / 2 - 1) / 2;
    free(walsh);
    return AISP_OK;
}

double aisp_mann_whitney_p(const double *x, size_t n_x, const double *y, size_t n_y)
{
    const double a = (double)n_x, b = (double)n_y, n = a + b;
    double u = 0, ties = 0, variance, off;

    if (n_x == 0 || n_y == 0)
        return 1;
    for (size_t i = 0; i < n_x; i++) {
        for (size_t j = 0; j < n_y; j++)
            u += x[i] > y[j] ? 1 : x[i] == y[j] ? 0.5 : 0;
    }
    /* Each value of a group of t equal ones adds t^2 - 1, the group t^3 - t. */
    for (size_t i = 0; i < n_x + n_y; i++) {
        const double v = i < n_x ? x[i] : y[i - n_x];
        double t = 0;

        for (size_t j = 0; j < n_x; j++)
            t += x[j] == v;
        for (size_t j = 0; j < n_y; j++)
            t += y[j] == v;
        ties += t * t - 1;
    }
    variance = a * b / 12 * (n + 1 - ties / (n * (n - 1)));
    if (variance <= 0)
        return 1;
    off = fmax(0, fabs(u - a * b / 2) - 0.5);
    return erfc(off / sqrt(2 * variance));
}

/* Logarithm of n over k. */
static double log_choose(double n, double k)
{
    int sign;

    return lgamma_r(n + 1, &sign) - lgamma_r(k + 1, &sign) - lgamma_r(n - k + 1, &sign);
}

double aisp_fisher_p(size_t k_x, size_t n_x, size_t k_y, size_t n_y)
{
    const size_t marked = k_x + k_y;
    double p = 0;

    if (n_x == 0 || n_y == 0)
        return 1;
    for (size_t k = k_x; k <= marked && k <= n_x; k++) {
        if (marked - k <= n_y)
            p += exp(log_choose((double)n_x, (double)k) + log_choose((double)n_y, (double)(marked - k)) -
                     log_choose((double)(n_x + n_y), (double)marked));
    }
    return fmin(p, 1);
}

double aisp_binomial_tail(size_t n, size_t k, double p)
{
    double tail = 0;

    for (size_t i = k; i <= n; i++)
        tail += exp(log_choose((double)n, (double)i) + (double)i * log(p) + (double)(n - i) * log1p(-p));
    return fmin(tail, 1);
}
