/* changepoint.c - split a history where its scores turn, as long as chance does not explain it.
 * Chance: each run's score gets its sign by a coin, and stays where it is (wild bootstrap: Wu 1986; Liu 1988). Exchanging runs
 * would spread a crowded hour over the whole history, and call the hour itself a change in one history of twenty. */
#include "analysis/changepoint.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/noise.h"
#include "core/base/buf.h"
#include "core/base/rng.h"
#include "core/base/sort.h"

static const double HUBER = 1.345; /* 95 % efficiency where the noise is normal */
/* A likelihood ratio that the true place of a jump stays above in 95 % of histories: (1 - exp(-x / 2) / 2)^2, Siegmund 1988. */
static const double LOCATION_95 = 5.97;
static const double NORMAL_95 = 1.9599639845400543;
enum { SIZE_RUNS = 100 };

struct aisp_changepoint_rules aisp_changepoint_rules_default(void)
{
    return (struct aisp_changepoint_rules){ .alpha = 0.01, .n_draws = 999, .min_runs = 5 };
}

/* A run of the stretch that is looked at: the slope of its loss, and its information. */
struct scored {
    double score, weight;
};

struct finder {
    const struct aisp_history_point *run;
    const struct aisp_changepoint_rules *rules;
    double *sigma;                    /* of each run: its own error and the noise between runs */
    struct scored *scored, *shuffled; /* of a stretch, from 0 */
    double *score_sum, *weight_sum;   /* before each run of a stretch */
    double *sorted;
    struct aisp_dice dice;
};

/* ---- the statistic ---- */

static void sum_up(struct finder *f, const struct scored *x, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        f->score_sum[i + 1] = f->score_sum[i] + x[i].score;
        f->weight_sum[i + 1] = f->weight_sum[i] + x[i].weight;
    }
}

/* Of the runs [from, to) split before k: how far the scores of one side are off, by the information on both. */
static double squared_cusum(const struct finder *f, size_t from, size_t to, size_t k)
{
    const double *s = f->score_sum, *w = f->weight_sum;
    const double all = w[to] - w[from], left = w[k] - w[from];
    const double t = s[k] - s[from] - left / all * (s[to] - s[from]);

    return t * t * all / (left * (all - left));
}

/* The largest over splits of the runs [from, to). */
static double scan(const struct finder *f, size_t from, size_t to, size_t *at)
{
    double best = 0;

    for (size_t k = from + f->rules->min_runs; k + f->rules->min_runs <= to; k++) {
        const double squared = squared_cusum(f, from, to, k);

        if (squared > best) {
            best = squared;
            *at = k;
        }
    }
    return best;
}

/* The same over seeded intervals: the whole, and halves, quarters ... of it that overlap by half. A level that comes back is
 * seen by one that holds only one of its two ends. */
static double scan_seeded(const struct finder *f, size_t n, size_t *at)
{
    double best = 0;

    for (size_t length = n; length >= 2 * f->rules->min_runs; length /= 2) {
        const size_t step = length == n ? n : (length + 1) / 2;

        for (size_t from = 0; from < n; from += step) {
            const size_t to = from + length > n ? n : from + length;
            size_t k = 0;
            const double found = scan(f, from, to, &k);

            if (found > best) {
                best = found;
                *at = k;
            }
            if (to == n)
                break;
        }
    }
    return best;
}

static double statistic(struct finder *f, const struct scored *x, size_t n, bool is_seeded, size_t *at)
{
    sum_up(f, x, n);
    return is_seeded ? scan_seeded(f, n, at) : scan(f, 0, n, at);
}

/* ---- scores ---- */

struct weighted {
    double x, weight;
};

static int by_x(const void *a, const void *b)
{
    const struct weighted *u = a, *v = b;

    return (u->x > v->x) - (u->x < v->x);
}

/* The least number below which lies half of the weight. */
static double weighted_median(struct weighted *x, size_t n)
{
    double all = 0, below = 0;

    qsort(x, n, sizeof *x, by_x);
    for (size_t i = 0; i < n; i++)
        all += x[i].weight;
    for (size_t i = 0; i < n; i++)
        if ((below += x[i].weight) >= all / 2)
            return x[i].x;
    return x[n - 1].x;
}

static void score(struct finder *f, size_t from, size_t to)
{
    struct weighted *level = aisp_xcalloc(to - from, sizeof *level);
    double centre;

    for (size_t i = from; i < to; i++)
        level[i - from] = (struct weighted){ f->run[i].log_ratio, 1 / f->sigma[i] };
    centre = weighted_median(level, to - from);
    for (size_t i = from; i < to; i++) {
        const double z = (f->run[i].log_ratio - centre) / f->sigma[i];

        f->scored[i - from] =
            (struct scored){ .score = fmax(-HUBER, fmin(HUBER, z)) / f->sigma[i], .weight = 1 / (f->sigma[i] * f->sigma[i]) };
    }
    free(level);
}

/* Another history without a change: the same runs, each off to the other side by coin. */
static void flip(struct finder *f, size_t n)
{
    uint32_t coins = 0;

    for (size_t i = 0; i < n; i++, coins >>= 1) {
        if (i % 32 == 0)
            coins = aisp_dice_u32(&f->dice);
        f->shuffled[i] = f->scored[i];
        if (coins & 1)
            f->shuffled[i].score = -f->scored[i].score;
    }
}

/* Whether to split is only a decision; the p that is printed comes of the test that settles a change, which scans less. */
static int draws_to_decide(const struct aisp_changepoint_rules *rules)
{
    const int few = rules->n_draws / 3;

    return (int)(rules->alpha * (few + 1)) >= 1 ? few : rules->n_draws;
}

/* p of the best split of the runs [from, to), and where it is. The drawing ends as soon as the answer is no: Besag and Clifford
 * 1991. */
static double test(struct finder *f, size_t from, size_t to, bool is_seeded, size_t *at)
{
    const size_t n = to - from;
    const int most = is_seeded ? draws_to_decide(f->rules) : f->rules->n_draws;
    const int enough = (int)(f->rules->alpha * (most + 1));
    int n_above = 0;
    double seen;

    *at = 0;
    if (n < 2 * f->rules->min_runs)
        return 1;
    score(f, from, to);
    seen = statistic(f, f->scored, n, is_seeded, at);
    *at += from;
    if (!(seen > 0))
        return 1;
    for (int i = 1; i <= most; i++) {
        size_t ignored;

        flip(f, n);
        if (statistic(f, f->shuffled, n, is_seeded, &ignored) >= seen * (1 - 1e-12) && ++n_above > enough)
            return (double)n_above / i;
    }
    return (double)(n_above + 1) / (most + 1);
}

/* ---- splitting ---- */

static void insert(struct aisp_change_points *points, size_t index, struct aisp_change_point point)
{
    aisp_grow(&points->point, &points->n, &points->cap, sizeof *points->point);
    memmove(&points->point[index + 1], &points->point[index], (points->n - 1 - index) * sizeof point);
    points->point[index] = point;
}

static void drop(struct aisp_change_points *points, size_t index)
{
    points->n--;
    memmove(&points->point[index], &points->point[index + 1], (points->n - index) * sizeof *points->point);
}

static size_t start_of(const struct aisp_change_points *points, size_t stretch)
{
    return stretch ? points->point[stretch - 1].at : 0;
}

static size_t end_of(const struct aisp_change_points *points, size_t stretch, size_t n)
{
    return stretch < points->n ? points->point[stretch].at : n;
}

static void split(struct finder *f, size_t n, struct aisp_change_points *points)
{
    size_t stretch = 0, at;

    while (stretch <= points->n) {
        const double p = test(f, start_of(points, stretch), end_of(points, stretch, n), true, &at);

        if (p <= f->rules->alpha)
            insert(points, stretch, (struct aisp_change_point){ .at = at, .p = p });
        else
            stretch++;
    }
}

/* Where else the change may be: splits whose squared CUSUM, twice the logarithm of a likelihood ratio, is nearly as large.
 * `test` has left the scores of this stretch; they are summed up again. */
static void locate(struct finder *f, size_t from, size_t to, size_t at, struct aisp_change_point *point)
{
    size_t k, n = to - from;
    double best;

    sum_up(f, f->scored, n);
    best = scan(f, 0, n, &k);
    *point = (struct aisp_change_point){ .at = at, .first = at, .last = at, .p = point->p };
    for (k = f->rules->min_runs; k + f->rules->min_runs <= n; k++)
        if (squared_cusum(f, 0, n, k) >= best - LOCATION_95) {
            point->first = from + k < point->first ? from + k : point->first;
            point->last = from + k > point->last ? from + k : point->last;
        }
}

/* A change found before its neighbours were may lie a little off, or be explained by them: each is put where the runs between
 * its neighbours want it, and has to stand there alone. */
static void settle(struct finder *f, size_t n, struct aisp_change_points *points)
{
    for (size_t i = 0; i < points->n;) {
        size_t at;
        const double p = test(f, start_of(points, i), end_of(points, i + 1, n), false, &at);

        if (p > f->rules->alpha) {
            drop(points, i);
            i -= i > 0; /* its neighbour now has other runs to stand on */
            continue;
        }
        points->point[i].p = p;
        locate(f, start_of(points, i), end_of(points, i + 1, n), at, &points->point[i]);
        i++;
    }
}

/* ---- size ---- */

static void measure(const struct finder *f, size_t from, size_t to, struct aisp_change_point *point)
{
    const size_t first = point->at - from > SIZE_RUNS ? point->at - SIZE_RUNS : from;
    const size_t last = to - point->at > SIZE_RUNS ? point->at + SIZE_RUNS : to;
    const double n_old = (double)(point->at - first), n_new = (double)(last - point->at);
    const double cut = n_old * n_new / 2 - NORMAL_95 * sqrt(n_old * n_new * (n_old + n_new + 1) / 12);
    const size_t skip = cut > 1 ? (size_t)cut - 1 : 0;
    size_t n = 0;

    for (size_t j = point->at; j < last; j++)
        for (size_t i = first; i < point->at; i++)
            f->sorted[n++] = f->run[j].log_ratio - f->run[i].log_ratio;
    aisp_sort(f->sorted, n);
    point->size_log = n % 2 ? f->sorted[n / 2] : (f->sorted[n / 2 - 1] + f->sorted[n / 2]) / 2;
    point->lo95_log = f->sorted[skip];
    point->hi95_log = f->sorted[n - 1 - skip];
}

/* ---- the whole ---- */

static enum aisp_status check(const struct aisp_history_point *run, size_t n, const struct aisp_changepoint_rules *rules,
                              struct aisp_err *err)
{
    if (!(rules->alpha > 0 && rules->alpha < 1) || rules->min_runs < 2 || rules->n_draws < 1 ||
        (int)(rules->alpha * (rules->n_draws + 1)) < 1)
        return aisp_fail(err, AISP_E_USAGE, "change points: %d draws cannot show a p of %g with %zu runs a side",
                         rules->n_draws, rules->alpha, rules->min_runs);
    for (size_t i = 0; i < n; i++)
        if (!isfinite(run[i].log_ratio) || !isfinite(run[i].se_log) || run[i].se_log < 0)
            return aisp_fail(err, AISP_E_USAGE, "run %zu of the history is no measurement: log ratio %g, standard error %g", i,
                             run[i].log_ratio, run[i].se_log);
    return AISP_OK;
}

/* What is known of each run's noise, but never less than where the narrowest fifth of them ends: an interval out of few pairs is
 * narrow by chance now and then, and would outweigh all others. */
static enum aisp_status find_sigmas(struct finder *f, size_t n, struct aisp_err *err)
{
    struct aisp_noise_run *run = aisp_xcalloc(n + 1, sizeof *run);
    struct aisp_noise noise;
    enum aisp_status st;
    double least;

    for (size_t i = 0; i < n; i++)
        run[i] = (struct aisp_noise_run){ .log_ratio = f->run[i].log_ratio, .se_log = f->run[i].se_log };
    AISP_TRY(aisp_noise_of(run, n, &noise, err));
    for (size_t i = 0; i < n; i++)
        f->sorted[i] = f->sigma[i] = hypot(f->run[i].se_log, n > 1 ? noise.sd_log : 0);
    aisp_sort(f->sorted, n);
    least = n ? f->sorted[n / 5] : 0;
    for (size_t i = 0; i < n; i++)
        f->sigma[i] = fmax(f->sigma[i], least > 0 ? least : 1e-9); /* all runs alike to the last digit */
out:
    free(run);
    return st;
}

enum aisp_status aisp_change_points_find(const struct aisp_history_point *run, size_t n,
                                         const struct aisp_changepoint_rules *rules, struct aisp_change_points *out,
                                         struct aisp_err *err)
{
    static const struct aisp_key fixed = { { 1 } };
    const size_t n_differences = (size_t)SIZE_RUNS * SIZE_RUNS;
    struct finder f = { .run = run, .rules = rules };
    enum aisp_status st = check(run, n, rules, err);

    if (st)
        return st;
    f.sigma = aisp_xcalloc(n + 1, sizeof *f.sigma);
    f.scored = aisp_xcalloc(n + 1, sizeof *f.scored);
    f.shuffled = aisp_xcalloc(n + 1, sizeof *f.shuffled);
    f.score_sum = aisp_xcalloc(n + 1, sizeof *f.score_sum);
    f.weight_sum = aisp_xcalloc(n + 1, sizeof *f.weight_sum);
    f.sorted = aisp_xcalloc(n > n_differences ? n : n_differences, sizeof *f.sorted);
    aisp_dice_init(&f.dice, &fixed);
    AISP_TRY(find_sigmas(&f, n, err));
    split(&f, n, out);
    settle(&f, n, out);
    for (size_t i = 0; i < out->n; i++)
        measure(&f, start_of(out, i), end_of(out, i + 1, n), &out->point[i]);
out:
    free(f.sigma);
    free(f.scored);
    free(f.shuffled);
    free(f.score_sum);
    free(f.weight_sum);
    free(f.sorted);
    return st;
}

void aisp_change_points_release(struct aisp_change_points *points)
{
    free(points->point);
    *points = (struct aisp_change_points){ 0 };
}
