/* replay.c - run comparisons out of recorded windows, with things planted, before an honest judge
 * and two cheating ones. */
#include "tests/replay/replay.h"

#include <math.h>
#include <stdlib.h>

#define CONTROL_EVERY 8

/* One comparison under way. */
struct comparison {
    const struct replay_plan *plan;
    uint64_t random;
    size_t next, next_control; /* where in the ring of pairs */
    double drift, level;       /* log, of the whole machine: what a window adds, and now */
    double clock_ns;           /* for the bursts */
    double *pairs, *control;   /* estimates so far */
    double *d;                 /* log ratio of every block, for the judge who counts blocks */
    size_t n_pairs, n_control, n_d;
};

uint64_t replay_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

double replay_uniform(uint64_t *state)
{
    return (double)(replay_random(state) >> 11) * 0x1p-53;
}

double replay_normal(uint64_t *state)
{
    const double u = 1 - replay_uniform(state), v = replay_uniform(state);

    return sqrt(-2 * log(u)) * cos(2 * M_PI * v);
}

/* How long `work_ns` takes from now on, when half of the core is gone in the bursts. */
static double under_hog(struct comparison *c, double work_ns)
{
    const double on = c->plan->inject.hog_on_ns, period = on + c->plan->inject.hog_off_ns;
    double spent = 0;

    if (on <= 0)
        return work_ns;
    while (work_ns > 0) {
        const double phase = fmod(c->clock_ns, period), speed = phase < on ? 0.5 : 1;
        const double left = (phase < on ? on : period) - phase,
                     step = fmin(left + 1, work_ns / speed);

        work_ns -= step * speed;
        spent += step;
        c->clock_ns += step;
    }
    return spent;
}

/* One window of the ring as it would have been with what is planted. */
static double window(struct comparison *c, double recorded_ns, double slower)
{
    c->level += c->drift;
    if (c->plan->inject.walk > 0)
        c->level += c->plan->inject.walk * replay_normal(&c->random);
    return under_hog(c, recorded_ns * exp(c->level + slower));
}

/* Fill the blocks of pair `at` of `pool`, labels swapped if `flip`, side A slower by `shift`. */
static void replay_blocks(struct comparison *c, const struct replay_pool *pool, size_t at,
                          bool flip, double shift, struct aisp_block *blocks)
{
    const struct replay_injection *inject = &c->plan->inject;
    double slower[2] = { shift, 0 };

    for (int side = 0; side < 2; side++)
        slower[side] += replay_uniform(&c->random) < inject->mode_chance ? inject->mode : 0;
    c->clock_ns += 1e7 * replay_uniform(&c->random); /* spawning takes a while */
    for (size_t b = 0; b < pool->n_blocks; b++) {
        const double *w = pool->window_ns + 4 * (at * pool->n_blocks + b);
        const int first = pool->first_side[at * pool->n_blocks + b] ^ flip;
        double now[4];

        for (int k = 0; k < 4; k++)
            now[k] = window(c, w[k], slower[k == 0 || k == 3 ? first : !first]);
        if (first == 0)
            blocks[b] = (struct aisp_block){ now[0], now[3], now[1], now[2] };
        else
            blocks[b] = (struct aisp_block){ now[1], now[2], now[0], now[3] };
    }
}

static enum aisp_status take_control(struct comparison *c, struct aisp_err *err)
{
    const struct replay_pool *pool = c->plan->control;
    struct aisp_block blocks[64];

    replay_blocks(c, pool, c->next_control, replay_random(&c->random) & 1, 0, blocks);
    c->next_control = (c->next_control + 1) % pool->n_pairs;
    return aisp_pair_estimate(blocks, pool->n_blocks, &c->control[c->n_control++], err);
}

static enum aisp_status take_pair(struct comparison *c, struct aisp_err *err)
{
    const struct replay_pool *pool = c->plan->pool;
    const bool flip = c->plan->flips && replay_random(&c->random) & 1;
    struct aisp_block blocks[64];
    enum aisp_status st = AISP_OK;

    replay_blocks(c, pool, c->next, flip, c->plan->inject.shift, blocks);
    c->next = (c->next + 1) % pool->n_pairs;
    for (size_t b = 0; b < pool->n_blocks; b++)
        AISP_TRY(aisp_pair_estimate(&blocks[b], 1, &c->d[c->n_d++], err));
    AISP_TRY(aisp_pair_estimate(blocks, pool->n_blocks, &c->pairs[c->n_pairs++], err));
    if (c->plan->control && (c->n_pairs + c->n_control) % CONTROL_EVERY == CONTROL_EVERY - 1)
        st = take_control(c, err);
out:
    return st;
}

/* What the cheats do: any numbers, as if each were an independent experiment. */
static enum aisp_status cheat_look(const struct replay_plan *plan, const double *x, size_t n,
                                   double alpha, bool is_last, struct aisp_look_result *out,
                                   struct aisp_err *err)
{
    struct aisp_estimate e;
    enum aisp_status st = aisp_estimate_pairs(x, n, alpha, &e, err);

    if (st)
        return st;
    *out = (struct aisp_look_result){ .centre = e.centre,
                                      .has_interval = e.ci95.exists,
                                      .lo95 = exp(e.ci95.lo),
                                      .hi95 = exp(e.ci95.hi) };
    if (e.ci.lo > 0 && e.centre > plan->rules.floor)
        out->verdict = AISP_FASTER;
    else if (e.ci.hi < 0 && e.centre < -plan->rules.floor)
        out->verdict = AISP_SLOWER;
    else if (e.ci.lo > -plan->rules.band && e.ci.hi < plan->rules.band)
        out->verdict = AISP_SAME;
    else if (is_last)
        out->verdict = AISP_UNSURE;
    out->decided = out->verdict != AISP_UNDECIDED;
    return AISP_OK;
}

static enum aisp_status look(const struct comparison *c, bool is_last, struct aisp_look_result *out,
                             struct aisp_err *err)
{
    const struct replay_plan *plan = c->plan;
    const struct aisp_look_input in = { .pairs = c->pairs,
                                        .n_pairs = c->n_pairs,
                                        .control = c->control,
                                        .n_control = c->n_control,
                                        .is_last = is_last };

    if (plan->judge == REPLAY_PEEKING)
        return cheat_look(plan, c->pairs, c->n_pairs, plan->rules.alpha, is_last, out, err);
    if (plan->judge == REPLAY_BLOCKS)
        return cheat_look(plan, c->d, c->n_d, plan->rules.alpha / plan->rules.n_looks, is_last, out,
                          err);
    return aisp_verdict_look(&plan->rules, &in, out, err);
}

static bool is_look(const struct replay_plan *plan, size_t n_pairs)
{
    if (plan->judge == REPLAY_PEEKING)
        return n_pairs >= 8;
    for (int i = 0; i < plan->rules.n_looks; i++) {
        if (n_pairs == (size_t)plan->rules.looks[i])
            return true;
    }
    return false;
}

static bool is_alarm(enum aisp_reason reason)
{
    return reason >= AISP_REASON_CONTROL && reason <= AISP_REASON_PLACEMENT;
}

static enum aisp_status compare(struct comparison *c, struct replay_rates *rates,
                                struct aisp_err *err)
{
    struct aisp_look_result r = { .decided = false };
    bool held_back = false;
    enum aisp_status st = AISP_OK;

    while (!r.decided) {
        bool is_last;

        AISP_TRY(take_pair(c, err));
        is_last = c->n_pairs == c->plan->max_pairs;
        if (!is_last && !is_look(c->plan, c->n_pairs))
            continue;
        AISP_TRY(look(c, is_last, &r, err));
        held_back |= is_alarm(r.reason);
    }
    rates->n++;
    rates->verdict[r.verdict]++;
    rates->reason[r.reason]++;
    rates->held_back += held_back;
    rates->with_interval += r.has_interval;
    rates->covered +=
        r.has_interval && r.lo95 <= exp(c->plan->truth) && exp(c->plan->truth) <= r.hi95;
    rates->mean_pairs += (double)c->n_pairs;
out:
    return st;
}

static void start_comparison(struct comparison *c)
{
    const struct replay_plan *plan = c->plan;

    c->next = replay_random(&c->random) % plan->pool->n_pairs;
    c->next_control = plan->control ? replay_random(&c->random) % plan->control->n_pairs : 0;
    c->drift = plan->inject.drift_per_pair / (double)(4 * plan->pool->n_blocks) *
               (replay_random(&c->random) & 1 ? 1 : -1);
    c->level = 0;
    c->clock_ns = 1e9 * replay_uniform(&c->random);
    c->n_pairs = c->n_control = c->n_d = 0;
}

enum aisp_status replay_run(const struct replay_plan *plan, struct replay_rates *rates,
                            struct aisp_err *err)
{
    struct comparison c = { .plan = plan, .random = plan->seed };
    enum aisp_status st = AISP_OK;

    *rates = (struct replay_rates){ 0 };
    if (plan->max_pairs < 8 ||
        plan->max_pairs > (size_t)plan->rules.looks[plan->rules.n_looks - 1] ||
        !plan->n_comparisons)
        return aisp_fail(err, AISP_E_USAGE, "a replay of %zu comparisons of %zu pairs",
                         plan->n_comparisons, plan->max_pairs);
    c.pairs = malloc(plan->max_pairs * sizeof *c.pairs);
    c.control = malloc(plan->max_pairs * sizeof *c.control);
    c.d = malloc(plan->max_pairs * plan->pool->n_blocks * sizeof *c.d);
    if (!c.pairs || !c.control || !c.d) {
        st = aisp_fail(err, AISP_E_NO_MEMORY, "no memory for %zu pairs", plan->max_pairs);
        goto out;
    }
    for (size_t i = 0; i < plan->n_comparisons; i++) {
        start_comparison(&c);
        AISP_TRY(compare(&c, rates, err));
    }
    rates->mean_pairs /= (double)rates->n;
out:
    free(c.pairs);
    free(c.control);
    free(c.d);
    return st;
}
