/* look.c - is what a window left behind right? Taken at once after the stop, compared in the judge's own time, and looked at
 * again just before the next filling: a late writer changes it between the two.
 * A whole output is taken where it is small, else secret ranges of rows; how many rows are compared is what the budget buys
 * at the measured cost of a row of the truth, but at least one. A problem that judges by accept() needs whole outputs. */
#include "core/judge/compare.h"
#include "core/judge/number.h"
#include "core/run/kept.h"
#include "core/run/rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WHOLE_BYTES = 256 << 10 }; /* an output up to here is taken whole */
/* Who is late may come when the look is over. So some looks, nobody knows which, come later than the judge's work needs; and what
 * is wrong may be half done: it gets a moment to show that. */
enum { LATE_NS = 5000000, LATER_NS = 2000000, LATER_ONE_IN = 16, MOST_LATE_WAITS = 32 };
enum { MAX_STALE_SEARCHES = 12 }; /* of a side */
static const int64_t STALE_SEARCH_NS = 200000000;
static const size_t STALE_SEARCH_BYTES = (size_t)256 << 20;

static bool is_output(const struct aisp_rig *rig, int t)
{
    return aisp_role_is_output(rig->inst->problem->tensor[t].role);
}

static int n_outputs(const struct aisp_rig *rig)
{
    int n = 0;

    for (int t = 0; t < rig->inst->n_tensors; t++)
        n += is_output(rig, t);
    return n;
}

static size_t row_bytes(const struct aisp_rig *rig, int t)
{
    return (size_t)rig->inst->extent[t].row_elements *
           aisp_dtype_bytes(rig->inst->problem->tensor[t].dtype);
}

/* What the truth reads: inputs as they lie in the slot (the worker cannot write them), INOUT made again as it was. */
static void view_now(struct aisp_rig *rig, int slot, const void *tensor[AISP_MAX_TENSORS])
{
    for (int t = 0; t < rig->inst->n_tensors; t++) {
        switch (rig->inst->problem->tensor[t].role) {
        case AISP_IN:
        case AISP_FILE:
            tensor[t] = rig->backend->input(rig->session, slot, t);
            break;
        case AISP_WEIGHT:
            tensor[t] = rig->backend->input(rig->session, 0, t);
            break;
        case AISP_INOUT:
            tensor[t] = aisp_contents_remake(rig, slot, t, AISP_NOW);
            break;
        default:
            tensor[t] = NULL;
        }
    }
}

static void take_room(struct aisp_buf *buf, size_t bytes)
{
    if (buf->cap < bytes) {
        aisp_buf_release(buf);
        buf->s = aisp_xmalloc(bytes);
        buf->cap = bytes;
    }
    buf->len = bytes;
}

/* Where the device has a truth of its own, timed windows are judged by it: at sizes that suit a device, rows of the CPU's would
 * cost more than what they judge. Verification asks the CPU's, so both have to agree with every variant. NULL: there is none.
 * *is_lost: the device failed, and whatever is asked of it next says so: of its inputs, too, nothing is known. */
static const void *truth_on_device(struct aisp_rig *rig, int slot, struct aisp_question *q, bool *is_lost)
{
    const bool is_verifying = rig->phase == AISP_PHASE_VERIFY || rig->phase == AISP_PHASE_HOLDOUT;
    const struct aisp_extent *extent = &rig->inst->extent[q->tensor];
    int64_t first = q->first_row, n = q->n_rows;
    enum aisp_status st;

    *is_lost = false;
    if (is_verifying || !rig->backend->truth || rig->has_no_truth || rig->inst->problem->accept)
        return NULL;
    if (aisp_dtype_is_float(rig->inst->problem->tensor[q->tensor].dtype))
        aisp_judge_measure_rows(extent, &first, &n);
    take_room(&rig->truth, (size_t)(n * extent->row_elements) * 8);
    st = rig->backend->truth(rig->session, slot, q->tensor, first, n, rig->truth.s, NULL);
    *is_lost = st == AISP_E_DEVICE;
    rig->has_no_truth = st && !*is_lost;
    if (st)
        return NULL;
    q->least_rms =
        n > q->n_rows ? aisp_compare_rms(false, (const double *)(const void *)rig->truth.s, n * extent->row_elements) : 0;
    return rig->truth.s + (size_t)((q->first_row - first) * extent->row_elements) * 8;
}

static void price_row(struct aisp_rig *rig, int slot, int t)
{
    const struct aisp_extent *extent = &rig->inst->extent[t];
    struct aisp_question q = { .tensor = t,
                                     .first_row = (int64_t)aisp_dice_below(&rig->dice, (uint64_t)extent->rows),
                                     .n_rows = 1 };
    const void *tensor[AISP_MAX_TENSORS];
    int64_t start = aisp_now_ns();
    bool is_lost;
    double *row;

    if (!truth_on_device(rig, slot, &q, &is_lost) && !is_lost) {
        view_now(rig, slot, tensor);
        row = aisp_xcalloc((size_t)extent->row_elements, sizeof *row);
        start = aisp_now_ns();
        rig->inst->problem->reference(&(struct aisp_view){ tensor, rig->inst->param }, t, q.first_row, 1, row);
        free(row);
    }
    rig->row_ns[t] = (double)(aisp_now_ns() - start + 1);
}

void aisp_look_prepare(struct aisp_rig *rig, int slot)
{
    if (!rig->inst->problem->reference || !aisp_defends(rig->course->plan->policy, AISP_COMPARE_OUTPUTS))
        return;
    for (int t = 0; t < rig->inst->n_tensors; t++)
        if (is_output(rig, t) && !(rig->row_ns[t] > 0))
            price_row(rig, slot, t);
}

static int64_t affordable_rows(const struct aisp_rig *rig, const struct aisp_shot *shot, int t)
{
    const int64_t rows = rig->inst->extent[t].rows;
    const double n = (double)shot->compare_budget_ns / n_outputs(rig) /
                     (rig->row_ns[t] > 0 ? rig->row_ns[t] : 1);

    if (!rig->inst->problem->reference)
        return rows;
    return n >= (double)rows ? rows : n < 1 ? 1 : (int64_t)n;
}

static enum aisp_status take_range(struct aisp_rig *rig, int side, int slot, int t,
                                   struct aisp_range range, struct aisp_err *err)
{
    struct aisp_snapshot *snap = &rig->snapshot[rig->n_snapshots++];

    snap->tensor = t;
    snap->first_row = range.first;
    snap->n_rows = range.n;
    take_room(&snap->bytes, (size_t)range.n * row_bytes(rig, t));
    return rig->backend->read(rig->session, (enum aisp_side)side, slot, t,
                              (size_t)range.first * row_bytes(rig, t), snap->bytes.len,
                              snap->bytes.s, err);
}

enum aisp_status aisp_look_take(struct aisp_rig *rig, const struct aisp_shot *shot, int slot,
                                int64_t call, struct aisp_err *err)
{
    const int64_t start = aisp_now_ns();
    enum aisp_status st = AISP_OK;

    rig->n_snapshots = 0;
    for (int t = 0; t < rig->inst->n_tensors; t++) {
        const int64_t rows = rig->inst->extent[t].rows;
        struct aisp_range range[AISP_MAX_RANGES] = { { 0, rows } };
        int n = 1;

        if (!is_output(rig, t))
            continue;
        if (rig->inst->extent[t].bytes > WHOLE_BYTES)
            n = aisp_ranges_draw(&rig->dice, rows, affordable_rows(rig, shot, t), range);
        for (int i = 0; i < n; i++)
            AISP_TRY(take_range(rig, shot->side, slot, t, range[i], err));
    }
    rig->seen_side = (int8_t)shot->side;
    rig->seen_slot = slot;
    rig->seen_call = call;
    rig->is_unwritten = rig->is_wrong = false;
out:
    rig->course->ev->compare_ns += aisp_now_ns() - start;
    return st;
}

/* Inputs of `slot` as they were at `when` for the stale question; weights as ever. */
static void view_then(struct aisp_rig *rig, int slot, enum aisp_when when,
                      const void *tensor[AISP_MAX_TENSORS])
{
    for (int t = 0; t < rig->inst->n_tensors; t++) {
        const enum aisp_role role = rig->inst->problem->tensor[t].role;

        tensor[t] = role == AISP_WEIGHT ? rig->backend->input(rig->session, 0, t)
                    : aisp_role_is_filled(role)
                        ? aisp_contents_remake(rig, slot, t, when)
                        : NULL;
    }
}

/* Is it the right answer to other contents? Those that this slot held until go, or before, those it held first, then the other slots'. */
static bool is_stale(struct aisp_rig *rig, const struct aisp_question *asked)
{
    static const enum aisp_when when[] = { AISP_EARLY, AISP_BEFORE, AISP_FIRST, AISP_NOW };
    const int64_t start = aisp_now_ns();
    int *n_searches = &rig->course->n_stale_searches[rig->blame[rig->seen_side]];
    const void *tensor[AISP_MAX_TENSORS];

    if (aisp_instance_slot_bytes(rig->inst) > STALE_SEARCH_BYTES ||
        ++*n_searches > MAX_STALE_SEARCHES)
        return false;
    for (int i = 0; i < rig->n_slots; i++) {
        const int slot = (rig->seen_slot + i) % rig->n_slots;

        for (int k = i > 0; k < (i ? 4 : 3); k++) {
            struct aisp_question q = *asked;
            struct aisp_comparison answer = { 0 };

            if (aisp_now_ns() - start > STALE_SEARCH_NS)
                return false;
            view_then(rig, slot, when[k], tensor);
            q.view.tensor = tensor;
            q.poison = NULL;
            aisp_judge(&q, &rig->scratch, &answer);
            if (answer.kind == AISP_RIGHT)
                return true;
        }
    }
    return false;
}

static void observe_wrong(struct aisp_rig *rig, const struct aisp_question *q,
                          const struct aisp_comparison *answer)
{
    const bool may_be_stale = answer->kind == AISP_WRONG_VALUE || answer->kind == AISP_WRONG_NORM ||
                              answer->kind == AISP_WRONG_CONSTANT ||
                              answer->kind == AISP_WRONG_REJECTED;
    struct aisp_observation seen = {
        .what = AISP_SEEN_WRONG_OUTPUT,
        .phase = rig->phase,
        .kind = (int32_t)answer->kind,
        .call = rig->seen_call,
        .slot = rig->seen_slot,
        .tensor = q->tensor,
        .element = answer->first_wrong,
        .count = answer->n_wrong,
        .of = answer->n_compared,
        .seen = answer->seen,
        .expected = answer->expected,
        .allowed = answer->allowed,
    };

    if (may_be_stale && is_stale(rig, q))
        seen.kind = AISP_WRONG_STALE;
    if (may_be_stale)
        aisp_origin_ask(rig, q);
    if (may_be_stale)
        aisp_ranks_ask(rig, q);
    if (seen.kind != AISP_WRONG_STALE)
        aisp_dissect_wrong(rig, q);
    snprintf(seen.detail, sizeof seen.detail, "%s", answer->why);
    aisp_rig_observe(rig, rig->seen_side, &seen);
}

/* What the truth reads, brought here once it is needed: from a device that costs time. */
struct inputs {
    const void *tensor[AISP_MAX_TENSORS];
    bool is_here;
};

static void see(struct aisp_rig *rig, struct inputs *inputs)
{
    if (!inputs->is_here)
        view_now(rig, rig->seen_slot, inputs->tensor);
    inputs->is_here = true;
}

/* Why an output is wrong is asked of the problem's own truth. Where the device has another, all rows that it judged would be too dear
 * for that: a few from the first wrong one on do. */
static struct aisp_question narrowed(const struct aisp_rig *rig, const struct aisp_question *q, int64_t first_wrong)
{
    enum { ROWS = 64 };
    const int64_t end = q->first_row + q->n_rows, wrong_row = first_wrong / rig->inst->extent[q->tensor].row_elements;
    struct aisp_question few = *q;

    if (!q->truth)
        return few;
    few.truth = NULL;
    few.first_row = wrong_row > q->first_row && wrong_row < end ? wrong_row : q->first_row;
    few.n_rows = end - few.first_row < ROWS ? end - few.first_row : ROWS;
    few.got = (const char *)q->got + (size_t)(few.first_row - q->first_row) * row_bytes(rig, q->tensor);
    return few;
}

/* One question to the judge, with its cost: that of a row decides how many are asked next time. */
static bool ask(struct aisp_rig *rig, struct aisp_question *q, struct inputs *inputs)
{
    struct aisp_verified *v = &rig->course->ev->verified[rig->blame[rig->seen_side]];
    const int64_t start = aisp_now_ns();
    struct aisp_comparison answer = { 0 };
    bool is_lost;
    double row_ns;

    q->truth = truth_on_device(rig, rig->seen_slot, q, &is_lost);
    if (is_lost)
        return true;
    if (!q->truth)
        see(rig, inputs);
    aisp_judge(q, &rig->scratch, &answer);
    row_ns = (double)(aisp_now_ns() - start + 1) / (double)q->n_rows;
    rig->row_ns[q->tensor] =
        rig->row_ns[q->tensor] > 0 ? (rig->row_ns[q->tensor] + row_ns) / 2 : row_ns;
    v->n_elements += answer.n_compared;
    if (answer.worst > v->worst)
        v->worst = answer.worst;
    rig->is_unwritten |= answer.n_unwritten > 0;
    rig->is_wrong |= answer.kind != AISP_RIGHT;
    if (answer.kind != AISP_RIGHT) {
        const struct aisp_question few = narrowed(rig, q, answer.first_wrong);

        see(rig, inputs);
        observe_wrong(rig, &few, &answer);
    }
    return answer.kind == AISP_RIGHT;
}

/* Rows of one snapshot: all of it, or (a whole output, too dear to compare) secret ranges inside. */
static bool compare_snapshot(struct aisp_rig *rig, const struct aisp_shot *shot,
                             const struct aisp_snapshot *snap, const struct aisp_question *common,
                             struct inputs *inputs, bool *full)
{
    const int64_t rows = rig->inst->extent[snap->tensor].rows;
    const bool is_whole = snap->n_rows == rows;
    const struct aisp_philox poison = aisp_contents_poison_key(rig, rig->seen_slot, snap->tensor);
    const bool is_poisoned = rig->inst->problem->tensor[snap->tensor].role == AISP_OUT;
    struct aisp_range range[AISP_MAX_RANGES] = { { snap->first_row, snap->n_rows } };
    const int n =
        is_whole ? aisp_ranges_draw(&rig->dice, rows, affordable_rows(rig, shot, snap->tensor), range) : 1;
    bool right = true;

    for (int i = 0; i < n; i++) {
        struct aisp_question q = *common;

        q.tensor = snap->tensor;
        q.first_row = range[i].first;
        q.n_rows = range[i].n;
        q.got = snap->bytes.s +
                (size_t)(range[i].first - snap->first_row) * row_bytes(rig, snap->tensor);
        q.poison = is_poisoned ? &poison : NULL;
        *full &= range[i].n == rows;
        right &= ask(rig, &q, inputs);
    }
    return right;
}

bool aisp_look_compare(struct aisp_rig *rig, const struct aisp_shot *shot, bool *full)
{
    const int64_t start = aisp_now_ns();
    struct inputs inputs = { .is_here = false };
    const void *all_out[AISP_MAX_TENSORS];
    struct aisp_question common = { .inst = rig->inst, .view = { inputs.tensor, rig->inst->param } };
    bool right = true;

    *full = true;
    if (rig->inst->problem->accept) {
        see(rig, &inputs);
        for (int i = 0; i < rig->n_snapshots; i++)
            all_out[i] = rig->snapshot[i].bytes.s;
        common.all_out = all_out;
        right = compare_snapshot(rig, shot, &rig->snapshot[0], &common, &inputs, full);
    } else {
        for (int i = 0; i < rig->n_snapshots; i++)
            right &= compare_snapshot(rig, shot, &rig->snapshot[i], &common, &inputs, full);
    }
    aisp_kept_take(rig);
    rig->course->ev->compare_ns += aisp_now_ns() - start;
    return right;
}

static double element_at(const struct aisp_rig *rig, int t, const char *bytes, int64_t i)
{
    const enum aisp_dtype dtype = rig->inst->problem->tensor[t].dtype;

    return aisp_dtype_is_float(dtype) ? aisp_number_load(bytes, i, dtype)
                                      : (double)aisp_integer_load(bytes, i, dtype);
}

static void observe_late(struct aisp_rig *rig, const struct aisp_snapshot *snap, const char *now)
{
    struct aisp_observation late = { .what = AISP_SEEN_LATE_WRITE,
                                     .phase = rig->phase,
                                     .kind = -1,
                                     .call = rig->seen_call,
                                     .slot = rig->seen_slot,
                                     .tensor = snap->tensor,
                                     .element = -1,
                                     .of = (int64_t)snap->bytes.len };
    const int64_t bytes = (int64_t)aisp_dtype_bytes(rig->inst->problem->tensor[snap->tensor].dtype);

    for (int64_t i = 0; i < late.of; i++) {
        if (snap->bytes.s[i] == now[i])
            continue;
        if (late.count++ > 0)
            continue;
        late.element = snap->first_row * rig->inst->extent[snap->tensor].row_elements + i / bytes;
        late.expected = element_at(rig, snap->tensor, snap->bytes.s, i / bytes);
        late.seen = element_at(rig, snap->tensor, now, i / bytes);
    }
    snprintf(late.detail, sizeof late.detail, "%lld of %lld bytes changed after done",
             (long long)late.count, (long long)late.of);
    aisp_rig_observe(rig, rig->seen_side, &late);
}

enum aisp_status aisp_look_again(struct aisp_rig *rig, struct aisp_err *err)
{
    const struct timespec late = { 0, LATE_NS }, later = { 0, LATER_NS };
    const int64_t start = aisp_now_ns();
    enum aisp_status st = AISP_OK;

    if (rig->seen_slot < 0 || !aisp_defends(rig->course->plan->policy, AISP_LATE_LOOK))
        return AISP_OK;
    if (rig->is_wrong && rig->course->n_late_waits[rig->blame[rig->seen_side]]++ < MOST_LATE_WAITS)
        nanosleep(&late, NULL);
    else if (aisp_dice_below(&rig->dice, LATER_ONE_IN) == 0)
        nanosleep(&later, NULL);
    aisp_touch_expect(rig);
    for (int i = 0; i < rig->n_snapshots; i++) {
        const struct aisp_snapshot *snap = &rig->snapshot[i];

        take_room(&rig->again, snap->bytes.len);
        AISP_TRY(rig->backend->read(rig->session, (enum aisp_side)rig->seen_side, rig->seen_slot,
                                    snap->tensor,
                                    (size_t)snap->first_row * row_bytes(rig, snap->tensor),
                                    snap->bytes.len, rig->again.s, err));
        if (memcmp(rig->again.s, snap->bytes.s, snap->bytes.len))
            observe_late(rig, snap, rig->again.s);
    }
    aisp_touch_undo(rig);
    rig->seen_slot = -1;
out:
    rig->course->ev->compare_ns += aisp_now_ns() - start;
    return st;
}
