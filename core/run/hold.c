/* hold.c - the kernel scope: which windows are held, and how many calls fit.
 * A held window's calls are queued on the device before its contents are made, so that launching them is not timed. All windows
 * of a session look alike there too, verification among them, but for each worker's first: what is loaded with the first launch
 * may not wait behind a stream that is held.
 * A window that cannot be held is taken as an ordinary one, verified like any other, and never timed: the scopes do not mix.
 * Not here: how a device does it (backends/cpu/held.c). */
#include "core/run/rig.h"

/* A launch queue holds about a thousand; a call may launch several times. Fewer are tried where these are too many. */
enum { MOST_CALLS = 400 };
/* Before fewer calls are tried; of a session that is timed, before it is given up. */
enum { TRIES = 2, TRIES_TIMED = 4 };

void aisp_hold_begin(struct aisp_course *course)
{
    struct aisp_held_facts *held = &course->ev->held;

    held->scope = (int32_t)course->plan->scope;
    held->most_calls = course->plan->scope == AISP_SCOPE_KERNEL ? MOST_CALLS : 0;
}

int64_t aisp_hold_most(const struct aisp_course *course)
{
    return course->plan->scope == AISP_SCOPE_KERNEL ? course->ev->held.most_calls : INT64_MAX;
}

bool aisp_hold_is_refused(const struct aisp_course *course)
{
    return course->ev->held.is_refused[AISP_A] || course->ev->held.is_refused[AISP_B];
}

void aisp_hold_note(struct aisp_rig *rig, int blame, bool right)
{
    struct aisp_held_facts *held = &rig->course->ev->held;

    if (!rig->can_hold)
        return;
    held->n_wrong[blame] += rig->is_held && !right;
    held->n_right_free[blame] += !rig->is_held && right;
}

void aisp_hold_note_empty(struct aisp_rig *rig, int blame, int64_t empty_ns)
{
    int64_t *least = &rig->course->ev->held.empty_ns[blame];

    if (rig->can_hold && empty_ns > 0 && (!*least || empty_ns < *least))
        *least = empty_ns;
}

static bool is_timed(const struct aisp_shot *shot)
{
    return shot->record;
}

/* Trial has found how many calls fit. Where they fit no longer the comparison ends: it would be one of two kinds of windows. */
static void give_up(struct aisp_rig *rig, const struct aisp_shot *shot)
{
    struct aisp_held_facts *held = &rig->course->ev->held;

    if (shot->calls == 1 || is_timed(shot))
        held->is_refused[rig->blame[shot->side]] = true;
    else
        held->most_calls = shot->calls / 2;
}

enum aisp_status aisp_hold_take(struct aisp_rig *rig, const struct aisp_shot *shot, struct aisp_observation *seen,
                                struct aisp_err *err)
{
    struct aisp_held_facts *held = &rig->course->ev->held;
    const int blame = rig->blame[shot->side], n_tries = is_timed(shot) ? TRIES_TIMED : TRIES;
    const struct aisp_order order = { rig->order, rig->n_order, shot->calls, NULL, NULL };

    rig->is_held = false;
    if (!rig->can_hold || !rig->n_of_side[shot->side] || held->is_refused[blame] || shot->calls > held->most_calls)
        return AISP_OK;
    for (int i = 0; i < n_tries && !rig->is_held; i++) {
        const enum aisp_status st =
            rig->backend->hold(rig->session, (enum aisp_side)shot->side, &order, &rig->is_held, seen, err);

        if (st)
            return st;
        held->n_held[blame] += rig->is_held;
        held->n_unheld[blame] += !rig->is_held;
    }
    if (!rig->is_held)
        give_up(rig, shot);
    return AISP_OK;
}
