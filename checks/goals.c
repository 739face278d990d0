/* goals.c - is the figure that is compared the goal's, and does it mean what it says? */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "checks/observed.h"
#include "core/base/buf.h"
#include "core/goal.h"
#include "core/stats/stats.h"

static void emissions(const struct aisp_check *self, const struct aisp_evidence *ev,
                      enum aisp_side side, struct aisp_findings *out)
{
    for (int flaw = AISP_EMISSION_EARLY; flaw < AISP_N_EMISSION_FLAWS; flaw++) {
        const struct aisp_observation *o = aisp_observed(ev, side, AISP_SEEN_EMISSION, flaw);

        if (o)
            aisp_find(out, self, AISP_VIOLATION, (int)side, "%s, %s window %d: %lld tokens: %s: %s",
                      ev->variant[side].name, aisp_phase_name(o->phase), o->window,
                      (long long)o->count, aisp_emission_flaw_name((enum aisp_emission_flaw)flaw),
                      o->detail);
    }
}

/* What a variant may do with the supervisor's figures: nothing. */
static void metric_gaming(const struct aisp_check *self, const struct aisp_evidence *ev,
                          struct aisp_findings *out)
{
    char chain[65];

    for (int side = AISP_A; side <= AISP_B; side++) {
        const struct aisp_observation *o =
            aisp_observed(ev, (enum aisp_side)side, AISP_SEEN_DESCRIPTORS, -1);

        emissions(self, ev, (enum aisp_side)side, out);
        if (o)
            aisp_find(out, self, AISP_VIOLATION, side,
                      "%s: holds %.0f descriptors of its own while memory is measured: what lies "
                      "in files without names or in "
                      "pipes is no address space, and in no figure",
                      ev->variant[side].name, o->seen);
    }
    aisp_service_chain(&ev->service, chain);
    if (*ev->service.chain && strcmp(chain, ev->service.chain))
        aisp_find(out, self, AISP_VIOLATION, -1,
                  "the stamps of %zu requests are not those that the run recorded",
                  ev->service.n_times);
}

AISP_CHECK(metric_gaming_check) = {
    .issue = 90,
    .name = "metric-gaming",
    .family = "evaluation",
    .title = "Stamps, counts and bytes are the supervisor's own, and all that was asked is in them",
    .needs = "cpu",
    .incident = "",
    .severity = AISP_VIOLATION,
    .rank = 5,
    .examine = metric_gaming,
};

enum { LEAST_PAIRS = 3 };
static const double MARGIN = 0.05, CLEAR = 0.10;

/* log(average of B / average of A) over the windows of one pair, whoever else ran. */
static double excess(const struct aisp_evidence *ev, int32_t pair)
{
    double sum[2] = { 0 };
    int n[2] = { 0 };

    for (size_t i = 0; i < ev->n_windows; i++) {
        const struct aisp_window *w = &ev->window[i];

        if (w->pair != pair || w->kind != AISP_WINDOW_TIMED || w->calls < 1 || w->side < 0 ||
            w->side > 1)
            continue;
        sum[w->side] += (double)w->window_ns / (double)w->calls;
        n[w->side]++;
    }
    return n[AISP_A] && n[AISP_B] ? log(sum[AISP_B] / n[AISP_B] / (sum[AISP_A] / n[AISP_A])) : 0;
}

/* Neighbours make single windows long on both sides alike, so every pair has to say the same. */
static bool is_longer_on_average(const struct aisp_evidence *ev, double *by)
{
    double *x = aisp_xcalloc(ev->n_pairs + 1, sizeof *x);
    bool all = true;
    size_t n = 0;

    for (size_t i = 0; i < ev->n_pairs; i++)
        if (ev->pair[i].complete && !ev->pair[i].is_control) {
            x[n] = excess(ev, ev->pair[i].pair);
            all &= x[n] > CLEAR;
            n++;
        }
    all = all && n >= LEAST_PAIRS && aisp_median(x, n, by, NULL) == AISP_OK;
    free(x);
    return all;
}

/* The goal chose one number of a distribution; where the whole of it says the opposite, that choice decides. */
static void percentile_selection(const struct aisp_check *self, const struct aisp_evidence *ev,
                                 struct aisp_findings *out)
{
    double *m, centre = 0, by;
    int n, n_control;

    if (ev->goal == AISP_MEMORY || aisp_goal_is_served(ev))
        return;
    aisp_evidence_pairs(ev, &m, &n, NULL, &n_control);
    if (n > 0)
        aisp_median(m, (size_t)n, &centre, NULL);
    free(m);
    if (centre > MARGIN && is_longer_on_average(ev, &by))
        aisp_find(out, self, AISP_DEVELOPMENT, AISP_B,
                  "%s is faster by the goal's figure (%.2f times), and takes %.2f times as long on "
                  "average: its slowest windows "
                  "hold what the figure does not see",
                  ev->variant[AISP_B].name, exp(centre), exp(by));
}

AISP_CHECK(percentile_selection_check) = {
    .issue = 83,
    .name = "percentile-selection",
    .family = "statistical",
    .title = "One percentile, fixed by the goal, is compared; where the average says the opposite "
             "that is said",
    .needs = "cpu",
    .incident = "",
    .severity = AISP_DEVELOPMENT,
    .rank = 2,
    .examine = percentile_selection,
};
