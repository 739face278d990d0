/* measured.c - arithmetic of ratios with intervals. */
#include "analysis/measured.h"

#include <math.h>

struct aisp_measured aisp_measured_of(double value, double lo, double hi)
{
    struct aisp_measured m = { NAN, NAN, NAN };

    if (!isfinite(value) || value <= 0)
        return m;
    m.value = value;
    if (isfinite(lo) && isfinite(hi) && lo > 0 && hi >= lo) {
        m.lo = fmin(lo, value);
        m.hi = fmax(hi, value);
    }
    return m;
}

bool aisp_measured_exists(const struct aisp_measured *m)
{
    return isfinite(m->value);
}

bool aisp_measured_has_interval(const struct aisp_measured *m)
{
    return isfinite(m->lo) && isfinite(m->hi);
}

/* A logarithm, and the squares of how far its bounds are away. */
struct logs { double centre, below2, above2; };

static void add(struct logs *sum, const struct aisp_measured *m, int sign)
{
    const double centre = log(m->value), below = centre - log(m->lo), above = log(m->hi) - centre;

    sum->centre += sign * centre;
    sum->below2 += sign > 0 ? below * below : above * above;
    sum->above2 += sign > 0 ? above * above : below * below;
}

/* NaN in the bounds of one is NaN in both of these: no interval. */
static struct aisp_measured measured_of(const struct logs *sum)
{
    return aisp_measured_of(exp(sum->centre), exp(sum->centre - sqrt(sum->below2)), exp(sum->centre + sqrt(sum->above2)));
}

struct aisp_measured aisp_measured_product(const struct aisp_measured *m, size_t n)
{
    struct logs sum = { 0 };

    for (size_t i = 0; i < n; i++)
        add(&sum, &m[i], 1);
    return measured_of(&sum);
}

struct aisp_measured aisp_measured_quotient(const struct aisp_measured *a, const struct aisp_measured *b)
{
    struct logs sum = { 0 };

    add(&sum, a, 1);
    add(&sum, b, -1);
    return measured_of(&sum);
}

bool aisp_measured_above(const struct aisp_measured *a, const struct aisp_measured *b)
{
    return a->lo > b->hi; /* false with NaN */
}

int aisp_measured_side(const struct aisp_measured *m, double than)
{
    return m->lo > than ? 1 : m->hi < than ? -1 : 0;
}
