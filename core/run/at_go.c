/* at_go.c - between ready and go some elements of one input of the slot that will be looked at are made anew. They are few,
 * some cache lines of one call of a window. But who had his answers ready when he said that he was
 * ready has the answer to contents that are not there any more, and where an output depends on all of its inputs, to find out
 * costs what it costs to compute.
 * Afterwards the elements are part of the slot's contents until those are filled again.
 * Not here: what is compared (look.c), which call it was (window.c). On a card contents come late in another way (hold.c). Ranks
 * share what they hold, a server has requests that come while it runs, and files are on a disk: those get none. */
#include "core/run/rig.h"

#include "core/judge/fill.h"

static bool is_wanted(const struct aisp_rig *rig, const struct aisp_shot *shot)
{
    return !shot->same_again && rig->inst->n_ranks <= 1 && !rig->inst->serving.requests &&
           aisp_defends(rig->course->plan->policy, AISP_NEW_AT_GO);
}

static bool can_change(const struct aisp_rig *rig, int t)
{
    const struct aisp_tensor *tensor = &rig->inst->problem->tensor[t];

    return tensor->role == AISP_IN && aisp_fill_is_chunked(&tensor->fill) && rig->inst->extent[t].elements > 0;
}

/* Every element of every input that can change is equally likely. By dice of its own: what the session draws else does not depend
 * on it. */
static bool draw(struct aisp_rig *rig, struct aisp_at_go *new)
{
    const struct aisp_key secret = aisp_key_derive(&rig->key, "at go", rig->n_windows, 0, 0, 0);
    struct aisp_dice dice;
    uint64_t of = 0, drawn;

    for (int t = 0; t < rig->inst->n_tensors; t++)
        of += can_change(rig, t) ? (uint64_t)rig->inst->extent[t].elements : 0;
    if (!of)
        return false;
    aisp_dice_init(&dice, &secret);
    drawn = aisp_dice_below(&dice, of);
    for (int t = 0; t < rig->inst->n_tensors; t++) {
        const uint64_t n = can_change(rig, t) ? (uint64_t)rig->inst->extent[t].elements : 0;

        if (drawn < n) {
            new->tensor = t;
            new->first = (int64_t)drawn / AISP_AT_GO_ELEMENTS * AISP_AT_GO_ELEMENTS;
            new->n = (int64_t)n - new->first < AISP_AT_GO_ELEMENTS ? (int64_t)n - new->first : AISP_AT_GO_ELEMENTS;
            return true;
        }
        drawn -= n;
    }
    return false;
}

static void make(void *context)
{
    struct aisp_rig *rig = context;
    struct aisp_at_go *new = &rig->at_go;
    const struct aisp_philox key = aisp_contents_key_at_go(rig, new->drawn, new);

    if (!rig->backend->fill(rig->session, new->drawn, new->tensor, &key, new->first, new->n, NULL))
        new->slot = new->drawn;
}

void aisp_at_go_draw(struct aisp_rig *rig, const struct aisp_shot *shot, struct aisp_order *order)
{
    const int slot = rig->order[rig->first];

    if (!is_wanted(rig, shot) || aisp_contents_plant_now(rig, slot) != AISP_PLANT_NONE || !draw(rig, &rig->at_go))
        return;
    rig->at_go.drawn = slot;
    rig->at_go.epoch = rig->n_windows;
    order->ready = make;
}
