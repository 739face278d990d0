/* verdict.c - one planned look at the pairs so far: FASTER, SLOWER, SAME, go on, or UNSURE and why.
 * Not here: when pairs are taken (core/run/), what a user must be told about the machine (checks/).
 * Why planned looks, each at its share of alpha: whoever looks after every pair and stops at the
 * first good news is wrong far more often than promised. Why a floor beside the interval: a steady
 * bias of the machine is the same in every pair, so no interval shows it. Why alarms only hold
 * back: they may turn an answer into UNSURE, never one answer into another. */
#include "core/stats/stats.h"

#include <math.h>

static const int planned_looks[AISP_MAX_LOOKS] = { 12, 18, 27, 40, 60, 90 };

struct aisp_verdict_rules aisp_verdict_rules_default(bool is_dram, double calibrated_floor)
{
    struct aisp_verdict_rules r = {
        .floor = fmax(0.003, calibrated_floor),
        .band = is_dram ? 0.01 : 0.005,
        .alpha = 0.01,
        .n_looks = AISP_MAX_LOOKS,
        .control_min = 6,
        .modes_share = 0.15,
        .modes_mads = 6,
        .halves_alpha = 0.001,
    };

    for (int i = 0; i < AISP_MAX_LOOKS; i++)
        r.looks[i] = planned_looks[i];
    return r;
}

static enum aisp_status check_rules(const struct aisp_verdict_rules *r, struct aisp_err *err)
{
    if (!(r->floor >= 0) || !(r->band > r->floor) || !isfinite(r->band))
        return aisp_fail(err, AISP_E_USAGE,
                         "the band (%g) must exceed the floor (%g): ask for a wider one", r->band,
                         r->floor);
    if (!(r->alpha > 0 && r->alpha < 1) || !(r->halves_alpha > 0 && r->halves_alpha < 1))
        return aisp_fail(err, AISP_E_USAGE, "alpha %g and %g must lie inside 0 to 1", r->alpha,
                         r->halves_alpha);
    if (r->n_looks < 1 || r->n_looks > AISP_MAX_LOOKS || r->looks[0] < 1)
        return aisp_fail(err, AISP_E_USAGE, "%d looks are not 1 to %d", r->n_looks, AISP_MAX_LOOKS);
    for (int i = 1; i < r->n_looks; i++) {
        if (r->looks[i] <= r->looks[i - 1])
            return aisp_fail(err, AISP_E_USAGE, "look %d: counts of pairs must ascend", i);
    }
    if (r->control_min < 6 || !(r->modes_share > 0 && r->modes_share < 1) || !(r->modes_mads > 0))
        return aisp_fail(err, AISP_E_USAGE, "an alarm's threshold is out of range");
    return AISP_OK;
}

static enum aisp_status check_input(const struct aisp_verdict_rules *r,
                                    const struct aisp_look_input *in, struct aisp_err *err)
{
    const size_t most = (size_t)r->looks[r->n_looks - 1];
    bool is_planned = false;

    if (!(in->slack >= 0) || !isfinite(in->slack))
        return aisp_fail(err, AISP_E_USAGE, "a slack of %g", in->slack);
    if (in->n_pairs > most)
        return aisp_fail(err, AISP_E_USAGE, "%zu pairs: the last planned look is at %zu",
                         in->n_pairs, most);
    for (int i = 0; i < r->n_looks; i++)
        is_planned |= in->n_pairs == (size_t)r->looks[i];
    if (!is_planned && !in->is_last)
        return aisp_fail(err, AISP_E_USAGE, "a look at %zu pairs was not planned", in->n_pairs);
    return AISP_OK;
}

/* The baseline against itself, clear of 0 at 95 %. */
static enum aisp_status control_is_off(const struct aisp_verdict_rules *r,
                                       const struct aisp_look_input *in, bool *is_off,
                                       struct aisp_err *err)
{
    struct aisp_estimate e;
    enum aisp_status st;

    *is_off = false;
    if (in->n_control == 0)
        return AISP_OK;
    st = aisp_estimate_pairs(in->control, in->n_control, 0.05, &e, err);
    if (st == AISP_OK && in->n_control >= r->control_min)
        *is_off = e.ci95.exists && (e.ci95.lo > 0 || e.ci95.hi < 0);
    return st;
}

/* Too many pairs far from the centre. What lies within the floor is no mode: estimates that are
 * mostly equal have MAD 0. */
static enum aisp_status has_modes(const struct aisp_verdict_rules *r,
                                  const struct aisp_look_input *in, double centre, bool *modes,
                                  struct aisp_err *err)
{
    size_t n_far = 0;
    double mad;
    enum aisp_status st = aisp_mad(in->pairs, in->n_pairs, &mad, err);

    if (st)
        return st;
    for (size_t i = 0; i < in->n_pairs; i++)
        n_far += fabs(in->pairs[i] - centre) > fmax(r->modes_mads * mad, r->floor);
    *modes = (double)n_far > r->modes_share * (double)in->n_pairs;
    return AISP_OK;
}

static bool halves_differ(const struct aisp_verdict_rules *r, const struct aisp_look_input *in)
{
    const size_t half = in->n_pairs / 2;

    return aisp_mann_whitney_p(in->pairs, half, in->pairs + half, in->n_pairs - half) <
           r->halves_alpha;
}

/* The first alarm that is raised, or NONE. */
static enum aisp_status find_alarm(const struct aisp_verdict_rules *r,
                                   const struct aisp_look_input *in, double centre,
                                   enum aisp_reason *alarm, struct aisp_err *err)
{
    bool control = false, modes = false;
    enum aisp_status st;

    AISP_TRY(control_is_off(r, in, &control, err));
    AISP_TRY(has_modes(r, in, centre, &modes, err));
    if (control)
        *alarm = AISP_REASON_CONTROL;
    else if (modes)
        *alarm = AISP_REASON_MODES;
    else if (halves_differ(r, in))
        *alarm = AISP_REASON_HALVES;
    else if (in->placement_flips)
        *alarm = AISP_REASON_PLACEMENT;
    else
        *alarm = AISP_REASON_NONE;
out:
    return st;
}

/* What the interval alone says; UNDECIDED with a reason if nothing. */
static enum aisp_verdict read_interval(const struct aisp_verdict_rules *r,
                                       const struct aisp_estimate *e, double slack,
                                       enum aisp_reason *reason)
{
    const double lo = e->ci.lo, hi = e->ci.hi, size = fabs(e->centre);

    *reason = AISP_REASON_NONE;
    if (lo - slack > 0 && size - slack > r->floor)
        return AISP_FASTER;
    if (hi + slack < 0 && size - slack > r->floor)
        return AISP_SLOWER;
    if (lo - slack > -r->band && hi + slack < r->band)
        return AISP_SAME;
    if (lo <= 0 && hi >= 0)
        *reason = AISP_REASON_WIDE;
    else if (size <= r->floor)
        *reason = AISP_REASON_BELOW_FLOOR;
    else
        *reason = AISP_REASON_SLACK;
    return AISP_UNDECIDED;
}

/* n (half-width / wanted)^2, where wanted is the half-width that would clear 1, or fit into the
 * band; the nearer of the two. */
static size_t pairs_wanted(const struct aisp_verdict_rules *r, const struct aisp_estimate *e,
                           double slack, double half_width)
{
    const double size = fabs(e->centre);
    double wanted = 0, n;

    if (size - slack > r->floor)
        wanted = size - slack;
    if (r->band - slack - size > wanted)
        wanted = r->band - slack - size;
    if (wanted <= 0)
        return 0;
    n = ceil((double)e->n * (half_width / wanted) * (half_width / wanted));
    return n > 1e9 ? (size_t)1000000000 : n < (double)e->n + 1 ? e->n + 1 : (size_t)n;
}

static void fill_numbers(const struct aisp_look_input *in, const struct aisp_estimate *e,
                         struct aisp_look_result *out)
{
    *out = (struct aisp_look_result){
        .ratio = exp(e->centre),
        .has_interval = e->ci95.exists,
        .lo95 = exp(e->ci95.lo),
        .hi95 = exp(e->ci95.hi),
        .has_verdict_interval = e->ci.exists,
        .vlo = exp(e->ci.lo - in->slack),
        .vhi = exp(e->ci.hi + in->slack),
        .centre = e->centre,
        .half_width = e->ci.exists ? (e->ci.hi - e->ci.lo) / 2 : INFINITY,
        .n_pairs = in->n_pairs,
        .n_control = in->n_control,
    };
}

enum aisp_status aisp_verdict_look(const struct aisp_verdict_rules *rules,
                                   const struct aisp_look_input *in, struct aisp_look_result *out,
                                   struct aisp_err *err)
{
    enum aisp_reason alarm = AISP_REASON_NONE;
    struct aisp_look_result result;
    struct aisp_estimate e;
    enum aisp_status st;

    AISP_TRY(check_rules(rules, err));
    AISP_TRY(check_input(rules, in, err));
    AISP_TRY(aisp_estimate_pairs(in->pairs, in->n_pairs, rules->alpha / rules->n_looks, &e, err));
    AISP_TRY(find_alarm(rules, in, e.centre, &alarm, err));
    fill_numbers(in, &e, &result);

    if (in->n_pairs < (size_t)rules->looks[0] || !e.ci.exists) {
        result.reason = AISP_REASON_TOO_FEW_PAIRS;
        result.pairs_wanted = (size_t)rules->looks[0];
    } else {
        result.verdict = read_interval(rules, &e, in->slack, &result.reason);
        if (result.verdict == AISP_UNDECIDED)
            result.pairs_wanted = pairs_wanted(rules, &e, in->slack, result.half_width);
        if (result.verdict != AISP_UNDECIDED && alarm != AISP_REASON_NONE) {
            result.verdict = AISP_UNDECIDED;
            result.reason = alarm;
        }
    }
    if (result.verdict == AISP_UNDECIDED &&
        (in->is_last || in->n_pairs == (size_t)rules->looks[rules->n_looks - 1]))
        result.verdict = AISP_UNSURE;
    result.decided = result.verdict != AISP_UNDECIDED;
    *out = result;
out:
    return st;
}

const char *aisp_verdict_name(enum aisp_verdict verdict)
{
    static const char *const names[AISP_N_VERDICT] = {
        [AISP_UNDECIDED] = "UNDECIDED", [AISP_FASTER] = "FASTER", [AISP_SLOWER] = "SLOWER",
        [AISP_SAME] = "SAME",           [AISP_UNSURE] = "UNSURE",
    };

    return (unsigned)verdict < AISP_N_VERDICT ? names[verdict] : "?";
}

const char *aisp_reason_text(enum aisp_reason reason)
{
    static const char *const texts[AISP_N_REASON] = {
        [AISP_REASON_NONE] = "",
        [AISP_REASON_TOO_FEW_PAIRS] = "too few pairs for a verdict",
        [AISP_REASON_WIDE] = "the interval holds 1 and reaches out of the band",
        [AISP_REASON_BELOW_FLOOR] = "clear of 1, but below what this machine's own bias can make",
        [AISP_REASON_SLACK] = "not clear of 1 in the worst case that clocks or control windows allow",
        [AISP_REASON_CONTROL] = "the baseline against itself came out clear of 1",
        [AISP_REASON_MODES] = "processes fall into modes",
        [AISP_REASON_HALVES] = "the first half of the pairs disagrees with the second",
        [AISP_REASON_PLACEMENT] = "another code placement turns the sign",
        [AISP_REASON_UNPROVEN] = "a memory figure did not hold as a limit",
    };

    return (unsigned)reason < AISP_N_REASON ? texts[reason] : "?";
}
