/* device_audit.c - each side once more, alone, with the device's recorder on: nothing of it is scored, its outputs are compared
 * like all others. The worker is not told: the session looks like any other, and the launches of the scored sessions are counted,
 * so that one which behaves while it is watched gives itself away.
 * Only where the device has a recorder (aisp_backend.trace), and only what was right so far. */
#include "core/run/rig.h"

#include <stdio.h>

enum { AUDIT_SLOTS = 3, AUDIT_WINDOWS = 4 }; /* the first one warms up */
static const int64_t AUDIT_BUDGET_NS = 200000000;

/* The type that the problem asks for: that of its widest floating-point output, or of a narrower one that it hands out itself. A
 * product of bf16 that is summed into f32 asks for no more than bf16. */
static void name_math(const struct aisp_instance *inst, char name[12])
{
    size_t widest = 0, narrowest = SIZE_MAX;

    for (int t = 0; t < inst->n_tensors; t++) {
        const struct aisp_tensor *tensor = &inst->problem->tensor[t];
        const size_t bytes = aisp_dtype_bytes(tensor->dtype);

        if (!aisp_role_is_output(tensor->role) || !aisp_dtype_is_float(tensor->dtype) || bytes <= widest)
            continue;
        widest = bytes;
        snprintf(name, 12, "%s", aisp_dtype_name(tensor->dtype));
    }
    for (int t = 0; t < inst->n_tensors; t++) {
        const struct aisp_tensor *tensor = &inst->problem->tensor[t];
        const size_t bytes = aisp_dtype_bytes(tensor->dtype);

        if ((tensor->role != AISP_IN && tensor->role != AISP_WEIGHT) || bytes >= widest || bytes >= narrowest ||
            !(aisp_dtype_is_float(tensor->dtype) || tensor->dtype == AISP_I8))
            continue;
        narrowest = bytes;
        snprintf(name, 12, "%s", aisp_dtype_name(tensor->dtype));
    }
}

/* One call of a window is compared, where what it says is wrong is wrong in all that kept something. */
static void note_compared(struct aisp_device_trace *trace, const int8_t right[AUDIT_WINDOWS])
{
    for (size_t i = 0; i < AUDIT_WINDOWS && i < trace->n_windows; i++) {
        if (trace->window[i].n_compared) /* a played device's script says it */
            continue;
        trace->window[i].n_compared = right[i] >= 0;
        trace->window[i].n_wrong = right[i] == 0;
    }
}

static enum aisp_status audit_side(struct aisp_course *course, int side, struct aisp_err *err)
{
    const struct aisp_plan *plan = course->plan;
    struct aisp_rig_spec spec = {
        .course = course,
        .inst = &plan->inst,
        .variant = { plan->variant[side] },
        .label = { (int8_t)side, (int8_t)side },
        .blame = { (int8_t)side, (int8_t)side },
        .n_slots = AUDIT_SLOTS,
        .phase = AISP_PHASE_SETUP,
        .pair = -1,
        .key = aisp_key_derive(&plan->secret, "device audit", side, 0, 0, 0),
        .is_audit = true,
    };
    struct aisp_device_trace *trace = &course->ev->device_trace[side];
    int8_t right[AUDIT_WINDOWS] = { -1, -1, -1, -1 }; /* -1: nothing was compared */
    enum aisp_status st, closed;
    struct aisp_rig rig;

    if (plan->backend->fits(&plan->inst, spec.n_slots, 1, NULL) != AISP_OK)
        spec.n_slots = 1;
    name_math(&plan->inst, trace->math);
    AISP_TRY(aisp_rig_open(&rig, &spec, err));
    rig.phase = AISP_PHASE_TIMED;
    for (int i = 0; i < AUDIT_WINDOWS; i++) {
        const struct aisp_shot shot = { .calls = spec.n_slots,
                                        .kind = AISP_WINDOW_WARMUP,
                                        .block = -1,
                                        .fill_budget_bytes = -1,
                                        .compare_budget_ns = AUDIT_BUDGET_NS };
        struct aisp_shot_result result;

        AISP_TRY(aisp_rig_window(&rig, &shot, &result, err));
        if (aisp_defends(plan->policy, AISP_COMPARE_OUTPUTS))
            right[i] = result.right;
    }
out:
    closed = aisp_rig_close(&rig, st == AISP_OK, err);
    note_compared(trace, right);
    if (st == AISP_E_WORKER)
        return AISP_OK;
    return st ? st : closed;
}

enum aisp_status aisp_device_audit(struct aisp_course *course, struct aisp_err *err)
{
    enum aisp_status st = AISP_OK;

    if (!course->plan->backend->trace || !aisp_defends(course->plan->policy, AISP_DEVICE_RECORDER))
        return AISP_OK;
    for (int side = AISP_A; side <= AISP_B; side++)
        if (!course->is_dead[side] && !course->n_wrong_calls[side])
            AISP_TRY(audit_side(course, side, err));
out:
    return st;
}
