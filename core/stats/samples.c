/* samples.c - describe samples: quantiles, median, MAD, an interval of a quantile, and the estimate
 * of one pair.
 * Not here: anything over pairs (pairs.c), any verdict (verdict.c).
 * Why no mean and no outlier rule: single windows have tails of +100 % and more, and a rule that
 * deletes them is a dial. */
#include "core/stats/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/sort.h"

/* A sorted copy of n finite numbers, each > 0 if they are times. The caller frees it. */
static enum aisp_status sorted_copy(const double *x, size_t n, bool are_times, double **copy,
                                    struct aisp_err *err)
{
    double *c;

    if (n == 0)
        return aisp_fail(err, AISP_E_USAGE, "no samples");
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(x[i]) || (are_times && x[i] <= 0))
            return aisp_fail(err, AISP_E_USAGE, "sample %zu is %g: not a %s", i, x[i],
                             are_times ? "time" : "number");
    }
    c = malloc(n * sizeof *c);
    if (!c)
        return aisp_fail(err, AISP_E_NO_MEMORY, "no memory for %zu samples", n);
    memcpy(c, x, n * sizeof *c);
    aisp_sort(c, n);
    *copy = c;
    return AISP_OK;
}

double aisp_quantile_sorted(const double *sorted, size_t n, double p)
{
    double at, below;
    size_t i;

    if (n == 0 || !(p >= 0 && p <= 1))
        AISP_BUG("quantile %g of %zu samples", p, n);
    at = p * (double)(n - 1);
    below = floor(at);
    i = (size_t)below;
    if (i + 1 >= n)
        return sorted[n - 1];
    return sorted[i] + (at - below) * (sorted[i + 1] - sorted[i]);
}

enum aisp_status aisp_quantiles_of(const double *samples, size_t n, struct aisp_quantiles *out,
                                   struct aisp_err *err)
{
    double *s = NULL;
    enum aisp_status st;

    AISP_TRY(sorted_copy(samples, n, true, &s, err));
    out->n = n;
    out->p5 = aisp_quantile_sorted(s, n, 0.05);
    out->p50 = aisp_quantile_sorted(s, n, 0.50);
    out->p95 = aisp_quantile_sorted(s, n, 0.95);
    out->p99 = aisp_quantile_sorted(s, n, 0.99);
out:
    free(s);
    return st;
}

enum aisp_status aisp_median(const double *x, size_t n, double *median, struct aisp_err *err)
{
    double *s = NULL;
    enum aisp_status st;

    AISP_TRY(sorted_copy(x, n, false, &s, err));
    *median = n % 2 ? s[n / 2] : s[n / 2 - 1] / 2 + s[n / 2] / 2;
out:
    free(s);
    return st;
}

enum aisp_status aisp_mad(const double *x, size_t n, double *mad, struct aisp_err *err)
{
    double *s = NULL, median;
    enum aisp_status st;

    AISP_TRY(sorted_copy(x, n, false, &s, err));
    median = aisp_quantile_sorted(s, n, 0.5);
    for (size_t i = 0; i < n; i++)
        s[i] = fabs(s[i] - median);
    aisp_sort(s, n);
    *mad = aisp_quantile_sorted(s, n, 0.5);
out:
    free(s);
    return st;
}

/* P(exactly k of n samples lie below the quantile p). */
static double binomial(size_t n, size_t k, double p)
{
    const double a = (double)n, b = (double)k;
    int sign;

    return exp(lgamma_r(a + 1, &sign) - lgamma_r(b + 1, &sign) - lgamma_r(a - b + 1, &sign) +
               b * log(p) + (a - b) * log1p(-p));
}

enum aisp_status aisp_quantile_interval(const double *samples, size_t n, double p, double alpha,
                                        struct aisp_interval *out, struct aisp_err *err)
{
    double *s = NULL, tail = 0;
    size_t low = 0, high = n + 1, k; /* order statistics, counted from 1 */
    enum aisp_status st;

    if (!(p > 0 && p < 1) || !(alpha > 0 && alpha < 1))
        return aisp_fail(err, AISP_E_USAGE, "quantile %g at alpha %g: both must lie inside 0 to 1",
                         p, alpha);
    AISP_TRY(sorted_copy(samples, n, true, &s, err));
    /* low: the largest with P(fewer than low samples below) <= alpha/2; high: the least with P(high
     * or more) <= alpha/2 */
    for (k = 0; k <= n && (tail += binomial(n, k, p)) <= alpha / 2; k++)
        low = k + 1;
    for (k = n, tail = 0; k > 0 && (tail += binomial(n, k, p)) <= alpha / 2; k--)
        high = k;
    out->exists = low >= 1 && high <= n;
    out->lo = out->exists ? s[low - 1] : -INFINITY;
    out->hi = out->exists ? s[high - 1] : INFINITY;
out:
    free(s);
    return st;
}

enum aisp_status aisp_pair_estimate(const struct aisp_block *blocks, size_t n, double *estimate,
                                    struct aisp_err *err)
{
    double *d = NULL;
    enum aisp_status st = AISP_OK;

    if (n == 0)
        return aisp_fail(err, AISP_E_USAGE, "a pair without a block");
    for (size_t i = 0; i < n; i++) {
        const double w[4] = { blocks[i].a1_ns, blocks[i].a2_ns, blocks[i].b1_ns, blocks[i].b2_ns };

        for (size_t k = 0; k < 4; k++) {
            if (!isfinite(w[k]) || w[k] <= 0)
                return aisp_fail(err, AISP_E_USAGE, "block %zu: a window of %g ns", i, w[k]);
        }
    }
    d = malloc(n * sizeof *d);
    if (!d)
        return aisp_fail(err, AISP_E_NO_MEMORY, "no memory for %zu blocks", n);
    for (size_t i = 0; i < n; i++)
        d[i] = log((blocks[i].a1_ns + blocks[i].a2_ns) / (blocks[i].b1_ns + blocks[i].b2_ns));
    AISP_TRY(aisp_median(d, n, estimate, err));
out:
    free(d);
    return st;
}
