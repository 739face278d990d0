/* compare.c - each element against its truth, and the whole against its norm.
 * Not here: where the truth comes from (judge.c), the plainly right f32 elements (compare_avx2.c).
 * Rules. NaN is right only where the truth is NaN, and even there not if it is the poison. Inf is
 * right only where the truth, rounded to the type, is the same Inf. All else is right if |y - r| <=
 * relative * max(|r|, rms), rms over the finite truths compared, or over those beside them where
 * these are few. The first wrong element gives the kind: unwritten before NaN before Inf before
 * value; a wrong value is "constant" if everything compared is one value and the truth is not.
 * Integers: |y - r| <= ulps. Squares are taken of values times a power of two where they would
 * overflow or vanish, so a bound is never Inf by accident. */
#include "core/judge/compare.h"

#include <math.h>
#include <string.h>

#include "core/judge/fill_inside.h"
#include "core/judge/number.h"

/* The most that any problem may allow, relative to the magnitude; what is coarser is no answer in
 * that type. */
static double cap_of(enum aisp_dtype dtype)
{
    switch (dtype) {
    case AISP_F64:
        return 1e-9;
    case AISP_F32:
        return 1e-3;
    case AISP_F16:
    case AISP_BF16:
        return 3e-2;
    case AISP_F8E4M3:
    case AISP_F8E5M2:
        return 0.25;
    default:
        return INFINITY;
    }
}

double aisp_tolerance_relative(const struct aisp_instance *inst, enum aisp_dtype dtype)
{
    const double ulps = inst->problem->tolerance.ulps;

    if (!aisp_dtype_is_float(dtype))
        return ulps;
    return fmin(ulps * aisp_dtype_roundoff(dtype) * sqrt((double)inst->length), cap_of(dtype));
}

double aisp_tolerance_norm(const struct aisp_instance *inst, enum aisp_dtype dtype)
{
    return fmin(inst->problem->tolerance.norm, cap_of(dtype));
}

enum { BATCH = 256 };

struct tally {
    const struct aisp_comparing *c;
    struct aisp_comparison *answer;
    struct aisp_float_pass sums; /* of all elements, whatever the type */
    double truth2;               /* sum of (r * scale)^2 */
    unsigned char pattern[64];
};

static bool is_unwritten(const struct tally *t, int64_t i)
{
    const size_t size = aisp_dtype_bytes(t->c->dtype), at = (size_t)(t->c->first + i) * size % 64;

    return t->c->poison &&
           !memcmp((const char *)t->c->got + (size_t)i * size, t->pattern + at, size);
}

static void note_wrong(struct tally *t, int64_t i, double y, double r, double allowed)
{
    struct aisp_comparison *a = t->answer;
    const bool unwritten = is_unwritten(t, i);
    const enum aisp_wrong kind = unwritten  ? AISP_WRONG_UNWRITTEN
                                 : isnan(y) ? AISP_WRONG_NAN
                                 : isinf(y) ? AISP_WRONG_INF
                                            : AISP_WRONG_VALUE;

    a->n_unwritten += unwritten;
    a->n_nan += kind == AISP_WRONG_NAN;
    a->n_inf += kind == AISP_WRONG_INF;
    if (a->n_wrong++ > 0)
        return;
    a->kind = kind;
    a->first_wrong = t->c->first + i;
    a->seen = y;
    a->expected = r;
    a->allowed = allowed;
}

/* fmax() is a call, for the sake of NaN. */
static double larger(double a, double b)
{
    return a > b ? a : b;
}

static void add_error(struct tally *t, int64_t i, double d)
{
    const double e = d * t->sums.scale;

    t->sums.error2[i % 4] += e * e;
    if (d > t->sums.max_abs)
        t->sums.max_abs = d;
}

/* NaN or Inf on either side. */
static void compare_not_finite(struct tally *t, int64_t i, double y, double r)
{
    const bool both_nan = isnan(y) && isnan(r);

    if (both_nan ? !is_unwritten(t, i) : y == aisp_number_round(t->c->dtype, r))
        return;
    note_wrong(t, i, y, r, isfinite(r) ? t->c->relative * larger(fabs(r), t->sums.rms) : 0);
    t->sums.worst = INFINITY;
}

static void compare_float(struct tally *t, int64_t i, double y)
{
    const double r = ((const double *)t->c->truth)[i], d = fabs(y - r);
    const double m = larger(fabs(r), t->sums.rms), allowed = t->c->relative * m;

    if (!isfinite(y) || !isfinite(r)) {
        compare_not_finite(t, i, y, r);
        return;
    }
    if (!(d <= allowed))
        note_wrong(t, i, y, r, allowed);
    add_error(t, i, d);
    if (d > t->sums.worst * m)
        t->sums.worst = m > 0 ? d / m : INFINITY;
}

static void compare_integer(struct tally *t, int64_t i)
{
    const struct aisp_comparing *c = t->c;
    const int64_t y = aisp_integer_load(c->got, i, c->dtype), r = ((const int64_t *)c->truth)[i];
    const uint64_t d = y > r ? (uint64_t)y - (uint64_t)r : (uint64_t)r - (uint64_t)y;

    if (d == 0)
        return;
    if ((double)d > c->relative)
        note_wrong(t, i, (double)y, (double)r, c->relative);
    add_error(t, i, (double)d);
    if ((double)d > t->sums.worst)
        t->sums.worst = (double)d;
}

static double truth_at(const struct aisp_comparing *c, int64_t i)
{
    return aisp_dtype_is_float(c->dtype) ? ((const double *)c->truth)[i]
                                         : (double)((const int64_t *)c->truth)[i];
}

static double squares(bool avx2, const double *truth, int64_t n, double *max)
{
    double sum[4] = { 0 };
    int64_t i = 0;

    *max = 0;
    if (avx2) {
        i = n & ~INT64_C(3);
        aisp_squares_avx2(truth, i, 1, sum, max);
    }
    for (; i < n; i++) {
        sum[i % 4] += truth[i] * truth[i];
        *max = fabs(truth[i]) > *max ? fabs(truth[i]) : *max;
    }
    return sum[0] + sum[1] + sum[2] + sum[3];
}

/* The slow and safe way: finite truths only, scaled so that the largest, or what is usual beside them, is about 1. */
static double scaled_squares(const double *truth, int64_t n, double usual, double *scale, int64_t *n_finite)
{
    double sum = 0, max = usual;

    *n_finite = 0;
    for (int64_t i = 0; i < n; i++)
        if (isfinite(truth[i]) && fabs(truth[i]) > max)
            max = fabs(truth[i]);
    if (max > 0) {
        const int e = -ilogb(max);

        *scale = ldexp(1, e > 1000 ? 1000 : e < -1000 ? -1000 : e);
    }
    for (int64_t i = 0; i < n; i++) {
        const double s = truth[i] * *scale;

        *n_finite += isfinite(truth[i]);
        sum += isfinite(truth[i]) ? s * s : 0;
    }
    return sum;
}

/* Sum of squares and the scale it is in, which fits errors measured by `usual` as well; returns rms, not scaled. */
static double rms_of(bool avx2, const double *truth, int64_t n, double usual, double *sum, double *scale)
{
    int64_t n_finite = n;
    double max;

    *scale = 1;
    *sum = squares(avx2, truth, n, &max);
    if (!isfinite(*sum) || (*sum < 1e-250 && max > 0) || *sum > 1e250 || usual > 1e125)
        *sum = scaled_squares(truth, n, usual, scale, &n_finite);
    return n_finite ? sqrt(*sum / (double)n_finite) / *scale : 0;
}

double aisp_compare_rms(bool avx2, const double *truth, int64_t n)
{
    double sum, scale;

    return rms_of(avx2, truth, n, 0, &sum, &scale);
}

static void compare_floats(bool avx2, struct tally *t)
{
    const struct aisp_comparing *c = t->c;
    int64_t i = 0;

    t->sums.rms =
        larger(rms_of(avx2, c->truth, c->n, c->least_rms, &t->truth2, &t->sums.scale), c->least_rms);
    while (i < c->n) {
        double y[BATCH];
        int64_t n;

        if (avx2 && c->dtype == AISP_F32)
            i = aisp_float_pass_avx2(&t->sums, i);
        n = avx2 && c->dtype == AISP_F32 ? 4 : BATCH;
        n = n < c->n - i ? n : c->n - i;
        aisp_numbers_load((const char *)c->got + (size_t)i * aisp_dtype_bytes(c->dtype), c->dtype,
                          y, n);
        for (int64_t k = 0; k < n; k++)
            compare_float(t, i + k, y[k]);
        i += n;
    }
}

static void compare_integers(struct tally *t)
{
    t->sums.scale = 1;
    for (int64_t i = 0; i < t->c->n; i++) {
        const double r = (double)((const int64_t *)t->c->truth)[i];

        t->truth2 += r * r;
        compare_integer(t, i);
    }
}

static bool is_constant(const struct aisp_comparing *c)
{
    const size_t size = aisp_dtype_bytes(c->dtype);
    bool varies = false;

    for (int64_t i = 1; i < c->n; i++) {
        if (memcmp(c->got, (const char *)c->got + (size_t)i * size, size))
            return false;
        varies |= truth_at(c, i) != truth_at(c, 0);
    }
    return varies;
}

/* Relative to the truths compared; to what is usual beside them where those are so few that they may all lie near zero. */
static double norm_error(const struct tally *t)
{
    const double *e = t->sums.error2, error2 = e[0] + e[1] + e[2] + e[3];
    const double usual = t->c->least_rms * t->sums.scale;

    return error2 > 0 ? sqrt(error2 / larger(t->truth2, (double)t->c->n * usual * usual)) : 0;
}

static void conclude(struct tally *t)
{
    const struct aisp_comparing *c = t->c;
    struct aisp_comparison *a = t->answer;

    a->worst = t->sums.worst > 0 ? t->sums.worst / c->relative : 0;
    a->max_abs_error = t->sums.max_abs;
    a->norm_error = norm_error(t);
    /* A byte that was written is the poison's by chance, once in 256: that alone is not
     * "unwritten". */
    if (a->kind == AISP_WRONG_UNWRITTEN && aisp_dtype_bytes(c->dtype) == 1 &&
        a->n_unwritten * 2 < a->n_wrong)
        a->kind = isnan(a->seen) ? AISP_WRONG_NAN : AISP_WRONG_VALUE;
    if (a->kind == AISP_WRONG_VALUE && is_constant(c))
        a->kind = AISP_WRONG_CONSTANT;
    if (a->kind == AISP_RIGHT && c->norm > 0 && a->norm_error > c->norm) {
        a->kind = AISP_WRONG_NORM;
        a->seen = a->norm_error;
        a->allowed = c->norm;
    }
}

void aisp_compare_by(bool avx2, const struct aisp_comparing *c, struct aisp_comparison *answer)
{
    struct tally t = { .c = c, .answer = answer };

    *answer = (struct aisp_comparison){ .kind = AISP_RIGHT, .n_compared = c->n, .first_wrong = -1 };
    t.sums = (struct aisp_float_pass){
        .got = c->got, .truth = c->truth, .n = c->n, .relative = c->relative
    };
    if (c->poison)
        aisp_poison_pattern(t.pattern, c->dtype, c->poison);
    if (aisp_dtype_is_float(c->dtype))
        compare_floats(avx2, &t);
    else
        compare_integers(&t);
    conclude(&t);
}

void aisp_compare(const struct aisp_comparing *c, struct aisp_comparison *answer)
{
    aisp_compare_by(aisp_judge_has_avx2(), c, answer);
}
