/* noise.c - the noise between runs: the median over differences of neighbours, in closed form.
 * A difference d whose two runs have the variances v together is within 0.6745 standard deviations exactly if the noise is at
 * least sqrt((d^2 / 0.6745^2 - v) / 2). So the noise for which half of them are is the median of these numbers: Mandel and
 * Paule's equation (1982) with the median in the place of the mean square. */
#include "analysis/noise.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/buf.h"
#include "core/base/sort.h"

static const double HALF_OF_NORMAL = 0.67448975019608174; /* |x| lies below it with probability 1/2 */
static const double NORMAL_95 = 1.9599639845400543;
static const double BOUND_ALPHA = 0.05;

double aisp_noise_se_log(double lo95, double hi95)
{
    if (!(lo95 > 0) || !(hi95 >= lo95) || !isfinite(hi95))
        return NAN;
    return (log(hi95) - log(lo95)) / (2 * NORMAL_95);
}

static double least_noise(const struct aisp_noise_run *a, const struct aisp_noise_run *b)
{
    const double d = (a->log_ratio - b->log_ratio) / HALF_OF_NORMAL;
    const double beyond = d * d - a->se_log * a->se_log - b->se_log * b->se_log;

    return beyond > 0 ? sqrt(beyond / 2) : 0;
}

static double median(double *x, size_t n)
{
    aisp_sort(x, n);
    return n % 2 ? x[n / 2] : (x[n / 2 - 1] + x[n / 2]) / 2;
}

/* The order statistic that is below the true median with probability 5 % at most; NaN if even the largest is too often. */
static double upper_bound(double *x, size_t n)
{
    double term = pow(0.5, (double)n), chance = term; /* that k of n are below, and that k or more are */
    size_t k = n;

    if (!n || chance > BOUND_ALPHA)
        return NAN;
    while (k > 1) {
        term *= (double)k / (double)(n - k + 1);
        if (chance + term > BOUND_ALPHA)
            break;
        chance += term;
        k--;
    }
    aisp_sort(x, n);
    return x[k - 1];
}

static enum aisp_status check(const struct aisp_noise_run *run, size_t n, struct aisp_err *err)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(run[i].log_ratio) || !isfinite(run[i].se_log) || run[i].se_log < 0)
            return aisp_fail(err, AISP_E_USAGE, "run %zu of the history is no measurement: log ratio %g, standard error %g", i,
                             run[i].log_ratio, run[i].se_log);
    return AISP_OK;
}

/* The next run of the group of run i; n if there is none. */
static size_t next_of_group(const struct aisp_noise_run *run, size_t n, size_t i)
{
    size_t next = i + 1;

    while (next < n && run[next].group != run[i].group)
        next++;
    return next;
}

enum aisp_status aisp_noise_of(const struct aisp_noise_run *run, size_t n, struct aisp_noise *out, struct aisp_err *err)
{
    const enum aisp_status st = check(run, n, err);
    double *every, *disjoint;
    bool *is_used, *is_paired;
    size_t n_every = 0, n_disjoint = 0;

    if (st)
        return st;
    *out = (struct aisp_noise){ .sd_log = NAN, .sd_log_high = NAN };
    every = aisp_xcalloc(n + 1, sizeof *every);
    disjoint = aisp_xcalloc(n + 1, sizeof *disjoint);
    is_used = aisp_xcalloc(n + 1, sizeof *is_used);
    is_paired = aisp_xcalloc(n + 1, sizeof *is_paired);
    for (size_t i = 0; i < n; i++) {
        const size_t next = next_of_group(run, n, i);

        if (next == n)
            continue;
        is_used[i] = is_used[next] = true;
        every[n_every++] = least_noise(&run[i], &run[next]);
        if (is_paired[i])
            continue;
        is_paired[next] = true;
        disjoint[n_disjoint++] = every[n_every - 1];
    }
    for (size_t i = 0; i < n; i++)
        out->n_runs += is_used[i];
    if (n_every)
        out->sd_log = median(every, n_every);
    out->sd_log_high = upper_bound(disjoint, n_disjoint);
    if (out->sd_log_high < out->sd_log)
        out->sd_log_high = out->sd_log; /* the two stand on different differences */
    out->is_learned = isfinite(out->sd_log_high);
    free(every);
    free(disjoint);
    free(is_used);
    free(is_paired);
    return AISP_OK;
}
