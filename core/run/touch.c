/* touch.c - what the judge does between its first look at a window's output and the second. It overwrites one secret word there,
 * and expects it there still when it looks again: who works on after done and stores what was there already shows by that. Then
 * the slot is left as it was found. And it asks the device how long it takes to answer, which is long where it works still.
 * Not here: the looks (look.c), what the times mean (checks/). Not of outputs that are inputs too: there a variant has found its
 * contents, and what it left is not poison's to replace. */
#include "core/run/rig.h"

#include <string.h>

#include "core/judge/fill.h"

enum { PERIOD = 64 };

static bool is_touched(const struct aisp_rig *rig, const struct aisp_snapshot *snap)
{
    return rig->inst->problem->tensor[snap->tensor].role == AISP_OUT && snap->bytes.len > 0;
}

/* The word: of any snapshot, anywhere in it. By dice of its own: what the session draws else does not depend on it. */
static bool draw(struct aisp_rig *rig)
{
    const struct aisp_key secret = aisp_key_derive(&rig->key, "touch", rig->n_windows, rig->seen_side, rig->seen_slot, 0);
    struct aisp_touch *touch = &rig->touch;
    const struct aisp_snapshot *snap;
    struct aisp_philox key;
    struct aisp_dice dice;
    char pattern[PERIOD];

    aisp_dice_init(&dice, &secret);
    touch->snapshot = (int)aisp_dice_below(&dice, (uint64_t)rig->n_snapshots);
    for (int i = 0; i < rig->n_snapshots && !is_touched(rig, &rig->snapshot[touch->snapshot]); i++)
        touch->snapshot = (touch->snapshot + 1) % rig->n_snapshots;
    snap = &rig->snapshot[touch->snapshot];
    if (!is_touched(rig, snap))
        return false;
    touch->n_bytes = aisp_dtype_bytes(rig->inst->problem->tensor[snap->tensor].dtype);
    touch->at = aisp_dice_below(&dice, snap->bytes.len / touch->n_bytes) * touch->n_bytes;
    touch->in_tensor =
        (size_t)(snap->first_row * rig->inst->extent[snap->tensor].row_elements) * touch->n_bytes + touch->at;
    key = aisp_contents_poison_key(rig, rig->seen_slot, snap->tensor);
    aisp_poison(pattern, sizeof pattern, rig->inst->problem->tensor[snap->tensor].dtype, &key);
    memcpy(touch->word, pattern + touch->in_tensor % PERIOD, touch->n_bytes);
    return true;
}

/* False: it is not there. */
static bool put(struct aisp_rig *rig, const char *word)
{
    const struct aisp_touch *touch = &rig->touch;

    return rig->backend->replace(rig->session, (enum aisp_side)rig->seen_side, rig->seen_slot,
                                 rig->snapshot[touch->snapshot].tensor, touch->in_tensor, touch->n_bytes, word);
}

void aisp_touch_write(struct aisp_rig *rig)
{
    struct aisp_touch *touch = &rig->touch;
    const bool is_wanted = rig->backend->replace && rig->seen_slot >= 0 && rig->n_snapshots > 0 && rig->inst->n_ranks <= 1 &&
                           !rig->inst->serving.requests && aisp_defends(rig->course->plan->policy, AISP_LATE_LOOK);

    if (!is_wanted || !draw(rig) || !put(rig, touch->word))
        touch->snapshot = -1;
}

void aisp_touch_expect(struct aisp_rig *rig)
{
    struct aisp_touch *touch = &rig->touch;
    char *at;

    if (touch->snapshot < 0)
        return;
    at = rig->snapshot[touch->snapshot].bytes.s + touch->at;
    memcpy(touch->was, at, touch->n_bytes);
    memcpy(at, touch->word, touch->n_bytes);
}

void aisp_touch_undo(struct aisp_rig *rig)
{
    if (rig->touch.snapshot >= 0)
        put(rig, rig->touch.was);
    rig->touch.snapshot = -1;
}

void aisp_touch_ask(struct aisp_rig *rig, int side)
{
    int64_t ns;

    if (rig->pair < 0 || !rig->backend->answer || !aisp_defends(rig->course->plan->policy, AISP_IDLE_CARD))
        return;
    ns = rig->backend->answer(rig->session);
    if (ns >= 0)
        aisp_answers_add(&rig->course->ev->answers[rig->blame[side]], ns);
}
