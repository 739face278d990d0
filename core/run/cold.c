/* cold.c - where all slots together are larger than the device's cache, no window finds its inputs there: the judge has just
 * written them, so the cache is emptied when they are done. Whether it really is empty is looked at before a secret share of
 * windows, and before all of a side that is alone: a moment is left in which somebody may warm it, lines are timed, and it is
 * emptied again. So a window is the same whether it was looked at or not. Held windows are not looked at: their calls stand in
 * the way.
 * Not here: what the device does (backends/cuda/cold.c), how many hot lines are too many (checks/memory_device.c). */
#include <time.h>

#include "core/run/rig.h"

enum { LOOK_ONE_IN = 8, MOST_SLOTS = 4, WHOLE = 100, TOO_SMALL = 1 };
/* As long as a thread that works between windows needs for its turn on the device, and to read what fills the cache. */
static const struct timespec moment = { 0, 1500000 };

static bool is_meant_to_be_cold(const struct aisp_rig *rig)
{
    const int64_t bytes = (int64_t)aisp_instance_slot_bytes(rig->inst) * rig->n_slots +
                          (int64_t)aisp_instance_weight_bytes(rig->inst);

    return rig->backend->chill && *rig->course->ev->limits.card && aisp_evidence_level(rig->course->ev, bytes) == 3;
}

static bool is_looked_at(struct aisp_rig *rig)
{
    return aisp_defends(rig->course->plan->policy, AISP_COLD_LOOK) && !rig->is_held &&
           (rig->n_sides == 1 || aisp_dice_below(&rig->dice, LOOK_ONE_IN) == 0);
}

/* The hottest of the slots is kept: what a cache holds may be one of them. */
static enum aisp_status look(struct aisp_rig *rig, const struct aisp_shot *shot, int n_used, struct aisp_err *err)
{
    struct aisp_cold_facts *cold = &rig->course->ev->cold;
    struct aisp_cold_look *to = rig->n_sides == 1 ? &cold->alone[rig->blame[shot->side]] : &cold->shared;
    struct aisp_cold_look hottest = { .n_hot = -1 };
    enum aisp_status st = AISP_OK;

    nanosleep(&moment, NULL);
    for (int i = 0; i < n_used && i < MOST_SLOTS; i++) {
        const uint64_t seed = aisp_dice_u32(&rig->dice) | (uint64_t)aisp_dice_u32(&rig->dice) << 32;
        struct aisp_cold_look one = { 0 };

        AISP_TRY(rig->backend->lines(rig->session, rig->order[i], seed, &one, err));
        if (one.n_hot > hottest.n_hot)
            hottest = one;
    }
    to->n_looks++;
    to->n_lines += hottest.n_lines;
    to->n_hot += hottest.n_hot;
out:
    return st;
}

enum aisp_status aisp_cold_prepare(struct aisp_rig *rig, const struct aisp_shot *shot, int n_used, struct aisp_err *err)
{
    const int percent = aisp_defends(rig->course->plan->policy, AISP_COLD_CACHE) ? WHOLE : TOO_SMALL;
    struct aisp_cold_facts *cold = &rig->course->ev->cold;
    enum aisp_status st = AISP_OK;

    if (!is_meant_to_be_cold(rig))
        return AISP_OK;
    AISP_TRY(rig->backend->chill(rig->session, percent, cold, err));
    if (!is_looked_at(rig))
        return AISP_OK;
    AISP_TRY(look(rig, shot, n_used, err));
    AISP_TRY(rig->backend->chill(rig->session, percent, cold, err));
out:
    return st;
}
