/* anatomy.c - look at a wrong output itself: slices, neighbours, bytes, grids.
 * Not here: what the reference says of other inputs (anatomy_asked.c), which is asked first: the right answer to another
 * question is better evidence than a pattern. */
#include "core/judge/anatomy_inside.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/judge/compare.h"
#include "core/judge/fill_inside.h"
#include "core/judge/number.h"
#include "core/judge/plant.h"

enum { LEAST_FOR_GRID = 16 };
/* A slice is wrong if nearly all of it is: by chance some of a copy or of zeros is right. */
static const double WRONG_SHARE = 0.75;

int64_t aisp_count_subnormals(const void *base, enum aisp_dtype dtype, int64_t n)
{
    const double least =
        aisp_dtype_is_float(dtype) ? ldexp(1, aisp_number_least_exponent(dtype)) : 0;
    int64_t count = 0;

    for (int64_t i = 0; i < n && least > 0; i++) {
        const double x = fabs(aisp_number_load(base, i, dtype));

        count += x > 0 && x < least;
    }
    return count;
}

void aisp_guess(struct aisp_guesses *guesses, const struct aisp_anatomy *one)
{
    if (guesses->of[one->kind].kind == AISP_ANATOMY_NONE)
        guesses->of[one->kind] = *one;
}

static struct aisp_comparing question_of(const struct aisp_body *b, const void *truth)
{
    return (struct aisp_comparing){
        .dtype = b->dtype,
        .got = b->what->got,
        .truth = truth,
        .n = b->n,
        .relative = b->relative,
        .norm = aisp_tolerance_norm(b->what->inst, b->dtype),
        .poison = b->what->poison,
    };
}

bool aisp_body_is(const struct aisp_body *b, const void *truth)
{
    const struct aisp_comparing c = question_of(b, truth);
    struct aisp_comparison answer = { 0 };

    aisp_compare(&c, &answer);
    return answer.kind == AISP_RIGHT;
}

double aisp_body_error(const struct aisp_body *b, const void *truth)
{
    const bool is_float = aisp_dtype_is_float(b->dtype);
    double sum = 0;

    for (int64_t i = 0; i < b->n; i++) {
        const double r =
            is_float ? ((const double *)truth)[i] : (double)((const int64_t *)truth)[i];
        const double e = b->y[i] - r;

        sum += isnan(e) ? INFINITY : e * e;
    }
    return b->rms > 0 ? sqrt(sum / (double)b->n) / b->rms : INFINITY;
}

static double as_double(const void *base, int64_t i, enum aisp_dtype dtype)
{
    return aisp_dtype_is_float(dtype) ? aisp_number_load(base, i, dtype)
                                      : (double)aisp_integer_load(base, i, dtype);
}

static bool is_right(const struct aisp_body *b, double y, double r)
{
    const double bound =
        aisp_dtype_is_float(b->dtype) ? b->relative * fmax(fabs(r), b->rms) : b->relative;

    if (isnan(y) || isnan(r))
        return isnan(y) && isnan(r);
    return y == r || fabs(y - r) <= bound;
}

static void open_body(struct aisp_body *b, const struct aisp_dissecting *what)
{
    double sum = 0;

    *b = (struct aisp_body){ .what = what, .problem = what->inst->problem };
    b->extent = &what->inst->extent[what->tensor];
    b->dtype = b->problem->tensor[what->tensor].dtype;
    b->n = b->extent->elements;
    b->relative = aisp_tolerance_relative(what->inst, b->dtype);
    b->end_ns = aisp_now_ns() + what->budget_ns;
    b->truth = aisp_xmalloc((size_t)b->n * 8);
    b->r = aisp_xmalloc((size_t)b->n * sizeof *b->r);
    b->y = aisp_xmalloc((size_t)b->n * sizeof *b->y);
    b->wrong = aisp_xcalloc((size_t)b->n, sizeof *b->wrong);
    b->poisoned = aisp_xcalloc((size_t)b->n, sizeof *b->poisoned);
    b->problem->reference(&what->view, what->tensor, 0, b->extent->rows, b->truth);
    for (int64_t i = 0; i < b->n; i++) {
        b->r[i] = aisp_dtype_is_float(b->dtype) ? ((double *)b->truth)[i]
                                                : (double)((int64_t *)b->truth)[i];
        b->y[i] = as_double(what->got, i, b->dtype);
        sum += isfinite(b->r[i]) ? b->r[i] * b->r[i] : 0;
    }
    b->rms = sqrt(sum / (double)b->n);
    for (int64_t i = 0; i < b->n; i++) {
        b->poisoned[i] = what->poison && aisp_is_poison(what->got, i, b->dtype, what->poison);
        b->wrong[i] = b->poisoned[i] || !is_right(b, b->y[i], b->r[i]);
        b->n_wrong += b->wrong[i];
    }
}

static void close_body(struct aisp_body *b)
{
    free(b->truth);
    free(b->r);
    free(b->y);
    free(b->wrong);
    free(b->poisoned);
}

/* --- slices ------------------------------------------------------------------------------------ */

/* Elements of slice s along an axis: for each outer part, a run of `inner`. */
struct cut {
    int64_t outer, extent, inner;
};

static struct cut cut_of(const struct aisp_body *b, int axis)
{
    struct cut c = { 1, b->extent->dim[axis], 1 };

    for (int d = 0; d < axis; d++)
        c.outer *= b->extent->dim[d];
    for (int d = axis + 1; d < b->extent->n_dims; d++)
        c.inner *= b->extent->dim[d];
    return c;
}

static int64_t at(const struct cut *c, int64_t outer, int64_t slice)
{
    return (outer * c->extent + slice) * c->inner;
}

static int64_t count_in(const struct cut *c, int64_t slice, const bool *what)
{
    int64_t n = 0;

    for (int64_t o = 0; o < c->outer; o++)
        for (int64_t i = 0; i < c->inner; i++)
            n += what[at(c, o, slice) + i];
    return n;
}

static bool are_zeros(const struct aisp_body *b, const struct cut *c, int64_t slice)
{
    for (int64_t o = 0; o < c->outer; o++)
        for (int64_t i = 0; i < c->inner; i++)
            if (b->y[at(c, o, slice) + i] != 0)
                return false;
    return true;
}

static bool are_equal(const struct aisp_body *b, const struct cut *c, int64_t s, int64_t t)
{
    const size_t size = aisp_dtype_bytes(b->dtype);
    const char *got = b->what->got;

    for (int64_t o = 0; o < c->outer; o++)
        if (memcmp(got + (size_t)at(c, o, s) * size, got + (size_t)at(c, o, t) * size,
                   (size_t)c->inner * size))
            return false;
    return true;
}

static bool is_copy(const struct aisp_body *b, const struct cut *c, int64_t slice)
{
    for (int64_t t = 0; t < c->extent; t++)
        if (t != slice && are_equal(b, c, slice, t))
            return true;
    return false;
}

static enum aisp_slice_content content_of(const struct aisp_body *b, const struct cut *c,
                                          int64_t slice)
{
    const int64_t size = c->outer * c->inner;

    if (count_in(c, slice, b->poisoned) == size)
        return AISP_SLICE_UNWRITTEN;
    if (are_zeros(b, c, slice))
        return AISP_SLICE_ZEROS;
    /* Single numbers are equal by chance too often to be copies. */
    return size > 1 && is_copy(b, c, slice) ? AISP_SLICE_COPIES : AISP_SLICE_OTHER;
}

/* NaN or Inf that were computed: something went wrong there, but it was not left out. */
static bool has_odd(const struct aisp_body *b, const struct cut *c, int64_t slice)
{
    for (int64_t o = 0; o < c->outer; o++)
        for (int64_t i = 0; i < c->inner; i++)
            if (!isfinite(b->y[at(c, o, slice) + i]) && !b->poisoned[at(c, o, slice) + i])
                return true;
    return false;
}

/* Are, along this axis, some slices wrong through and through, and all others right? */
static bool slices_along(const struct aisp_body *b, int axis, struct aisp_anatomy *one)
{
    const struct cut c = cut_of(b, axis);
    const int64_t size = c.outer * c.inner;
    int64_t n_wrong = 0, first = -1, last = -1;
    int content = -1;

    for (int64_t s = 0; s < c.extent; s++) {
        const int64_t n = count_in(&c, s, b->wrong);
        int is;

        if (n == 0)
            continue;
        if (has_odd(b, &c, s))
            return false;
        if ((double)n < WRONG_SHARE * (double)size)
            return false;
        n_wrong++;
        first = first < 0 ? s : first;
        last = s;
        is = content_of(b, &c, s);
        content = content < 0 || content == is ? is : AISP_SLICE_OTHER;
    }
    *one = (struct aisp_anatomy){ .kind = AISP_ANATOMY_SLICES,
                                  .axis = axis,
                                  .content = content,
                                  .is_tail = last == c.extent - 1 && n_wrong == c.extent - first,
                                  .from = first,
                                  .n_slices = n_wrong,
                                  .of = c.extent };
    if (n_wrong == 0 || n_wrong == c.extent || (!one->is_tail && content == AISP_SLICE_OTHER))
        return false;
    /* A lone wrong number is an accident like any other, and so are single ones here and there. */
    return size > 1 || (n_wrong > 1 && one->is_tail);
}

static void find_slices(const struct aisp_body *b, struct aisp_guesses *guesses)
{
    struct aisp_anatomy found = { 0 }, one;
    int n = 0;

    for (int axis = 0; axis < b->extent->n_dims; axis++)
        if (b->extent->dim[axis] > 1 && slices_along(b, axis, &one)) {
            found = one;
            n++;
        }
    if (n == 1)
        aisp_guess(guesses, &found);
}

/* --- neighbours -------------------------------------------------------------------------------- */

static bool truths_equal(const struct aisp_body *b, const struct cut *c, int64_t s)
{
    for (int64_t o = 0; o < c->outer; o++)
        for (int64_t i = 0; i < c->inner; i++)
            if (!is_right(b, b->r[at(c, o, s) + i], b->r[at(c, o, s + 1) + i]))
                return false;
    return true;
}

/* Pairs of equal slices (2i, 2i + 1) all along an axis, where the truth has hardly any. */
static void find_upsampled(const struct aisp_body *b, struct aisp_guesses *guesses)
{
    for (int axis = 0; axis < b->extent->n_dims; axis++) {
        const struct cut c = cut_of(b, axis);
        int64_t n_pairs = c.extent / 2, n_true = 0, n_beyond = 0, s = 0;

        if (n_pairs < 3 || (c.outer * c.inner == 1 && n_pairs < LEAST_FOR_GRID))
            continue;
        for (; s < n_pairs && are_equal(b, &c, 2 * s, 2 * s + 1); s++) {
            n_true += truths_equal(b, &c, 2 * s);
            n_beyond += 2 * s + 2 < c.extent && are_equal(b, &c, 2 * s + 1, 2 * s + 2);
        }
        /* Where pairs are equal to each other as well, it is something else. */
        if (s == n_pairs && 2 * n_true < n_pairs && 2 * n_beyond < n_pairs)
            aisp_guess(guesses, &(struct aisp_anatomy){ .kind = AISP_ANATOMY_UPSAMPLED,
                                                        .axis = axis,
                                                        .n_slices = n_pairs - n_true,
                                                        .of = n_pairs });
    }
}

static void find_transposed(const struct aisp_body *b, struct aisp_guesses *guesses)
{
    const int last = b->extent->n_dims - 1;
    int64_t rows, cols, n_own = 0;

    if (last < 1)
        return;
    rows = b->extent->dim[last - 1];
    cols = b->extent->dim[last];
    if (rows < 2 || cols < 2)
        return;
    for (int64_t i = 0; i < b->n; i++) {
        const int64_t part = i / (rows * cols), k = i % (rows * cols);
        const int64_t moved = part * rows * cols + k % cols * rows + k / cols;

        n_own += b->wrong[i];
        if (b->poisoned[moved] || !is_right(b, b->y[moved], b->r[i]))
            return;
    }
    if (n_own > 0)
        aisp_guess(guesses, &(struct aisp_anatomy){
                                .kind = AISP_ANATOMY_TRANSPOSED, .axis = last, .of = cols });
}

/* --- bytes and grids --------------------------------------------------------------------------- */

static bool is_truth_as(const struct aisp_body *b, enum aisp_dtype as)
{
    const size_t room = (size_t)b->n * aisp_dtype_bytes(b->dtype);
    const int64_t fits = (int64_t)(room / aisp_dtype_bytes(as)), n = fits < b->n ? fits : b->n;
    const double relative =
        aisp_dtype_is_float(as) ? fmax(4 * aisp_dtype_roundoff(as), b->relative) : 0;
    int64_t n_large = 0;

    for (int64_t i = 0; i < n; i++) {
        const double y = as_double(b->what->got, i, as), r = b->r[i];

        if (!(fabs(y - r) <= relative * fmax(fabs(r), b->rms) + (relative > 0 ? 0 : 0.5)))
            return false;
        n_large += fabs(r) >= 1;
    }
    return relative > 0 ? n > 1 : n_large > n / 2;
}

static void find_bytes(const struct aisp_body *b, struct aisp_guesses *guesses)
{
    static const enum aisp_dtype types[] = { AISP_F64, AISP_F32, AISP_F16, AISP_BF16,
                                             AISP_I64, AISP_I32, AISP_I16 };

    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        struct aisp_anatomy one = { .kind = AISP_ANATOMY_BYTES };

        if (types[i] == b->dtype || !is_truth_as(b, types[i]))
            continue;
        snprintf(one.name, sizeof one.name, "%s", aisp_dtype_name(types[i]));
        aisp_guess(guesses, &one);
    }
}

static void find_input(const struct aisp_body *b, struct aisp_guesses *guesses)
{
    const struct aisp_instance *inst = b->what->inst;
    const size_t bytes = b->extent->bytes;

    for (int t = 0; t < inst->n_tensors; t++) {
        struct aisp_anatomy one = { .kind = AISP_ANATOMY_INPUT };

        if (!b->what->view.tensor[t] || inst->extent[t].bytes < bytes || bytes < 8 ||
            memcmp(b->what->view.tensor[t], b->what->got, bytes))
            continue;
        snprintf(one.name, sizeof one.name, "%s", b->problem->tensor[t].name);
        aisp_guess(guesses, &one);
    }
}

/* Every wrong element is 0 where the truth is a subnormal. */
static void find_flushed(const struct aisp_body *b, struct aisp_guesses *guesses)
{
    double least;

    if (!aisp_dtype_is_float(b->dtype))
        return;
    least = ldexp(1, aisp_number_least_exponent(b->dtype));
    for (int64_t i = 0; i < b->n; i++)
        if (b->wrong[i] && !(b->y[i] == 0 && fabs(b->r[i]) < least))
            return;
    if (b->n_wrong > 0) {
        struct aisp_anatomy one = { .kind = AISP_ANATOMY_FLUSHED };

        snprintf(one.where, sizeof one.where, "results");
        aisp_guess(guesses, &one);
    }
}

/* Are all elements numbers of a coarser type, while the truth's are not? Inside the range of both. */
static void find_grid(const struct aisp_body *b, struct aisp_guesses *guesses)
{
    static const enum aisp_dtype grids[] = { AISP_BF16, AISP_F16 };

    if (!aisp_dtype_is_float(b->dtype))
        return;
    for (size_t g = 0; g < 2; g++) {
        struct aisp_anatomy one = { .kind = AISP_ANATOMY_ROUNDED };
        int64_t n_on = 0, n_true_on = 0, n_numbers = 0, i = 0;

        if (aisp_dtype_roundoff(grids[g]) <= aisp_dtype_roundoff(b->dtype))
            continue;
        for (; i < b->n; i++) {
            const double rounded = aisp_number_round(b->dtype, b->r[i]);

            if (!isfinite(b->y[i]) || aisp_number_round(grids[g], b->y[i]) != b->y[i])
                break;
            n_numbers += b->y[i] != 0;
            n_on += b->y[i] != 0;
            n_true_on += b->y[i] != 0 && aisp_number_round(grids[g], rounded) == rounded;
        }
        if (i < b->n || n_numbers < LEAST_FOR_GRID || 4 * n_true_on > n_on)
            continue;
        snprintf(one.name, sizeof one.name, "%s", aisp_dtype_name(grids[g]));
        snprintf(one.where, sizeof one.where, "all results are numbers of that type");
        one.error_left = aisp_dtype_roundoff(grids[g]);
        /* Of the coarser type only if it is as near to the truth as that allows: else more is wrong than the precision. */
        if (aisp_body_error(b, b->truth) < 8 * aisp_dtype_roundoff(grids[g]))
            aisp_guess(guesses, &one);
    }
}

/* NaNs whose payload is that of the poison, which lay elsewhere. */
static void find_leftover(const struct aisp_body *b, struct aisp_guesses *guesses)
{
    const size_t size = aisp_dtype_bytes(b->dtype);
    int64_t n_nan = 0, n_known = 0;
    unsigned char pattern[64];

    if (!b->what->poison || (b->dtype != AISP_F32 && b->dtype != AISP_F64))
        return;
    aisp_poison_pattern(pattern, b->dtype, b->what->poison);
    for (int64_t i = 0; i < b->n; i++) {
        bool known = false;

        if (!isnan(b->y[i]) || isnan(b->r[i]) || b->poisoned[i])
            continue;
        for (size_t p = 0; p < sizeof pattern; p += size) {
            unsigned char a[8], c[8];

            memcpy(a, pattern + p, size);
            memcpy(c, (const char *)b->what->got + (size_t)i * size, size);
            a[size - 1] |= 0x80; /* the sign is no part of the payload */
            c[size - 1] |= 0x80;
            known |= !memcmp(a, c, size);
        }
        n_nan++;
        n_known += known;
    }
    if (n_nan > 0 && n_known == n_nan)
        aisp_guess(guesses, &(struct aisp_anatomy){
                                .kind = AISP_ANATOMY_LEFTOVER, .n_slices = n_known, .of = b->n });
}

/* Copied neighbours make equal pairs: half of the resolution where the axis is one, else copies. */
static void settle(const struct aisp_body *b, struct aisp_guesses *guesses)
{
    struct aisp_anatomy *pairs = &guesses->of[AISP_ANATOMY_UPSAMPLED],
                        *slices = &guesses->of[AISP_ANATOMY_SLICES];
    const int p = aisp_param_of_axis(b->problem, b->what->tensor, pairs->axis);

    if (!pairs->kind || !slices->kind || slices->content != AISP_SLICE_COPIES)
        return;
    if (p >= 0 && b->problem->param[p].means == AISP_RESOLUTION)
        slices->kind = AISP_ANATOMY_NONE;
    else
        pairs->kind = AISP_ANATOMY_NONE;
}

/* --- the answer -------------------------------------------------------------------------------- */

static int count_kinds(const struct aisp_guesses *guesses)
{
    int n = 0;

    for (int k = 1; k < AISP_N_ANATOMY; k++)
        n += guesses->of[k].kind != AISP_ANATOMY_NONE;
    return n;
}

static const struct aisp_anatomy *first_kind(const struct aisp_guesses *guesses)
{
    for (int k = 1; k < AISP_N_ANATOMY; k++)
        if (guesses->of[k].kind != AISP_ANATOMY_NONE)
            return &guesses->of[k];
    return NULL;
}

void aisp_dissect(const struct aisp_dissecting *what, struct aisp_anatomy *anatomy)
{
    struct aisp_guesses guesses = { 0 };
    struct aisp_body b;
    int n;

    open_body(&b, what);
    aisp_ask_again(&b, &guesses);
    if (!count_kinds(&guesses)) {
        find_input(&b, &guesses);
        find_bytes(&b, &guesses);
        find_transposed(&b, &guesses);
        find_upsampled(&b, &guesses);
        find_leftover(&b, &guesses);
        find_flushed(&b, &guesses);
        find_slices(&b, &guesses);
        find_grid(&b, &guesses);
        settle(&b, &guesses);
    }
    n = count_kinds(&guesses);
    *anatomy = n == 1 ? *first_kind(&guesses) : (struct aisp_anatomy){ 0 };
    anatomy->n_kinds = n;
    anatomy->tensor = what->tensor;
    anatomy->n_wrong = b.n_wrong;
    anatomy->n_elements = b.n;
    anatomy->error = aisp_body_error(&b, b.truth);
    if (anatomy->kind == AISP_ANATOMY_SLICES || anatomy->kind == AISP_ANATOMY_UPSAMPLED) {
        const int p = aisp_param_of_axis(b.problem, what->tensor, anatomy->axis);

        anatomy->meaning = p < 0 ? AISP_PLAIN : (int32_t)b.problem->param[p].means;
        snprintf(anatomy->name, sizeof anatomy->name, "%s", p < 0 ? "" : b.problem->param[p].name);
    }
    close_body(&b);
}
