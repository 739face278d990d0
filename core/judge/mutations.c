/* mutations.c - the ways in which a right output is spoiled, and the outputs that cost nothing to
 * make.
 * Not here: contents, truth and counting (mutants.c).
 * Each is what a real mistake or cheat leaves behind: a loop without its tail, a batch that was
 * halved, a buffer reused. */
#include "core/judge/mutants_inside.h"

#include <math.h>
#include <string.h>

#include "core/base/rng.h"
#include "core/judge/compare.h"
#include "core/judge/fill.h"
#include "core/judge/number.h"

/* An output tensor, to be worked on. */
struct sheet {
    char *at;
    size_t size, row_bytes;
    int64_t n, rows, row;
    enum aisp_dtype dtype;
    bool is_float;
};

static struct sheet sheet_of(const struct aisp_scene *s, int t, void *output)
{
    const struct aisp_extent *e = &s->inst->extent[t];
    const enum aisp_dtype dtype = s->inst->problem->tensor[t].dtype;
    const size_t size = aisp_dtype_bytes(dtype);

    return (
        struct sheet){ output,          size,  (size_t)e->row_elements * size, e->elements, e->rows,
                       e->row_elements, dtype, aisp_dtype_is_float(dtype) };
}

static int64_t below(struct aisp_scene *s, int64_t n)
{
    return (int64_t)aisp_dice_below(&s->dice, (uint64_t)n);
}

static void copy_elements(struct sheet *to, int64_t at, const void *from, int64_t first, int64_t n)
{
    memmove(to->at + (size_t)at * to->size, (const char *)from + (size_t)first * to->size,
            (size_t)n * to->size);
}

/* As if these elements had never been written. */
static void unwrite(struct aisp_scene *s, struct sheet *sheet, int64_t first, int64_t n)
{
    unsigned char pattern[64];

    aisp_poison(pattern, sizeof pattern, sheet->dtype, &s->poison);
    for (int64_t i = first; i < first + n; i++)
        memcpy(sheet->at + (size_t)i * sheet->size, pattern + (size_t)i * sheet->size % 64,
               sheet->size);
}

static double value_at(const struct aisp_scene *s, int t, int64_t i)
{
    return aisp_dtype_is_float(s->inst->problem->tensor[t].dtype)
               ? ((const double *)s->truth[t])[i]
               : (double)((const int64_t *)s->truth[t])[i];
}

static bool tail_skipped(struct aisp_scene *s, int t, void *output)
{
    struct sheet sheet = sheet_of(s, t, output);
    const int64_t k = sheet.n < 32 ? 1 : sheet.n < 112 ? sheet.n / 16 : 7;

    unwrite(s, &sheet, sheet.n - k, k);
    return true;
}

static bool half_skipped(struct aisp_scene *s, int t, void *output)
{
    struct sheet sheet = sheet_of(s, t, output);

    unwrite(s, &sheet, sheet.n / 2, sheet.n - sheet.n / 2);
    return true;
}

static bool half_repeated(struct aisp_scene *s, int t, void *output)
{
    struct sheet sheet = sheet_of(s, t, output);
    const int64_t half = sheet.n / 2;

    copy_elements(&sheet, sheet.n - half, output, 0, half);
    return half > 0;
}

static bool row_skipped(struct aisp_scene *s, int t, void *output)
{
    struct sheet sheet = sheet_of(s, t, output);

    if (sheet.rows < 2)
        return false;
    unwrite(s, &sheet, below(s, sheet.rows) * sheet.row, sheet.row);
    return true;
}

static bool row_zeroed(struct aisp_scene *s, int t, void *output)
{
    struct sheet sheet = sheet_of(s, t, output);

    if (sheet.rows < 2)
        return false;
    memset(sheet.at + (size_t)below(s, sheet.rows) * sheet.row_bytes, 0, sheet.row_bytes);
    return true;
}

static bool row_copied(struct aisp_scene *s, int t, void *output)
{
    struct sheet sheet = sheet_of(s, t, output);
    int64_t row;

    if (sheet.rows < 2)
        return false;
    row = below(s, sheet.rows - 1);
    copy_elements(&sheet, (row + 1) * sheet.row, output, row * sheet.row, sheet.row);
    return true;
}

static bool rows_shifted(struct aisp_scene *s, int t, void *output)
{
    struct sheet sheet = sheet_of(s, t, output);

    copy_elements(&sheet, 0, output, sheet.row, sheet.n - sheet.row);
    return sheet.rows > 1;
}

static bool elements_shifted(struct aisp_scene *s, int t, void *output)
{
    struct sheet sheet = sheet_of(s, t, output);

    copy_elements(&sheet, 0, output, 1, sheet.n - 1);
    return sheet.n > 1 && sheet.row > 1;
}

/* Of some pairs the one that differs most: that two elements are nearly the same is no fault of the
 * problem. */
static bool elements_swapped(struct aisp_scene *s, int t, void *output)
{
    struct sheet sheet = sheet_of(s, t, output);
    int64_t a = 0, b = 0;
    double most = -1;
    char keep[8];

    if (sheet.n < 2)
        return false;
    for (int k = 0; k < 64; k++) {
        const int64_t i = below(s, sheet.n), j = below(s, sheet.n);
        const double gap = fabs(value_at(s, t, i) - value_at(s, t, j));

        if (gap > most) {
            most = gap;
            a = i;
            b = j;
        }
    }
    memcpy(keep, sheet.at + (size_t)a * sheet.size, sheet.size);
    copy_elements(&sheet, a, output, b, 1);
    memcpy(sheet.at + (size_t)b * sheet.size, keep, sheet.size);
    return true;
}

/* By 4 times what is allowed there, or by one step of the type where that is more. Away from the
 * type's limits. */
static bool put_off(struct aisp_scene *s, int t, void *output, int64_t i)
{
    const struct sheet sheet = sheet_of(s, t, output);
    const double relative = aisp_tolerance_relative(s->inst, sheet.dtype);

    if (sheet.is_float) {
        const double r = ((const double *)s->truth[t])[i],
                     rms = aisp_compare_rms(false, s->truth[t], sheet.n);
        const double most = relative > 0 ? 4 * relative * fmax(fabs(r), rms) : 0,
                     way = r > 0 ? -1 : 1;
        const double right = aisp_number_load(output, i, sheet.dtype);
        double y = aisp_number_round(sheet.dtype, r + way * most);

        if (!isfinite(r))
            return false;
        if (y == right)
            y = way > 0 ? aisp_number_above(sheet.dtype, nextafter(right, INFINITY))
                        : aisp_number_below(sheet.dtype, nextafter(right, -INFINITY));
        aisp_number_store(output, i, sheet.dtype, y);
    } else {
        const int64_t r = ((const int64_t *)s->truth[t])[i],
                      step = relative > 0 ? (int64_t)ceil(4 * relative) : 1;

        aisp_integer_store(output, i, sheet.dtype, r > 0 ? r - step : r + step);
    }
    return true;
}

static bool one_off(struct aisp_scene *s, int t, void *output)
{
    return put_off(s, t, output, below(s, s->inst->extent[t].elements));
}

static bool first_off(struct aisp_scene *s, int t, void *output)
{
    return put_off(s, t, output, 0);
}

static bool last_off(struct aisp_scene *s, int t, void *output)
{
    return put_off(s, t, output, s->inst->extent[t].elements - 1);
}

static bool all_scaled(struct aisp_scene *s, int t, void *output)
{
    const struct sheet sheet = sheet_of(s, t, output);
    const double relative = aisp_tolerance_relative(s->inst, sheet.dtype);
    const double by = 1 + 4 * (relative > 0 ? relative : aisp_dtype_roundoff(sheet.dtype));

    for (int64_t i = 0; sheet.is_float && i < sheet.n; i++)
        aisp_number_store(output, i, sheet.dtype, value_at(s, t, i) * by);
    return sheet.is_float;
}

static bool rounded(struct aisp_scene *s, int t, void *output, enum aisp_dtype through)
{
    const struct sheet sheet = sheet_of(s, t, output);

    if (!sheet.is_float || aisp_dtype_roundoff(sheet.dtype) >= aisp_dtype_roundoff(through))
        return false;
    for (int64_t i = 0; i < sheet.n; i++)
        aisp_number_store(output, i, sheet.dtype, aisp_number_round(through, value_at(s, t, i)));
    return true;
}

static bool rounded_to_bf16(struct aisp_scene *s, int t, void *output)
{
    return rounded(s, t, output, AISP_BF16);
}

static bool rounded_to_f32(struct aisp_scene *s, int t, void *output)
{
    return rounded(s, t, output, AISP_F32);
}

static bool block_negated(struct aisp_scene *s, int t, void *output)
{
    const struct sheet sheet = sheet_of(s, t, output);
    const int64_t length = sheet.n < 64 ? sheet.n : 64, first = below(s, sheet.n - length + 1);

    for (int64_t i = first; i < first + length; i++) {
        if (sheet.is_float)
            aisp_number_store(output, i, sheet.dtype, -aisp_number_load(output, i, sheet.dtype));
        else
            aisp_integer_store(output, i, sheet.dtype,
                               (int64_t)(0 - (uint64_t)aisp_integer_load(output, i, sheet.dtype)));
    }
    return sheet.dtype != AISP_U8;
}

static bool block_stale(struct aisp_scene *s, int t, void *output)
{
    struct sheet sheet = sheet_of(s, t, output);
    const int64_t length = sheet.n < 4 ? 1 : sheet.n / 4, first = below(s, sheet.n - length + 1);

    if (!s->stale[t])
        return false;
    copy_elements(&sheet, first, s->stale[t], first, length);
    return true;
}

static bool all_stale(struct aisp_scene *s, int t, void *output)
{
    struct sheet sheet = sheet_of(s, t, output);

    if (!s->stale[t])
        return false;
    copy_elements(&sheet, 0, s->stale[t], 0, sheet.n);
    return true;
}

static bool one_set(struct aisp_scene *s, int t, void *output, double x)
{
    const struct sheet sheet = sheet_of(s, t, output);

    if (sheet.is_float)
        aisp_number_store(output, below(s, sheet.n), sheet.dtype, x);
    return sheet.is_float;
}

static bool one_nan(struct aisp_scene *s, int t, void *output)
{
    return one_set(s, t, output, NAN);
}

static bool one_inf(struct aisp_scene *s, int t, void *output)
{
    return one_set(s, t, output, INFINITY);
}

const struct aisp_mutation aisp_mutations[] = {
    { "tail skipped", tail_skipped, false, false },
    { "half skipped", half_skipped, false, false },
    { "half repeated", half_repeated, true, false },
    { "row skipped", row_skipped, false, false },
    { "row zeroed", row_zeroed, true, false },
    { "row copied", row_copied, true, false },
    { "rows shifted", rows_shifted, true, false },
    { "elements shifted", elements_shifted, true, false },
    { "elements swapped", elements_swapped, true, false },
    { "first off", first_off, false, false },
    { "last off", last_off, false, false },
    { "one off", one_off, false, false },
    { "scaled", all_scaled, false, false },
    { "rounded to bf16", rounded_to_bf16, false, false },
    { "rounded to f32", rounded_to_f32, false, false },
    { "block negated", block_negated, false, false },
    { "block stale", block_stale, false, false },
    { "all stale", all_stale, false, true },
    { "one NaN", one_nan, false, false },
    { "one Inf", one_inf, false, false },
    { NULL, NULL, false, false },
};

static bool set_all(struct aisp_scene *s, int t, void *output, double x)
{
    const struct sheet sheet = sheet_of(s, t, output);

    for (int64_t i = 0; i < sheet.n; i++) {
        if (sheet.is_float)
            aisp_number_store(output, i, sheet.dtype, x);
        else
            aisp_integer_store(output, i, sheet.dtype, (int64_t)x);
    }
    return true;
}

static bool zeros(struct aisp_scene *s, int t, void *output)
{
    return set_all(s, t, output, 0);
}

static bool ones(struct aisp_scene *s, int t, void *output)
{
    return set_all(s, t, output, 1);
}

/* One element is its own mean. */
static bool mean(struct aisp_scene *s, int t, void *output)
{
    const struct sheet sheet = sheet_of(s, t, output);
    int64_t n_finite = 0;
    double sum = 0;

    if (!s->truth[t] || sheet.n < 2)
        return false;
    for (int64_t i = 0; i < sheet.n; i++) {
        const double x = value_at(s, t, i);

        n_finite += isfinite(x) ? 1 : 0;
        sum += isfinite(x) ? x : 0;
    }
    sum /= n_finite ? (double)n_finite : 1;
    return set_all(s, t, output, sheet.is_float ? sum : nearbyint(sum));
}

/* A call that does nothing: poison stays, an INOUT keeps what it held. */
static bool nothing(struct aisp_scene *s, int t, void *output)
{
    struct sheet sheet = sheet_of(s, t, output);

    if (s->inst->problem->tensor[t].role == AISP_INOUT)
        copy_elements(&sheet, 0, s->view.tensor[t], 0, sheet.n);
    else
        unwrite(s, &sheet, 0, sheet.n);
    return true;
}

static bool shuffled(struct aisp_scene *s, int t, void *output)
{
    struct sheet sheet = sheet_of(s, t, output);
    bool moved = false;

    if (!s->right[t] || sheet.n < 2 || s->inst->problem->accept)
        return false;
    copy_elements(&sheet, 0, s->right[t], 0, sheet.n);
    while (!moved) {
        for (int64_t i = sheet.n - 1; i > 0; i--) {
            const int64_t j = below(s, i + 1);
            char keep[8];

            moved |= j != i;
            memcpy(keep, sheet.at + (size_t)i * sheet.size, sheet.size);
            copy_elements(&sheet, i, output, j, 1);
            memcpy(sheet.at + (size_t)j * sheet.size, keep, sheet.size);
        }
    }
    return true;
}

const struct aisp_trivial aisp_trivials[] = {
    { "zeros", zeros },     { "ones", ones },         { "mean", mean },
    { "nothing", nothing }, { "shuffled", shuffled }, { NULL, NULL },
};

/* Where the work is to copy, the input is the answer: not applicable. */
bool aisp_trivial_input(struct aisp_scene *s, int t, int from, void *output)
{
    const size_t bytes = s->inst->extent[t].bytes, period = s->inst->extent[from].bytes;

    if (!s->view.tensor[from] || period == 0)
        return false;
    for (size_t at = 0; at < bytes; at += period)
        memcpy((char *)output + at, s->view.tensor[from],
               bytes - at < period ? bytes - at : period);
    return !s->right[t] || period != bytes || memcmp(output, s->right[t], bytes) != 0;
}
