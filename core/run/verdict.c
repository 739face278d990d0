/* verdict.c - from the windows in evidence to a verdict: the one formula, used for every look and for every reading later. */
#include "core/goal.h"
#include "core/run/control.h"
#include "core/run/rig.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const aisp_cache_names[4] = { "L1", "L2", "L3", "DRAM" };

/* A band that was not asked for must leave room above the floor; one that was is taken as it is. */
static const double BAND_OVER_FLOOR = 1.25;

struct aisp_verdict_rules aisp_course_rules(const char *cache_level, double floor, double band)
{
    struct aisp_verdict_rules rules =
        aisp_verdict_rules_default(!strcmp(cache_level, aisp_cache_names[3]), floor);

    rules.band = band > 0 ? band : fmax(rules.band, rules.floor * BAND_OVER_FLOOR);
    return rules;
}

/* Did code that lies elsewhere not show what the verdict says? A centre on the other side of 0 is enough: of a few pairs the
 * interval need not be clear of it, for the answer is withdrawn and not turned. */
static bool placement_flips(const struct aisp_evidence *ev, double centre)
{
    for (size_t i = 0; i < ev->n_placements; i++)
        if (ev->placement[i].n_pairs > 0 && !(ev->placement[i].centre * centre > 0))
            return true;
    return false;
}

static bool is_answer(enum aisp_verdict verdict)
{
    return verdict == AISP_FASTER || verdict == AISP_SLOWER;
}

enum aisp_status aisp_look_at(const struct aisp_evidence *ev, bool is_last,
                              struct aisp_look_result *result, struct aisp_err *err)
{
    const struct aisp_verdict_rules rules = aisp_course_rules(ev->cache_level, ev->floor, ev->band);
    struct aisp_look_input in = { .is_last = is_last };
    double *m, *control, claim = 0;
    enum aisp_status st;
    int n, n_control;

    if (ev->goal == AISP_MEMORY)
        return aisp_footprint_verdict(ev, result, err);
    aisp_evidence_pairs(ev, &m, &n, &control, &n_control);
    if (n == 0) {
        st = aisp_fail(err, AISP_E_USAGE, "no complete pair: there is nothing to judge");
    } else {
        aisp_median(m, (size_t)n, &claim, NULL);
        in.slack = fmax(fmax(aisp_control_slack(ev, claim), aisp_rewrite_slack(ev, claim)), aisp_goal_slack(ev));
        in.pairs = m;
        in.n_pairs = (size_t)n;
        in.control = n_control ? control : NULL;
        in.n_control = (size_t)n_control;
        st = aisp_verdict_look(&rules, &in, result, err);
        if (!st && is_answer(result->verdict) && placement_flips(ev, result->centre)) {
            in.placement_flips = true;
            st = aisp_verdict_look(&rules, &in, result, err);
        }
    }
    free(m);
    free(control);
    return st;
}

static int n_timed_points(const struct aisp_evidence *ev)
{
    int n = 0;

    for (size_t i = 0; i < ev->n_points; i++)
        n += ev->point[i].n_pairs > 0;
    return n;
}

bool aisp_run_generalisation(const struct aisp_evidence *ev, struct aisp_generalisation *g)
{
    struct aisp_estimate there;
    struct aisp_look_result here;
    double *m;
    bool known;
    int n;

    m = aisp_evidence_holdout(ev, &n);
    known = n > 0 && aisp_estimate_pairs(m, (size_t)n, 0.01, &there, NULL) == AISP_OK &&
            aisp_run_verdict(ev, &here, NULL) == AISP_OK && here.centre > 0;
    if (known)
        *g = (struct aisp_generalisation){ n, n_timed_points(ev), here.centre, there.centre, there.ci.lo, there.ci.hi };
    free(m);
    return known;
}

bool aisp_run_lacks_points(const struct aisp_evidence *ev, int *n)
{
    struct aisp_look_result here;

    free(aisp_evidence_holdout(ev, n));
    return ev->n_points > 0 && *n < AISP_GENERALISATION_PAIRS && ev->goal != AISP_MEMORY &&
           aisp_run_verdict(ev, &here, NULL) == AISP_OK && here.verdict == AISP_FASTER;
}

enum aisp_status aisp_run_verdict(const struct aisp_evidence *ev, struct aisp_look_result *result,
                                  struct aisp_err *err)
{
    /* Evidence that stands is over: its last look is the one it ended with. */
    return aisp_look_at(ev, true, result, err);
}
