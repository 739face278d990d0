/* instance.c - work out a problem at given parameter values.
 * Not here: what is wrong with a declaration whatever the values (core/problem_check.c).
 * Why everything is computed at once: later code takes extents as they are, and can no longer fail on them. */
#include "core/instance.h"

#include <stdio.h>
#include <string.h>

#include <aisp/serving.h>

#include "core/base/buf.h"
#include "core/expr.h"

static const int64_t max_value = INT64_C(1) << 40;
enum { MOST_SERVED = 1 << 20 }; /* requests, and tokens of one */

static const struct {
    const char *name;
    size_t bytes;
    double roundoff;
} dtypes[] = {
    [AISP_F64] = { "f64", 8, 0x1p-53 },
    [AISP_F32] = { "f32", 4, 0x1p-24 },
    [AISP_F16] = { "f16", 2, 0x1p-11 },
    [AISP_BF16] = { "bf16", 2, 0x1p-8 },
    [AISP_F8E4M3] = { "f8e4m3", 1, 0x1p-4 },
    [AISP_F8E5M2] = { "f8e5m2", 1, 0x1p-3 },
    [AISP_I64] = { "i64", 8, 0 },
    [AISP_I32] = { "i32", 4, 0 },
    [AISP_I16] = { "i16", 2, 0 },
    [AISP_I8] = { "i8", 1, 0 },
    [AISP_U8] = { "u8", 1, 0 },
};

static bool is_dtype(enum aisp_dtype dtype)
{
    return (unsigned)dtype < sizeof dtypes / sizeof *dtypes && dtypes[dtype].name;
}

size_t aisp_dtype_bytes(enum aisp_dtype dtype)
{
    return is_dtype(dtype) ? dtypes[dtype].bytes : 0;
}

bool aisp_dtype_is_float(enum aisp_dtype dtype)
{
    return aisp_dtype_roundoff(dtype) > 0;
}

double aisp_dtype_roundoff(enum aisp_dtype dtype)
{
    return is_dtype(dtype) ? dtypes[dtype].roundoff : 0;
}

const char *aisp_dtype_name(enum aisp_dtype dtype)
{
    return is_dtype(dtype) ? dtypes[dtype].name : "?";
}

const char *aisp_role_name(enum aisp_role role)
{
    static const char *const name[] = {
        [AISP_IN] = "in",
        [AISP_OUT] = "out",
        [AISP_INOUT] = "inout",
        [AISP_WEIGHT] = "weight",
        [AISP_FILE] = "file",
        [AISP_ARRIVALS] = "arrivals",
        [AISP_EMISSIONS] = "emissions",
    };

    return (unsigned)role < sizeof name / sizeof *name && name[role] ? name[role] : "?";
}

bool aisp_role_is_output(enum aisp_role role)
{
    return role == AISP_OUT || role == AISP_INOUT;
}

bool aisp_role_is_slot(enum aisp_role role)
{
    return role == AISP_IN || role == AISP_FILE || role == AISP_ARRIVALS || aisp_role_is_written(role);
}

bool aisp_role_is_filled(enum aisp_role role)
{
    return role == AISP_IN || role == AISP_INOUT || role == AISP_FILE;
}

bool aisp_role_is_written(enum aisp_role role)
{
    return aisp_role_is_output(role) || role == AISP_EMISSIONS;
}

/* "rows=8, cols=9": every message that depends on the values shows them. */
static void print_values(const struct aisp_instance *inst, char *text, size_t size)
{
    size_t len = 0;

    text[0] = '\0';
    for (int i = 0; i < inst->n_params && len < size; i++)
        len += (size_t)snprintf(text + len, size - len, "%s%s=%lld", i ? ", " : "",
                                inst->problem->param[i].name, (long long)inst->param[i]);
}

static enum aisp_status add_values(const struct aisp_instance *inst, enum aisp_status st,
                                   struct aisp_err *err)
{
    char values[240];

    if (st && err) {
        print_values(inst, values, sizeof values);
        return aisp_fail(err, st, "%s (%s)", err->text, values);
    }
    return st;
}

static enum aisp_status check_value(const char *name, int64_t value, struct aisp_err *err)
{
    if (value < 1 || value > max_value)
        return aisp_fail(err, AISP_E_USAGE, "parameter %s=%lld: must be from 1 to %lld", name,
                         (long long)value, (long long)max_value);
    return AISP_OK;
}

static enum aisp_status extent_init(struct aisp_extent *x, const struct aisp_tensor *tensor,
                                    const struct aisp_names *names, struct aisp_err *err)
{
    char what[AISP_MAX_DIMS * 16];
    enum aisp_status st;
    int64_t bytes;

    snprintf(what, sizeof what, "dims of %s", tensor->name);
    st = aisp_expr_list(tensor->dims, what, names, x->dim, AISP_MAX_DIMS, &x->n_dims, err);
    if (st)
        return st;
    x->row_elements = 1;
    for (int i = 0; i < x->n_dims; i++) {
        if (x->dim[i] < 1)
            return aisp_fail(err, AISP_E_USAGE, "%s \"%s\": dimension %d is %lld", what,
                             tensor->dims, i + 1, (long long)x->dim[i]);
        if (i && __builtin_mul_overflow(x->row_elements, x->dim[i], &x->row_elements))
            goto too_many;
    }
    x->rows = x->dim[0];
    if (__builtin_mul_overflow(x->rows, x->row_elements, &x->elements) ||
        __builtin_mul_overflow(x->elements, (int64_t)aisp_dtype_bytes(tensor->dtype), &bytes))
        goto too_many;
    x->bytes = (size_t)bytes;
    return AISP_OK;
too_many:
    return aisp_fail(err, AISP_E_USAGE, "%s \"%s\": overflow in the product of the dimensions",
                     what, tensor->dims);
}

/* The tensors of one rank, after those of the ranks before it. */
static enum aisp_status extents_init(struct aisp_instance *inst, const struct aisp_tensor *tensor,
                                     const struct aisp_names *names, int64_t *total,
                                     struct aisp_err *err)
{
    for (const struct aisp_tensor *t = tensor; t->name; t++) {
        struct aisp_extent *x = &inst->extent[inst->n_tensors];
        enum aisp_status st;

        if (inst->n_tensors == AISP_MAX_TENSORS)
            return aisp_fail(err, AISP_E_USAGE, "more than %d tensors", AISP_MAX_TENSORS);
        st = extent_init(x, t, names, err);
        if (st)
            return st;
        if (__builtin_add_overflow(*total, (int64_t)x->bytes, total))
            return aisp_fail(err, AISP_E_USAGE, "overflow in the bytes of all tensors at %s",
                             t->name);
        inst->n_tensors++;
    }
    return AISP_OK;
}

static enum aisp_status count(const char *text, const char *what, const struct aisp_names *names,
                              int64_t least, int64_t *value, struct aisp_err *err)
{
    enum aisp_status st = aisp_expr(text, what, names, value, err);

    if (!st && *value < least)
        st = aisp_fail(err, AISP_E_USAGE, "%s \"%s\" is %lld, below %lld", what, text,
                       (long long)*value, (long long)least);
    return st;
}

/* How many ranks, and what each of them has. `name` and `value` hold the parameters, with room for two more. */
static enum aisp_status ranks_init(struct aisp_instance *inst, const struct aisp_problem *problem,
                                   const char **name, int64_t *value, struct aisp_err *err)
{
    const int n = inst->n_params;
    const struct aisp_names params = { name, value, n }, all = { name, value, n + 2 };
    int64_t total = 0;
    enum aisp_status st = AISP_OK;

    name[n] = "ranks";
    name[n + 1] = "rank";
    value[n] = 1;
    if (problem->ranks)
        AISP_TRY(count(problem->ranks, "ranks", &params, 1, &value[n], err));
    if (value[n] > AISP_MAX_RANKS)
        return aisp_fail(err, AISP_E_USAGE, "ranks \"%s\" is %lld, above %d", problem->ranks,
                         (long long)value[n], AISP_MAX_RANKS);
    inst->n_ranks = (int)value[n];
    inst->n_tensors = 0;
    for (int r = 0; r < inst->n_ranks; r++) {
        value[n + 1] = r;
        AISP_TRY(extents_init(inst, problem->tensor, &all, &total, err));
    }
    inst->n_declared = inst->n_tensors / inst->n_ranks;
    inst->n_messages = inst->message_bytes = 0;
    if (problem->messages && inst->n_ranks > 1) {
        AISP_TRY(count(problem->messages, "messages", &all, 1, &inst->n_messages, err));
        AISP_TRY(count(problem->message_bytes, "message_bytes", &all, 1, &inst->message_bytes, err));
    }
    inst->problem = aisp_ranks_expand(problem, inst->n_ranks);
out:
    return st;
}

static int find_role(const struct aisp_problem *problem, enum aisp_role role)
{
    int found = -1;

    for (int t = 0; problem->tensor[t].name; t++)
        if (problem->tensor[t].role == role)
            found = found < 0 ? t : -2;
    return found;
}

/* Numbers of a server, and whether its rings hold what they are to hold. */
static enum aisp_status serving_init(struct aisp_instance *inst, const struct aisp_problem *problem,
                                     const struct aisp_names *names, struct aisp_err *err)
{
    const struct aisp_serving *serving = problem->serving;
    struct aisp_served_numbers *n = &inst->serving;
    const struct aisp_extent *in, *out;
    enum aisp_status st;

    *n = (struct aisp_served_numbers){ .arrivals = find_role(problem, AISP_ARRIVALS),
                                       .emissions = find_role(problem, AISP_EMISSIONS) };
    if (!serving)
        return AISP_OK;
    AISP_TRY(count(serving->requests, "serving requests", names, 1, &n->requests, err));
    AISP_TRY(count(serving->per_second, "serving per_second", names, 1, &n->per_second, err));
    AISP_TRY(count(serving->tokens, "serving tokens", names, 1, &n->tokens, err));
    AISP_TRY(count(serving->ttft_us, "serving ttft_us", names, 1, &n->ttft_slo_ns, err));
    AISP_TRY(count(serving->tpot_us, "serving tpot_us", names, 1, &n->tpot_slo_ns, err));
    n->ttft_slo_ns *= 1000;
    n->tpot_slo_ns *= 1000;
    if (n->arrivals < 0 || n->emissions < 0 || inst->n_ranks > 1)
        return aisp_fail(err, AISP_E_USAGE,
                         "serving needs one tensor of arrivals, one of emissions, and one rank");
    in = &inst->extent[n->arrivals];
    out = &inst->extent[n->emissions];
    if (n->requests > MOST_SERVED || n->tokens > MOST_SERVED || n->per_second > 1000000000 ||
        in->rows != n->requests + 1 || out->rows != n->requests * n->tokens + 1 ||
        out->row_elements != 4)
        return aisp_fail(err, AISP_E_USAGE,
                         "serving: arrivals has requests + 1 rows, emissions requests * tokens + 1 "
                         "of 4 elements, and neither is absurd");
out:
    return st;
}

/* Everything that follows from inst->param. */
static enum aisp_status evaluate(struct aisp_instance *inst, struct aisp_err *err)
{
    const struct aisp_problem *problem = aisp_ranks_declared(inst->problem);
    const char *name[AISP_MAX_PARAMS + 2];
    int64_t value[AISP_MAX_PARAMS + 2];
    const struct aisp_names names = { name, value, inst->n_params + 1 };
    const char *flops = problem->flops;
    enum aisp_status st;

    for (int i = 0; i < inst->n_params; i++) {
        name[i] = problem->param[i].name;
        value[i] = inst->param[i];
        st = check_value(name[i], inst->param[i], err);
        if (st)
            return st;
    }
    AISP_TRY(ranks_init(inst, problem, name, value, err));
    AISP_TRY(count(problem->bytes, "bytes", &names, 0, &inst->bytes, err));
    inst->flops_is_floor = !flops || flops[0] != '~';
    if (!inst->flops_is_floor)
        flops++;
    AISP_TRY(count(flops, "flops", &names, 0, &inst->flops, err));
    AISP_TRY(serving_init(inst, problem, &names, err));
    inst->units = 0;
    if (problem->units)
        AISP_TRY(count(problem->units, "units", &names, 1, &inst->units, err));
    inst->length = 1;
    if (problem->tolerance.length)
        AISP_TRY(
            count(problem->tolerance.length, "tolerance length", &names, 1, &inst->length, err));
out:
    return add_values(inst, st, err);
}

static enum aisp_status begin(struct aisp_instance *inst, const struct aisp_problem *problem,
                              struct aisp_err *err)
{
    problem = aisp_ranks_declared(problem);
    *inst = (struct aisp_instance){ .problem = problem };
    if (!problem->param || !problem->tensor)
        return aisp_fail(err, AISP_E_USAGE, "a problem without parameters or tensors");
    while (problem->param[inst->n_params].name)
        if (++inst->n_params > AISP_MAX_PARAMS)
            return aisp_fail(err, AISP_E_USAGE, "more than %d parameters", AISP_MAX_PARAMS);
    return AISP_OK;
}

static bool parse_value(const char *text, int64_t *value)
{
    bool negative = *text == '-';
    int64_t v = 0;

    text += negative;
    if (!*text)
        return false;
    for (; *text; text++) {
        if (*text < '0' || *text > '9')
            return false;
        /* Far above any legal value, and enough to say so. */
        if (v < INT64_MAX / 10 - 10)
            v = v * 10 + (*text - '0');
    }
    *value = negative ? -v : v;
    return true;
}

static int64_t divisor(int64_t a, int64_t b)
{
    a = a < 0 ? -a : a;
    b = b < 0 ? -b : b;
    while (b) {
        const int64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

int64_t aisp_param_step(const struct aisp_param *p)
{
    int64_t step = divisor(p->step, p->value - p->low);

    step = divisor(step, p->quick - p->low);
    step = divisor(step, p->large ? p->large - p->low : 0);
    return step > 0 ? step : 1;
}

int64_t aisp_param_next(const struct aisp_param *p, int64_t value)
{
    const int64_t step = aisp_param_step(p), first = p->low % step ? p->low % step : step;

    return value <= first ? first : value + (step - (value - first) % step) % step;
}

/* A value between the steps is an input that no variant was written for: blocks of 32 columns, and four more. */
static enum aisp_status check_step(const struct aisp_param *p, int64_t value, struct aisp_err *err)
{
    const int64_t next = aisp_param_next(p, value);

    if (next == value)
        return AISP_OK;
    return aisp_fail(err, AISP_E_USAGE, "parameter %s=%lld: its values go in steps of %lld; the next is %lld", p->name,
                     (long long)value, (long long)aisp_param_step(p), (long long)next);
}

/* "n=256" over the value of n. */
static enum aisp_status override(struct aisp_instance *inst, const char *set, struct aisp_err *err)
{
    const struct aisp_param *param = inst->problem->param;
    const char *equals = strchr(set, '=');
    struct aisp_buf known = AISP_BUF_INIT;
    enum aisp_status st;
    int64_t value;

    if (!equals || !parse_value(equals + 1, &value))
        return aisp_fail(err, AISP_E_USAGE, "\"%s\": a parameter is set by NAME=WHOLE-NUMBER", set);
    for (int i = 0; i < inst->n_params; i++)
        if (strlen(param[i].name) == (size_t)(equals - set) &&
            memcmp(param[i].name, set, (size_t)(equals - set)) == 0) {
            if (value < 1 || value > max_value)
                return aisp_fail(err, AISP_E_USAGE, "parameter %s: must be from 1 to %lld", set,
                                 (long long)max_value);
            inst->param[i] = value;
            return check_step(&param[i], value, err);
        }
    for (int i = 0; i < inst->n_params; i++)
        aisp_buf_printf(&known, "%s%s", i ? ", " : "", param[i].name);
    st = aisp_fail(err, AISP_E_USAGE, "\"%s\": no such parameter; there are %s", set,
                   known.s ? known.s : "none");
    aisp_buf_release(&known);
    return st;
}

enum aisp_status aisp_instance_init(struct aisp_instance *inst, const struct aisp_problem *problem,
                                    enum aisp_size size, const char *const *set, int n_set,
                                    struct aisp_err *err)
{
    enum aisp_status st = begin(inst, problem, err);

    if (st)
        return st;
    for (int i = 0; i < inst->n_params; i++) {
        const struct aisp_param *p = &problem->param[i];

        inst->param[i] = size == AISP_SIZE_QUICK               ? p->quick
                         : size == AISP_SIZE_LARGE && p->large ? p->large
                                                               : p->value;
    }
    for (int i = 0; i < n_set; i++) {
        st = override(inst, set[i], err);
        if (st)
            return st;
    }
    return evaluate(inst, err);
}

static int64_t n_steps(const struct aisp_param *p)
{
    return p->step > 0 && p->high > p->low ? (p->high - p->low) / p->step : 0;
}

/* Halve one of the drawn values towards its lowest; false if all are there. */
static bool shrink(struct aisp_instance *inst, struct aisp_dice *dice)
{
    const struct aisp_param *param = inst->problem->param;
    int above[AISP_MAX_PARAMS], n = 0, i;

    for (i = 0; i < inst->n_params; i++)
        if (inst->param[i] > param[i].low)
            above[n++] = i;
    if (!n)
        return false;
    i = above[aisp_dice_below(dice, (uint64_t)n)];
    inst->param[i] =
        param[i].low + (inst->param[i] - param[i].low) / param[i].step / 2 * param[i].step;
    return true;
}

/* What to add to a drawn value, in whole steps, so that it lies in the same place about another value than the default. */
static int64_t shift_of(const struct aisp_param *p, int64_t about, int64_t drawn)
{
    const double wanted = p->value > 0 ? (double)drawn * ((double)about / (double)p->value) : (double)drawn;

    return (int64_t)((wanted - (double)drawn) / (double)(p->step > 0 ? p->step : 1)) * p->step;
}

enum aisp_status aisp_instance_lowest(struct aisp_instance *inst, const struct aisp_problem *problem, struct aisp_err *err)
{
    const enum aisp_status st = begin(inst, problem, err);

    if (st)
        return st;
    for (int i = 0; i < inst->n_params; i++)
        inst->param[i] = problem->param[i].low;
    return evaluate(inst, err);
}

enum aisp_status aisp_instance_draw(struct aisp_instance *inst, const struct aisp_problem *problem, const int64_t *about,
                                    struct aisp_dice *dice, size_t max_bytes, struct aisp_err *err)
{
    enum { N_DRAWS = 64 };
    enum aisp_status st = begin(inst, problem, err);
    char values[240];

    if (st)
        return st;
    for (int draw = 0; draw < N_DRAWS; draw++) {
        for (int i = 0; i < inst->n_params; i++) {
            const struct aisp_param *p = &problem->param[i];
            uint64_t step = aisp_dice_below(dice, (uint64_t)n_steps(p) + 1);

            inst->param[i] = p->low + (int64_t)step * p->step;
            inst->param[i] += about ? shift_of(p, about[i], inst->param[i]) : 0;
        }
        st = evaluate(inst, err);
        if (st)
            return st;
        if (aisp_instance_total_bytes(inst) <= max_bytes)
            return AISP_OK;
    }
    while (shrink(inst, dice)) {
        st = evaluate(inst, err);
        if (st)
            return st;
        if (aisp_instance_total_bytes(inst) <= max_bytes)
            return AISP_OK;
    }
    print_values(inst, values, sizeof values);
    return aisp_fail(err, AISP_E_USAGE,
                     "the lowest holdout values need %zu bytes, %zu are allowed (%s)",
                     aisp_instance_total_bytes(inst), max_bytes, values);
}

static size_t sum_bytes(const struct aisp_instance *inst, bool (*counts)(enum aisp_role))
{
    size_t bytes = 0;

    for (int i = 0; i < inst->n_tensors; i++)
        if (counts(inst->problem->tensor[i].role))
            bytes += inst->extent[i].bytes;
    return bytes;
}

static bool is_any(enum aisp_role role)
{
    return role != 0;
}

static bool is_weight(enum aisp_role role)
{
    return role == AISP_WEIGHT;
}

size_t aisp_instance_total_bytes(const struct aisp_instance *inst)
{
    return sum_bytes(inst, is_any);
}

size_t aisp_instance_slot_bytes(const struct aisp_instance *inst)
{
    return sum_bytes(inst, aisp_role_is_slot);
}

size_t aisp_instance_weight_bytes(const struct aisp_instance *inst)
{
    return sum_bytes(inst, is_weight);
}
