/* bisection.c - the posterior over commits, summed over a grid of sizes and of noises. */
#include "analysis/bisection.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/base/sort.h"

/* Half of the weight before any run: who asks has seen something, but a crowded machine shows much. */
static const double PRIOR_NONE = 0.5;
/* Student's t with 4 degrees of freedom, flat beyond 4: its largest ratio is (1 + 16 / 4)^2.5 = 56. */
static const double FREEDOM = 4, FLAT = 4;
static const double SIZE_STEP = 1.2, SIZE_MOST = 3; /* log ratios: up to 20 times slower */
static const double noises[] = { 0, 0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064 };
enum { N_NOISES = sizeof noises / sizeof *noises };

enum aisp_status aisp_bisection_init(struct aisp_bisection *b, size_t n_commits, double max_error, double least_log,
                                     struct aisp_err *err)
{
    if (!n_commits || !(max_error > 0 && max_error < 1) || !(least_log > 0 && least_log < SIZE_MOST))
        return aisp_fail(err, AISP_E_USAGE, "a bisection of %zu commits with the error %g for a size above %g makes no sense",
                         n_commits, max_error, least_log);
    *b = (struct aisp_bisection){ .n_commits = n_commits,
                                  .max_error = max_error,
                                  .least_log = least_log,
                                  .is_skipped = aisp_xcalloc(n_commits + 1, sizeof *b->is_skipped),
                                  .is_excluded = aisp_xcalloc(n_commits + 1, sizeof *b->is_excluded),
                                  .posterior = aisp_xcalloc(n_commits + 1, sizeof *b->posterior) };
    return AISP_OK;
}

void aisp_bisection_release(struct aisp_bisection *b)
{
    free(b->is_skipped);
    free(b->is_excluded);
    free(b->run);
    free(b->posterior);
    *b = (struct aisp_bisection){ 0 };
}

/* ---- what is known ---- */

enum aisp_status aisp_bisection_add(struct aisp_bisection *b, const struct aisp_bisection_run *run, struct aisp_err *err)
{
    if (run->commit < 1 || run->commit > b->n_commits || !isfinite(run->log_ratio) || !isfinite(run->se_log) ||
        !(run->se_log > 0))
        return aisp_fail(err, AISP_E_USAGE, "commit %zu of %zu: log ratio %g with the standard error %g is no measurement",
                         run->commit, b->n_commits, run->log_ratio, run->se_log);
    *(struct aisp_bisection_run *)aisp_grow(&b->run, &b->n_runs, &b->cap_runs, sizeof *b->run) = *run;
    return AISP_OK;
}

enum aisp_status aisp_bisection_skip(struct aisp_bisection *b, size_t commit, struct aisp_err *err)
{
    if (commit < 1 || commit > b->n_commits)
        return aisp_fail(err, AISP_E_USAGE, "there is no commit %zu of %zu to skip", commit, b->n_commits);
    b->is_skipped[commit] = true;
    return AISP_OK;
}

enum aisp_status aisp_bisection_same(struct aisp_bisection *b, size_t earlier, size_t later, struct aisp_err *err)
{
    if (earlier >= later || later > b->n_commits)
        return aisp_fail(err, AISP_E_USAGE, "there is nothing between the commits %zu and %zu of %zu", earlier, later,
                         b->n_commits);
    for (size_t i = earlier + 1; i <= later; i++)
        b->is_excluded[i] = true;
    return AISP_OK;
}

/* ---- the posterior ---- */

/* `noise` is between runs; `least` is where the standard errors of the narrowest fifth of all runs end: an interval out of few
 * pairs is narrow by chance now and then, and would outweigh all others. */
static double log_likelihood(const struct aisp_bisection_run *run, double level, double noise, double least)
{
    const double sigma = hypot(fmax(run->se_log, least), noise), z = fmin(FLAT, fabs(run->log_ratio - level) / sigma);

    return -(FREEDOM + 1) / 2 * log1p(z * z / FREEDOM) - log(sigma);
}

static double log_sum(double a, double b)
{
    const double most = fmax(a, b);

    return most == -INFINITY ? most : most + log1p(exp(-fabs(a - b)));
}

struct sums {
    double none, any;
}; /* log likelihoods of "none", and of all others together */

/* One size and one noise: add what they make of every hypothesis to log_weight[0 .. n_commits]. */
static struct sums add_model(const struct aisp_bisection *b, double size, double noise, double least, double *slow,
                             double *log_weight)
{
    double all_fast = 0, turned = 0, any = -INFINITY;

    memset(slow, 0, (b->n_commits + 1) * sizeof *slow); /* how much more likely the runs of a commit are if it is slow */
    for (size_t r = 0; r < b->n_runs; r++) {
        const double fast = log_likelihood(&b->run[r], 0, noise, least);

        all_fast += fast;
        slow[b->run[r].commit] += log_likelihood(&b->run[r], -size, noise, least) - fast;
    }
    log_weight[0] = log_sum(log_weight[0], all_fast);
    for (size_t i = b->n_commits; i >= 1; i--) { /* from commit i on all are slow */
        turned += slow[i];
        if (b->is_excluded[i])
            continue;
        log_weight[i] = log_sum(log_weight[i], all_fast + turned);
        any = log_sum(any, all_fast + turned);
    }
    return (struct sums){ all_fast, any };
}

static size_t n_candidates(const struct aisp_bisection *b)
{
    size_t n = 0;

    for (size_t i = 1; i <= b->n_commits; i++)
        n += !b->is_excluded[i];
    return n;
}

/* From logarithms to probabilities, the prior among them. */
static void normalise(struct aisp_bisection *b, const double *log_weight)
{
    const double prior = (1 - PRIOR_NONE) / (double)n_candidates(b);
    double most = -INFINITY, sum = 0;

    for (size_t i = 0; i <= b->n_commits; i++)
        most = fmax(most, log_weight[i]);
    for (size_t i = 0; i <= b->n_commits; i++)
        sum += b->posterior[i] = exp(log_weight[i] - most) * (i ? prior : PRIOR_NONE);
    for (size_t i = 0; i <= b->n_commits; i++)
        b->posterior[i] /= sum;
}

/* None against some at this size alone. The mean over sizes would let the many that are too large speak for none. */
static double none_against(const struct aisp_bisection *b, double log_none, double log_any)
{
    const double log_odds = log_none - log_any + log((double)n_candidates(b)) + log(PRIOR_NONE / (1 - PRIOR_NONE));

    return 1 / (1 + exp(-log_odds));
}

static double narrowest_fifth(const struct aisp_bisection *b)
{
    double *se = aisp_xcalloc(b->n_runs + 1, sizeof *se), least;

    for (size_t i = 0; i < b->n_runs; i++)
        se[i] = b->run[i].se_log;
    aisp_sort(se, b->n_runs);
    least = se[b->n_runs / 5];
    free(se);
    return least;
}

static void update(struct aisp_bisection *b)
{
    const double least = narrowest_fifth(b);
    double *log_weight = aisp_xcalloc(b->n_commits + 1, sizeof *log_weight);
    double *slow = aisp_xcalloc(b->n_commits + 1, sizeof *slow), log_sizes = -INFINITY, sizes = 0;

    for (size_t i = 0; i <= b->n_commits; i++)
        log_weight[i] = -INFINITY;
    b->surely_none = 1;
    for (double size = b->least_log; size < SIZE_MOST; size *= SIZE_STEP) {
        double log_none = -INFINITY, log_any = -INFINITY, both;

        for (int k = 0; k < N_NOISES; k++) {
            const struct sums sums = add_model(b, size, noises[k], least, slow, log_weight);

            log_none = log_sum(log_none, sums.none);
            log_any = log_sum(log_any, sums.any);
        }
        b->surely_none = fmin(b->surely_none, none_against(b, log_none, log_any));
        both = log_sum(log_sizes, log_any);
        if (both > -INFINITY)
            sizes += exp(log_any - both) * (size - sizes);
        log_sizes = both;
    }
    b->size_log = sizes;
    if (n_candidates(b)) {
        normalise(b, log_weight);
    } else {
        memset(b->posterior, 0, (b->n_commits + 1) * sizeof *b->posterior);
        b->posterior[0] = b->surely_none = 1;
    }
    free(log_weight);
    free(slow);
}

double aisp_bisection_slow(const struct aisp_bisection *b, size_t commit)
{
    double p = 0;

    for (size_t i = 1; i <= commit && i <= b->n_commits; i++)
        p += b->posterior[i];
    return p;
}

/* ---- what is next ---- */

/* Hypotheses that no measurement could tell apart are one: from behind a commit that can be measured up to the next such one.
 * True if one of them is sure enough. */
static bool is_answered(const struct aisp_bisection *b, struct aisp_bisection_step *step)
{
    double p = 0;
    size_t first = 0, last = 0;

    for (size_t i = 1; i <= b->n_commits; i++) {
        p += b->posterior[i];
        if (!b->is_excluded[i]) {
            first = first ? first : i;
            last = i;
        }
        if (b->is_skipped[i] && i < b->n_commits)
            continue;
        if (first && p >= 1 - b->max_error) {
            *step = (struct aisp_bisection_step){ AISP_BISECTION_FOUND, .first = first, .last = last, .probability = p };
            return true;
        }
        p = 0;
        first = last = 0;
    }
    return false;
}

struct aisp_bisection_step aisp_bisection_next(struct aisp_bisection *b)
{
    struct aisp_bisection_step step = { AISP_BISECTION_STUCK };
    double best = 0.5, slow = 0;

    update(b);
    if (b->surely_none >= 1 - b->max_error)
        return (struct aisp_bisection_step){ AISP_BISECTION_NONE, .probability = b->surely_none };
    if (is_answered(b, &step))
        return step;
    for (size_t i = 1; i <= b->n_commits; i++) {
        slow += b->posterior[i];
        if (!b->is_skipped[i] && fabs(slow - 0.5) < best) {
            best = fabs(slow - 0.5);
            step = (struct aisp_bisection_step){ AISP_BISECTION_MEASURE, .commit = i };
        }
    }
    return step;
}
