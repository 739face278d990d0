/* answers.c - right outputs from the problem's truth, and the ways in which they can be wrong. */
#include "backends/fake/answers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"

static bool can_round_to(enum aisp_dtype dtype)
{
    switch (dtype) {
    case AISP_F64:
    case AISP_F32:
    case AISP_I64:
    case AISP_I32:
    case AISP_I16:
    case AISP_I8:
    case AISP_U8:
        return true;
    default:
        return false;
    }
}

enum aisp_status aisp_fake_can_answer(const struct aisp_instance *inst, struct aisp_err *err)
{
    if (!inst->problem->reference)
        return aisp_fail(err, AISP_E_UNAVAILABLE,
                         "the scripted device answers by the problem's reference, and it has none");
    for (int t = 0; t < inst->n_tensors; t++) {
        const struct aisp_tensor *tensor = &inst->problem->tensor[t];

        if (aisp_role_is_output(tensor->role) && !can_round_to(tensor->dtype))
            return aisp_fail(err, AISP_E_UNAVAILABLE, "the scripted device cannot round %s to %s",
                             tensor->name, aisp_dtype_name(tensor->dtype));
    }
    return AISP_OK;
}

static void put(enum aisp_dtype dtype, void *to, int64_t i, double real, int64_t whole)
{
    switch (dtype) {
    case AISP_F64:
        ((double *)to)[i] = real;
        break;
    case AISP_F32:
        ((float *)to)[i] = (float)real;
        break;
    case AISP_I64:
        ((int64_t *)to)[i] = whole;
        break;
    case AISP_I32:
        ((int32_t *)to)[i] = (int32_t)whole;
        break;
    case AISP_I16:
        ((int16_t *)to)[i] = (int16_t)whole;
        break;
    default:
        ((int8_t *)to)[i] = (int8_t)whole;
        break;
    }
}

void aisp_fake_answer(const struct aisp_instance *inst, void *const *tensor, int out, void *to)
{
    const struct aisp_extent *extent = &inst->extent[out];
    const enum aisp_dtype dtype = inst->problem->tensor[out].dtype;
    union {
        double real;
        int64_t whole;
    } *truth = aisp_xmalloc((size_t)extent->elements * sizeof *truth);
    const void *view[AISP_MAX_TENSORS];

    for (int t = 0; t < inst->n_tensors; t++)
        view[t] = inst->problem->tensor[t].role == AISP_OUT ? NULL : tensor[t];
    inst->problem->reference(&(struct aisp_view){ view, inst->param }, out, 0, extent->rows, truth);
    for (int64_t i = 0; i < extent->elements; i++) {
        if (aisp_dtype_is_float(dtype))
            put(dtype, to, i, truth[i].real, 0);
        else
            put(dtype, to, i, 0, truth[i].whole);
    }
    free(truth);
}

static void put_all(const struct aisp_instance *inst, int out, void *to, double real, int64_t whole)
{
    for (int64_t i = 0; i < inst->extent[out].elements; i++)
        put(inst->problem->tensor[out].dtype, to, i, real, whole);
}

/* Off by one part in eight: beyond any tolerance, of a type that the judge allows. */
static void nudge(const struct aisp_instance *inst, int out, void *to)
{
    const enum aisp_dtype dtype = inst->problem->tensor[out].dtype;

    for (int64_t i = 0; i < inst->extent[out].elements; i++) {
        if (dtype == AISP_F64)
            ((double *)to)[i] = ((double *)to)[i] * 1.125 + 0.125;
        else if (dtype == AISP_F32)
            ((float *)to)[i] = ((float *)to)[i] * 1.125f + 0.125f;
        else
            ((uint8_t *)to)[(size_t)i * aisp_dtype_bytes(dtype)] ^= 1;
    }
}

void aisp_fake_spoil(enum aisp_fake_fault fault, const struct aisp_instance *inst, int out,
                     void *answer, const void *old, const void *before)
{
    const size_t bytes = inst->extent[out].bytes, half = bytes / 2;

    switch (fault) {
    case AISP_FAKE_UNWRITTEN:
        memcpy(answer, before, bytes);
        break;
    case AISP_FAKE_HALF:
        memcpy((char *)answer + half, (const char *)before + half, bytes - half);
        break;
    case AISP_FAKE_STALE:
        memcpy(answer, old, bytes);
        break;
    case AISP_FAKE_CONSTANT:
        put_all(inst, out, answer, 0.75, 7);
        break;
    case AISP_FAKE_NAN:
        put_all(inst, out, answer, NAN, 0);
        break;
    case AISP_FAKE_INF:
        put_all(inst, out, answer, INFINITY, 0);
        break;
    case AISP_FAKE_VALUE:
        nudge(inst, out, answer);
        break;
    default:
        break;
    }
}
