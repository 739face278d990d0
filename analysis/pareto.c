/* pareto.c - non-dominated points of three figures by sweeps with a tree of maxima.
 * One sweep answers, for one axis k and all points q: is there a p with p.low[k] > q.high[k] that is at least q on the other
 * two axes? Points go in order of axis k; those passed lie in a tree of prefix maxima over the ranks of the second axis, which
 * holds the third. With low and high from the intervals a hit means that q is dominated, with the values themselves that p and
 * q cannot be told apart.
 * Few points are compared pair by pair: most frontiers are of the variants of one target. Of many, most lie wholly below one of
 * a handful of good ones; they are dominated, and whatever they could say of others that one says as well, so they are dropped
 * before anything is sorted. */
#include "analysis/pareto.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"

enum { FEW = 48, ALL_AXES = (1 << AISP_N_AXES) - 1 };
#define NOBODY UINT32_MAX

/* Is this axis what the comparison itself was about, and so has an interval if there were pairs enough? */
static bool is_own(const struct aisp_result_row *row, int axis)
{
    return (axis == AISP_AXIS_SPEED && aisp_row_has_goal(row, "speed")) ||
           (axis == AISP_AXIS_MEMORY && aisp_row_has_goal(row, "memory"));
}

struct aisp_measured aisp_pareto_figure(const struct aisp_result_row *row, int axis, double step)
{
    struct aisp_measured f = axis == AISP_AXIS_SPEED    ? aisp_row_speed(row)
                             : axis == AISP_AXIS_MEMORY ? aisp_row_memory(row)
                                                        : aisp_row_energy(row);

    if (!aisp_measured_exists(&f) || aisp_measured_has_interval(&f))
        return f;
    if (is_own(row, axis)) {                  /* too few pairs: it may be anything */
        f.lo = DBL_MIN;
        f.hi = DBL_MAX;
    } else {
        const double unit = log(step);

        f.value = exp(rint(log(f.value) / unit) * unit);
        f.lo = f.value / step;
        f.hi = f.value * step;
    }
    return f;
}

unsigned aisp_pareto_common_axes(const struct aisp_pareto_point *point, size_t n)
{
    unsigned axes = ALL_AXES;

    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < AISP_N_AXES; k++)
            if (!aisp_measured_has_interval(&point[i].axis[k]))
                axes &= ~(1u << k);
    return axes;
}

/* ---- pair by pair ---- */

/* Is p at least as good as q by every value? */
static bool covers(const struct aisp_pareto_point *p, const struct aisp_pareto_point *q, unsigned axes, bool *above,
                   bool *surely)
{
    *above = *surely = false;
    for (int k = 0; k < AISP_N_AXES; k++) {
        if (!(axes & 1u << k))
            continue;
        if (p->axis[k].value < q->axis[k].value)
            return false;
        *above |= p->axis[k].value > q->axis[k].value;
        *surely |= aisp_measured_above(&p->axis[k], &q->axis[k]);
    }
    return true;
}

static void place_few(const struct aisp_pareto_point *point, const uint32_t *in, size_t n, unsigned axes,
                      struct aisp_pareto_place *place)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n && place[in[i]].status != AISP_PARETO_DOMINATED; j++) {
            bool above, surely;

            if (i == j || !covers(&point[in[j]], &point[in[i]], axes, &above, &surely))
                continue;
            if (surely)
                place[in[i]] = (struct aisp_pareto_place){ AISP_PARETO_DOMINATED, in[j] };
            else if (above && place[in[i]].status == AISP_PARETO_FRONTIER)
                place[in[i]] = (struct aisp_pareto_place){ AISP_PARETO_UNSURE, in[j] };
        }
}

/* ---- sweeps ---- */

struct keyed { uint64_t key; uint32_t at; };

/* Numbers above 0 are ordered as their bits are. Descending, stable; radix, for qsort would take most of the time. */
static void sort_descending(struct keyed *x, struct keyed *scratch, size_t n)
{
    static const size_t none[256];
    size_t count[8][256];

    memset(count, 0, sizeof count);
    for (size_t i = 0; i < n; i++)
        for (int d = 0; d < 8; d++)
            count[d][255 - (x[i].key >> 8 * d & 255)]++;
    for (int d = 0; d < 8; d++) {
        size_t from[256], at = 0;

        memcpy(from, none, sizeof from);
        for (int b = 0; b < 256; b++) {
            from[b] = at;
            at += count[d][b];
        }
        if (n && count[d][255 - (x[0].key >> 8 * d & 255)] == n)
            continue;
        for (size_t i = 0; i < n; i++)
            scratch[from[255 - (x[i].key >> 8 * d & 255)]++] = x[i];
        memcpy(x, scratch, n * sizeof *x);
    }
}

struct sweep {
    const struct aisp_pareto_point *point;
    const uint32_t *in;                       /* the points that take part */
    size_t n;
    struct keyed *p, *q, *scratch;            /* in order of what they offer, of what it takes to beat them */
    uint32_t *rank[2];                        /* on axis 0 and 1, by place in `in`: 1 is the largest, equal ones share */
    uint32_t *tree;                           /* of ranks: the place in `in` with the largest third axis, or NOBODY */
};

enum which { LOW, VALUE, HIGH };

static uint64_t key_of(const struct sweep *s, size_t i, int axis, enum which which)
{
    const struct aisp_measured *f = &s->point[s->in[i]].axis[axis];
    const double x = which == LOW ? f->lo : which == HIGH ? f->hi : f->value;
    uint64_t bits;

    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static void order_by(const struct sweep *s, int axis, enum which which, struct keyed *out)
{
    for (size_t i = 0; i < s->n; i++)
        out[i] = (struct keyed){ key_of(s, i, axis, which), (uint32_t)i };
    sort_descending(out, s->scratch, s->n);
}

static void rank_by(struct sweep *s, int axis)
{
    uint32_t rank = 0;

    order_by(s, axis, VALUE, s->p);
    for (size_t i = 0; i < s->n; i++) {
        if (!i || s->p[i].key != s->p[i - 1].key)
            rank++;
        s->rank[axis][s->p[i].at] = rank;
    }
}

static double value_at(const struct sweep *s, uint32_t at, int axis)
{
    return s->point[s->in[at]].axis[axis].value;
}

static void tree_add(struct sweep *s, uint32_t at, int ranked, int third)
{
    const double value = value_at(s, at, third);

    for (size_t i = s->rank[ranked][at]; i <= s->n; i += i & -i) {
        if (s->tree[i] != NOBODY && value_at(s, s->tree[i], third) >= value)
            return; /* then so does every node above it */
        s->tree[i] = at;
    }
}

/* Somebody of at most this rank whose third axis is at least q's. */
static uint32_t tree_find(const struct sweep *s, uint32_t q, int ranked, int third)
{
    const double value = value_at(s, q, third);

    for (size_t i = s->rank[ranked][q]; i; i -= i & -i)
        if (s->tree[i] != NOBODY && value_at(s, s->tree[i], third) >= value)
            return s->tree[i];
    return NOBODY;
}

/* Mark who is beaten on axis k. */
static void sweep(struct sweep *s, int k, enum which offers, enum which takes, enum aisp_pareto_status status,
                  struct aisp_pareto_place *place)
{
    const int ranked = k == 0 ? 1 : 0, third = k == 2 ? 1 : 2;
    size_t passed = 0;

    order_by(s, k, offers, s->p);
    order_by(s, k, takes, s->q);
    for (size_t i = 0; i <= s->n; i++)
        s->tree[i] = NOBODY;
    for (size_t i = 0; i < s->n; i++) {
        const uint32_t q = s->q[i].at;
        uint32_t by;

        for (; passed < s->n && s->p[passed].key > s->q[i].key; passed++)
            tree_add(s, s->p[passed].at, ranked, third);
        if (place[s->in[q]].status != AISP_PARETO_FRONTIER)
            continue;
        by = tree_find(s, q, ranked, third);
        if (by != NOBODY)
            place[s->in[q]] = (struct aisp_pareto_place){ status, s->in[by] };
    }
}

static void place_many(const struct aisp_pareto_point *point, const uint32_t *in, size_t n, unsigned axes,
                       struct aisp_pareto_place *place)
{
    struct sweep s = { .point = point, .in = in, .n = n };

    s.p = aisp_xmalloc(3 * n * sizeof *s.p);
    s.q = s.p + n;
    s.scratch = s.q + n;
    s.rank[0] = aisp_xmalloc((3 * n + 1) * sizeof *s.tree);
    s.rank[1] = s.rank[0] + n;
    s.tree = s.rank[1] + n;
    rank_by(&s, 0);
    rank_by(&s, 1);
    for (int k = 0; k < AISP_N_AXES; k++)
        if (axes & 1u << k)
            sweep(&s, k, LOW, HIGH, AISP_PARETO_DOMINATED, place);
    for (int k = 0; k < AISP_N_AXES; k++)
        if (axes & 1u << k)
            sweep(&s, k, VALUE, VALUE, AISP_PARETO_UNSURE, place);
    free(s.p);
    free(s.rank[0]);
}

/* ---- what lies wholly below ---- */

/* How the axes are weighted to find good points of different kinds. */
static const int weights[][AISP_N_AXES] = { { 1, 1, 1 }, { 2, 1, 1 }, { 1, 2, 1 }, { 1, 1, 2 }, { 2, 2, 1 },
                                            { 2, 1, 2 }, { 1, 2, 2 }, { 4, 1, 1 }, { 1, 4, 1 }, { 1, 1, 4 } };
enum { N_GOOD = sizeof weights / sizeof *weights };

static double merit_of(const struct aisp_pareto_point *p, const int *weight)
{
    double merit = 1;

    for (int k = 0; k < AISP_N_AXES; k++)
        for (int i = 0; i < weight[k]; i++)
            merit *= p->axis[k].lo;
    return merit;
}

static void find_good(const struct aisp_pareto_point *point, const uint32_t *in, size_t n, uint32_t good[N_GOOD])
{
    double best[N_GOOD];

    for (int g = 0; g < N_GOOD; g++) {
        good[g] = in[0];
        best[g] = merit_of(&point[in[0]], weights[g]);
    }
    for (size_t i = 1; i < n; i++)
        for (int g = 0; g < N_GOOD; g++) {
            const double merit = merit_of(&point[in[i]], weights[g]);

            if (merit > best[g]) {
                best[g] = merit;
                good[g] = in[i];
            }
        }
}

/* Is q, at its highest, nowhere above p at its lowest, and somewhere below it? Of three such points the first lies above the
 * last, so somebody that is not dropped lies above each that is. */
static bool is_wholly_below(const struct aisp_pareto_point *q, const struct aisp_pareto_point *p)
{
    bool below = false;

    for (int k = 0; k < AISP_N_AXES; k++) {
        if (q->axis[k].hi > p->axis[k].lo)
            return false;
        below |= q->axis[k].hi < p->axis[k].lo;
    }
    return below;
}

/* Mark and drop them; how many are left in `in`. */
static size_t drop_below(const struct aisp_pareto_point *point, uint32_t *in, size_t n, struct aisp_pareto_place *place)
{
    uint32_t good[N_GOOD];
    size_t left = 0;

    find_good(point, in, n, good);
    for (size_t i = 0; i < n; i++) {
        int g = 0;

        while (g < N_GOOD && !is_wholly_below(&point[in[i]], &point[good[g]]))
            g++;
        if (g < N_GOOD)
            place[in[i]] = (struct aisp_pareto_place){ AISP_PARETO_DOMINATED, good[g] };
        else
            in[left++] = in[i];
    }
    return left;
}

/* Axes that are not asked for are the same for all, and so decide nothing. */
static struct aisp_pareto_point *levelled(const struct aisp_pareto_point *point, size_t n, unsigned axes)
{
    struct aisp_pareto_point *copy = aisp_xmalloc((n + 1) * sizeof *copy);

    memcpy(copy, point, n * sizeof *copy);
    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < AISP_N_AXES; k++)
            if (!(axes & 1u << k))
                copy[i].axis[k] = (struct aisp_measured){ 1, 1, 1 };
    return copy;
}

static void place_all(const struct aisp_pareto_point *point, uint32_t *in, size_t n_in, size_t n, unsigned axes,
                      struct aisp_pareto_place *place)
{
    struct aisp_pareto_point *own = axes == ALL_AXES ? NULL : levelled(point, n, axes);

    if (own)
        point = own;
    place_many(point, in, drop_below(point, in, n_in, place), axes, place);
    free(own);
}

/* Name the end of the chain: who is at least as good as somebody that is at least as good as q is so itself, and q is not
 * dominated. Each step is better by some value, so it ends. */
static void follow(struct aisp_pareto_place *place, size_t n)
{
    for (size_t i = 0; i < n; i++)
        while (place[i].status == AISP_PARETO_UNSURE && place[place[i].by].status != AISP_PARETO_FRONTIER)
            place[i].by = place[place[i].by].by;
}

void aisp_pareto(const struct aisp_pareto_point *point, size_t n, unsigned axes, struct aisp_pareto_place *place)
{
    uint32_t *in = aisp_xmalloc((n + 1) * sizeof *in);
    size_t n_in = 0;

    for (size_t i = 0; i < n; i++) {
        bool has_all = axes != 0;

        for (int k = 0; k < AISP_N_AXES; k++)
            has_all &= !(axes & 1u << k) || aisp_measured_has_interval(&point[i].axis[k]);
        place[i] = (struct aisp_pareto_place){ has_all ? AISP_PARETO_FRONTIER : AISP_PARETO_MISSING, (uint32_t)i };
        if (has_all)
            in[n_in++] = (uint32_t)i;
    }
    if (n_in <= FEW)
        place_few(point, in, n_in, axes, place);
    else
        place_all(point, in, n_in, n, axes, place);
    follow(place, n);
    free(in);
}
