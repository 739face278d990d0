/* bystander.c - where a window calls fewer slots than there are, one of the others is poisoned with them, and nobody has any
 * business there: who writes to it answers calls that were not made, be it in advance or in bulk.
 * What is written late by an earlier call shows here too; that has a name of its own (look.c), which is given first. */
#include "core/run/rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/judge/fill.h"

enum { MOST_BYTES = 256 << 10, PERIOD = 64 }; /* of the poison */

static bool is_out(const struct aisp_rig *rig, int t)
{
    return rig->inst->problem->tensor[t].role == AISP_OUT;
}

enum aisp_status aisp_bystander_set(struct aisp_rig *rig, const struct aisp_shot *shot, int n_used,
                                    struct aisp_err *err)
{
    enum aisp_status st = AISP_OK;

    rig->bystander = -1;
    if (n_used >= rig->n_slots || shot->same_again || rig->inst->n_ranks > 1 ||
        !aisp_defends(rig->course->plan->policy, AISP_FOREIGN_OUTPUT))
        return AISP_OK;
    rig->bystander = rig->order[n_used]; /* the order is a shuffle of all slots */
    for (int t = 0; t < rig->inst->n_tensors; t++) {
        const struct aisp_philox key = aisp_contents_poison_key(rig, rig->bystander, t);

        if (is_out(rig, t))
            AISP_TRY(rig->backend->poison(rig->session, rig->bystander, t, &key, err));
    }
out:
    return st;
}

/* Elements of the bytes read that are no longer the poison; *first: the first of them. */
static int64_t count_changed(const char *seen, const char *poison, size_t n_bytes, size_t size,
                             int64_t *first)
{
    int64_t n = 0;

    for (size_t at = 0; at + size <= n_bytes; at += size)
        if (memcmp(seen + at, poison + at, size) && !n++)
            *first = (int64_t)(at / size);
    return n;
}

static enum aisp_status look_at(struct aisp_rig *rig, int side, int t, struct aisp_err *err)
{
    const enum aisp_dtype dtype = rig->inst->problem->tensor[t].dtype;
    const struct aisp_philox key = aisp_contents_poison_key(rig, rig->bystander, t);
    const size_t bytes = rig->inst->extent[t].bytes, size = aisp_dtype_bytes(dtype);
    const size_t n = bytes < MOST_BYTES ? bytes : MOST_BYTES;
    const size_t offset = PERIOD * aisp_dice_below(&rig->dice, (bytes - n) / PERIOD + 1);
    struct aisp_observation seen = { .what = AISP_SEEN_FOREIGN_WRITE,
                                     .phase = rig->phase,
                                     .kind = -1,
                                     .call = -1,
                                     .slot = rig->bystander,
                                     .tensor = t,
                                     .of = (int64_t)(n / size) };
    char *now = aisp_xmalloc(n), *poison = aisp_xmalloc(n);
    enum aisp_status st;

    AISP_TRY(rig->backend->read(rig->session, (enum aisp_side)side, rig->bystander, t, offset, n,
                                now, err));
    aisp_poison(poison, n, dtype, &key);
    seen.count = count_changed(now, poison, n, size, &seen.element);
    seen.element += (int64_t)(offset / size);
    snprintf(seen.detail, sizeof seen.detail, "no call of this window named slot %d",
             rig->bystander);
    if (seen.count)
        aisp_rig_observe(rig, side, &seen);
out:
    free(now);
    free(poison);
    return st;
}

enum aisp_status aisp_bystander_look(struct aisp_rig *rig, int side, struct aisp_err *err)
{
    enum aisp_status st = AISP_OK;

    for (int t = 0; t < rig->inst->n_tensors && rig->bystander >= 0; t++)
        if (is_out(rig, t))
            AISP_TRY(look_at(rig, side, t, err));
out:
    return st;
}
