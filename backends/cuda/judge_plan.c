/* judge_plan.c - work a fill out for the judge's kernels.
 * Not here: the kernels (judge_cuda/kernels.h), which repeat core/judge/fill.c from here on. */
#include "backends/cuda/judge_plan.h"

#include <math.h>

#include "core/base/err.h"
#include "core/judge/fill_inside.h"
#include "core/judge/number.h"

/* Exponents beyond which no double lies; a kernel holds them as an int. */
static const double far_out = 10000;

static const struct judge_format formats[] = {
    [AISP_F16] = { 10, 15, 16, 0x7bff, 0x7c00, 0x7c00, 0x7e00, 0x38800000, 0x1p24f },
    [AISP_BF16] = { 7, 127, 16, 0x7f7f, 0x7f80, 0x7f80, 0x7fc0, 0, 0 },
    [AISP_F8E4M3] = { 3, 7, 8, 0x7e, 0x7e, 0x7f, 0x7f, 0x3c800000, 0x1p9f },
    [AISP_F8E5M2] = { 2, 15, 8, 0x7b, 0x7c, 0x7c, 0x7e, 0x38800000, 0x1p16f },
};

static enum judge_element element_of(enum aisp_dtype dtype)
{
    switch (dtype) {
    case AISP_F64:
        return JUDGE_F64;
    case AISP_F32:
        return JUDGE_F32;
    case AISP_F16:
    case AISP_BF16:
        return JUDGE_SMALL16;
    case AISP_F8E4M3:
    case AISP_F8E5M2:
        return JUDGE_SMALL8;
    case AISP_I64:
        return JUDGE_I64;
    case AISP_I32:
        return JUDGE_I32;
    case AISP_I16:
        return JUDGE_I16;
    case AISP_I8:
    case AISP_U8:
        return JUDGE_I8;
    }
    AISP_BUG("dtype %d", (int)dtype);
}

static bool plan_affine(const struct aisp_filling *what, struct judge_plan *plan)
{
    const struct aisp_affine map = aisp_affine_of(what, plan->element == JUDGE_F64);

    plan->how = JUDGE_AFFINE;
    plan->is_sum = map.is_sum;
    plan->is_subnormal = what->fill.kind == AISP_SUBNORMAL;
    plan->centre = map.centre;
    plan->scale = map.scale;
    plan->low = map.low;
    plan->high = map.high;
    plan->tiny = ldexp(1, aisp_number_least_exponent(what->dtype) - 2);
    return true;
}

static bool plan_integers(const struct aisp_filling *what, struct judge_plan *plan)
{
    const double low = ceil(what->fill.a), end = ceil(what->fill.b);

    if (low < -0x1p63 || end > 0x1p63 || !(low < end))
        return false;
    plan->how = JUDGE_INTEGERS;
    plan->base = (uint64_t)(int64_t)low;
    plan->range = (uint64_t)((__int128)end - (__int128)low); /* 2^64 becomes 0 */
    return true;
}

static bool plan_wide(const struct aisp_filling *what, struct judge_plan *plan)
{
    plan->how = JUDGE_WIDE;
    plan->centre = what->fill.a;
    plan->scale = what->fill.b - what->fill.a;
    return fabs(what->fill.a) < far_out && fabs(what->fill.b) < far_out;
}

bool judge_plan_make(const struct aisp_filling *what, struct judge_plan *plan)
{
    *plan = (struct judge_plan){
        .key = { what->key.key[0], what->key.key[1] },
        .stream = { what->key.stream[0], what->key.stream[1] },
        .element = element_of(what->dtype),
    };
    if (plan->element == JUDGE_SMALL16 || plan->element == JUDGE_SMALL8)
        plan->format = formats[what->dtype];
    switch (what->fill.kind) {
    case AISP_NORMAL:
    case AISP_UNIFORM:
    case AISP_SUBNORMAL:
        return plan->element < JUDGE_I64 && plan_affine(what, plan);
    case AISP_WIDE:
        return plan->element < JUDGE_I64 && plan_wide(what, plan);
    case AISP_INTEGERS:
        return plan_integers(what, plan);
    case AISP_MASK:
        plan->how = JUDGE_MASK;
        plan->range = (uint64_t)(what->fill.a * 0x1p32);
        return true;
    case AISP_ZIPF:
    case AISP_TEXT:
    case AISP_PERMUTATION:
    case AISP_NO_FILL:
        break;
    }
    return false;
}
