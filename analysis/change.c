/* change.c - the ratio of two ratios, with everything that blurs it. */
#include "analysis/change.h"

#include <math.h>
#include <stdbool.h>

/* A drop is to be seen in 95 of 100 comparisons: one-sided 5 %. */
static const double SEEN_TWO_SIDED = 0.10;

double aisp_normal_two_sided(double alpha)
{
    double lo = 0, hi = 40;

    if (!(alpha > 0 && alpha < 1))
        AISP_BUG("no quantile of a normal for %g", alpha);
    for (int i = 0; i < 100; i++) {
        const double z = (lo + hi) / 2;

        if (erfc(z / sqrt(2)) > alpha)
            lo = z;
        else
            hi = z;
    }
    return (lo + hi) / 2;
}

double aisp_change_percent(double log_change)
{
    return 100 * expm1(log_change);
}

static bool is_figure(const struct aisp_ratio *r)
{
    return isfinite(r->ratio) && isfinite(r->lo95) && isfinite(r->hi95) && r->lo95 > 0 && r->ratio > 0 && r->hi95 >= r->lo95;
}

static double noise_of(const struct aisp_noise *noise)
{
    if (noise->is_learned && isfinite(noise->sd_log_high))
        return noise->sd_log_high;
    return isfinite(noise->sd_log) ? fmax(AISP_CHANGE_UNLEARNED_SD, noise->sd_log) : AISP_CHANGE_UNLEARNED_SD;
}

/* SAME is a claim about one row and needs no share of the rate of the others. */
static void decide(const struct aisp_noise *noise, const struct aisp_change_rules *rules, struct aisp_change *c)
{
    const double half = aisp_normal_two_sided(rules->alpha) * c->sd;
    const double reach = fmax(fabs(c->change - half), fabs(c->change + half));

    if (c->vlo > 0 || c->vhi < 0) {
        c->reason = AISP_CHANGE_BELOW_FLOOR;
        if (fabs(c->change) > rules->floor) {
            c->verdict = c->change > 0 ? AISP_FASTER : AISP_SLOWER;
            c->reason = AISP_CHANGE_CLEAR;
            return;
        }
    }
    if (noise->is_learned && reach <= rules->band) {
        c->verdict = AISP_SAME;
        c->reason = AISP_CHANGE_CLEAR;
        return;
    }
    c->band_wanted = reach;
    if (!noise->is_learned)
        c->reason = AISP_CHANGE_NOT_LEARNED;
    else if (c->reason != AISP_CHANGE_BELOW_FLOOR)
        c->reason = AISP_CHANGE_WIDE;
}

void aisp_change_of(const struct aisp_ratio *before, const struct aisp_ratio *after, const struct aisp_noise *noise,
                    const struct aisp_change_rules *rules, struct aisp_change *out)
{
    double se[2], half, half95;

    *out = (struct aisp_change){ .verdict = AISP_UNSURE, .reason = AISP_CHANGE_NO_INTERVAL, .change = NAN, .lo95 = NAN,
                                 .hi95 = NAN, .vlo = NAN, .vhi = NAN, .sd = NAN, .noise_sd = NAN, .smallest_seen = NAN };
    if (!is_figure(before) || !is_figure(after))
        return;
    se[0] = aisp_noise_se_log(before->lo95, before->hi95);
    se[1] = aisp_noise_se_log(after->lo95, after->hi95);
    out->reason = AISP_CHANGE_CLEAR;
    out->noise_sd = noise_of(noise);
    out->change = log(after->ratio / before->ratio);
    out->sd = sqrt(se[0] * se[0] + se[1] * se[1] + 2 * out->noise_sd * out->noise_sd);
    half95 = aisp_normal_two_sided(0.05) * out->sd;
    half = aisp_normal_two_sided(rules->alpha / (double)(rules->n_rows ? rules->n_rows : 1)) * out->sd;
    out->lo95 = out->change - half95;
    out->hi95 = out->change + half95;
    out->vlo = out->change - half;
    out->vhi = out->change + half;
    out->smallest_seen = fmax(half, rules->floor) + aisp_normal_two_sided(SEEN_TWO_SIDED) * out->sd;
    decide(noise, rules, out);
}
