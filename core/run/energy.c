/* energy.c - what a call costs in energy, by the card's own counter: after the pairs, in windows of its own that are never timed.
 * Why not in those that are: the counter goes on in steps of some milliseconds and counts all that the card does. Windows of 2 ms,
 * of both sides by turns and with the judge's work between them, lie inside one step; and the power that the library tells is, on
 * newer cards, a mean over the last second. Here a window is many steps long, and off by one of them at most.
 * It is the whole card's energy, what it would use idle included. In the kernel scope too these windows are the call's: more
 * calls than a queue takes cannot be held. */
#include "core/run/rig.h"

#include <math.h>

#include "core/goal.h"

enum { STEPS = 50, FIRST_PART = 16 };      /* warm-up: a sixteenth of a window, and a quarter */
static const int64_t SHORTEST_NS = 200000000, LONGEST_NS = 2500000000, COMPARE_NS = 200000;

/* *call_ns: what a call of them took. */
static enum aisp_status shoot(struct aisp_rig *rig, int side, int64_t calls, double *call_ns, struct aisp_err *err)
{
    const struct aisp_shot shot = { .side = side,
                                    .calls = calls,
                                    .kind = AISP_WINDOW_WARMUP,
                                    .block = -1,
                                    .fill_budget_bytes = -1,
                                    .compare_budget_ns = COMPARE_NS };
    struct aisp_shot_result result;
    const enum aisp_status st = aisp_rig_window(rig, &shot, &result, err);

    if (!st && result.window.window_ns > 0)
        *call_ns = (double)result.window.window_ns / (double)calls;
    return st;
}

static int64_t calls_of(const struct aisp_rig *rig, double call_ns, int64_t window_ns)
{
    const int64_t calls = (int64_t)ceil((double)window_ns / call_ns);

    return rig->has_inout && calls > rig->n_slots ? rig->n_slots : calls;
}

/* A call among many is quicker than one of the few of a timed window: what it takes is learned on the way to a window's length. */
static enum aisp_status meter(struct aisp_rig *rig, int64_t window_ns, struct aisp_err *err)
{
    const int first = aisp_dice_coin(&rig->dice);
    const int order[] = { first, !first, !first, first };
    double call_ns[2] = { rig->course->call_ns[AISP_A], rig->course->call_ns[AISP_B] };
    enum aisp_status st = AISP_OK;

    rig->phase = AISP_PHASE_WARMUP;
    for (int part = FIRST_PART; part > 1; part /= 4)
        for (int side = AISP_A; side <= AISP_B; side++)
            AISP_TRY(shoot(rig, side, calls_of(rig, call_ns[side], window_ns / part), &call_ns[side], err));
    rig->is_metered = true;
    for (int i = 0; i < 4; i++)
        AISP_TRY(shoot(rig, order[i], calls_of(rig, call_ns[order[i]], window_ns), &call_ns[order[i]], err));
out:
    rig->is_metered = false;
    return st;
}

/* -1: there is no counter that could tell. */
static int64_t choose_window_ns(struct aisp_course *course)
{
    const int64_t step_ns = aisp_watch_energy_step(course->watch);
    const int64_t wanted_ns = STEPS * step_ns > SHORTEST_NS ? STEPS * step_ns : SHORTEST_NS;

    if (step_ns <= 0 || AISP_CARD_LEAST_STEPS * step_ns > LONGEST_NS)
        return -1;
    return wanted_ns < LONGEST_NS ? wanted_ns : LONGEST_NS;
}

/* Where a window holds one call (a server's is fed for one), none is many steps long. */
static bool is_wanted(const struct aisp_course *course)
{
    const bool is_right = !course->is_dead[AISP_A] && !course->is_dead[AISP_B] && !course->n_wrong_calls[AISP_A] &&
                          !course->n_wrong_calls[AISP_B];

    return course->plan->wants_energy && course->watch && is_right && !aisp_hold_is_refused(course) &&
           !aisp_goal_is_single(course->plan->problem->goal);
}

enum aisp_status aisp_energy(struct aisp_course *course, struct aisp_err *err)
{
    const struct aisp_plan *plan = course->plan;
    struct aisp_rig_spec spec = {
        .course = course,
        .inst = &plan->inst,
        .variant = { plan->variant[AISP_A], plan->variant[AISP_B] },
        .label = { AISP_A, AISP_B },
        .blame = { AISP_A, AISP_B },
        .n_slots = course->n_slots,
        .phase = AISP_PHASE_SETUP,
        .pair = -1,
        .key = aisp_key_derive(&plan->secret, "energy", 0, 0, 0, 0),
    };
    enum aisp_status st, closed;
    struct aisp_rig rig;
    int64_t window_ns;

    window_ns = is_wanted(course) ? choose_window_ns(course) : -1;
    if (window_ns < 0)
        return AISP_OK;
    AISP_TRY(aisp_rig_open(&rig, &spec, err));
    AISP_TRY(meter(&rig, window_ns, err));
out:
    closed = aisp_rig_close(&rig, st == AISP_OK, err);
    if (st == AISP_E_WORKER)
        return AISP_OK;
    return st ? st : closed;
}
