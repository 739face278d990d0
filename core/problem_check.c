/* problem_check.c - refuse a declaration by the name of the field that is wrong.
 * Not here: values that only a user's choice makes wrong (core/instance.c); whether the truth is right (core/judge/).
 * Why at load: a mistake is then a line to the author, and not a strange result of a run. */
#include "core/instance.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <aisp/serving.h>

#define REFUSE(...) aisp_fail(err, AISP_E_REFUSED, __VA_ARGS__)

static bool is_blank(const char *text)
{
    return !text || !*text;
}

/* A name stands in expressions, reports and options: letters, digits and _ only. */
static bool is_name(const char *text)
{
    static const char legal[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    static const char *const taken[] = { "min", "max", "ceil", "log2" };
    size_t n = strlen(text);

    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (!strcmp(text, taken[i]))
            return false;
    return n > 0 && n < 32 && strspn(text, legal) == n && (text[0] < '0' || text[0] > '9');
}

static enum aisp_status check_params(const struct aisp_problem *problem, struct aisp_err *err)
{
    int n = 0;

    for (const struct aisp_param *p = problem->param; p->name; p++, n++) {
        if (n == AISP_MAX_PARAMS)
            return REFUSE("param: more than %d parameters", AISP_MAX_PARAMS);
        if (!is_name(p->name))
            return REFUSE("param: \"%s\" is no name", p->name);
        for (const struct aisp_param *q = problem->param; q < p; q++)
            if (!strcmp(p->name, q->name))
                return REFUSE("param: \"%s\" stands twice", p->name);
        if (p->large < 0)
            return REFUSE("param %s: large is below 0", p->name);
        if (p->low < 1 || p->high < p->low)
            return REFUSE("param %s: holdout range [%lld, %lld] is empty or below 1", p->name,
                          (long long)p->low, (long long)p->high);
        if (p->step < 1)
            return REFUSE("param %s: step is below 1", p->name);
    }
    return AISP_OK;
}

/* Whole numbers of the dtype, as far as a fill could make them. */
static double highest(enum aisp_dtype dtype)
{
    if (aisp_dtype_is_float(dtype))
        return dtype == AISP_F64   ? 0x1p53
               : dtype == AISP_F32 ? 0x1p24
                                   : 1 / aisp_dtype_roundoff(dtype);
    return dtype == AISP_U8 ? 0x1p8 : ldexp(1, 8 * (int)aisp_dtype_bytes(dtype) - 1);
}

static double lowest(enum aisp_dtype dtype)
{
    return dtype == AISP_U8 ? 0 : -highest(dtype);
}

/* The reason why a fill is impossible, or NULL. */
static const char *fill_flaw(const struct aisp_tensor *t)
{
    const double a = t->fill.a, b = t->fill.b;
    const bool is_float = aisp_dtype_is_float(t->dtype);

    if (!isfinite(a) || !isfinite(b))
        return "a or b is not finite";
    switch (t->fill.kind) {
    case AISP_NO_FILL:
        return NULL;
    case AISP_NORMAL:
        return !is_float ? "normal needs a floating type"
               : b < 0   ? "the deviation b is below 0"
                         : NULL;
    case AISP_UNIFORM:
        return !is_float ? "uniform needs a floating type" : a >= b ? "[a, b) is empty" : NULL;
    case AISP_INTEGERS:
        if (ceil(a) >= b)
            return "[a, b) holds no whole number";
        return a < lowest(t->dtype) || b > highest(t->dtype) ? "[a, b) is too wide for the type"
                                                             : NULL;
    case AISP_PERMUTATION:
        return is_float ? "permutation needs an integer type" : NULL;
    case AISP_MASK:
        return a < 0 || a > 1 ? "the probability a is not in [0, 1]" : NULL;
    case AISP_ZIPF:
        if (a < 0 || b < 1)
            return "zipf needs a >= 0 and b >= 1";
        return b > highest(t->dtype) ? "[0, b) is too wide for the type" : NULL;
    case AISP_WIDE:
        return !is_float ? "wide needs a floating type" : a > b ? "[a, b] is empty" : NULL;
    case AISP_SUBNORMAL:
        return is_float ? NULL : "subnormal needs a floating type";
    case AISP_TEXT:
        if (t->dtype != AISP_U8)
            return "text needs u8";
        return b < 1 ? "the line length b is below 1" : NULL;
    }
    return "unknown kind";
}

static bool needs_fill(enum aisp_role role)
{
    return role == AISP_IN || role == AISP_INOUT || role == AISP_WEIGHT || role == AISP_FILE ||
           role == AISP_ARRIVALS;
}

static enum aisp_status check_tensor(const struct aisp_tensor *t, struct aisp_err *err)
{
    const char *flaw;

    if (!is_name(t->name))
        return REFUSE("tensor: \"%s\" is no name", t->name);
    if (t->role < AISP_IN || t->role > AISP_EMISSIONS)
        return REFUSE("tensor %s: role %d is unknown", t->name, (int)t->role);
    if (aisp_dtype_bytes(t->dtype) == 0)
        return REFUSE("tensor %s: dtype %d is unknown", t->name, (int)t->dtype);
    if (is_blank(t->dims))
        return REFUSE("tensor %s: dims is missing", t->name);
    if (needs_fill(t->role) && t->fill.kind == AISP_NO_FILL)
        return REFUSE("tensor %s: role %s needs a fill", t->name, aisp_role_name(t->role));
    if (t->role == AISP_OUT && t->fill.kind != AISP_NO_FILL)
        return REFUSE("tensor %s: role out has no fill, it is poisoned", t->name);
    if (t->pages != AISP_CACHED && (t->pages != AISP_COLD || t->role != AISP_FILE))
        return REFUSE("tensor %s: pages %d: only a file can be cold", t->name, (int)t->pages);
    flaw = fill_flaw(t);
    if (flaw)
        return REFUSE("tensor %s: fill: %s", t->name, flaw);
    return AISP_OK;
}

static enum aisp_status check_tensors(const struct aisp_problem *problem, struct aisp_err *err)
{
    int n = 0, n_outputs = 0;

    for (const struct aisp_tensor *t = problem->tensor; t->name; t++, n++) {
        enum aisp_status st;

        if (n == AISP_MAX_DECLARED)
            return REFUSE("tensor: more than %d tensors", AISP_MAX_DECLARED);
        st = check_tensor(t, err);
        if (st)
            return st;
        for (const struct aisp_tensor *u = problem->tensor; u < t; u++)
            if (!strcmp(t->name, u->name))
                return REFUSE("tensor: \"%s\" stands twice", t->name);
        n_outputs += aisp_role_is_output(t->role) || t->role == AISP_EMISSIONS;
    }
    return n_outputs ? AISP_OK : REFUSE("tensor: there is no output");
}

static enum aisp_status check_scalars(const struct aisp_problem *problem, struct aisp_err *err)
{
    const struct aisp_tolerance *tol = &problem->tolerance;

    if (is_blank(problem->title) || is_blank(problem->teaches))
        return REFUSE("%s is missing", is_blank(problem->title) ? "title" : "teaches");
    if (problem->goal < AISP_SPEED || problem->goal > AISP_LATENCY)
        return REFUSE("goal %d is unknown", (int)problem->goal);
    if (!problem->param || !problem->tensor)
        return REFUSE("%s is missing", problem->param ? "tensor" : "param");
    if (is_blank(problem->bytes) || is_blank(problem->flops))
        return REFUSE("%s is missing", is_blank(problem->bytes) ? "bytes" : "flops");
    if (!problem->unit != !problem->units)
        return REFUSE("%s is missing", problem->unit ? "units" : "unit");
    if (problem->goal == AISP_THROUGHPUT && !problem->unit)
        return REFUSE("unit is missing: a throughput counts something");
    if (!(isfinite(tol->ulps) && tol->ulps >= 0) || !(isfinite(tol->norm) && tol->norm >= 0))
        return REFUSE("tolerance: ulps and norm are finite and not below 0");
    if (is_blank(tol->why))
        return REFUSE("tolerance: why is missing");
    /* Tokens have a truth of their own. */
    if (!problem->reference == !problem->accept && !(problem->serving && !problem->reference))
        return REFUSE(problem->reference ? "both reference and accept are there: one is the truth"
                                         : "reference is missing (or accept)");
    if (!problem->messages != !problem->message_bytes)
        return REFUSE("%s is missing", problem->messages ? "message_bytes" : "messages");
    if (problem->messages && !problem->ranks)
        return REFUSE("messages without ranks: nobody is there to send them to");
    if (problem->team < AISP_IN_STEP || problem->team > AISP_LOOSE)
        return REFUSE("team %d is unknown", (int)problem->team);
    for (const struct aisp_param *p = problem->param; p->name && problem->ranks; p++)
        if (!strcmp(p->name, "rank"))
            return REFUSE("param rank: with ranks that is the name of each one's number");
    return AISP_OK;
}

/* What its expressions and rings are is seen at each size (core/instance.c). */
static enum aisp_status check_serving(const struct aisp_problem *problem, struct aisp_err *err)
{
    const struct aisp_serving *s = problem->serving;
    bool has_other = false;

    for (const struct aisp_tensor *t = problem->tensor; t->name; t++) {
        const bool is_ring = t->role == AISP_ARRIVALS || t->role == AISP_EMISSIONS;

        if (is_ring && !s)
            return REFUSE("tensor %s: role %s needs serving", t->name, aisp_role_name(t->role));
        if (is_ring && t->dtype != AISP_I32)
            return REFUSE("tensor %s: role %s is i32", t->name, aisp_role_name(t->role));
        if (t->role == AISP_EMISSIONS && t->fill.kind != AISP_NO_FILL)
            return REFUSE("tensor %s: role emissions has no fill", t->name);
        has_other |= aisp_role_is_output(t->role);
    }
    if (!s)
        return AISP_OK;
    if (s->process < AISP_POISSON || s->process > AISP_LONG_TAIL)
        return REFUSE("serving: process %d is unknown", (int)s->process);
    if (s->figure != AISP_TTFT && s->figure != AISP_TPOT)
        return REFUSE("serving: figure %d is unknown", (int)s->figure);
    if (!s->requests || !s->per_second || !s->tokens || !s->ttft_us || !s->tpot_us || !s->answer)
        return REFUSE("serving: an expression or answer is missing");
    if (problem->goal != AISP_LATENCY)
        return REFUSE("goal: a server's is latency");
    if (has_other != (problem->reference || problem->accept))
        return REFUSE("serving: outputs beside the emissions need a reference, and none without");
    return AISP_OK;
}

/* Every mixture of lowest and highest: an expression may well hold at both ends and fail between them. */
static enum aisp_status check_corners(const struct aisp_problem *problem, struct aisp_err *err)
{
    struct aisp_param corner[AISP_MAX_PARAMS + 1] = { { 0 } };
    struct aisp_problem at = *problem;
    struct aisp_instance inst;
    struct aisp_err why;
    int n = 0;

    at.param = corner;
    for (; problem->param[n].name; n++)
        corner[n] = problem->param[n];
    for (unsigned mixture = 0; mixture < 1u << n; mixture++) {
        for (int i = 0; i < n; i++)
            corner[i].value = mixture >> i & 1 ? corner[i].high : corner[i].low;
        if (aisp_instance_init(&inst, &at, AISP_SIZE_DEFAULT, NULL, 0, &why))
            return REFUSE("%s, in the holdout range", why.text);
    }
    return AISP_OK;
}

enum aisp_status aisp_problem_check(const struct aisp_problem *problem, struct aisp_err *err)
{
    static const char *const size_name[] = { "default", "quick", "large" };
    struct aisp_instance inst;
    struct aisp_err why;
    enum aisp_status st;

    if (problem->abi != AISP_ABI)
        return REFUSE("built against ABI %u, this aisp has ABI %u", problem->abi, AISP_ABI);
    AISP_TRY(check_scalars(problem, err));
    AISP_TRY(check_params(problem, err));
    AISP_TRY(check_tensors(problem, err));
    AISP_TRY(check_serving(problem, err));
    for (int size = AISP_SIZE_DEFAULT; size <= AISP_SIZE_LARGE; size++)
        if (aisp_instance_init(&inst, problem, (enum aisp_size)size, NULL, 0, &why))
            return REFUSE("%s, at the %s size", why.text, size_name[size]);
    AISP_TRY(check_corners(problem, err));
out:
    return st;
}
