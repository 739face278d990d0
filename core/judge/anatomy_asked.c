/* anatomy_asked.c - is a wrong output the right answer to another question? The problem's own reference is asked about inputs
 * that somebody who saves work would have used: other masks, pruned weights, rounded or flushed numbers, a smaller parameter.
 * Why the reference: it knows the problem, and no problem has to say anything for it.
 * An answer counts only if the whole output agrees with it inside the tolerance, with one exception: less precision also
 * disturbs the sums, so there being far nearer than to the truth is enough. */
#include "core/judge/anatomy_inside.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/sort.h"
#include "core/judge/number.h"
#include "core/judge/plant.h"

static const double FAR_NEARER = 8;

/* Inputs as they are, some of them replaced by copies that were changed. */
struct other {
    const struct aisp_body *body;
    const struct aisp_instance *inst; /* of the same extents, or a smaller one */
    const void *tensor[AISP_MAX_TENSORS];
    void *own[AISP_MAX_TENSORS];
    void *truth;
};

static void open_other(struct other *o, const struct aisp_body *body)
{
    *o = (struct other){ .body = body, .inst = body->what->inst };
    for (int t = 0; t < o->inst->n_tensors; t++)
        o->tensor[t] = body->what->view.tensor[t];
    o->truth = aisp_xmalloc((size_t)body->n * 8);
}

static void close_other(struct other *o)
{
    for (int t = 0; t < AISP_MAX_TENSORS; t++)
        free(o->own[t]);
    free(o->truth);
}

/* A fresh copy of a tensor that may be changed. */
static void *copy_of(struct other *o, int t)
{
    const size_t bytes = o->body->what->inst->extent[t].bytes;

    free(o->own[t]);
    o->own[t] = aisp_xmalloc(bytes + 64);
    memcpy(o->own[t], o->body->what->view.tensor[t], bytes);
    o->tensor[t] = o->own[t];
    return o->own[t];
}

static void put_back(struct other *o)
{
    for (int t = 0; t < o->inst->n_tensors; t++)
        o->tensor[t] = o->body->what->view.tensor[t];
}

static void ask(struct other *o)
{
    const struct aisp_view view = { o->tensor, o->inst->param };

    o->body->problem->reference(&view, o->body->what->tensor, 0, o->body->extent->rows, o->truth);
}

static bool answers(struct other *o)
{
    ask(o);
    return aisp_body_is(o->body, o->truth);
}

static bool is_late(const struct other *o)
{
    return aisp_now_ns() > o->body->end_ns;
}

static bool is_input(const struct aisp_body *b, int t, bool weights, bool inputs)
{
    const enum aisp_role role = b->problem->tensor[t].role;

    return b->what->view.tensor[t] && ((weights && role == AISP_WEIGHT) ||
                                       (inputs && aisp_role_is_filled(role)));
}

/* --- masks ------------------------------------------------------------------------------------- */

static void put(void *to, int64_t i, enum aisp_dtype dtype, double x)
{
    if (aisp_dtype_is_float(dtype))
        aisp_number_store(to, i, dtype, x);
    else
        aisp_integer_store(to, i, dtype, (int64_t)x);
}

/* All ones, or ones up to the diagonal that ends in the lower right corner. */
static void make_mask(struct other *o, int t, bool causal)
{
    const struct aisp_extent *extent = &o->inst->extent[t];
    const enum aisp_dtype dtype = o->body->problem->tensor[t].dtype;
    const int64_t cols = extent->dim[extent->n_dims - 1],
                  rows = extent->n_dims > 1 ? extent->dim[extent->n_dims - 2] : 1;
    void *to = copy_of(o, t);

    for (int64_t i = 0; i < extent->elements; i++)
        put(to, i, dtype, !causal || i % cols <= i / cols % rows + cols - rows);
}

static void ask_masks(struct other *o, struct aisp_guesses *guesses)
{
    for (int t = 0; t < o->inst->n_tensors; t++) {
        if (o->body->problem->tensor[t].fill.kind != AISP_MASK || !is_input(o->body, t, true, true))
            continue;
        for (int causal = 0; causal < 1 + (o->inst->extent[t].n_dims > 1); causal++) {
            struct aisp_anatomy one = { .kind = AISP_ANATOMY_MASK, .axis = -1 };

            make_mask(o, t, causal);
            if (answers(o)) {
                snprintf(one.name, sizeof one.name, "%s", o->body->problem->tensor[t].name);
                snprintf(one.where, sizeof one.where, causal ? "a causal mask" : "no mask at all");
                aisp_guess(guesses, &one);
            }
            put_back(o);
        }
    }
}

/* --- weights ----------------------------------------------------------------------------------- */

/* The smallest `share` of the magnitudes become 0. */
static void prune_share(struct other *o, int t, double share)
{
    const enum aisp_dtype dtype = o->body->problem->tensor[t].dtype;
    const int64_t n = o->inst->extent[t].elements, k = (int64_t)(share * (double)n);
    double *size = aisp_xmalloc((size_t)n * sizeof *size), limit;
    void *to = copy_of(o, t);

    for (int64_t i = 0; i < n; i++)
        size[i] = fabs(aisp_number_load(to, i, dtype));
    aisp_sort(size, (size_t)n);
    limit = k < n ? size[k] : INFINITY;
    for (int64_t i = 0; i < n; i++)
        if (fabs(aisp_number_load(to, i, dtype)) < limit)
            aisp_number_store(to, i, dtype, 0);
    free(size);
}

/* Of each four in a row along an axis, the two smaller become 0. */
static void prune_2_of_4(struct other *o, int t, int64_t stride)
{
    const enum aisp_dtype dtype = o->body->problem->tensor[t].dtype;
    const int64_t n = o->inst->extent[t].elements;
    void *to = copy_of(o, t);

    for (int64_t block = 0; block + 4 * stride <= n; block += 4 * stride)
        for (int64_t i = block; i < block + stride; i++) {
            double size[4];

            for (int k = 0; k < 4; k++)
                size[k] = fabs(aisp_number_load(to, i + k * stride, dtype));
            for (int k = 0; k < 4; k++) {
                int larger = 0;

                for (int j = 0; j < 4; j++)
                    larger += size[j] > size[k] || (size[j] == size[k] && j < k);
                if (larger >= 2)
                    aisp_number_store(to, i + k * stride, dtype, 0);
            }
        }
}

static void guess_pruned(struct other *o, int t, const char *how, struct aisp_guesses *guesses)
{
    struct aisp_anatomy one = { .kind = AISP_ANATOMY_PRUNED, .axis = -1 };

    if (answers(o)) {
        snprintf(one.name, sizeof one.name, "%s", o->body->problem->tensor[t].name);
        snprintf(one.where, sizeof one.where, "%s", how);
        aisp_guess(guesses, &one);
    }
    put_back(o);
}

static void ask_pruned(struct other *o, struct aisp_guesses *guesses)
{
    static const double share[] = { 0.5, 0.25, 0.75, 0.9, 0.1 };
    char how[64];

    for (int t = 0; t < o->inst->n_tensors; t++) {
        const struct aisp_extent *extent = &o->inst->extent[t];

        if (!is_input(o->body, t, true, false) ||
            !aisp_dtype_is_float(o->body->problem->tensor[t].dtype))
            continue;
        prune_2_of_4(o, t, 1);
        guess_pruned(o, t, "two of four zero along the rows", guesses);
        if (extent->n_dims > 1) {
            prune_2_of_4(o, t, extent->dim[extent->n_dims - 1]);
            guess_pruned(o, t, "two of four zero along the columns", guesses);
        }
        for (size_t i = 0; i < sizeof share / sizeof *share && !is_late(o); i++) {
            prune_share(o, t, share[i]);
            snprintf(how, sizeof how, "the smallest %.0f %% zero", 100 * share[i]);
            guess_pruned(o, t, how, guesses);
        }
    }
}

/* --- numbers ----------------------------------------------------------------------------------- */

/* Flushed ones first: coarser types flush them too, but then that is not what tells. */
enum format { FLUSH, BF16, F16, TF32, TF32_CUT, INT8, N_FORMATS };
static const char *const format_name[N_FORMATS] = {
    "subnormals as zero", "bf16", "f16", "tf32", "tf32 (cut off)", "int8 of one scale",
};

/* To 10 bits of mantissa, nearest even or cut off. */
static double to_tf32(double x, bool cut)
{
    float f = (float)x;
    uint32_t bits;

    memcpy(&bits, &f, sizeof bits);
    if (!cut)
        bits += 0xfff + (bits >> 13 & 1);
    bits &= ~UINT32_C(0x1fff);
    memcpy(&f, &bits, sizeof f);
    return (double)f;
}

static double reduce(enum format format, enum aisp_dtype dtype, double x, double scale)
{
    switch (format) {
    case BF16:
        return aisp_number_round(AISP_BF16, x);
    case F16:
        return aisp_number_round(AISP_F16, x);
    case TF32:
    case TF32_CUT:
        return to_tf32(x, format == TF32_CUT);
    case INT8:
        return scale > 0 ? nearbyint(x / scale) * scale : x;
    case FLUSH:
        return fabs(x) < ldexp(1, aisp_number_least_exponent(dtype)) ? 0 : x;
    case N_FORMATS:
        break;
    }
    return x;
}

static bool reduce_tensor(struct other *o, int t, enum format format)
{
    const enum aisp_dtype dtype = o->body->problem->tensor[t].dtype;
    const int64_t n = o->inst->extent[t].elements;
    double most = 0;
    bool differs = false;
    void *to;

    if (!aisp_dtype_is_float(dtype))
        return false;
    to = copy_of(o, t);
    for (int64_t i = 0; i < n; i++)
        most = fmax(most, fabs(aisp_number_load(to, i, dtype)));
    for (int64_t i = 0; i < n; i++) {
        const double x = aisp_number_load(to, i, dtype), y = reduce(format, dtype, x, most / 127);

        if (isfinite(x) && y != x) {
            aisp_number_store(to, i, dtype, y);
            differs = true;
        }
    }
    return differs;
}

/* Another format of the same tensors explains the answer as well: f16 and tf32 have the same significand, and differ only where
 * f16's exponents end. Then the finding names both, for it cannot know. */
static bool add_format(struct aisp_guesses *guesses, const struct aisp_anatomy *one)
{
    struct aisp_anatomy *kept = &guesses->of[one->kind];
    const size_t n = strlen(kept->name);

    if (one->kind != AISP_ANATOMY_ROUNDED || kept->kind != one->kind || strcmp(kept->where, one->where))
        return false;
    snprintf(kept->name + n, sizeof kept->name - n, " or %s", one->name);
    return true;
}

static void guess_reduced(struct other *o, enum format format, const char *of,
                          struct aisp_guesses *guesses, struct aisp_anatomy *near)
{
    struct aisp_anatomy one = { .kind =
                                    format == FLUSH ? AISP_ANATOMY_FLUSHED : AISP_ANATOMY_ROUNDED,
                                .axis = -1 };

    bool is_it;

    ask(o);
    is_it = aisp_body_is(o->body, o->truth);
    one.error_left = aisp_body_error(o->body, o->truth);
    snprintf(one.name, sizeof one.name, "%s", format_name[format]);
    snprintf(one.where, sizeof one.where, "%s", of);
    if (is_it && !add_format(guesses, &one))
        aisp_guess(guesses, &one);
    else if (!is_it && format != FLUSH && (!near->kind || one.error_left < near->error_left))
        *near = one;
}

static void ask_numbers(struct other *o, struct aisp_guesses *guesses)
{
    static const struct {
        bool weights, inputs;
        const char *name;
    } set[] = { { true, true, "inputs and weights" },
                { true, false, "weights" },
                { false, true, "inputs" } };
    struct aisp_anatomy near = { 0 };

    for (int f = 0; f < N_FORMATS && !is_late(o) && !guesses->of[AISP_ANATOMY_FLUSHED].kind; f++)
        for (size_t i = 0; i < sizeof set / sizeof *set && !is_late(o); i++) {
            bool differs = false;

            for (int t = 0; t < o->inst->n_tensors; t++)
                if (is_input(o->body, t, set[i].weights, set[i].inputs))
                    differs |= reduce_tensor(o, t, (enum format)f);
            if (differs)
                guess_reduced(o, (enum format)f, set[i].name, guesses, &near);
            put_back(o);
        }
    if (near.kind && FAR_NEARER * near.error_left < aisp_body_error(o->body, o->body->truth))
        aisp_guess(guesses, &near);
}

/* --- a smaller parameter ----------------------------------------------------------------------- */

enum part { FIRST, LAST, ZERO_AFTER, ZERO_BEFORE, N_PARTS };
static const char *const part_name[N_PARTS] = { "the first ones", "the last ones",
                                                "the first ones, zeros for the rest",
                                                "the last ones, zeros for the rest" };

/* Rows of `inner` elements along the axis: those kept are moved together, or the others become 0. */
static void take_part(struct other *o, int t, int axis, int64_t v, enum part part)
{
    const struct aisp_extent *extent = &o->body->what->inst->extent[t];
    const int64_t all = extent->dim[axis], skipped = all - v;
    size_t inner = aisp_dtype_bytes(o->body->problem->tensor[t].dtype);
    char *to = copy_of(o, t), *from = to;

    for (int d = axis + 1; d < extent->n_dims; d++)
        inner *= (size_t)extent->dim[d];
    for (size_t outer = 0; outer < extent->bytes / inner / (size_t)all;
         outer++, from += (size_t)all * inner) {
        if (part == ZERO_AFTER)
            memset(from + (size_t)v * inner, 0, (size_t)skipped * inner);
        else if (part == ZERO_BEFORE)
            memset(from, 0, (size_t)skipped * inner);
        else
            memmove(to + outer * (size_t)v * inner,
                    from + (part == LAST ? (size_t)skipped * inner : 0), (size_t)v * inner);
    }
}

/* The instance with parameter p at v, if the output has the same extent there, and no tensor other dimensions than by p alone. */
static bool shorter_instance(const struct aisp_body *b, int p, int64_t v,
                             struct aisp_instance *inst)
{
    const struct aisp_instance *from = b->what->inst;
    struct aisp_param param[AISP_MAX_PARAMS + 1] = { { 0 } };
    struct aisp_problem problem = *b->problem;

    for (int i = 0; i < from->n_params; i++) {
        param[i] = b->problem->param[i];
        param[i].value = i == p ? v : from->param[i];
    }
    problem.param = param;
    if (aisp_instance_init(inst, &problem, AISP_SIZE_DEFAULT, NULL, 0, NULL))
        return false;
    inst->problem = b->problem;
    if (inst->extent[b->what->tensor].elements != b->n)
        return false;
    for (int t = 0; t < from->n_tensors; t++) {
        const int axis = aisp_axis_of_param(b->problem, t, p);

        for (int d = 0; d < from->extent[t].n_dims; d++)
            if (inst->extent[t].dim[d] != (d == axis ? v : from->extent[t].dim[d]))
                return false;
    }
    return true;
}

static bool ask_part(struct other *o, int p, int64_t v, enum part part)
{
    const struct aisp_instance *all = o->body->what->inst;
    struct aisp_instance smaller = *all;
    bool is_moved = false, same;

    if ((part == FIRST || part == LAST) && !shorter_instance(o->body, p, v, &smaller))
        return false;
    for (int t = 0; t < all->n_tensors; t++) {
        const int axis = aisp_axis_of_param(o->body->problem, t, p);

        if (axis >= 0 && is_input(o->body, t, true, true)) {
            take_part(o, t, axis, v, part);
            is_moved = true;
        }
    }
    /* Without a tensor along it a parameter is only a number: the parts are all one. */
    o->inst = &smaller;
    same = (is_moved || part == FIRST) && answers(o);
    o->inst = all;
    put_back(o);
    return same;
}

/* Of steps any number short of all; of other things first the likely shares. */
static int64_t candidate(int64_t all, int64_t i)
{
    const int64_t likely[] = { all / 2, 3 * all / 4, all / 4, 7 * all / 8 };

    return i < 4 ? likely[i] : all - 1 - (i - 4);
}

static void ask_shorter(struct other *o, int p, struct aisp_guesses *guesses)
{
    const struct aisp_param *param = &o->body->problem->param[p];
    const int64_t all = o->body->what->inst->param[p];

    for (int64_t i = 0; i < all + 3 && !is_late(o); i++) {
        const int64_t v = candidate(all, i);

        for (int part = 0; v >= 1 && v < all && part < N_PARTS; part++) {
            struct aisp_anatomy one = { .kind = AISP_ANATOMY_SHORTER,
                                        .axis = -1,
                                        .meaning = (int32_t)param->means,
                                        .from = v,
                                        .of = all };

            if (!ask_part(o, p, v, (enum part)part))
                continue;
            snprintf(one.name, sizeof one.name, "%s", param->name);
            snprintf(one.where, sizeof one.where, "%s",
                     param->means == AISP_STEPS ? "fewer of them" : part_name[part]);
            aisp_guess(guesses, &one);
            return;
        }
    }
}

void aisp_ask_again(const struct aisp_body *body, struct aisp_guesses *guesses)
{
    struct other o;

    open_other(&o, body);
    ask_masks(&o, guesses);
    ask_pruned(&o, guesses);
    ask_numbers(&o, guesses);
    for (int p = 0; p < o.inst->n_params; p++)
        if (body->problem->param[p].means != AISP_PLAIN &&
            body->problem->param[p].means != AISP_RESOLUTION)
            ask_shorter(&o, p, guesses);
    close_other(&o);
}
