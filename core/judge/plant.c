/* plant.c - ordinary contents first, then the question put into them.
 * Why factors of 8 and 64: large enough to decide a softmax or a sum, small enough for half precision. */
#include "core/judge/plant.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/judge/number.h"

static const double LOUD = 8, HIDDEN = 64;
enum { HIDDEN_ONE_IN = 4, SENTINEL_PARTS = 8 };

const char *aisp_plant_name(enum aisp_plant plant)
{
    static const char *const name[AISP_N_PLANTS] = {
        [AISP_PLANT_NONE] = "ordinary contents",
        [AISP_PLANT_STRESS] = "the declared stress contents",
        [AISP_PLANT_NEEDLE] = "a needle in the old part of the cache",
        [AISP_PLANT_SENTINEL] = "large values in the last positions",
        [AISP_PLANT_CHECKER] = "a checkerboard",
        [AISP_PLANT_HIDDEN] = "huge values behind the mask",
    };

    return (unsigned)plant < AISP_N_PLANTS ? name[plant] : "?";
}

/* The n-th part of "rows, cols", without blanks round it. */
static bool dim_text(const char *dims, int n, const char **from, size_t *length)
{
    size_t end;

    for (; n > 0; n--) {
        dims = strchr(dims, ',');
        if (!dims++)
            return false;
    }
    dims += strspn(dims, " ");
    end = strcspn(dims, ",");
    while (end > 0 && dims[end - 1] == ' ')
        end--;
    *from = dims;
    *length = end;
    return end > 0;
}

int aisp_param_of_axis(const struct aisp_problem *problem, int tensor, int axis)
{
    const char *from;
    size_t length;

    if (!dim_text(problem->tensor[tensor].dims, axis, &from, &length))
        return -1;
    for (int p = 0; problem->param[p].name; p++)
        if (strlen(problem->param[p].name) == length &&
            !memcmp(problem->param[p].name, from, length))
            return p;
    return -1;
}

int aisp_axis_of_param(const struct aisp_problem *problem, int tensor, int param)
{
    const char *from;
    size_t length;

    for (int axis = 0; dim_text(problem->tensor[tensor].dims, axis, &from, &length); axis++)
        if (aisp_param_of_axis(problem, tensor, axis) == param)
            return axis;
    return -1;
}

static bool is_plantable(const struct aisp_problem *problem, int t)
{
    const struct aisp_tensor *tensor = &problem->tensor[t];

    return tensor->role == AISP_IN && tensor->fill.kind != AISP_MASK &&
           aisp_dtype_is_float(tensor->dtype);
}

/* A floating input has an axis that means this. */
static bool has_meaning(const struct aisp_instance *inst, enum aisp_meaning means)
{
    for (int p = 0; p < inst->n_params; p++)
        for (int t = 0; inst->problem->param[p].means == means && t < inst->n_tensors; t++)
            if (is_plantable(inst->problem, t) && aisp_axis_of_param(inst->problem, t, p) >= 0)
                return true;
    return false;
}

/* The parameter that a mask's last dimension is, if it means positions; *mask is the tensor. */
static int masked_param(const struct aisp_instance *inst, int *mask)
{
    for (int t = 0; t < inst->n_tensors; t++) {
        const struct aisp_tensor *tensor = &inst->problem->tensor[t];
        const int p = aisp_param_of_axis(inst->problem, t, inst->extent[t].n_dims - 1);

        if (tensor->role != AISP_IN || tensor->fill.kind != AISP_MASK || p < 0)
            continue;
        if (inst->problem->param[p].means == AISP_SEQUENCE ||
            inst->problem->param[p].means == AISP_CACHE) {
            *mask = t;
            return p;
        }
    }
    return -1;
}

int aisp_plants(const struct aisp_instance *inst, enum aisp_plant kind[AISP_N_PLANTS])
{
    int n = 0, mask;

    for (int t = 0; t < inst->n_tensors; t++)
        if (inst->problem->tensor[t].role == AISP_IN &&
            inst->problem->tensor[t].stress.kind != AISP_NO_FILL) {
            kind[n++] = AISP_PLANT_STRESS;
            break;
        }
    if (has_meaning(inst, AISP_CACHE))
        kind[n++] = AISP_PLANT_NEEDLE;
    if (has_meaning(inst, AISP_SEQUENCE))
        kind[n++] = AISP_PLANT_SENTINEL;
    if (has_meaning(inst, AISP_RESOLUTION))
        kind[n++] = AISP_PLANT_CHECKER;
    if (masked_param(inst, &mask) >= 0)
        kind[n++] = AISP_PLANT_HIDDEN;
    return n;
}

/* Index along `axis` of element i. */
static int64_t index_along(const struct aisp_extent *extent, int axis, int64_t i)
{
    int64_t inner = 1;

    for (int d = axis + 1; d < extent->n_dims; d++)
        inner *= extent->dim[d];
    return i / inner % extent->dim[axis];
}

static void scale(const struct aisp_planting *what, int axis, const bool *chosen, double factor,
                  void *to)
{
    const struct aisp_extent *extent = &what->inst->extent[what->tensor];
    const enum aisp_dtype dtype = what->inst->problem->tensor[what->tensor].dtype;

    for (int64_t i = 0; i < extent->elements; i++)
        if (chosen[index_along(extent, axis, i)])
            aisp_number_store(to, i, dtype, factor * aisp_number_load(to, i, dtype));
}

static struct aisp_dice dice_of(const struct aisp_planting *what, const char *label)
{
    const struct aisp_key key = aisp_key_derive(&what->key, label, what->kind, 0, 0, 0);
    struct aisp_dice dice;

    aisp_dice_init(&dice, &key);
    return dice;
}

/* Large positions along the parameter that means this. */
static bool make_loud(const struct aisp_planting *what, enum aisp_meaning means, void *to)
{
    const struct aisp_instance *inst = what->inst;
    struct aisp_dice dice = dice_of(what, "position");
    bool is_made = false;

    for (int p = 0; p < inst->n_params; p++) {
        const int64_t extent = inst->param[p];
        const int64_t old = (int64_t)aisp_dice_below(&dice, (uint64_t)((extent + 1) / 2));
        const int axis = aisp_axis_of_param(inst->problem, what->tensor, p);
        bool *chosen;

        if (inst->problem->param[p].means != means || axis < 0)
            continue;
        chosen = aisp_xcalloc((size_t)extent, sizeof *chosen);
        for (int64_t i = 0; i < extent; i++)
            chosen[i] = means == AISP_CACHE
                            ? i == old
                            : i >= extent - (extent + SENTINEL_PARTS - 1) / SENTINEL_PARTS;
        scale(what, axis, chosen, LOUD, to);
        free(chosen);
        is_made = true;
    }
    return is_made;
}

/* The two ends between which the fill's values lie. */
static void ends(const struct aisp_fill *fill, double end[2])
{
    end[0] = fill->a;
    end[1] = ceil(fill->b) - 1;
    if (fill->kind == AISP_UNIFORM) {
        end[1] = fill->a + (fill->b - fill->a) * 0.9375;
    } else if (fill->kind == AISP_NORMAL || fill->kind == AISP_SUBNORMAL) {
        end[0] = fill->kind == AISP_NORMAL ? fill->a - fill->b : -1;
        end[1] = fill->kind == AISP_NORMAL ? fill->a + fill->b : 1;
    } else if (fill->kind == AISP_WIDE) {
        end[0] = -exp2(fill->a);
        end[1] = exp2(fill->b);
    }
}

static bool make_checker(const struct aisp_planting *what, void *to)
{
    const struct aisp_instance *inst = what->inst;
    const struct aisp_extent *extent = &inst->extent[what->tensor];
    const struct aisp_tensor *tensor = &inst->problem->tensor[what->tensor];
    struct aisp_dice dice = dice_of(what, "phase");
    const int phase = aisp_dice_coin(&dice);
    bool counts[AISP_MAX_DIMS] = { false }, any = false;
    double end[2];

    for (int axis = 0; axis < extent->n_dims; axis++) {
        const int p = aisp_param_of_axis(inst->problem, what->tensor, axis);

        counts[axis] = p >= 0 && inst->problem->param[p].means == AISP_RESOLUTION;
        any |= counts[axis];
    }
    if (!any)
        return false;
    ends(&tensor->fill, end);
    for (int64_t i = 0; i < extent->elements; i++) {
        int64_t sum = phase;

        for (int axis = 0; axis < extent->n_dims; axis++)
            sum += counts[axis] ? index_along(extent, axis, i) : 0;
        aisp_number_store(to, i, tensor->dtype, end[sum & 1]);
    }
    return true;
}

/* The columns drawn are hidden in the mask, whatever the row, and huge elsewhere. */
static bool make_hidden(const struct aisp_planting *what, void *to)
{
    const struct aisp_instance *inst = what->inst;
    const struct aisp_tensor *tensor = &inst->problem->tensor[what->tensor];
    const struct aisp_extent *extent = &inst->extent[what->tensor];
    struct aisp_dice dice = dice_of(what, "columns");
    int mask = -1;
    const int param = masked_param(inst, &mask);
    const int axis = aisp_axis_of_param(inst->problem, what->tensor, param);
    bool *chosen = aisp_xcalloc((size_t)inst->param[param], sizeof *chosen);
    bool is_made = true;

    for (int64_t i = 0; i < inst->param[param]; i++)
        chosen[i] = aisp_dice_below(&dice, HIDDEN_ONE_IN) == 0;
    if (what->tensor == mask) {
        for (int64_t i = 0; i < extent->elements; i++)
            if (!chosen[index_along(extent, extent->n_dims - 1, i)])
                continue;
            else if (aisp_dtype_is_float(tensor->dtype))
                aisp_number_store(to, i, tensor->dtype, 0);
            else
                aisp_integer_store(to, i, tensor->dtype, 0);
    } else if (axis >= 0 && is_plantable(inst->problem, what->tensor)) {
        scale(what, axis, chosen, HIDDEN, to);
    } else {
        is_made = false;
    }
    free(chosen);
    return is_made;
}

bool aisp_plant_make(const struct aisp_planting *what, void *to)
{
    const struct aisp_tensor *tensor = &what->inst->problem->tensor[what->tensor];
    const bool is_stress = what->kind == AISP_PLANT_STRESS;
    const struct aisp_filling filling = { is_stress ? tensor->stress : tensor->fill, tensor->dtype,
                                          what->inst->extent[what->tensor].elements, what->fill };

    if (tensor->role != AISP_IN || what->kind == AISP_PLANT_NONE ||
        filling.fill.kind == AISP_NO_FILL)
        return false;
    aisp_fill(&filling, to, 0, filling.elements);
    switch (what->kind) {
    case AISP_PLANT_STRESS:
        return true;
    case AISP_PLANT_NEEDLE:
        return is_plantable(what->inst->problem, what->tensor) && make_loud(what, AISP_CACHE, to);
    case AISP_PLANT_SENTINEL:
        return is_plantable(what->inst->problem, what->tensor) &&
               make_loud(what, AISP_SEQUENCE, to);
    case AISP_PLANT_CHECKER:
        return is_plantable(what->inst->problem, what->tensor) && make_checker(what, to);
    case AISP_PLANT_HIDDEN:
        return make_hidden(what, to);
    case AISP_PLANT_NONE:
    case AISP_N_PLANTS:
        break;
    }
    return false;
}
