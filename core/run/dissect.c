/* dissect.c - what is known of the work beyond right and wrong: the anatomy of the first whole wrong outputs, whether the same
 * contents gave the same again, subnormals, and whether the problem's own contents and truths are sound.
 * Only in verification, where whole outputs of bounded size are there. Not here: the anatomy itself (core/judge/anatomy.h). */
#include "core/run/rig.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/hash.h"
#include "core/judge/anatomy.h"
#include "core/judge/compare.h"
#include "core/judge/number.h"
#include "core/judge/overlap.h"

enum { MAX_DISSECTIONS = 6 }; /* of a side */
static const int64_t DISSECT_NS = 300000000;

static bool is_verifying(const struct aisp_rig *rig)
{
    return rig->phase == AISP_PHASE_VERIFY || rig->phase == AISP_PHASE_HOLDOUT;
}

void aisp_dissect_wrong(struct aisp_rig *rig, const struct aisp_question *q)
{
    const int side = rig->blame[rig->seen_side];
    struct aisp_anatomy *kept = &rig->course->ev->workload.anatomy[side], found;
    const struct aisp_dissecting what = { rig->inst, q->view,   q->tensor,
                                          q->got,    q->poison, DISSECT_NS };

    if (!is_verifying(rig) || !rig->inst->problem->reference || rig->inst->n_ranks > 1 ||
        q->n_rows != rig->inst->extent[q->tensor].rows || kept->kind != AISP_ANATOMY_NONE ||
        rig->course->n_dissections[side]++ >= MAX_DISSECTIONS)
        return;
    aisp_dissect(&what, &found);
    found.plant = (int32_t)aisp_contents_plant_now(rig, rig->seen_slot);
    *kept = found;
}

static void count_subnormals(struct aisp_rig *rig, int slot)
{
    struct aisp_subnormals *count =
        &rig->course->ev->workload.subnormals[rig->blame[rig->seen_side]];

    for (int t = 0; t < rig->inst->n_tensors; t++) {
        const struct aisp_tensor *tensor = &rig->inst->problem->tensor[t];

        if (tensor->role == AISP_IN)
            count->n_in += aisp_count_subnormals(rig->backend->input(rig->session, slot, t),
                                                 tensor->dtype, rig->inst->extent[t].elements);
    }
    for (int i = 0; i < rig->n_snapshots; i++) {
        const struct aisp_snapshot *snap = &rig->snapshot[i];
        const enum aisp_dtype dtype = rig->inst->problem->tensor[snap->tensor].dtype;
        const int64_t n = (int64_t)(snap->bytes.len / aisp_dtype_bytes(dtype));

        count->n_out += aisp_count_subnormals(snap->bytes.s, dtype, n);
    }
}

/* Of everything that the snapshots hold, in their order. */
static void hash_snapshots(const struct aisp_rig *rig, char hex[65])
{
    char part[AISP_MAX_SNAPSHOTS * 64];

    for (int i = 0; i < rig->n_snapshots; i++) {
        aisp_hash_bytes(rig->snapshot[i].bytes.s, rig->snapshot[i].bytes.len, hex);
        memcpy(part + 64 * i, hex, 64);
    }
    aisp_hash_bytes(part, (size_t)rig->n_snapshots * 64, hex);
}

void aisp_dissect_look(struct aisp_rig *rig, int slot, bool right)
{
    struct aisp_workload *w = &rig->course->ev->workload;
    const int side = rig->blame[rig->seen_side];
    char now[65];

    if (!rig->kept)
        return;
    w->n_planted[side] += aisp_contents_plant_now(rig, slot) != AISP_PLANT_NONE;
    count_subnormals(rig, slot);
    hash_snapshots(rig, now);
    /* What was not written differs because the poison does: that is another matter. */
    if (rig->is_unwritten)
        *now = 0;
    if (rig->is_repeat && *rig->kept[slot] && *now) {
        const bool differs = strcmp(now, rig->kept[slot]) != 0;

        w->repeats[side].n++;
        w->repeats[side].n_differ += differs;
        w->repeats[side].n_differ_wrong += differs && !(right && rig->kept_right[slot]);
    }
    memcpy(rig->kept[slot], now, sizeof now);
    rig->kept_right[slot] = right;
}

/* --- the problem itself ------------------------------------------------------------------------ */

static void look_for_overlap(struct aisp_rig *rig, int a, int b)
{
    struct aisp_overlap *kept = &rig->course->ev->workload.overlap;
    const struct aisp_extent *extent = rig->inst->extent;
    const struct aisp_row_range train = { rig->backend->input(rig->session, 0, a), extent[a].rows,
                                     extent[a].bytes / (size_t)extent[a].rows },
                           test = { rig->backend->input(rig->session, 0, b), extent[b].rows,
                                    extent[b].bytes / (size_t)extent[b].rows };
    struct aisp_overlap found = { .train = a, .test = b, .n_train = train.n, .n_test = test.n };

    found.n_shared = aisp_overlap_count(&train, &test, &found.first_train, &found.first_test);
    if (found.n_shared >= kept->n_shared)
        *kept = found;
}

static void compare_truths(struct aisp_rig *rig, const struct aisp_view *view, int t)
{
    struct aisp_workload *w = &rig->course->ev->workload;
    const struct aisp_problem *problem = rig->inst->problem;
    const int64_t n = rig->inst->extent[t].elements, rows = rig->inst->extent[t].rows;
    const bool is_float = aisp_dtype_is_float(problem->tensor[t].dtype);
    const double relative = aisp_tolerance_relative(rig->inst, problem->tensor[t].dtype);
    double *first = aisp_xcalloc((size_t)n, 8), *other = aisp_xcalloc((size_t)n, 8), rms;

    problem->reference(view, t, 0, rows, first);
    problem->second(view, t, 0, rows, other);
    rms = is_float ? aisp_compare_rms(false, first, n) : 0;
    for (int64_t i = 0; i < n; i++) {
        const double a = is_float ? first[i] : (double)((int64_t *)(void *)first)[i],
                     b = is_float ? other[i] : (double)((int64_t *)(void *)other)[i];
        const double bound = is_float ? relative * fmax(fabs(a), rms) : 0;

        w->n_second++;
        if (a == b || (isnan(a) && isnan(b)) || fabs(a - b) <= bound)
            continue;
        if (w->n_second_differ++ == 0) {
            w->second_element = i;
            w->second_first = a;
            w->second_other = b;
        }
    }
    free(first);
    free(other);
}

/* As it was made by the harness for slot 0: no variant has any part in it. */
void aisp_dissect_problem(struct aisp_rig *rig)
{
    const struct aisp_problem *problem = rig->inst->problem;
    const void *tensor[AISP_MAX_TENSORS] = { NULL };
    const struct aisp_view view = { tensor, rig->inst->param };

    for (int a = 0; a < rig->inst->n_tensors; a++) {
        const enum aisp_role role = problem->tensor[a].role;

        if (role == AISP_IN || role == AISP_FILE || role == AISP_WEIGHT)
            tensor[a] = rig->backend->input(rig->session, 0, a);
        else if (role == AISP_INOUT)
            tensor[a] = aisp_contents_remake(rig, 0, a, AISP_NOW);
    }
    for (int a = 0; a < rig->inst->n_tensors; a++)
        for (int b = 0; b < rig->inst->n_tensors; b++)
            if (problem->tensor[a].split == AISP_TRAIN && problem->tensor[b].split == AISP_TEST &&
                tensor[a] && tensor[b])
                look_for_overlap(rig, a, b);
    for (int t = 0; t < rig->inst->n_tensors; t++)
        if (problem->second && problem->reference && aisp_role_is_output(problem->tensor[t].role))
            compare_truths(rig, &view, t);
}
